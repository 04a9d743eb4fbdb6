"""Static files of the server and of games: their URLs, and the application that serves them.

The build has compressed our own files, each in `built/packed` under its digest (building/packed.py); those of an
installed game are compressed when they are first asked for.
"""

import gzip
import hashlib
import mimetypes
import re
from functools import cache, lru_cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import NotModifiedResponse
from starlette.types import Receive, Scope, Send

from app.paths import STATIC
from app.web.packages import brought, in_package
from engine.game import Game, games

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("image/svg+xml", ".svg")
mimetypes.add_type("application/manifest+json", ".webmanifest")
FOR_EVER = "public, max-age=31536000, immutable"
PACKED = STATIC / "built" / "packed"
ENCODINGS = {"br": "br", "gzip": "gz"}  # by preference -> suffix of the packed file
PACKABLE = (".css", ".js", ".svg")
LEAST = 300  # bytes, as in building/packed.py


class Files:
    """`compress`: not for development, where files change."""

    def __init__(self, compress: bool = True) -> None:
        self.compress = compress

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
        encoding, packed = "", None
        if self.compress and file.suffix in PACKABLE:
            headers["vary"] = "accept-encoding"
            encoding, packed = best_form(path, digest, accepted(scope))
        if encoding:
            headers |= {"etag": f'"{digest}-{encoding}"', "content-encoding": encoding}
        if Headers(scope=scope).get("if-none-match") == headers["etag"]:
            return NotModifiedResponse(Headers(headers))
        if isinstance(packed, bytes):
            return Response(packed, headers=headers, media_type=mimetypes.guess_type(path)[0])
        return FileResponse(packed or file, headers=headers, media_type=mimetypes.guess_type(path)[0])


def accepted(scope: Scope) -> set[str]:
    """The encodings that a client takes."""
    found = set()
    for part in Headers(scope=scope).get("accept-encoding", "").lower().split(","):
        name, _, quality = part.replace(" ", "").partition(";q=")
        if not re.fullmatch(r"0(\.0*)?", quality):
            found.add(name)
    return found


def best_form(path: str, digest: str, accepts: set[str]) -> tuple[str, Path | bytes | None]:
    """The encoding in which to send a file, and the file or its bytes in it; "" if it is sent as it is."""
    for encoding, suffix in ENCODINGS.items():
        if encoding in accepts and (packed := PACKED / f"{digest}.{suffix}").is_file():
            return encoding, packed
    if "gzip" in accepts and (content := zipped(path, digest)):
        return "gzip", content
    return "", None


@lru_cache(256)
def zipped(path: str, digest: str) -> bytes:
    """A file that the build does not know; empty if it is not worth it."""
    file = static_file(path)
    content = file.read_bytes() if file else b""
    return gzip.compress(content, mtime=0) if len(content) >= LEAST else b""


def asset(path: str) -> str:
    """The URL of a static file. It contains a hash of the file, so browsers may cache it forever."""
    return url(path, fingerprint(path, 0))


def asset_now(path: str) -> str:
    """Like `asset`, for development: looks whether the file has changed."""
    return url(path, fingerprint(path, modified(path)))


def url(path: str, digest: str) -> str:
    return f"/static/{path}?v={digest}" if digest else f"/static/{path}"


def static_file(path: str) -> Path | None:
    """The path of a static file: one of ours, or `<package>/static/x` of an installed game for `games/<key>/x`."""
    parts = path.split("/")
    if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
        return None
    if (ours := STATIC.joinpath(*parts)).is_file():
        return ours
    if len(parts) > 2 and parts[0] == "games" and (game := games().get(parts[1])) is not None:
        theirs = brought(game, "static", *parts[2:])
        return theirs if isinstance(theirs, Path) else None
    return None


def style_sheets(game: Game) -> list[str]:
    """The paths of a game's style sheets, in the order in which pages link them."""
    folders = STATIC / "games" / game.key, in_package(game, "static")
    names = {file.name for folder in folders if folder and folder.is_dir() for file in folder.iterdir()}
    return [f"games/{game.key}/{name}" for name in sorted(names) if name.endswith(".css")]


def modified(path: str) -> int:
    file = static_file(path)
    return file.stat().st_mtime_ns if file else 0


@cache
def fingerprint(path: str, modified: int) -> str:
    file = static_file(path)
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12] if file else ""
