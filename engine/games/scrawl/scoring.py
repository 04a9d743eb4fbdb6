"""Scores a sheet: the measures of missions and objectives, the power against monsters, the twelve lines."""

from collections.abc import Callable, Mapping

from engine.games.scrawl.cards import Board, Monster
from engine.games.scrawl.facts import CELLS, COLUMNS, MOST_LEVEL, ROOMS, ROWS, Change, Sheet
from engine.games.scrawl.team import talent_effect

CORNERS = ("A1", "F1", "A7", "F7")
RIM = frozenset(room for room in ROOMS if room[0] in "AF" or room[1] in "17")
STAGE_ENDS = (3, 6, 8)  # P-3: the rounds after which a monster comes
RESURRECTION = 9

Measure = Callable[[Sheet, Board], int]


def stage(round: int) -> int:
    """P-3 The stages are rounds 1 to 3, 4 to 6, and 7 to 8."""
    return 1 if round <= 3 else 2 if round <= 6 else 3


def heroes_at(level: int) -> Measure:
    return lambda sheet, board: sum(reached >= level for reached in sheet.levels.values())


def minions_of(level: int) -> Measure:
    return lambda sheet, board: sum(board.rooms[room].level == level for room in sheet.beaten)


def explored_by(lanes: str, least: int) -> Measure:
    """Counts rows or columns with at least this many explored rooms."""
    place = 0 if lanes == COLUMNS else 1

    def measure(sheet: Sheet, board: Board) -> int:
        names = [room[place] for room in sheet.rooms]
        return sum(names.count(lane) >= least for lane in lanes)

    return measure


def among(rooms: frozenset[str]) -> Measure:
    return lambda sheet, board: sum(room in rooms for room in sheet.rooms)


def finished(sheet: Sheet) -> int:
    return sum(cells == CELLS for cells in sheet.items.values())


MEASURES: dict[str, Measure] = {
    "minion_levels": lambda sheet, board: len({board.rooms[room].level for room in sheet.beaten}),
    "minions": lambda sheet, board: len(sheet.beaten),
    "minions_of_3": minions_of(3),
    "minions_of_4": minions_of(4),
    "minions_of_5": minions_of(5),
    "heroes_at_4": heroes_at(4),
    "heroes_at_5": heroes_at(5),
    "heroes_at_6": heroes_at(6),
    "lowest_level": lambda sheet, board: min(sheet.levels.values()),
    "strength": lambda sheet, board: sheet.strength,
    "rooms": lambda sheet, board: len(sheet.rooms),
    "rows": explored_by(ROWS, len(COLUMNS)),
    "columns": explored_by(COLUMNS, len(ROWS)),
    "broad_columns": explored_by(COLUMNS, 4),
    "corners": among(frozenset(CORNERS)),
    "rim": among(RIM),
    "trap_rooms": lambda sheet, board: sum(board.rooms[room].trap for room in sheet.rooms),
    "lairs": lambda sheet, board: sum(room in sheet.rooms for room in board.lairs),
    "obstacles": lambda sheet, board: sheet.traps + sheet.passed,
    "potions": lambda sheet, board: sheet.potions,
    "gems": lambda sheet, board: sheet.gems,
    "finished_items": lambda sheet, board: finished(sheet),
    "monster_glory": lambda sheet, board: sum(glory for glory in sheet.monsters if glory > 0),
}


def fulfils(sheet: Sheet, board: Board, mission: str) -> bool:
    card = board.deck.missions[mission]
    return MEASURES[card.measure](sheet, board) >= card.needs


def objective_glory(sheet: Sheet, board: Board, objective: str) -> int:
    """P-87 The highest of the three tiers that the team has reached."""
    card = board.deck.objectives[objective]
    return card.glory(MEASURES[card.measure](sheet, board))


# Monsters -------------------------------------------------------------------------------------------------------------


def power(sheet: Sheet, board: Board, monster: Monster) -> int:
    """P-91 Strength, plus the level of the hero in the monster's weakness, plus bonuses against monsters: a warrior at
    level 4 (P-49), the Fire Sword, the Bloodthirsty."""
    return sheet.strength + sheet.levels[monster.weakness] + sum(bonuses(sheet, board).values())


def bonuses(sheet: Sheet, board: Board) -> dict[str, int]:
    """P-91 What adds to the power against any monster, by its source: the warrior as "W", an item, the talent."""
    found = {"W": int(sheet.levels["W"] >= 4)}
    found |= {item.id: item.amount for item in board.effects.get("power", ()) if sheet.items[item.id] == CELLS}
    found |= {sheet.talent: talent_effect(board, sheet, "power")}
    return {source: more for source, more in found.items() if more}


def met(sheet: Sheet, board: Board, stage: int) -> bool:
    """P-90 Whether the team has ever entered the room of the stage's monster."""
    return board.lairs[stage - 1] in sheet.rooms


# Glory ----------------------------------------------------------------------------------------------------------------


def lines(sheet: Sheet, board: Board, objective: str = "") -> dict[str, int]:
    """P-98 The twelve lines if the game ended now. P-65 Wounds cost the topmost shield that they have reached. Without
    an objective, line K counts only the talent."""
    tracks, items = board.deck.tracks, board.deck.items
    talent = board.deck.talents.get(sheet.talent)
    first, second, third = (*sheet.monsters, 0, 0, 0)[:3]
    levels, cells = list(sheet.levels.values()), sheet.items
    found = {
        "A": first,
        "B": second,
        "C": third,
        "D": tracks.levels[min(levels) - 1] + levels.count(MOST_LEVEL),
        "E": sum(cells.values()) + sum([items[item].end for item, filled in cells.items() if filled == CELLS]),
        "F": tracks.gems[sheet.gems],
        "G": tracks.minions[min(len(sheet.beaten), len(tracks.minions) - 1)],
        "H": -tracks.wounds[sheet.wounds],
        "I": -RESURRECTION if sheet.resurrected else 0,
        "K": (talent.end if talent else 0) + (objective_glory(sheet, board, objective) if objective else 0),
        "L": sum(sheet.missions.values()),
    }
    found["M"] = sum(found.values())
    return found


def glory(sheet: Sheet, board: Board, objective: str = "") -> int:
    return lines(sheet, board, objective)["M"]


def difference(board: Board, before: Sheet, after: Sheet, owed: tuple[str, ...] = (), was: int | None = None) -> Change:
    """The change between two versions of a team's sheet. `was`: the glory of `before`, if the caller has it."""
    items = more(before.items, after.items)
    return Change(
        levels=more(before.levels, after.levels),
        items=items,
        finished=tuple([item for item in items if after.items[item] == CELLS]),
        potions=after.potions - before.potions,
        healed=after.hearts - before.hearts,
        wounds=after.wounds - before.wounds,
        resurrected=after.resurrected and not before.resurrected,
        gems=after.gems - before.gems,
        stolen=after.stolen[len(before.stolen) :],
        beaten=after.beaten[len(before.beaten) :],
        traps=after.traps - before.traps,
        explored=after.rooms[len(before.rooms) :],
        passed=after.passed - before.passed,
        glory=glory(after, board) - (glory(before, board) if was is None else was),
        owed=owed,
    )


def more(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    if after is before:
        return {}
    return {key: n - before[key] for key, n in after.items() if n != before[key]}
