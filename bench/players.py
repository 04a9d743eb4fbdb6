"""Four random players at a table. Each has its own socket; all move once all have received the last reveal."""

import asyncio
import re
import time
from collections.abc import Callable
from random import Random

import msgspec
from msgspec import UNSET, Struct, UnsetType

from bench.wire import Http, Socket, connect

SEATS = 4
OFFERED = re.compile(rb'name="move" [^>]*?value="(\w+)"(?![^>]*data-anytime)')
ROUND = re.compile(rb'name="round" value="(\d+)"')
REVEAL = re.compile(rb'data-reveal="(\d+)"')
OWN = b'id="f-own"'


class Own(Struct):
    moves: list[str] | UnsetType = UNSET
    ready: bool | UnsetType = UNSET


class Shared(Struct):
    round: int | UnsetType = UNSET
    over: bool | UnsetType = UNSET


class News(Struct):
    """The fields of a message that a player needs; the decoder skips the rest."""

    own: Own | UnsetType | None = UNSET
    shared: Shared | UnsetType | None = UNSET
    plays: int | UnsetType = UNSET
    error: msgspec.Raw | UnsetType = UNSET


read = msgspec.json.Decoder(News).decode


class Counts:
    """Totals over all players since the measurement began."""

    def __init__(self) -> None:
        self.rounds = 0  # reveals of four moves that all four players have received
        self.asks = 0
        self.games = 0
        self.messages = 0
        self.bytes = 0
        self.late = 0
        self.errors: list[str] = []
        self.latencies: list[float] = []


class Player:
    def __init__(self, table: "Table", seat: int, bearer: str) -> None:
        self.table = table
        self.seat = seat
        self.bearer = bearer
        self.socket: Socket | None = None
        self.moves: list[str] = []
        self.plays = 0
        self.round = 0
        self.over = False
        self.reveal = 0  # the version at which the last reveal on the page begins
        self.heard = asyncio.Event()
        self.connected = False

    async def open(self) -> None:
        table = self.table
        form = "as=json" if table.json else "face=play"
        headers = {"Authorization": f"Bearer {self.bearer}"}
        path = f"/t/{table.token}/live?{form}"
        self.heard.clear()
        hear = self.hear_json if table.json else self.hear_html
        self.socket = await connect(table.port, path, headers, lambda: Socket(hear, self.gone, table.deflate))
        self.connected = True

    def gone(self) -> None:
        self.connected = False
        if not self.table.stopping:
            self.table.lost()

    def hear_json(self, data: bytes) -> None:
        counts = self.table.counts
        counts.messages += 1
        counts.bytes += len(data)
        news = read(data)
        self.heard.set()
        if news.error is not UNSET:
            counts.errors.append(bytes(news.error).decode())
        before = self.plays, self.round, self.over
        if news.plays is not UNSET:
            self.plays = news.plays
        if news.own:
            self.moves = news.own.moves if news.own.moves is not UNSET else self.moves
        if news.shared:
            self.round = news.shared.round if news.shared.round is not UNSET else self.round
            self.over = news.shared.over if news.shared.over is not UNSET else self.over
        if (self.plays, self.round, self.over) != before:
            self.table.revealed(self)

    def hear_html(self, data: bytes) -> None:
        counts = self.table.counts
        counts.messages += 1
        counts.bytes += len(data)
        self.heard.set()
        before = self.plays, self.reveal, self.over
        # Ignore the lobby between two games: there are no moves, and a browser would reload the page.
        if (at := data.find(b'data-plays="')) >= 0 and b'data-phase="lobby"' not in data:
            self.plays = int(data[at + 12 : data.index(b'"', at + 12)])
            self.over = b'data-phase="over"' in data
        if (at := data.find(OWN)) >= 0:
            self.moves = [move.decode() for move in OFFERED.findall(data, at)]
            if found := ROUND.search(data, at):
                self.round = int(found[1])
        if found := REVEAL.search(data):
            self.reveal = int(found[1])
        if (self.plays, self.reveal, self.over) != before:
            self.table.revealed(self)

    def play(self, move: str) -> None:
        assert self.socket is not None
        self.socket.send(b'{"do":"play","round":%d,"move":"%s"}' % (self.round, move.encode()))


class Table:
    def __init__(
        self,
        port: int,
        json: bool,
        counts: Counts,
        luck: Random,
        deflate: bool = False,
        stop_after: int = 0,
        timer: int = 0,
    ) -> None:
        self.port = port
        self.json = json
        self.deflate = deflate
        self.counts = counts
        self.luck = luck
        self.timer = timer  # seconds per choice; 0: no timer
        self.token = ""
        self.players: list[Player] = []
        self.got = 0
        self.movers = 0
        self.sent_at = 0.0
        self.stopping = False
        self.pace: Callable[[Table], None] | None = None  # schedules the next round; None: at once
        self.left = stop_after  # asks left until the players stop; 0: play on
        self.done = asyncio.Event()
        self.broken = False

    async def sit(self, http: Http) -> None:
        """Open the table, seat all four players and connect them."""
        opened = await http.post("/tables", {"game": "raiders", "name": "P0"})
        self.token = opened["token"]
        bearers = [opened["bearer"]]
        for seat in range(1, SEATS):
            joined = await http.post(f"/t/{self.token}/join", {"name": f"P{seat}"})
            bearers.append(joined["bearer"])
        self.players = [Player(self, seat, bearer) for seat, bearer in enumerate(bearers)]
        options = {"do": "options", "options": {"edition": "second", "play": "sealed"}}
        await http.post(f"/t/{self.token}/act", options, bearers[0])
        if self.timer:
            await http.post(f"/t/{self.token}/act", {"do": "timer", "seconds": self.timer}, bearers[0])
        await asyncio.gather(*(player.open() for player in self.players))
        async with asyncio.timeout(30):
            await asyncio.gather(*(player.heard.wait() for player in self.players))

    def begin(self) -> None:
        self.send(b'{"do":"start"}')

    def again(self) -> None:
        self.send(b'{"do":"rematch"}')
        self.send(b'{"do":"start"}')

    def send(self, text: bytes) -> None:
        socket = self.players[0].socket
        assert socket is not None
        self.sent_at = time.perf_counter()
        socket.send(text)

    def lost(self) -> None:
        self.broken = True
        self.done.set()

    def revealed(self, player: Player) -> None:
        """A player has received a new ask or the end of the game."""
        if self.stopping:
            return
        self.counts.latencies.append(time.perf_counter() - self.sent_at)
        self.got += 1
        if self.got < SEATS:
            return
        self.got = 0
        counts = self.counts
        counts.asks += 1
        counts.rounds += self.movers == SEATS
        self.movers = 0
        self.left -= 1
        if self.left == 0:
            self.done.set()
        elif player.over:
            counts.games += 1
            self.done.set()
            self.again()
        elif self.pace is not None and all(each.moves for each in self.players):
            self.pace(self)
        else:
            self.play()

    def play(self, due: float = 0.0) -> None:
        """Make a move for every player who has one. The latency of a late round counts from when it was due."""
        if self.stopping:
            return
        for player in self.players:
            if player.moves:
                self.movers += 1
                self.sent_at = due or time.perf_counter()
                player.play(self.luck.choice(player.moves))

    def close(self) -> None:
        self.stopping = True
        for player in self.players:
            if player.socket is not None:
                player.socket.transport.abort()
