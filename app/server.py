"""The web application, and `facedown serve`, which runs it under uvicorn."""

import asyncio
import errno
import gc
import multiprocessing
import signal
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from multiprocessing.connection import wait
from typing import Any

import structlog
import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from app import logs, metrics
from app.connections import STATE, OpenConnections
from app.frames import FEWEST_DATA
from app.handover import POSSIBLE, between_workers, neighbours_of
from app.house.house import House
from app.refusals import Reason, Refusal
from app.settings import Settings
from app.web import api, ops, pages
from app.web.addresses import here
from app.web.answers import refused
from app.web.compression import Compression
from app.web.edge import Edge, template
from app.web.ending import before_the_end
from app.web.files import Files
from app.web.openapi import describe
from app.web.site import Site
from app.web.socket import Sockets
from app.web.templates import template_line, templates_of
from engine.game import left_out

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

log = structlog.get_logger("web")
MOST_FILES = 65_536  # open files and connections of a process
LARGEST_MESSAGE = 64 * 1024  # bytes over a socket
# Thresholds of the garbage collector. There are few reference cycles, and with thousands of tables in memory every
# collection is a noticeable pause; the house runs full collections now and then.
COLLECT = (100_000, 50, 1000)
REASONS: dict[int, Reason] = {404: "unknown_page", 405: "no_method", 413: "too_big"}  # for errors raised by Starlette
PATIENCE = 10  # seconds to finish open requests on shutdown
UNREAD = 30.0  # seconds until a connection is dropped whose other side does not take what was sent
SLOWEST = 20  # seconds after which a worker that does not respond is killed
STARTING = 180  # seconds that a worker may take until its program is loaded: a machine may be slow, or busy


def create_app(settings: Settings, reload: bool = False) -> FastAPI:
    """`reload`: check templates and static files for changes at every use, for development."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        for key, why in left_out().items():
            log.error("a game cannot be loaded and is left out", game=key, reason=why)
        house = await House.start(settings)
        app.state.site = site = Site(settings, house, rendering)
        try:
            app.state.connections = OpenConnections(
                connections_per_address(settings), settings.trusted_proxies, frames_at_once(settings)
            )
            app.state.connections.neighbours = neighbours = neighbours_of(house.loop, site.part_with_tables)
            site.neighbours = neighbours

            def stop() -> None:
                if neighbours is not None:
                    neighbours.close()
                site.stop()

            end_with_supervisor()
            with before_the_end(stop):
                yield {STATE: app.state.connections}
        finally:
            await house.stop()

    rendering = templates_of(reload)
    app = FastAPI(title="Facedown", version=version("facedown"), lifespan=lifespan, docs_url=None, redoc_url=None)
    for router in (pages.router, api.router, ops.router):
        app.include_router(router)
    describe(app)
    app.mount("/static", Files(compress=not reload), name="static")
    app.add_exception_handler(Refusal, respond_to_error)
    app.add_exception_handler(HTTPException, respond_to_error)
    app.add_exception_handler(RequestValidationError, respond_to_error)
    app.add_middleware(Sockets)
    app.add_middleware(RefusalMiddleware)
    if not reload:
        app.add_middleware(Compression)
    app.add_middleware(
        Edge,
        trusted=settings.trusted_proxies.replace(",", " ").split(),
        public_url=settings.public_url,
        allowed_hosts=settings.allowed_hosts.replace(",", " ").split(),
    )
    return app


async def respond_to_error(request: Request, error: Exception) -> Response:
    """Answer every known error as a refusal."""
    if isinstance(error, Refusal):
        return refused(request, error)
    if isinstance(error, RequestValidationError):
        return refused(request, Refusal("malformed"))
    if isinstance(error, HTTPException):
        return refused(request, Refusal(REASONS.get(error.status_code, "malformed")))
    raise error


class RefusalMiddleware:
    """Middleware: answers refusals found by the edge before routing, and exceptions that no handler answered."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def note(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        refusal: Refusal | None = scope.get("refusal")
        if refusal is None:
            try:
                await self.app(scope, receive, note)
                return
            except Exception as error:
                if started:
                    raise
                if isinstance(error, ClientDisconnect):  # in the middle of a body: there is nobody to answer
                    log.info("disconnected", route=template(scope))
                    return
                refusal = error if isinstance(error, Refusal) else Refusal("broken")
                if refusal is not error:
                    log.exception("broken", route=template(scope), at=template_line(error) or None)
        await refused(Request(scope), refusal)(scope, receive, send)


def application() -> FastAPI:
    """The application of one worker process."""
    settings = Settings.read()
    logs.set_up(settings.log_level, settings.log_format)
    app = create_app(settings)
    gc.collect()
    gc.freeze()  # the modules loaded so far are never freed: exclude them from collections
    gc.set_threshold(*COLLECT)
    return app


def end_with_supervisor() -> None:
    """Make a worker stop when the process that started it is gone. It would keep the port, and nobody could stop it."""
    supervisor = multiprocessing.parent_process()
    if supervisor is None:
        return
    loop = asyncio.get_running_loop()

    def stop() -> None:
        loop.remove_reader(supervisor.sentinel)
        log.error("the process that started this worker is gone; stopping")
        signal.raise_signal(signal.SIGTERM)

    loop.add_reader(supervisor.sentinel, stop)


def connections_per_address(settings: Settings) -> int:
    """Besides its sockets, a household's browsers hold some connections for pages."""
    return 2 * settings.limit_sockets + 100


def frames_at_once(settings: Settings) -> int:
    """Who sends more messages than allowed is told so and closed in good order; who sends many more is cut off, before
    they are decoded."""
    return max(FEWEST_DATA, 20 * settings.limit_actions)


