"""Every claim of a forecast against all that the others could play, through the real engine."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from engine.games.raiders import facts
from engine.games.raiders.cards import decks
from engine.games.raiders.facts import Amount
from engine.games.raiders.forecast import (
    AnyForecast,
    BallForecast,
    ChestCase,
    Effect,
    FightForecast,
    HowOften,
    TrapForecast,
    TreasureForecast,
    VaultForecast,
    forecast,
    forecasts,
)
from engine.games.raiders.modes import mode_of
from engine.games.raiders.positions import Place, position
from engine.games.raiders.rooms import VALUE
from engine.games.raiders.rules import PlayInTurn, Raiders
from engine.games.raiders.view import public
from engine.steps import Ask
from tests.engine.games.raiders.sitting import at, state_of

pytestmark = pytest.mark.no_cover

DECKS = decks()
ENCODE, DECODE = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder(Raiders).decode


# Every way in which a room may go on --------------------------------------------------------------------------------


def continuations(g: Raiders, seat: int, card: str) -> Iterator[facts.Room]:
    """All ways in which the room may come out when this seat lays this card when it is next asked, and the others do
    what they like: torches, balls, cards. After a ball this seat, too, does what it likes."""
    g.told.clear()
    saved = ENCODE(g)
    ask = asking(g)
    asked = ask.who(g)
    for lit in torches(g, seat):
        choices = []
        for other in asked:
            mine = other == seat and card != "any"
            choices.append([card] if mine else ask.options(g, other, ()))
        for words in product(*choices):
            after = DECODE(saved)
            for other in lit:
                after.take_anytime(other, "torch")
            step = after.todo.pop()
            assert isinstance(step, Ask)
            step.take(after, {other: (word,) for other, word in zip(asked, words, strict=True)})
            after.run()
            done = [event for event in after.told if isinstance(event, facts.Room)]
            if done:
                yield done[0]
            else:
                yield from continuations(after, seat, "any" if seat in asked else card)


def asking(g: Raiders) -> Ask:
    ask = g.todo[-1]
    assert isinstance(ask, Ask)
    return ask


def torches(g: Raiders, seat: int) -> list[tuple[int, ...]]:
    """Who of the others may light how many; only a vault of torches cares."""
    if g.room.kind != "vault" or "torch" not in (g.room.prizes or {}).values() or not g.dark():
        return [()]
    each = [range(0 if other == seat else hero.items["torch"] + 1) or (0,) for other, hero in enumerate(g.raiders)]
    return [tuple(s for s, n in enumerate(counts) for _ in range(n)) for counts in product(*each)]


def effect(room: facts.Room, seat: int) -> Effect:
    before, after, play = room.before[seat], room.after[seat], room.plays[seat]
    spent = room.room.flee if play == "flee" and room.room.flee != "ball" else play
    items = Counter(after.items)
    items.subtract(before.items)
    if spent in facts.ITEMS and after.alive:
        items[str(spent)] += 1
    gained = list((+items).elements())
    return Effect(after.coins - before.coins, after.wounds - before.wounds, "".join(gained), not after.alive)


def how_often(cases: Sequence[bool]) -> HowOften:
    return "always" if cases and all(cases) else "maybe" if any(cases) else "never"


def value_in(room: facts.Room, seat: int) -> int:
    value = VALUE.get(str(room.plays[seat]), 0)
    return room.room.fives if room.room.fives and value == 5 else value


# Each claim, as it must be if one looks at them all -----------------------------------------------------------------


def check(told: AnyForecast, ways: list[facts.Room], seat: int, g: Raiders) -> None:
    """In the first edition the dead lose their items: that is no gain or loss of this card's."""
    assert told.effects == tuple(sorted({effect(way, seat) for way in ways}))
    if isinstance(told, FightForecast):
        check_fight(told, ways, seat)
    elif isinstance(told, TreasureForecast):
        check_treasure(told, ways, seat)
    elif isinstance(told, VaultForecast):
        check_vault(told, ways, seat)
    elif isinstance(told, TrapForecast):
        check_trap(told, ways, seat)


