"""Every claim of a forecast against all that the others could play, through the real engine."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

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
from engine.games.raiders.positions import Place, position
from engine.games.raiders.rooms import VALUE
from engine.games.raiders.rules import PlayInTurn, Raiders
from engine.games.raiders.view import public
from engine.steps import Ask
from tests.engine.games.raiders.sitting import at, before_boss, lay, raider, sit, state_of

DECK = decks()["second"]
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
    if spent in facts.ITEMS:
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
        if not fight.beaten and told.value is not None:
            assert (seat not in fight.hit) == bool(values & set(told.saved_by))
            if seat not in fight.hit:
                aim = fight.aim == "highest"
                saving |= {v for v in values if v and (v > told.value if aim else v < told.value)}
    assert set(told.saved_by) == saving
    assert told.paid == how_often([seat in fight.paid for fight in fights])
    hit_effects = {effect(way, seat) for way, fight in zip(ways, fights, strict=True) if seat in fight.hit}
    assert hit_effects <= {told.hit}


def check_treasure(told: TreasureForecast, ways: list[facts.Room], seat: int) -> None:
    cases, above, equals = set(), set(), set()
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


def check_vault(told: VaultForecast, ways: list[facts.Room], seat: int) -> None:
    prizes = ways[0].room.prizes or {}
    assert told.prize == prizes[told.card]
    if isinstance(told.prize, Amount):
        assert told.gets == "always"
        return
    assert told.gets == how_often([effect(way, seat).item == told.prize for way in ways])
    claims = [sum(prizes[str(play)] == told.prize for s, play in enumerate(way.plays) if s != seat) for way in ways]
    assert (told.claims_least, told.claims_most) == (min(claims), max(claims))
    piles = [way.supply_before[told.prize] for way in ways]
    assert (told.pile_least, told.pile_most) == (min(piles), max(piles))


def check_trap(told: TrapForecast, ways: list[facts.Room], seat: int) -> None:
    values, harms = set(), set()
    for way in ways:
        assert isinstance(way.outcome, facts.Trapped)
        assert way.outcome.hit == told.victims
        values.add(way.outcome.value)
        harms.add(way.outcome.harm)
    assert set(told.values) == values
    assert (told.least, told.most) == (min(harms), max(harms))
    assert told.picked == (seat in told.victims)
    assert told.own == (ways[0].room.harms or {})[told.card]


# Random positions ---------------------------------------------------------------------------------------------------


def some_position(luck: Random, seats: int, room: str) -> Raiders:
    """With few enough items that all ways can be looked at."""
    floor, place = (5, 5) if room in DECK.bosses else (luck.randrange(1, 5), luck.randrange(1, 6))
    few = {3: 0.25, 4: 0.12, 5: 0.07}[seats]
    left = dict.fromkeys(facts.ITEMS, 6)
    raiders = []
    for _ in range(seats):
        held = {}
        for item in facts.ITEMS:
            held[item] = min(left[item], luck.choice((1, 1, 2)) if luck.random() < few else 0)
            left[item] -= held[item]
        if DECK.facts[seats][room].kind == "vault" and luck.random() < 0.3:
            item = luck.choice(("key", "sword"))  # a pile runs low
            held[item] += (more := min(left[item], 3))
            left[item] -= more
        hand = sorted(luck.sample("12345", min(5, 6 - place + (luck.random() < 0.2))))
        coins, wounds = luck.choice((0, 1, 2, 5, 5, 9, 19, 20)), luck.choice((0, 1, 2, 2, 5))
        raiders.append(Place(coins=coins, wounds=wounds, items=held, hand="".join(hand)))
    wanted = {place: room}
    faceup = luck.choice(DECK.floors)
    play = luck.choice(("sealed", "open"))
    first, seed = luck.randrange(seats), f"{luck.getrandbits(256):064x}"
    return position(raiders, rooms=wanted, floor=floor, place=place, faceup=faceup, play=play, first=first, seed=seed)


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
    "monsters": [room for room in DECK.rooms if DECK.facts[3][room].kind == "monster"],
    "treasures": [room for room in DECK.rooms if DECK.facts[3][room].kind == "treasure"],
    "vaults": ["armoury", "armoury", "hoard"],
    "traps": ["lava", "magnet", "spikes", "boulder"],
    "bosses": list(DECK.bosses),
}


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("kind", KINDS)
def test_every_claim_holds_in_all_continuations_and_every_may_is_reached(kind: str, seats: int) -> None:
    reached: Counter[Any] = Counter()
    looked = seed = 0
    while looked < {3: 500, 4: 350, 5: 200}[seats]:
        luck = Random(f"{kind} {seats} {seed}")
        seed += 1
        g = some_position(luck, seats, luck.choice(KINDS[kind]))
        g.told.clear()
        g.run()
        if some_way_in(g, luck):
            looked += compare(g, 2000, reached)
    if kind == "monsters" and seats == 3:
        for case in [("hit", "never"), ("safe", "never"), ("safe", "maybe"), ("safe", "always"), (None, "never")]:
            assert reached[case], case
        assert reached[None, "maybe"] and reached["ball"]
    if kind == "vaults" and seats == 5:
        assert reached["gets", "always"] and reached["gets", "maybe"]


# What the pages say -------------------------------------------------------------------------------------------------


def of(table_or_state: Any, seat: int, card: str) -> Any:
    g = table_or_state if isinstance(table_or_state, Raiders) else state_of(table_or_state)
    return forecast(public(g), seat, card)


def dragon() -> Any:
    """The page that the art direction draws: the second room of a floor, one raider holds a sword."""
    hands = [
        Place(coins=9, wounds=3, hand="1245", items={"sword": 1, "torch": 1}),
        Place(coins=8, wounds=2, hand="1235"),
        Place(coins=6, wounds=4, hand="1345"),
        Place(coins=12, wounds=5, hand="1235"),
    ]
    return sit(position(hands, floor=3, place=2, rooms="dragon"))


def test_the_dragon_of_the_first_page() -> None:
    table = dragon()
    one, two, four, five, sword = (of(table, 0, card) for card in ("1", "2", "4", "5", "sword"))
    assert (one.certain, one.falls, one.others_most) == ("hit", "never", 15)
    assert (two.certain, two.falls, two.saved_by, two.hit.wounds) == (None, "never", (1,), 3)
    assert (four.certain, four.falls, four.need) == ("safe", "maybe", 14)
    assert (five.certain, five.need, five.spends) == ("safe", 13, None)
    assert (sword.value, sword.need, sword.spends) == (5, 13, "sword")


def test_a_monster_that_always_falls() -> None:
    held = [Place(hand="5"), Place(hand="4"), Place(hand="3")]
    table = at("snake", held, place=5)
    told = of(table, 2, "3")
    assert (told.certain, told.falls, told.need, told.if_it_stands, told.saved_by) == ("safe", "always", 5, "never", ())


def test_in_open_play_those_who_have_played_are_fixed_and_those_after_me_may_choose() -> None:
    table = at("dragon", 3, play="open", first=0)
    lay(table, "5", "4")
    told = of(table, 2, "5")
    assert (told.falls, told.certain, told.others_least, told.others_most) == ("always", "safe", 9, 9)
    table = at("dragon", 3, play="open", first=0)
    lay(table, "5")
    told = of(table, 1, "4")
    assert (told.falls, told.certain, told.need) == ("maybe", None, 10) or told.others_most == 10


def test_in_the_second_round_only_ball_players_are_open() -> None:
    table = at("dragon", [raider(ball=1), raider(), raider(ball=1)])
    lay(table, "ball", "2", "ball")
    told = of(table, 0, "5")
    assert (told.others_least, told.others_most) == (3, 7)
    assert told.certain == "safe" and told.falls == "never"


def test_treasure_says_what_it_depends_on() -> None:
    held = [Place(hand="4"), Place(hand="4"), Place(hand="2"), Place(hand="5", items={"ball": 1})]
    table = at("treasure_4_2", held, place=5)
    told = of(table, 0, "4")
    assert told.cases == (ChestCase(2, 2, 1),) and told.beaten_by == (5,) and told.equals == 1
    told = of(table, 2, "2")
    assert told.cases == (ChestCase(0, 1, 0),) and told.most == 0


def test_a_key_is_spent_and_counts_5() -> None:
    told = of(at("treasure_4", [raider(key=1), raider(), raider()]), 0, "key")
    assert (told.value, told.spends, told.most, told.least, told.beaten_by) == (5, "key", 4, 1, ())


def test_a_vaults_pile_may_be_too_small() -> None:
    held = [raider(sword=2), raider(sword=3), raider()]
    told = of(at("armoury", held), 2, "4")
    assert (told.prize, told.gets, told.pile_least, told.claims_most) == ("sword", "maybe", 1, 2)
    held = [raider(sword=3), raider(sword=3), raider()]
    assert of(at("armoury", held), 2, "4").gets == "never"


def test_balls_and_torches_of_others_may_come_back_to_the_pile_in_time() -> None:
    held = [raider(ball=3, torch=3), raider(ball=3, torch=3), raider()]
    told = of(at("armoury", held, faceup="UDUDD"), 2, "2")
    assert (told.pile_least, told.pile_most, told.gets) == (0, 6, "maybe")
    told = of(at("armoury", held, faceup="UDUDD"), 2, "1")
    assert (told.pile_least, told.pile_most, told.gets) == (0, 6, "maybe")
    told = of(at({5: "armoury"}, held, faceup="UDUDD", place=5), 2, "1")
    assert (told.pile_least, told.pile_most, told.gets) == (0, 0, "never")


@pytest.mark.parametrize("mine", [1, 2, 6])
def test_ones_own_balls_come_back_to_the_pile_too(mine: int) -> None:
    held = [Place(hand="2", items={"ball": mine}), Place(hand="2"), Place(hand="1", items={"ball": 6 - mine})]
    g = state_of(at({5: "armoury"}, held, place=5))
    assert g.supply["ball"] == 0
    told = of(g, 0, "ball")
    check(told, list(continuations(DECODE(ENCODE(g)), 0, "ball")), 0, g)
    assert told.effects == (Effect(), Effect(item="ball"))


def test_a_trap_tells_its_victims_and_what_this_card_sets_off() -> None:
    table = at("lava", [raider(9), raider(9), raider(2)])
    told = of(table, 0, "4")
    assert told.victims == (0, 1) and told.picked
    assert (told.own, told.least, told.most, told.values) == (2, 2, 3, (4, 5))
    assert told.effects == (Effect(coins=-3), Effect(coins=-2))
    assert of(table, 2, "5").effects == (Effect(),)


def test_bosses_specials() -> None:
    wolves = before_boss("wolf_pack", [raider(torch=1), raider(), raider()])
    told = of(wolves, 0, "flee")
    assert (told.value, told.spends, told.certain, told.need) == (None, "torch", "safe", 11)
    mummy = before_boss("mummy", 3)
    assert of(mummy, 0, "5").certain == "hit"
    assert of(mummy, 0, "3").saved_by == (4, 5) and of(mummy, 0, "3").need is None
    golem = before_boss("golem", 3)
    assert of(golem, 0, "5").value == 1 and of(golem, 0, "5").certain == "hit"
    assert of(golem, 0, "4").saved_by == (1, 2, 3)
    assert of(before_boss("medusa", 3), 0, "1").hit == Effect(out=True)
    assert of(before_boss("vampire", [raider(1), raider(), raider()]), 0, "1").hit == Effect(coins=-1, wounds=1)
    sphinx = of(before_boss("sphinx", 3), 0, "5")
    assert (sphinx.paid, sphinx.pay) == ("always", 2)


def test_a_ball_before_the_necromancer_leads_to_fleeing() -> None:
    table = before_boss("necromancer", [raider(ball=1), raider(), raider()])
    told = of(table, 0, "ball")
    assert isinstance(told, BallForecast) and told.cards == ("1", "2", "3", "4", "5", "flee")
    assert of(table, 1, "5").others_least == 1, "the ball's owner may flee"
    lay(table, "ball", "5", "4")
    told = of(table, 0, "flee")
    assert (told.spends, told.certain) == (None, "safe")


def test_a_forecast_is_plain_data() -> None:
    table = dragon()
    for told in forecasts(public(state_of(table)), 0, table.moves(0)).values():
        assert msgspec.json.decode(msgspec.json.encode(told), type=type(told)) == told
