"""Playing a card: R-20 to R-26, sealed and open; the first player of open play: R-70, R-71."""

import pytest

from engine.games.raiders import facts
from engine.games.raiders.positions import Place
from engine.games.raiders.rules import AfterBall, PlayInTurn, PlaySealed
from engine.move_error import MoveError
from tests.engine.games.raiders.sitting import at, before_boss, done, lay, lay_by, light, only, raider, state_of


def test_r20_all_turn_up_at_once_when_the_last_card_is_down() -> None:
    table = at("dragon")
    assert isinstance(table.ask, PlaySealed) and table.waits == [0, 1, 2, 3]
    assert lay_by(table, {2: "4", 0: "1"}) == []
    assert table.waits == [1, 3]
    assert all(raider.play is None for raider in table.shared().public.raiders)
    told = lay_by(table, {3: "5", 1: "2"})
    assert only(told, facts.Cards) == facts.Cards({0: "1", 1: "2", 2: "4", 3: "5"})
    assert only(told, facts.Room).plays == (1, 2, 4, 5)


def test_r20_a_face_down_card_may_be_changed_until_the_last_one_is_in() -> None:
    table = at("dragon")
    lay(table, "1", "2", "3")
    table.undo(1, table.round)
    assert table.waits == [1, 3]
    lay_by(table, {1: "5"})
    assert only(lay_by(table, {3: "4"}), facts.Room).plays == (1, 5, 3, 4)


def test_r21_open_from_the_first_player_clockwise_face_up() -> None:
    table = at("dragon", play="open", first=2)
    for seat, card in [(2, "1"), (3, "4"), (0, "5")]:
        assert table.waits == [seat]
        assert only(lay(table, card), facts.Cards) == facts.Cards({seat: card})
        assert table.shared().public.raiders[seat].play == card
    assert table.shared().public.order == (1,)
    assert only(lay(table, "2"), facts.Room).plays == (5, 2, 1, 4)


def test_r21_out_of_turn_is_refused() -> None:
    table = at("dragon", play="open", first=2)
    with pytest.raises(MoveError, match="not_asked"):
        lay_by(table, {3: "4"})


@pytest.mark.parametrize(
    ("room", "extra"),
    [
        ("treasure_4", ["ball", "key"]),
        ("dragon", ["ball", "sword"]),
        ("armoury", ["ball"]),
        ("lava", ["ball"]),
    ],
)
def test_r22_power_cards_a_ball_anywhere_a_key_for_treasure_a_sword_for_monsters(room: str, extra: list[str]) -> None:
    table = at(room, [raider(torch=1, ball=1, key=1, sword=1), raider(), raider()])
    assert table.moves(0) == ["1", "2", "3", "4", "5", *extra]
    assert table.moves(1) == ["1", "2", "3", "4", "5"]


def test_r22_a_sword_before_a_boss() -> None:
    table = before_boss("vampire", [raider(torch=1, ball=1, key=1, sword=1), raider(), raider()])
    assert table.moves(0) == ["1", "2", "3", "4", "5", "ball", "sword"]


def test_r22_a_card_once_played_is_not_in_hand() -> None:
    table = at({1: "lava", 2: "magnet"})
    lay(table, "1", "2", "3", "4")
    assert table.moves(0) == ["2", "3", "4", "5"]
    with pytest.raises(MoveError, match="not_legal"):
        lay_by(table, {0: "1"})


def test_r22_key_and_sword_count_5() -> None:
    room = done(at("treasure_4", [raider(key=1), raider(), raider()]), "key", "5", "1")
    assert isinstance(room.outcome, facts.Chests)
    assert room.outcome.shares[0].value == 5 and room.outcome.shares[0].seats == (0, 1)
    room = done(at("dragon", [raider(sword=1), raider(), raider()]), "sword", "5", "4")
    assert isinstance(room.outcome, facts.Fight)
    assert room.outcome.total == 14 and room.outcome.beaten


