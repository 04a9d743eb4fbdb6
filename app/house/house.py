"""The house: opens and finds tables, takes actions on them, and runs the background work."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Sequence
from weakref import WeakValueDictionary

import msgspec

from app import clock, metrics
from app.house.bot_runner import BotRunner
from app.house.cleaning import Cleaning
from app.house.commit import fault, snapshot_of
from app.house.deadlines import Deadlines
from app.house.housekeeping import Housekeeping
from app.house.journal import Journal
from app.house.logouts import Logouts
from app.house.open_table import Done, OpenTable, Pending, encode_action
from app.house.presence import Presence
from app.house.supervisor import Supervisor
from app.house.workers import Workers
from app.logs import get
from app.refusals import Refusal, no_game
from app.settings import Settings
from app.store.channel import Channel
from app.store.connect import address
from app.store.rows import Bad, Conflict, Down, Opening, StoredEntry, StoredTable, Write
from app.store.store import Store
from app.table import actions as do
from app.table import codes
from app.table.effects import AwaitObjections, AwaitReturn, AwaitSalts, Effect, PlayOut, WakeBots, WatchSeats, WindClock
from app.table.sitting import Sitting
from engine.game import UnknownGame

log = get("house")
LINK_SECONDS = 600
LEFT_SECONDS = 5.0  # without use, after which a table is left to the process that goes on with it
MOST_LEFT = 100  # tables from which the devices of somebody who logs out are sent away
LONGEST_ID = 64
LONGEST_ACTION = 8000  # bytes of JSON
CHOICE_GRACE = 5  # seconds after a start before any timer runs out
START_SECONDS = 30  # how long to wait for a Postgres that is still starting
LONGEST_MOVE = 60.0  # seconds that a bot may take for a move, with its commit
LONGEST_WAIT = 10.0  # seconds that an action may wait for its reply before the house counts as not ready

MOST_LOGGED = 1000  # tables that could not be loaded


class House:
    """There is one in each process, made by `start`."""

    def __init__(self, settings: Settings, store: Store, secret_key: str) -> None:
        self.settings = settings
        self.store = store
        self.secret_key = secret_key
        self.worker = secrets.token_hex(4)
        self.loop = asyncio.get_running_loop()
        self.tables: WeakValueDictionary[str, OpenTable] = WeakValueDictionary()  # by id, while they are referenced
        self.tokens: WeakValueDictionary[str, OpenTable] = WeakValueDictionary()
        self.awake: set[OpenTable] = set()
        self.logged: set[str] = set()  # tables that could not be loaded; each is logged once
        self.supervisor = Supervisor()
        pause = self.supervisor.pause
        self.bot_runner = BotRunner(self.act, settings.bot_pause)
        self.deadlines = Deadlines(
            store, self.act, self.by_id, self.in_memory, self.bot_runner.time_up, pause, settings.away_seconds
        )
        self.journal = Journal(store, lambda: self.workers, self.carry_out, self.deadlines.note, self.end)
        self.recovery = self.journal.recovery
        self.presence = Presence(
            self.act, self.journal.note_away, lambda: self.awake, pause, settings.away_seconds, self.look_after
        )
        self.workers = Workers(
            self.worker,
            Channel(address(settings), self.worker, secret_key) if store.postgres else None,
            self.tables,
            self.recovery.catch_up,
            self.recovery.follow,
            self.recovery.mark_unsure,
            self.presence.claim_seats,
            self.let_go,
            pause,
        )
        self.cleaning = Cleaning(store, self.worker, settings.keep_days, self.deleted, self.supervisor.closing.is_set)
        self.logouts = Logouts(store, pause)
        self.housekeeping = Housekeeping(settings, self.let_sleep, self.cleaning.clean, self.cleaning.look, pause)

    # starting and stopping ----------------------------------------------------------------------------------------

    @classmethod
    async def start(cls, settings: Settings) -> "House":
        """Open and migrate the store, and start the background loops. Raises `Down` if there is no database."""
        store = await open_store(settings)
        try:
            key = settings.secret_key or await store.key("secret_key", secrets.token_urlsafe(32))
            house = cls(settings, store, key)
            now = clock.now()
            if not await store.durable():
                log.warning("Postgres runs with synchronous_commit=off: a crash of its machine may lose the last moves")
            await store.postpone(now + settings.away_seconds, now + CHOICE_GRACE)
            await house.cleaning.begin()
            await house.logouts.load()
            await house.workers.connect()
        except BaseException:
            await store.close()
            raise
        start = house.supervisor.start
        start("journal", house.journal.run)
        start("mending", house.recovery.run)
        start("deadlines", house.deadlines.run, every=60)
        start("presence", house.presence.run, every=180)
        if store.postgres:
            start("workers", house.workers.run)
            start("logouts", house.logouts.run, every=60)
        start("housekeeping", house.housekeeping.run, longest=600, every=600)
        log.info("ready", database=store.engine.dialect.name, worker=house.worker)
        return house

    async def stop(self) -> None:
        """Stop everything. All submitted actions get a reply first."""
        self.supervisor.close()
        self.bot_runner.stop()
        self.presence.stop()
        self.deadlines.stop()
        self.workers.stop()
        await self.supervisor.ended("deadlines", "presence", "workers", "logouts", "housekeeping")
        self.journal.stop()
        await self.supervisor.ended("journal")
        await self.recovery.stop(self.supervisor.time_to_end())
        await self.supervisor.ended("mending")
        await self.workers.leave()
        self.journal.close()
        await self.store.close()
        log.info("stopped", worker=self.worker)

    def problems(self) -> list[str]:
        """Why this process is not ready, as texts for the server's operator; empty if it is."""
        if self.supervisor.closing.is_set():
            return ["the server is stopping"]
        found = self.supervisor.problems()
        if self.recovery.trouble:
            found.append("the last commit failed")
        since = self.journal.waiting_since()
        if since is not None and time.monotonic() - since > LONGEST_WAIT:
            found.append(f"an action has waited for {time.monotonic() - since:.0f} seconds")
        since = self.bot_runner.busy_since()
        if since is not None and time.monotonic() - since > LONGEST_MOVE:
            found.append(f"a bot has been busy for {time.monotonic() - since:.0f} seconds")
        if not self.workers.hears:
            found.append("the other processes are not heard")
        return found

    # finding ------------------------------------------------------------------------------------------------------

    async def open(self, person: str, game: str, name: str, token: str = "") -> OpenTable:
        """A new table with this person as its host, or the one that has this token already. Raises Refusal."""
        token = token or codes.new_token()
        for _ in range(5):
            now = clock.now()
            id = f"{int(now * 1000):012x}{secrets.token_hex(6)}"  # ordered by time, so that new rows are adjacent
            action = do.Open(token, codes.new_code(), game, name)
            entry = do.Entry(person, action, secrets.token_hex(32), now)
            try:
                snapshot = snapshot_of(Sitting.open(entry))
            except UnknownGame as error:
                raise no_game(error) from None
            row = StoredEntry(1, 0, now, person, "", entry.secret, encode_action(action), None)
            write = Write(id, [row], snapshot, Opening(action.token, action.code, game))
            try:
                await self.journal.open(write)
            except Conflict:
                if (table := await self.by_token(token)) is not None:
                    return table
                continue  # another table has this code
            except Bad:
                raise Refusal("broken") from None
            except Exception:  # the journal has logged it
                raise Refusal("store_down") from None
            return self.register(OpenTable(StoredTable(id, snapshot, [])))
        raise Refusal("store_down")

    async def by_token(self, token: str) -> OpenTable | None:
        if (table := self.tokens.get(token)) is not None:
            return await self.back(table)
        # Databases refuse some characters that a link can contain.
        return await self.load(await self.asked(self.store.by_token(token))) if codes.is_token(token) else None

    async def by_code(self, code: str) -> OpenTable | None:
        """The table with this code. Characters that look alike are interchangeable."""
        folded = codes.fold(code)
        return await self.load(await self.asked(self.store.by_code(folded))) if folded else None

    async def by_id(self, id: str) -> OpenTable | None:
        if (table := self.tables.get(id)) is not None:
            return await self.back(table)
        return await self.load(await self.asked(self.store.by_id(id)))

    async def asked(self, reading: Awaitable[StoredTable | None]) -> StoredTable | None:
        try:
            return await reading
        except Down:
            raise Refusal("store_down") from None

    async def load(self, stored: StoredTable | None) -> OpenTable | None:
        if stored is None:
            return None
        if (table := self.tables.get(stored.table)) is not None:
            return await self.back(table)
        try:
            table = OpenTable(stored)
        except Exception as error:
            raise self.unreadable(stored.table, error) from None
        self.logged.discard(stored.table)
        self.register(table)
        if self.workers.announce(table):  # notices that came between the read and `register` were ignored
            await self.recovery.catch_up(table)
        self.carry_out(table, table.sitting.ongoing_effects(), ours=not self.store.postgres)
        return table

    def unreadable(self, id: str, error: Exception) -> Refusal:
        """Log once why this table cannot be loaded, and return the refusal for whoever asked for it."""
        if id not in self.logged:
            if len(self.logged) >= MOST_LOGGED:
                self.logged.clear()
            self.logged.add(id)
            if isinstance(error, UnknownGame):
                log.warning("a table of a game that is not there", table=id, reason=str(error))
            elif isinstance(error, msgspec.MsgspecError):
                log.error("a table that cannot be read any more", table=id, reason=type(error).__name__)
            else:
                metrics.FAULTS.labels("load").inc()
                log.error("a table broke", table=id, stage="load", exc_info=error)
        return no_game(error) if isinstance(error, UnknownGame) else Refusal("broken")

    def register(self, table: OpenTable) -> OpenTable:
        self.tables[table.id] = table
        self.tokens[table.picture.token] = table
        return self.wake(table)

    def in_memory(self, id: str) -> bool:
        return (table := self.tables.get(id)) is not None and not table.left

    async def back(self, table: OpenTable) -> OpenTable:
        """The table as it is now, if it was left to other processes."""
        if table.left:
            table.left = False
            self.workers.announce(table)
            await self.recovery.catch_up(table)
        return self.wake(table)

    def wake(self, table: OpenTable) -> OpenTable:
        table.used = time.monotonic()
        self.awake.add(table)
        return table

    # acting -------------------------------------------------------------------------------------------------------

    async def act(self, table: OpenTable, person: str, action: do.Action, id: str = "") -> Done:
        """Commit an action. `id` is chosen by the sender; a second action with it gets the first one's reply. Raises
        Refusal."""
        reply = self.submit(table, person, action, id)
        # If the caller is cancelled, another sender of the same message must still get the reply, and perhaps nobody is
        # left who looks at a refusal.
        reply.add_done_callback(look_at)
        return await asyncio.shield(reply)

    def submit(self, table: OpenTable, person: str, action: do.Action, id: str = "") -> "asyncio.Future[Done]":
        """Like `act`, but without waiting: the future will have the reply or raise a Refusal."""
        if len(id) > LONGEST_ID or not (id.isascii() and id.isprintable()):
            raise Refusal("malformed", version=table.version)
        try:
            json = encode_action(action)
        except (UnicodeError, ValueError, OverflowError):
            raise Refusal("malformed", version=table.version) from None
        if len(json) > LONGEST_ACTION:
            raise Refusal("too_big", version=table.version)
        if self.journal.closing:
            raise Refusal("store_down", version=table.version)
        if table.gone:
            raise Refusal("table_gone", version=table.version)
        pending = Pending(person, action, id, json, self.loop.create_future(), time.monotonic())
        self.journal.submit(table, pending)
        return pending.reply

    def lift(self, table: OpenTable, person: str, round: int, move: str | None) -> None:
        """Store a seat's lifted card, which is played when its time runs out. Ignored if no timer runs."""
        picture = table.picture
        seat = picture.seat_of(person)
        own = picture.own(seat)
        if seat is None or own is None or picture.ends_at is None or picture.round != round:
            return
        if not table.gone and (move is None or move in own.moves):
            self.journal.note_lifted(table, seat, round, move)

    async def device_link(self, table: OpenTable, person: str) -> str:
        """A one-time token with which another device becomes a holder of this person's seat."""
        seat = table.picture.seat_of(person)
        if seat is None:
            raise Refusal("no_seat", version=table.version)
        token = codes.new_link(person)
        try:
            await self.store.add_link(codes.digest(token), table.id, seat, clock.now() + LINK_SECONDS)
        except Down:
            raise Refusal("store_down", version=table.version) from None
        return token

    async def redeem(self, token: str, person: str) -> OpenTable:
        """Use up a one-time token: this person becomes a holder of its seat."""
        hash = codes.digest(token)
        try:
            found = await self.store.link(hash)
        except Down:
            raise Refusal("store_down") from None
        table = await self.by_id(found[0]) if found else None
        if table is None or found is None:
            raise Refusal("link_spent")
        await self.act(table, person, do.Device(found[1], hash, codes.mark_of(token)))
        return table

    async def log_out_everywhere(self, person: str) -> int:
        """Make everything void by which anybody else may act as this person: what was signed so far, and at the tables
        where the person sits other devices and links to the seat. Returns how often the person has done so."""
        try:
            count = await self.logouts.add(person)
            for id in await self.store.tables_naming(person, MOST_LEFT):
                table = await self.by_id(id)
                seat = table.picture.seat_of(person) if table is not None else None
                if table is not None and seat is not None:
                    await self.store.drop_links(id, seat)
                    if len(table.picture.holders(seat)) > 1:
                        await self.act(table, person, do.Alone(seat))
        except (Down, Conflict):
            raise Refusal("store_down") from None
        return count

    # effects ------------------------------------------------------------------------------------------------------

    def carry_out(self, table: OpenTable, effects: Sequence[Effect], ours: bool) -> None:
        """Perform the effects of committed entries; `ours`: committed by this process. An effect that fails does not
        prevent the others."""
        if ours:
            self.awake.add(table)
        for effect in effects:
            try:
                if isinstance(effect, WakeBots):
                    self.bot_runner.wake(table, effect.seats, ours)
                elif isinstance(effect, PlayOut):
                    table.shown_at = time.monotonic() + effect.seconds
                elif isinstance(effect, WindClock | AwaitObjections | AwaitSalts | AwaitReturn):
                    self.deadlines.note(effect.at)
                elif isinstance(effect, WatchSeats):
                    self.presence.review(table)
            except Exception:
                fault("follow", table, kind=type(effect).__name__)

    def look_after(self, table: OpenTable) -> None:
        """Check an idle table: reload it if its state is unsure, and repeat effects that may have been lost."""
        if table.unsure:
            self.recovery.mark_unsure(table)
        self.carry_out(table, table.sitting.ongoing_effects(), ours=True)

    # sleeping -----------------------------------------------------------------------------------------------------

    def let_sleep(self) -> bool:
        """Release tables without viewers from memory. Returns whether the last one was released."""
        now = time.monotonic()
        idle = {table for table in self.awake if now - table.used > self.settings.sleep_seconds}
        asleep = {table for table in idle if not self.busy(table)}
        self.awake -= asleep
        metrics.TABLES.set(len(self.awake))
        return bool(asleep) and not self.awake

    def busy(self, table: OpenTable) -> bool:
        return bool(table.listeners or table.inbox or table.sockets.total() or self.bot_runner.running(table))

    def let_go(self, table: OpenTable) -> bool:
        """Leave a table to other processes, if nobody has needed it here lately. Returns whether it is left."""
        if self.busy(table) or time.monotonic() - table.used < LEFT_SECONDS:
            return False
        table.left = table.unsure = True
        table.holders.clear()
        self.awake.discard(table)
        return True

    def drop(self, id: str) -> None:
        if (table := self.tables.pop(id, None)) is not None:
            self.tokens.pop(table.picture.token, None)
            self.awake.discard(table)

    def end(self, table: OpenTable) -> None:
        """The table was deleted from the database: forget it, and tell whoever looks at it."""
        self.drop(table.id)
        table.gone = True
        table.notify()

    def deleted(self, id: str) -> None:
        """To be called for a table whose rows are gone, in memory or not."""
        if (table := self.tables.get(id)) is not None:
            self.end(table)


def look_at(reply: "asyncio.Future[Done]") -> None:
    """Otherwise asyncio logs an exception that nobody has asked for."""
    if not reply.cancelled():
        reply.exception()


async def open_store(settings: Settings) -> Store:
    """Open the store, waiting for a Postgres that is still starting."""
    patience = time.monotonic() + (0 if settings.sqlite else START_SECONDS)
    while True:
        try:
            return await Store.open(settings)
        except Down as error:
            log.error("the database cannot be reached", reason=str(error))
            if time.monotonic() >= patience:
                raise
            await asyncio.sleep(1)
