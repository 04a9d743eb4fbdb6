"""Phase IV: what the active player's hero does."""

from collections.abc import Iterator

from engine import Draft, Move, Step
from engine.games.dungeoneer import facts
from engine.games.dungeoneer.battle import forms
from engine.games.dungeoneer.cards import Adventure
from engine.games.dungeoneer.effects import Apply, ChooseHidden, lift, offer, play_instant, useful
from engine.games.dungeoneer.grid import exit_of, opened_exits, passages
from engine.games.dungeoneer.group import Hunt, attack_hero
from engine.games.dungeoneer.inventory import play_permanent, prepare, room_for
from engine.games.dungeoneer.lay import LayOne
from engine.games.dungeoneer.moving import Leave
from engine.games.dungeoneer.quests import (
    Attempt,
    attempts,
    count_attempt,
    escort,
    escort_steps,
    exchange,
    search,
    searches,
)
from engine.games.dungeoneer.solo import SoloPeril
from engine.games.dungeoneer.state import Delve
from engine.games.dungeoneer.villainy import any_moment, do_any_moment


class DeedsPhase(Step["Delve"], frozen=True):
    """D-44, D-47 Deeds go on until the player ends them, nothing is left to do, or a quest is completed."""

    def do(self, g: Delve) -> None:
        if g.owed:
            g.next(SoloPeril(), self)
        elif not g.over:
            offer(g, Deeds(g.active))


class Deeds(ChooseHidden, frozen=True):
    """D-44 One deed."""

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        return [
            "end",
            *moves(g, seat),
            *(["explore"] if g.unlaid and g.delvers[seat].has_ap(1) else []),
            *cards_to_play(g, seat),
            *attempts(g, seat),
            *searches(g, seat),
            *escort_steps(g, seat),
            *attacks(g, seat),
            *location_texts(g, seat),
            *liftings(g, seat),
            *any_moment(g, seat),
        ]

    def chosen(self, g: Delve, word: Move) -> None:
        does, *rest = word.split()
        if does == "end":
            g.over = True
            return
        g.next(DeedsPhase())
        if does in ACTIONS:
            ACTIONS[does](g, self.seat, rest)
        elif does == "play" and g.card(rest[0]).timing == "deeds":
            play_card(g, self.seat, g.card(rest[0]), rest[1:])
        else:
            do_any_moment(g, self.seat, word)


# Movement -------------------------------------------------------------------------------------------------------------


def moves(g: Delve, seat: int) -> Iterator[Move]:
    """D-81 A move through each passage; also with a card or an ability that opens such an exit."""
    delver = g.delvers[seat]
    if not delver.has_ap(1, walking=True):
        return
    for side in passages(g.spots, delver.at):
        yield f"move {side}"
        exit = exit_of(g.spots, delver.at, side, opened_exits(g.delvers))
        ability = delver.card.ability
        if exit.kind in ability.opens and "ability" not in delver.used and delver.glory >= ability.glory:
            yield f"move {side} {ability.name}"
        for item in delver.treasures:
            if exit.kind in g.card(item.card).opens and item.card not in delver.used:
                yield f"move {side} {item.card}"


def move(g: Delve, seat: int, rest: list[str]) -> None:
    delver = g.delvers[seat]
    if len(rest) > 1:
        ability = delver.card.ability
        if rest[1] == ability.name:
            delver.used.append("ability")
            delver.glory -= ability.glory
            g.tell(facts.AbilityUsed(seat, ability.name, ability.glory, 0, rest[0]))
        else:
            delver.used.append(rest[1])
            g.tell(facts.TreasureUsed(seat, rest[1]))
    g.next(Leave(seat, rest[0], opened=len(rest) > 1))


def explore(g: Delve, seat: int, rest: list[str]) -> None:
    """D-44 1 AP; it comes back if no card fits (D-32)."""
    g.delvers[seat].spend_ap(1)
    g.next(LayOne(seat, paid=True))


# Cards ----------------------------------------------------------------------------------------------------------------


def cards_to_play(g: Delve, seat: int) -> Iterator[Move]:
    """D-45 Glory cards for deeds that can be paid. D-108 Alone, permanent treasures wait for a battle to be won, and
    boons for the entrance."""
    delver = g.delvers[seat]
    for name in g.deck.cheapest_first(set(delver.hand)):
        card = g.card(name)
        if not card.glory or card.timing != "deeds" or card.cost > delver.glory:
            continue
        if g.solo and card.duration != "instant" and (card.type == "treasure" or delver.at != g.deck.start):
            continue
        for aim in room_for(g, seat, card):
            yield f"play {name} {aim}".rstrip()


def play_card(g: Delve, seat: int, card: Adventure, aim: list[str]) -> None:
    if card.duration == "instant":
        play_instant(g, seat, card.name, seat)
        return
    play_permanent(g, seat, card, aim)


