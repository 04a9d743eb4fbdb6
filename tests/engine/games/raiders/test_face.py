"""What pages get besides the views."""

import pytest

from engine.games.raiders import face
from engine.games.raiders.positions import Place
from engine.table import Table
from tests.engine.games.raiders.sitting import at, before_boss, first, raider


@pytest.mark.parametrize(
    ("table", "marks"),
    [
        (at("troll", [raider(9, 3), raider(8, 2), raider(6, 4), raider(19, 5)]), ("leads", "", "", "faints")),
        (at("troll", [raider(7, 2), raider(7, 2), raider(6, 4), raider(9, 4)]), ("leads", "leads", "faints", "faints")),
        (at("troll", [raider(7, 4), raider(8, 4), raider(6, 1)]), ("", "leads", "")),  # two of three
        (at("troll", 4), ("leads",) * 4),
        (first("troll", [raider(3, 8), raider(2, 2)]), ("leads", "")),
        (first("troll", [raider(3, 8)]), ("",)),
    ],
)
def test_who_leads_and_who_faints_is_marked(table: Table, marks: tuple[str, ...]) -> None:
    assert face.summary(table.shared()).marks == marks


@pytest.mark.parametrize(
    ("table", "ahead"),
    [
        (at("troll", floor=2), True),
        (before_boss("golem"), False),
        (first("troll", 4), False),
        (first("troll", 1), False),
    ],
)
def test_where_the_boss_waits_is_known(table: Table, ahead: bool) -> None:
    assert face.summary(table.shared()).boss_ahead == ahead


@pytest.mark.parametrize(
    ("table", "reach"),
    [
        (at("troll", [Place(items={"sword": 1}, hand="12"), Place(hand="35"), Place(hand="24")], place=4), (6, 14)),
        (at("lava", 3), None),
        (before_boss("golem"), None),  # nothing beats it
        (before_boss("vampire"), None),  # the last room is told by its cards
        (at("troll", [Place(items={"sword": 1}, hand="5"), Place(hand="3"), Place(hand="4")], place=5), None),
    ],
)
def test_what_all_can_bring_against_a_monster_is_known(table: Table, reach: tuple[int, int] | None) -> None:
    assert face.summary(table.shared()).reach == reach


@pytest.mark.parametrize(
    ("table", "cards"),
    [
        (at("troll", [Place(hand="2"), Place(hand="13"), Place(hand="4")], place=5), [[], ["1", "3"], []]),
        (at("troll", [Place(items={"sword": 1}, hand="5"), Place(hand="3"), Place(hand="4")], place=5), [[], [], []]),
        (
            at("troll", [Place(items={"sword": 1}, hand="2"), Place(hand="3")], place=5, edition="first"),
            [["2", "sword"], []],
        ),
        (
            before_boss("vampire", [Place(items={"sword": 1}, hand="12"), Place(hand="35"), Place(hand="24")]),
            [[], [], []],
        ),
        (first("troll", [Place(hand="12")], place=4), [["1", "2"]]),
        (first("troll", [Place(hand="1")], place=5), [[]]),
    ],
)
def test_only_who_has_a_choice_gets_a_forecast_and_nobody_in_the_last_room(
    table: Table, cards: list[list[str]]
) -> None:
    assert [list(face.forecast(table.shared(), table.own(seat))) for seat in range(table.seats)] == cards


PURSES = [raider(2, 1), raider(5, 3), raider(5, 2)]


@pytest.mark.parametrize(
    ("table", "victims"),
    [
        (at("lava", PURSES), (1, 2)),
        (at("spikes", PURSES), (0,)),
        (first("lava", PURSES), ()),  # everybody
        (at("troll", PURSES), ()),
    ],
)
def test_whom_a_trap_strikes_is_known(table: Table, victims: tuple[int, ...]) -> None:
    assert face.summary(table.shared()).victims == victims
