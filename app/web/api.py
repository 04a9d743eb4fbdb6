"""The API for programs: join, events, log. The view and the moves share their paths with the pages."""

import asyncio
import time
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from app.house.open_table import OpenTable
from app.refusals import Refusal
from app.web.answers import Json, site_of
from app.web.json_view import Common
from app.web.messages import fields, understand
from app.web.openapi import Joined, TakeSeat, View, operation
from app.web.people import NOBODY, Visitor, bearer
from app.web.site import Site
from engine.verify import export
from engine.views import Own

router = APIRouter()
LONGEST_WAIT = 60


@router.post("/t/{token}/join", **operation(Joined, TakeSeat, 201))
async def join(request: Request, token: str) -> Response:
    """Take a seat as a program: the answer holds the token to send as `Authorization: Bearer …` from then on."""
    site = site_of(request)
    table = await site.table(request, token)
    found = await fields(request)
    said = understand({**found, "do": "sit"})
    # Ignore the cookie: a script in a browser must not obtain a token for that browser's person.
    visitor = site.people.visitor(request) if bearer(request) is not None else NOBODY
    if not visitor.person:
        site.take_arrival(table, site.address(request))
        visitor = site.people.new(said.message.name, said.id)
    version = await site.act(table, visitor, said, site.address(request))
    seat = table.picture.seat_of(visitor.person)
    return Json({"bearer": site.people.sign(visitor), "seat": seat, "version": version}, 201)


@router.get("/t/{token}/events", **operation(View))
async def events(
    request: Request,
    token: str,
    after: Annotated[int, Query(ge=0, le=2**31)] = 0,
    wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT)] = 0,
) -> Response:
    """The view and the events after a version. If there are none yet, waits up to `wait` seconds until something
    changes that this seat may see."""
    site = site_of(request)
    table = await site.table(request, token)
    visitor = site.people.visitor(request)
    await site.read_up_to(table, after)
    return Json(await changed(site, table, visitor, after, wait))


async def changed(site: Site, table: OpenTable, visitor: Visitor, after: int, wait: float) -> bytes:
    def seat() -> int | None:
        return table.picture.seat_of(site.people.current(visitor).person)

    def seen() -> tuple[Common, Own | None]:
        return site.json(table).whole(seat())

    until = time.monotonic() + wait
    with site.poll(table, visitor.person if wait else "") as subscription:
        first = seen()
        while table.version == after and seen() == first and not site.stopping:
            if (left := until - time.monotonic()) <= 0:
                break
            try:
                async with asyncio.timeout(left):
                    await subscription.changed()
            except TimeoutError:
                break
    return site.json(table).encoded(seat(), site.remaining(table), after)


class Log(Response):
    media_type = "application/jsonl"


@router.get("/t/{token}/log", response_class=Log, **operation(str, kind="application/jsonl"))
async def log(request: Request, token: str) -> Response:
    """The log of the current game as JSON lines, in the format that `facedown verify` reads."""
    site = site_of(request)
    table = await site.table(request, token)
    picture = table.picture
    if not picture.version:
        raise Refusal("no_log")
    names = [seat.name for seat in picture.card.seats]
    name = f"facedown-{picture.game.key}-{picture.card.plays}.jsonl"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Log(b"".join(export(picture.events.raw(), names)), headers=headers)
