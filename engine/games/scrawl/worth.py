"""The scrawler's estimate of a sheet's final glory. All constants are heuristics, not rules."""

from collections import deque
from functools import cache
from operator import mul

from msgspec import Struct

from engine.games.scrawl.cards import Board, Monster, Room, board
from engine.games.scrawl.facts import CELLS, COLUMNS, MOST_LEVEL, MOST_POTIONS, ROOMS, Sheet
from engine.games.scrawl.scoring import MEASURES, RESURRECTION, STAGE_ENDS, met, objective_glory, power
from engine.games.scrawl.team import item_effect, skull_wounds

FAR = 99
ROUNDS = 8

# In glory, unless noted otherwise.
WOUND = 0.55  # cost of a wound
NEAR_DEATH = (6.0, 4.0, 1.8, 0.6)  # cost of low health, by health left
GROWTH = 1.3  # power that a team gains in a round
BLUR = 3  # uncertainty of that power
BEST = 1.5  # value of being best against a monster
STEP = 0.45  # cost of a step
PACE = 4.0  # steps that a team can make in a round
LEVEL = 0.55  # value of a level above the lowest, at the start of the game
ROGUE = 4.0  # value of the gem of a rogue at level 4
MAGE = 1.5  # value of a mage at level 4, at the start of the game
FIRST_CELL = 0.45  # fraction of a finished item's value, for its first cell
ROWS = (2.5, 1.5, 5.0)  # value of each full row of potions
BREWED = 0.7  # fraction of that, for a row in progress
HEART = 0.25  # value of an empty heart that may still be used
NEXT_GEM = 0.15  # increase of a gem's value for each gem owned
HOLDS = {"": 0.0, "potion": 1.0, "item": 1.8, "level": 2.5}  # value of a room's reward
GEM, MINION = 4.0, 1.8
FADE = 0.72  # factor on a room's value for each step of distance
REACH = 0.5  # fraction of the sum of these values that a team reaches
MISSION = 0.5  # fraction of a mission's glory, for partial progress
OBJECTIVE = 0.7  # the same for an objective


TASTES = 8  # the parts of `worth`


class Aims(Struct, frozen=True):
    """A team's situation and goals that are not on its sheet."""

    dungeon: str
    round: int  # the one being played
    seats: int
    objective: str
    missions: tuple[str, ...]  # still open
    tastes: tuple[float, ...] = (1.0,) * TASTES  # what each part of a sheet's worth is multiplied by


def worth(sheet: Sheet, aims: Aims) -> float:
    here, left = board(aims.dungeon), ROUNDS - aims.round
    parts = (
        level_worth(sheet, here, left),
        item_worth(sheet, here, left),
        potion_worth(sheet, left),
        track_worth(sheet, here, left),
        wound_worth(sheet, here, left),
        monster_worth(sheet, here, aims),
        room_worth(sheet, here, left),
        card_worth(sheet, here, aims, left),
    )
    return sum(map(mul, parts, aims.tastes), 0.0)


def level_worth(sheet: Sheet, here: Board, left: int) -> float:
    levels, shields = list(sheet.levels.values()), here.deck.tracks.levels
    lowest = min(levels)
    found = float(shields[lowest - 1] + levels.count(MOST_LEVEL))
    if left:
        if lowest < MOST_LEVEL:
            ahead = sum(level > lowest for level in levels) / len(levels)
            found += 0.8 * ahead * (shields[lowest] - shields[lowest - 1])
        found += LEVEL * sum(min(level, 5) - lowest for level in levels) * left / ROUNDS
        if sheet.levels["R"] < 4:
            found += ROGUE * (sheet.levels["R"] - 1) / 3
        if sheet.levels["M"] >= 4:
            found += MAGE * left / ROUNDS
    return found


def item_worth(sheet: Sheet, here: Board, left: int) -> float:
    once = {"potion": 4.0, "level": 2.0, "minion": 4.0, "power": 1.0}
    lasting = {"walls": 0.3 * left, "water": 0.4 * left, "fight": 0.35 * left}
    found = 0.0
    for item, cells in sheet.items.items():
        card = here.deck.items[item]
        found += cells
        if cells == CELLS:
            found += card.end + lasting.get(card.effect, 0.0)
        elif cells and left:
            found += FIRST_CELL * (card.end + once.get(card.effect, 0.0) + lasting.get(card.effect, 0.0))
    return found


def potion_worth(sheet: Sheet, left: int) -> float:
    found = 0.0
    if left and sheet.potions < MOST_POTIONS:
        row, inside = divmod(sheet.potions, 4)
        found += BREWED * ROWS[row] * inside / 4
    return found + HEART * min(2 * sheet.potions - sheet.hearts, 1.0 + 1.6 * left)


def track_worth(sheet: Sheet, here: Board, left: int) -> float:
    """Gems and minions."""
    tracks, minions = here.deck.tracks, len(sheet.beaten)
    found = float(tracks.gems[sheet.gems] + tracks.minions[min(minions, len(tracks.minions) - 1)])
    if left:
        found += NEXT_GEM * sheet.gems * left
        found += {"marauder": 0.5, "shaman": 0.3}.get(sheet.talent, 0.0) * (minions % 3)
    return found


