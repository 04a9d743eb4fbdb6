"""`Store`, the only access to the database."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

from alembic.util import CommandError
from sqlalchemy import URL, ColumnElement, Select, delete, exists, func, literal, select, text, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app import clock
from app.settings import Settings
from app.store import connect
from app.store import schema as s
from app.store.batch import batch_of
from app.store.errors import as_store_errors, message_of
from app.store.migrate import migrate, upgrade
from app.store.postgres import PostgresReader, PostgresWriter, postgres_engine
from app.store.rows import Bad, Chores, Conflict, Deadline, Down, Newer, Snapshot, StoredEntry, StoredTable, Write
from app.store.sqlite import SqliteWriter, sqlite_engine

e = s.entries.c
ENTRY: tuple[Any, ...] = (e.seq, e.version, e.at, e.person, e.client_id, e.secret, e.action, e.events)
SNAPSHOT: tuple[Any, ...] = (s.tables.c.seq, s.tables.c.began, s.tables.c.phase, s.tables.c.saved, s.tables.c.touched)
LOG_OUT = text(
    "INSERT INTO logouts (person, count) VALUES (:person, 1) "
    "ON CONFLICT (person) DO UPDATE SET count = logouts.count + 1 RETURNING count"
)
ADD_KEY = text("INSERT INTO keys (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING")
PUT_KEY = text("INSERT INTO keys (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = :value")


LONGEST_LINK = 8 * 86400.0  # seconds; no one-time link is valid for longer

P = ParamSpec("P")
T = TypeVar("T")


def bounded(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Raises Down if the work is not done in time. Then it is left alone, not waited for: while a SQLite thread hangs,
    SQLAlchemy does not return from a cancelled call either."""

    @wraps(work)
    async def call(*args: P.args, **named: P.kwargs) -> T:
        task = asyncio.create_task(work(*args, **named))
        try:
            done, _ = await asyncio.wait([task], timeout=connect.READ_TIMEOUT)
        finally:
            if not task.done():
                task.add_done_callback(lambda left: left.cancelled() or left.exception())  # nobody asks for it
                task.cancel()
        if not done:
            raise Down("no answer in time")
        return task.result()

    return call


def newer(url: URL, error: Newer) -> Newer:
    return Newer(f"{connect.place(url)} was written by {error}; run that version, or restore a back-up of this one")


def touched_before(before: float, lobby: float) -> ColumnElement[bool]:
    t = s.tables.c
    return (t.touched < before) | ((t.phase == "lobby") & (t.touched < lobby))


