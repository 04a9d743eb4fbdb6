"""Treasures, monsters, vaults and traps: R-30 to R-56, and the rulebook's examples."""

import pytest

from engine.games.raiders import facts
from engine.games.raiders.facts import Amount, Share
from tests.engine.games.raiders.sitting import at, coins, done, fight, gained, raider, wounds


def test_example_1_chests_4_and_2() -> None:
    room = done(at("treasure_4_2", 5), *"44421")
    assert coins(room) == [1, 1, 1, 2, 0]


def test_example_2_the_dragon() -> None:
    room = done(at("dragon", 4), *"5433")
    assert (fight(room).total, fight(room).strength) == (15, 18)
    assert wounds(room) == [0, 0, 3, 3]


def test_r30_highest_takes_the_bigger_chest_second_highest_the_smaller() -> None:
    room = done(at("treasure_3_2"), *"5432")
    assert coins(room) == [3, 2, 0, 0]
    assert room.outcome == facts.Chests((Share(5, (0,), 3, 3), Share(4, (1,), 2, 2)))


def test_r30_where_there_is_one() -> None:
    assert coins(done(at("treasure_3"), *"5432")) == [3, 0, 0, 0]


@pytest.mark.parametrize(
    ("room", "cards", "shares"),
    [
        ("treasure_4", "5551", [1, 1, 1, 0]),
        ("treasure_4", "5521", [2, 2, 0, 0]),
        ("treasure_3", "5521", [1, 1, 0, 0]),
        ("treasure_3", "5555", [0, 0, 0, 0]),
        ("treasure_2", "5551", [0, 0, 0, 0]),
        ("treasure_2_1", "5544", [1, 1, 0, 0]),
        ("treasure_4_2", "5444", [4, 0, 0, 0]),
    ],
)
def test_r31_equal_values_share_rounded_down_and_too_few_coins_go_to_none(
    room: str, cards: str, shares: list[int]
) -> None:
    assert coins(done(at(room), *cards)) == shares


def test_r32_coins_over_20_are_lost_and_the_share_is_counted_before_the_limit() -> None:
    room = done(at("treasure_4_2", [raider(19), raider(17), raider(19), raider()]), *"5542")
    assert [purse.coins for purse in room.after] == [20, 19, 20, 5]
    assert isinstance(room.outcome, facts.Chests)
    assert room.outcome.shares[0].each == 2


def test_r33_second_highest_is_the_next_distinct_value() -> None:
    assert coins(done(at("treasure_4_2"), *"5521")) == [2, 2, 2, 0]
    assert coins(done(at("treasure_4_2"), *"5511")) == [2, 2, 1, 1]


def test_r33_all_equal_the_small_chest_goes_to_nobody() -> None:
    room = done(at("treasure_4_2"), *"3333")
    assert coins(room) == [1, 1, 1, 1]
    assert room.outcome == facts.Chests((Share(3, (0, 1, 2, 3), 4, 1),))


@pytest.mark.parametrize(("cards", "beaten"), [("5544", True), ("5543", False), ("5554", True)])
def test_r40_a_sum_equal_to_the_strength_is_enough(cards: str, beaten: bool) -> None:
    room = done(at("dragon"), *cards)
    assert fight(room).beaten is beaten
    if beaten:
        assert wounds(room) == [0, 0, 0, 0] and fight(room).hit == () and fight(room).value is None


@pytest.mark.parametrize(("players", "strength"), [(3, 14), (4, 18), (5, 23)])
def test_r40_the_strength_is_that_for_the_number_of_players(players: int, strength: int) -> None:
    assert at("dragon", players).shared().public.rooms[0].room.strength == strength


def test_r41_everyone_with_the_lowest_value_takes_its_full_wounds() -> None:
    room = done(at("troll"), *"3223")
    assert wounds(room) == [0, 2, 2, 0]
    assert fight(room) == facts.Fight(10, 18, False, "lowest", 2, (1, 2), 2, 0, False, (), (), 0)


def test_r41_all_equal_and_all_are_hit() -> None:
    assert wounds(done(at("skeleton"), *"3333")) == [3, 3, 3, 3]


