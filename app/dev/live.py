"""The application that follows changes of templates, static files and catalogues, and whose pages reload themselves."""

import secrets
from collections.abc import Callable
from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.dev.reloader import report
from app.dev.watch import Watch, folders, listed
from app.server import create_app
from app.settings import Settings
from app.web.fragments import Fragments
from app.web.languages import translations
from app.web.site import Site
from app.web.templates import Templates

FILES = Path(__file__).resolve().parent / "files"
SCRIPT = '<script src="/dev/files/reload.js" data-state="{state}" defer></script></head>'


class Changes:
    """Names the state of code and files: another process or a change of files has another name."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.process = secrets.token_hex(4)
        self.count = 0

    @property
    def state(self) -> str:
        return f"{self.process}-{self.count}"

    def look(self, site: Site) -> None:
        """If files have changed, drop all that was made from them."""
        if files := self.watch.changed():
            self.count += 1
            translations.cache_clear()
            site.templates = Templates(reload=True)
            site.cache.clear()
            site.fragments = Fragments(site.templates, site.cache)
            report(f"{listed(files)} changed: pages reload.")


class Following:
    """Middleware: looks for changes before each request, and adds the script that reloads a page to all pages."""

    def __init__(self, app: ASGIApp, look: Callable[[], str]) -> None:
        self.app = app
        self.look = look

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        script = SCRIPT.format(state=self.look()).encode()
        start: Message | None = None

        async def add(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                if MutableHeaders(scope=message).get("content-type", "").startswith("text/html"):
                    start = message
                    return
            elif start is not None:  # our pages are sent in one piece
                message = {**message, "body": message.get("body", b"").replace(b"</head>", script, 1)}
                MutableHeaders(scope=start)["content-length"] = str(len(message["body"]))
                await send(start)
                start = None
            await send(message)

        await self.app(scope, receive, add)


def create_live_app(settings: Settings) -> FastAPI:
    app = create_app(settings, reload=True)
    changes = Changes(Watch("pages", folders()))

    def look() -> str:
        changes.look(app.state.site)
        return changes.state

    @app.get("/dev/changes", include_in_schema=False)
    async def state(request: Request) -> Response:
        return PlainTextResponse(changes.state)

    app.mount("/dev/files", StaticFiles(directory=FILES))
    app.add_middleware(Following, look=look)
    return app
