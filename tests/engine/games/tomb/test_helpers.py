"""The helpers that the rulebook explains: T-110 to T-124."""

from typing import Any

from engine.games.tomb import facts
from engine.games.tomb.goods import payments
from engine.games.tomb.positions import Board, PileOf, position
from tests.engine.games.tomb.digging import FULL, ROOMS, Dig, at_entrance, at_room, lifting

WEALTHY: dict[str, Any] = {"food": 9, "torch": 9, "pickaxe": 9}


def test_t110_pyromancer_and_builder_add_one_to_each_gain() -> None:
    board = Board(helpers=("pyromancer", "builder"))
    assert at_entrance("9", board).goods() == (1, 5, 1, 1, 0)
    assert at_entrance("10", board).goods() == (1, 1, 5, 1, 0)


def test_t111_minecart_driver_is_paid_for_lifts_without_effect() -> None:
    dig = at_entrance("8", Board(helpers=("minecart_driver",)))
    assert dig.moves[-1] == "skip" and dig.say("gain 0 0 1").goods() == (4, 1, 2, 1, 0)
    declined = at_room("sawmill", Board(helpers=("minecart_driver",))).say("skip", "gain 0 1 0")
    assert declined.goods() == (1, 2, 1, 1, 0)


def test_t112_confectioner_pays_food_in_place_of_gold() -> None:
    """The rulebook's example: 5 food for the architect's 4 food and 1 gold."""
    board = Board(food=5, torch=0, pickaxe=0, gold=0, helpers=("confectioner",))
    assert payments(position(board, Board()), 0, "architect", 0) == ((5, 0, 0, 0, 0),)
    assert payments(position(Board(food=5, gold=0), Board()), 0, "architect", 0) == ()
    room = Board(food=0, torch=2, pickaxe=1, gold=0, helpers=("confectioner",))
    assert payments(position(room, Board()), 0, "tea_house", 0) == ()


def test_t113_bishop_monk_and_preacher_work_once_a_turn() -> None:
    dig = lifting(Board(helpers=("monk",)), rooms={"c11": ("sawmill", 0), "c12": ("arsenal", 0)},
                  paws={"c11": 0, "c12": 0}).say("lift c11")  # fmt: skip
    assert dig.goods()[4] == 1 and dig.heard(facts.Lifted)[-1].place == "c12"
    two = PileOf(market=("foreman", "digger", "baker"))
    hires = lifting(Board(**WEALTHY, helpers=("preacher",)), paws={"5": 0, "11": 0}, helpers_pile=two)
    hires.say("lift 5", "hire foreman", "pay 2 0 2 0", "gain 1 0 0", "hire digger", "pay 1 2 0 0")
    assert hires.goods()[4] == 3  # 1 and 1 for the helpers, 1 by the preacher
    opens = lifting(Board(**WEALTHY, helpers=("bishop",)), paws={"2": 0, "7": 0, "c11": 0, "c12": 0}, rooms_pile=ROOMS)
    opens.say("lift 2", "open sawmill", "at c11", "pay 3 0 0 0", "gain 1 0 0")
    opens.say("lift 7", "gain 1 0 0", "open arsenal", "pay 1 0 2 0")
    assert opens.goods()[4] == 1 + 1 + 2


def test_t114_barker_counts_different_factions_beside_the_new_room() -> None:
    near = {"c12": ("arsenal", 1), "c21": ("sphinx", 1)}
    dig = at_entrance("2", Board(**WEALTHY, helpers=("barker",)), rooms=near, rooms_pile=PileOf(market=("sawmill",)))
    assert dig.say("open sawmill", "pay 3 0 0 0").moves == ["gain 1 0 0", "gain 0 1 0", "gain 0 0 1", "skip"]
    alone = at_entrance("2", Board(**WEALTHY, helpers=("barker",)), rooms_pile=PileOf(market=("sawmill",)))
    assert alone.say("open sawmill", "pay 3 0 0 0").seat == 1  # nothing to gain: no question