def test_r50_everyone_gets_the_bonus_beside_the_value_they_played() -> None:
    room = done(at("armoury", 5), *"12345")
    assert gained(room) == [["torch"], ["ball"], ["key"], ["sword"], []]
    assert wounds(room) == [0, 0, 0, 0, -1] and coins(room) == [0] * 5
    assert room.supply_after == dict.fromkeys(facts.ITEMS, 5)
    room = done(at("hoard", 5), *"12345")
    assert coins(room) == [1, 2, 0, 3, 0] and wounds(room) == [0, 0, -1, 0, -2]


def test_r50_equal_values_each_get_their_full_amount() -> None:
    room = done(at("hoard"), *"4455")
    assert coins(room) == [3, 3, 0, 0] and wounds(room) == [0, 0, -2, -2]
    assert room.outcome == facts.Vault(
        (Share(5, (2, 3), Amount("potion", 2), 2), Share(4, (0, 1), Amount("coins", 3), 3))
    )


def test_r50_an_item_goes_to_all_who_claim_it_or_to_none() -> None:
    held = [raider(sword=2), raider(sword=2), raider(), raider()]
    assert gained(done(at("armoury", held), *"4421")) == [["sword"], ["sword"], ["ball"], ["torch"]]
    room = done(at("armoury", held), *"4442")
    assert gained(room) == [[], [], [], ["ball"]]
    assert room.outcome == facts.Vault((Share(4, (0, 1, 2), "sword", 0), Share(2, (3,), "ball", 1)))


def test_r50_coins_over_20_are_lost() -> None:
    assert coins(done(at("hoard", [raider(19), raider(20), raider()]), *"442")) == [1, 0, 2]


def test_r51_a_potion_takes_off_up_to_its_wounds() -> None:
    room = done(at("hoard", [raider(wounds=0), raider(wounds=1), raider(wounds=2), raider(wounds=3)]), *"5555")
    assert wounds(room) == [0, -1, -2, -2]


def test_r51_there_is_no_hand_limit() -> None:
    room = done(at("armoury", [raider(torch=3, ball=3, key=3, sword=3), raider(), raider()]), *"111")
    assert room.after[0].items["torch"] == 4


TRAPS = [
    ("lava", "coins", [3, 2, 1, 0, 0]),
    ("magnet", "coins", [2, 2, 1, 1, 0]),
    ("spikes", "wounds", [2, 2, 1, 0, 0]),
    ("boulder", "wounds", [2, 1, 1, 1, 0]),
]


@pytest.mark.parametrize(
    ("trap", "loses", "highest", "harm"),
    [
        (trap, loses, highest, harm)
        for trap, loses, harms in TRAPS
        for highest, harm in zip((5, 4, 3, 2, 1), harms, strict=True)
    ],
)
def test_traps_of_the_second_edition(trap: str, loses: str, highest: int, harm: int) -> None:
    raiders = [raider(9, 5), raider(9, 2), raider(7, 2), raider(0, 8)]
    room = done(at(trap, raiders), "1", str(highest), "1", "1")
    if loses == "coins":
        assert coins(room) == [-harm, -harm, 0, 0] and wounds(room) == [0] * 4
        assert room.outcome == facts.Trapped(highest, "richest", "coins", harm, (0, 1))
    else:
        assert wounds(room) == [0, harm, harm, 0] and coins(room) == [0] * 4
        assert room.outcome == facts.Trapped(highest, "least_wounded", "wounds", harm, (1, 2))


def test_r55_coins_never_go_below_0() -> None:
    room = done(at("lava", [raider(2), raider(1), raider(0)]), *"511")
    assert [purse.coins for purse in room.after] == [0, 1, 0]


def test_r55_if_the_most_coins_is_0_the_richest_lose_nothing() -> None:
    room = done(at("lava", [raider(0), raider(0), raider(0)]), *"511")
    assert room.outcome == facts.Trapped(5, "richest", "coins", 3, ())
    assert coins(room) == [0, 0, 0]


def test_r56_a_trap_can_be_set_off_by_its_own_victim() -> None:
    room = done(at("lava", [raider(9), raider(), raider()]), *"511")
    assert coins(room) == [-3, 0, 0]
    room = done(at("spikes", [raider(wounds=0), raider(), raider()]), *"411")
    assert wounds(room) == [2, 0, 0]


def test_r56_whoever_played_it() -> None:
    assert coins(done(at("lava", [raider(9), raider(), raider()]), *"115")) == [-3, 0, 0]
