"""Two play the first edition: R-42, R-90, R-91."""

import pytest

from engine.games.raiders import facts, game
from engine.games.raiders.ending import final_scoring
from engine.games.raiders.facts import Purse
from engine.games.raiders.modes import mode_of
from engine.games.raiders.positions import Place
from engine.steps import Result
from engine.testing import new_table
from tests.engine.games.raiders.sitting import NO_ITEMS, done, fight, first, lay, only, raider, wounds


def test_two_play_a_duel_open_or_sealed() -> None:
    assert game.choose_options({}, 2) == {"edition": "first", "play": "open"}
    assert game.choose_options({"edition": "second", "play": "sealed"}, 2) == {"edition": "first", "play": "sealed"}
    public = new_table(game, 2).shared().public
    assert public.mode == "duel" and public.first in (0, 1) and len(public.order) == 2
    assert sum(public.supply.values()) + sum(sum(r.items.values()) for r in public.raiders) == 20


@pytest.mark.parametrize(("cards", "hurt"), [("54", [0, 3]), ("15", [3, 0]), ("21", [0, 3])])
def test_r42_a_monster_cannot_be_beaten_and_the_lower_card_is_hit(cards: str, hurt: list[int]) -> None:
    room = done(first("dragon", 2), *cards)
    assert not fight(room).beaten and fight(room).strength is None
    assert wounds(room) == hurt


@pytest.mark.parametrize("card", "135")
def test_r42_equal_cards_nobody_is_hit(card: str) -> None:
    room = done(first("dragon", 2), card, card)
    assert wounds(room) == [0, 0] and fight(room).hit == () and fight(room).value is None


def test_r42_a_sword_is_5_and_equal_to_a_5() -> None:
    room = done(first("troll", [raider(sword=1), raider()]), "sword", "5")
    assert wounds(room) == [0, 0] and room.after[0].items["sword"] == 0
    assert wounds(done(first("troll", [raider(sword=1), raider()]), "sword", "4")) == [0, 2]


def test_r90_a_heros_tenth_wound_and_the_other_wins_at_once() -> None:
    table = first({1: "dragon"}, [raider(20, 7), raider(0, 9)])
    told = lay(table, "1", "2")
    assert only(told, facts.Room).died == (0,) and table.over
    result = only(told, Result)
    assert result.winners == (1,)
    assert [(s.seat, s.place, s.why) for s in result.standings] == [(1, 1, "survivor"), (0, 2, "dead")]


def test_r90_both_in_the_same_room_nobody_wins() -> None:
    table = first({1: "spikes"}, [raider(20, 8), raider(0, 9)])
    told = lay(table, "2", "5")
    assert only(told, facts.Room).died == (0, 1) and table.over
    result = only(told, Result)
    assert result.winners == () and [s.why for s in result.standings] == ["dead", "dead"]


def score(one: tuple[int, int], other: tuple[int, int]) -> Result:
    return final_scoring(mode_of("first", 2), [Purse(*one, True, NO_ITEMS), Purse(*other, True, NO_ITEMS)])


def test_r91_after_floor_5_nobody_is_out_for_wounds() -> None:
    hands = [Place(coins=9, wounds=6, hand="1"), Place(coins=5, wounds=1, hand="2")]
    result = only(lay(first("troll", hands, floor=5, place=5), "1", "2"), Result)
    assert result.winners == (0,)
    assert [s.why for s in result.standings] == ["most_coins", "coins"]


def test_r91_most_coins_then_fewest_wounds_then_shared() -> None:
    assert score((9, 9), (8, 0)).winners == (0,)
    assert score((9, 5), (9, 4)).winners == (1,) and score((9, 5), (9, 4)).standings[0].why == "fewer_wounds"
    assert score((9, 5), (9, 5)).winners == (0, 1) and score((9, 5), (9, 5)).standings[0].why == "shared"


def test_the_other_rooms_are_those_of_more_players() -> None:
    room = done(first("treasure_4_2", [raider(0), raider(0)]), "5", "4")
    assert [purse.coins for purse in room.after] == [4, 2]
    room = done(first("treasure_4_2", [raider(0), raider(0)]), "4", "4")
    assert [purse.coins for purse in room.after] == [2, 2]
    assert wounds(done(first("boulder", [raider(0, 3), raider(0, 2)]), "5", "1")) == [0, 3]
