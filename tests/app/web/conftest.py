"""The whole server in this process, with clients for people and programs."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog
import uvicorn
import websockets
from fastapi import FastAPI

from app.connections import GuardedConnection
from app.house.open_table import OpenTable
from app.server import create_app
from app.settings import Settings
from app.web.site import Site
from engine.game import Game, games
from tests.engine import tiny
from tests.support.wellformed import malformed

Json = dict[str, Any]

# structlog's default renders rich tracebacks, which takes many seconds each.
plain = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
structlog.configure(processors=[structlog.stdlib.add_log_level, plain])


class Web:
    """A server on a free loopback port, with access to its `site`."""

    def __init__(self, app: FastAPI, port: int) -> None:
        self.app = app
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.clients: list[httpx.AsyncClient] = []

    @property
    def site(self) -> Site:
        site: Site = self.app.state.site
        return site

    async def open_table(self, path: str) -> OpenTable:
        """The open table of a path like /t/…"""
        open_table = await self.site.house.by_token(path.removeprefix("/t/").partition("/")[0])
        assert open_table is not None
        return open_table


class Guest:
    """A client like a browser: it keeps cookies and sends an origin with posts."""

    def __init__(self, web: Web, name: str, **headers: str) -> None:
        self.web = web
        self.name = name
        sent = {"origin": web.url, **headers}
        # The server closes a connection that is idle for 5 seconds. The client must give it up earlier: otherwise it
        # could send a request while the server closes the connection.
        limits = httpx.Limits(keepalive_expiry=1)
        self.http = httpx.AsyncClient(base_url=web.url, headers=sent, trust_env=False, timeout=60, limits=limits)
        web.clients.append(self.http)

    async def open(self, game: str = "raiders", **fields: str) -> str:
        """Open a table. Returns its path."""
        answer = await self.http.post("/tables", data={"game": game, "name": self.name, **fields})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    async def sit(self, table: str, **fields: str) -> httpx.Response:
        return await self.act(table, do="sit", name=self.name, **fields)

    async def act(self, table: str, **fields: Any) -> httpx.Response:
        """Post an action as a form."""
        return await self.http.post(f"{table}/act", data=fields)

    async def say(self, table: str, **fields: Any) -> httpx.Response:
        """Post an action as JSON."""
        return await self.http.post(f"{table}/act", json=fields)

    async def page(self, path: str, **headers: str) -> str:
        answer = await self.http.get(path, headers=headers)
        assert answer.status_code == 200, answer.text
        if answer.headers["content-type"].startswith("text/html"):
            assert not malformed(answer.text)
        return answer.text

    async def view(self, table: str) -> Json:
        answer = await self.http.get(table, headers={"accept": "application/json"})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def play(self, table: str, move: str | None = None) -> httpx.Response:
        """Play a move in the current round; by default the first legal one."""
        view = await self.view(table)
        return await self.say(table, do="play", round=view["shared"]["round"], move=move or view["own"]["moves"][0])

    async def play_blind(self, table: str) -> httpx.Response:
        """Play a move without looking up the legal ones."""
        return await self.say(table, do="play", round=1, move="1")

    @asynccontextmanager
    async def socket(self, table: str, query: str = "face=play", **headers: str) -> AsyncIterator["Line"]:
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)
        url = f"{self.web.url.replace('http', 'ws')}{table}/live?{query}"
        sent = {"origin": self.web.url, **({"cookie": cookies} if cookies else {}), **headers}
        if bearer := self.http.headers.get("authorization"):
            sent["authorization"] = bearer
        origin: Any = sent.pop("origin") or None
        # Without pings of its own: a busy machine may take longer for a pong than the library allows.
        async with websockets.connect(
            url, additional_headers=sent, origin=origin, proxy=None, max_size=None, open_timeout=60, ping_interval=None
        ) as opened:
            yield Line(opened)


class Line:
    """The client's end of a socket."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self.socket = socket

    async def text(self, seconds: float = 60) -> str:
        async with asyncio.timeout(seconds):
            return str(await self.socket.recv())

    async def json(self) -> Json:
        return dict(json.loads(await self.text()))

    async def until(self, fits: Callable[[str], bool]) -> str:
        """Wait for the first matching message."""
        while not fits(text := await self.text()):
            pass
        return text

    async def quiet(self, seconds: float = 0.3) -> bool:
        """Does no message arrive?"""
        try:
            await self.text(seconds)
        except TimeoutError:
            return True
        return False

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def closed(self) -> int | None:
        """Wait for the server to close. Returns the close code."""
        async with asyncio.timeout(60):
            await self.socket.wait_closed()
        return self.socket.close_code


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Web]:
    # With an explicit protocol, asyncio sets TCP_NODELAY; without it every answer takes 40 ms.
    with socket.socket(proto=socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        app = create_app(settings)
        config = uvicorn.Config(
            app,
            http=GuardedConnection,
            ws="websockets-sansio",
            log_config=None,
            proxy_headers=False,
            timeout_graceful_shutdown=2,
        )
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:
            assert not task.done(), task.exception()
            await asyncio.sleep(0.01)
        web = Web(app, listener.getsockname()[1])
        try:
            yield web
        finally:
            for client in web.clients:
                await client.aclose()
            server.should_exit = True
            await task


@pytest.fixture
def small_games() -> Iterator[None]:
    """Make these games available as if they were installed."""
    small = {game.key: game for game in vars(tiny).values() if isinstance(game, Game)}
    games().update(small)
    yield
    for key in small:
        del games()[key]


Serve = Callable[..., Any]


@pytest.fixture
def serve_here(tmp_path: Path) -> Serve:
    """`async with serve_here(table_password="…") as web`."""

    def serve(**settings: Any) -> Any:
        given = {
            "data_dir": tmp_path,
            "bot_pause": 0.0,
            "limit_actions": 1000,
            "limit_requests": 10_000,
            "limit_tables": 100_000,
            "away_seconds": 3600.0,  # no seat becomes away during a long test
            **settings,
        }
        return running(Settings(**given))

    return serve


@pytest.fixture
async def web(serve_here: Serve) -> AsyncIterator[Web]:
    async with serve_here() as found:
        yield found


@pytest.fixture
def guest(web: Web) -> Callable[..., Guest]:
    """Creates guests of that server: `guest("Ada")`."""
    return partial(Guest, web)
