"""A network between clients and a server that can be cut, held up, slow, uneven, or half-open."""

import asyncio
from random import Random
from typing import Any, Self


class Network:
    """Listens on a port of its own and passes everything on to the server's. Changes of `delay`, `jitter` and
    `doubles` are for new data and new connections."""

    def __init__(self, host: str, port: int) -> None:
        self.host = host
        self.there = port
        self.delay = 0.0  # seconds for each piece of data
        self.jitter = 0.0  # further seconds, at most, so that connections overtake each other
        self.luck = Random()
        self.doubles = False  # the server gets every connection twice; the answers of the second one are dropped
        self.swallows = False  # nothing arrives any more, and nobody is told
        self.connections = 0
        self.passing = asyncio.Event()  # cleared: data waits
        self.passing.set()
        self.server: Any = None
        self.open: set[asyncio.StreamWriter] = set()
        self.clients: set[asyncio.StreamWriter] = set()  # those of `open` that lead to clients
        self.tasks: set[asyncio.Task[None]] = set()
        self.dead: set[asyncio.StreamWriter] = set()  # those that get nothing any more

    async def __aenter__(self) -> Self:
        self.server = await asyncio.start_server(self.connected, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        self.passing.set()
        self.cut()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    @property
    def port(self) -> int:
        return int(self.server.sockets[0].getsockname()[1])

    def cut(self) -> None:
        """Reset all connections."""
        for writer in list(self.open):
            writer.transport.abort()
        self.dead.clear()

    def cut_clients(self) -> None:
        """Reset the clients' side of all connections. What is on its way to the server still arrives."""
        for writer in list(self.clients):
            writer.transport.abort()

    def leave_half_open(self) -> None:
        """What is sent over the present connections is lost, without an error on either side."""
        self.dead |= self.open

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self.tasks.add(task)
        self.clients.add(writer)
        try:
            far_reader, far_writer = await asyncio.open_connection(self.host, self.there)
            ways = [self.carry(far_reader, writer)]
            far = [far_writer]
            if self.doubles:
                again_reader, again_writer = await asyncio.open_connection(self.host, self.there)
                ways.append(self.carry(again_reader, None))
                far.append(again_writer)
            await asyncio.gather(self.carry(reader, *far), *ways)
        except OSError:
            writer.close()
        finally:
            self.clients.discard(writer)
            self.tasks.discard(task)

    async def carry(self, reader: asyncio.StreamReader, *writers: asyncio.StreamWriter | None) -> None:
        """Pass on data until the connection ends; a writer that is None drops it."""
        ends = [writer for writer in writers if writer is not None]
        self.open.update(ends)
        try:
            while data := await reader.read(65536):
                await self.passing.wait()
                if self.delay or self.jitter:
                    await asyncio.sleep(self.delay + self.luck.uniform(0, self.jitter))
                for writer in ends:
                    if not self.swallows and writer not in self.dead:
                        writer.write(data)
                        await writer.drain()
        except OSError:
            pass
        finally:
            for writer in ends:
                if writer not in self.dead:  # else its end is lost, too
                    self.open.discard(writer)
                    writer.close()
