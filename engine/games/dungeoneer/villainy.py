"""Phase II: the active player as lord of the dungeon."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from engine import Draft, Move, Step
from engine.games.dungeoneer import battle_facts, facts
from engine.games.dungeoneer.battle import lie_down
from engine.games.dungeoneer.effects import (
    Apply,
    ChooseHidden,
    TurnAsk,
    can_use_ability,
    in_hand,
    jinxes,
    offer,
    pay_for,
    play_instant,
    use_ability,
    useful,
)
from engine.games.dungeoneer.group import golem_quest, start_group
from engine.games.dungeoneer.state import Delve, Foe, Group, Hex, Snare

DONE = "done"


# Any moment of one's own phases II and IV -----------------------------------------------------------------------------


def any_moment(g: Delve, seat: int) -> Iterator[Move]:
    """D-13, D-49, D-94 What the active player may do between its other actions."""
    delver = g.delvers[seat]
    for other in g.opponents(seat):
        if not g.delvers[other].down:
            for card in in_hand(g, seat, jinxes(g, "fall", other)):
                yield f"play {card.name} {other}"
    if can_use_ability(g, seat, "deeds"):
        yield "ability"
    for name in g.deck.cheapest_first(set(delver.hand)):
        card = g.card(name)
        affordable = card.glory and card.timing == "any" and card.cost <= delver.glory
        if affordable and all(useful(g, seat, effect) for effect in card.effects):
            yield f"play {name}"
    if delver.down and delver.ap + delver.spare:
        yield "stand"
    if "limited" in g.variants and not delver.down and "lie" not in delver.used:
        yield "lie"


def do_any_moment(g: Delve, seat: int, word: Move) -> None:
    does, *rest = word.split()
    if does == "ability":
        use_ability(g, seat)
    elif does == "stand":
        stand_up(g, seat)
    elif does == "lie":
        lie_down(g, seat)
    else:
        play_instant(g, seat, rest[0], int(rest[1]) if len(rest) > 1 else seat)


def stand_up(g: Delve, seat: int) -> None:
    """D-88"""
    delver = g.delvers[seat]
    delver.down = False
    delver.spend_ap(1)
    g.tell(facts.Stood(seat))


# Phase II -------------------------------------------------------------------------------------------------------------


class VillainyPhase(Step["Delve"], frozen=True):
    """D-37 Until the player ends it, or can do nothing."""

    def do(self, g: Delve) -> None:
        offer(g, Villainy(g.active))


class Villainy(ChooseHidden, frozen=True):
    """D-37 Curses at any point, one group of encounters, and what fits at any moment."""

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        words = ["end", *curses(g, seat)]
        moment = list(any_moment(g, seat))
        if not g.grouped and len(GroupDraft(seat).options(g, seat, ())) > 1:
            words.append("group")
        return words + moment

    def chosen(self, g: Delve, word: Move) -> None:
        if word == "end":
            return
        g.next(VillainyPhase())
        does, *rest = word.split()
        if does == "group":
            g.next(GroupDraft(self.seat))
        elif does != "play" or g.card(rest[0]).timing == "any":
            do_any_moment(g, self.seat, word)
        else:
            curse(g, self.seat, rest[0], int(rest[1]), rest[2:])


def curses(g: Delve, seat: int) -> Iterator[Move]:
    """D-15, D-16, D-38 A curse is paid by the hero at whom it is aimed, or else by any opponent."""
    delver = g.delvers[seat]
    for name in g.deck.cheapest_first(set(delver.hand)):
        card = g.card(name)
        if card.type != "curse" or card.timing != "villainy":
            continue
        for other in g.opponents(seat):
            if g.delvers[other].peril < card.cost:
                continue
            if card.host:
                for n, _ in enumerate(delver.lair, 1):
                    yield f"play {name} {other} lair {n}"
            elif all(useful(g, seat, effect) for effect in card.effects):
                yield f"play {name} {other}"


def curse(g: Delve, seat: int, name: str, payer: int, rest: list[str]) -> None:
    card = g.card(name)
    pay_for(g, seat, card, payer, payer if card.aimed else -1, " ".join(rest))
    if card.host:
        g.delvers[seat].lair[int(rest[1]) - 1].tucked.append(name)
    elif card.duration == "permanent":  # D-97
        g.delvers[payer].curses.append(Hex(name, seat))
    else:
        g.discard(name)
        g.next(Apply(payer, card.effects, name, by=seat))


# The group ------------------------------------------------------------------------------------------------------------


class Band(Struct):
    """A group, as far as a draft has put it together."""

    hand: list[str]  # what is left in hand
    lair: list[int]  # places in the lair that are not used, from 1
    foes: list[tuple[str, int, int, str]]  # card, place in the lair or 0, target, form
    snares: list[tuple[str, int]]
    rages: list[tuple[str, int, int]]  # card, payer, number of the monster from 1
    golem: int = -1

    def cost(self, g: Delve, seat: int) -> int:
        """D-38, D-42 What this opponent pays. The golem is free where an encounter card is aimed at the same hero."""
        aimed = [card for card, _, target, _ in self.foes if target == seat]
        aimed += [card for card, target in self.snares if target == seat]
        paid = [*aimed, *(card for card, payer, _ in self.rages if payer == seat)]
        return sum(g.card(card).cost for card in paid) + (self.golem == seat and not aimed)


def band(g: Delve, seat: int, draft: Draft) -> Band:
    """The group that the words of a draft make."""
    delver = g.delvers[seat]
    found = Band(list(delver.hand), list(range(1, len(delver.lair) + 1)), [], [], [])
    for word in draft:
        add(g, seat, found, word)
    return found


def add(g: Delve, seat: int, found: Band, word: Move) -> None:
    kind, *rest = word.split()
    match kind, rest:
        case "monster", [card, target, form]:
            found.hand.remove(card)
            found.foes.append((card, 0, int(target), form))
        case "lair", [place, target, form]:
            found.lair.remove(int(place))
            found.foes.append((g.delvers[seat].lair[int(place) - 1].card, int(place), int(target), form))
        case "trap", [card, target]:
            found.hand.remove(card)
            found.snares.append((card, int(target)))
        case "attach", [card, payer, monster]:
            found.hand.remove(card)
            found.rages.append((card, int(payer), int(monster)))
        case "golem", [target]:
            found.golem = int(target)


class GroupDraft(TurnAsk, frozen=True):
    """D-37 The whole group is put together in secret and shown at once; an empty one counts as not declared. D-39, D-61
    Each monster, from the hand or from the lair, is in it once."""

    seat: int

    def who(self, g: Delve) -> list[int]:
        return [self.seat]

    def unfinished(self, g: Delve, seat: int, draft: Draft) -> bool:
        return draft[-1:] != (DONE,)

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        """D-38 Each payer's peril must cover the sum of what it pays."""
        purses = {other: g.delvers[other].peril for other in g.opponents(seat)}

        def covered(word: Move) -> bool:
            after = band(g, seat, (*draft, word))
            return all(after.cost(g, other) <= peril for other, peril in purses.items())

        return [DONE, *filter(covered, offers(g, seat, band(g, seat, draft)))]

    def take(self, g: Delve, answers: dict[int, Draft]) -> None:
        draft = answers[self.seat]
        if draft != (DONE,):
            declare(g, self.seat, band(g, self.seat, draft))


