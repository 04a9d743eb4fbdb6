"""Everything that may be shown of a table after one commit, as an immutable value. Pages, sockets, programs, bots and
deadlines read nothing else.

A seat's own view is made on first use, and later pictures reuse it until it changes. The engine's table behind a
picture never changes, because `Sitting.apply` plays on a copy.
"""

from collections.abc import Hashable, Mapping

import msgspec
from msgspec import Struct

from app.table.announcements import Announcement
from app.table.claims import claimable
from app.table.dealing import pledges
from app.table.events import Events, History
from app.table.options import seats_to_be
from app.table.returning import lost
from app.table.saved import SavedSitting, Seat, SeatClaim
from app.table.seats import open_seats, rest_ends
from app.table.sitting import Sitting
from engine.game import Game
from engine.steps import Move
from engine.table import Table
from engine.views import Own, Shared


class SeatCard(Struct, frozen=True):
    n: int
    name: str
    kind: str  # "person", "bot" or "free"
    bot: str  # the bot that plays; "" for none
    ready: bool
    away: bool
    host: bool
    stand_in: bool  # a bot plays for a person who is away
    newcomer: bool  # its person has come in the middle of the game; a bot plays the seat until the next reveal
    left: bool  # its person left during the game; the name stays
    reminded: bool = False  # a bot was asked for during the current choice: the next request limits its time
    pledge: str = ""  # the digest of its salt for the next deal


class ClaimCard(Struct, frozen=True):
    """Somebody asks for a seat, and gets it if nobody objects in time."""

    seat: int
    name: str  # who asks; "": others, for a bot
    agreed: list[int] = []  # seats whose people have agreed; at least one must, unless `silence` of the table


class Card(Struct, frozen=True):
    """What everybody may know of a table apart from its game."""

    code: str
    game: str
    phase: str  # "lobby", "playing" or "over"
    plays: int  # number of games begun at this table
    locked: bool
    seconds: int  # for a choice; 0: unlimited
    options: dict[str, str]
    seats: list[SeatCard]
    commitment: str  # of the seed of this game or, in the lobby, of the next
    claim: ClaimCard | None = None
    dealing: bool = False  # the start was given, pledged salts are awaited
    silence: bool = False  # whoever asks for a seat gets it even if nobody agrees, unless somebody objects


class Me(Struct, frozen=True, cache_hash=True):
    """The viewer, as far as a page may depend on it."""

    seat: int | None
    host: bool
    name: str
    person: bool  # has a cookie or token; others may only watch
    can_take: tuple[int, ...]  # seats that this person may take now
    held: int | None = None  # without a seat: the one that this person held earlier in this game
    can_claim: tuple[int, ...] = ()  # seats that this person may ask for
    claims: int | None = None  # the seat that this person has asked for
    newcomer: int | None = None  # the seat that this person has taken, and sees into after the next reveal
    lost: int | None = None  # the seat that this person takes back by coming back


