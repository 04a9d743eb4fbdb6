"""`Site`: what pages, JSON and sockets share, such as the house, limits, and what was rendered."""

import asyncio
import ipaddress
import random
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import structlog
from starlette.requests import HTTPConnection

from app import clock, metrics
from app.handover import Neighbours
from app.house.house import House
from app.house.open_table import Done, OpenTable, Subscription
from app.refusals import Refusal
from app.settings import Settings
from app.table import actions as do
from app.table.picture import Me
from app.web import languages
from app.web.addresses import here
from app.web.context import Audience, Scene
from app.web.edge import template
from app.web.fragments import Fragments
from app.web.json_view import JsonView
from app.web.limits import AddressLimit, Limit, neighbourhood
from app.web.messages import Lift, Ping, Said
from app.web.people import People, Visitor
from app.web.render_cache import RenderCache
from app.web.templates import Templates

log = structlog.get_logger("web")
MOST_BASES = 64
MOVING_SECONDS = 1.0  # in which sockets are closed whose table belongs to another worker now
RESTART = 1012  # the close code after which clients connect again


class OpenSocket(Protocol):
    table: OpenTable
    visitor: Visitor

    def end(self, code: int, reason: str) -> None:
        """Close the socket after what is queued was sent."""

    def log_out(self) -> None:
        """Close it because its person has logged out everywhere."""


class Limits:
    """All rate limits. Many people may share an address: eight phones and a television must fit."""

    def __init__(self, settings: Settings) -> None:
        actions, requests = settings.limit_actions, settings.limit_requests
        self.person = Limit(2 * actions, actions)
        self.address = AddressLimit(4 * requests, requests)
        # Actions that show nothing to others, each of which is a row for ever: of one person at one table, of all at a
        # table, and of all at one address.
        unshown = settings.limit_unshown
        self.fruitless = Limit(unshown, unshown / 1000)
        self.fruitless_table = Limit(5 * unshown, unshown / 250)
        self.fruitless_address = AddressLimit(5 * unshown, unshown / 100)
        # Seats taken by people without a cookie, each another person: at one table, and from one address.
        self.arrivals_table = Limit(requests, requests / 1000)
        self.arrivals = AddressLimit(requests / 2, requests / 500)
        self.names = Limit(5, 0.1)  # new names of one person: each renders all pages of the table anew
        self.bases = AddressLimit(20, 0.2)  # requests under new addresses of this server, see `base`
        self.tables = AddressLimit(max(2, settings.limit_tables / 2), settings.limit_tables / 3600)
        self.guesses = AddressLimit(
            max(2, settings.limit_codes / 2), settings.limit_codes / 60
        )  # wrong codes and passwords
        self.logouts = AddressLimit(10, 10 / 3600)  # each is a row for ever
        self.lost = AddressLimit(requests, requests / 20)  # wrong links
        self.files = AddressLimit(5, 0.2)  # logs to verify
        self.most_sockets = settings.limit_sockets
        self.sockets: dict[str, int] = {}  # open sockets by address

    @contextmanager
    def socket(self, address: str) -> Iterator[None]:
        held = self.sockets.get(address, 0)
        if held >= self.most_sockets:
            raise Refusal("too_fast", wait=10)
        self.sockets[address] = held + 1
        try:
            yield
        finally:
            left = self.sockets.pop(address) - 1
            if left:
                self.sockets[address] = left


