"""People who play at random over JSON sockets, and come back whenever they lose the connection."""

import asyncio
import json
import time
from collections.abc import Callable
from random import Random
from typing import Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.chaos.told import Json, Told, Wrong, place_of, put

LOST = (OSError, TimeoutError, WebSocketException)
LONGEST_REPLY = 4.0  # seconds; then the connection counts as dead, unless a table's script says otherwise
TRY_AGAIN = ("store_down", "too_fast")
COMES_BACK = (0.1, 0.4)  # seconds until the next connection
TWICE = 0.03  # probability that a message is sent twice at once
LOOKS_BACK = 0.1  # probability that a client asks for all events again


class Wishes(Protocol):
    """What a table's script tells its players."""

    told: Told
    token: str
    luck: Random
    port: Callable[[], int]
    pace: float  # the longest pause before an action, in seconds
    longest_reply: float  # in seconds; then the connection counts as dead

    def wish(self, player: "Player") -> Json | None:
        """The next action of this player; None: none now."""

    def sends(self, player: "Player", action: Json) -> None:
        """The player sends this action now."""

    def hears(self, player: "Player") -> None:
        """The player has news."""

    @property
    def ended(self) -> bool: ...


class Player:
    def __init__(self, table: Wishes, name: str, bearer: str) -> None:
        self.table = table
        self.name = name
        self.bearer = bearer
        self.view: Json = {}
        self.newest = (0, 0)  # the newest place that this player was shown
        self.known = (0, 0)  # plays, and the number of its events that this player has
        self.number = 0  # of the last action
        self.asked: Json | None = None  # the action without a reply
        self.tries = 0  # how often it was sent
        self.send_at: float | None = None  # when it is sent; None: it was sent over this connection
        self.sent_at = 0.0
        self.heard_at = 0.0
        self.pinged = False  # since then
        self.ready_at = 0.0  # when the player has thought enough
        self.connected = False
        self.connections = 0
        self.lost: BaseException | None = None  # why the last connection was lost
        self.socket: ClientConnection | None = None
        self.awake = asyncio.Event()
        self.awake.set()

    def suspend(self) -> None:
        """Read and send nothing until `resume`, as a phone that was put away."""
        self.awake.clear()
        if self.socket is not None:
            self.socket.transport.pause_reading()

    def resume(self) -> None:
        """As if no time had passed for this player."""
        if self.socket is not None:
            self.socket.transport.resume_reading()
        self.heard_at = self.sent_at = time.monotonic()
        self.awake.set()

    def state(self) -> str:
        """For the report of a failure."""
        heard = f"heard {time.monotonic() - self.heard_at:.1f} s ago"
        return f"{self.name} at {self.newest}, {heard if self.connected else f'not connected: {self.lost!r}'}"

    @property
    def seat(self) -> int | None:
        seats = self.view["table"]["seats"] if self.view else []
        return next((seat["n"] for seat in seats if seat["name"] == self.name and not seat["left"]), None)

    async def live(self) -> None:
        while not self.table.ended:
            await self.awake.wait()
            try:
                plays, after = self.known
                if self.table.luck.random() < LOOKS_BACK:
                    after = 0
                url = f"ws://127.0.0.1:{self.table.port()}/t/{self.table.token}/live?as=json&after={after}"
                bearer = {"Authorization": f"Bearer {self.bearer}"}
                async with connect(
                    url,
                    additional_headers=bearer,
                    proxy=None,
                    compression=None,
                    max_size=None,
                    open_timeout=self.table.longest_reply,
                    close_timeout=1,
                    ping_interval=None,
                ) as socket:
                    self.connections += 1
                    self.socket = socket
                    await self.talk(socket, plays, after)
            except LOST as lost:
                self.lost = lost
            finally:
                self.connected, self.socket = False, None
            await asyncio.sleep(self.table.luck.uniform(*COMES_BACK))

    async def talk(self, socket: ClientConnection, plays: int, after: int) -> None:
        self.send_at = 0.0
        async with asyncio.timeout(self.table.longest_reply):
            first = json.loads(await socket.recv())
        self.view, self.heard_at, self.pinged = {}, time.monotonic(), False
        if first["plays"] != plays and after:
            # Another game has begun: `after` counted the events of the last one.
            self.known = first["plays"], 0
            self.see(first, None)
            return
        self.see(first, after)
        self.connected = True
        while not self.table.ended:
            await self.awake.wait()
            await self.act(socket)
            try:
                async with asyncio.timeout(self.patience()):
                    text = await socket.recv()
            except TimeoutError:
                if self.awake.is_set():
                    await self.bear_silence(socket)
                continue
            self.heard_at, self.pinged = time.monotonic(), False
            self.hear(json.loads(text))

    def patience(self) -> float:
        """Seconds until this player does something without having heard anything."""
        longest = self.table.longest_reply
        at = self.heard_at + (longest if self.pinged else longest / 2)
        if self.asked is None:
            at = min(at, self.ready_at)
        else:
            at = min(at, self.sent_at + longest if self.send_at is None else self.send_at)
        return max(0.001, at - time.monotonic())

    async def bear_silence(self, socket: ClientConnection) -> None:
        """Ask whether the connection is alive. Raises TimeoutError if it is not."""
        now, longest = time.monotonic(), self.table.longest_reply
        waits = self.asked is not None and self.send_at is None
        if now > self.heard_at + longest or (waits and now > self.sent_at + longest):
            raise TimeoutError
        if now > self.heard_at + longest / 2 and not self.pinged:
            self.pinged = True
            await socket.send('{"do": "ping"}')

    # in -----------------------------------------------------------------------------------------------------------

    def hear(self, news: Json) -> None:
        if (error := news.get("error")) is not None:
            self.hear_refusal(error["reason"], error.get("id", ""))
            return
        done = news.pop("done", None)
        if "version" in news:
            after = self.known[1] if news.get("plays", self.view["plays"]) == self.view["plays"] else 0
            self.see(news, after)
        if done is not None:
            self.table.told.hear_accepted((self.name, done["id"]), done["version"])
            if self.asked is not None and self.asked["id"] == done["id"]:
                self.settle()

    def see(self, news: Json, after: int | None) -> None:
        """Take in a view or its changes. `after`: the events in it follow this one; None: they do not count."""
        events = news.pop("events", None)
        put(self.view, news)
        view, told = self.view, self.table.told
        place = place_of(view)
        if place < self.newest:
            raise Wrong(f"{self.name} was shown {self.newest}, and now {place}")
        self.newest = place
        if after is not None and events is not None:
            if len(events) != max(0, view["version"] - after):
                raise Wrong(f"{len(events)} events from {after} to {view['version']}")
            told.hear_events(view["plays"], after, events)
            self.known = view["plays"], view["version"]
        if "public" in (news.get("shared") or {}):
            told.hear_public(view)
        self.table.hears(self)
        if self.asked is None:
            self.ready_at = time.monotonic() + self.table.luck.uniform(0, self.table.pace)

    def hear_refusal(self, reason: str, id: str) -> None:
        if reason == "broken":
            raise Wrong(f"{self.name}'s {self.asked} was refused as broken")
        if self.asked is None or self.asked["id"] != id:
            return
        if reason in TRY_AGAIN:
            self.send_at = time.monotonic() + 0.1
            return
        # A message that was sent twice could be accepted the second time.
        if self.tries == 1:
            self.table.told.refused[self.name, id] = reason
        self.settle()

    def settle(self) -> None:
        self.asked, self.tries = None, 0
        self.ready_at = time.monotonic() + self.table.luck.uniform(0, self.table.pace)

    # out ----------------------------------------------------------------------------------------------------------

    async def act(self, socket: ClientConnection) -> None:
        """Send what this player wants to do, or what has no reply yet."""
        now = time.monotonic()
        if self.asked is None:
            if now < self.ready_at:
                return
            action = self.table.wish(self)
            if action is None:
                self.ready_at = now + 0.5
                return
            self.number += 1
            self.asked, self.send_at = {**action, "id": f"{self.name}-{self.number}"}, now
        if self.send_at is None or now < self.send_at:
            return
        text, times = json.dumps(self.asked), 2 if self.table.luck.random() < TWICE else 1
        self.send_at, self.sent_at = None, now
        self.tries += times
        self.table.sends(self, self.asked)
        for _ in range(times):
            await socket.send(text)


async def settled(players: list[Player], seconds: float = 60) -> None:
    """Wait until every player is connected and has a reply to everything."""
    async with asyncio.timeout(seconds):
        while not all(player.connected and player.asked is None for player in players):
            await asyncio.sleep(0.02)