class Picture(Struct, frozen=True, eq=False):
    """The revisions tell what has changed since another picture of the same table: see `Sitting`."""

    seats_revision: int
    events_revision: int
    ready_revision: int
    seq: int  # number of the newest entry; never shown, because it counts the draft steps of others
    token: str
    card: Card
    game: Game
    version: int  # number of the running game's events
    at: float  # time of the newest entry
    ends_at: float | None  # when the time for the current choice runs out
    seats_to_be: int  # in the lobby: the number of seats that options are offered for
    events: Events  # of the running game
    claim: SeatClaim | None
    dealing: float | None  # until when pledged salts may be opened
    open_in_lobby: tuple[int, ...]  # seats that anybody may take there, if the table is not locked
    claimable: tuple[int, ...]  # seats that may be asked for
    turned_down: frozenset[str]  # persons who may not ask any more
    announcements: tuple[Announcement, ...]  # the newest about the people of this game, or of this lobby
    reveal: Events  # those that pages animate: the last reveal (at first the game's beginning) and all later events
    shared: Shared | None  # the game's view for everybody; None in the lobby
    shared_without_answers: Shared | None  # without who has handed in, and without digests
    people: Mapping[str, int]  # person -> seat
    hosts: frozenset[str]
    held: Mapping[str, int]  # person -> the seat held at any time in this game
    lost: Mapping[str, int]  # person -> the seat that somebody else was given, and that this person may take back
    rest_ends: float | None  # when others may ask for the next seat of somebody who is away
    _table: Table | None  # the engine's table, for own views; never changed
    _owns: dict[int, Own]  # own views made so far, by seat

    # the viewer ---------------------------------------------------------------------------------------------------

    def seat_of(self, person: str) -> int | None:
        return self.people.get(person)

    def me(self, person: str, name: str = "") -> Me:
        seat = self.seat_of(person)
        shown = self.card.seats[seat].name if seat is not None else name
        if seat is not None and self.card.seats[seat].newcomer:
            return Me(None, person in self.hosts, shown, True, (), newcomer=seat)
        if seat is not None:
            return Me(seat, person in self.hosts, shown, True, ())
        claims = self.claim.seat if self.claim is not None and person and self.claim.person == person else None
        open_to, held = self.open_to(person), self.held.get(person)
        can_claim, lost = self.claimable_by(person), self.lost.get(person)
        return Me(None, person in self.hosts, shown, bool(person), open_to, held, can_claim, claims, lost=lost)

    def claimable_by(self, person: str) -> tuple[int, ...]:
        """Seats that this person, who has none, may ask for now."""
        if self.claim is not None or person in self.turned_down:
            return ()
        held = self.held.get(person) if person else None
        if self.card.locked and held is None:
            return ()
        return tuple(seat for seat in self.claimable if held in (None, seat))

    def open_to(self, person: str) -> tuple[int, ...]:
        """Seats that this person may take."""
        if self.card.locked or self.card.phase == "over":
            return ()
        if self.card.phase == "lobby":
            return self.open_in_lobby
        held = self.held.get(person) if person else None
        return tuple(seat.n for seat in self.card.seats if seat.kind == "bot" and held in (None, seat.n))

    def holders(self, seat: int) -> list[str]:
        return [person for person, n in self.people.items() if n == seat]

    # what a seat sees ---------------------------------------------------------------------------------------------

    def own(self, seat: int | None) -> Own | None:
        """This seat's own view, as its person sees it; the same object as long as it does not change."""
        if seat is None or self._table is None or self.card.seats[seat].newcomer:
            return None
        return self.own_of_bot(seat)

    def own_of_bot(self, seat: int) -> Own:
        """This seat's own view for a bot, which also plays for a newcomer."""
        assert self._table is not None
        found = self._owns.get(seat)
        if found is None:
            found = self._owns[seat] = self._table.own(seat)
        return found

    # for bots and deadlines ---------------------------------------------------------------------------------------

    @property
    def round(self) -> int:
        """The round that a move must name; -1 in the lobby."""
        return self._table.round if self._table else -1

    @property
    def scope(self) -> str:
        """What the current ask is a part of; "" if it stands alone."""
        return self._table.scope if self._table else ""

    @property
    def in_window(self) -> bool:
        """Whether it is hidden whom the table asks."""
        return self.shared is not None and not self.shared.over and self.shared.asked is None

    @property
    def bots_to_move(self) -> list[int]:
        """Seats that the table waits for and that a bot plays."""
        waits = self._table.waits if self._table else []
        return [seat for seat in waits if self.card.seats[seat].bot]

    def spares(self, seat: int) -> bool:
        """Whether the table answers for the person at this seat, whom a window need not disturb."""
        return self._table is not None and not self.card.seats[seat].bot and self._table.spared(seat)

    def completes(self, seat: int, move: Move) -> bool:
        """Whether this word would complete the answer of a seat that the table waits for."""
        return self._table is not None and self._table.completes(seat, move)

    def waits_for(self, seat: int) -> bool:
        """Whether the table waits for this seat, even where the game hides it."""
        return self._table is not None and seat in self._table.waits

    def people_asked(self) -> bool:
        """Whether a person plays one of the asked seats."""
        asked = self._table.asked if self._table else ()
        return any(not self.card.seats[seat].bot for seat in asked)

    def default(self, seat: int) -> Move:
        """The engine's fallback move for a seat that the table waits for."""
        assert self._table is not None
        return self._table.default(seat)

    def frugal(self, seat: int) -> list[Move]:
        """The words that may be played for a seat that the table waits for when its time runs out."""
        assert self._table is not None
        return self._table.frugal(seat)