class Store:
    """Reads and makes rare small writes through SQLAlchemy. Commits go through the writer of the database in use."""

    def __init__(self, url: URL) -> None:
        self.postgres = url.get_backend_name() == "postgresql"
        self.engine = postgres_engine(url) if self.postgres else sqlite_engine(url)
        self.writer: PostgresWriter | SqliteWriter = PostgresWriter(url) if self.postgres else SqliteWriter(url)
        self.reader = PostgresReader(url) if self.postgres else None
        self.lock = asyncio.Lock()  # of the writer
        self.only: AsyncConnection | None = None  # all reading is done in this one's transaction, if there is one

    @classmethod
    async def open(cls, settings: Settings) -> "Store":
        """Open the store and migrate the database. Raises Down where it cannot be reached and Bad where it cannot be
        migrated, with a reason that can be shown."""
        url = connect.address(settings)
        try:
            with as_store_errors():
                store = cls(url)
                try:
                    await migrate(store.engine)
                except BaseException:
                    await store.close()
                    raise
        except Down as error:
            raise Down(f"{connect.place(url)}: {error}") from None
        except Newer as error:
            raise newer(url, error) from None
        except (Bad, Conflict, CommandError) as error:
            raise Bad(f"{connect.place(url)}: {error}") from None
        return store

    @classmethod
    @asynccontextmanager
    async def as_if_migrated(cls, settings: Settings) -> AsyncIterator["Store"]:
        """The database as this program would migrate it, for reading only: at the end the migration is rolled back."""
        store = cls(connect.address(settings))
        try:
            with as_store_errors():
                async with store.engine.connect() as connection:
                    await connection.execution_options(write=True)
                    async with connection.begin() as transaction:
                        try:
                            await connection.run_sync(upgrade)
                        except Newer as error:
                            raise newer(store.engine.url, error) from None
                        store.only = connection
                        yield store
                        await transaction.rollback()
        finally:
            await store.close()

    async def close(self) -> None:
        await self.writer.close()
        if self.reader is not None:
            await self.reader.close()
        await self.engine.dispose()

    # writing ------------------------------------------------------------------------------------------------------

    async def commit(self, writes: Sequence[Write], chores: Chores) -> None:
        """Run one transaction. Raises Conflict or Bad (nothing was written) or Down (outcome unknown)."""
        if batch := batch_of(writes, chores):
            await self.alone(partial(self.writer.commit, batch))

    async def probe(self) -> None:
        """Write a small row through the writer. Raises Down if nothing can be stored, even if `ping` succeeds."""
        try:
            await self.alone(self.writer.probe)
        except (Conflict, Bad) as error:
            raise Down(str(error)) from None

    async def alone(self, write: Callable[[], Awaitable[None]]) -> None:
        """Call the writer under its lock, with a timeout. A cancelled writer drops its connection."""
        try:
            async with asyncio.timeout(connect.COMMIT_TIMEOUT), self.lock:
                await write()
        except TimeoutError as error:
            raise Down(message_of(error)) from None

    async def durable(self) -> bool:
        """Whether a commit survives a crash of the database's machine. Postgres can be set to answer before that."""
        if not self.postgres:
            return True
        async with self.reading() as connection:
            return str(await connection.scalar(text("SHOW synchronous_commit"))) != "off"

    # reading ------------------------------------------------------------------------------------------------------

    async def by_token(self, token: str) -> StoredTable | None:
        return await self.find(select(s.tables.c.id, *SNAPSHOT).where(s.tables.c.token == token))

    async def by_code(self, code: str) -> StoredTable | None:
        return await self.find(select(s.tables.c.id, *SNAPSHOT).where(s.tables.c.code == code))

    async def by_id(self, table: str) -> StoredTable | None:
        return await self.find(select(s.tables.c.id, *SNAPSHOT).where(s.tables.c.id == table))

    @bounded
    async def find(self, query: Select[Any]) -> StoredTable | None:
        """The snapshot, the entries after it, and the earlier entries of the running game that have events."""
        async with self.reading() as connection:
            row = (await connection.execute(query)).first()
            if row is None:
                return None
            table, *rest = row
            snapshot = Snapshot(*rest)
            wanted = s.entries.c.seq > snapshot.seq
            if snapshot.began:
                wanted |= (s.entries.c.seq >= snapshot.began) & s.entries.c.events.is_not(None)
            rows = await connection.execute(
                select(*ENTRY).where(s.entries.c.table_id == table, wanted).order_by(s.entries.c.seq)
            )
            return StoredTable(table, snapshot, [StoredEntry(*entry) for entry in rows])

    @bounded
    async def since(self, table: str, seq: int) -> StoredTable | None:
        """The snapshot and all entries after an entry; None if there are none."""
        if self.reader is not None and self.only is None:
            return await self.reader.since(table, seq)
        async with self.reading() as connection:
            query = select(*SNAPSHOT).where(s.tables.c.id == table)
            row = (await connection.execute(query)).first()
            rows = await connection.execute(
                select(*ENTRY).where(s.entries.c.table_id == table, s.entries.c.seq > seq).order_by(s.entries.c.seq)
            )
            found = [StoredEntry(*entry) for entry in rows]
            return StoredTable(table, Snapshot(*row), found) if found and row is not None else None

    @bounded
    async def by_message(self, table: str, person: str, client_id: str) -> StoredEntry | None:
        """The entry made by this message of this person, if it was accepted."""
        async with self.reading() as connection:
            query = select(*ENTRY).where(s.entries.c.table_id == table, s.entries.c.person == person)
            row = (await connection.execute(query.where(s.entries.c.client_id == client_id))).first()
            return StoredEntry(*row) if row else None

    async def not_over(self) -> list[str]:
        """The ids of all tables whose game runs or has not begun, the oldest first."""
        async with self.reading() as connection:
            return list(
                await connection.scalars(select(s.tables.c.id).where(s.tables.c.phase != "over").order_by("id"))
            )

    @bounded
    async def seq(self, table: str) -> int:
        """The number of the last entry of a table's log."""
        async with self.reading() as connection:
            return await connection.scalar(select(func.max(e.seq)).where(e.table_id == table)) or 0

    # deadlines ----------------------------------------------------------------------------------------------------

    @bounded
    async def due(self, before: float, most: int = 500) -> list[Deadline]:
        async with self.reading() as connection:
            at = s.deadlines.c.at
            rows = await connection.execute(select(s.deadlines).where(at <= before).order_by(at).limit(most))
            return [Deadline(*row) for row in rows]

    async def postpone(self, away: float, choice: float) -> None:
        """Postpone overdue deadlines after a start: the server's downtime counts against nobody. Deadlines that another
        process is changing are left alone, since waiting for them could be a deadlock."""
        d = s.deadlines.c
        key = d.table_id, d.kind, d.key
        async with self.begin() as connection:
            for kind, least in (
                ("away", away),
                ("claim", away),
                ("long_away", away),
                ("choice", choice),
                ("deal", choice),
            ):
                late = select(*key).where((d.kind == kind) & (d.at < least)).with_for_update(skip_locked=True)
                await connection.execute(update(s.deadlines).where(tuple_(*key).in_(late)).values(at=least))

    @bounded
    async def dated_after(self, at: float) -> list[str]:
        """The tables with deadlines whose snapshot is dated after this time."""
        async with self.reading() as connection:
            ids = select(s.deadlines.c.table_id).join(s.tables).where(s.tables.c.touched > at).distinct()
            return list(await connection.scalars(ids))

    @bounded
    async def bring_forward(self, now: float, away: float) -> None:
        """Bring forward to `away` the absences that are due later, and limit the time of one-time links."""
        d, expires = s.deadlines.c, s.links.c.expires
        late, long = (d.kind == "away") & (d.at > away), expires > now + LONGEST_LINK
        async with self.reading() as connection:
            if not await connection.scalar(select(exists().where(late) | exists().where(long))):
                return
        async with self.begin() as connection:
            await connection.execute(update(s.deadlines).where(late).values(at=away))
            await connection.execute(update(s.links).where(long).values(expires=now + 600))

    @bounded
    async def drop_deadline(self, deadline: Deadline) -> None:
        d = s.deadlines.c
        same = (d.table_id == deadline.table) & (d.kind == deadline.kind) & (d.key == deadline.key)
        async with self.begin() as connection:
            await connection.execute(delete(s.deadlines).where(same & (d.at <= deadline.at)))

    @bounded
    async def lifted(self, table: str, round: int) -> dict[int, str]:
        """The lifted move of each seat in this round."""
        async with self.reading() as connection:
            same = (s.lifted.c.table_id == table) & (s.lifted.c.round == round)
            rows = await connection.execute(select(s.lifted.c.seat, s.lifted.c.move).where(same))
            return {row.seat: row.move for row in rows}

    # links, keys ---------------------------------------------------------------------------------------------------

    @bounded
    async def add_link(self, hash: str, table: str, seat: int, expires: float) -> None:
        async with self.begin() as connection:
            await connection.execute(delete(s.links).where(s.links.c.expires < clock.now() - 3600))
            row = {"hash": hash, "table_id": table, "seat": seat, "expires": expires}
            await connection.execute(s.links.insert(), [row])

    @bounded
    async def link(self, hash: str) -> tuple[str, int] | None:
        """The table and seat of a one-time link that has not expired."""
        async with self.reading() as connection:
            fresh = (s.links.c.hash == hash) & (s.links.c.expires > clock.now())
            row = (await connection.execute(select(s.links.c.table_id, s.links.c.seat).where(fresh))).first()
            return (row.table_id, row.seat) if row else None

    async def key(self, name: str, new: str) -> str:
        """The stored value of this name; stores `new` if there is none. All workers get the same value."""
        async with self.begin() as connection:
            await connection.execute(ADD_KEY, {"name": name, "value": new})
            found = await connection.scalar(select(s.keys.c.value).where(s.keys.c.name == name))
            return str(found)

    # persons ------------------------------------------------------------------------------------------------------

    @bounded
    async def log_out(self, person: str) -> int:
        """Count that this person has logged out everywhere. Returns how often by now."""
        async with self.begin() as connection:
            return int(await connection.scalar(LOG_OUT, {"person": person}) or 0)

    @bounded
    async def logouts(self) -> dict[str, int]:
        async with self.reading() as connection:
            rows = await connection.execute(select(s.logouts.c.person, s.logouts.c.count))
            return {row[0]: row[1] for row in rows}

    @bounded
    async def sum_of_logouts(self) -> int:
        async with self.reading() as connection:
            return await connection.scalar(select(func.sum(s.logouts.c.count))) or 0

    @bounded
    async def tables_naming(self, person: str, most: int) -> list[str]:
        """The ids of tables whose snapshots name this person, the last used first. Reads all snapshots."""
        async with self.reading() as connection:
            named = s.tables.c.saved.contains(person, autoescape=True)
            found = select(s.tables.c.id).where(named).order_by(s.tables.c.touched.desc()).limit(most)
            return list(await connection.scalars(found))

    @bounded
    async def drop_links(self, table: str, seat: int) -> None:
        """Make all one-time links to this seat void."""
        async with self.begin() as connection:
            await connection.execute(delete(s.links).where((s.links.c.table_id == table) & (s.links.c.seat == seat)))

    # old tables -----------------------------------------------------------------------------------------------------

    async def value(self, name: str) -> str:
        """The stored value of this name; "" if there is none."""
        async with self.reading() as connection:
            return str(await connection.scalar(select(s.keys.c.value).where(s.keys.c.name == name)) or "")

    async def put(self, name: str, value: str) -> None:
        async with self.begin() as connection:
            await connection.execute(PUT_KEY, {"name": name, "value": value})

    async def swap(self, name: str, old: str, new: str) -> bool:
        """Store `new` if the value is still `old`; "" is none. Returns whether it was."""
        async with self.begin() as connection:
            if not old:
                done = await connection.execute(ADD_KEY, {"name": name, "value": new})
            else:
                same = (s.keys.c.name == name) & (s.keys.c.value == old)
                done = await connection.execute(update(s.keys).where(same).values(value=new))
            return done.rowcount == 1

    async def newest(self) -> float:
        """When any table was used last; 0 if there is none."""
        async with self.reading() as connection:
            return await connection.scalar(select(func.max(s.tables.c.touched))) or 0.0

    async def unused(self, before: float, lobby: float) -> int:
        """The number of tables not touched since `before`; in the lobby, since `lobby`."""
        async with self.reading() as connection:
            return await connection.scalar(select(func.count()).where(touched_before(before, lobby))) or 0

    async def mark_due(self, before: float, lobby: float, since: float) -> int:
        """Mark the tables not touched since `before`, or `lobby`, that have no mark yet, and take away the marks of
        others. Returns the number of new marks."""
        old = select(s.tables.c.id).where(touched_before(before, lobby))
        marked = select(s.due_tables.c.table_id)
        async with self.begin() as connection:
            await connection.execute(delete(s.due_tables).where(s.due_tables.c.table_id.not_in(old)))
            new = select(s.tables.c.id, literal(since)).where(
                touched_before(before, lobby), s.tables.c.id.not_in(marked)
            )
            return (await connection.execute(s.due_tables.insert().from_select(["table_id", "since"], new))).rowcount

    async def forget(self, before: float, lobby: float, since: float, most: int = 200) -> list[str]:
        """Delete up to `most` tables not touched since `before`, or `lobby`, and marked not later than `since`. Returns
        their ids."""
        async with self.begin() as connection:
            due = select(s.due_tables.c.table_id).where(s.due_tables.c.since <= since)
            old = select(s.tables.c.id).where(touched_before(before, lobby), s.tables.c.id.in_(due)).limit(most)
            gone = list(await connection.scalars(old))
            if gone:
                await connection.execute(delete(s.entries).where(s.entries.c.table_id.in_(gone)))
                await connection.execute(delete(s.tables).where(s.tables.c.id.in_(gone)))
            return gone

    @bounded
    async def ping(self) -> None:
        async with self.reading() as connection:
            await connection.execute(text("SELECT 1"))

    # transactions -------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        with as_store_errors():
            if self.only is not None:
                yield self.only
                return
            async with self.engine.connect() as connection:
                yield connection

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncConnection]:
        with as_store_errors():
            async with self.engine.connect() as connection:
                await connection.execution_options(write=True)
                async with connection.begin():
                    yield connection
