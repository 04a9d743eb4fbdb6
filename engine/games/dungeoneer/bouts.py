"""The attacks of the battle that is going on, as sums that players can check."""

from collections.abc import Iterator

from msgspec import Struct

from engine.games.dungeoneer.cards import deck
from engine.games.dungeoneer.plan import beats
from engine.games.dungeoneer.state import Attack, Foe
from engine.games.dungeoneer.view import DelverSeen, Public


class Summand(Struct, frozen=True):
    """What is added to a die: a value by its name, or what a card, a location, a quest or an ability changes."""

    source: str
    n: int


class BoutFace(Struct, frozen=True):
    """One attack as declared, with what has become of it so far."""

    by: str  # "m0": the first monster of the group, "h2": the hero of seat 2
    on: str
    form: str
    attack: tuple[Summand, ...]
    counter: tuple[Summand, ...]
    strikes: float  # how likely each side was to strike when the dice were rolled
    struck: float
    total: int  # -1: not rolled
    against: int
    off: bool  # ignored, or a side is out


def bout_faces(public: Public) -> tuple[BoutFace, ...]:
    """The attacks of the current battle, in declared order."""
    group = public.group
    return tuple([bout_face(public, attack) for attack in group.battles[-1].attacks]) if group and group.battles else ()


def bout_face(public: Public, attack: Attack) -> BoutFace:
    mine, other = tuple(attack_summands(public, attack)), tuple(counter_summands(public, attack))
    value, against = together(mine), together(other)
    return BoutFace(
        attack.by,
        attack.on,
        attack.form,
        mine,
        other,
        beats(value, against),
        beats(against, value),
        attack.total,
        attack.counter,
        attack.off,
    )


def together(summands: tuple[Summand, ...]) -> int:
    """D-54 No value is ever below 0."""
    return max(0, sum(one.n for one in summands))


def foe_at(public: Public, side: str) -> Foe | None:
    return public.group.foes[int(side[1:])] if public.group and side[0] == "m" else None


def attack_summands(public: Public, attack: Attack) -> Iterator[Summand]:
    foe, known = foe_at(public, attack.by), deck()
    if not foe:
        hero = public.delvers[int(attack.by[1:])]
        yield Summand(attack.form, hero.values[attack.form])
        yield from added(hero, f"attack_{attack.form}")
        if attack.bonus:
            yield Summand(known.heroes[hero.hero].ability.name, attack.bonus)
        return
    yield Summand(attack.form, foe.monster.value(attack.form))
    yield from (Summand(card, known.adventures[card].gives.attack) for card in foe.tucked)
    if attack.on[0] == "h" and public.group:
        at, victim = public.group.battles[-1].at, public.delvers[int(attack.on[1:])]
        if known.locations[at].helps == foe.monster.kind:
            yield Summand(at, 1)
        for quest in (*victim.quests, *public.common):
            if known.quests[quest].helps == foe.monster.kind:
                yield Summand(quest, 1)
    if attack.malus:
        yield Summand("smoke_flask", -attack.malus)


def counter_summands(public: Public, attack: Attack) -> Iterator[Summand]:
    foe = foe_at(public, attack.on)
    if foe:
        yield Summand(attack.form, foe.monster.value(attack.form))
        return
    hero = public.delvers[int(attack.on[1:])]
    yield Summand(attack.form, hero.values[attack.form])
    yield from added(hero, f"counter_{attack.form}")
    if attack.parry:
        yield Summand("parry", attack.parry)


def added(hero: DelverSeen, key: str) -> Iterator[Summand]:
    """What each prepared card adds to this kind of check."""
    prepared = [card for item in hero.treasures for card in (item.card, *item.tucked)]
    for card in (*hero.boons, *prepared, *(curse.card for curse in hero.curses)):
        n = getattr(deck().adventures[card].gives, key, 0)
        if n:
            yield Summand(card, n)
