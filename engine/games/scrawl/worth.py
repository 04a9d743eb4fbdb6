"""What a sheet promises: the scrawler's guess at the glory that it ends with. Rules are elsewhere; these are opinions."""

from collections import deque
from functools import cache

from msgspec import Struct

from engine.games.scrawl.cards import Board, Room, board
from engine.games.scrawl.facts import CELLS, HEROES, MOST_LEVEL, MOST_POTIONS, ROOMS, Sheet
from engine.games.scrawl.scoring import MEASURES, RESURRECTION, STAGE_ENDS, met, objective_glory, power
from engine.games.scrawl.team import item_effect, minion_wounds, skull_wounds

FAR = 99


class Weights(Struct, frozen=True):
    """Found by play (`bench/scrawl.py`)."""

    growth: float = 1.3  # power that a team gains in a round
    blur: int = 3  # by how much that may go wrong
    wound: float = 0.55  # a wound's price
    best: float = 1.5  # to be the best against a monster
    step: float = 0.75  # what a step is worth
    level: float = 0.55  # a level above the lowest
    cell: float = 0.45  # of what a finished item would bring, for its first cell
    brewed: float = 0.7  # of what a full row would bring, by potions in it
    heart: float = 0.25  # an empty heart
    gem: float = 1.0  # of a gem's promise of the next
    rogue: float = 1.0  # for each of the rogue's levels on the way to its gem
    room: float = 0.5  # of what a room one step away holds
    fade: float = 0.72  # for each further step
    mission: float = 0.5
    objective: float = 0.7


class Aims(Struct, frozen=True):
    """What a team plays for, besides what its sheet says."""

    dungeon: str
    round: int  # the one being played
    seats: int
    objective: str
    missions: tuple[str, ...]  # still open
    weights: Weights = Weights()


def worth(sheet: Sheet, aims: Aims) -> float:
    here, w = board(aims.dungeon), aims.weights
    left = 8 - aims.round
    return (
        level_worth(sheet, here, w, left)
        + item_worth(sheet, here, w, left)
        + potion_worth(sheet, w, left)
        + track_worth(sheet, here, w, left)
        + wound_worth(sheet, here, w, left)
        + monster_worth(sheet, here, aims)
        + room_worth(sheet, here, w, left)
        + card_worth(sheet, here, aims)
    )


def level_worth(sheet: Sheet, here: Board, w: Weights, left: int) -> float:
    levels = list(sheet.levels.values())
    lowest, tracks = min(levels), here.deck.tracks.levels
    found = tracks[lowest - 1] + levels.count(MOST_LEVEL)
    if lowest < MOST_LEVEL:
        ahead = sum(level > lowest for level in levels) / len(levels)
        found += (tracks[lowest] - tracks[lowest - 1]) * ahead * (0.35 if left == 0 else 0.8) * (left > 0)
    if left:
        found += w.level * sum(min(level, 5) - lowest for level in levels) * left / 8
        found += w.rogue * (min(sheet.levels["R"], 4) - 1) / 3 * 4 if sheet.levels["R"] < 4 else 0
        found += 1.5 * (sheet.levels["M"] >= 4) * left / 8
    return found


def item_worth(sheet: Sheet, here: Board, w: Weights, left: int) -> float:
    found = 0.0
    for item, cells in sheet.items.items():
        card = here.deck.items[item]
        gain = card.end + {"potion": 4.0, "level": 2.0, "minion": 4.0, "walls": left * 0.3, "water": left * 0.4}.get(
            card.effect, {"fight": 0.35 * left, "power": 1.0}.get(card.effect, 0.0)
        )
        found += cells
        if cells == CELLS:
            found += card.end
            if card.effect in ("walls", "water", "fight"):
                found += gain - card.end
        elif cells and left:
            found += w.cell * gain
    return found


def potion_worth(sheet: Sheet, w: Weights, left: int) -> float:
    row, inside = divmod(sheet.potions, 4)
    found = 0.0
    if left and sheet.potions < MOST_POTIONS:
        found += w.brewed * (2.5, 1.5, 5.0)[row] * inside / 4
    spare = 2 * sheet.potions - sheet.hearts
    coming = 1.0 + 1.6 * left
    return found + w.heart * min(spare, coming)


def track_worth(sheet: Sheet, here: Board, w: Weights, left: int) -> float:
    tracks = here.deck.tracks
    found = float(tracks.gems[sheet.gems] + tracks.minions[min(len(sheet.beaten), len(tracks.minions) - 1)])
    if left:
        found += w.gem * sheet.gems * 0.15 * left
        found += {"item_per_3_minions": 0.5, "potion_per_3_minions": 0.3}.get(
            here.deck.talents[sheet.talent].effect if sheet.talent else "", 0.0
        ) * (len(sheet.beaten) % 3)
    return found


def wound_worth(sheet: Sheet, here: Board, w: Weights, left: int) -> float:
    tracks = here.deck.tracks.wounds
    found = -float(tracks[sheet.wounds])
    if sheet.wounds < len(tracks) - 1:
        found -= 0.5 * (sheet.wounds % 2) * (left > 0)
    if sheet.resurrected:
        return found - RESURRECTION
    slack = sheet.strength - sheet.wounds
    if left and slack < 4:
        found -= (0.0, 0.6, 1.8, 4.0, 6.0)[4 - slack]
    if left:
        found += 0.25 * left * (skull_wounds(here, sheet, 1) == 0)
    return found


