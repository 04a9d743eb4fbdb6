"""Serves static files, ours and those of games."""

import mimetypes

from starlette.datastructures import Headers
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import NotModifiedResponse
from starlette.types import Receive, Scope, Send

from app.web.rendering import fingerprint, modified, static_file

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("image/svg+xml", ".svg")
mimetypes.add_type("application/manifest+json", ".webmanifest")
FOR_EVER = "public, max-age=31536000, immutable"


class Files:
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.answer(scope)(scope, receive, send)

    def answer(self, scope: Scope) -> Response:
        path = str(scope["path"]).removeprefix("/static/")
        file = static_file(path) if scope["method"] in ("GET", "HEAD") else None
        if file is None:
            return PlainTextResponse("Not found", 404)
        digest = fingerprint(path, modified(path))
        asked = scope["query_string"].decode("latin-1")
        headers = {"etag": f'"{digest}"', "cache-control": FOR_EVER if asked == f"v={digest}" else "no-cache"}
        if Headers(scope=scope).get("if-none-match") == headers["etag"]:
            return NotModifiedResponse(Headers(headers))
        return FileResponse(file, headers=headers)
