"""Compares all that a viewer is sent of two tables that differ only in what the viewer cannot know.

Two tables with the same public history and other secrets: other unseen cards, other sealed answers of rivals, after
more draft steps, by other persons, with other standing orders. Only the digests of sealed answers are masked.
"""

import random
import re
from contextlib import AsyncExitStack
from typing import Any

from app.house.bot_runner import OVERTAKEN
from app.house.open_table import OpenTable, encode_sitting, read_saved
from app.refusals import Refusal
from app.table import actions as do
from app.table.picture import draw
from app.table.sitting import Sitting
from app.web.people import COOKIE
from engine.bots import at_random
from engine.chance import Chance
from engine.game import games
from engine.orders import StandingOrder
from tests.app.tables import passed
from tests.app.web.conftest import Guest, Line, Web

NAMES = ("Ada", "Bo", "Cy", "Di")
FACES = ("play", "hand", "screen", "result", "lobby")
PAGES = ("", "?watch=1", "/hand", "/screen", "/rules", "/events?after=0", "/log")
SOCKETS = (*(f"face={face}" for face in FACES), "as=json&after=0", "as=json&face=screen")
REFUSED = ("not open yet", "You do not sit", "Take a seat first", "A bot plays this seat until")


class Played:
    def __init__(self, web: Web, path: str, people: list[Guest], open_table: OpenTable) -> None:
        self.web = web
        self.path = path
        self.people = people
        self.open_table = open_table

    async def act(self, seat: int, action: do.Action) -> None:
        await self.web.site.house.act(self.open_table, self.open_table.picture.holders(seat)[0], action)
        await passed(self.open_table)

    async def move(self, seat: int, move: str) -> None:
        await self.act(seat, do.Play(self.open_table.picture.round, move))


async def begun(web: Web, game: str, seats: int = 4, **options: str) -> Played:
    """A table whose game has begun, with as many people as the game takes, but not more than `seats`."""
    people = [Guest(web, name) for name in NAMES[: min(max(games()[game].seats), seats)]]
    path = await people[0].open(game)
    for one in people[1:]:
        await one.sit(path)
    if options:
        await people[0].say(path, do="options", options=options)
    await people[0].act(path, do="start")
    return Played(web, path, people, await web.open_table(path))


async def play_on(found: Played, luck: random.Random, moves: int) -> None:
    """Random moves, and steps back."""
    for _ in range(moves):
        table = found.open_table.sitting.table
        assert table is not None
        if table.over:
            break
        seat = luck.choice(table.waits)
        try:
            if (back := table.back(seat)) and back.steps and luck.random() < 0.2:
                await found.act(seat, do.StepBack(table.round))
            else:
                await found.move(seat, at_random(table.shared(), table.own(seat), luck))
        except Refusal as refusal:
            if refusal.reason not in OVERTAKEN:  # the table may have passed for somebody meanwhile
                raise


async def played(web: Web, game: str, luck: random.Random, moves: int, **options: str) -> Played:
    """A table after a number of random moves."""
    found = await begun(web, game, 4, **options)
    await play_on(found, luck, moves)
    return found


def otherwise(sitting: Sitting, seat: int | None, luck: random.Random, person: str = "") -> Sitting:
    """A table that looks the same to this seat and is as different as possible otherwise. Other people sit
    there, except `person`."""
    other = Sitting.restore(read_saved(encode_sitting(sitting)))
    table = other.table
    assert table is not None
    table.game.shuffle_unknown(table.state, seat, Chance(luck.randbytes(32).hex()))
    table._moves.clear()
    for rival in list(table.drafts):
        if rival == seat:
            continue
        handed_in = rival in table.secrets
        table.reopen(rival, ())
        while handed_in and rival not in table.secrets:
            word = luck.choice(table.ask.options(table.state, rival, table.drafts.get(rival, ())))  # type: ignore[union-attr]
            table.drafts[rival] = (*table.drafts.get(rival, ()), word)
            if not table.ask.unfinished(table.state, rival, table.drafts[rival]):  # type: ignore[union-attr]
                table.secrets[rival] = luck.randbytes(32).hex()
    for rival in range(table.seats):
        if table.game.orders and rival != seat:
            table.orders[rival] = StandingOrder(luck.choice(table.game.orders).value)
    if not table.over:
        for rival in set(table.asked) - table.drafts.keys() - {seat}:  # start a draft, which nobody else sees
            words = table.moves(rival)
            if words and table.ask.unfinished(table.state, rival, (words[0],)):  # type: ignore[union-attr]
                table.drafts[rival] = (words[-1],)
    table._moves.clear()
    for n, place in enumerate(other.saved.seats):
        if n != seat:
            place.holders = [one if one == person else f"another-{one}" for one in place.holders]
    other.saved.held = {
        one: n for n, place in enumerate(other.saved.seats) for one in place.holders if not place.newcomer
    }
    other.saved.spent = ["x"]
    other.saved.seq += 7
    other.saved.at += 3.5
    return other


def same_host(sitting: Sitting, host: str) -> None:
    sitting.saved.host = sitting.saved.seats[0].holders[0] if sitting.saved.seats[0].holders else host


