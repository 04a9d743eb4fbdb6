"""Turns and placing a paw: T-28 to T-49, T-157; the secret of decks and chests."""

import pytest

from engine.games.tomb import facts
from engine.games.tomb.positions import Board
from tests.engine.games.tomb.digging import BARE, FULL, Dig, lifting

AGAIN = {"c21": ("hot_spring", 1)}
TWO_ROOMS = {"c21": ("hot_spring", 1), "c22": ("moss_grove", 0)}


def test_t28_players_take_turns_in_seat_order() -> None:
    dig = Dig(Board(), Board(), Board(), active=1)
    assert [dig.say("place 1").seat, dig.say("place 2").seat, dig.say("place 3").seat] == [2, 0, 1]


def test_t29_removing_needs_a_laid_paw_and_is_forced_without_reserve() -> None:
    assert "remove" not in Dig().moves
    assert "remove" in Dig(paws={"1": 0}).moves
    assert Dig(paws={"1": 0, "2": 0, "3": 0, "c11": 0, "c12": 0}).asks == "LiftPaw"


def test_t30_nobody_passes_and_somebody_without_a_legal_entrance_removes() -> None:
    assert all(word.startswith("place ") for word in Dig().moves)
    # seven lines of two: four are held by the player, three by the rival
    held = {"3": 0, "2": 0, "1": 0, "4": 0, "5": 1, "6": 1, "7": 1}
    assert "place 13" not in Dig(paws=held).moves
    shut = {"8": 1, "9": 1, "10": 1, "5": 1, "6": 1}
    assert set(Dig(paws=shut).moves) == {"place 4", "place 7", "place 11", "place 14"}


def test_t31_the_memory_of_a_turn_ends_with_it() -> None:
    dig = Dig(Board(), FULL, rooms=AGAIN, paws={"2": 0})
    dig.say("place 4")
    assert dig.asks == "MainAction" and dig.g.symbols == ["hot_spring"]
    dig.say("decline")
    assert dig.seat == 1 and dig.g.symbols == []


def test_t32_earned_extra_actions_are_offered_one_after_another() -> None:
    dig = Dig(rooms=TWO_ROOMS, paws={"2": 0, "5": 0}).say("place 4")
    # c21 only: c22 was a crossing before and gets its paw as well
    assert dig.g.extra_actions == 1 and dig.seat == 0 and dig.moves[-1] == "decline"
    dig.say("decline")
    assert dig.seat == 0 and dig.asks == "MainAction"
    assert dig.say("decline").seat == 1


def test_t33_an_extra_turn_is_offered_when_the_turn_is_over() -> None:
    dig = lifting(rooms={"c21": ("tea_house", 0)}, paws={"c21": 0})
    assert dig.asks == "ExtraTurnOffer" and dig.seat == 0
    assert dig.say("yes").g.sort == "extra" and "decline" not in dig.moves and dig.seat == 0
    refused = lifting(rooms={"c21": ("tea_house", 0)}, paws={"c21": 0}).say("no")
    assert refused.seat == 1 and refused.player().turns == 1


def test_t34_no_extra_turn_out_of_an_extra_turn_and_no_symbol_twice() -> None:
    again = lifting(rooms={"c21": ("tea_house", 0)}, paws={"c21": 0, "c22": 0}, turn=3)
    again.g.sort = "extra"
    assert again.say("lift c21").seat == 1  # the tea house earns nothing now
    twice = Dig(Board(helpers=("commander",)), rooms=TWO_ROOMS, paws={"2": 0, "5": 0}).say("place 4", "remove")
    while twice.asks == "LiftPaw":
        twice.say(twice.moves[0])
        while twice.asks == "Decide" and not twice.moves[0].startswith("place"):
            twice.say("skip")
    twice.say("place 2", "place 4")
    assert twice.g.paws["c21"] == 0 and twice.seat == 1  # entered again in this turn


def test_t35_an_entrance_must_be_free_and_not_face_a_rival() -> None:
    """The rulebook's example: 2 is his own, 6 the rival's, 12 faces it."""
    dig = Dig(paws={"2": 0, "6": 1})
    assert set(dig.moves) == {f"place {n}" for n in range(1, 15) if n not in (2, 6, 12)} | {"remove"}
    assert "place 9" in dig.moves  # opposite the own paw


def test_t36_only_entrances_are_chosen() -> None:
    assert not any(word.startswith("place c") for word in Dig(paws={"2": 0}).moves)


def test_t37_a_crossing_needs_a_paw_on_its_row_and_on_its_column() -> None:
    assert Dig(paws={"2": 0}).say("place 9").g.paws == {"2": 0, "9": 0}  # both ends of one row
    assert set(Dig(paws={"2": 0}).say("place 13").g.paws) == {"2", "13", "c22"}


def test_t38_every_free_crossing_gets_a_paw_also_an_old_one() -> None:
    dig = Dig(paws={"2": 0, "4": 0})  # c21 is an old crossing
    assert set(dig.say("place 5").g.paws) == {"2", "4", "5", "c21", "c22"}
    assert dig.player().paws == 0


