"""The public position as plain data, as `facedown simulate` writes it."""

from msgspec import Struct, field

from engine import Event
from engine.games.tomb import facts
from engine.games.tomb.effects import GOODS
from engine.games.tomb.state import PAWS, START, TOKENS, Digs, Market


class BoardTold(Struct):
    food: int = START[0]
    torch: int = START[1]
    pickaxe: int = START[2]
    gold: int = START[3]
    glory: int = START[4]
    paws: int = PAWS  # in reserve
    tokens: int = TOKENS
    helpers: list[str] = field(default_factory=list)
    camp: list[str] = field(default_factory=list)
    chests: list[str] = field(default_factory=list)  # unused
    used: int = 0  # number of used chests


class CellTold(Struct):
    room: str = ""
    owner: int | None = None
    paw: int | None = None
    chest: str = ""


class EntranceTold(Struct):
    card: str
    paw: int | None = None
    token: bool = False  # T-160
    owner: int | None = None  # of a turned card


class MarketTold(Struct):
    shown: list[str]
    deck: int
    discard: list[str]


class PositionTold(Struct):
    """Everything that lies on the table."""

    cells: dict[str, CellTold]
    entrances: dict[str, EntranceTold]
    rooms: MarketTold
    helpers: MarketTold
    supply: int
    boards: list[BoardTold]


class SetUp(Event, frozen=True):
    """A game begins at a position that somebody has set up, in place of a deal."""

    position: PositionTold


def laid_out(deal: facts.Deal, seats: int) -> PositionTold:
    rooms, helpers = deal.discarded
    return PositionTold(
        cells={cell: CellTold(chest=chest) for cell, chest in deal.chests.items()},
        entrances={slot: EntranceTold(card, token=card in deal.secret) for slot, card in deal.entrances.items()},
        rooms=MarketTold([*deal.rooms], deal.decks[0], [rooms]),
        helpers=MarketTold([*deal.helpers], deal.decks[1], [helpers]),
        supply=deal.supply,
        boards=[BoardTold() for _ in range(seats)],
    )


def told_position(g: Digs) -> PositionTold:
    cells = {}
    for cell in g.layout.cells:
        room = g.rooms.get(cell)
        owner = room.seat if room else None
        cells[cell] = CellTold(room.card if room else "", owner, g.paws.get(cell), g.chests.get(cell, ""))
    return PositionTold(
        cells=cells,
        entrances={
            slot: EntranceTold(card, g.paws.get(slot), card in g.secret, g.turned.get(card))
            for slot, card in g.entrances.items()
        },
        rooms=told_market(g.rooms_market),
        helpers=told_market(g.helpers_market),
        supply=len(g.supply),
        boards=[
            BoardTold(
                **dict(zip(GOODS, player.goods, strict=True)),
                paws=player.paws,
                tokens=player.tokens,
                helpers=[*player.helpers],
                camp=[*player.camp],
                chests=[*player.chests],
                used=len(player.used),
            )
            for player in g.players
        ],
    )


def told_market(market: Market) -> MarketTold:
    return MarketTold([*market.shown], len(market.deck), [*market.discard])
