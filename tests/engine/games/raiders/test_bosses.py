"""The bosses: R-60 to R-64."""

import pytest

from engine.games.raiders import facts
from engine.games.raiders.cards import decks
from engine.steps import Result
from tests.engine.games.raiders.sitting import before_boss, coins, done, fight, lay, lay_by, only, out, raider, wounds

STRENGTHS = {
    "tax_collector": (11, 14, 16),
    "medusa": (11, 14, 16),
    "vampire": (14, 18, 23),
    "sphinx": (11, 14, 16),
    "minotaur": (14, 18, 23),
    "wolf_pack": (11, 14, 16),
    "necromancer": (14, 18, 23),
    "megadragon": None,
    "golem": None,
    "mummy": None,
}


def test_r60_a_boss_is_beaten_or_attacks_like_a_monster() -> None:
    room = done(before_boss("necromancer"), *"5544")
    assert fight(room).beaten and wounds(room) == [0, 0, 0, 0]
    room = done(before_boss("necromancer"), *"5533")
    assert not fight(room).beaten and wounds(room) == [0, 0, 2, 2]


def test_r60_the_boss_is_the_last_room() -> None:
    told = lay(before_boss("vampire"), *"5432")
    assert only(told, Result)


@pytest.mark.parametrize("boss", ["megadragon", "golem", "mummy"])
def test_r60_one_that_cannot_be_beaten_attacks_whatever_the_sum(boss: str) -> None:
    room = done(before_boss(boss, [raider(sword=1), raider(), raider()]), "sword", "5", "5")
    assert not fight(room).beaten and fight(room).strength is None and fight(room).hit


@pytest.mark.parametrize("boss", STRENGTHS)
def test_r61_the_strength_is_that_for_the_number_of_players(boss: str) -> None:
    strengths = STRENGTHS[boss]
    for players in (3, 4, 5):
        room = decks()["second"].facts[players][boss]
        assert room.kind == "boss" and room.strength == (strengths and strengths[players - 3])


def test_tax_collector_the_attacked_lose_3_coins_no_wounds() -> None:
    room = done(before_boss("tax_collector", [raider(9), raider(2), raider(), raider()]), *"1143")
    assert coins(room) == [-3, -2, 0, 0] and wounds(room) == [0, 0, 0, 0]


def test_tax_collector_beaten() -> None:
    assert coins(done(before_boss("tax_collector"), *"5441")) == [0, 0, 0, 0]


def test_medusa_the_attacked_are_out_and_cannot_win() -> None:
    table = before_boss("medusa", [raider(20, 0), raider(3), raider(2)])
    told = lay(table, *"123")
    room = only(told, facts.Room)
    assert out(room) == [0] and wounds(room) == [0, 0, 0] and fight(room).stone
    result = only(told, Result)
    assert result.winners == (1,)
    assert [(s.seat, s.why) for s in result.standings] == [(1, "most_coins"), (2, "coins"), (0, "stone")]


def test_medusa_all_out_and_everybody_loses() -> None:
    told = lay(before_boss("medusa", 3), *"333")
    assert out(only(told, facts.Room)) == [0, 1, 2]
    result = only(told, Result)
    assert result.winners == () and {s.why for s in result.standings} == {"stone"}


def test_vampire_1_wound_and_2_coins() -> None:
    room = done(before_boss("vampire", [raider(1), raider(), raider(), raider()]), *"1145")
    assert coins(room) == [-1, -2, 0, 0] and wounds(room) == [1, 1, 0, 0]


@pytest.mark.parametrize(("boss", "harm", "pay"), [("sphinx", 2, 2), ("minotaur", 1, 1)])
class TestPayingBosses:
    def test_the_highest_are_paid_each(self, boss: str, harm: int, pay: int) -> None:
        room = done(before_boss(boss), *"4413")
        assert not fight(room).beaten
        assert coins(room) == [pay, pay, 0, 0] and wounds(room) == [0, 0, harm, 0]

    def test_r63_beaten_too(self, boss: str, harm: int, pay: int) -> None:
        room = done(before_boss(boss), *"5544")
        assert fight(room).beaten
        assert coins(room) == [pay, pay, 0, 0] and wounds(room) == [0, 0, 0, 0]

    def test_r63_all_equal_and_not_beaten_no_coins(self, boss: str, harm: int, pay: int) -> None:
        room = done(before_boss(boss), *"3333")
        assert not fight(room).beaten and fight(room).paid == ()
        assert coins(room) == [0, 0, 0, 0] and wounds(room) == [harm] * 4

    def test_r63_all_equal_and_beaten_everyone_is_paid(self, boss: str, harm: int, pay: int) -> None:
        room = done(before_boss(boss), *"5555")
        assert fight(room).beaten and fight(room).paid == (0, 1, 2, 3)
        assert coins(room) == [pay] * 4 and wounds(room) == [0] * 4

    def test_not_over_20_coins(self, boss: str, harm: int, pay: int) -> None:
        assert coins(done(before_boss(boss, [raider(20), raider(), raider()]), *"511")) == [0, 0, 0]


FLEEING = [("wolf_pack", "torch"), ("megadragon", "key")]


@pytest.mark.parametrize(("boss", "item"), FLEEING)
def test_r62_an_item_played_to_flee_is_not_in_the_sum_and_its_owner_not_attacked(boss: str, item: str) -> None:
    table = before_boss(boss, [raider(**{item: 1}), raider(), raider()])
    assert table.moves(0) == ["1", "2", "3", "4", "5", "flee"] and "flee" not in table.moves(1)
    room = done(table, "flee", "3", "2")
    assert room.plays == ("flee", 3, 2)
    assert fight(room).total == 5 and fight(room).fled == (0,) and fight(room).hit == (2,)
    assert wounds(room)[0] == 0


