"""Sets up any position directly, for a test or a lesson."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs

from engine import Chance
from engine.games.scrawl.cards import Board, board, deck
from engine.games.scrawl.drafts import DICE_A_ROUND, outing
from engine.games.scrawl.facts import HEROES, Mission, Sheet
from engine.games.scrawl.rules import EndRound, Roll, Scrawl, Steps, ThreeDice


def sheet(*, levels: Mapping[str, int] | None = None, items: Mapping[str, int] | None = None, **fields: Any) -> Sheet:
    """A new sheet with the given changes: `sheet(levels={"R": 2}, path=("C1",))`. Rooms on the path count as
    explored."""
    fields.setdefault("rooms", tuple(dict.fromkeys(fields.get("path", ()))))
    return Sheet(
        levels=dict.fromkeys(HEROES, 1) | dict(levels or {}),
        items=dict.fromkeys(deck().items, 0) | dict(items or {}),
        **fields,
    )


def position(
    *sheets: Sheet,
    dungeon: str = "A",
    round: int = 1,
    dice: Sequence[str] = (),
    missions: Sequence[str] = (),
    objectives: Sequence[str] = (),
    vanishing: bool = False,
    steps: Sequence[Steps] | None = None,
    chance: Chance | None = None,
) -> Scrawl:
    """One team for each sheet, in the middle of a round.

    `dice` are already rolled and their skulls resolved; without dice the roll comes next. `steps` replace the agenda.
    An objective that is not given is chosen to fit; a team without colours gets those of its objective. Raises
    ValueError if the position is impossible.
    """
    cards = deck()
    if dice and len(dice) - list(dice).count("skull") < DICE_A_ROUND:
        raise ValueError(f"three dice must be usable: {' '.join(dice)}")
    kept: list[str] = []
    for seat, each in enumerate(sheets):
        if room := unreachable(board(dungeon), each):
            raise ValueError(f"seat {seat}: no step leads to {room}")
        free = objectives[seat : seat + 1] or [o for o in cards.objectives if o not in (*kept, *objectives)]
        fitting = [o for o in free if not each.black or set(cards.objectives[o].black) == set(each.black)]
        if not fitting:
            raise ValueError(f"seat {seat}: no such objective has {' and '.join(each.black)} black")
        kept.append(fitting[0])
    unknown = (0,) * (DICE_A_ROUND * (round - 1))  # dice used before
    sheets = tuple(
        structs.replace(each, black=cards.objectives[o].black, used=each.used or unknown)
        for each, o in zip(sheets, kept, strict=True)
    )
    talents = dict.fromkeys(each.talent for each in sheets if each.talent)
    left = iter([talent for talent in cards.talents if talent not in talents])
    held = [each.talent or next(left) for each in sheets]
    spare = iter([objective for objective in cards.objectives if objective not in kept])
    todo = steps if steps is not None else (ThreeDice(), EndRound()) if dice else (Roll(), ThreeDice(), EndRound())
    return Scrawl(
        todo=list(reversed(todo)),
        chance=chance or Chance("00" * 32),
        seats=len(sheets),
        vanishing=vanishing or len(sheets) == 1,
        chapter=1,
        dungeon=dungeon,
        missions=[Mission(mission) for mission in missions],
        talents=[(talent, next(left)) for talent in held],
        objectives=[(objective, next(spare)) for objective in kept],
        kept=kept,
        sheets=list(sheets),
        round=round,
        dice=tuple(dice),
    )


def unreachable(here: Board, sheet: Sheet) -> str | None:
    """The first room of the team's path that cannot be entered from the one before; a path may begin in any room."""
    for n, room in enumerate(sheet.path[1:], 1):
        if room not in outing(here, structs.replace(sheet, path=sheet.path[:n])).ahead():
            return room
    return None