def test_r23_after_the_reveal_a_ball_is_followed_by_a_card_that_knows_all_others() -> None:
    table = at("dragon", [raider(ball=1), raider(), raider()])
    told = lay(table, "ball", "4", "2")
    assert only(told, facts.Cards) == facts.Cards({0: "ball", 1: "4", 2: "2"})
    seen = table.shared().public.raiders
    assert [r.play for r in seen] == [None, "4", "2"]
    assert [r.passed for r in seen] == [True, False, False]
    assert isinstance(table.ask, AfterBall) and table.waits == [0]
    assert table.moves(0) == ["1", "2", "3", "4", "5"]
    told = lay(table, "5")
    assert only(told, facts.Cards) == facts.Cards({0: "5"}, second=True)
    assert only(told, facts.Room).plays == (5, 4, 2)


def test_r23_several_balls_are_followed_by_cards_chosen_sealed_and_revealed_together() -> None:
    table = at("dragon", [raider(ball=1), raider(), raider(ball=1), raider(ball=1)])
    lay(table, "ball", "4", "ball", "ball")
    assert table.waits == [0, 2, 3]
    assert lay_by(table, {3: "1", 0: "2"}) == []
    assert all(r.play is None for r in table.shared().public.raiders if r.seat != 1)
    table.undo(3, table.round)
    told = lay_by(table, {3: "5", 2: "3"})
    assert only(told, facts.Cards) == facts.Cards({0: "2", 2: "3", 3: "5"}, second=True)
    assert only(told, facts.Room).plays == (2, 4, 3, 5)


def test_r23_open_a_balls_owner_plays_after_all_others_in_turn_order() -> None:
    table = at("dragon", [raider(ball=1), raider(), raider(), raider(ball=1)], play="open", first=3)
    lay(table, "ball", "ball")
    assert [r.passed for r in table.shared().public.raiders] == [True, False, False, True]
    assert table.shared().public.order == (1, 2, 3, 0)
    lay(table, "1", "2")
    assert table.waits == [3]
    told = lay(table, "3")
    assert only(told, facts.Cards) == facts.Cards({3: "3"}, second=True)
    assert only(lay(table, "4"), facts.Room).plays == (4, 1, 2, 3)


@pytest.mark.parametrize(("room", "item"), [("treasure_4", "key"), ("dragon", "sword")])
def test_r24_the_second_card_may_be_a_legal_key_or_sword(room: str, item: str) -> None:
    table = at(room, [raider(ball=1, key=1, sword=1), raider(), raider()])
    lay(table, "ball", "4", "2")
    assert table.moves(0) == ["1", "2", "3", "4", "5", item]
    assert only(lay(table, item), facts.Room).plays == (item, 4, 2)


def test_r24_another_ball_means_choosing_again_after_the_rest_of_the_ball_players() -> None:
    table = at("lava", [raider(ball=2), raider(), raider(ball=1)])
    lay(table, "ball", "4", "ball")
    assert table.moves(0) == ["1", "2", "3", "4", "5", "ball"]
    told = lay_by(table, {0: "ball", 2: "3"})
    assert only(told, facts.Cards) == facts.Cards({0: "ball", 2: "3"}, second=True)
    assert table.waits == [0] and table.shared().public.raiders[2].play == "3"
    assert table.moves(0) == ["1", "2", "3", "4", "5"]
    assert only(lay(table, "1"), facts.Room).plays == (1, 4, 3)


def test_r24_open_another_ball_goes_behind_the_other_ball_players() -> None:
    table = at("lava", [raider(ball=2), raider(ball=1), raider()], play="open", first=0)
    lay(table, "ball", "ball", "1")
    assert table.waits == [0]
    lay(table, "ball")
    assert isinstance(table.ask, PlayInTurn) and table.ask.order == (1, 0)
    lay(table, "3")
    assert only(lay(table, "4"), facts.Room).plays == (4, 3, 1)


