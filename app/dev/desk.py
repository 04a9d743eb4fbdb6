"""The desk: one page with all faces of a table side by side, for `facedown dev`."""

from collections.abc import Callable

from fastapi import APIRouter, FastAPI, Request, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.datastructures import MutableHeaders
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.dev.live import FILES
from app.dev.tables import Beginning, lay
from app.refusals import Refusal
from app.web.answers import remember, site_of
from app.web.people import Visitor
from engine.simulate import BadArgument

# Name, path below the table's link, and size in pixels.
FACES = (("play", "", 1280, 800), ("screen", "/screen", 1920, 1080), ("hand", "/hand", 360, 740))


class Framed:
    """Middleware: lets our own pages be shown in frames of our own pages."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def allow(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                policy = headers.get("content-security-policy", "")
                headers["content-security-policy"] = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
            await send(message)

        await self.app(scope, receive, allow)


def add_desk(app: FastAPI, beginning: Callable[[], Beginning], about: str) -> None:
    """Add the desk to an application. `beginning` says how a new table begins, `about` the same in words."""
    router = APIRouter(prefix="/dev", include_in_schema=False)
    templates = Environment(
        loader=FileSystemLoader(FILES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    page = templates.get_template

    @router.get("")
    async def new(request: Request) -> Response:
        try:
            table = await lay(site_of(request).house, beginning())
        except (BadArgument, OSError) as error:
            return HTMLResponse(page("problem.html").render(problem=str(error)), 500)
        return RedirectResponse(f"/dev/{table.picture.token}", 303)

    @router.get("/{token}")
    async def desk(request: Request, token: str, seat: int | None = None) -> Response:
        """The browser becomes the person at this seat, by default the one that it was, else the first."""
        site = site_of(request)
        try:
            table = await site.house.by_token(token)
        except Refusal:  # the code has changed and cannot read it any more
            table = None
        if table is None:
            return RedirectResponse("/dev", 303)
        picture = table.picture
        if seat is None:
            seat = picture.seat_of(site.people.visitor(request).person) or 0
        holders = picture.holders(seat)
        html = page("desk.html").render(about=about, card=picture.card, token=token, seat=seat, faces=FACES)
        visitor = Visitor(holders[0], picture.card.seats[seat].name) if holders else None
        return remember(request, HTMLResponse(html), visitor)

    app.include_router(router)
    app.add_middleware(Framed)