@pytest.mark.parametrize(("boss", "item"), FLEEING)
def test_r62_fleeing_cards_go_to_the_supply_after_the_room(boss: str, item: str) -> None:
    room = done(before_boss(boss, [raider(**{item: 1}), raider(), raider()]), "flee", "3", "2")
    assert room.before[0].items[item] == 1 and room.supply_before[item] == 5
    assert room.after[0].items[item] == 0 and room.supply_after[item] == 6


@pytest.mark.parametrize(("boss", "item"), FLEEING)
def test_r62_torch_and_key_also_as_the_second_card_after_a_ball(boss: str, item: str) -> None:
    table = before_boss(boss, [raider(ball=1, **{item: 1}), raider(), raider()])
    lay(table, "ball", "3", "2")
    room = done(table, "flee")
    assert room.plays[0] == "flee" and room.after[0].items == dict.fromkeys(facts.ITEMS, 0)


def test_r62_before_the_necromancer_a_ball_already_passed_on_is_the_fleeing_card() -> None:
    table = before_boss("necromancer", [raider(ball=1), raider(), raider()])
    assert table.moves(0) == ["1", "2", "3", "4", "5", "ball"]
    told = lay(table, "ball", "3", "2")
    assert only(told, facts.Cards).cards[0] == "ball"
    assert table.moves(0) == ["1", "2", "3", "4", "5", "flee"]
    room = done(table, "flee")
    assert room.plays == ("flee", 3, 2) and fight(room).fled == (0,)
    assert room.before[0].items["ball"] == 0 and room.supply_before["ball"] == room.supply_after["ball"] == 6


def test_r62_before_the_necromancer_its_owner_may_also_play_another_card() -> None:
    table = before_boss("necromancer", [raider(ball=2, sword=1), raider(), raider()])
    lay(table, "ball", "3", "2")
    assert table.moves(0) == ["1", "2", "3", "4", "5", "ball", "sword", "flee"]
    assert done(table, "4").plays == (4, 3, 2)


def test_r62_open_a_ball_is_passed_on_first_too() -> None:
    table = before_boss("necromancer", [raider(ball=1), raider(), raider()], play="open", first=0)
    lay(table, "ball")
    assert table.waits == [1]
    lay(table, "3", "2")
    assert table.waits == [0] and "flee" in table.moves(0)
    assert done(table, "flee").plays == ("flee", 3, 2)


def test_r62_a_wolf_torch_may_be_played_in_ones_turn_in_open_play() -> None:
    table = before_boss("wolf_pack", [raider(torch=1), raider(), raider()], play="open", first=0)
    lay(table, "flee", "5")
    assert fight(done(table, "5")).total == 10


def test_r64_if_everyone_fled_the_boss_attacks_nobody() -> None:
    room = done(before_boss("wolf_pack", [raider(torch=1)] * 3), "flee", "flee", "flee")
    assert fight(room) == facts.Fight(0, 11, False, "lowest", None, (), 2, 0, False, (0, 1, 2), (), 0)
    assert wounds(room) == [0, 0, 0]
    room = done(before_boss("megadragon", [raider(key=1)] * 3), "flee", "flee", "flee")
    assert fight(room).hit == ()


def test_the_rest_who_did_not_flee_may_beat_the_wolves() -> None:
    raiders = [raider(torch=1), raider(sword=1), raider(), raider()]
    room = done(before_boss("wolf_pack", raiders), "flee", "sword", "5", "4")
    assert fight(room).beaten and fight(room).total == 14


def test_a_lone_fighter_is_lowest() -> None:
    room = done(before_boss("wolf_pack", [raider(torch=1), raider(torch=1), raider()]), "flee", "flee", "5")
    assert fight(room).hit == (2,) and wounds(room) == [0, 0, 2]


def test_golem_every_5_and_every_sword_counts_as_1() -> None:
    room = done(before_boss("golem", [raider(sword=1), raider(), raider(), raider()]), "sword", "5", "2", "4")
    assert fight(room).total == 8 and fight(room).value == 1 and fight(room).hit == (0, 1)
    assert wounds(room) == [3, 3, 0, 0]
    assert room.plays == ("sword", 5, 2, 4)


def test_golem_without_a_5_attacks_the_lowest() -> None:
    assert wounds(done(before_boss("golem"), *"2344")) == [3, 0, 0, 0]


def test_mummy_attacks_the_highest_value() -> None:
    room = done(before_boss("mummy"), *"5542")
    assert fight(room).aim == "highest" and fight(room).value == 5
    assert wounds(room) == [3, 3, 0, 0]


def test_megadragon_and_mummy_and_golem_wound_3_and_minotaur_1() -> None:
    found = {boss: decks()["second"].facts[3][boss].wounds for boss in STRENGTHS}
    assert found == {
        "tax_collector": 0, "medusa": 0, "vampire": 1, "sphinx": 2, "minotaur": 1,
        "wolf_pack": 2, "necromancer": 2, "megadragon": 3, "golem": 3, "mummy": 3,
    }  # fmt: skip


def test_r62_a_flight_may_be_taken_back_before_the_reveal() -> None:
    table = before_boss("wolf_pack", [raider(torch=1), raider(), raider()])
    lay_by(table, {0: "flee"})
    table.undo(0, table.round)
    assert done(table, "1", "2", "3").plays == (1, 2, 3)
