"""The views of Rodents and Tombs, and `shuffle_unknown`, which randomises what a seat cannot know."""

from engine import Chance
from engine.games.tomb.cards import CARDS
from engine.games.tomb.deeds import Decide
from engine.games.tomb.places import Slot
from engine.games.tomb.rules import ApplyLifted, Double, Tomb
from engine.games.tomb.scoring import line, rooms_of
from engine.games.tomb.seen import (
    CellSeen,
    EntranceSeen,
    Ledger,
    MarketSeen,
    Memory,
    PlayerSeen,
    Private,
    Public,
)
from engine.games.tomb.state import Context, Market, five


def public(g: Tomb) -> Public:
    """Everything but the order of decks and supply, and the faces of used chests."""
    layout = g.layout
    cells = []
    for cell in layout.cells:
        room = g.rooms.get(cell)
        cells.append(
            CellSeen(
                cell, room.card if room else "", room.seat if room else None, g.paws.get(cell), g.chests.get(cell, "")
            )
        )
    return Public(
        factions=tuple(g.factions),
        turn=g.turn,
        sort=g.sort,
        active=g.active,
        first=g.first,
        cells=tuple(cells),
        entrances=tuple([entrance_seen(g, slot) for slot in layout.slots]),
        rooms=market_seen(g.rooms_market),
        helpers=market_seen(g.helpers_market),
        supply=len(g.supply),
        players=tuple([player_seen(g, seat) for seat in range(g.seats)]),
        glory_at_end=g.glory_at_end,
        ended=g.ended,
        trigger=g.trigger if g.ended else None,
        ledger=Ledger(five(g.had), five(g.gained), five(g.spent)) if g.had else None,
        lifts=g.lifts,
        borrowed=tuple(g.borrowed),
        doubles=g.doubles,
        extra_actions=g.extra_actions,
        extra_turn=g.extra_turn,
        doing=doing(g),
        memory=Memory(
            tuple(g.todo), tuple(g.symbols), g.ignored, dict(g.fired), g.effective, g.movable, tuple(g.applied)
        ),
        over=not g.todo,
    )


def entrance_seen(g: Tomb, slot: Slot) -> EntranceSeen:
    card = g.entrances[slot]
    return EntranceSeen(slot, card, g.paws.get(slot), g.layout.opposite[slot], card in g.secret, g.turned.get(card))


def market_seen(market: Market) -> MarketSeen:
    back = CARDS[market.deck[0]].back if market.deck else ""
    return MarketSeen(tuple(market.shown), len(market.deck), back, tuple(market.discard))


def player_seen(g: Tomb, seat: int) -> PlayerSeen:
    player = g.players[seat]
    food, torch, pickaxe, gold, glory = player.goods
    return PlayerSeen(
        seat, food, torch, pickaxe, gold, glory, player.paws, player.tokens, tuple(player.helpers),
        tuple(player.camp), g.camp_limit(seat), tuple(player.chests), len(player.used), player.turns,
        line(glory, rooms_of(g, seat), player.helpers),
    )  # fmt: skip


def doing(g: Tomb) -> Context | None:
    ask = g.todo[-1] if g.todo else None
    return ask.context if isinstance(ask, Decide | Double | ApplyLifted) else None


def private(g: Tomb, seat: int) -> Private:
    return Private(tuple(g.players[seat].used))


def shuffle_unknown(g: Tomb, seat: int | None, chance: Chance) -> None:
    """Randomise the decks among cards with the same back, the chests that nobody has seen, the used chests of other
    seats and the random stream."""
    for market in g.markets:
        for back in ("green", "blue"):
            places = [n for n, card in enumerate(market.deck) if CARDS[card].back == back]
            cards = [market.deck[n] for n in places]
            chance.shuffle(cards)
            for n, card in zip(places, cards, strict=True):
                market.deck[n] = card
    others = [player for other, player in enumerate(g.players) if other != seat]
    chests = [*g.supply[: g.unseen], *(chest for player in others for chest in player.used)]
    chance.shuffle(chests)
    for player in others:
        player.used = [chests.pop() for _ in player.used]
    g.supply[: g.unseen] = chests
    g.chance = Chance("".join(f"{chance.word():016x}" for _ in range(4)))