def check_fight(told: FightForecast, ways: list[facts.Room], seat: int) -> None:
    fights = [way.outcome for way in ways if isinstance(way.outcome, facts.Fight)]
    hits = [seat in fight.hit for fight in fights]
    assert told.certain == ("hit" if all(hits) else None if any(hits) else "safe")
    assert told.falls == how_often([fight.beaten for fight in fights])
    assert told.if_it_stands == how_often([seat in fight.hit for fight in fights if not fight.beaten])
    mine = [value_in(way, seat) for way in ways]
    assert set(mine) == {told.value or 0}
    others = [fight.total - (told.value or 0) for fight in fights]
    assert (told.others_least, told.others_most) == (min(others), max(others))
    if told.need is None:
        assert not any(fight.beaten for fight in fights)
    else:
        assert all(fight.beaten == (sum_of >= told.need) for fight, sum_of in zip(fights, others, strict=True))
    saving = set()
    for way, fight in zip(ways, fights, strict=True):
        values = {value_in(way, other) for other in range(len(way.plays)) if other != seat}
        if way.drawn is not UNSET:
            assert told.drawn == way.drawn and (seat in fight.hit) == ((told.value or 0) <= way.drawn)
        elif not fight.beaten and told.value is not None:
            assert (seat not in fight.hit) == bool(values & set(told.saved_by))
            if seat not in fight.hit:
                aim, duel = fight.aim == "highest", len(way.plays) == 2
                saving |= {v for v in values if v and (v > told.value if aim else v < told.value + duel)}
    assert set(told.saved_by) == saving
    assert told.paid == how_often([seat in fight.paid for fight in fights])
    hit_effects = {effect(way, seat) for way, fight in zip(ways, fights, strict=True) if seat in fight.hit}
    assert hit_effects <= {told.hit}


def check_treasure(told: TreasureForecast, ways: list[facts.Room], seat: int) -> None:
    cases, above, equals = set(), set(), set()
    if len(ways[0].plays) == 1:
        check_alone(told, ways[0])
        return
    for way in ways:
        assert isinstance(way.outcome, facts.Chests)
        values = [value_in(way, other) for other in range(len(way.plays))]
        chests = [i for i, share in enumerate(way.outcome.shares, 1) if seat in share.seats]
        cases.add(ChestCase(chests[0] if chests else 0, values.count(values[seat]), effect(way, seat).coins))
        above |= {value for value in values if value > values[seat]}
        equals.add(values.count(values[seat]) - 1)
    assert set(told.cases) == cases and len(told.cases) == len(cases)
    assert (told.least, told.most) == (min(c.coins for c in cases), max(c.coins for c in cases))
    assert told.cases[0].coins == told.most
    assert set(told.beaten_by) == above and told.equals == max(equals)


def check_alone(told: TreasureForecast, way: facts.Room) -> None:
    """R-98 A case for each chest that is taken."""
    taken = [(i, chest) for i, chest in enumerate(way.room.chests or (), 1) if chest < (told.value or 0)]
    expected = [ChestCase(i, 1, chest) for i, chest in taken] or [ChestCase(0, 1, 0)]
    assert list(told.cases) == expected
    assert told.least == told.most == effect(way, 0).coins == sum(chest for _, chest in taken)
    assert told.beaten_by == () and told.equals == 0


def check_vault(told: VaultForecast, ways: list[facts.Room], seat: int) -> None:
    prizes = ways[0].room.prizes or {}
    assert told.prize == prizes[told.card]
    if isinstance(told.prize, Amount):
        assert told.gets == "always"
        return
    assert told.gets == how_often([effect(way, seat).item == told.prize for way in ways])
    claims = [sum(prizes.get(str(play)) == told.prize for s, play in enumerate(way.plays) if s != seat) for way in ways]
    assert (told.claims_least, told.claims_most) == (min(claims), max(claims))
    piles = [way.supply_before[told.prize] for way in ways]
    assert (told.pile_least, told.pile_most) == (min(piles), max(piles))


