"""What players see, take back and cannot know."""

from engine import Chance
from engine.games.tomb import facts, game
from engine.games.tomb.cards import CARDS
from engine.games.tomb.positions import Board
from engine.games.tomb.view import public, shuffle_unknown
from engine.testing import new_table
from tests.engine.games.tomb.digging import FULL, HELPERS, Dig, at_entrance, lifting


def test_the_public_view_has_the_whole_position() -> None:
    board = Board(food=3, glory=4, helpers=("apprentice",), camp=("crane",), chests=("chest_01",), used=("chest_02",))
    dig = Dig(board, rooms={"c11": ("sawmill", 1)}, paws={"9": 0}, chests={"c12": "chest_03"})
    seen = dig.table.shared().public
    (first, second, *_) = seen.cells
    assert (first.cell, first.room, first.owner, first.paw, first.chest) == ("c11", "sawmill", 1, None, "")
    assert second.chest == "chest_03" and len(seen.rooms.shown) == 3 and seen.rooms.back in ("green", "blue")
    me = seen.players[0]
    assert (me.food, me.glory, me.paws, me.tokens, me.camp_limit, me.used) == (3, 4, 4, 8, 4, 1)
    assert seen.entrances[8].slot == "9" and seen.entrances[8].paw == 0 and seen.entrances[8].opposite == "2"
    assert (seen.turn, seen.active, seen.ended, seen.trigger, seen.glory_at_end) == (1, 0, "", None, 40)


def test_the_ledger_counts_what_the_action_has_brought_and_cost() -> None:
    dig = at_entrance("5", Board(food=2, torch=2, gold=0), helpers_pile=HELPERS, paws={"8": 0, "5": 0, "c11": 0})
    dig.say("hire apothecary", "pay 2 2 0 0")
    ledger = dig.table.shared().public.ledger
    assert ledger.had == (2, 2, 1, 0, 0) and ledger.gained == (1, 1, 1, 0, 2) and ledger.spent == (2, 2, 0, 0, 0)
    assert Dig().table.shared().public.ledger is None


def test_the_effect_in_hand_is_shown() -> None:
    dig = at_entrance("14", FULL)
    doing = dig.table.shared().public.doing
    assert (doing.seat, doing.card, doing.cause, doing.place) == (0, "14", "lift", "14")


def test_nobody_knows_the_decks_beyond_the_backs() -> None:
    table = new_table(game, 2)
    before = public(table.state)
    decks = [list(market.deck) for market in table.state.markets]
    shuffle_unknown(table.state, 0, Chance("07" * 32))
    assert public(table.state) == before
    after = [list(market.deck) for market in table.state.markets]
    assert after != decks and [sorted(deck) for deck in after] == [sorted(deck) for deck in decks]
    assert [[CARDS[c].back for c in deck] for deck in after] == [[CARDS[c].back for c in deck] for deck in decks]


def test_a_step_can_be_taken_back_until_a_card_is_turned_up() -> None:
    dig = lifting(FULL, paws={"14": 0, "5": 0, "c11": 0}, helpers_pile=HELPERS)
    dig.say("lift 14", "pay 1 0 0 0")
    first = dig.table.own(0).back
    assert first is not None and first.steps == 2
    dig.table.step_back(0, dig.table.round)
    assert dig.goods() == (9, 9, 9, 9, 0) and dig.asks == "Decide"
    dig.say("skip", "skip", "lift 5", "hire apothecary", "pay 2 2 0 0")
    back = dig.table.own(0).back
    assert back is not None and back.steps == 0 and back.why == "a card has been turned up"


def test_all_decisions_of_a_turn_are_one_scope() -> None:
    dig = Dig(paws={"8": 0, "9": 0})
    scope = dig.table.shared().scope
    dig.say("remove", "lift 8")
    assert dig.table.shared().scope != scope  # the last lift was no question, so the turn is over
    told = [event for event in dig.told if isinstance(event, facts.Done)]
    assert len(told) == 1 and told[0].gained == (3, 3, 0, 0, 0)
