"""The one place that speaks to the database."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import URL, Select, delete, func, select, text, update
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app import clock
from app.settings import Settings
from app.store import schema as s
from app.store.connect import address, connect
from app.store.express import BAD_DATA, RETRY, Express, said
from app.store.migrate import migrate
from app.store.rows import Bad, Chores, Conflict, Deadline, Down, Kept, Line, Snapshot, Write
from app.store.writing import Small, Writing

m = s.moves.c
LINE: tuple[Any, ...] = (m.seq, m.version, m.at, m.person, m.client_id, m.secret, m.action, m.events)
SNAPSHOT: tuple[Any, ...] = (s.tables.c.seq, s.tables.c.began, s.tables.c.phase, s.tables.c.saved, s.tables.c.touched)


class Store:
    def __init__(self, url: URL) -> None:
        self.postgres = url.get_backend_name() == "postgresql"
        self.engine = connect(url)
        self.writer = connect(url, only=1)  # the journal's own: however many read, it need not wait for a connection
        self.express = Express(url) if self.postgres else None
        self.writing = Writing(self.postgres)

    @classmethod
    async def open(cls, settings: Settings) -> "Store":
        store = cls(address(settings))
        try:
            async with store.errors():
                await migrate(store.engine)
        except BaseException:
            await store.close()
            raise
        return store

    async def close(self) -> None:
        await self.engine.dispose()
        await self.writer.dispose()
        if self.express is not None:
            await self.express.close()

    # writing ------------------------------------------------------------------------------------------------------

    async def commit(self, writes: Sequence[Write], chores: Chores, news: str = "") -> None:
        """Everything in one transaction. Raises Conflict or Bad (nothing was done) or Down (nobody knows)."""
        writes = sorted(writes, key=lambda write: write.table)  # the same order in every worker: no deadlocks
        small = [(one, rows) for one, rows in [*self.writing.choices(writes), *self.writing.chores(chores)] if rows]
        if self.express is not None and not small:
            await self.express.run(*self.writing.whole(writes, news))
            return
        sent = False
        try:
            async with self.begin(self.writer) as connection:
                await self.send(connection, writes, small, news)
                sent = True
        except Down:
            if sent or not self.postgres:
                raise
            # The connection was dead and nothing was asked to be committed: once more, over a new one.
            async with self.begin(self.writer) as connection:
                await self.send(connection, writes, small, news)

    async def send(
        self, connection: AsyncConnection, writes: Sequence[Write], small: Sequence[Small], news: str
    ) -> None:
        if self.postgres:
            statement, arguments = self.writing.whole(writes, news)
            await connection.exec_driver_sql(statement, tuple(arguments))
        else:
            for statement, rows in self.writing.one_by_one(writes):
                await connection.exec_driver_sql(statement, rows)
        for one, values in small:
            await connection.execute(one, values)

    # reading ------------------------------------------------------------------------------------------------------

    async def by_token(self, token: str) -> Kept | None:
        return await self.find(select(s.tables.c.id, *SNAPSHOT).where(s.tables.c.token == token))

    async def by_code(self, code: str) -> Kept | None:
        return await self.find(select(s.tables.c.id, *SNAPSHOT).where(s.tables.c.code == code))

    async def by_id(self, table: str) -> Kept | None:
        return await self.find(select(s.tables.c.id, *SNAPSHOT).where(s.tables.c.id == table))

    async def find(self, query: Select[Any]) -> Kept | None:
        """The snapshot, the lines after it, and those before it that told something in the running game."""
        async with self.reading() as connection:
            row = (await connection.execute(query)).first()
            if row is None:
                return None
            table, *rest = row
            kept = Snapshot(*rest)
            wanted = s.moves.c.seq > kept.seq
            if kept.began:
                wanted |= (s.moves.c.seq >= kept.began) & s.moves.c.events.is_not(None)
            lines = await connection.execute(
                select(*LINE).where(s.moves.c.table_id == table, wanted).order_by(s.moves.c.seq)
            )
            return Kept(table, kept, [Line(*line) for line in lines])

    async def since(self, table: str, seq: int) -> Kept | None:
        """All lines after an entry; nothing if there are none."""
        async with self.reading() as connection:
            query = select(*SNAPSHOT).where(s.tables.c.id == table)
            row = (await connection.execute(query)).first()
            lines = await connection.execute(
                select(*LINE).where(s.moves.c.table_id == table, s.moves.c.seq > seq).order_by(s.moves.c.seq)
            )
            found = [Line(*line) for line in lines]
            return Kept(table, Snapshot(*row), found) if found and row is not None else None

    async def answered(self, table: str, person: str, client_id: str) -> Line | None:
        """What this message of this person has become, if it was accepted."""
        async with self.reading() as connection:
            query = select(*LINE).where(s.moves.c.table_id == table, s.moves.c.person == person)
            row = (await connection.execute(query.where(s.moves.c.client_id == client_id))).first()
            return Line(*row) if row else None

    async def seq(self, table: str) -> int:
        """How far a table's log goes."""
        async with self.reading() as connection:
            return await connection.scalar(select(func.max(m.seq)).where(m.table_id == table)) or 0

    # deadlines ----------------------------------------------------------------------------------------------------

    async def due(self, before: float, most: int = 500) -> list[Deadline]:
        async with self.reading() as connection:
            at = s.deadlines.c.at
            rows = await connection.execute(select(s.deadlines).where(at <= before).order_by(at).limit(most))
            return [Deadline(*row) for row in rows]

    async def put_off(self, away: float, choice: float) -> None:
        """After a start: nobody is away, and no time is up, because the server was."""
        async with self.begin() as connection:
            for kind, least in (("away", away), ("choice", choice)):
                late = (s.deadlines.c.kind == kind) & (s.deadlines.c.at < least)
                await connection.execute(update(s.deadlines).where(late).values(at=least))

    async def drop_deadline(self, deadline: Deadline) -> None:
        d = s.deadlines.c
        same = (d.table_id == deadline.table) & (d.kind == deadline.kind) & (d.key == deadline.key)
        async with self.begin() as connection:
            await connection.execute(delete(s.deadlines).where(same & (d.at <= deadline.at)))

    async def lifted(self, table: str, round: int) -> dict[int, str]:
        """By seat, for this round."""
        async with self.reading() as connection:
            same = (s.lifted.c.table_id == table) & (s.lifted.c.round == round)
            rows = await connection.execute(select(s.lifted.c.seat, s.lifted.c.move).where(same))
            return {row.seat: row.move for row in rows}

    # links, keys, housekeeping ------------------------------------------------------------------------------------

    async def add_link(self, hash: str, table: str, seat: int, expires: float) -> None:
        async with self.begin() as connection:
            await connection.execute(delete(s.links).where(s.links.c.expires < clock.now() - 3600))
            row = {"hash": hash, "table_id": table, "seat": seat, "expires": expires}
            await connection.execute(s.links.insert(), [row])

    async def link(self, hash: str) -> tuple[str, int] | None:
        """The table and seat of a one-time link that is not too old."""
        async with self.reading() as connection:
            fresh = (s.links.c.hash == hash) & (s.links.c.expires > clock.now())
            row = (await connection.execute(select(s.links.c.table_id, s.links.c.seat).where(fresh))).first()
            return (row.table_id, row.seat) if row else None

    async def key(self, name: str, new: str) -> str:
        """The value kept under this name; `new` if there is none yet. All workers get the same."""
        async with self.begin() as connection:
            await connection.execute(self.writing.add_key, [{"name": name, "value": new}])
            found = await connection.scalar(select(s.keys.c.value).where(s.keys.c.name == name))
            return str(found)

    async def forget(self, before: float, most: int = 200) -> list[str]:
        """Delete some of the tables that nobody touched since; which."""
        async with self.begin() as connection:
            old = await connection.scalars(select(s.tables.c.id).where(s.tables.c.touched < before).limit(most))
            gone = list(old)
            if gone:
                await connection.execute(delete(s.moves).where(s.moves.c.table_id.in_(gone)))
                await connection.execute(delete(s.tables).where(s.tables.c.id.in_(gone)))
            return gone

    async def ping(self) -> None:
        async with self.reading() as connection:
            await connection.execute(text("SELECT 1"))

    async def probe(self) -> None:
        await self.ping()

    # transactions -------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        async with self.errors(), self.engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def begin(self, engine: AsyncEngine | None = None) -> AsyncIterator[AsyncConnection]:
        async with self.errors(), (engine or self.engine).connect() as connection:
            await connection.execution_options(write=True)
            async with connection.begin():
                yield connection

    @asynccontextmanager
    async def errors(self) -> AsyncIterator[None]:
        """The database's errors in our three words."""
        try:
            yield
        except IntegrityError as error:
            raise Conflict(kind(error)) from None
        except (DataError, ProgrammingError) as error:
            raise Bad(type(error.orig).__name__) from None
        except DBAPIError as error:
            state = getattr(error.orig, "sqlstate", None) or ""
            if state in RETRY:
                raise Conflict(kind(error)) from None
            if state[:2] == BAD_DATA:
                raise Bad(type(error.orig).__name__) from None
            raise Down(kind(error)) from None
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            raise Down(kind(error)) from None


def kind(error: Exception) -> str:
    return said(getattr(error, "orig", None) or error)