def monster_worth(sheet: Sheet, here: Board, aims: Aims) -> float:
    found = float(sum(sheet.monsters))
    w, round = aims.weights, aims.round
    talent = here.deck.talents[sheet.talent].effect if sheet.talent else ""
    price = 0.0 if talent == "no_monster_wounds" else w.wound
    place, spent = sheet.at, 0.0
    for stage, end in enumerate(STAGE_ENDS, 1):
        if stage <= len(sheet.monsters):
            continue
        monster, ahead = here.monsters[stage - 1], end - round
        strong = power(sheet, here, monster) + w.growth * ahead
        blur = w.blur if ahead else 0
        chances = [
            reward(monster, round_off(strong + off), price, w.best if aims.seats > 1 else 0.0) for off in range(-blur, blur + 1)
        ]
        won = sum(chances) / len(chances)
        if not met(sheet, here, stage):
            lair = here.lairs[stage - 1]
            far = distance(here, sheet, place, lair)
            spent += far
            place = lair
            possible = 4.0 * ahead
            chance = 0.0 if spent > possible + 2 * (ahead > 0) else 1.0 if spent <= possible * 0.6 else 0.55
            won = max(won, -monster.flee) if chance else -float(monster.flee)
            won = chance * won + (1 - chance) * -monster.flee - w.step * min(far, 8) * 0.6 * (chance > 0)
        found += won
    return found


def round_off(number: float) -> int:
    return int(number + 0.5)


@cache
def reward(monster: object, strong: int, price: float, best: float) -> float:
    from engine.games.scrawl.cards import Monster

    assert isinstance(monster, Monster)
    tier = monster.tier(strong)
    if not tier:
        return -float(monster.flee)
    _, glory, wounds = monster.tiers[tier - 1]
    return glory - price * wounds + best * tier / 3


def room_worth(sheet: Sheet, here: Board, w: Weights, left: int) -> float:
    """What lies around, the nearer the better."""
    if not left:
        return 0.0
    far = distances(here.id, bool(item_effect(here, sheet, "walls")), bool(item_effect(here, sheet, "water")))
    from_here = far[sheet.at or "outside"]
    fades = fading(w.fade)
    found, explored = 0.0, sheet.rooms
    scout = sheet.talent == "scout"
    for name, room in treasures(here.id):
        if name in explored:
            continue
        found += fades[from_here[name]] * holds(sheet, here, room, w, scout)
    return found * w.room * min(1.0, 0.35 + 0.65 * left / 4)


def holds(sheet: Sheet, here: Board, room: Room, w: Weights, scout: bool) -> float:
    found = {"": 0.0, "potion": 1.0, "item": 1.8, "level": 2.5}[room.reward]
    if room.gem and room.gem not in sheet.stolen and room.gem not in sheet.crossed:
        found += 4.0 + 0.3 * sheet.gems
    if room.trap:
        found -= 0.0 if scout else w.wound
    elif room.minion and room.name not in sheet.beaten:
        found += 1.8 - w.wound * minion_wounds(here, sheet, room)
    return max(found, 0.0)


@cache
def fading(fade: float) -> list[float]:
    return [fade**steps for steps in range(FAR + 1)]


@cache
def treasures(dungeon: str) -> list[tuple[str, Room]]:
    return [(name, room) for name, room in board(dungeon).rooms.items() if room.minion or room.reward or room.trap]


def distance(here: Board, sheet: Sheet, start: str | None, goal: str) -> int:
    far = distances(here.id, bool(item_effect(here, sheet, "walls")), bool(item_effect(here, sheet, "water")))
    return far[start or "outside"][goal]


@cache
def distances(dungeon: str, walls: bool, water: bool) -> dict[str, dict[str, int]]:
    """Steps from every room, and from outside, to every room."""
    near = board(dungeon).near
    open_ = {"open", "wrap"} | ({"wall"} if walls else set()) | ({"water"} if water else set())
    found = {}
    for start in (*ROOMS, "outside"):
        far = {column + "1": 1 for column in "ABCDEF"} if start == "outside" else {start: 0}
        ahead = deque(far)
        while ahead:
            room = ahead.popleft()
            for other, between in near[room].items():
                if between in open_ and other not in far:
                    far[other] = far[room] + 1
                    ahead.append(other)
        found[start] = {room: far.get(room, FAR) for room in ROOMS}
    return found


def card_worth(sheet: Sheet, here: Board, aims: Aims) -> float:
    """Missions and the objective: what is reached, and part of what is on the way."""
    w, left, cards = aims.weights, 8 - aims.round, here.deck
    found = float(sum(sheet.missions.values()))
    rule = cards.mission_rule
    for mission in aims.missions:
        card = cards.missions[mission]
        part = min(1.0, MEASURES[card.measure](sheet, here) / card.needs)
        glory = rule.solo[aims.round - 1] if aims.seats == 1 else rule.glory
        if part == 1.0:
            found += glory
        elif left:
            found += w.mission * glory * part * part
    if aims.objective:
        objective = cards.objectives[aims.objective]
        measured = MEASURES[objective.measure](sheet, here)
        found += objective_glory(sheet, here, aims.objective)
        missing = [tier for tier in objective.tiers if tier > measured]
        if missing and left:
            tiers = (0, *objective.tiers)
            below = tiers[tiers.index(missing[0]) - 1]
            found += w.objective * 2 * (measured - below) / (missing[0] - below)
    return found


assert set(HEROES) == set("WMCR")
