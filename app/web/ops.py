"""Health, metrics, API documentation, and checking of logs."""

import asyncio
import hmac
from typing import Any

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import PlainTextResponse

from app.metrics import exposition
from app.refusals import Refusal
from app.web.answers import TABLE, Json, page, site_of, wants_json
from app.web.openapi import Checked, operation
from app.web.people import bearer
from app.web.site import is_local
from engine.game import left_out
from engine.verify import verify

router = APIRouter()
NOT_READY: dict[int | str, dict[str, Any]] = {
    503: {
        "description": "Not ready: one problem a line",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    }
}
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


@router.get("/healthz", response_class=PlainTextResponse)
async def healthz() -> Response:
    """Liveness: the process answers."""
    return PlainTextResponse("ok\n")


@router.get("/readyz", response_class=PlainTextResponse, responses=NOT_READY)
async def readyz(request: Request) -> Response:
    """Readiness: commits succeed and all background loops run. A game that cannot be loaded is named, but the others
    can be played."""
    problems = site_of(request).house.problems()
    lines = [*(problems or ["ready"]), *(f"the game {key} cannot be loaded and is left out" for key in left_out())]
    text = "".join(f"{line}\n" for line in lines)
    return PlainTextResponse(text, 503, headers={"retry-after": "2"}) if problems else PlainTextResponse(text)


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request) -> Response:
    """For Prometheus: with the token of the settings or, without one, from this machine only."""
    token = site_of(request).settings.metrics_token
    if token:
        allowed = hmac.compare_digest((bearer(request) or "").encode(), token.encode())
    else:
        # A proxy on this machine forwards requests of others; another site may have a name that leads here.
        proxied = any(name in request.headers for name in FORWARDED)
        asked_locally = is_local(request.url.hostname or "")
        allowed = is_local(request.scope["peer"]) and asked_locally and not proxied
    if not allowed:
        raise Refusal("private")
    return Response(exposition(), media_type=CONTENT_TYPE_LATEST)


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    """The list of operations, made from /openapi.json."""
    schema = request.app.openapi()
    operations = [
        {"method": method.upper(), "path": path, **operation}
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    return page(request, "docs.html", {"operations": operations})


# checking a log -----------------------------------------------------------------------------------------------------


@router.get("/verify", include_in_schema=False)
async def verify_page(request: Request) -> Response:
    return page(request, "verify.html", {"report": None, "back": back_to(request)})


def back_to(request: Request) -> str:
    """The table's page from which the visitor has come, if the URL names it."""
    back = request.query_params.get("back", "")
    return back if TABLE.fullmatch(back) else ""


@router.post("/verify", **operation(Checked))
async def verify_file(request: Request) -> Response:
    """Check an exported log, sent as the file of a form or as the body."""
    site = site_of(request)
    site.limits.files.take(site.address(request))
    data = await sent_file(request)
    report = await asyncio.to_thread(verify, data.split(b"\n"))
    if wants_json(request):
        return Json({"holds": report.holds, "finished": report.finished, "line": report.line, "text": report.say()})
    return page(request, "verify.html", {"report": report, "back": back_to(request)})


async def sent_file(request: Request) -> bytes:
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        return await request.body()
    async with request.form(max_files=1, max_fields=4) as form:
        file: Any = form.get("file")
        if file is None:
            raise Refusal("malformed")
        return file.encode() if isinstance(file, str) else bytes(await file.read())
