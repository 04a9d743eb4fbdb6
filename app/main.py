"""The web application: everything that answers, put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.house import House
from app.settings import Settings
from app.sitting import Refused
from app.web import api, machinery, pages
from app.web.answers import refused
from app.web.edge import Edge, template
from app.web.ending import before_the_end
from app.web.files import Files
from app.web.refusals import Refusal
from app.web.rendering import pages_of
from app.web.schema import describe
from app.web.site import Site
from app.web.socket import Sockets

log = structlog.get_logger("web")


def create_app(settings: Settings, reload: bool = False) -> FastAPI:
    """`reload`: look at templates and static files again each time, for whoever is writing them."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        house = await House.start(settings)
        app.state.site = site = Site(settings, house, rendering)
        try:
            with before_the_end(site.stop):
                yield
        finally:
            await house.stop()

    rendering = pages_of(reload)
    app = FastAPI(title="Facedown", version="1", lifespan=lifespan, docs_url=None, redoc_url=None)
    for router in (pages.router, api.router, machinery.router):
        app.include_router(router)
    describe(app)
    app.mount("/static", Files(), name="static")
    app.add_exception_handler(Refusal, answer)
    app.add_exception_handler(Refused, answer)
    app.add_exception_handler(HTTPException, answer)
    app.add_exception_handler(RequestValidationError, answer)
    app.add_middleware(Sockets)
    app.add_middleware(Refuser)
    app.add_middleware(Edge, trusted=settings.trusted_proxies.replace(",", " ").split(), public_url=settings.public_url)
    return app


async def answer(request: Request, error: Exception) -> Response:
    """Every error as a refusal in words."""
    if isinstance(error, Refused):
        return refused(request, Refusal(error.reason, version=error.version or None))
    if isinstance(error, Refusal):
        return refused(request, error)
    if isinstance(error, RequestValidationError):
        return refused(request, Refusal("malformed"))
    if isinstance(error, HTTPException):
        reasons = {404: "unknown_page", 405: "no_method", 413: "too_big"}
        return refused(request, Refusal(reasons.get(error.status_code, "malformed")))
    raise error


class Refuser:
    """Says what the edge found wrong before any page sees the request, and what nobody else could say."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def note(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        refusal: Refusal | None = scope.get("refusal")
        if refusal is None:
            try:
                await self.app(scope, receive, note)
                return
            except Exception as error:
                if started:
                    raise
                refusal = error if isinstance(error, Refusal) else Refusal("broken")
                if refusal is not error:
                    log.exception("broken", route=template(scope))
        await refused(Request(scope), refusal)(scope, receive, send)
