"""Sets up any position directly, by names, for a test or a lesson."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, field

from engine import Chance, Step
from engine.games.tomb import facts
from engine.games.tomb.cards import CARDS, DECK, NEUTRAL
from engine.games.tomb.effects import GLORY
from engine.games.tomb.places import layout
from engine.games.tomb.position_told import SetUp, told_position
from engine.games.tomb.rules import FACTIONS, AfterRemoval, BeginTurn, EndAction, EndTurn, LiftPaw, Score, Tomb
from engine.games.tomb.state import CAMP, MARKET, MOST, PAWS, START, TOKENS, Market, Owned, Player, five


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One player in a position. Paws and ownership tokens follow from the tomb."""

    food: int = START[0]
    torch: int = START[1]
    pickaxe: int = START[2]
    gold: int = START[3]
    glory: int = START[4]
    helpers: Sequence[str] = ()
    camp: Sequence[str] = ()
    chests: Sequence[str] = ()  # unused
    used: Sequence[str] = ()
    turns: int = 0


class PileOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rooms or helpers of a position; cards that are not named lie in the deck."""

    market: Sequence[str] = ()  # the others are the deck's next cards
    deck: Sequence[str] = ()  # the top cards
    discard: Sequence[str] = ()
    size: int | None = None  # of the deck; cards beyond that are discarded too


class Setting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position, by names; what is left out is as at the beginning, or drawn at random."""

    boards: Sequence[Board] = (Board(), Board())
    rooms: Mapping[str, tuple[str, int]] = field(default_factory=dict)  # by cell: room and owner
    paws: Mapping[str, int] = field(default_factory=dict)  # by entrance or cell: whose
    chests: Mapping[str, str] | None = None  # by cell; None: on every empty cell without a paw
    rooms_pile: PileOf = PileOf()
    helpers_pile: PileOf = PileOf()
    factions: Sequence[str] = ()  # more are added to the number that the game needs
    entrances: Mapping[str, str] = field(default_factory=dict)  # the card in each slot; the others as numbered
    secret: Sequence[str] = ()
    turned: Mapping[str, int] = field(default_factory=dict)  # by entrance card: its owner
    supply: Sequence[str] = ()  # the top chests
    active: int = 0
    first: int = 0
    turn: int = 0  # turns before this one
    removing: bool = False  # in the middle of the action Remove paws
    ended: str = ""  # why the end was triggered: last actions are left
    trigger: int | None = None  # whose turn that was; None: the seat before the active one
    seed: str = "00" * 32


def position_of_file(fields: Mapping[str, Any], seats: int) -> Tomb:
    """The position that the plain data of a file describes; its keys are the fields of `Setting`. Raises ValueError."""
    try:
        s = msgspec.convert({"boards": [{}] * seats, **fields}, Setting)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    if len(s.boards) != seats:
        raise ValueError(f"{len(s.boards)} boards, not {seats}")
    return set_up(s)


def position(*boards: Board, **where: Any) -> Tomb:
    """The state just before a turn of the active player. Raises ValueError if the position is impossible."""
    return set_up(Setting(boards=boards or (Board(), Board()), **where))


def set_up(s: Setting) -> Tomb:
    seats, chance = len(s.boards), Chance(s.seed)
    if seats not in FACTIONS:
        raise ValueError(f"{seats} boards: there are two or three")
    here = layout(seats)
    check_seats(s)
    check_places(s)
    factions = complete_factions(s, chance)
    known = {*factions, NEUTRAL}
    taken = [card for board in s.boards for card in (*board.helpers, *board.camp)]
    taken += [card for card, _ in s.rooms.values()]
    check_cards(s, taken)
    chests, supply = lay_chests(s, chance)
    g = Tomb(
        todo=[],
        chance=chance,
        players=[seat_player(s, seat, board) for seat, board in enumerate(s.boards)],
        factions=factions,
        entrances={slot: s.entrances.get(slot, slot) for slot in here.slots},
        chests=chests,
        supply=supply,
        unseen=len(supply),
        rooms_market=pile("room", s.rooms_pile, known, taken, chance),
        helpers_market=pile("helper", s.helpers_pile, known, taken, chance),
        secret=list(s.secret),
        turned=dict(s.turned),
        paws=dict(s.paws),
        rooms={cell: Owned(card, owner) for cell, (card, owner) in s.rooms.items()},
        first=s.first,
        active=s.active,
        turn=s.turn,
        ended=s.ended,
        trigger=(s.active - 1) % seats if s.trigger is None else s.trigger,
    )
    if sorted(g.entrances.values()) != sorted(here.slots):
        raise ValueError(f"entrances: each of {', '.join(here.slots)} lies once")
    for seat, player in enumerate(g.players):
        if player.paws < 0 or player.tokens < 0 or len(player.camp) > max(CAMP, g.camp_limit(seat)):
            raise ValueError(f"seat {seat}: too many paws, rooms or camp cards")
    g.tell(SetUp(told_position(g)))
    begin(g, s.removing)
    return g


def begin(g: Tomb, removing: bool) -> None:
    """T-143 After the end only last actions are left: of this seat and those behind it, up to the one that triggered
    it."""
    order = g.in_order(g.active)
    later = order[: order.index(g.trigger)] if g.ended else ()
    if not removing:
        if g.ended and not later:
            raise ValueError(f"seat {g.active} has triggered the end: the last action is another seat's")
        g.next(*([*last_actions(later)] if g.ended else [BeginTurn(g.active)]))
        return
    g.turn += 1
    g.sort = "last" if later else "turn"
    g.had, g.gained, g.spent = list(g.players[g.active].goods), [0] * 5, [0] * 5
    g.tell(facts.Turn(g.turn, g.active, g.sort))
    g.tell(facts.Act(g.turn, g.active, g.sort, "remove"))
    g.next(LiftPaw(), AfterRemoval(), EndAction(), EndTurn(), *(last_actions(later[1:]) if later else ()))


