"""What each word that a player may say would do, computed from what the player knows."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import Struct, structs

from engine import Draft, Event, Move, Own, Shared
from engine.games.tomb import facts
from engine.games.tomb.ahead import answer, fork, imagine
from engine.games.tomb.cards import CARDS
from engine.games.tomb.deeds import Decide, any_possible
from engine.games.tomb.effects import Goods, Hire, HireOrReserve, Open, ReplaceSelf
from engine.games.tomb.goods import payments
from engine.games.tomb.places import Place, Slot
from engine.games.tomb.rules import MainAction, Tomb, lift
from engine.games.tomb.scoring import line, rooms_of
from engine.games.tomb.seen import Private, Public
from engine.games.tomb.state import Context, five

HIDDEN = (facts.Refilled, facts.ChestsDrawn)  # nobody knows yet what these will show


class Later(Struct, frozen=True):
    """What lifting a paw from here would bring, if it were the next thing to be done."""

    place: Place
    card: str  # "" on an empty cell
    owner: int | None
    goods: Goods  # what the player gains without any choice, helpers included
    helpers: tuple[str, ...]  # whose gains are among them
    asks: str  # the first step with a choice, as a verb: "open", "exchange"; "" if there is none
    idle: bool  # the card could do nothing now


class Fate(Struct, frozen=True):
    """What one word does. An answer that needs more words is completed with the first offer of each: the cheapest
    payment, the first cell."""

    events: tuple[dict[str, Any], ...]  # what happens at once, without what is still hidden
    goods: tuple[Goods, ...]  # by seat, afterwards
    seat: int | None  # who is asked next; None if the game is over
    asks: str
    later: tuple[Later, ...] = ()  # of a placement or a removal: what each paw there would bring
    shuts: tuple[Slot, ...] = ()  # of a placement: entrances that rivals could enter before
    pay: Goods | None = None  # of a card: the cheapest payment
    pays: tuple[Move, ...] = ()  # of a card: the words for all payments, the cheapest first
    rooms: int = 0  # what the sets of the player's rooms would count at the end, after this
    helpers: int = 0  # the same of the helpers
    then: "dict[Move, Fate]" = {}  # if a cell or a gain must be named next: what the word does with each of them


class Price(Struct, frozen=True):
    """A card that the present step could buy, whether or not it can be paid."""

    card: str
    pay: Goods | None  # the cheapest payment
    by_gold: int  # how much of it is gold in place of resources
    short: int  # units that are missing; 0 if it can be paid


class Forecast(Struct, frozen=True):
    words: dict[str, Fate]
    prices: tuple[Price, ...] = ()


def forecast(shared: Shared[Public], own: Own[Private]) -> Any:
    """A `Forecast` as plain data; empty if the seat is not asked."""
    if not own.moves:
        return {}
    return msgspec.to_builtins(forecast_of(imagine(shared.public, own.seat, own.private, Random(0)), own))


def forecast_of(g: Tomb, own: Own[Private]) -> Forecast:
    words = {word: whole_fate(g, own.seat, (*own.draft, word)) for word in own.moves}
    return Forecast(words, prices(g, own.seat))


def whole_fate(g: Tomb, seat: int, words: Draft) -> Fate:
    """What these words do, and with which further words they may be completed: a cell or a gain, and a payment."""
    found, after = fate(g, seat, words), following(g, seat, words)
    if after and after[0].startswith(("at ", "gain ")):
        found = structs.replace(found, then={word: fate(g, seat, (*words, word)) for word in after})
        words = (*words, after[0])  # what may follow is the same for all of them
        after = following(g, seat, words)
    if after and after[0].startswith("pay ") and not following(g, seat, (*words, after[0])):
        found = structs.replace(found, pays=tuple(after))
    return found


def following(g: Tomb, seat: int, words: Draft) -> list[Move]:
    """The words that may come next; none if the answer is complete."""
    ask: Any = g.todo[-1]
    return ask.options(g, seat, words) if ask.unfinished(g, seat, words) else []


def fate(g: Tomb, seat: int, words: Sequence[str]) -> Fate:
    tried = fork(g)
    events = tried_answer(tried, words)
    later: tuple[Later, ...] = ()
    shuts: tuple[Slot, ...] = ()
    if isinstance(g.todo[-1], MainAction):
        if words[0].startswith("place "):
            laid = [event.place for event in events if isinstance(event, facts.Laid)]
            later = tuple(later_from(tried, seat, place) for place in laid if tried.paws.get(place) == seat)
            shuts = shut_by(g, seat, words[0].split()[1])
        elif words[0] == "remove":
            later = tuple(later_from(g, seat, place) for place in g.paws_of(seat))
    elif words[0].startswith("lift "):
        later = (later_from(g, seat, words[0].split()[1]),)
    paid = [event.goods for event in events if isinstance(event, facts.Paid)]
    counted = line(0, rooms_of(tried, seat), tried.players[seat].helpers)
    return Fate(
        events=tuple(msgspec.to_builtins(event, str_keys=True) for event in events if not isinstance(event, HIDDEN)),
        goods=tuple(five(player.goods) for player in tried.players),
        seat=tried.active if tried.todo else None,
        asks=type(tried.todo[-1]).__name__ if tried.todo else "",
        later=later,
        shuts=shuts,
        pay=paid[0] if paid else None,
        rooms=counted.rooms,
        helpers=counted.helpers,
    )


def tried_answer(g: Tomb, words: Sequence[str]) -> list[Event]:
    """What happens at once: nothing of what follows in other turns."""
    events = []
    for event in answer(g, words):
        if isinstance(event, facts.Turn):
            break
        events.append(event)
    return events


def later_from(g: Tomb, seat: int, place: Place) -> Later:
    card, room = g.card_at(place), g.rooms.get(place)
    owner = room.seat if room else g.turned.get(card)
    context = Context(seat, card, "lift", place, above=(card,))
    if not card or not any_possible(g, context):
        return Later(place, card, owner, (0, 0, 0, 0, 0), (), "", True)
    tried = fork(g)
    tried.todo.clear()
    tried.told.clear()
    tried.active = seat
    lift(tried, seat, place)
    del tried.todo[0]  # without the next lift
    tried.run()
    gained = [event for event in tried.told if isinstance(event, facts.Gained) and event.seat == seat]
    ask = tried.todo[-1] if tried.todo else None
    return Later(
        place=place,
        card=card,
        owner=owner,
        goods=five([sum(event.goods[good] for event in gained) for good in range(5)]),
        helpers=tuple(dict.fromkeys(event.card for event in gained if event.card != card)),
        asks=verb_of(ask),
        idle=False,
    )


def verb_of(ask: Any) -> str:
    if isinstance(ask, Decide):
        return type(ask.step).__name__.lower()
    return "" if ask is None else type(ask).__name__.lower()


def shut_by(g: Tomb, seat: int, slot: Slot) -> tuple[Slot, ...]:
    """T-35 The entrances that a rival can no longer use: this one, and with two players the one opposite."""
    opposite = g.layout.opposite[slot]
    return (slot, opposite) if g.seats == 2 and opposite not in g.paws else (slot,)


def prices(g: Tomb, seat: int) -> tuple[Price, ...]:
    """What every card costs that the present step could buy."""
    ask: Any = g.todo[-1]
    if not isinstance(ask, Decide):
        return ()
    step = ask.step
    sorts = {Open: "room", ReplaceSelf: "room", Hire: "helper", HireOrReserve: "helper"}
    sort = sorts.get(type(step))
    if sort is None:
        return ()
    source, discount = getattr(step, "source", "both"), getattr(step, "discount", 0)
    shown = [card for card in (g.rooms_market if sort == "room" else g.helpers_market).shown if card]
    cards = [*(shown if source == "both" else []), *(c for c in g.players[seat].camp if CARDS[c].sort == sort)]
    return tuple(price(g, seat, card, discount) for card in cards)


def price(g: Tomb, seat: int, card: str, discount: int) -> Price:
    found = payments(g, seat, card, discount)
    if found:
        return Price(card, found[0], max(0, found[0][3] - CARDS[card].cost[3]), 0)
    return Price(card, None, 0, missing(g, seat, card, discount))


def missing(g: Tomb, seat: int, card: str, discount: int) -> int:
    """How many more units of gold would make it payable."""
    tried = fork(g)
    for more in range(1, 10):
        tried.players[seat].goods[3] += 1
        if payments(tried, seat, card, discount):
            return more
    return 10