def raise_file_limit() -> None:
    """Every connection needs a file descriptor; systems often allow a process 1,024 unless it asks for more."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def bind(host: str, port: int) -> list[socket.socket]:
    """Bind a socket to each address of the host that this machine has; none listens yet. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    missing: OSError | None = None
    for family, address in dict.fromkeys((family, address) for family, _, _, _, address in found):
        try:
            sockets.append(bound(family, address))
        except OSError as error:
            # Names often resolve to an IPv6 address on machines without IPv6.
            if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                for other in sockets:
                    other.close()
                raise
            missing = error
    if missing is not None and not sockets:
        raise missing
    return sockets


def bound(family: socket.AddressFamily, address: Any) -> socket.socket:
    one = socket.socket(family, socket.SOCK_STREAM)
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; accepted connections inherit it
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(UNREAD * 1000))
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)  # IPv4 gets its own socket
        one.bind(address)
    except OSError:
        one.close()
        raise
    return one


def run_server(settings: Settings, sockets: list[socket.socket], app: FastAPI | None = None) -> int:
    """Serve on these sockets until a signal stops the server. Returns the exit code.

    `app`: for development, an application for this one process; addresses are not printed then."""
    config = uvicorn.Config(
        app or "app.server:application",
        factory=app is None,
        workers=settings.workers,
        loop="app.handover:ListeningLoop" if settings.workers > 1 and POSSIBLE else "auto",
        http="app.connections:GuardedConnection",
        ws="websockets-sansio",
        ws_per_message_deflate=True,
        ws_max_size=LARGEST_MESSAGE,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # app/web/edge.py handles them
        timeout_graceful_shutdown=PATIENCE,
        timeout_worker_healthcheck=SLOWEST,
    )
    if app is not None:
        uvicorn.Server(config).run(sockets)
        return 0
    if settings.workers == 1:
        OneWorker(config, lambda: greet(settings)).run(sockets)
        return 0
    with metrics.counted_together(), between_workers():
        supervisor = ManyWorkers(config, sockets, lambda: greet(settings))
        supervisor.run()
    return 1 if supervisor.failed else 0


class OneWorker(uvicorn.Server):
    """uvicorn's server; calls `ready` when it serves."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready()


class Worker(Process):
    """A worker process. One that starts is not taken for one that hangs, and one that has ended is noticed at once."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]) -> None:
        super().__init__(config, sockets)
        self.began = time.monotonic()
        self.asked = False  # an answer is due
        self.serves: bool | None = None  # what it has answered last; None: it has not answered yet

    def is_alive(self, timeout: float = SLOWEST) -> bool:
        """Whether it runs and answers in time. Its first answer comes when its program has been loaded."""
        if self.serves is None:
            self.ask(0.0)
            return self.process.is_alive() and time.monotonic() - self.began < STARTING
        return self.ask(timeout)

    def is_ready(self, timeout: float = 0.0) -> bool:
        return bool(self.serves)

    def ask(self, timeout: float) -> bool:
        """Ping it, unless it owes an answer, and wait for this or for its end."""
        try:
            if not self.asked:
                self.parent_conn.send(b"ping")
            self.asked = True
            if self.parent_conn not in wait([self.parent_conn, self.process.sentinel], timeout):
                return False
            self.serves, self.asked = bool(self.parent_conn.recv()), False
        except (OSError, EOFError):
            return False
        return True


class ManyWorkers(Multiprocess):
    """uvicorn's supervisor; calls `ready` when the first worker serves, and drops the gauges of dead workers."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket], ready: Callable[[], None]) -> None:
        super().__init__(config, sockets)
        self.ready = ready
        self.ready_called = False
        self.counting: set[int] = set()

    def init_processes(self) -> None:
        self.processes = [self.begun() for _ in range(self.processes_num)]

    def begun(self) -> Worker:
        worker = Worker(self.config, self.sockets)
        worker.start()
        return worker

    def keep_subprocess_alive(self) -> None:
        """Called by uvicorn twice a second."""
        for n, process in enumerate(self.processes):
            if self.should_exit.is_set():
                return
            if not process.is_alive(SLOWEST):
                self.replace(n)
        alive = {process.pid for process in self.processes if process.pid is not None}
        for pid in self.counting - alive:
            metrics.worker_died(pid)
        self.counting = alive
        if not self.ready_called and any(process.is_ready() for process in self.processes):
            self.ready_called = True
            self.ready()

    def replace(self, n: int) -> None:
        """Start another process in place of one that hangs or has ended; none if it could not start: no other will."""
        old = self.processes[n]
        old.kill()
        old.join()
        if old.exitcode == STARTUP_FAILURE:
            log.error("a worker cannot start", worker=old.pid)
            self.should_exit.set()
        else:
            log.error("a worker has ended or hangs", worker=old.pid)
            self.processes[n] = self.begun()

    @property
    def failed(self) -> bool:
        """Whether a worker failed. The exit code is negative after a signal, which is no failure."""
        return any((process.exitcode or 0) > 0 for process in self.processes)


def greet(settings: Settings) -> None:
    everywhere = settings.host in ("", "0.0.0.0", "::")
    hosts = ["localhost", *here()] if everywhere else [settings.host]
    lines = ["Facedown. Open one of these in a browser:"]
    for host in hosts:
        note = "  (on this machine only)" if host in ("localhost", "127.0.0.1", "::1") else ""
        shown = f"[{host}]" if ":" in host else host
        lines.append(f"  http://{shown}:{settings.port}/{note}")
    if settings.public_url:
        lines.append(f"  {settings.public_url}/  (PUBLIC_URL: in links and QR codes)")
    print("\n".join(lines), flush=True)