def draw(sitting: Sitting, history: History, before: Picture | None = None) -> Picture:
    """The picture of this sitting. Parts that have not changed since `before`, of the same table, are reused."""
    if before is not None and before.events_revision == sitting.events_revision:
        return redrawn(sitting, before)
    saved, table = sitting.saved, sitting.table
    shared = table.shared() if table else None
    shared_without_answers = msgspec.structs.replace(shared, waits=None, digests={}) if shared else None
    if before is not None and before.seats_revision == sitting.seats_revision:
        return msgspec.structs.replace(
            before,
            events_revision=sitting.events_revision,
            ready_revision=sitting.ready_revision,
            seq=saved.seq,
            version=sitting.version,
            at=saved.at,
            ends_at=saved.ends_at,
            events=history.all,
            announcements=tuple(saved.announcements),
            reveal=history.reveal,
            shared=shared,
            shared_without_answers=shared_without_answers,
            _table=table,
            _owns={},
        )
    return Picture(
        seats_revision=sitting.seats_revision,
        events_revision=sitting.events_revision,
        ready_revision=sitting.ready_revision,
        seq=saved.seq,
        token=saved.token,
        card=card_of(sitting),
        game=sitting.game,
        version=sitting.version,
        at=saved.at,
        ends_at=saved.ends_at,
        seats_to_be=seats_to_be(sitting) if saved.phase == "lobby" else len(saved.seats),
        events=history.all,
        claim=saved.claim,
        dealing=saved.dealing,
        open_in_lobby=tuple(open_seats(sitting)) if saved.phase == "lobby" else (),
        claimable=claimable(sitting),
        turned_down=frozenset(saved.turned_down),
        announcements=tuple(saved.announcements),
        reveal=history.reveal,
        shared=shared,
        shared_without_answers=shared_without_answers,
        people={person: n for n, seat in enumerate(saved.seats) for person in seat.holders},
        hosts=hosts_of(sitting),
        held=saved.held,
        lost=dict(lost(sitting)),
        rest_ends=rest_ends(saved.seats),
        _table=table,
        _owns={},
    )


def redrawn(sitting: Sitting, before: Picture) -> Picture:
    """The picture if only drafts and hand-ins have changed since `before`."""
    table, saved = sitting.table, sitting.saved
    if table is None or before._table is None or before.shared is None:
        return msgspec.structs.replace(before, seq=saved.seq, at=saved.at)
    shared = before.shared
    if sitting.ready_revision != before.ready_revision:
        shared = table.shared(before.shared.public)
    owns = {seat: own for seat, own in before._owns.items() if answer_state(table, seat) == own_state(own)}
    return msgspec.structs.replace(
        before,
        ready_revision=sitting.ready_revision,
        seq=saved.seq,
        at=saved.at,
        shared=shared,
        _table=table,
        _owns=owns,
    )


def answer_state(table: Table, seat: int) -> Hashable:
    """Until the next event, a seat's own view depends on nothing else; `own_state` of that view."""
    return table.drafts.get(seat, ()), seat in table.secrets, table.order(seat), table.spared(seat)


def own_state(own: Own) -> Hashable:
    return own.draft, own.ready, own.order, own.spared


def card_of(sitting: Sitting) -> Card:
    saved = sitting.saved
    pledged = pledges(sitting)
    return Card(
        code=saved.code,
        game=saved.game,
        phase=saved.phase,
        plays=saved.plays,
        locked=saved.locked,
        seconds=saved.seconds,
        options=saved.options,
        seats=[seat_card(n, seat, saved, pledged[n]) for n, seat in enumerate(saved.seats)],
        commitment=sitting.commitment,
        claim=ClaimCard(saved.claim.seat, saved.claim.name, saved.claim.agreed) if saved.claim else None,
        dealing=saved.dealing is not None,
        silence=saved.silence,
    )


def seat_card(n: int, seat: Seat, saved: SavedSitting, pledge: str) -> SeatCard:
    kind = "person" if seat.person else "bot" if seat.bot or seat.left else "free"
    return SeatCard(
        n=n,
        name=seat.name,
        kind=kind,
        bot=seat.bot,
        ready=seat.ready,
        away=seat.away,
        host=bool(saved.host) and saved.host in seat.holders,
        stand_in=bool(seat.person and seat.bot and not seat.newcomer),
        newcomer=seat.newcomer,
        left=seat.left,
        reminded=n in saved.reminded,
        pledge=pledge,
    )


def hosts_of(sitting: Sitting) -> frozenset[str]:
    """All persons with the host's rights: the host, with or without a seat, and further devices at the host's seat."""
    host = sitting.saved.host
    seat = sitting.seat_of(host)
    return frozenset([host, *sitting.seats[seat].holders] if seat is not None else [host]) - {""}
