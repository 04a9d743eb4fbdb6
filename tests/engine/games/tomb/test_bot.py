"""The digger: it beats random bots, buys what it can, and sees no more than a player."""

from random import Random

import pytest

from engine.bots import at_random
from engine.chance import Chance
from engine.games.tomb import game
from engine.games.tomb.bot import answers, digger
from engine.games.tomb.facts import TombResult
from engine.games.tomb.placing import look, plan_worth, plans, removal_worth
from engine.games.tomb.positions import Board, PileOf, position
from engine.games.tomb.view import shuffle_unknown
from engine.games.tomb.worth import card_worth, standing, turns_left
from engine.simulate import simulate
from engine.table import Table
from engine.testing import new_table
from engine.testing.moves import SECRET
from tests.engine.games.tomb.digging import BARE, FULL, HELPERS, ROOMS, Dig, at_entrance, at_room, lifting


def says(dig: Dig) -> str:
    return digger(dig.table.shared(), dig.table.own(dig.seat), Random(1))


def play_on(dig: Dig) -> Dig:
    """The digger plays to the end of its turn."""
    seat, turn = dig.seat, dig.g.turn
    while not dig.table.over and (dig.seat, dig.g.turn) == (seat, turn):
        dig.say(says(dig))
    return dig


@pytest.mark.no_cover
@pytest.mark.parametrize("seats", [2, 3])
def test_the_digger_beats_random_bots(seats: int) -> None:
    for number in range(5 - seats):
        mine = number % seats
        players = [digger if seat == mine else at_random for seat in range(seats)]
        (result,) = [event for event in simulate(game, players, "digger", number) if isinstance(event, TombResult)]
        assert result.winners == (mine,)


def test_it_buys_what_it_can_pay() -> None:
    hired = play_on(at_entrance("5", FULL, helpers_pile=HELPERS))
    assert hired.player().helpers == ["architect"]
    opened = play_on(at_entrance("2", FULL, rooms_pile=PileOf(market=("sawmill", "sphinx", "pantry"))))
    assert [room.card for room in opened.g.rooms.values()] == ["sphinx"]


def test_it_gains_before_it_buys() -> None:
    poor = Board(food=0, torch=1, pickaxe=0, gold=0)
    dig = lifting(poor, paws={"8": 0, "5": 0}, helpers_pile=PileOf(market=("foreman", "digger", "builder")))
    assert says(dig) == "lift 8"
    two = lifting(poor, paws={"2": 0, "c11": 0, "c12": 0}, rooms={"c12": ("deep_mine", 0)}, rooms_pile=ROOMS)
    assert says(two) == "lift c12"


def test_it_places_while_its_paws_are_at_hand() -> None:
    assert says(Dig()).startswith("place ")


def test_it_takes_the_glory_of_a_last_action() -> None:
    where = {"c21": ("sawmill", 1), "c33": ("cathedral", 1)}
    dig = Dig(Board(), Board(glory=39), rooms=where, paws={"2": 0, "10": 1, "12": 1, "c33": 1}).say("place 4")
    assert dig.seat == 1 and says(dig) == "remove"


def test_it_goes_on_with_an_answer_that_was_begun() -> None:
    dig = at_entrance("5", FULL, helpers_pile=HELPERS).say("hire foreman")
    assert says(dig) == dig.moves[0] and says(dig).startswith("pay ")
    refresh = at_entrance("14", BARE, helpers_pile=HELPERS).say("refresh foreman")
    assert says(refresh) in refresh.moves


def test_it_sees_no_more_than_its_player() -> None:
    luck = Random(3)
    for seed in range(3):
        table = new_table(game, 2, seed)
        for _ in range(60):
            seat = table.waits[0]
            other = Table.restore(table.save(), game)
            shuffle_unknown(other.state, seat, Chance(luck.randbytes(32).hex()))
            before = digger(table.shared(), table.own(seat), Random(seed))
            assert digger(other.shared(), other.own(seat), Random(seed)) == before
            table.play(seat, before if luck.random() < 0.7 else luck.choice(table.moves(seat)), table.round, SECRET)


def test_plans_are_placements_that_are_legal_one_by_one() -> None:
    g = position(Board(), Board(), paws={"2": 0, "6": 1})
    g.run()
    found = list(plans(g, 0))
    assert ("9",) in found and ("4", "9") in found and all("12" not in plan for plan in found)
    assert removal_worth(g, 0, look(g, 0), ["2", "9"]) > removal_worth(g, 0, look(g, 0), ["2"])


def test_a_new_faction_is_worth_more_than_one_held_already() -> None:
    g = position(Board(helpers=("foreman", "digger")), Board())
    left = turns_left(g)
    assert card_worth(g, 0, "monk", left) > card_worth(g, 0, "builder", left)
    ahead, behind = position(Board(glory=20), Board()), position(Board(), Board(glory=20))
    assert standing(ahead, 0) > standing(behind, 0) and turns_left(ahead) < turns_left(position())


def test_only_a_few_answers_are_tried() -> None:
    dig = at_room("scaffolding", FULL, rooms_pile=ROOMS)
    found = answers(dig.g, dig.table.ask, 0, ())
    assert 3 < len(found) <= 24 and all(len(words) in (1, 3) for words in found)


def test_the_digger_turns_an_entrance_over_while_there_are_turns_left_to_use_it() -> None:
    for glory, answer in ((5, "yes"), (36, "no")):
        dig = lifting(Board(glory=glory), secret=("8",), paws={"8": 0, "c11": 0}).say("lift 8")
        assert dig.asks == "TurnOver" and says(dig) == answer, glory
        assert dig.say("no").seat == 1
    for owner, more in ((0, 1.0), (1, -1.0)):  # 1 glory for a rival is to be avoided, one's own entrance to be sought
        plain, turned = position(), position(turned={"8": owner})
        worths = [plan_worth(g, 0, look(g, 0), ("8",)) for g in (plain, turned)]
        assert (worths[1] - worths[0]) * more > 0
