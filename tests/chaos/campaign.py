"""A campaign: tables at which people play, and faults one after another."""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random

import httpx

from app.store.store import Store
from engine.game import games
from tests.chaos.audit import asked, audit, verify_log
from tests.chaos.cluster import Cluster
from tests.chaos.faults import Fault, sequence
from tests.chaos.players import LONGEST_REPLY, LOST, settled
from tests.chaos.script import Scripted
from tests.chaos.told import Wrong, place_of

LONGEST_STANDSTILL = 150  # seconds without anything new at a table after the last fault
LONGEST_ABSENCE = 30  # seconds until everybody must have caught up
LONGEST_AUDIT = 10  # seconds, before the next fault waits for the comparison of a table
LONGEST_MOMENT = 2.0  # seconds to wait for a moment
PACE = 0.3  # seconds, at most, between two actions of a player
SPOT_CHECKS = 0.4  # probability after a fault
SETTLES = 0.004  # seconds, at most, between a moment and the kill


class Campaign:
    def __init__(
        self, cluster: Cluster, seed: int, tables: int, say: Callable[[str], None], played: Sequence[str] = ()
    ) -> None:
        """`played`: the keys of the games; all if there are none."""
        self.cluster = cluster
        self.games = [game for key, game in games().items() if not played or key in played]
        self.luck = Random(seed)
        self.tables = tables
        self.pace = PACE
        self.longest_reply = LONGEST_REPLY
        self.say = say
        self.counts: Counter[str] = Counter()
        self.done: Counter[str] = Counter()  # faults
        self.longest_absence: float = LONGEST_ABSENCE
        self.slowest = 0.0  # seconds until everybody had caught up
        self.wanted = ""  # the moment to wait for
        self.came = asyncio.Event()
        self.ending = False
        self.scripts: dict[int, Scripted] = {}
        self.audits: dict[int, float] = {}  # slots that compare a table at its end, and since when
        self.slots: list[asyncio.Task[None]] = []

    async def run(self, faults: list[Fault], count: int, until: float) -> None:
        """Do faults until there were `count` or the time is up (monotonic), then let all tables end. Raises Wrong."""
        await self.cluster.start()
        async with self.cluster.store() as store:
            self.slots = [asyncio.create_task(self.slot(n, store)) for n in range(self.tables)]
            try:
                await self.play_a_while()
                order = itertools.chain.from_iterable(iter(lambda: sequence(faults, self.luck), None))
                for fault in itertools.islice(order, count):
                    if time.monotonic() > until:
                        break
                    await self.disturb(fault, store)
                await self.end()
            finally:
                for slot in self.slots:
                    slot.cancel()
                await asyncio.gather(*self.slots, return_exceptions=True)
        await self.cluster.stop()
        self.counts.update({f"log: {said}": times for said, times in self.cluster.said().items()})

    async def disturb(self, fault: Fault, store: Store) -> None:
        while any(time.monotonic() - begun > LONGEST_AUDIT for begun in self.audits.values()):
            await asyncio.sleep(0.1)  # while faults follow one another, bots and servers never come to rest
            self.look()
        begun = time.monotonic()
        await fault.do(self)
        self.done[fault.name] += 1
        await self.play_a_while()
        if fault.network:
            await self.caught_up(fault)
        if self.luck.random() < SPOT_CHECKS:
            await self.spot_check(store)
        self.say(f"{fault.name}: {time.monotonic() - begun:.1f} s")

    async def slot(self, n: int, store: Store) -> None:
        """One table after another."""
        for number in itertools.count():
            if self.ending:
                return
            luck = Random(f"{self.luck.random()} {n} {number}")
            game = luck.choice(self.games)
            script = Scripted(self.cluster.people, self.cluster.port, self.notice, luck, self.pace, game)
            script.longest_reply = self.longest_reply
            self.scripts[n] = script
            try:
                await script.run()
                self.audits[n] = time.monotonic()
                await self.logs_hold(script)
                await audit(script, store)
            finally:
                self.audits.pop(n, None)
                await script.close()
                self.count(script)
            self.counts["tables that ended"] += 1
            self.counts[f"games of {game.key}"] += script.begun

    async def logs_hold(self, script: Scripted) -> None:
        """Try until a server answers."""
        while True:
            try:
                return await verify_log(script)
            except httpx.HTTPError:
                await asyncio.sleep(0.5)

    def count(self, script: Scripted) -> None:
        self.counts["actions accepted"] += len(script.told.accepted)
        self.counts["actions refused"] += len(script.told.refused)
        self.counts["events told"] += len(script.told.events)
        self.counts["connections"] += sum(player.connections for player in script.players)

    async def play_a_while(self) -> None:
        """Let people play until every server is ready, and a little longer."""
        end = time.monotonic() + 60
        while not await self.cluster.ready():
            if time.monotonic() > end:
                raise Wrong(f"not ready again: {[server.get('/readyz') for server in self.cluster.servers]}")
            await asyncio.sleep(0.05)
        await asyncio.sleep(self.luck.uniform(0.1, 1))
        self.look()

    async def caught_up(self, fault: Fault) -> None:
        """Wait until everybody is connected again, and is shown at least what a server shows now."""
        begun = time.monotonic()
        scripts = [script for script in self.scripts.values() if script.token]
        try:
            async with asyncio.timeout(self.longest_absence):
                places = await asyncio.gather(*(self.place(script) for script in scripts))
                for script, place in zip(scripts, places, strict=True):
                    for player in script.players:
                        while not script.ended and not (player.connected and player.newest >= place):
                            await asyncio.sleep(0.02)
        except TimeoutError:
            late = [player.state() for script in scripts for player in script.players if not script.ended]
            raise Wrong(f"{fault.name}: not everybody has caught up after {self.longest_absence} s: {late}") from None
        self.slowest = max(self.slowest, time.monotonic() - begun)

    async def place(self, script: Scripted) -> tuple[int, int]:
        """How far a server shows this table."""
        while True:
            try:
                return place_of(await asked(script, script.host))
            except (httpx.HTTPError, *LOST):
                await asyncio.sleep(0.1)

    def look(self) -> None:
        """Raises what a table has found."""
        for slot in self.slots:
            if slot.done() and not slot.cancelled():
                slot.result()

    async def spot_check(self, store: Store) -> None:
        """Compare one table in the middle of its game."""
        script = self.luck.choice(list(self.scripts.values()))
        if not script.token or script.closed:
            return
        script.held = True
        try:
            await settled(script.players)
            if not script.closed:
                await audit(script, store)
                self.counts["tables compared in the middle"] += 1
        except TimeoutError:
            if not script.closed:
                raise Wrong(f"players of table {script.token} do not get a reply") from None
        finally:
            script.held = False

    async def end(self) -> None:
        """Let all tables end."""
        self.ending = True
        for script in self.scripts.values():
            script.hurry()
        moved: dict[Scripted, tuple[object, float]] = {}  # how far each table was when it was seen to move, and when
        hanging = set(self.slots)
        while hanging:
            _, hanging = await asyncio.wait(hanging, timeout=1, return_when=asyncio.FIRST_EXCEPTION)
            self.look()
            for n, slot in enumerate(self.slots):
                if slot in hanging:
                    script, now = self.scripts[n], time.monotonic()
                    # Many tables that end at the same time are compared one after another.
                    progress = script.progress(), self.counts["tables that ended"] if n in self.audits else 0
                    if moved.get(script, (None, 0.0))[0] != progress:
                        moved[script] = progress, now
                    elif now - moved[script][1] > LONGEST_STANDSTILL:
                        raise Wrong(f"table {script.token} stands still: {[player.view for player in script.players]}")

    # moments ------------------------------------------------------------------------------------------------------

    def notice(self, moment: str) -> None:
        if self.wanted in (moment, "any"):
            self.came.set()

    async def wait_for(self, moment: str) -> None:
        """Wait until a table does this, and a random time of milliseconds longer."""
        self.came.clear()
        self.wanted = moment
        with suppress(TimeoutError):
            await asyncio.wait_for(self.came.wait(), LONGEST_MOMENT)
        self.wanted = ""
        await asyncio.sleep(self.luck.uniform(0, 0.5 if moment == "any" else SETTLES))
