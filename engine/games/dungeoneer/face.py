"""What pages show besides the views: the printed cards, and the map as it is drawn."""

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from engine import Shared
from engine.games.dungeoneer.bouts import BoutFace, bout_faces
from engine.games.dungeoneer.cards import QUESTS_TO_WIN, SIDES, Deck, deck
from engine.games.dungeoneer.grid import Spot, by_cell, exit_of, opened_exits, passages, printed_exit
from engine.games.dungeoneer.names import NAMES, SHORT
from engine.games.dungeoneer.view import DelverSeen, Public

LAYING = ("Lay", "LayTile", "Shift")  # questions whose answers name empty cells
ON_MAP = (*LAYING, "Transfer", "Forced")  # also those that name locations


class Frame(Struct, frozen=True):
    """The part of the grid that is drawn: all cards, and the cells around them while one is laid."""

    x: int  # of the first column
    y: int
    columns: int
    rows: int


class DoorFace(Struct, frozen=True):
    side: int  # 0: north, then clockwise
    kind: str  # "open", "wall", "blocked" or "trap", as it is now
    number: int
    joined: bool  # it is a passage to another location


Doors = tuple[DoorFace, ...]  # north, east, south, west


class FlagFace(Struct, frozen=True):
    """A quest that goes on in a location."""

    seat: int  # -1: a common one
    quest: str
    dropped: bool = False  # an escort that belongs to nobody


class TileFace(Struct, frozen=True):
    """A location on the map."""

    name: str
    kind: str
    column: int  # in the frame, from 1
    row: int
    turned: bool
    silenced: bool
    bridge: bool
    doors: Doors
    heroes: tuple[int, ...]
    flags: tuple[FlagFace, ...]


class Summary(Struct, frozen=True):
    deck: Deck
    names: Mapping[str, str]
    short: Mapping[str, str]  # of some locations, for the map
    printed: Mapping[str, tuple[Doors, Doors]]  # of all locations, as drawn and turned
    frame: Frame
    tiles: tuple[TileFace, ...]  # row by row
    bouts: tuple[BoutFace, ...]  # the attacks of the battle that is going on
    fighting: bool  # the battle or the check is shown in place of the map, unless a place is chosen
    no_third: bool  # nobody can complete three quests any more


def summary(shared: Shared[Public]) -> Summary:
    public = shared.public
    frame = frame_of(public.spots, margin=shared.asks in LAYING)
    order = sorted(public.spots, key=lambda name: (public.spots[name].y, public.spots[name].x))
    tiles = tuple([tile(public, frame, name) for name in order])
    fighting = bool(public.threat or (public.group and public.group.battles)) and shared.asks not in ON_MAP
    no_third = public.turn > 0 and all(within_reach(public, one) < QUESTS_TO_WIN for one in public.delvers if one.alive)
    return Summary(deck(), NAMES, SHORT, printed_doors(), frame, tiles, bout_faces(public), fighting, no_third)


def within_reach(public: Public, one: DelverSeen) -> int:
    """D-79 At most so many quests can this hero have completed at the end. D-75 Escorts of others can be stolen."""
    known = deck().quests
    others = [quest for other in public.delvers if other.alive and other.seat != one.seat for quest in other.quests]
    renewed = {"fresh", "impersonal"} & set(public.variants)
    drawn = any(renewed or "artifact" not in known[quest].categories for quest in public.common)
    return (
        len(one.completed)
        + len(one.quests)
        + len(public.common)
        + len(public.dropped)
        + sum(bool(known[quest].goal) for quest in others)
        + (public.quests if drawn else 0)
    )


@cache
def printed_doors() -> Mapping[str, tuple[Doors, Doors]]:
    def doors(name: str, turned: bool) -> Doors:
        exits = [printed_exit(name, side, turned) for side in SIDES]
        return tuple([DoorFace(n, exit.kind, exit.number, False) for n, exit in enumerate(exits)])

    return {name: (doors(name, False), doors(name, True)) for name in deck().locations}


def frame_of(spots: Mapping[str, Spot], margin: bool) -> Frame:
    columns, rows = [spot.x for spot in spots.values()] or [0], [spot.y for spot in spots.values()] or [0]
    x, y = min(columns) - margin, min(rows) - margin
    return Frame(x, y, max(columns) + margin - x + 1, max(rows) + margin - y + 1)


def tile(public: Public, frame: Frame, name: str) -> TileFace:
    spots, spot = public.spots, public.spots[name]
    joined = passages(spots, name, by_cell(spots))
    opened = opened_exits(public.delvers)
    exits = [(side, exit_of(spots, name, side, opened)) for side in SIDES]
    return TileFace(
        name=name,
        kind=deck().locations[name].type,
        column=spot.x - frame.x + 1,
        row=spot.y - frame.y + 1,
        turned=spot.turned,
        silenced=spot.silenced,
        bridge=spot.bridge,
        doors=tuple([DoorFace(n, exit.kind, exit.number, side in joined) for n, (side, exit) in enumerate(exits)]),
        heroes=tuple([one.seat for one in public.delvers if one.alive and one.hero and one.at == name]),
        flags=tuple(flags(public, name)),
    )


def flags(public: Public, name: str) -> Iterator[FlagFace]:
    """The quests whose next step is here. Those that may be anywhere must be searched for and are not marked."""
    held = [(quest, one.seat, one.escorts) for one in public.delvers for quest in one.quests if one.alive]
    for quest, seat, begun in [*held, *((quest, -1, ()) for quest in public.common)]:
        card = deck().quests[quest]
        if name == card.goal if quest in begun else name in card.places:
            yield FlagFace(seat, quest)
    yield from (FlagFace(-1, lost.quest, dropped=True) for lost in public.dropped if lost.at == name)