def last_actions(seats: Sequence[int]) -> list[Step[Any]]:
    return [*(BeginTurn(seat, "last") for seat in seats), Score()]


def check_seats(s: Setting) -> None:
    named = [s.active, s.first, *(owner for _, owner in s.rooms.values()), *s.turned.values(), *s.paws.values()]
    for seat in (*named, *([] if s.trigger is None else [s.trigger])):
        if not 0 <= seat < len(s.boards):
            raise ValueError(f"there is no seat {seat}")
    if s.ended not in ("", "rooms", "helpers", "glory"):
        raise ValueError(f"no game goes on after the end by {s.ended!r}: rooms, helpers, glory")


def check_places(s: Setting) -> None:
    here = layout(len(s.boards))
    for cell in (*s.rooms, *(s.chests or ())):
        if cell not in here.cells:
            raise ValueError(f"no cell {cell}")
    for place, seat in s.paws.items():
        if place not in here.order:
            raise ValueError(f"no paw of seat {seat} on {place}: there is no such place")
    for cell in s.chests or ():
        if cell in s.rooms or cell in s.paws:
            raise ValueError(f"no chest on {cell}: a room or a paw is there")
    for card in (*s.secret, *s.turned):
        if card not in DECK.entrances or not DECK.entrances[card].reverse:
            raise ValueError(f"entrance {card} has no reverse")


def check_cards(s: Setting, taken: Sequence[str]) -> None:
    rooms = [card for card, _ in s.rooms.values()]
    named = {"room": [*rooms], "helper": [card for board in s.boards for card in board.helpers]}
    for sort, given in (("room", s.rooms_pile), ("helper", s.helpers_pile)):
        named[sort] += [*given.market, *given.deck, *given.discard]
    for sort, cards in named.items():
        for card in cards:
            if card not in CARDS or CARDS[card].sort != sort:
                raise ValueError(f"no {sort} {card}")
    every = [
        *taken,
        *(card for given in (s.rooms_pile, s.helpers_pile) for card in (*given.market, *given.deck, *given.discard)),
    ]
    for card in every:
        if card not in CARDS or every.count(card) > 1:
            raise ValueError(f"{card} is there {every.count(card)} times" if card in CARDS else f"no card {card}")


def complete_factions(s: Setting, chance: Chance) -> list[str]:
    cards = [card for board in s.boards for card in (*board.helpers, *board.camp)]
    cards += [card for card, _ in s.rooms.values()]
    for given in (s.rooms_pile, s.helpers_pile):
        cards += [*given.market, *given.deck, *given.discard]
    found = list(dict.fromkeys([*s.factions, *(CARDS[card].faction for card in cards if card in CARDS)]))
    found = [faction for faction in found if faction != NEUTRAL]
    others = [faction for faction in DECK.factions if faction not in found]
    chance.shuffle(others)
    wanted = FACTIONS[len(s.boards)]
    if len(found) > wanted or set(found) - set(DECK.factions):
        raise ValueError(f"factions {', '.join(found)}: {wanted} are in the game")
    return [*found, *others[: wanted - len(found)]]


def pile(sort: str, given: PileOf, known: set[str], taken: Sequence[str], chance: Chance) -> Market:
    """T-17 The cards that are not named, green ones on top."""
    named = {*taken, *given.market, *given.deck, *given.discard}
    rest = []
    for back in ("green", "blue"):
        cards = [
            c.id
            for c in CARDS.values()
            if c.sort == sort and c.back == back and c.faction in known and c.id not in named
        ]
        chance.shuffle(cards)
        rest += cards
    market = [*given.market]
    while len(market) < MARKET and rest:
        market.append(rest.pop(0))
    deck, discard = [*given.deck, *rest], [*given.discard]
    if given.size is not None:
        discard, deck = [*discard, *deck[given.size :]], deck[: given.size]
    if not given.discard and given.size is None and deck:
        discard = [deck.pop()]  # T-18
    return Market(sort, deck, [*market, *[""] * (MARKET - len(market))], discard)


def lay_chests(s: Setting, chance: Chance) -> tuple[dict[str, str], list[str]]:
    """The chests in cells and in the supply."""
    here = layout(len(s.boards))
    held = [chest for board in s.boards for chest in (*board.chests, *board.used)]
    named = [*held, *(s.chests or {}).values(), *s.supply]
    for chest in named:
        if chest not in DECK.chests or named.count(chest) > 1:
            raise ValueError(f"no such chest, or more than one: {chest}")
    free = [chest for chest in DECK.chests if chest not in named]
    chance.shuffle(free)
    if s.chests is not None:
        return dict(s.chests), [*s.supply, *free]
    empty = [cell for cell in here.cells if cell not in s.rooms and cell not in s.paws]
    laid = dict(zip(empty, free, strict=False))
    return laid, [*s.supply, *free[len(laid) :]]


def seat_player(s: Setting, seat: int, board: Board) -> Player:
    goods = (board.food, board.torch, board.pickaxe, board.gold, board.glory)
    if any(not 0 <= n <= MOST for n in goods[:GLORY]) or board.glory < 0:
        raise ValueError(f"seat {seat} cannot have {goods}")
    owned = sum(owner == seat for _, owner in s.rooms.values()) + sum(owner == seat for owner in s.turned.values())
    return Player(
        goods=list(five(goods)),
        paws=PAWS - sum(other == seat for other in s.paws.values()),
        tokens=TOKENS - owned,
        helpers=list(board.helpers),
        camp=list(board.camp),
        chests=list(board.chests),
        used=list(board.used),
        turns=board.turns,
    )