async def seen(table: Played, viewer: Guest) -> dict[str, str]:
    """Everything that is sent to this viewer over all channels."""
    # The compared tables have the same revisions, so nothing made for one may be used for the other.
    viewer.web.site.cache.clear()
    viewer.web.site.fragments.last = None, {}
    path, found = table.path, {}
    for page in PAGES:
        answer = await viewer.http.get(path + page)
        headers = {name: value for name, value in answer.headers.items() if name not in ("date", "content-length")}
        found[page] = f"{answer.status_code} {headers} {answer.text}"
    found["json"] = (await viewer.http.get(path, headers={"accept": "application/json"})).text
    table_now = table.open_table.sitting.table
    assert table_now is not None
    wrong_moves: list[dict[str, Any]] = [
        {"do": "play", "round": 999, "move": "4"},
        {"do": "play", "round": table_now.round, "move": "no such move"},
        {"do": "undo", "round": 0},
        {"do": "stepback", "round": 0},
        {"do": "free", "seat": 99},
        {"do": "standin", "seat": 99},
        {"do": "object"},
    ]
    for wrong in wrong_moves:
        found[f"refused {wrong}"] = (await viewer.say(path, **wrong)).text
        found[f"refused page {wrong}"] = (await viewer.act(path, **wrong)).text
    for query in SOCKETS:
        async with viewer.socket(path, query) as line:
            await line.say(do="undo", round=999)
            found[query] = await line.text() + await line.text()
    metrics = (await viewer.http.get("/metrics")).text
    assert not any(secret in metrics for secret in (table.open_table.id, table.open_table.picture.token, *NAMES))
    return {name: masked(text, table.open_table.sitting) for name, text in found.items()}


def masked(text: str, sitting: Sitting) -> str:
    """Without the digests of sealed answers, which differ."""
    assert sitting.table is not None
    for digests in sitting.table.shared().digests.values():
        for digest in digests:
            text = text.replace(digest, "…")
    # Digests of what the page shows, and so of the digests above.
    return re.sub("has=[0-9a-f-]+", "has=…", text)


async def compare(table: Played, seat: int | None, luck: random.Random, viewer: Guest | None = None) -> None:
    """`viewer`: who looks on without a seat, or is the newcomer of one."""
    viewer = table.people[seat] if seat is not None else viewer or Guest(table.web, "Eve")
    truth = table.open_table.sitting
    other = otherwise(truth, seat, luck, person_of(viewer))
    same_host(other, truth.saved.host)
    before = await seen(table, viewer)
    heard = await heard_of_an_answer(table, viewer, truth, seat, luck)
    try:
        put(table, other)
        after = await seen(table, viewer)
        heard_otherwise = await heard_of_an_answer(table, viewer, other, seat, luck)
    finally:
        put(table, truth)
    for name, text in before.items():
        assert text == after[name], f"{name}: {difference(text, after[name])}"
    assert len(heard) == len(heard_otherwise)
    for query, text, otherwise_text in zip(SOCKETS * 2, heard, heard_otherwise, strict=False):
        assert text == otherwise_text, f"heard by {query}: {difference(text, otherwise_text)}"


def difference(one: str, other: str) -> str:
    """Where two texts begin to differ."""
    same = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"…{one[max(0, same - 80) : same + 80]}… / …{other[max(0, same - 80) : same + 80]}…"


def person_of(viewer: Guest) -> str:
    cookie = viewer.http.cookies.get(COOKIE)
    return viewer.web.site.people.read(cookie).person if cookie else ""


def put(table: Played, sitting: Sitting) -> None:
    table.open_table.sitting, table.open_table.picture = sitting, draw(sitting, table.open_table.history)
    table.web.site.cache.clear()
    table.web.site.fragments.last = None, {}


async def all_until_refused(line: Line) -> str:
    """What has arrived until the answer to an action that is refused."""
    heard = ""
    while not any(text in heard for text in REFUSED):
        heard += await line.text()
    return heard


async def heard_of_an_answer(
    table: Played, viewer: Guest, sitting: Sitting, seat: int | None, luck: random.Random
) -> list[str]:
    """All that the viewer's sockets are sent while a rival answers, in words chosen at random, and takes the answer
    back; nothing if no rival can answer without a reveal. The table is as before afterwards."""
    assert sitting.table is not None
    rivals = [one for one in sitting.table.waits if one != seat and sitting.seats[one].holders]
    if len(sitting.table.waits) < 2 or not rivals or sitting.seats[rivals[0]].newcomer:
        return []
    heard, rival = [], rivals[0]
    person, now = sitting.seats[rival].holders[0], sitting
    async with AsyncExitStack() as opened:
        lines = [await opened.enter_async_context(viewer.socket(table.path, query)) for query in SOCKETS]
        for line in lines:
            await line.text()
        for round in (False, True):
            while now.table is not None and (rival in now.table.secrets) is round:
                play = (
                    do.Undo(now.table.round) if round else do.Play(now.table.round, luck.choice(now.table.moves(rival)))
                )
                now = now.apply(do.Entry(person, play, luck.randbytes(32).hex(), now.saved.at)).sitting
                table.open_table.sitting = now
                table.open_table.picture = draw(now, table.open_table.history, table.open_table.picture)
            table.open_table.notify()
            for line in lines:
                await line.say(do="undo", round=999)
                heard.append(masked(await all_until_refused(line), now))
    put(table, sitting)
    return heard
