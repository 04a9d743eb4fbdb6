"""Any position, set up directly: for a test, a lesson or a puzzle."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.chance import Chance
from engine.games.scrawl.cards import deck
from engine.games.scrawl.facts import HEROES, Mission, Sheet
from engine.games.scrawl.rules import EndRound, Roll, Scrawl, Steps, ThreeDice


def sheet(*, levels: Mapping[str, int] | None = None, items: Mapping[str, int] | None = None, **fields: Any) -> Sheet:
    """A sheet of which only what differs from a new one is given: `sheet(levels={"R": 2}, path=("C1",))`. Rooms walked
    through are explored."""
    fields.setdefault("black", ("W", "C"))
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
    """One team for each sheet, in the middle of a round. `dice` lie as if rolled and their skulls done; without dice
    the roll comes next. `steps` are what comes next instead. Objectives that are not given are the first that fit."""
    cards = deck()
    kept: list[str] = list(objectives)
    for each in sheets[len(kept) :]:
        fitting = (o.id for o in cards.objectives.values() if set(o.black) == set(each.black) and o.id not in kept)
        kept.append(next(fitting))
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
