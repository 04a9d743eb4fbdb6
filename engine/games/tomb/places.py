"""The geometry of the tomb: entrances around cells. An entrance place is called slot and named by its number, "7.5";
a cell by its row and column, "c21". T-13 Inside the tomb are the cells only."""

from functools import cache

from msgspec import Struct

Slot = str
Cell = str
Place = str  # a slot or a cell

COLUMNS = (("4", "14"), ("5", "13"), ("6", "12"), ("7", "11"))
ROWS = {
    2: (("3", "8"), ("2", "9"), ("1", "10")),  # T-7 to T-9
    3: (("3.5", "7.5"), ("3", "8"), ("2", "9"), ("1", "10")),  # T-10
}


class Layout(Struct, frozen=True):
    slots: tuple[Slot, ...]  # clockwise from 1
    cells: tuple[Cell, ...]  # by row, then column
    lines: dict[Slot, tuple[Cell, ...]]  # the cells of its row or column
    opposite: dict[Slot, Slot]
    crossings: tuple[tuple[Cell, tuple[Slot, Slot], tuple[Slot, Slot]], ...]  # T-37 each cell: its row, its column
    near: dict[Cell, tuple[Cell, ...]]  # T-12
    order: dict[Place, int]  # of all places: slots, then cells


@cache
def layout(seats: int) -> Layout:
    rows, columns = ROWS[seats], COLUMNS
    slots = sorted([slot for line in (*rows, *columns) for slot in line], key=float)
    cells = {(r, c): f"c{r}{c}" for r in range(1, len(rows) + 1) for c in range(1, len(columns) + 1)}
    lines, opposite = {}, {}
    for number, ends in enumerate((*rows, *columns)):
        across = number < len(rows)
        at = number + 1 if across else number - len(rows) + 1
        line = tuple(cell for (r, c), cell in cells.items() if (r if across else c) == at)
        for slot, other in (ends, ends[::-1]):
            lines[slot], opposite[slot] = line, other
    near = {
        cell: tuple(cells[at] for at in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) if at in cells)
        for (r, c), cell in cells.items()
    }
    return Layout(
        slots=tuple(slots),
        cells=tuple(cells.values()),
        lines=lines,
        opposite=opposite,
        crossings=tuple((cell, rows[r - 1], columns[c - 1]) for (r, c), cell in cells.items()),
        near=near,
        order={place: n for n, place in enumerate((*slots, *cells.values()))},
    )