def test_t39_with_too_few_paws_the_player_chooses_crossings() -> None:
    dig = Dig(paws={"2": 0, "4": 0, "c21": 0, "3": 0}).say("place 5")  # no paw is left
    assert dig.seat == 1 and "c22" not in dig.g.paws
    choice = Dig(paws={"2": 0, "4": 0, "c21": 0}).say("place 3")
    assert choice.g.paws["c11"] == 0 and choice.seat == 1  # it fits: no question
    dig = Dig(paws={"2": 0, "3": 0, "14": 0})
    dig.say("place 5")
    assert dig.asks == "Crossings" and dig.moves == ["lay c11", "lay c12", "lay c21", "lay c22"]
    assert dig.say("lay c21").g.paws["c21"] == 0 and dig.seat == 1


def test_t40_a_rivals_paw_blocks_a_crossing() -> None:
    dig = Dig(Board(), Board(), Board(), paws={"2": 0, "c31": 1}).say("place 4")
    assert dig.g.paws["c31"] == 1 and dig.player().paws == 3


def test_t41_an_empty_cell_gives_its_chest_and_keeps_the_paw() -> None:
    dig = Dig(paws={"8": 0}, chests={"c13": "chest_05"}).say("place 6")  # Lena's first turn in the rulebook
    assert dig.player().chests == ["chest_05"] and dig.g.paws["c13"] == 0 and "c13" not in dig.g.chests


def test_t42_an_empty_cell_without_a_chest_gives_nothing() -> None:
    dig = Dig(paws={"8": 0}).say("place 6")
    assert dig.goods() == (1, 1, 1, 1, 0) and not dig.heard(facts.ChestTaken)


def test_t43_the_owner_of_an_entered_room_gains_glory() -> None:
    """The rulebook's example: Andrej crosses 2 and 14 on Lena's room."""
    dig = Dig(rooms={"c21": ("sawmill", 1)}, paws={"14": 0}).say("place 2")
    assert dig.goods(1)[4] == 1 and dig.goods()[4] == 0
    own = Dig(rooms={"c21": ("sawmill", 0)}, paws={"14": 0}).say("place 2")
    assert own.goods()[4] == 0


def test_t44_cells_are_entered_by_row_and_column() -> None:
    dig = Dig(paws={"2": 0, "3": 0}).say("place 5")
    assert [event.place for event in dig.heard(facts.Laid)] == ["5", "c12", "c22"]


def test_t45_gains_of_others_ask_nobody() -> None:
    dig = Dig(Board(), Board(helpers=("shieldbearer",)), rooms={"c21": ("sawmill", 1)}, paws={"14": 0}).say("place 2")
    assert dig.goods(1) == (1, 1, 1, 2, 1) and dig.seat == 1 and dig.asks == "MainAction"


@pytest.mark.parametrize("owner", [0, 1])
def test_t46_a_room_with_the_symbol_earns_an_extra_action(owner: int) -> None:
    dig = Dig(rooms={"c21": ("hot_spring", owner)}, paws={"14": 0}).say("place 2")
    assert dig.seat == 0 and "decline" in dig.moves


def test_t47_a_moved_paw_is_not_placed() -> None:
    dig = lifting(BARE, BARE, rooms={"c21": ("hot_spring", 1)}, paws={"4": 0, "c11": 0}).say("lift 4", "move c11")
    dig.say("to c21")
    assert dig.goods(1)[4] == 0 and dig.g.extra_actions == 0


def test_t48_first_the_paw_then_the_crossings_then_their_triggers_together() -> None:
    both = Board(helpers=("baker", "tracker"))
    dig = Dig(both, paws={"2": 0, "3": 0}, chests={"c12": "chest_01", "c22": "chest_02"}).say("place 5")
    told = [
        type(event).__name__ for event in dig.told if isinstance(event, facts.Laid | facts.ChestTaken | facts.Gained)
    ]
    assert told == ["Laid", "Laid", "ChestTaken", "Laid", "ChestTaken", "Gained", "Gained", "Gained", "Gained"]
    assert dig.goods() == (3, 1, 1, 3, 0)


def test_t49_the_symbol_does_not_work_on_lifting() -> None:
    dig = lifting(rooms={"c21": ("hot_spring", 0)}, paws={"c21": 0})
    assert dig.seat == 1 and dig.goods()[0] == 3


def test_t156_three_players_have_sixteen_chests_on_cells_and_seven_factions() -> None:
    dig = Dig(Board(), Board(), Board(), chests=None)
    assert len(dig.g.chests) == 16 and len(dig.g.supply) == 4 and len(dig.g.factions) == 7


def test_t157_three_players_may_face_a_rival_who_gains_glory() -> None:
    dig = Dig(Board(), Board(), Board(), paws={"6": 1, "9": 0})
    assert "place 12" in dig.moves and "place 6" not in dig.moves
    assert dig.say("place 12").goods(1)[4] == 1
    own = Dig(Board(), Board(), Board(), paws={"6": 0}).say("place 12")
    assert [own.goods(seat)[4] for seat in range(3)] == [0, 0, 0]


def test_t158_secret_entrances_are_for_two() -> None:
    from engine.games.tomb import game

    assert "secret_entrance" not in game.choose_options({"secret_entrance": "on"}, 3)
    assert game.choose_options({"secret_entrance": "on"}, 2)["secret_entrance"] == "on"


def test_an_answer_without_a_choice_is_not_asked() -> None:
    dig = lifting(paws={"8": 0})
    assert dig.seat == 1 and dig.goods()[0] == 4 and dig.told[0].__class__.__name__ == "Began"
