"""A connection between a store and its Postgres that can hang or be cut."""

import asyncio
from typing import Any

from sqlalchemy.engine import make_url


class Proxy:
    def __init__(self, url: str) -> None:
        self.there = make_url(url)
        self.swallows = False
        self.connections = 0
        self.server: Any = None
        self.open: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> "Proxy":
        self.server = await asyncio.start_server(self.connected, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        self.cut()

    @property
    def url(self) -> str:
        port = self.server.sockets[0].getsockname()[1]
        return self.there.set(host="127.0.0.1", port=port).render_as_string(hide_password=False)

    def cut(self) -> None:
        for writer in list(self.open):
            writer.transport.abort()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        far_reader, far_writer = await asyncio.open_connection(self.there.host, self.there.port)
        await asyncio.gather(self.carry(reader, far_writer), self.carry(far_reader, writer))

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open.add(writer)
        try:
            while data := await reader.read(65536):
                if not self.swallows:
                    writer.write(data)
        except ConnectionError:
            pass
        finally:
            self.open.discard(writer)
            writer.close()