def check_trap(told: TrapForecast, ways: list[facts.Room], seat: int) -> None:
    room, me = ways[0].room, ways[0].before[seat]

    def to_me(harm: facts.Harm) -> int:
        if isinstance(harm, int):
            return harm
        return me.coins // 2 if room.loses == "coins" else (10 - me.wounds) // 2

    values, harms = set(), set()
    for way in ways:
        assert isinstance(way.outcome, facts.Trapped)
        assert way.outcome.hit == told.victims
        values.add(way.outcome.value)
        harms.add(to_me(way.outcome.harm))
    assert set(told.values) == values
    assert (told.least, told.most) == (min(harms), max(harms))
    assert told.picked == (seat in told.victims)
    assert told.own == to_me((room.harms or {})[told.card])
    lost = {way.before[hit].coins - way.after[hit].coins + way.after[hit].wounds - way.before[hit].wounds
            for way in ways for hit in (told.victims[:1] if not told.picked else (seat,))}  # fmt: skip
    assert (told.loses_least, told.loses_most) == ((min(lost), max(lost)) if told.victims else (0, 0))
    assert told.by == (room.by or "highest")


# Random positions ---------------------------------------------------------------------------------------------------


def some_position(luck: Random, edition: str, seats: int, room: str) -> Raiders:
    """With few enough items that all ways can be looked at."""
    mode = mode_of(edition, seats)
    deck = mode.deck
    floor, place = (
        (5, 5) if room in deck.bosses else (luck.randrange(1, 5 + (edition == "first")), luck.randrange(1, 6))
    )
    few = {1: 0, 2: 0.35, 3: 0.25, 4: 0.12, 5: 0.07}[seats]
    left = dict.fromkeys(facts.ITEMS, deck.items)
    raiders = []
    dead = luck.choice((0, 0, 1, 2)) if mode.name == "first" else 0
    for seat in range(seats):
        held = {}
        for item in facts.ITEMS:
            held[item] = min(left[item], luck.choice((1, 1, 2)) if luck.random() < few else 0)
            left[item] -= held[item]
        if mode.facts[room].kind == "vault" and deck.items and luck.random() < 0.3:
            item = luck.choice(("key", "sword"))  # a pile runs low
            held[item] += (more := min(left[item], 3))
            left[item] -= more
        hand = sorted(luck.sample("12345", min(5, 6 - place + (luck.random() < 0.2))))
        coins = luck.choice((0, 1, 2, 5, 5, 9, 19, 20))
        wounds = luck.choice((0, 1, 2, 2, 5) if edition == "second" else (0, 1, 2, 5, 7, 7, 8, 9))
        if seat < dead:
            raiders.append(Place(coins=coins, wounds=11))
            left = {item: left[item] + held[item] for item in left}
            continue
        raiders.append(Place(coins=coins, wounds=wounds, items=held, hand="".join(hand)))
    wanted = {place: room}
    faceup = luck.choice(DECKS["second"].floors)
    play = luck.choice(("sealed", "open")) if seats > 1 else "sealed"
    first, seed = luck.randrange(dead, seats), f"{luck.getrandbits(256):064x}"
    luck.shuffle(raiders)
    while raiders[first].wounds > 9:
        first = (first + 1) % seats
    return position(
        raiders, edition=edition, rooms=wanted, floor=floor, place=place, faceup=faceup, play=play, first=first,
        seed=seed,
    )  # fmt: skip


def some_way_in(g: Raiders, luck: Random) -> bool:
    """Some of what may come before one looks; false when the room is over."""
    for _ in range(luck.choice((0, 0, 1, 2)) if g.first is None else luck.randrange(len(g.raiders) + 1)):
        ask = asking(g)
        asked = ask.who(g)
        words = {seat: ask.options(g, seat, ()) for seat in asked}
        if not isinstance(ask, PlayInTurn):  # only a round with balls leaves the room open
            words = {seat: [w for w in found if w == "ball"] or found for seat, found in words.items()}
            if not any("ball" in found for found in words.values()):
                return True
        g.todo.pop()
        g.told.clear()
        ask.take(g, {seat: (luck.choice(found),) for seat, found in words.items()})
        g.run()
        if any(isinstance(event, facts.Room) for event in g.told):
            return False
    return True


