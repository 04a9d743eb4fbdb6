"""What the `hero` bot does in its own deeds phase, and where it lays locations."""

from collections.abc import Callable, Mapping

from engine import Move
from engine.games.dungeoneer.cards import QUESTS_TO_WIN
from engine.games.dungeoneer.grid import passages
from engine.games.dungeoneer.plan import KEEP, Mind, beats, wound_cost
from engine.games.dungeoneer.view import DelverSeen

HEROES = ("tikk", "hemp", "ilvaro", "amaura", "varga", "grog")  # the bot's favourites first
RESERVE = 2  # glory that it keeps for answers, if it can


# Setup and map ------------------------------------------------------------------------------------------------------


def choose_hero(mind: Mind) -> Move:
    return min(mind.moves, key=HEROES.index)


def lay(mind: Mind) -> Move:
    """Lay locations of the bot's own quests near its hero, those of rivals' quests far from the rivals."""

    def worth(word: Move) -> float:
        *card, x, y, _ = word.split()
        name = card[0] if card else (mind.public.concerns.card if mind.public.concerns else "")
        return lay_worth(mind, name, int(x), int(y))

    return mind.best(worth)


def lay_worth(mind: Mind, name: str, x: int, y: int) -> float:
    def near(delver: DelverSeen) -> float:
        spot = mind.spots.get(delver.at)
        return -(abs(x - spot.x) + abs(y - spot.y)) if spot else -(abs(x) + abs(y))

    def serves(delver: DelverSeen) -> bool:
        quests = [mind.deck.quests[quest] for quest in delver.quests]
        return any(name in (*quest.places, quest.goal) for quest in quests)

    card, worth = mind.deck.locations[name], 0.0
    if serves(mind.me) or any(name in mind.deck.quests[quest].places for quest in mind.public.common):
        worth += 2 * near(mind.me)
    for rival in mind.rivals:
        if serves(rival):
            worth -= 2 * near(rival)
    return worth + 0.1 * card.glory * near(mind.me) - 0.01 * (abs(x) + abs(y))


# Deeds --------------------------------------------------------------------------------------------------------------


def deeds(mind: Mind) -> Move:
    if mind.me.down and "stand" in mind.moves:
        free = [word for word in mind.moves if word.startswith(("complete", "take"))]
        return free[0] if free else "stand"
    worths = {word: deed_worth(mind, word) for word in mind.moves}
    return max(worths, key=lambda word: worths[word])


def deed_worth(mind: Mind, word: Move) -> float:
    does, *rest = word.split()
    judge = DEEDS.get(does)
    return judge(mind, rest) if judge else 0.0


def worth_of_completing(mind: Mind) -> float:
    return 30.0 if len(mind.me.completed) == QUESTS_TO_WIN - 1 else 15.0


def attempt_worth(mind: Mind, rest: list[str]) -> float:
    quest, me = mind.deck.quests[rest[0]], mind.me
    chance = mind.chance(quest, int(rest[1]) if quest.chance and len(rest) > 1 else None)
    if quest.chance:
        chance = mind.chance(quest, int(rest[1]))
    risk = 0.0
    if quest.threat and any(effect.do == "wound" for effect in quest.threat.fail):
        risk = (1 - chance) * wound_cost(me.hp)
    elif quest.monster:
        risk = (1 - chance) * wound_cost(me.hp) * 0.7
    elif quest.prices and "wounds" not in rest:
        risk = 2.0 * (me.hp <= 3 and any(price.wounds for price in quest.prices))
    cost = 1.0 if me.tries else 0.0
    if len(rest) > 1 and quest.prices and rest[1] == "treasure":
        cost += 0.3 * KEEP.get(rest[-1], 1)
    return chance * worth_of_completing(mind) - risk - cost


def move_worth(mind: Mind, rest: list[str]) -> float:
    """How much a step is worth: it should lead towards the goal and bring glory."""
    side, me = rest[0], mind.me
    _, first = mind.here
    worth = -0.2 * (len(rest) > 1)
    spots = mind.public.spots
    place = goal(mind)
    if place and place != me.at and first.get(place) == side:
        worth += 3.0
    elif place == me.at:
        worth -= 3.0
    to = passages(spots, me.at).get(side, "")
    if not to:
        return -1.0
    if to not in me.visited:
        card = mind.deck.locations[to]
        worth += 0.25 * card.glory - 0.1 * card.peril
    return worth + 1.0 - mind.step_cost(me.at, side, to)


def goal(mind: Mind) -> str:
    """Where the bot wants to be: where its next quest goes on, or, alone with three quests completed, at the
    entrance."""
    if len(mind.me.completed) >= QUESTS_TO_WIN:
        return mind.deck.start
    aim = mind.aim
    place = mind.next_place(aim) if aim else ""
    return place


def explore_worth(mind: Mind, rest: list[str]) -> float:
    place = goal(mind)
    missing = sum(not mind.next_place(quest) for quest in mind.my_quests())
    return 0.9 + 0.2 * missing if not place else 0.25 * missing - 0.2