def liftings(g: Delve, seat: int) -> Iterator[Move]:
    """Curses that the hero can discard for their price."""
    delver = g.delvers[seat]
    for name in dict.fromkeys(curse.card for curse in delver.curses):
        price = g.card(name).lifted
        if price and delver.has_ap(price.ap) and delver.glory >= price.glory:
            yield f"lift {name}"


def lift_curse(g: Delve, seat: int, rest: list[str]) -> None:
    price = g.card(rest[0]).lifted
    assert price
    g.delvers[seat].spend_ap(price.ap)
    g.lose(seat, rest[0], glory=price.glory)
    lift(g, seat, rest[0])


# Attacks and quests ---------------------------------------------------------------------------------------------------


def attacks(g: Delve, seat: int) -> Iterator[Move]:
    """D-49 A standing hero may attack another in the same location once per turn, but not where there is a truce."""
    delver = g.delvers[seat]
    if delver.down or not delver.has_ap(1) or "battle" in delver.used or g.location(seat).truce:
        return
    for other in g.heroes_at(delver.at):
        if other != seat:
            for form, more in forms(g, seat):
                yield f"attack {other} {form}{more}"


def attempt(g: Delve, seat: int, rest: list[str]) -> None:
    if g.deck.quests[rest[0]].monster:
        count_attempt(g, seat, rest[0])
        g.next(Hunt(g.left_of(seat), seat, rest[0]))
    else:
        g.next(Attempt(seat, rest[0], tuple(rest[1:])))


# Texts of locations ---------------------------------------------------------------------------------------------------


def location_texts(g: Delve, seat: int) -> Iterator[Move]:
    """D-87 The actions that the text of the location offers now."""
    delver, action = g.delvers[seat], g.location(seat).action
    if not action or (action.once and action.name in delver.used):
        return
    if (action.silenced and g.spots[delver.at].silenced) or not delver.has_ap(action.ap) or delver.glory < action.glory:
        return
    if action.name == "exchange":
        if g.quests and not g.solo and "impersonal" not in g.variants:
            for quest in delver.quests:
                yield f"exchange {quest}"
    elif action.name == "free":
        for name in g.deck.cheapest_first(set(delver.hand)):
            card = g.card(name)
            if card.type == "treasure" and card.timing in ("deeds", "any"):
                for aim in room_for(g, seat, card):
                    yield f"free {name} {aim}".rstrip()
    elif action.name == "bridge":
        if not any(spot.bridge for spot in g.spots.values()):
            yield "bridge"
    elif action.ends or all(useful(g, seat, effect) for effect in action.effects):
        yield action.name


def use_location(g: Delve, seat: int, rest: list[str]) -> None:
    delver, action = g.delvers[seat], g.location(seat).action
    assert action
    delver.spend_ap(action.ap)
    delver.glory -= action.glory
    if action.once:
        delver.used.append(action.name)
    g.over = g.over or action.ends
    g.tell(facts.LocationUsed(seat, delver.at, action.ap, action.glory))
    g.next(Apply(seat, action.effects, delver.at, by=seat))


def exchange_quest(g: Delve, seat: int, rest: list[str]) -> None:
    use_location(g, seat, [])
    exchange(g, seat, rest[0])


def play_free(g: Delve, seat: int, rest: list[str]) -> None:
    """Play a treasure without paying for it: its owner gains peril equal to its cost."""
    card = g.card(rest[0])
    use_location(g, seat, [])
    g.leave_hand(seat, card.name)
    g.tell(facts.Played(seat, card.name, 0, seat, seat, " ".join(rest[1:])))
    g.gain(seat, "treasury", peril=card.cost)
    if card.duration == "instant":
        g.discard(card.name)
        g.next(Apply(seat, card.effects, card.name, by=seat))
    else:
        prepare(g, seat, card, rest[1:])


def build_bridge(g: Delve, seat: int, rest: list[str]) -> None:
    use_location(g, seat, [])
    at = g.delvers[seat].at
    g.spots[at].bridge = True
    g.tell(facts.TokenPut("bridge", at))


ACTIONS = {
    "move": move,
    "explore": explore,
    "attempt": attempt,
    "search": lambda g, seat, rest: search(g, seat, rest[0]),
    "take": lambda g, seat, rest: escort(g, seat, "take", rest[0]),
    "complete": lambda g, seat, rest: escort(g, seat, "complete", rest[0]),
    "pick_up": lambda g, seat, rest: escort(g, seat, "pick_up", rest[0]),
    "attack": lambda g, seat, rest: attack_hero(g, seat, int(rest[0]), rest[1:]),
    "portal": use_location,
    "altar": use_location,
    "laboratory": use_location,
    "library": use_location,
    "exchange": exchange_quest,
    "free": play_free,
    "bridge": build_bridge,
    "lift": lift_curse,
}
