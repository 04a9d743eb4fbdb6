"""Programs that play over HTTP as described in docs/api.md: they use only the server's paths and JSON."""

import json
from collections.abc import Callable, Mapping
from http.client import HTTPConnection
from random import Random
from typing import Any, Self

from itsdangerous import URLSafeTimedSerializer

Json = dict[str, Any]
Choose = Callable[[Random, list[str]], str]  # chooses one of the legal moves

ANYTIME = 0.2  # probability of an any-time move when one is legal
LONGEST_WAIT = 60  # seconds within which bots or timers must have acted


class Denied(Exception):
    """The server refused a request."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(f"{status} {reason}")
        self.status = status
        self.reason = reason


def signer(key: str) -> URLSafeTimedSerializer:
    """Signs tokens and cookies in the current format. Not imported from `app`: issued ones must stay valid."""
    return URLSafeTimedSerializer(key, salt="facedown person")


class Http:
    """JSON requests over one persistent connection."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.connection = HTTPConnection("127.0.0.1", port, timeout=LONGEST_WAIT + 30)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.connection.close()

    def fetch(self, method: str, path: str, bearer: str = "", said: Json | None = None) -> bytes:
        headers = {"Accept": "application/json"}
        if said is not None:
            headers["Content-Type"] = "application/json"
        if bearer:
            headers["Authorization"] = f"Bearer {bearer}"
        self.connection.request(method, path, None if said is None else json.dumps(said).encode(), headers)
        answer = self.connection.getresponse()
        data = answer.read()
        if answer.status >= 400:
            raise Denied(answer.status, json.loads(data)["error"]["reason"])
        return data

    def get(self, path: str, bearer: str = "") -> Json:
        return dict(json.loads(self.fetch("GET", path, bearer)))

    def post(self, path: str, bearer: str = "", **said: object) -> Json:
        return dict(json.loads(self.fetch("POST", path, bearer, said)))


class Table:
    """A table by its link, with the bearer tokens of the seats that programs play."""

    def __init__(self, http: Http, token: str, bearers: Mapping[int, str]) -> None:
        self.http = http
        self.token = token
        self.bearers = dict(bearers)

    @property
    def path(self) -> str:
        return f"/t/{self.token}"

    def view(self, seat: int | None = None) -> Json:
        """The view of a seat or a spectator."""
        return self.http.get(self.path, "" if seat is None else self.bearers[seat])

    def act(self, seat: int, do: str, /, **fields: object) -> int:
        """Send an action. Returns the new version."""
        return int(self.http.post(f"{self.path}/act", self.bearers[seat], do=do, **fields)["version"])

    def log(self) -> bytes | None:
        """The exported log; None before the first game and in the lobby after a game."""
        try:
            return self.http.fetch("GET", f"{self.path}/log")
        except Denied as denied:
            if denied.reason != "no_log":
                raise
            return None

    def wait(self, view: Json) -> None:
        """Wait until bots or timers have changed the shared view."""
        now = self.http.get(f"{self.path}/events?after={view['version']}&wait={LONGEST_WAIT}")
        assert any(now[part] != view[part] for part in ("table", "shared")), f"table {self.token} stands still"

    def until(self, wanted: Callable[[Json], object]) -> Json:
        """Wait until a spectator's view is as wanted; bots and timers act meanwhile."""
        while not wanted(view := self.view()):
            self.wait(view)
        return view

    def play(
        self, luck: Random, until: Callable[[Json], object] = lambda view: False, choose: Choose = Random.choice
    ) -> Json:
        """Play random legal moves for the seats until the game is over or a seat's view is as wanted."""
        view: Json = {}
        waits = list(self.bearers)
        while True:
            if not waits:
                self.wait(view)
                waits = list(self.bearers)
            seat = luck.choice(waits)
            view = self.view(seat)
            if view["phase"] != "playing" or until(view):
                return view
            own, shared = view["own"], view["shared"]
            waits = [n for n in self.bearers if shared["waits"] is None or n in shared["waits"]]
            moves = own["anytime"] if own["anytime"] and luck.random() < ANYTIME else own["moves"]
            if moves:
                self.try_to_play(seat, shared["round"], choose(luck, moves))
            elif seat in waits:
                waits.remove(seat)

    def try_to_play(self, seat: int, round: int, move: str) -> None:
        """Play a move that may be refused because a timer or a bot was faster."""
        try:
            self.act(seat, "play", round=round, move=move)
        except Denied as denied:
            if denied.status != 409:
                raise