def compare(g: Raiders, most: int, reached: Counter[Any]) -> int:
    """Of every seat that is to choose, every card. Returns how many forecasts were looked at."""
    looked = 0
    seen = public(g)
    ask = asking(g)
    asked = set(ask.order) if isinstance(ask, PlayInTurn) else set(ask.who(g))
    for seat in sorted(asked):
        cards = g.cards(seat)
        told = forecasts(seen, seat, cards)
        assert seen == public(g), "a forecast changes nothing"
        for card in cards:
            ways: list[facts.Room] = []
            for way in continuations(DECODE(ENCODE(g)), seat, card):
                ways.append(way)
                if len(ways) > most:
                    break
            else:
                check(told[card], ways, seat, g)
                looked += 1
                note(told[card], reached)
    return looked


def note(told: AnyForecast, reached: Counter[Any]) -> None:
    if isinstance(told, FightForecast):
        reached[told.certain, told.falls] += 1
        reached["stands", told.if_it_stands] += 1
        reached["paid", told.paid] += 1
    elif isinstance(told, VaultForecast):
        reached["gets", told.gets] += 1
    elif isinstance(told, TrapForecast):
        reached["trap", told.picked, told.least < told.most] += 1
    elif isinstance(told, BallForecast):
        reached["ball"] += 1


KINDS = {
    "monsters": ["snake", "zombie", "goblin", "skeleton", "gelatinous_cube", "troll", "dragon"],
    "treasures": [room for room in DECKS["second"].rooms if room.startswith("treasure")],
    "vaults": ["armoury", "armoury", "hoard"],
    "traps": ["lava", "magnet", "spikes", "boulder"],
    "bosses": list(DECKS["second"].bosses),
}
CASES = [("second", kind, seats) for kind in KINDS for seats in (3, 4, 5)]
CASES += [("first", kind, seats) for kind in KINDS for seats in range(1, 6) if kind != "bosses"]


@pytest.mark.parametrize(("edition", "kind", "seats"), CASES)
def test_every_claim_holds_in_all_continuations_and_every_may_is_reached(edition: str, kind: str, seats: int) -> None:
    reached: Counter[Any] = Counter()
    looked = seed = 0
    while looked < {1: 200, 2: 400, 3: 500, 4: 350, 5: 200}[seats]:
        luck = Random(f"{kind} {seats} {seed}")
        seed += 1
        rooms = [room for room in KINDS[kind] if room in mode_of(edition, seats).facts]
        g = some_position(luck, edition, seats, luck.choice(rooms))
        g.told.clear()
        g.run()
        if some_way_in(g, luck):
            looked += compare(g, 2000, reached)
    if kind == "monsters" and (edition, seats) == ("second", 3):
        for case in [("hit", "never"), ("safe", "never"), ("safe", "maybe"), ("safe", "always"), (None, "never")]:
            assert reached[case], case
        assert reached[None, "maybe"] and reached["ball"]
    if kind == "vaults" and (edition, seats) == ("second", 5):
        assert reached["gets", "always"] and reached["gets", "maybe"]


@pytest.mark.parametrize("mine", [1, 2, 6])
def test_ones_own_balls_come_back_to_the_pile_too(mine: int) -> None:
    held = [Place(hand="2", items={"ball": mine}), Place(hand="2"), Place(hand="1", items={"ball": 6 - mine})]
    g = state_of(at({5: "armoury"}, held, place=5))
    assert g.supply["ball"] == 0
    told = forecast(public(g), 0, "ball")
    check(told, list(continuations(DECODE(ENCODE(g)), 0, "ball")), 0, g)
    assert told.effects == (Effect(), Effect(item="ball"))
