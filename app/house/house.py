"""The house: finds tables, lets people act on them, and keeps going what must go on by itself."""

import asyncio
import gc
import secrets
import time
from collections.abc import Awaitable
from contextlib import suppress
from weakref import WeakValueDictionary

import msgspec

from app import clock, metrics
from app.house.bots import Bots
from app.house.deadlines import Deadlines
from app.house.journal import Journal
from app.house.open_table import Ask, Done, Live, Subscription, encode_action, shot
from app.house.presence import Presence
from app.house.workers import News
from app.logs import get
from app.refusals import Refusal
from app.settings import Settings
from app.store.rows import Conflict, Down, Kept, Line, Opening, Write
from app.store.store import Store
from app.table import actions as do
from app.table import codes
from app.table.sitting import Sitting
from engine.game import Unknown

__all__ = ["Done", "House", "Live", "Subscription"]

log = get("house")
LINK_SECONDS = 600
LONGEST_ID = 64
LONGEST_ACTION = 8000  # bytes of JSON
CHOICE_GRACE = 5  # seconds after a start in which no time runs out
COLLECT_SECONDS = 600  # between two full looks for garbage
START_SECONDS = 30  # how long a Postgres that starts with us may take


class House:
    """One in each process. `start` makes it."""

    def __init__(self, settings: Settings, store: Store, secret_key: str) -> None:
        self.settings = settings
        self.store = store
        self.secret_key = secret_key
        self.worker = secrets.token_hex(4)
        self.loop = asyncio.get_running_loop()
        self.lives: WeakValueDictionary[str, Live] = WeakValueDictionary()  # by id: whoever holds one, it is the same
        self.tokens: WeakValueDictionary[str, Live] = WeakValueDictionary()
        self.awake: set[Live] = set()
        self.presence = Presence(self)
        self.bots = Bots(self)
        self.deadlines = Deadlines(self)
        self.journal = Journal(store, self.after, self.deadlines.note, self.worker)
        self.news = News(self)
        self.tasks: list[asyncio.Task[None]] = []
        self.closing = asyncio.Event()

    # starting and stopping ----------------------------------------------------------------------------------------

    @classmethod
    async def start(cls, settings: Settings) -> "House":
        """Migrates, opens the store, and starts what goes on by itself. Raises `Down` where there is no database."""
        store = await opened(settings)
        try:
            key = settings.secret_key or await store.key("secret_key", secrets.token_urlsafe(32))
            house = cls(settings, store, key)
            now = clock.now()
            await store.put_off(now + settings.away_seconds, now + CHOICE_GRACE)
            await house.news.connect()
        except BaseException:
            await store.close()
            raise
        work = [house.journal.run(), house.deadlines.run(), house.presence.run(), house.news.run(), house.tidy()]
        house.tasks = [asyncio.create_task(coroutine) for coroutine in work]
        log.info("ready", database=store.engine.dialect.name, worker=house.worker)
        return house

    async def stop(self) -> None:
        """Everything that was handed in is answered first."""
        journal, *others = self.tasks
        self.closing.set()
        self.bots.stop()
        self.presence.stop()
        self.deadlines.stop()
        self.news.stop()
        await asyncio.gather(*others)
        self.journal.stop()
        await journal
        await self.store.close()
        log.info("stopped", worker=self.worker)

    async def pause(self, seconds: float) -> bool:
        """Sleeps; at once true when the house closes."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.closing.wait(), seconds)
        return self.closing.is_set()

    async def ready(self) -> bool:
        """May people come? Not while the house closes, nor without a database."""
        if self.closing.is_set():
            return False
        try:
            await self.store.ping()
        except Down:
            return False
        return True

    # finding ------------------------------------------------------------------------------------------------------

    async def open(self, person: str, game: str, name: str) -> Live:
        """A new table with this person as its host. Raises Refusal."""
        for _ in range(5):
            now = clock.now()
            id = f"{int(now * 1000):012x}{secrets.token_hex(6)}"  # in order of time: new rows lie together
            action = do.Open(codes.new_token(), codes.new_code(), game, name)
            entry = do.Entry(person, action, secrets.token_hex(32), now)
            try:
                snapshot = shot(Sitting.open(entry), 0)
            except Unknown:
                raise Refusal("unknown_game") from None
            line = Line(1, 0, now, person, "", entry.secret, encode_action(action), None)
            write = Write(id, [line], snapshot, Opening(action.token, action.code, game))
            try:
                await self.journal.open(write)
            except Conflict:
                continue  # the code is taken
            except Exception:
                raise Refusal("store_down") from None
            return self.keep(Live(Kept(id, snapshot, [])))
        raise Refusal("store_down")

    async def by_token(self, token: str) -> Live | None:
        if (live := self.tokens.get(token)) is not None:
            return self.wake(live)
        return await self.load(await self.asked(self.store.by_token(token)))

    async def by_code(self, code: str) -> Live | None:
        """Only while the table is unlocked. What looks alike counts as the same."""
        folded = codes.fold(code)
        live = await self.load(await self.asked(self.store.by_code(folded))) if folded else None
        return live if live is not None and not live.sitting.saved.locked else None

    async def by_id(self, table: str) -> Live | None:
        if (live := self.lives.get(table)) is not None:
            return self.wake(live)
        return await self.load(await self.asked(self.store.by_id(table)))

    async def asked(self, reading: Awaitable[Kept | None]) -> Kept | None:
        try:
            return await reading
        except Down:
            raise Refusal("store_down") from None

    async def load(self, kept: Kept | None) -> Live | None:
        if kept is None:
            return None
        if (live := self.lives.get(kept.table)) is not None:
            return self.wake(live)
        try:
            live = Live(kept)
        except Unknown:
            log.warning("a table of a game that is not installed", table=kept.table)
            return None
        except msgspec.MsgspecError as error:
            log.error("a table that cannot be read any more", table=kept.table, reason=type(error).__name__)
            raise Refusal("broken") from None
        self.keep(live)
        self.presence.review(live)
        if self.store.postgres:  # another worker may have written since we read, and told before we listened
            await self.catch_up(live)
        self.bots.run(live, ours=not self.store.postgres)
        return live

    def keep(self, live: Live) -> Live:
        self.lives[live.id] = live
        self.tokens[live.sitting.saved.token] = live
        return self.wake(live)

    def wake(self, live: Live) -> Live:
        live.used = time.monotonic()
        self.awake.add(live)
        return live

    # acting -------------------------------------------------------------------------------------------------------

    async def act(self, live: Live, person: str, action: do.Action, id: str = "") -> Done:
        """Check, commit, tell. `id` is the sender's: the same again gets the first answer. Raises Refusal."""
        return await self.hand_in(live, person, action, id)

    def hand_in(self, live: Live, person: str, action: do.Action, id: str = "") -> "asyncio.Future[Done]":
        """The same for who does not wait: the answer is on its way, and may be Refusal."""
        if len(id) > LONGEST_ID or not (id.isascii() and id.isprintable()):
            raise Refusal("malformed", version=live.version)
        try:
            json = encode_action(action)
        except (UnicodeError, ValueError, OverflowError):
            raise Refusal("malformed", version=live.version) from None
        if len(json) > LONGEST_ACTION:
            raise Refusal("too_big", version=live.version)
        if self.journal.closing:
            raise Refusal("store_down", version=live.version)
        self.wake(live)
        ask = Ask(person, action, id, self.loop.create_future(), json)
        self.journal.hand_in(live, ask)
        return ask.answer

    def here(self, live: Live, person: str) -> None:
        """A socket of this person has opened."""
        self.presence.here(live, person)

    def gone(self, live: Live, person: str) -> None:
        """A socket of this person has closed. That is never leaving: only after a while the seat is away."""
        self.presence.gone(live, person)

    def lift(self, live: Live, person: str, round: int, move: str | None) -> None:
        """The card that a seat holds lifted: played when its time is up. Remembered only where a timer runs."""
        sitting = live.sitting
        seat, table = sitting.seat_of(person), sitting.table
        if seat is None or table is None or sitting.saved.ends_at is None or table.round != round:
            return
        if move is None or move in table.moves(seat):
            self.journal.note_lifted(live, seat, round, move)

    async def device_link(self, live: Live, person: str) -> str:
        """A one-time token with which another device takes a place at this person's seat."""
        seat = live.sitting.seat_of(person)
        if seat is None:
            raise Refusal("no_seat", version=live.version)
        token = codes.new_token()
        try:
            await self.store.add_link(codes.digest(token), live.id, seat, clock.now() + LINK_SECONDS)
        except Down:
            raise Refusal("store_down", version=live.version) from None
        return token

    async def redeem(self, token: str, person: str) -> Live:
        """Spend a one-time token."""
        hash = codes.digest(token)
        try:
            found = await self.store.link(hash)
        except Down:
            raise Refusal("store_down") from None
        live = await self.by_id(found[0]) if found else None
        if live is None or found is None:
            raise Refusal("link_spent")
        await self.act(live, person, do.Device(found[1], hash))
        return live

    def nudge(self, live: Live) -> None:
        """If the table waits for bots that nobody runs, run them."""
        self.bots.run(live, ours=True)

    # what follows -------------------------------------------------------------------------------------------------

    def after(self, live: Live, social: bool, ours: bool) -> None:
        """Something was committed and told."""
        if ours:
            self.wake(live)
        if social:
            self.presence.review(live)
        self.deadlines.note(live.sitting.saved.ends_at)
        self.bots.run(live, ours)

    async def catch_up(self, live: Live, seq: int | None = None) -> None:
        try:
            await self.journal.catch_up(live, seq)
        except Down as error:
            self.journal.doubt(live)
            self.journal.went_down(error)

    async def tidy(self) -> None:
        """Tables that nobody looks at leave memory; those that nobody touched for long leave the database."""
        next_cleaning = time.monotonic() + 60
        next_collecting = time.monotonic() + COLLECT_SECONDS
        while not await self.pause(min(10.0, max(0.05, self.settings.sleep_seconds / 2))):
            if (self.let_sleep() and not self.awake) or time.monotonic() > next_collecting:
                next_collecting = time.monotonic() + COLLECT_SECONDS
                gc.collect()  # what closed sockets leave behind refers to itself
            if self.settings.keep_days and time.monotonic() > next_cleaning:
                next_cleaning = time.monotonic() + 3600
                await self.clean()

    def let_sleep(self) -> bool:
        """Did any fall asleep?"""
        now = time.monotonic()
        idle = {live for live in self.awake if now - live.used > self.settings.sleep_seconds}
        asleep = {live for live in idle if not self.busy(live)}
        self.awake -= asleep
        metrics.TABLES.set(len(self.awake))
        return bool(asleep)

    def busy(self, live: Live) -> bool:
        return bool(live.listeners or live.inbox or live.sockets.total() or self.bots.running(live))

    def drop(self, table: str) -> None:
        if (live := self.lives.pop(table, None)) is not None:
            self.tokens.pop(live.sitting.saved.token, None)
            self.awake.discard(live)

    async def clean(self) -> None:
        before = clock.now() - self.settings.keep_days * 86400
        try:
            while gone := await self.store.forget(before):
                for table in gone:
                    self.drop(table)
                log.info("old tables deleted", count=len(gone))
        except (Down, Conflict) as error:
            log.warning("old tables could not be deleted", reason=str(error))


async def opened(settings: Settings) -> Store:
    """The store; a Postgres may still be starting."""
    patience = time.monotonic() + (0 if settings.sqlite else START_SECONDS)
    while True:
        try:
            return await Store.open(settings)
        except Down as error:
            log.error("the database cannot be reached", reason=str(error))
            if time.monotonic() >= patience:
                raise
            await asyncio.sleep(1)