def wound_worth(sheet: Sheet, here: Board, left: int) -> float:
    shields = here.deck.tracks.wounds
    found = -float(shields[sheet.wounds])
    if left:
        found -= 0.5 * (sheet.wounds % 2)
        found += 0.25 * left * (skull_wounds(here, sheet, 1) == 0)
    if sheet.resurrected:
        return found - RESURRECTION
    slack = sheet.strength - sheet.wounds
    return found - (NEAR_DEATH[slack] if left and slack < len(NEAR_DEATH) else 0.0)


def monster_worth(sheet: Sheet, here: Board, aims: Aims) -> float:
    """Glory from monsters: what is won already, plus an estimate from future power and the distance to the lairs."""
    found = float(sum(sheet.monsters))
    price = 0.0 if sheet.talent == "barbarian" else WOUND
    best = BEST if aims.seats > 1 else 0.0
    place, way = sheet.at, 0
    for stage, end in enumerate(STAGE_ENDS, 1):
        if stage <= len(sheet.monsters):
            continue
        monster, ahead = here.monsters[stage - 1], end - aims.round
        strong, blur = round(power(sheet, here, monster) + GROWTH * ahead), BLUR if ahead else 0
        won = sum(spoils(monster, strong + off, price, best) for off in range(-blur, blur + 1)) / (2 * blur + 1)
        if not met(sheet, here, stage):
            lair = here.lairs[stage - 1]
            far = distance(here, sheet, place, lair)
            place, way = lair, way + far
            chance = 1.0 if way <= 0.6 * PACE * ahead else 0.55 if way <= PACE * ahead + 2 and ahead else 0.0
            won = chance * (won - STEP * min(far, 8)) - (1 - chance) * monster.flee
        found += won
    return found


def spoils(monster: Monster, strong: int, price: float, best: float) -> float:
    tier = monster.tier(strong)
    if not tier:
        return -float(monster.flee)
    _, glory, wounds = monster.tiers[tier - 1]
    return glory - price * wounds + best * tier / 3


def room_worth(sheet: Sheet, here: Board, left: int) -> float:
    """The value of nearby unexplored rooms, decreasing with distance."""
    if not left:
        return 0.0
    far, armour = distances_for(here, sheet)[sheet.at or "outside"], item_effect(here, sheet, "fight")
    faded = (FADE ** far[room.name] * holds(sheet, room, armour) for room in furnished(here.id))
    return REACH * sum(faded) * min(1.0, 0.35 + 0.65 * left / 4)


def holds(sheet: Sheet, room: Room, armour: int) -> float:
    if room.name in sheet.rooms:
        return 0.0
    found = HOLDS[room.reward]
    if room.gem and room.gem not in sheet.stolen and room.gem not in sheet.crossed:
        found += GEM + 2 * NEXT_GEM * sheet.gems
    if room.trap:
        found -= 0.0 if sheet.talent == "scout" else WOUND
    elif room.minion and room.name not in sheet.beaten:
        found += MINION - WOUND * max(0, room.level - sheet.levels[room.hero] - armour)
    return max(found, 0.0)


def card_worth(sheet: Sheet, here: Board, aims: Aims, left: int) -> float:
    """Missions and the objective: full value if reached, a fraction for partial progress."""
    cards, found = here.deck, float(sum(sheet.missions.values()))
    rule = cards.mission_rule
    glory = rule.solo[aims.round - 1] if aims.seats == 1 else rule.glory
    for card in (cards.missions[mission] for mission in aims.missions):
        part = MEASURES[card.measure](sheet, here) / card.needs
        found += glory if part >= 1 else MISSION * glory * part * part if left else 0.0
    if aims.objective:
        objective = cards.objectives[aims.objective]
        found += objective_glory(sheet, here, aims.objective)
        reached = MEASURES[objective.measure](sheet, here)
        if left and reached < objective.tiers[-1]:
            below = max(tier for tier in (0, *objective.tiers) if tier <= reached)
            above = min(tier for tier in objective.tiers if tier > reached)
            found += OBJECTIVE * 2 * (reached - below) / (above - below)
    return found


# Ways ----------------------------------------------------------------------------------------------------------------


@cache
def furnished(dungeon: str) -> tuple[Room, ...]:
    return tuple(room for room in board(dungeon).rooms.values() if room.minion or room.trap or room.reward)


def distance(here: Board, sheet: Sheet, start: str | None, goal: str) -> int:
    return distances_for(here, sheet)[start or "outside"][goal]


def distances_for(here: Board, sheet: Sheet) -> dict[str, dict[str, int]]:
    return distances(here.id, bool(item_effect(here, sheet, "walls")), bool(item_effect(here, sheet, "water")))


@cache
def distances(dungeon: str, walls: bool, water: bool) -> dict[str, dict[str, int]]:
    """The number of steps from every room, and from outside, to every room."""
    near = board(dungeon).near
    passable = {"open", "wrap"} | ({"wall"} if walls else set()) | ({"water"} if water else set())
    found = {}
    for start in (*ROOMS, "outside"):
        far = {column + "1": 1 for column in COLUMNS} if start == "outside" else {start: 0}
        ahead = deque(far)
        while ahead:
            room = ahead.popleft()
            for other, between in near[room].items():
                if between in passable and other not in far:
                    far[other] = far[room] + 1
                    ahead.append(other)
        found[start] = {room: far.get(room, FAR) for room in ROOMS}
    return found
