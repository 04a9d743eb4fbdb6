"""Resources, gold and glory; how steps of effects are resolved: T-22 to T-27, T-80 to T-87."""

import pytest

from engine.games.tomb import facts
from engine.games.tomb.cards import CARDS
from engine.games.tomb.effects import Exchange
from engine.games.tomb.goods import affordable, prices, splits, ways
from engine.games.tomb.positions import Board, PileOf
from engine.games.tomb.state import Player
from tests.engine.games.tomb.digging import BARE, FULL, HELPERS, ROOMS, Dig, at_entrance, at_room, lifting


def test_t22_gold_stands_for_any_resource_and_nothing_for_gold() -> None:
    assert ways((0, 0, 2, 0, 0), 0, 0, False, True) == ((0, 0, 2, 0, 0), (0, 0, 1, 1, 0), (0, 0, 0, 2, 0))
    assert affordable((9, 9, 9, 0, 0), ways((4, 0, 0, 1, 0), 0, 0, False, True)) == ()


def test_t23_gold_may_be_spent_in_exchanges_but_does_not_buy_gold_alone() -> None:
    chapel = at_room("chapel", Board(food=0, torch=0, pickaxe=0, gold=1), BARE).say("pay 0 0 0 1")
    assert chapel.goods() == (0, 0, 0, 0, 2)
    table = at_room("alchemy_table", Board(food=0, torch=0, pickaxe=0, gold=1), BARE)
    assert table.moves == ["pay 0 0 0 1 as food", "pay 0 0 0 1 as torch", "pay 0 0 0 1 as pickaxe", "skip"]
    table.say("pay 0 0 0 1 as torch")
    assert all(word.split()[2] == "0" for word in table.moves)
    gold_only = at_entrance("14", Board(food=1, torch=0, pickaxe=0, gold=3), BARE)
    assert gold_only.moves == ["pay 1 0 0 0", "skip"]


def test_t24_a_cost_is_paid_in_full_or_not_at_all() -> None:
    short = at_room("star_chamber", Board(torch=1, gold=0), BARE)
    assert short.asks != "Decide" and short.goods() == (1, 1, 1, 0, 0)
    exchange = CARDS["star_chamber"].effect.steps[0]
    assert isinstance(exchange, Exchange)
    assert prices(Player(goods=[0, 1, 0, 1, 0]), exchange) == ((0, 1, 0, 1, 0),)


def test_t25_at_most_nine_of_each_and_the_excess_burns() -> None:
    dig = at_entrance("8", Board(food=8), BARE)
    assert dig.goods()[0] == 9
    (gained,) = dig.heard(facts.Gained)
    assert gained.goods == (1, 0, 0, 0, 0) and gained.burned == (2, 0, 0, 0, 0)


def test_t26_any_is_split_freely() -> None:
    dig = at_room("warehouse", BARE, BARE)
    assert [word for word in dig.moves if word != "skip"] == [f"gain {f} {t} {p}" for f, t, p in splits(2)]
    assert len(splits(3)) == 10
    assert dig.say("gain 1 0 1").goods() == (1, 0, 1, 0, 0)


def test_t27_a_gain_that_burns_wholly_is_none() -> None:
    builder = Board(pickaxe=9, helpers=("builder", "herbalist"), food=8)
    dig = at_entrance("10", builder, BARE)
    assert [event.card for event in dig.heard(facts.Gained)] == ["10"]
    assert at_entrance("8", builder, BARE).heard(facts.Gained)[1].card == "herbalist"


def test_t80_a_gain_gives_all_that_stands_there() -> None:
    assert at_room("arsenal", BARE, BARE).goods() == (0, 1, 1, 0, 0)
    assert at_room("deep_mine", BARE, BARE).goods() == (0, 0, 3, 1, 0)


def test_t81_an_exchange_is_paid_in_full_and_once() -> None:
    dig = at_room("laboratory", Board(gold=3), BARE).say("pay 0 0 0 1", "gain 0 1 1")
    assert dig.goods() == (1, 2, 2, 2, 1) and dig.asks != "Decide"


def test_t82_a_paw_moves_from_a_cell_to_a_free_cell_and_takes_its_chest() -> None:
    dig = at_room("smugglers_den", rooms={"c11": ("sawmill", 1)}, chests={"c12": "chest_01"}, paws={"3": 0})
    assert dig.goods()[3] == 2  # its gold
    assert dig.moves == ["move c34", "skip"]
    dig.say("move c34")
    assert "to c11" in dig.moves and "to c12" in dig.moves and "to 4" not in dig.moves and "to c34" not in dig.moves
    dig.say("to c12")
    assert dig.g.paws == {"3": 0, "c12": 0} and dig.player().chests == ["chest_01"]
    blocked = at_room("smugglers_den", rooms={"c11": ("sawmill", 1)}, paws={"c11": 1}).say("move c34")
    assert "to c11" not in blocked.moves


