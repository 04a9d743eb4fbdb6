"""Sets up any position directly, for a test, a lesson or a file. What is not given is filled in."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine import Chance
from engine.games.dungeoneer.cards import QUESTS_TO_WIN, deck
from engine.games.dungeoneer.effects import in_sight
from engine.games.dungeoneer.grid import Spot, distances
from engine.games.dungeoneer.rules import Dungeoneer
from engine.games.dungeoneer.state import Delver, Dropped
from engine.games.dungeoneer.turn import NextTurn, Phase, Recovery

PHASES = ("villainy", "locations", "deeds", "discard")
MAP: Mapping[str, Sequence[int]] = {
    "entrance": (0, 0), "crossroads": (0, -1), "rat_run": (1, 0), "gloom_tunnel": (0, 1), "rubble_crawl": (-1, 0),
}  # fmt: skip

Player = Mapping[str, Any]


def position(
    players: Sequence[Player] = ({}, {}),
    *,
    map: Mapping[str, Sequence[int]] = MAP,  # by location: x, y, and 180 if it is turned
    tokens: Mapping[str, str] | None = None,  # by location: "deactivation" or "bridge"
    active: int = 0,
    phase: str = "deeds",  # which begins; "recovery": the whole turn
    round: int = 1,
    last: int = 40,
    variants: Sequence[str] = (),
    two_decks: bool = False,
    common: Sequence[str] = (),
    dropped: Mapping[str, str] | None = None,  # quest -> location
    next_locations: Sequence[str] = (),
    more_locations: bool = True,  # whether the others lie below these; otherwise they are out of the game
    next_cards: Sequence[str] = (),
    discarded: Sequence[str] = (),
    next_quests: Sequence[str] = (),
    more_quests: bool = True,
    dice: Sequence[int] = (),  # to come
    seed: str = "00" * 32,
) -> Dungeoneer:
    """The state before this phase of the active player. A player is given by the fields of its hero and inventory, as
    in `state.Delver`: `{"hero": "grog", "at": "arsenal", "hand": ["banish"], "treasures": ["chain_shirt"]}`. Raises
    ValueError if the position is impossible."""
    g = Dungeoneer(
        todo=[NextTurn()],
        chance=Chance(seed),
        variants=list(variants),
        last=last,
        delvers=seat_all(players, late="late_speed" in variants),
        active=active,
        round=round,
        turn=1,
        dice=list(dice),
        common=list(common),
    )
    g.heroes = [hero for hero in g.deck.heroes if hero not in [delver.hero for delver in g.delvers]]
    lay_map(g, map, tokens or {}, next_locations, more_locations)
    for quest, at in (dropped or {}).items():
        g.dropped.append(Dropped(quest, at))
    deal_quests(g, next_quests, more_quests)
    deal_cards(g, two_decks or g.solo, next_cards, discarded)
    if phase == "recovery":
        g.next(Recovery(), *[Phase(name) for name in PHASES])
    elif phase in PHASES:
        g.phase = phase
        ready(g.me, players[active])
        g.next(*[Phase(name) for name in PHASES[PHASES.index(phase) :]])
    else:
        raise ValueError(f"there is no phase {phase}")
    return g


def position_from(fields: Mapping[str, Any], seats: int) -> Dungeoneer:
    """The same from the plain data of a file, for this number of players."""
    try:
        g = position(**fields)
    except TypeError as error:
        raise ValueError(str(error)) from None
    if len(g.delvers) != seats:
        raise ValueError(f"{len(g.delvers)} players, not {seats}")
    return g


def seat_all(players: Sequence[Player], late: bool) -> list[Delver]:
    free = [hero for hero in deck().heroes if hero not in [player.get("hero") for player in players]]
    found = []
    for seat, player in enumerate(players):
        given = {"hero": player.get("hero") or free.pop(0), "at": deck().start, **player, "seat": seat, "late": late}
        for place in ("treasures", "lair"):
            given[place] = [{"card": item} if isinstance(item, str) else item for item in given.get(place, ())]
        given["curses"] = [
            {"card": curse, "by": -1} if isinstance(curse, str) else curse for curse in given.get("curses", ())
        ]
        try:
            delver = msgspec.convert(given, Delver)
        except msgspec.ValidationError as error:
            raise ValueError(f"player {seat}: {error}") from None
        if unknown := given.keys() - set(Delver.__struct_fields__):
            raise ValueError(f"player {seat}: there is no {', '.join(sorted(unknown))}")
        if delver.hero not in deck().heroes or len(delver.completed) >= QUESTS_TO_WIN:
            raise ValueError(f"player {seat}: {delver.hero} with {len(delver.completed)} quests")
        found.append(delver)
    return found


def ready(delver: Delver, player: Player) -> None:
    """Set AP and visited locations as after the recovery, unless they are given."""
    delver.ap = player.get("ap", delver.value("speed"))
    delver.visited = list(player.get("visited", [delver.at]))


def lay_map(
    g: Dungeoneer, map: Mapping[str, Sequence[int]], tokens: Mapping[str, str], coming: Sequence[str], more: bool
) -> None:
    known = g.deck.locations
    if unknown := {*map, *tokens, *coming} - known.keys():
        raise ValueError(f"there is no {', '.join(sorted(unknown))}")
    for name, (x, y, *turn) in map.items():
        token = tokens.get(name)
        g.spots[name] = Spot(x, y, turn == [180], token == "deactivation", token == "bridge")
    joined = distances(g.spots, g.deck.start) if g.deck.start in g.spots else {}
    if lost := g.spots.keys() - joined.keys():
        raise ValueError(f"no way to the entrance: {', '.join(sorted(lost))}")
    if len({spot.cell for spot in g.spots.values()}) < len(g.spots):
        raise ValueError("two locations lie in the same cell")
    for delver in g.delvers:
        if delver.at not in g.spots:
            raise ValueError(f"player {delver.seat} is at {delver.at}, which is not on the map")
    rest = [name for name in known if name not in {*g.spots, *coming}]
    g.chance.shuffle(rest)
    g.unlaid = [*coming, *(rest if more else ())]
    g.aside += [] if more else rest


def deal_quests(g: Dungeoneer, coming: Sequence[str], more: bool) -> None:
    held = [*g.common, *coming, *(lost.quest for lost in g.dropped)]
    for delver in g.delvers:
        held += [*delver.quests, *delver.completed]
        if strange := set(delver.escorts) - set(delver.quests):
            raise ValueError(f"player {delver.seat} does not have {', '.join(strange)}")
    for quest, times in Counter(held).items():
        if quest not in g.deck.quests or times > 1:
            raise ValueError(f"{times} x {quest}")
    rest = [quest for quest in g.deck.quests if quest not in held]
    g.chance.shuffle(rest)
    g.quests = [*coming, *(rest if more and not g.solo else ())]
    g.aside += rest if g.solo or not more else []


def deal_cards(g: Dungeoneer, two: bool, coming: Sequence[str], discarded: Sequence[str]) -> None:
    """The cards that are not given lie below those to come."""
    piles = ("glory", "peril") if two else ("adventure",)
    g.decks, g.discards = {pile: [] for pile in piles}, {pile: [] for pile in piles}
    left = Counter(g.deck.all_adventures(g.solo))
    g.discard(*discarded)
    left.subtract([*in_sight(g), *coming])
    for delver in g.delvers:
        left.subtract(delver.hand)
        left.update(delver.known)  # subtracted twice, as they are in the hand, too
    if wrong := [card for card, n in left.items() if n < 0 or card not in g.deck.adventures]:
        raise ValueError(f"too many {', '.join(wrong)}")
    rest = list(left.elements())
    g.chance.shuffle(rest)
    for card in (*coming, *rest):
        g.decks[g.pile(card)].append(card)