def test_r25_balls_go_to_the_supply_at_once() -> None:
    table = at("dragon", [raider(ball=2), raider(), raider()])
    assert state_of(table).supply["ball"] == 4
    lay(table, "ball", "4", "2")
    assert state_of(table).supply["ball"] == 5
    lay(table, "ball")
    assert state_of(table).supply["ball"] == 6
    room = done(table, "3")
    assert room.before[0].items["ball"] == 0 and room.supply_before["ball"] == 6


@pytest.mark.parametrize(("room", "item"), [("treasure_4", "key"), ("dragon", "sword")])
def test_r25_keys_and_swords_go_to_the_supply_after_the_room(room: str, item: str) -> None:
    told = done(at(room, [raider(key=1, sword=1), raider(), raider()]), item, "4", "2")
    assert told.before[0].items[item] == 1 and told.supply_before[item] == 5
    assert told.after[0].items[item] == 0 and told.supply_after[item] == 6


def test_r25_a_ball_given_back_may_be_won_in_the_same_room() -> None:
    six = [raider(ball=2), raider(ball=2), raider(ball=2)]
    table = at("armoury", six)
    assert state_of(table).supply["ball"] == 0
    lay(table, "ball", "1", "2")
    room = done(table, "3")
    assert room.after[2].items["ball"] == 3 and room.supply_after["ball"] == 0


def test_a_torch_lit_in_a_vault_may_be_won_there() -> None:
    table = at("armoury", [raider(torch=2), raider(torch=2), raider(torch=2)], faceup="UDUDD")
    light(table, 0)
    room = done(table, "2", "1", "5")
    assert room.after[1].items["torch"] == 3 and room.supply_after["torch"] == 0


def test_r70_whoever_played_the_highest_value_begins_the_next_room() -> None:
    table = at({1: "dragon", 2: "lava"}, play="open", first=1)
    room = done(table, "2", "4", "5", "1")
    assert room.plays == (1, 2, 4, 5) and room.first == 3
    assert table.waits == [3] and table.shared().public.first == 3


@pytest.mark.parametrize(
    ("first", "cards", "next_first"),
    [
        (0, "5535", 1),  # 0, 1 and 3 tie: counting starts at the seat after 0
        (1, "5535", 3),
        (2, "5535", 3),
        (3, "5535", 0),
        (0, "5123", 0),  # alone, the previous first player stays
        (0, "5552", 1),
        (2, "3333", 3),
    ],
)
def test_r70_a_tie_goes_to_the_nearest_clockwise_after_the_previous_first_player(
    first: int, cards: str, next_first: int
) -> None:
    table = at("lava", play="open", first=first)
    room = done(table, *[cards[(first + i) % 4] for i in range(4)])
    assert room.plays == tuple(map(int, cards))
    assert room.first == next_first


def test_r70_key_and_sword_are_5_and_a_ball_counts_as_its_second_card() -> None:
    table = at("treasure_4", [raider(), raider(ball=1), raider(key=1), raider()], play="open", first=0)
    assert done(table, "4", "ball", "key", "3", "5").first == 1
    table = at("dragon", [raider(), raider(ball=1), raider(sword=1), raider()], play="open", first=0)
    assert done(table, "4", "ball", "sword", "3", "2").first == 2


def test_r71_the_first_player_carries_over_to_the_next_floor() -> None:
    hands = [Place(hand=hand) for hand in "243"]
    table = at({5: "dragon"}, hands, place=5, play="open", first=0)
    room = done(table, "2", "4", "3")
    assert room.first == 1 and table.state.floor == 2
    assert table.waits == [1]


def test_sealed_play_has_no_first_player() -> None:
    table = at("dragon")
    assert table.shared().public.first is None and table.shared().public.order == ()
    assert done(table, "1", "2", "3", "4").first is None