def test_t83_moving_brings_no_visit_no_symbol_and_no_trigger() -> None:
    mine = Board(helpers=("pickpocket", "baker", "tracker"))
    dig = at_room("smugglers_den", mine, Board(helpers=("shieldbearer",)), rooms={"c11": ("hot_spring", 1)})
    dig.say("move c34", "to c11")
    assert dig.goods(1) == (1, 1, 1, 1, 0) and dig.goods() == (3, 1, 1, 2, 0)  # the hot spring, lifted last
    assert dig.g.extra_actions == 0
    chest = at_room("smugglers_den", mine, chests={"c12": "chest_01"}).say("move c34", "to c12")
    assert chest.goods()[3] == 3  # a chest was picked up


IDLE = PileOf(market=("chapel", "portal", "kitchen"))
POSSIBLE = {
    "a gain, even if all of it burns": (at_entrance, "8", FULL, {}, None),
    "an exchange that can be paid": (at_room, "chapel", FULL, {}, "Decide"),
    "an exchange that cannot be paid": (at_room, "chapel", BARE, {}, None),
    "a gain for each of nothing": (at_room, "trophy_hall", BARE, {}, None),
    "one of two": (at_entrance, "6", Board(food=0, torch=0, pickaxe=0, gold=1), {}, "Decide"),
    "opening without a payable room": (at_entrance, "2", BARE, {}, None),
    "opening": (at_entrance, "2", FULL, {}, "Decide"),
    "hiring without a payable helper": (at_entrance, "5", BARE, {}, None),
    "hiring": (at_entrance, "5", FULL, {}, "Decide"),
    "a chest without a used one": (at_room, "stash", BARE, {}, "Decide"),
    "borrowing": (at_room, "tunnel", BARE, {"helpers_pile": HELPERS}, "Decide"),
    "swapping without a helper": (at_room, "secluded_nook", BARE, {}, None),
    "repeating without a trigger": (at_room, "kitchen", FULL, {}, None),
    "a market room that could do nothing": (at_room, "rubble", BARE, {"rooms_pile": IDLE}, None),
    "a market room": (at_room, "rubble", BARE, {"rooms_pile": ROOMS}, "Decide"),
}  # fmt: skip


@pytest.mark.parametrize("case", POSSIBLE)
def test_t84_a_step_that_is_not_possible_is_no_question(case: str) -> None:
    where, card, board, more, asks = POSSIBLE[case]
    dig = where(card, board, board, **more)  # type: ignore[operator]
    assert (dig.asks if dig.asks == "Decide" else None) == asks


def test_t85_to_do_nothing_is_to_skip() -> None:
    dig = at_entrance("14", FULL, FULL).say("skip")
    assert "done" not in dig.moves and "skip" in dig.moves  # a refresh takes a card at least
    kitchen = at_room("rubble", Board(food=0), BARE, rooms_pile=PileOf(market=("warehouse", "cathedral", "chapel")))
    kitchen.say("apply warehouse", "skip")
    assert [event.place for event in kitchen.heard(facts.Unused)] == ["c22", "c34"]  # nothing was applied


def test_t86_a_step_is_finished_with_all_it_sets_off_before_the_next() -> None:
    dig = at_entrance("13", Board(helpers=("circle_leader",)), rooms_pile=ROOMS).say("gain 0 1 0", "reserve sawmill")
    kinds = [type(event) for event in dig.told]
    assert kinds.index(facts.Reserved) < kinds.index(facts.Refilled) < len(kinds) - 1
    last = [event for event in dig.told if isinstance(event, facts.Gained)][-1]
    assert last.card == "circle_leader"


def test_t87_joined_steps_are_taken_or_skipped_together() -> None:
    taken = at_room("fair", BARE, BARE).say("gain")
    assert (taken.goods()[0], taken.goods(1)[0]) == (3, 1)
    skipped = at_room("fair", BARE, BARE).say("skip")
    assert (skipped.goods()[0], skipped.goods(1)[0]) == (0, 0)


def test_a_payment_with_the_least_gold_comes_first_and_spares_the_scarce() -> None:
    found = affordable((3, 1, 5, 2, 0), ways((1, 1, 2, 0, 0), 0, 1, False, True))
    assert found[0] == (1, 0, 2, 0, 0)  # the discount takes off the only torch
    assert [paid[3] for paid in found] == sorted(paid[3] for paid in found)


def test_what_is_not_offered_is_refused_and_changes_nothing() -> None:
    dig = Dig()
    before = dig.table.save()
    for word in ("place 15", "remove", "lift 1", "place 3.5", ""):
        with pytest.raises(Exception, match="not_legal"):
            dig.table.play(0, word, dig.table.round, "5a" * 16)
    assert dig.table.save() == before


def test_an_exchange_may_be_made_twice_and_triggers_once() -> None:
    merchant = Board(food=3, gold=0, helpers=("merchant",))
    dig = lifting(merchant, turned={"14": 0}, paws={"14": 0, "c11": 0}).say("lift 14", "pay 1 0 0 0", "pay 1 0 0 0")
    assert dig.goods() == (1, 1, 1, 5, 0)  # two exchanges, one gold of the merchant
    once = lifting(merchant, turned={"14": 0}, paws={"14": 0, "c11": 0}).say("lift 14", "pay 1 0 0 0", "skip")
    assert once.goods() == (2, 1, 1, 3, 0)