class Site:
    def __init__(self, settings: Settings, house: House, templates: Templates) -> None:
        self.settings = settings
        self.house = house
        self.templates = templates
        self.cache = RenderCache()
        self.fragments = Fragments(templates, self.cache)
        self.limits = Limits(settings)
        self.people = People(house.secret_key, house.logouts.stays)
        self.watching: WeakKeyDictionary[OpenTable, int] = WeakKeyDictionary()
        self.bases: OrderedDict[str, None] = OrderedDict()  # the newest, see `base`
        self.stopping = False
        self.polls: set[Subscription] = set()
        self.sockets: set[OpenSocket] = set()
        self.neighbours: Neighbours | None = None  # the other workers of this machine, if there can be any
        house.logouts.after = self.end_sockets

    # clients -----------------------------------------------------------------------------------------------------

    def address(self, connection: HTTPConnection) -> str:
        return neighbourhood(connection.client.host if connection.client else "")

    def language(self, connection: HTTPConnection) -> str:
        cookie = connection.cookies.get(languages.COOKIE)
        return languages.choose(cookie, connection.headers.get("accept-language", ""))

    def base(self, connection: HTTPConnection) -> str:
        """Scheme and host for links: PUBLIC_URL, else those of this request."""
        if self.settings.public_url:
            return self.settings.public_url.rstrip("/")
        secure = connection.scope["scheme"] in ("https", "wss")
        base = f"{'https' if secure else 'http'}://{connection.headers.get('host', '')}"
        if base not in self.bases:  # nothing is cached for it: links and their pictures have to be made
            self.limits.bases.take(self.address(connection))
        self.bases[base] = None
        self.bases.move_to_end(base)
        if len(self.bases) > MOST_BASES:
            self.bases.popitem(last=False)
        return base

    def audience(self, connection: HTTPConnection, face: str) -> Audience:
        base = self.base(connection)
        parts = urlsplit(base)
        local = is_local(parts.hostname or "")
        port = f":{parts.port}" if parts.port else ""
        addresses = tuple(f"{parts.scheme}://{address}{port}" for address in here()) if local else ()
        return Audience(face, self.language(connection), base, local, addresses)

    # tables -------------------------------------------------------------------------------------------------------

    async def table(self, connection: HTTPConnection, token: str) -> OpenTable:
        """The table of a link. Wrong links count against a limit of their own; valid ones do not."""
        address = self.address(connection)
        self.limits.address.take(address)
        if token in self.house.tokens and (found := await self.house.by_token(token)) is not None:
            return found
        self.limits.lost.take(address)
        table = await self.house.by_token(token)
        if table is None:
            raise Refusal("unknown_table")
        self.limits.lost.give_back(address)
        return table

    async def read_up_to(self, table: OpenTable, version: int) -> None:
        """Read the table's log for a client that was told this version before, perhaps by another process and of a
        later game: it is not told less. Raises Refusal if the version is not reached and the log cannot be read."""
        if self.house.store.postgres:
            await self.house.recovery.catch_up(table)
            if version > table.version and table.unsure:
                raise Refusal("store_down")

    def scene(self, table: OpenTable, audience: Audience, me: Me | None) -> Scene:
        """The table as it is now, as seen by one viewer, or by everybody if `me` is None."""
        picture = table.picture
        # Only lobbies show watchers; in other phases a new watcher must not cause rendering.
        watchers = self.watching.get(table, 0) if picture.card.phase == "lobby" else 0
        return Scene.of(table.id, picture, watchers, audience, me)

    def json(self, table: OpenTable) -> JsonView:
        """The table as it is now, for programs."""
        return JsonView(self.cache, table.id, table.picture)

    def remaining(self, table: OpenTable) -> float | None:
        """Seconds left for the choice; None without a timer."""
        picture = table.picture
        # Not earlier than the last entry: a clock that jumps back must not extend the time.
        return None if picture.ends_at is None else max(0.0, picture.ends_at - max(clock.now(), picture.at))

    def take_arrival(self, table: OpenTable, address: str) -> None:
        """To be called before a person without a cookie or token takes a seat, or asks for one."""
        self.limits.arrivals.take(address)
        self.limits.arrivals_table.take(table.id)

    async def act(self, table: OpenTable, visitor: Visitor, said: Said, address: str) -> int:
        """Perform the action. Returns the new version."""
        answer = self.hand_in(table, visitor, said, address)
        return table.version if answer is None else (await answer).version

    def hand_in(self, table: OpenTable, visitor: Visitor, said: Said, address: str) -> "asyncio.Future[Done] | None":
        """Pass on an action from any channel. Returns its pending answer, or None if it is already done. `address` is
        the sender's, as `address` returns it."""
        if isinstance(said.message, Ping):
            return None
        if not visitor.person:
            raise Refusal("no_person", version=table.version)
        if isinstance(said.message, Lift):
            self.house.lift(table, visitor.person, said.message.round, said.message.move)
            return None
        if isinstance(said.message, do.Name):
            self.limits.names.take(visitor.person)
        limits, key, version = self.limits, f"{table.id} {visitor.person}", table.version
        limits.fruitless_table.check(table.id)
        limits.fruitless_address.check(address)
        limits.fruitless.take(key)
        pending = self.house.submit(table, visitor.person, said.message, said.id)

        def count(answer: "asyncio.Future[Done]") -> None:
            if answer.cancelled() or answer.exception() or shows(answer.result().version):
                limits.fruitless.give_back(key)
            else:
                limits.fruitless_table.charge(table.id)
                limits.fruitless_address.charge(address)

        def shows(after: int) -> bool:
            """Whether others see it: an event, or that a seat has handed in. Taking it back does count, so nobody can
            repeat both for ever."""
            if isinstance(said.message, do.StepBack):
                return False
            seat = table.picture.seat_of(visitor.person)
            handed_in = isinstance(said.message, do.Play) and seat is not None and not table.picture.waits_for(seat)
            return after != version or handed_in

        pending.add_done_callback(count)
        return pending

    def end_sockets(self, person: str) -> None:
        """This person has logged out everywhere: sockets that were opened before must be opened again."""
        for one in [one for one in self.sockets if one.visitor.person == person]:
            if self.people.current(one.visitor).person != person:
                one.log_out()
        for subscription in self.polls:
            subscription.notify()

    def watch(self, table: OpenTable, more: int) -> None:
        """Count a socket of a spectator: `more` is 1 when it opens, -1 when it closes."""
        self.watching[table] = max(0, self.watching.get(table, 0) + more)
        if table.picture.card.phase == "lobby":
            table.notify()

    @contextmanager
    def poll(self, table: OpenTable, person: str) -> Iterator[Subscription]:
        """Subscribe to changes and to shutdown. A waiting person counts as present, as with a socket."""
        with table.subscribe() as subscription:
            self.polls.add(subscription)
            if person:
                self.house.presence.socket_opened(table, person)
            try:
                yield subscription
            finally:
                self.polls.discard(subscription)
                if person:
                    self.house.presence.socket_closed(table, person)

    def stop(self) -> None:
        """Shutdown has begun: answer all long polls now."""
        self.stopping = True
        for subscription in self.polls:
            subscription.notify()

    def part_with_tables(self) -> None:
        """Another worker has come: close the sockets of tables that belong to it now. Their clients connect again."""
        loop = asyncio.get_running_loop()
        for one in self.sockets:
            if self.belongs_elsewhere(one):
                loop.call_later(random.uniform(0, MOVING_SECONDS), self.part_with, one)

    def part_with(self, one: OpenSocket) -> None:
        if one in self.sockets and self.belongs_elsewhere(one):
            one.end(RESTART, "moved")

    def belongs_elsewhere(self, one: OpenSocket) -> bool:
        return self.neighbours is not None and not self.neighbours.is_mine(one.table.picture.token)

    # refusals ----------------------------------------------------------------------------------------------------

    def note(self, refusal: Refusal, scope: Mapping[str, Any]) -> None:
        metrics.REFUSALS.labels(refusal.reason).inc()
        log.info("refused", reason=refusal.reason, route=template(scope) or None, status=refusal.status)

    def error(self, refusal: Refusal, language: str) -> dict[str, Any]:
        text = languages.translate(language, refusal.text)
        return {"error": {"reason": refusal.reason, "text": text, "version": refusal.version}}


def is_local(host: str) -> bool:
    """Is it a loopback name or address, which other devices cannot reach?"""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
