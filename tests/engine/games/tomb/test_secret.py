"""The secret entrances: T-160 to T-171."""

from engine.games.tomb import facts, game
from engine.games.tomb.cards import DECK
from engine.games.tomb.positions import Board, PileOf
from engine.testing import new_table
from tests.engine.games.tomb.digging import FULL, Dig, lifting

RICH = Board(glory=5, food=1)


def test_t160_six_entrances_hold_a_token() -> None:
    g = new_table(game, 2, secret_entrance="on").state
    assert len(g.secret) == 6 and {DECK.entrances[card].faction for card in g.secret} == set(g.factions)
    assert new_table(game, 2).state.secret == []


def test_t161_after_its_effect_an_entrance_may_be_turned_over_for_two_glory() -> None:
    dig = lifting(RICH, secret=("8", "9"), paws={"8": 0, "c11": 0}).say("lift 8")
    assert dig.asks == "TurnOver" and dig.moves == ["yes", "no"]
    dig.say("yes")
    assert dig.goods()[4] == 3 and dig.player().tokens == 7 and dig.g.turned == {"8": 0} and dig.g.secret == ["9"]
    assert lifting(RICH, secret=("8",), paws={"8": 0, "c11": 0}).say("lift 8", "no").g.secret == ["8"]
    conjurer = lifting(Board(food=9, torch=9, gold=0, glory=2), secret=("10",), paws={"5": 0, "10": 0, "c11": 0},
                       helpers_pile=PileOf(market=("conjurer",)))  # fmt: skip
    assert conjurer.say("lift 5", "hire conjurer", "pay 2 1 0 0", "apply 10").asks == "TurnOver"


def test_t162_it_is_offered_once_a_lift_and_only_after_a_step_was_applied() -> None:
    skipped = lifting(Board(glory=5, food=9), secret=("14",), paws={"14": 0, "c11": 0}).say("lift 14", "skip", "skip")
    assert skipped.seat == 1 and skipped.g.secret == ["14"]
    poor = lifting(Board(glory=1), secret=("8",), paws={"8": 0, "c11": 0}).say("lift 8")
    assert poor.seat == 1
    doubled = lifting(RICH, secret=("8",), rooms={"c22": ("watch_post", 0)}, paws={"8": 0, "c22": 0, "c11": 0})
    doubled.say("lift c22", "lift 8", "double")
    assert doubled.goods()[0] == 7 and doubled.say("no").seat == 1


def test_t163_a_turned_entrance_has_its_stronger_effect_for_everybody() -> None:
    dig = lifting(FULL, Board(), active=1, turned={"12": 0}, paws={"12": 1, "c11": 1}).say("lift 12")
    assert dig.goods(1) == (1, 1, 1, 1, 0) and dig.say("gain 2 0 0").goods(1)[0] == 3
    assert lifting(turned={"6": 1}, paws={"6": 0, "c11": 0}).say("lift 6").moves[0] == "pay 0 0 0 1"


def test_t164_its_owner_gains_glory_when_the_opponent_places_there() -> None:
    dig = Dig(turned={"8": 1}).say("place 8")
    assert dig.goods(1)[4] == 1 and [event.why for event in dig.heard(facts.Fame)] == ["turned"]
    assert Dig(turned={"8": 0}).say("place 8").goods()[4] == 0


def test_t165_a_turned_entrance_is_no_room() -> None:
    dig = Dig(Board(), Board(helpers=("shieldbearer",)), turned={"8": 1}).say("place 8")
    assert dig.goods(1)[3] == 1 and dig.table.shared().public.players[1].line.rooms == 0


def test_t166_its_token_counts_against_the_eight() -> None:
    assert Dig(turned={"8": 0, "9": 0}).player().tokens == 6


def test_t170_the_stronger_8_9_and_10_help_those_who_have_little() -> None:
    for food, after in ((0, 5), (1, 6), (2, 6), (5, 9)):
        dig = lifting(Board(food=food), turned={"8": 1}, paws={"8": 0, "c11": 0}).say("lift 8")
        assert dig.goods()[0] == after
    two = lifting(Board(torch=0, helpers=("pyromancer",)), turned={"9": 0}, paws={"9": 0, "c11": 0}).say("lift 9")
    assert two.goods()[1] == 7  # two events


def test_t171_the_stronger_4_also_moves_paws_from_entrances() -> None:
    dig = lifting(turned={"4": 0}, paws={"4": 0, "8": 0, "c11": 0}, chests={"c34": "chest_01"}).say("lift 4")
    assert dig.moves == ["move 4", "move 8", "move c11", "skip"]
    dig.say("move 4")
    assert all(word.startswith("to c") for word in dig.moves)
    dig.say("to c34", "gain 2 0 0")
    assert dig.player().paws == 2 and dig.player().chests == ["chest_01"] and "lift c34" in dig.moves
    other = lifting(turned={"4": 0}, paws={"4": 0, "8": 0, "c11": 0}).say("lift 4", "move 8", "to c12", "gain 2 0 0")
    assert set(other.g.paws) == {"c11", "c12"} and other.player().paws == 3
