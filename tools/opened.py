"""A table for a database fixture, with methods that bring it into a situation."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from random import Random
from typing import Self

from websockets.sync.client import connect

from engine.proof import pledge_to
from tests.support.programs import Choose, Http, Json, Table

NAMES = ("Ada", "Борис", "Zoë", "דנה", "Eve", "Ada", "Guð 🎲", "Hal")

luck = Random()
sockets = ExitStack()


def new_salt() -> str:
    return f"{luck.getrandbits(128):032x}"


class Opened(Table):
    """A table of the fixture, and the facts about it that its views do not show."""

    def __init__(self, http: Http, game: str, seats: int = 1, bots: Iterable[str] = (), **options: str) -> None:
        self.notes: Json = {}
        self.devices: dict[int, list[str]] = {}
        salt = new_salt()
        made = http.post("/tables", game=game, name=NAMES[0], salt=salt)
        super().__init__(http, made["token"], {0: made["bearer"]})
        self.devices[0] = [made["bearer"]]
        self.salts = {0: salt}
        for name in NAMES[1:seats]:
            self.sit(name)
        for bot in bots:
            self.act(0, "addbot", bot=bot)
        if options:
            self.act(0, "options", options=options)

    def sit(self, name: str, pledges: bool = False) -> None:
        """`pledges`: this seat pledges its salt as browsers do; otherwise it sends the salt at once."""
        salt = new_salt()
        joined = self.http.post(f"{self.path}/join", name=name, salt="" if pledges else salt)
        seat = joined["seat"]
        self.bearers[seat], self.devices[seat], self.salts[seat] = joined["bearer"], [joined["bearer"]], salt
        if pledges:
            self.act(seat, "pledge", pledge=pledge_to(self.view()["table"]["commitment"], salt))

    def choose(self, **options: str) -> None:
        self.act(0, "options", options=options)
        self.notes["chosen"] = options

    def start(self, until: Callable[[Json], object] = lambda view: True, choose: Choose = Random.choice) -> Self:
        """Start the game and play until the condition holds or the game is over."""
        self.act(0, "start")
        self.salts = {}  # used up
        self.play(luck, until, choose)
        return self

    def draft(self, seat: int, words: int) -> None:
        """Say this many words of an answer, without completing it."""
        for _ in range(words):
            self.word(seat)
        own = self.view(seat)["own"]
        assert len(own["draft"]) == words and not own["ready"]

    def hand_in(self, *seats: int) -> None:
        for seat in seats:
            while not self.view(seat)["own"]["ready"]:
                self.word(seat)

    def word(self, seat: int, **more: str) -> Json:
        view = self.view(seat)
        said = {"round": view["shared"]["round"], "move": luck.choice(view["own"]["moves"]), **more}
        self.act(seat, "play", **said)
        return said

    def undo(self, seat: int, words: int = 1) -> None:
        for _ in range(words):
            self.act(seat, "undo", round=self.view()["shared"]["round"])

    def people_only(self) -> Self:
        """Wait until the table waits for people only, not for bots."""
        self.until(lambda view: set(view["shared"]["waits"]) <= set(self.bearers))
        return self

    def leave(self, seat: int) -> None:
        self.act(seat, "leave")
        del self.bearers[seat]
        self.notes["left"] = [seat, self.devices.pop(seat)[0]]


def stay(table: Opened, *seats: int) -> None:
    """Keep these seats connected, with a socket each, until the server stops."""
    for seat in seats:
        address = f"ws://127.0.0.1:{table.http.port}{table.path}/live?as=json"
        headers = {"Authorization": f"Bearer {table.bearers[seat]}"}
        sockets.enter_context(connect(address, additional_headers=headers, proxy=None))


def rooms(number: int) -> Callable[[Json], object]:
    """Raiders: after this many asks, when all are asked for a card."""
    return lambda view: view["shared"]["round"] > number and view["shared"]["asks"] == "PlaySealed"


def hunt(make: Callable[[], Opened], wanted: Callable[[Json], object], choose: Choose = Random.choice) -> Opened:
    """Play games until one reaches the wanted situation."""
    while True:
        table = make().start(wanted, choose)
        if table.view()["phase"] == "playing":
            return table