def test_t115_conjurer_applies_an_entrance_whose_paw_stays() -> None:
    dig = lifting(FULL, paws={"5": 0, "14": 0, "10": 0}, helpers_pile=PileOf(market=("conjurer",)))
    dig.say("lift 5", "hire conjurer", "pay 2 1 0 0")
    assert dig.moves == ["apply 10", "apply 14", "skip"]
    dig.say("apply 14", "pay 1 0 0 0")
    assert dig.g.paws["14"] == 0 and dig.say("skip").asks == "LiftPaw"


def test_t116_commander_lays_a_paw_after_the_removal_before_extra_actions() -> None:
    dig = lifting(Board(helpers=("commander",)), paws={"8": 0})
    assert dig.asks == "Decide" and dig.moves[0] == "place 1" and dig.moves[-1] == "skip"
    assert dig.say("place 8").g.paws == {"8": 0} and dig.seat == 1


def test_t117_infiltrator_faces_a_rival_once_a_turn() -> None:
    spy = Board(helpers=("infiltrator",))
    dig = Dig(spy, paws={"6": 1, "8": 1})
    assert "place 12" in dig.moves and "place 6" not in dig.moves
    again = Dig(spy, rooms={"c21": ("hot_spring", 1)}, paws={"2": 0, "14": 1, "8": 1}).say("place 4")
    assert again.asks == "MainAction" and "place 3" not in again.moves  # the extra action of the same turn
    three = Dig(spy, Board(), Board(), paws={"6": 1}).say("place 12")
    assert three.goods(1)[4] == 0


def test_t118_swindler_turns_a_used_chest_up_when_one_is_picked() -> None:
    swindler = Board(used=("chest_02", "chest_03"), helpers=("swindler",))
    dig = Dig(swindler, paws={"8": 0}, chests={"c13": "chest_01"}).say("place 6")
    assert dig.moves == ["flip chest_02", "flip chest_03", "skip"]
    assert dig.say("flip chest_03").player().chests == ["chest_01", "chest_03"]


def test_t119_tunneller_applies_the_opened_room_and_crane_does_so_as_well() -> None:
    dig = at_entrance("2", Board(food=9, torch=0, pickaxe=0, helpers=("tunneller",)), rooms_pile=ROOMS)
    assert dig.say("open sawmill", "pay 3 0 0 0").goods()[2] == 6  # at once, and when it is lifted last
    crane = at_room("crane", Board(food=9, pickaxe=0, helpers=("tunneller",)), rooms_pile=ROOMS)
    assert crane.say("open sawmill", "at c12", "pay 3 0 0 0").goods()[2] == 6


def test_t120_ranger_applies_a_neighbour_in_place_of_the_lifted_room() -> None:
    ranger = Board(helpers=("ranger",))
    dig = at_room("sawmill", ranger, rooms={"c23": ("arsenal", 1), "c21": ("portal", 1)})
    assert dig.moves == ["neighbour c23", "keep"]  # the rival's portal is no option
    dig.say("neighbour c23")
    assert dig.goods() == (1, 2, 2, 1, 0) and dig.goods(1)[4] == 1
    own = at_room("sawmill", ranger, rooms={"c23": ("arsenal", 0)}).say("neighbour c23")
    assert own.goods()[4] == 0
    skipped = at_room("sawmill", ranger, rooms={"c23": ("warehouse", 1)}).say("neighbour c23", "skip")
    assert skipped.goods(1)[4] == 0 and skipped.heard(facts.Unused)[0].place == "c22"
    assert at_room("sawmill", ranger, rooms={"c23": ("arsenal", 1)}).say("keep").goods()[2] == 4


def test_t121_speculator_reserves_from_a_discard_pile() -> None:
    board = Board(chests=("chest_01",), helpers=("speculator", "circle_leader"))
    piles = {"rooms_pile": PileOf(discard=("crane", "sawmill")), "helpers_pile": PileOf(discard=("digger",))}
    dig = lifting(board, paws={"c11": 0, "c12": 0}, **piles).say("use chest_01")
    assert dig.moves == ["reserve crane", "reserve sawmill", "reserve digger", "skip"]
    dig.say("reserve crane")
    assert dig.player().camp == ["crane"] and dig.g.rooms_market.discard == ["sawmill"] and dig.goods()[0] == 6


