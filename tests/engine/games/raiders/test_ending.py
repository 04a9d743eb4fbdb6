"""Who wins: R-80, R-82, R-83."""

import pytest

from engine.games.raiders import facts
from engine.games.raiders.ending import final_scoring
from engine.games.raiders.facts import Purse
from engine.games.raiders.forecast import if_ended_now
from engine.games.raiders.modes import mode_of
from engine.steps import Result
from tests.engine.games.raiders.sitting import NO_ITEMS, at, before_boss, lay, only, raider


def score(*purses: tuple[int, int] | tuple[int, int, bool]) -> Result:
    return final_scoring(
        mode_of("second", len(purses)), [Purse(p[0], p[1], p[2] if len(p) == 3 else True, NO_ITEMS) for p in purses]
    )


def whys(result: Result) -> list[tuple[int, int, str]]:
    return [(standing.seat, standing.place, standing.why) for standing in result.standings]


def test_r80_after_the_fifth_floor_whoever_has_the_most_wounds_is_out() -> None:
    told = lay(before_boss("mummy", [raider(20, 6), raider(9, 5), raider(8, 5)]), *"111")
    result = only(told, Result)
    assert result.winners == (1,)
    assert whys(result) == [(1, 1, "most_coins"), (2, 2, "coins"), (0, 3, "most_wounds")]
    assert result.standings[0].score == {"coins": 9, "wounds": 8}


@pytest.mark.parametrize("last", [(0, 1), (3, 1)])
def test_r80_tied_for_the_most_with_4_or_5_all_of_them_are_out(last: tuple[int, int]) -> None:
    assert score((20, 7), (19, 7), (5, 6), last).winners == (2,)
    assert score((20, 7), (19, 7), (5, 6), last, (0, 0)).winners == (2,)


def test_r80_tied_for_the_most_with_3_nobody_is() -> None:
    assert score((20, 7), (19, 7), (5, 6)).winners == (0,)
    assert score((20, 7), (19, 6), (5, 6)).winners == (1,)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_r80_everyone_equal_nobody_is_out(players: int) -> None:
    assert score(*[(coins, 4) for coins in range(players)]).winners == (players - 1,)


def test_r80_the_game_ends_after_25_rooms_only() -> None:
    told = lay(at({}, 3, floor=4, place=5), "1", "2", "3")
    assert not any(isinstance(event, Result) for event in told)


def test_r82_most_coins_then_fewest_wounds() -> None:
    result = score((14, 6), (14, 8), (9, 7), (17, 11))
    assert result.winners == (0,)
    assert whys(result) == [(0, 1, "fewer_wounds"), (1, 2, "more_wounds"), (2, 3, "coins"), (3, 4, "most_wounds")]


def test_r82_then_shared() -> None:
    result = score((14, 6), (14, 6), (14, 8), (17, 11))
    assert result.winners == (0, 1)
    assert whys(result) == [(0, 1, "shared"), (1, 1, "shared"), (2, 3, "more_wounds"), (3, 4, "most_wounds")]


def test_standings_those_who_are_out_share_the_last_place() -> None:
    result = score((14, 9), (15, 9), (2, 6), (1, 6), (1, 6))
    assert whys(result) == [
        (2, 1, "most_coins"), (3, 2, "coins"), (4, 2, "coins"), (0, 4, "most_wounds"), (1, 4, "most_wounds"),
    ]  # fmt: skip


def test_r83_those_whom_medusa_took_do_not_count_when_wounds_are_compared() -> None:
    result = score((20, 9, False), (10, 5), (8, 4), (7, 4))
    assert result.winners == (2,)
    assert whys(result) == [(2, 1, "most_coins"), (3, 2, "coins"), (0, 3, "stone"), (1, 3, "most_wounds")]


def test_r83_the_number_who_started_does() -> None:
    assert score((20, 9, False), (10, 5), (9, 5), (8, 4)).winners == (3,), "four started: ties are out"
    assert score((20, 9, False), (10, 5), (9, 5)).winners == (1,), "everyone equal"
    assert score((20, 9, False), (10, 5), (9, 4)).winners == (2,)


def test_r83_a_single_player_left_is_not_out_and_wins() -> None:
    told = lay(before_boss("medusa", [raider(9, 9), raider(3, 9), raider(20, 0)]), *"211")
    assert only(told, Result).winners == (0,)
    assert whys(score((9, 9), (3, 1, False), (20, 0, False))) == [
        (0, 1, "most_coins"),
        (1, 2, "stone"),
        (2, 2, "stone"),
    ]


def test_if_it_ended_now() -> None:
    table = at("dragon", [raider(9, 3), raider(8, 2), raider(6, 4), raider(12, 5)])
    result = if_ended_now(table.shared().public)
    assert result.winners == (0,)
    assert result.standings[-1].seat == 3 and result.standings[-1].why == "most_wounds"


def test_if_it_ended_now_after_the_end_is_the_end() -> None:
    table = before_boss("medusa", [raider(20, 0), raider(3), raider(2)])
    told = lay(table, *"123")
    assert only(told, Result) == if_ended_now(table.shared().public)
    assert only(told, facts.Room).place == 5 and table.over and table.shared().public.over
