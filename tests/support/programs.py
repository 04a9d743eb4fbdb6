"""Programs that play over HTTP, as docs/api.md says: they know nothing of the server but its addresses and its JSON."""

import json
from collections.abc import Callable, Mapping
from http.client import HTTPConnection
from random import Random
from typing import Any, Self

from itsdangerous import URLSafeTimedSerializer

Json = dict[str, Any]
Choose = Callable[[Random, list[str]], str]  # one of the moves that are legal

ANYTIME = 0.2  # how often a program makes an any-time move when it may
LONGEST_WAIT = 60  # seconds in which bots and clocks must have done something


class Denied(Exception):
    """The server's refusal."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(f"{status} {reason}")
        self.status = status
        self.reason = reason


def signer(key: str) -> URLSafeTimedSerializer:
    """Bearer tokens and cookies as they are today; not taken from `app`, because those that people hold must go on."""
    return URLSafeTimedSerializer(key, salt="facedown person")


class Http:
    """JSON over one connection that is kept open."""

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
    """One table by its link, with the bearer tokens of those seats for which programs play."""

    def __init__(self, http: Http, token: str, bearers: Mapping[int, str]) -> None:
        self.http = http
        self.token = token
        self.bearers = dict(bearers)

    @property
    def path(self) -> str:
        return f"/t/{self.token}"

    def view(self, seat: int | None = None) -> Json:
        """What a seat, or a spectator, sees."""
        return self.http.get(self.path, "" if seat is None else self.bearers[seat])

    def act(self, seat: int, do: str, /, **fields: object) -> int:
        """The version that it made."""
        return int(self.http.post(f"{self.path}/act", self.bearers[seat], do=do, **fields)["version"])

    def log(self) -> bytes | None:
        """The exported log; None before the first game, and in the lobby after a game."""
        try:
            return self.http.fetch("GET", f"{self.path}/log")
        except Denied as denied:
            if denied.reason != "no_log":
                raise
            return None

    def wait(self, view: Json) -> None:
        """Until bots or clocks have changed what everybody sees."""
        now = self.http.get(f"{self.path}/events?after={view['version']}&wait={LONGEST_WAIT}")
        assert any(now[part] != view[part] for part in ("table", "shared")), f"table {self.token} stands still"

    def until(self, wanted: Callable[[Json], object]) -> Json:
        """The first view of a spectator that is as wanted; bots and clocks bring it about."""
        while not wanted(view := self.view()):
            self.wait(view)
        return view

    def play(
        self, luck: Random, until: Callable[[Json], object] = lambda view: False, choose: Choose = Random.choice
    ) -> Json:
        """Plays random legal moves for its seats until the game is over, or until a seat's view is as wanted."""
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
        """A clock or a bot may have been faster."""
        try:
            self.act(seat, "play", round=round, move=move)
        except Denied as denied:
            if denied.status != 409:
                raise
