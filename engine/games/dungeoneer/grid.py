"""The map: location cards on a grid, the exits between them, and where another card fits."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Literal, Protocol

from msgspec import Struct, structs

from engine.games.dungeoneer.cards import SIDES, ExitRule, deck

STEPS = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}  # D-27 x grows east, y grows south
OPPOSITE = {"n": "s", "e": "w", "s": "n", "w": "e"}
OPEN = ExitRule("open")
Misfit = Literal["", "taken", "apart", "wall", "closes"]  # why a card may not lie there; "": it may

Cell = tuple[int, int]


class Spot(Struct):
    """Where a location card lies, and the tokens on it."""

    x: int
    y: int
    turned: bool = False  # by 180 degrees
    silenced: bool = False  # D-35 a deactivation token lies here
    bridge: bool = False

    @property
    def cell(self) -> Cell:
        return self.x, self.y


Atlas = Mapping[str, Spot]


@cache
def printed_exit(location: str, side: str, turned: bool) -> ExitRule:
    """D-27 A turned card has north and south, and east and west exchanged."""
    return deck().locations[location].doors[(SIDES.index(side) + 2 * turned) % 4]


class Traveller(Protocol):
    """A hero, as far as the map is concerned: where it is, and the side of the exit that it has opened there."""

    @property
    def at(self) -> str: ...

    @property
    def opened(self) -> str: ...


Exits = Collection[tuple[str, str]]  # locations and sides


def opened_exits(heroes: Iterable[Traveller]) -> Exits:
    """D-84 What one hero has opened is open for all while that hero stays."""
    return {(hero.at, hero.opened) for hero in heroes if hero.opened}


def exit_of(atlas: Atlas, location: str, side: str, opened: Exits = ()) -> ExitRule:
    """The exit as it is now: under a bridge the trap is open, and so is what heroes have `opened`."""
    spot = atlas[location]
    found = printed_exit(location, side, spot.turned)
    return OPEN if (spot.bridge and found.kind == "trap") or (location, side) in opened else found


def is_wall(atlas: Atlas, location: str, side: str) -> bool:
    return printed_exit(location, side, atlas[location].turned).kind == "wall"


def beside(cell: Cell, side: str) -> Cell:
    dx, dy = STEPS[side]
    return cell[0] + dx, cell[1] + dy


def by_cell(atlas: Atlas) -> dict[Cell, str]:
    return {spot.cell: location for location, spot in atlas.items()}


def passages(atlas: Atlas, location: str, cells: Mapping[Cell, str] | None = None) -> dict[str, str]:
    """D-28 The sides of this location through which a hero can go, and where each leads."""
    cells = by_cell(atlas) if cells is None else cells
    found = {}
    for side in SIDES:
        other = cells.get(beside(atlas[location].cell, side))
        if other and not is_wall(atlas, location, side) and not is_wall(atlas, other, OPPOSITE[side]):
            found[side] = other
    return found


def touching(atlas: Atlas, location: str, cells: Mapping[Cell, str]) -> Iterable[str]:
    return (cells[cell] for side in SIDES if (cell := beside(atlas[location].cell, side)) in cells)


def distances(atlas: Atlas, start: str, walls: bool = True) -> dict[str, int]:
    """The number of steps from `start` to every location that can be reached. Without `walls`, every pair of
    neighbouring cards is connected (D-34)."""
    cells = by_cell(atlas)
    found, ahead = {start: 0}, [start]
    for location in ahead:
        for other in passages(atlas, location, cells).values() if walls else touching(atlas, location, cells):
            if other not in found:
                found[other] = found[location] + 1
                ahead.append(other)
    return found


def separation(atlas: Atlas, location: str, entrance: str) -> int:
    """D-73 The locations that lie between this one and the entrance."""
    far = distances(atlas, entrance)
    if location not in far:
        far = distances(atlas, entrance, walls=False)
    return max(0, far[location] - 1)


# Where a card fits ----------------------------------------------------------------------------------------------------


class Fit:
    """Tells where on a map a card may be laid. `more`: other cards remain to be laid afterwards."""

    def __init__(self, atlas: Atlas, more: bool) -> None:
        self.cells = by_cell(atlas)
        self.atlas = atlas
        self.more = more
        # for each empty cell that an exit faces, how many do
        self.ends: dict[Cell, int] = {}
        for location, spot in atlas.items():
            for side in SIDES:
                cell = beside(spot.cell, side)
                if cell not in self.cells and not is_wall(atlas, location, side):
                    self.ends[cell] = self.ends.get(cell, 0) + 1

    def rim(self) -> list[Cell]:
        """The empty cells that an exit faces: nearest to the entrance first, then smaller y, then smaller x."""
        return sorted(self.ends, key=lambda cell: (abs(cell[0]) + abs(cell[1]), cell[1], cell[0]))

    def misfit(self, card: str, cell: Cell, turned: bool) -> Misfit:
        """D-29 to D-31 Why this card may not lie there."""
        if cell in self.cells:
            return "taken"
        joined, ahead = False, len(self.ends) > (cell in self.ends)
        for side in SIDES:
            wall = printed_exit(card, side, turned).kind == "wall"
            other = self.cells.get(beside(cell, side))
            if not other:
                ahead |= not wall
            elif wall is not is_wall(self.atlas, other, OPPOSITE[side]):
                return "wall"
            else:
                joined |= not wall
        if not joined:
            return "apart"
        return "closes" if self.more and not ahead else ""

    def places(self, card: str) -> list[tuple[int, int, int]]:
        """All x, y and orientations in which this card may be laid, in the order in which they are offered."""
        return [
            (*cell, 180 * turned)
            for cell in self.rim()
            for turned in (False, True)
            if not self.misfit(card, cell, turned)
        ]


def connected(atlas: Atlas) -> bool:
    """D-30 Whether every location has a way to the entrance."""
    return len(distances(atlas, deck().start)) == len(atlas)


def shifts(atlas: Atlas, location: str, more: bool) -> Iterator[Cell]:
    """D-33 The cells to which this location may be moved. Afterwards the whole map must follow the rules for laying."""
    rest = {name: spot for name, spot in atlas.items() if name != location}
    spot, fit, whole = atlas[location], Fit(rest, more), connected(rest)
    for cell in fit.rim():
        if cell == spot.cell or fit.misfit(location, cell, spot.turned):
            continue
        if whole or connected({**rest, location: structs.replace(spot, x=cell[0], y=cell[1])}):
            yield cell