PERMANENT = {"fleet_foot": 5.0, "guardian_cloak": 3.0, "chain_shirt": 1.6, "belt_pouch": 0.4, "soft_boots": 2.0}


def play_worth(mind: Mind, rest: list[str]) -> float:
    card, me = mind.card(rest[0]), mind.me
    if card.type == "curse":
        return 0.3 if mind.leader and rest[-1] == str(mind.leader.seat) and mind.public.phase == "deeds" else -0.5
    left = me.glory - card.cost
    aim = mind.aim
    saving = bool(aim and aim.prices and any(price.glory for price in aim.prices)) and left < 5
    if card.does("heal"):
        return (3.5 if me.hp <= 3 else 1.2 if me.hp == 4 else -0.5) + 0.1 * left
    if card.does("ap"):
        return 2.0 if goal(mind) and me.ap == 0 and left >= 1 else -1.0
    if card.does("transfer"):
        place = goal(mind)
        far = mind.way_to(place) if place else 0.0
        return 0.8 * (far - 2.5) if place and mind.deck.locations[place].type == "room" else -1.0
    if card.does("purge"):
        return 1.0
    if card.does("bonus") or card.does("shift"):
        return -1.0
    worth = PERMANENT.get(card.name, 1.2)
    gives = card.gives
    for form in ("melee", "magic"):
        worth += (
            1.0
            * getattr(gives, form)
            * any((quest.threat and quest.threat.stat == form) or quest.monster for quest in mind.my_quests())
        )
    if left < (1 if card.name in PERMANENT else RESERVE) or saving:
        worth -= 1.0
    return worth


def search_worth(mind: Mind, rest: list[str]) -> float:
    aim = mind.aim
    quest = mind.deck.quests[rest[0]]
    place = mind.next_place(quest)
    odds = 1 / mind.search_cost(mind.me.at, quest)
    return odds * 8.0 * (1.0 if aim and aim.name == rest[0] and place == mind.me.at else 0.4) - 0.5


def attack_worth(mind: Mind, rest: list[str]) -> float:
    rival, form = mind.public.delvers[int(rest[0])], rest[1]
    mine = mind.me.values[form] + 2 * (len(rest) > 2)
    won, lost = beats(mine, rival.values[form]), beats(rival.values[form], mine)
    steal = 3.0 * bool(rival.escorts)
    return won * (mind.menace(rival) + steal) - lost * wound_cost(mind.me.hp) - 0.8 - 0.5 * (len(rest) > 2)


def heal_worth(mind: Mind, rest: list[str]) -> float:
    return 4.0 if mind.me.hp <= 3 else 1.0 if mind.me.hp == 4 else -1.0


def altar_worth(mind: Mind, rest: list[str]) -> float:
    return 2.5 if mind.me.hp <= 3 and mind.me.ap <= 1 else -1.0


def portal_worth(mind: Mind, rest: list[str]) -> float:
    place = goal(mind)
    if not place or mind.deck.locations[place].type != "grim_tunnel":
        return -1.0
    return 1.0 if mind.way_to(place) > 2.5 else -1.0


def exchange_worth(mind: Mind, rest: list[str]) -> float:
    """An exchange is worth it only for a very costly quest, and only with enough glory."""
    cost = mind.to_go(mind.deck.quests[rest[0]])
    return 1.5 if cost > 18 and mind.me.glory >= 4 and rest[0] not in mind.me.escorts else -1.0


def lift_worth(mind: Mind, rest: list[str]) -> float:
    return 0.8 if mind.me.glory >= 5 and rest[0] != "leaden_limbs" else -0.5


DEEDS: Mapping[str, Callable[[Mind, list[str]], float]] = {
    "end": lambda mind, rest: 0.0,
    "complete": lambda mind, rest: 60.0,
    "take": lambda mind, rest: 20.0,
    "pick_up": lambda mind, rest: 12.0,
    "attempt": attempt_worth,
    "search": search_worth,
    "move": move_worth,
    "explore": explore_worth,
    "play": play_worth,
    "free": lambda mind, rest: play_worth(mind, rest) + 1.0,
    "attack": attack_worth,
    "laboratory": heal_worth,
    "ability": heal_worth,
    "altar": altar_worth,
    "portal": portal_worth,
    "library": lambda mind, rest: 0.1,
    "bridge": lambda mind, rest: -0.5,
    "exchange": exchange_worth,
    "lift": lift_worth,
    "stand": lambda mind, rest: 5.0,
    "lie": lambda mind, rest: -5.0,
}


def transfer(mind: Mind) -> Move:
    """Choose the goal, or the location with the cheapest way to it."""
    place = goal(mind)
    if not place:
        return mind.moves[0]
    return min(mind.moves, key=lambda word: mind.costs_from(word)[0].get(place, 99.0))
