"""What a forecast tells a page, in positions where one sees it at once."""

from typing import Any

import msgspec

from engine.games.raiders.forecast import BallForecast, ChestCase, Effect, forecast, forecasts
from engine.games.raiders.positions import Place, position
from engine.games.raiders.rules import Raiders
from engine.games.raiders.view import public
from tests.engine.games.raiders.sitting import at, before_boss, first, lay, raider, sit, state_of


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


# The first edition --------------------------------------------------------------------------------------------------


def test_a_card_that_may_kill_says_so() -> None:
    table = first("dragon", [raider(5, 7), raider(), raider()])
    assert of(table, 0, "1").hit == Effect(wounds=3, out=True)
    assert of(table, 1, "1").hit == Effect(wounds=3)
    spikes = first("spikes", [raider(5, 8), raider(), raider()])
    told = of(spikes, 0, "2")
    assert told.effects == (Effect(wounds=1), Effect(wounds=2, out=True)), "a 1 would halve the way to death"


def test_the_lowest_decides_and_takes_from_everyone() -> None:
    table = first("lava", [Place(coins=9, hand="3"), Place(hand="4"), Place(hand="5")], place=5)
    told = of(table, 0, "3")
    assert (told.by, told.values, told.victims, told.picked) == ("lowest", (3,), (0, 1, 2), True)
    assert (told.own, told.least, told.most) == (1, 1, 1)
    table = first("lava", [Place(coins=9, hand="1"), Place(hand="4"), Place(hand="5")], place=5)
    assert of(table, 0, "1").own == 4 and of(table, 1, "4").own == 0
    assert of(table, 1, "4").effects == (Effect(),), "half of nothing"


def test_the_dead_can_play_nothing() -> None:
    table = first("dragon", [raider(), Place(wounds=10), raider()])
    assert (of(table, 0, "5").others_least, of(table, 0, "5").others_most) == (1, 5)


def test_in_a_duel_an_equal_card_saves_both() -> None:
    told = of(first("troll", 2), 0, "3")
    assert (told.need, told.falls, told.certain, told.saved_by) == (None, "never", None, (1, 2, 3))
    assert of(first("troll", 2), 0, "5").certain == "safe" and of(first("troll", 2), 0, "1").saved_by == (1,)


def test_alone_everything_is_certain() -> None:
    table = first("troll", [raider()], strengths=[4])
    assert [of(table, 0, card).certain for card in "12345"] == ["hit"] * 4 + ["safe"]
    assert of(table, 0, "5").drawn == 4
    table = first("treasure_4_2", [raider()])
    assert of(table, 0, "5").cases == (ChestCase(1, 1, 4), ChestCase(2, 1, 2)) and of(table, 0, "5").least == 6
    assert of(table, 0, "3").cases == (ChestCase(2, 1, 2),) and of(table, 0, "2").cases == (ChestCase(0, 1, 0),)
    assert of(first("spikes", [raider(5, 3)]), 0, "1").effects == (Effect(wounds=3),)
