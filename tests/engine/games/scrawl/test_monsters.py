"""P-90 to P-99: monsters, scoring, the end."""

import pytest

from engine.games.scrawl import position, sheet
from engine.games.scrawl.cards import board, deck
from engine.games.scrawl.facts import (
    LINES,
    ChapterDone,
    Fought,
    Objectives,
    Rewarded,
    Round,
    ScrawlResult,
    Sheet,
    Vanished,
)
from engine.games.scrawl.rules import decide
from engine.games.scrawl.scoring import lines, power
from engine.table import Table
from engine.table_events import Opened
from tests.engine.games.scrawl.sitting import at, idle, none_of, only, play, sit, sitting, state_of

PLAIN = ("W", "M", "C", "W", "M", "C")
CHIMERA, GATEHOUSE = deck().monsters["2A"], board("G")
LAIR = GATEHOUSE.lairs[1]
HERO_LEVELS = {16: (3, 3, 2, 4), 13: (3, 3, 3, 2), 22: (3, 5, 4, 5)}


def facing(power_: int, **fields: object) -> Sheet:
    """A team in the Chimera's lair with this power."""
    w, m, c, r = HERO_LEVELS[power_]
    return at(LAIR, "F3", levels={"W": w, "M": m, "C": c, "R": r}, **fields)


def fought(*sheets: Sheet, **where: object) -> tuple[Table, Fought]:
    table = sitting(*sheets, **{"dungeon": "G", "round": 6, "dice": PLAIN} | where)
    return table, only(idle(table), Fought)


def test_p90_who_has_entered_the_lair_at_any_time_must_fight() -> None:
    """The team stands in another room by now."""
    _, told = fought(facing(16), facing(16), sheet(levels=dict.fromkeys("WMCR", 5), path=("C1",)))
    assert [fight.met for fight in told.fights] == [True, True, False]
    assert [fight.tier for fight in told.fights] == [1, 1, 0]


def test_p91_power() -> None:
    assert power(sheet(levels={"R": 3, "W": 2}), GATEHOUSE, CHIMERA) == 7 + 3
    assert power(sheet(levels={"W": 4}), GATEHOUSE, CHIMERA) == 7 + 1 + 1
    assert power(sheet(items={"sword": 2}), GATEHOUSE, CHIMERA) == 4 + 1 + 3
    assert power(sheet(talent="bloodthirsty"), GATEHOUSE, CHIMERA) == 4 + 1 + 2
    assert power(sheet(items={"armour": 2}), GATEHOUSE, CHIMERA) == 4 + 1, "armour does not count"


def test_p92_example_the_chimera() -> None:
    """Power 16: 3 glory, 4 wounds. 13: flees, -4. 22, the highest alone: 7 glory, 2 wounds, and an item cell."""
    table, told = fought(facing(16), facing(13), facing(22))
    assert [fight.power for fight in told.fights] == [16, 13, 22]
    assert [fight.glory for fight in told.fights] == [3, -4, 7]
    assert [fight.change.wounds for fight in told.fights] == [4, 0, 2]
    assert told.best == 2 and (told.reward, told.amount) == ("item", 1)
    assert table.waits == [2]
    told2 = play(table, 2, "item sword")
    assert only(told2, Rewarded).change.items == {"sword": 1}
    assert [each.monsters for each in only(told2, Round).sheets] == [(3,), (-4,), (7,)]


@pytest.mark.parametrize(("strong", "tier"), [(13, 0), (14, 1), (17, 1), (18, 2), (21, 2), (22, 3), (30, 3)])
def test_p92_the_highest_threshold_that_is_reached(strong: int, tier: int) -> None:
    assert CHIMERA.tier(strong) == tier


def test_p93_who_flees_only_loses_glory() -> None:
    table, told = fought(facing(13), sheet(levels=dict.fromkeys("WMCR", 6)))
    assert [(fight.tier, fight.glory, fight.change.wounds) for fight in told.fights] == [(0, -4, 0), (0, -4, 0)]
    assert told.best is None
    assert [lines(each, GATEHOUSE)["A"] for each in state_of(table).sheets] == [-4, -4]


def test_p94_glory_and_wounds_come_separately_and_potions_heal() -> None:
    _, told = fought(facing(16, potions=1), facing(16, talent="barbarian"), facing(22))
    assert [fight.change.healed for fight in told.fights] == [2, 0, 0]
    assert [fight.change.wounds for fight in told.fights] == [2, 0, 2]
    assert told.fights[1].glory == 3


def test_p94_wounds_of_a_monster_may_cost_a_resurrection() -> None:
    _, told = fought(facing(16, wounds=10), sheet())
    assert told.fights[0].change.resurrected


def test_p95_a_tie_for_the_highest_gives_nobody_the_reward() -> None:
    table, told = fought(facing(22), facing(22), facing(16))
    assert told.best is None and table.shared().asks == "ThreeDice"


def test_p95_powers_are_compared_not_tiers() -> None:
    _, told = fought(facing(22), facing(22, items={"sword": 2}))
    assert [fight.tier for fight in told.fights] == [3, 3] and told.best == 1


def test_p95_a_single_fighter_among_several_players_gets_it_but_not_in_solo() -> None:
    assert fought(facing(16), sheet())[1].best == 0
    assert fought(facing(16))[1].best is None


