"""What a first load of each page takes, with an empty cache: bytes and requests.

`first_load.json` has the budgets. Whoever needs more raises a budget by hand, and says why in the commit; a page that
has become lighter by more than the tolerance gets a smaller one.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from app.dev.tables import at_seed, lay, person
from app.web.people import COOKIE, Visitor
from engine.game import games
from tests.app.web.conftest import Guest, Web

BUDGETS: dict[str, list[int]] = json.loads(
    Path(__file__).with_suffix(".json").with_stem("first_load").read_text("utf-8")
)
OWN = sorted(game.key for game in games().values() if game.package.startswith("engine.games."))
WITHIN = 0.03
MOST = {"first": (60_000, 8), "play": (130_000, 12)}  # whatever the budgets say
FILE = re.compile(r"""(?:src|href)="?(/static/[^"'>#\s]+)""")
SEATS = 3


async def size(http: httpx.AsyncClient, path: str) -> tuple[int, str]:
    """The bytes that are sent of an answer, and its text."""
    async with http.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
        assert answer.status_code == 200, path
        raw = b"".join([piece async for piece in answer.aiter_raw()])
        packed = answer.headers.get("content-encoding") == "gzip"
    return len(raw), httpx.Response(200, headers={"content-encoding": "gzip"} if packed else {}, content=raw).text


async def first_load(http: httpx.AsyncClient, path: str) -> list[int]:
    """Bytes and requests of a page and of the files that it names; bundles name no others."""
    bytes_, text = await size(http, path)
    files = set(FILE.findall(text))
    assert files, path
    return [bytes_ + sum([(await size(http, file))[0] for file in sorted(files)]), 1 + len(files)]


def over(name: str, found: list[int]) -> str:
    bytes_, requests = BUDGETS.get(name, [0, 0])
    most_bytes, most_requests = MOST.get(name.split()[-1], (10**9, 10**9))
    fits = abs(found[0] - bytes_) <= WITHIN * bytes_ and found[1] == requests
    within = found[0] <= most_bytes and found[1] <= most_requests
    return "" if fits and within else f'"{name}": {found}, budget {[bytes_, requests]}'


async def test_pages_without_a_table(guest: Callable[..., Guest]) -> None:
    http = guest("Ada").http
    pages = {"first": "/", "about": "/about", "verify": "/verify"}
    wrong = [over(name, await first_load(http, path)) for name, path in pages.items()]
    assert not [line for line in wrong if line]


@pytest.mark.parametrize("game", OWN)
async def test_pages_of_a_table(web: Web, game: str) -> None:
    table = await lay(web.site.house, at_seed(game, SEATS, SEATS, "weight", {}))
    link = f"/t/{table.picture.token}"
    cookie = {COOKIE: web.site.people.sign(Visitor(person(0), "Seat 0"))}
    async with httpx.AsyncClient(base_url=web.url, cookies=cookie, trust_env=False, timeout=60) as http:
        pages = {"play": link, "hand": f"{link}/hand", "screen": f"{link}/screen", "rules": f"{link}/rules"}
        wrong = [over(f"{game} {name}", await first_load(http, path)) for name, path in pages.items()]
    assert not [line for line in wrong if line]


def test_each_page_has_a_budget_and_no_other() -> None:
    tables = {f"{game} {page}" for game in OWN for page in ("play", "hand", "screen", "rules")}
    assert set(BUDGETS) == {"first", "about", "verify"} | tables