def offers(g: Delve, seat: int, found: Band) -> Iterator[Move]:
    """What could be added if it can be paid: monsters from hand, from the lair, traps, attachments, the golem."""
    targets = g.opponents(seat)
    hand = [g.card(name) for name in g.deck.cheapest_first(set(found.hand))]
    for card in hand:
        if card.monster:
            for target in targets:
                for form in card.monster.attacks:
                    yield f"monster {card.name} {target} {form}"
    for place in found.lair:
        monster = g.card(g.delvers[seat].lair[place - 1].card).monster
        assert monster
        for target in targets:
            for form in monster.attacks:
                yield f"lair {place} {target} {form}"
    for card in hand:
        if card.type == "trap":
            for target in targets:
                yield f"trap {card.name} {target}"
    for card in hand:
        if card.host == "monster":
            for payer in targets:
                for n, _ in enumerate(found.foes, 1):
                    yield f"attach {card.name} {payer} {n}"
    quest = golem_quest(g)
    if quest and found.golem < 0:
        for target in targets:
            if g.delvers[target].at == quest.places[0]:
                yield f"golem {target}"


def declare(g: Delve, seat: int, found: Band) -> None:
    """D-37, D-38 The group is shown whole, and each card is paid by its own target. D-52 Monsters have their printed
    health."""
    delver = g.delvers[seat]
    group = Group(seat, golem=found.golem)
    for other in g.opponents(seat):
        g.delvers[other].peril -= found.cost(g, other)
    for card, place, target, form in found.foes:
        monster = g.card(card).monster
        assert monster
        tucked = []
        if place:
            tucked = delver.lair[place - 1].tucked
        else:
            g.leave_hand(seat, card)
        source: Literal["lair", "hand"] = "lair" if place else "hand"
        group.foes.append(Foe(card, source, seat, target, g.delvers[target].at, form, monster.hp, tucked))
    for card, target in found.snares:
        g.leave_hand(seat, card)
        group.snares.append(Snare(card, target, g.delvers[target].at))
    for card, _, number in found.rages:
        g.leave_hand(seat, card)
        group.foes[number - 1].tucked.append(card)
    taken = {place for _, place, _, _ in found.foes if place}
    delver.lair = [item for place, item in enumerate(delver.lair, 1) if place not in taken]
    g.grouped = True
    g.tell(
        battle_facts.GroupShown(
            seat,
            tuple(
                [
                    battle_facts.FoeTold(foe.card, foe.source, foe.target, foe.form, tuple(foe.tucked))
                    for foe in group.foes
                ]
            ),
            tuple([battle_facts.TrapTold(snare.card, snare.target) for snare in group.snares]),
            group.golem,
            {other: found.cost(g, other) for other in g.opponents(seat)},
        )
    )
    start_group(g, group)