def test_p95_rewards_of_all_kinds() -> None:
    strong = dict.fromkeys("WMCR", 5)

    def rewarded(dungeon: str, round: int, stage: int) -> tuple[Table, list[object]]:
        best = sheet(levels=strong, path=(board(dungeon).lairs[stage - 1],), potions=2)
        table = sitting(best, sheet(), dungeon=dungeon, round=round, dice=PLAIN)
        return table, list(idle(table))

    table, told = rewarded("A", 3, 1)  # 2 potions, and the row that they fill
    assert table.waits == [0] and table.moves(0) == ["hero W", "hero M", "hero C", "hero R"]
    table, told = rewarded("B", 3, 1)  # a level
    assert table.moves(0)[0] == "hero W"
    table, told = rewarded("C", 8, 3)  # two cells, of one item if the team likes
    play(table, 0, "item sword")
    play(table, 0, "item sword")
    assert state_of(table).sheets[0].items["sword"] == 2 and table.over
    table, told = rewarded("A", 8, 3)  # glory
    assert table.over and state_of(table).sheets[0].monsters == (9 + 3,)
    assert not [event for event in told if isinstance(event, Rewarded)]


def test_p95_a_reward_without_a_choice_asks_nobody() -> None:
    best = at(board("A").lairs[0], levels=dict.fromkeys("WMCR", 5))
    told = idle(sitting(best, sheet(), dungeon="A", round=3, dice=PLAIN))
    assert only(told, Rewarded).change.potions == 2


def test_p96_gems_vanish_after_monsters_1_and_2_even_if_everybody_fled() -> None:
    table = sitting(sheet(), sheet(stolen=("A",), gems=1), dungeon="A", round=3, dice=PLAIN, vanishing=True)
    told = idle(table)
    assert only(told, Fought).best is None
    assert only(told, Vanished).letters == ("A", "D") and only(told, Vanished).crossed == (("A", "D"), ("D",))
    assert [each.crossed for each in state_of(table).sheets] == [("A", "D"), ("D",)]
    assert none_of(idle(sitting(sheet(), sheet(), dungeon="A", round=3, dice=PLAIN)), Vanished)
    assert none_of(idle(sitting(sheet(), sheet(), round=8, dice=PLAIN, vanishing=True)), Vanished)


def test_p97_after_round_8_objectives_are_revealed_and_glory_may_be_negative() -> None:
    table = sitting(sheet(wounds=24, resurrected=True), sheet(), round=8, dice=PLAIN)
    told = idle(table)
    assert table.over and only(told, Objectives).objectives == tuple(state_of(table).kept)
    assert [type(event) for event in told[-3:]] == [Objectives, ScrawlResult, Opened]
    assert only(told, ScrawlResult).lines[0]["M"] < 0


def test_p98_the_twelve_lines() -> None:
    full = sheet(
        talent="mystic", levels={"W": 6, "M": 3, "C": 4, "R": 6}, items={"sword": 2, "armour": 2, "cloak": 1},
        gems=7, beaten=tuple(room for room, r in board("A").rooms.items() if r.minion)[:9], wounds=11, resurrected=True,
        monsters=(3, -4, 12), missions={"M01": 4, "M09": 4},
    )  # fmt: skip
    found = lines(full, board("A"), "O01")
    assert tuple(found) == (*LINES,)
    assert found == {
        "A": 3, "B": -4, "C": 12, "D": 6 + 2, "E": 5 + 2, "F": 30, "G": 16, "H": -6, "I": -9, "K": 2 + 6, "L": 8,
        "M": 3 - 4 + 12 + 8 + 7 + 30 + 16 - 6 - 9 + 8 + 8,
    }  # fmt: skip


def test_p98_example_a_lowest_level_of_3_gives_6() -> None:
    assert lines(sheet(levels={"W": 3, "M": 4, "C": 5, "R": 3}), board("A"))["D"] == 6


def result(*scores: tuple[int, int]) -> ScrawlResult:
    totals, rooms = zip(*scores, strict=True)
    return decide([ChapterDone("A", totals, rooms, tuple({"M": total} for total in totals), ())])


def test_p99_most_glory_then_rooms_then_shared() -> None:
    alone = result((50, 9), (60, 1), (40, 30))
    assert alone.winners == (1,) and [s.seat for s in alone.standings] == [1, 0, 2]
    assert [s.why for s in alone.standings] == ["glory", "glory", "glory"]
    rooms = result((60, 9), (60, 12), (40, 30))
    assert rooms.winners == (1,) and [s.why for s in rooms.standings] == ["rooms", "rooms", "glory"]
    shared = result((60, 9), (60, 9), (40, 30))
    assert shared.winners == (0, 1) and [s.place for s in shared.standings] == [1, 1, 3]
    assert [s.why for s in shared.standings] == ["shared", "shared", "glory"]


def test_p99_ties_at_a_table() -> None:
    for rooms, winners in (((), (0, 1)), (("C1",), (1,))):
        table = sitting(sheet(), sheet(rooms=rooms), round=8, dice=PLAIN, objectives=("O03", "O07"))
        assert only(idle(table), ScrawlResult).winners == winners


def test_a_position_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="usable"):
        position(sheet(), dice=("skull", "skull", "skull", "skull", "W", "W"))
    with pytest.raises(ValueError, match="seat 1: no step leads to B1"):
        position(sheet(), sheet(path=("A1", "B1")))
    assert position(sheet(path=("A1", "B1"), items={"cloak": 2}))
    with pytest.raises(ValueError, match="black"):
        position(sheet(black=("W", "R")), objectives=("O03",))
    assert sit(position(*[sheet() for _ in range(8)])).waits == list(range(8))