def test_t122_apprentice_widens_the_camp_and_gives_an_extra_turn() -> None:
    dig = at_entrance("5", FULL, helpers_pile=PileOf(market=("apprentice",))).say("hire apprentice", "pay 2 0 1 0")
    assert dig.asks == "ExtraTurnOffer" and dig.g.camp_limit(0) == 4
    camp = Board(glory=5, helpers=("apprentice",), camp=("crane", "sawmill", "digger"))
    lost = at_room("secluded_nook", camp).say("dismiss apprentice")
    assert lost.moves == ["discard crane", "discard sawmill", "discard digger"]
    assert lost.say("discard sawmill").player().camp == ["crane", "digger"]
    borrowed = lifting(Board(camp=("crane", "sawmill")), rooms={"c22": ("tunnel", 0)}, paws={"c22": 0, "13": 0},
                       rooms_pile=PileOf(market=("arsenal",)), helpers_pile=PileOf(market=("apprentice",)))  # fmt: skip
    borrowed.say("lift c22", "borrow apprentice", "gain 1 0 0", "reserve arsenal")
    assert borrowed.asks == "Overflow" and borrowed.say("discard crane").seat == 1  # its extra turn is not borrowed


def test_t123_chef_applies_the_hired_passive_helper_at_once() -> None:
    def hire(card: str, pay: str, **more: int) -> Dig:
        board = Board(**{**WEALTHY, "food": 5, **more}, helpers=("chef",))
        return at_entrance("5", board, helpers_pile=PileOf(market=(card,))).say(f"hire {card}", pay)

    assert hire("herbalist", "pay 0 1 2 0").goods()[0] == 6
    assert hire("tracker", "pay 1 2 0 0").goods()[3] == 2
    for card, pay in (("tunneller", "pay 2 0 2 0"), ("commander", "pay 2 0 2 0"), ("ranger", "pay 2 2 0 0")):
        # the commander is a helper of this removal already
        assert not hire(card, pay).heard(facts.Applies)
    assert hire("murmia", "pay 3 0 3 0").goods()[3] == 3  # one-time: once only
    monk = lifting(Board(**WEALTHY, helpers=("chef",)), rooms={"c12": ("sawmill", 0)}, paws={"5": 0, "c12": 0},
                   helpers_pile=PileOf(market=("monk",))).say("lift 5", "hire monk", "pay 2 1 0 0")  # fmt: skip
    assert monk.goods()[4] == 1 + 1  # printed, and by the chef; the lift of c12 brings no more in this turn


def test_t124_circle_leader_is_paid_for_reserving() -> None:
    dig = at_entrance("1", Board(helpers=("circle_leader",)), rooms_pile=ROOMS).say("gain 0 0 2", "reserve sawmill")
    assert dig.goods()[0] == 3
    borrowed = at_room("tunnel", helpers_pile=PileOf(market=("circle_leader",)), paws={"13": 0}, rooms_pile=ROOMS)
    borrowed.say("borrow circle_leader", "lift 13", "gain 0 1 0", "reserve sawmill")
    assert borrowed.goods()[0] == 3  # the rulebook's example of the tunnel


def test_the_grand_hunter_needs_five_lifts() -> None:
    five = {"8": 0, "9": 0, "10": 0, "c11": 0, "c12": 0}
    hunter = lifting(Board(helpers=("grand_hunter",)), paws=five).say("lift 8", "lift 9", "lift 10", "lift c11")
    assert hunter.asks == "Decide" and hunter.say("gain 1 0 0").goods()[4] == 1
    four = lifting(Board(helpers=("grand_hunter",)), paws=dict([*five.items()][1:])).say(
        "lift 9", "lift 10", "lift c11"
    )
    assert four.seat == 1
