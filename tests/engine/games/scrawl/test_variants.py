"""P-100 to P-103: vanishing gems, campaign, solo, without missions. A whole game for each of them."""

import pytest

from engine.games.scrawl import game, sheet
from engine.games.scrawl.cards import deck
from engine.games.scrawl.facts import Chapter, Dungeon, Objectives, Rewarded, Scored, ScrawlResult, Setup, Vanished
from engine.games.scrawl.rules import setup
from engine.steps import Event
from engine.table import Table
from engine.testing import deal, whole_log
from tests.engine.games.scrawl.sitting import at, idle, only, sitting, state_of

PLAIN = ("W", "M", "C", "W", "M", "C")
SCENARIOS = {"legends": "ABC", "hamunaptra": "DEF", "tower": "GHI", "kingdom": "KLM"}


def to_the_end(seats: int, **options: str) -> tuple[Table, list[Event]]:
    table, told = Table.begin(game, seats, deal(seats, 5), options)
    while not table.over:
        told += idle(table)
    return table, told


def count(told: list[Event], kind: type[Event]) -> int:
    return sum(isinstance(event, kind) for event in told)


def test_p100_vanishing_gems_are_an_option_and_compulsory_in_solo() -> None:
    assert count(to_the_end(3)[1], Vanished) == 0
    assert count(to_the_end(3, gems="vanish")[1], Vanished) == 2
    assert count(to_the_end(1)[1], Vanished) == 2
    assert game.choose_options({"gems": "stay"}, 1)["gems"] == "vanish"
    assert game.choose_options({}, 2)["gems"] == "stay"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_p101_a_campaign_is_three_chapters_and_their_sum_decides(scenario: str) -> None:
    table, told = to_the_end(2, campaign=scenario)
    assert [event.dungeon for event in told if isinstance(event, Dungeon)] == list(SCENARIOS[scenario])
    chapters = [event for event in told if isinstance(event, Chapter)]
    assert [event.chapter for event in chapters] == [1, 2, 3]
    assert count(told, Setup) == count(told, Objectives) == 3
    totals = [[lines["M"] for lines in event.lines] for event in chapters]
    assert [list(event.sums) for event in chapters] == [
        totals[0],
        [a + b for a, b in zip(*totals[:2], strict=True)],
        [sum(each) for each in zip(*totals, strict=True)],
    ]
    result = only(told, ScrawlResult)
    assert [lines["M"] for lines in result.lines] == list(chapters[-1].sums)
    assert all(sum(v for line, v in lines.items() if line != "M") == lines["M"] for lines in result.lines)
    assert {s.seat: s.score["rooms"] for s in result.standings} == {
        seat: sum(event.rooms[seat] for event in chapters) for seat in (0, 1)
    }
    seen = table.shared().public
    assert seen.chapters == tuple(SCENARIOS[scenario]) and len(seen.past) == 3


def test_p101_each_chapter_begins_with_a_new_sheet_and_whole_decks() -> None:
    table, _ = Table.begin(game, 8, deal(8), {"campaign": "tower"})
    while state_of(table).chapter == 1:
        idle(table)
    state = state_of(table)
    assert table.shared().asks == "Keep" and state.round == 0
    assert all(each == sheet() for each in state.sheets)
    assert {talent for pair in state.talents for talent in pair} == set(deck().talents)
    assert table.shared().public.objectives is None and len(state.past) == 1


@pytest.mark.parametrize(("round", "glory"), list(enumerate((6, 5, 4, 4, 3, 3, 2, 1), 1)))
def test_p102_a_solo_mission_is_worth_less_each_round(round: int, glory: int) -> None:
    table = sitting(sheet(gems=4), round=round, dice=PLAIN, missions=("M09",))
    told = only(idle(table), Scored)
    assert told.glory == glory and state_of(table).sheets[0].missions == {"M09": glory}


def test_p102_solo_has_no_rewards_for_monsters_and_its_result_is_the_total() -> None:
    strong = at("F4", levels=dict.fromkeys("WMCR", 5))
    table = sitting(strong, round=3, dice=PLAIN)
    assert count(idle(table), Rewarded) == 0
    table, told = to_the_end(1)
    result = only(told, ScrawlResult)
    assert result.winners == (0,) and result.standings[0].score["glory"] == result.lines[0]["M"]


def test_p103_without_missions_line_l_is_0() -> None:
    table, told = to_the_end(3, missions="no")
    assert only(told, Dungeon).missions == () and table.shared().public.missions == ()
    assert [lines["L"] for lines in only(told, ScrawlResult).lines] == [0, 0, 0]


def test_options_are_read_from_the_lobbys_words() -> None:
    from engine.chance import Chance

    state = setup(3, game.choose_options({"gems": "vanish", "missions": "no", "campaign": "kingdom"}, 3), Chance("00"))
    assert state.vanishing and not state.with_missions and state.campaign == ("K", "L", "M")


@pytest.mark.parametrize("options", [{}, {"gems": "vanish"}, {"missions": "no"}, {"campaign": "legends"}])
def test_every_variant_is_played_to_its_end_at_random(options: dict[str, str]) -> None:
    for seats in (1, 2, 5):
        assert only(whole_log(game, seats, 3, **options), ScrawlResult).winners
