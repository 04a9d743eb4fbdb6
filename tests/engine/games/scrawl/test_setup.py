"""P-29 to P-36: setting up."""

from collections import Counter

import pytest

from engine.games.scrawl import game, position, sheet
from engine.games.scrawl.cards import board, deck
from engine.games.scrawl.facts import Dungeon, Objectives, Prepared, Rolled, Setup
from engine.games.scrawl.rules import Keep, LayOut, Prepare, Scrawl
from engine.table import Table
from engine.table_events import Opened
from engine.testing import deal, new_table
from tests.engine.games.scrawl.sitting import begun, idle, none_of, only, play, state_of


def keeping(*talents: str, objectives: tuple[str, ...] = ()) -> Table:
    """A table at which these talents, and objectives, are dealt first and kept."""
    state = position(*(sheet() for _ in talents), steps=(Keep(), Prepare()))
    state.talents = [(talent, state.talents[seat][1]) for seat, talent in enumerate(talents)]
    spare = [o for o in deck().objectives if o not in objectives]
    state.objectives = [(o, spare.pop()) for o in objectives or tuple(spare.pop() for _ in talents)]
    state.kept, state.round, state.dice = [""] * len(talents), 0, ()
    table, _ = begun(state)
    for seat, talent in enumerate(talents):
        play(table, seat, f"talent {talent}", f"objective {state.objectives[seat][0]}")
    return table


def test_p29_one_dungeon_card_for_all() -> None:
    drawn = Counter(new_table(game, 2, seed).state.dungeon for seed in range(150))
    assert set(drawn) == set(deck().dungeons)
    told = Table.begin(game, 3, deal(3))[1]
    assert only(told, Dungeon).dungeon in deck().dungeons
    table, told = begun(position(sheet(), sheet(), steps=(LayOut("K"), Keep())))
    assert only(told, Dungeon).dungeon == "K" and table.shared().public.dungeon == "K"
    assert "B3-C3" in deck().dungeons["K"].walls and board("K").near["B3"]["C3"] == "wall"


def test_p30_three_monsters_are_open_from_the_start() -> None:
    table, told = begun(position(sheet(), sheet(), steps=(LayOut("A"), Keep())))
    assert only(told, Dungeon).monsters == table.shared().public.monsters == ("1A", "2B", "3D")


def test_p31_three_missions_are_open() -> None:
    table, told = Table.begin(game, 2, deal(2))
    missions = only(told, Dungeon).missions
    assert len(set(missions)) == 3
    assert tuple(mission.id for mission in table.shared().public.missions) == missions


@pytest.mark.parametrize("seats", game.seats)
def test_p32_two_talents_and_two_objectives_for_each(seats: int) -> None:
    state = state_of(new_table(game, seats))
    for dealt, cards in ((state.talents, deck().talents), (state.objectives, deck().objectives)):
        assert [len(pair) for pair in dealt] == [2] * seats
        flat = [card for pair in dealt for card in pair]
        assert len(set(flat)) == 2 * seats and set(flat) <= set(cards)


def test_p33_one_of_each_is_kept_and_both_choices_are_made_at_once() -> None:
    table = new_table(game, 2)
    state = state_of(table)
    assert table.moves(0) == [f"talent {talent}" for talent in state.talents[0]]
    play(table, 0, table.moves(0)[1])
    assert table.moves(0) == [f"objective {objective}" for objective in state.objectives[0]]
    play(table, 0, table.moves(0)[1])
    assert table.waits == [1] and state.sheets[0].talent == "", "sealed until all have chosen"
    told = idle(table, 1)
    assert only(told, Setup).talents == (state.talents[0][1], state.talents[1][0])
    assert state.kept == [state.objectives[0][1], state.objectives[1][0]]


def test_p33_a_kept_objective_stays_closed_until_the_end() -> None:
    table = new_table(game, 2, 3)
    told = idle(table)
    assert only(told, Setup).objectives == (None, None)
    answers = told[0].answers  # type: ignore[attr-defined]
    assert all(answer.kept and len(answer.words) == 1 for answer in answers)
    assert table.shared().public.objectives is None
    while not table.over:
        told = idle(table)
    kept = state_of(table).kept
    assert only(told, Objectives).objectives == tuple(kept) == table.shared().public.objectives
    assert [answer.words for answer in only(told, Opened).kept] == [(f"objective {o}",) for o in kept]


def test_p34_the_objective_shows_which_two_heroes_are_black() -> None:
    table = keeping("mystic", "seer", objectives=("O01", "O03"))
    assert [seat.black for seat in state_of(table).sheets] == [("W", "R"), ("M", "C")]
    assert all(len(set(objective.black)) == 2 for objective in deck().objectives.values())


def test_p35_talents_before_the_game_are_carried_out_sealed() -> None:
    table = keeping("thief", "healer", "master", "seer", "tinker", "assassin")
    assert table.shared().asks == "Prepare" and table.waits == [0, 2, 4, 5]
    assert table.moves(0) == [f"gem {letter}" for letter in "ABCDEFGH"]
    assert table.moves(1) == []
    play(table, 0, "gem C")
    play(table, 2, "hero W")
    assert table.moves(2) == ["hero M", "hero C", "hero R"], "two different heroes"
    play(table, 2, "hero R")
    play(table, 4, "item sword")
    assert "item sword" not in table.moves(4), "two different items"
    play(table, 4, "item tome")
    play(table, 5, "minion F7")
    assert "minion F7" not in table.moves(5) and len(table.moves(5)) == 15
    assert all(not seat.stolen for seat in state_of(table).sheets), "nothing is shown before all are in"
    told = only(play(table, 5, "minion A7"), Prepared)
    assert told.choices[2] == ({"hero": "warrior"}, {"hero": "rogue"})
    thief, healer, master, _, tinker, assassin = told.sheets
    assert thief.gems == 1 and thief.stolen == ("C",)
    assert healer.potions == 2
    assert master.levels == {"warrior": 2, "mage": 1, "cleric": 1, "rogue": 2}
    assert tinker.items["sword"] == tinker.items["tome"] == 1
    assert assassin.minions == 2


def test_p35_nobody_is_asked_where_no_talent_asks() -> None:
    table = keeping("seer", "healer")
    assert table.over and state_of(table).sheets[1].potions == 2


def test_p36_round_1_begins_with_all_teams_outside() -> None:
    table = new_table(game, 3)
    told = idle(table)
    while none_of(told, Rolled):
        told = idle(table)
    assert only(told, Rolled).round == 1
    assert all(sheet.at is None and sheet.rooms == () for sheet in only(told, Prepared).sheets)


def test_the_state_before_the_game_is_plain_data() -> None:
    import msgspec

    table = new_table(game, 8)
    again = msgspec.json.decode(msgspec.json.encode(table.state), type=Scrawl)
    assert again == table.state
