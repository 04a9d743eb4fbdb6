"""Pages of constructed positions, rendered without playing a game, for tests of rare states."""

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from markupsafe import Markup

from app.paths import FILES
from app.table.events import History
from app.table.picture import Me
from app.web.context import chain_of
from app.web.templates import Templates
from engine.beats import beats_of
from engine.game import find
from engine.games.dungeoneer import positions as dungeoneer
from engine.games.raiders import positions as raiders
from engine.games.scrawl import positions as scrawl
from engine.games.scrawl.facts import Sheet
from engine.games.tomb import positions as tomb
from engine.proof import Deal, canonical
from engine.steps import Event, State
from engine.table import Table
from engine.table_events import Began

PAGES = Templates()
NAMES = ["Mira", "Anton", "Leila", "Wick", "Bartholomew", "Ада", "Owen", "Zoë"]
LONG_NAMES = [
    "Maximilian-Alexander Fox", "Анастасия Константиновна", "Wolfeschlegelsteinhausen", "Bartholomew the Younger",
    "Счастливая Черепаха Тото", "Grandmother of Nine Cats", "Jean-Baptiste Lamoureux", "Великолепная Екатерина!",
]  # fmt: skip
WORDS = "ab" * 16


class GamePosition:
    """The pages of a table of any game, from what has happened at it; seats past the third are bots,
    but for those of people who are away."""

    def __init__(self, table: Table, began: Sequence[Event], names: Sequence[str] = NAMES) -> None:
        self.table, self.seats = table, table.seats
        self.names = list(names[: self.seats])
        self.history = History()
        self.tell(began)

    def tell(self, events: Sequence[Any]) -> None:
        if events:
            self.history = self.history.add(canonical(list(events)).decode())

    def play(self, *moves: tuple[int, str]) -> Self:
        for seat, move in moves:
            self.tell(self.table.play(seat, move, self.table.round, WORDS))
        return self

    def html(self, face: str = "play", seat: int | None = 0, language: str = "en", **also: Any) -> str:
        """The page of a face; `seat` is None for a spectator."""
        log, reveal = list(self.history.all), list(self.history.reveal)
        shared, own = self.table.shared(), None if face == "screen" or seat is None else self.table.own(seat)
        game, over = self.table.game, shared.over
        absent = (*also.get("away", ()), *also.get("stand_in", ()))
        kinds = ["person" if n < 3 or n in absent else "bot" for n in range(self.seats)]
        seats = [
            {"n": n, "name": self.names[n], "kind": kinds[n], "bot": "", "ready": True, "host": n == 0,
             "away": n in absent, "stand_in": n in also.get("stand_in", ()), "reminded": False}
            for n in range(self.seats)
        ]  # fmt: skip
        table = {
            "token": "token", "link": "https://cards.example/t/token", "addresses": [],
            "link_is_local": also.get("link_is_local", False),
            "code": "LAMP42", "game": game, "phase": "over" if over else "playing", "locked": False,
            "seconds": also.get("seconds", 0), "timed": "seconds" in also, "options": shared.options,
            "option_list": [], "seats": seats,
            "claim": also.get("claim"), "silence": False, "anybody_away": any(seat["away"] for seat in seats),
            "host_name": self.names[0], "watchers": 0, "plays": 1, "commitment": shared.commitment,
            "min_seats": game.seats[0], "max_seats": game.seats[-1], "title": game.name,
        }  # fmt: skip
        forecast = game.forecast(shared, own) if game.forecast and own and not over else None
        template = {"play": "table.html", "hand": "hand.html", "screen": "screen.html"}[face]
        values = {
            "face": "result" if over and face == "play" else face, "table": table, "names": self.names,
            "shared": shared, "public": shared.public,
            "announcements": tuple(also.get("announcements", ())), "log": log, "reveal": reveal,
            "beats": beats_of(game, reveal, shared.options),
            "chain": chain_of(reveal),
            "summary": game.summary(shared) if game.summary else None, "remaining": also.get("remaining"),
            "notice": "", "me": None if face == "screen" else self.viewer(seat, also),
            "own": own, "private": own.private if own else None, "forecast": forecast, "path": "/", "person_name": "",
            "linked": PAGES.loads("table", game), "can_take": (), "has": lambda: "",
        }  # fmt: skip
        values["part"] = lambda part: Markup(PAGES.fragment(language, part, PAGES.with_globals(language, values)))
        return PAGES.page(language, "result.html" if over and face != "screen" else template, values)

    def viewer(self, seat: int | None, also: Mapping[str, Any]) -> Me:
        return Me(seat, seat == 0, "" if seat is None else self.names[seat], True, tuple(also.get("can_take", ())))


def set_up(key: str, state: State, seats: int, options: Mapping[str, str]) -> tuple[Table, Sequence[Event]]:
    """A table in this state, and the events of its beginning."""
    game = find(key)
    chosen = game.choose_options(options, seats)
    secrets = ("",) * seats
    table = Table(game, state, seats=seats, options=chosen, deal=Deal("cd" * 32, secrets))
    return table, table.settle(Began(game.key, game.rules, seats, chosen, table.commitment, secrets))


class Position(GamePosition):
    """A position of Dungeon Raiders."""

    def __init__(
        self,
        places: int | Sequence[raiders.Place] = 4,
        play: str = "sealed",
        names: Sequence[str] = NAMES,
        **where: Any,
    ) -> None:
        state = raiders.position(places, play=play, **where)
        super().__init__(*set_up("raiders", state, len(state.raiders), {"play": play}), names)


class ScrawlPosition(GamePosition):
    """A position of Paper Dungeons."""

    def __init__(self, *sheets: Sheet, names: Sequence[str] = NAMES, **where: Any) -> None:
        super().__init__(*set_up("scrawl", scrawl.position(*sheets, **where), len(sheets), {}), names)


class TombPosition(GamePosition):
    """A position of Rodents and Tombs."""

    def __init__(self, *boards: tomb.Board, names: Sequence[str] = NAMES, **where: Any) -> None:
        super().__init__(*set_up("tomb", tomb.position(*boards, **where), len(boards), {}), names)


class LairPosition(GamePosition):
    """A position of Dungeoneer."""

    def __init__(self, players: Sequence[dungeoneer.Player], names: Sequence[str] = NAMES, **where: Any) -> None:
        super().__init__(*set_up("dungeoneer", dungeoneer.position(players, **where), len(players), {}), names)


def path(state: str, language: str) -> str:
    """Where `shown_states` has this state."""
    return f"{language}/{state.replace(', ', '-').replace(' ', '-')}"


@contextmanager
def shown_states(states: Mapping[str, tuple[GamePosition, dict[str, Any]]], **also: Any) -> Iterator[str]:
    """The address that serves these states in both languages. `also` tells how all of them are rendered."""
    with shown() as (pages, address):
        for name, (at, given) in states.items():
            for language in ("en", "ru"):
                pages[path(name, language)] = at.html(**{**given, **also, "language": language})
        yield address


@contextmanager
def shown() -> Iterator[tuple[dict[str, str], str]]:
    """A dictionary of pages by name, to be filled by the test, and the address that serves them. No sockets."""
    pages: dict[str, str] = {}

    class Handler(SimpleHTTPRequestHandler):
        def translate_path(self, path: str) -> str:
            return str(FILES / path.partition("?")[0].lstrip("/"))

        def do_GET(self) -> None:
            html = pages.get(self.path.strip("/"))
            if html is None:
                super().do_GET()
                return
            data = re.sub(r' hx-ws:connect="[^"]*"', "", html).encode()
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield pages, f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
