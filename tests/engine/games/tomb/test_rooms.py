"""The rooms and entrances that the rulebook explains: T-125 to T-138."""

from engine.games.tomb import facts
from engine.games.tomb.cards import DECK
from engine.games.tomb.positions import Board, PileOf
from tests.engine.games.tomb.digging import BARE, FULL, HELPERS, ROOMS, at_entrance, at_room, lifting


def test_t125_arsenal_living_fire_warehouse_and_sphinx() -> None:
    assert at_room("arsenal", BARE).goods() == (0, 1, 1, 0, 0)
    assert at_room("living_fire", BARE).goods() == (0, 2, 0, 0, 0)
    assert at_room("warehouse", BARE).say("gain 0 1 1").goods() == (0, 1, 1, 0, 0)
    assert at_room("sphinx", BARE).goods() == (0, 0, 0, 1, 0)


def test_t126_laboratory_and_alchemy_table_exchange() -> None:
    assert at_room("laboratory").say("pay 0 0 0 1", "gain 2 0 0").goods() == (3, 1, 1, 0, 1)
    table = at_room("alchemy_table").say("pay 1 0 0 0")
    assert table.moves == ["gain 0 2 0", "gain 0 1 1", "gain 0 0 2"]  # never food for food
    assert table.say("gain 0 1 1").goods() == (0, 2, 2, 1, 0)


def test_t127_crane_applies_the_opened_room_and_scaffolding_does_not() -> None:
    crane = at_room("crane", Board(food=9), rooms_pile=ROOMS).say("open sawmill", "at c11", "pay 3 0 0 0")
    assert crane.goods()[2] == 4 and "c11" not in crane.g.paws
    assert (
        at_room("scaffolding", Board(food=9), rooms_pile=ROOMS).say("open sawmill", "at c11", "pay 3 0 0 0").goods()[2]
        == 1
    )


def test_t128_watch_post_doubles_a_later_lift() -> None:
    paws = {"8": 0, "14": 0, "c12": 0}
    dig = at_room("watch_post", paws=paws).say("lift c12", "lift c34", "lift 14")
    assert dig.moves == ["double", "single"]
    dig.say("single", "skip", "skip")
    assert dig.moves == ["double", "single"] and dig.say("double").goods()[0] == 7  # the last paw, on 8
    assert [event.place for event in dig.heard(facts.Doubled)] == ["8"] and dig.g.doubles == 0
    ranger = at_room("watch_post", Board(helpers=("ranger",)), rooms={"c14": ("sawmill", 0), "c13": ("arsenal", 0)},
                     paws={"c14": 0}).say("lift c14", "double", "neighbour c13", "keep")  # fmt: skip
    assert ranger.goods() == (1, 2, 5, 1, 0)


def test_t129_rubble_applies_a_room_of_the_market_which_stays() -> None:
    dig = at_room("rubble", rooms_pile=ROOMS).say("apply hot_spring")
    assert dig.goods() == (3, 1, 1, 1, 0) and dig.g.rooms_market.shown == list(ROOMS.market)


def test_t130_kitchen_repeats_a_helper_of_this_turn() -> None:
    """The rulebook's example: Warehouse is opened, the tunneller applies it, and Kitchen repeats that."""
    board = Board(food=9, torch=9, pickaxe=5, helpers=("tunneller",))
    dig = lifting(board, rooms={"c12": ("kitchen", 1)}, paws={"2": 0, "c11": 0, "c12": 0},
                  rooms_pile=PileOf(market=("warehouse",)))  # fmt: skip
    dig.say("lift 2", "open warehouse", "pay 0 2 2 0", "gain 0 0 2", "lift c12", "repeat tunneller", "gain 0 0 2")
    assert dig.goods()[2] == 7
    monk = lifting(
        Board(helpers=("monk",)), rooms={"c12": ("kitchen", 1), "c11": ("sawmill", 1)}, paws={"c11": 0, "c12": 0}
    )
    assert monk.say("lift c11").goods()[4] == 1 and monk.seat == 1  # limited to once a turn: not repeated
    rooms = {"c12": ("arsenal", 1), "c11": ("sawmill", 1), "c34": ("kitchen", 0)}
    ranger = lifting(Board(helpers=("ranger",)), rooms=rooms, paws={"c11": 0, "c34": 0, "c21": 0})
    ranger.say("lift c11", "neighbour c12", "lift c34", "repeat ranger")
    assert ranger.say("apply c12").goods() == (1, 3, 3, 1, 0) and ranger.goods(1)[4] == 2


def test_t130_kitchen_repeats_a_helper_whatever_became_of_a_reserved_card() -> None:
    leader = Board(helpers=("circle_leader",))
    dig = at_room("kitchen", leader, paws={"13": 0}, rooms_pile=ROOMS)
    assert dig.asks == "LiftPaw"  # nothing was applied yet
    dig = lifting(leader, rooms={"c12": ("kitchen", 1)}, paws={"13": 0, "c12": 0, "c34": 0}, rooms_pile=ROOMS)
    dig.say("lift 13", "gain 0 1 0", "reserve sawmill", "lift c12", "repeat circle_leader")
    assert dig.goods()[0] == 5


def test_t131_tunnel_borrows_a_helper_of_the_market_for_this_turn() -> None:
    pile = PileOf(market=("builder", "murmia", "herbalist"))
    dig = at_room("tunnel", paws={"10": 0}, helpers_pile=pile)
    assert dig.moves == ["borrow builder", "borrow herbalist", "skip"]  # no helpers with one-time effects
    dig.say("borrow builder", "lift 10")
    assert dig.goods()[2] == 5 and dig.g.borrowed == [] and dig.seat == 1
    hired = at_room("tunnel", Board(food=9, torch=9), paws={"5": 0, "10": 0}, helpers_pile=pile)
    hired.say("borrow builder", "lift 5", "hire builder", "pay 2 1 0 0", "lift 10")
    assert hired.goods()[2] == 5


def test_t132_pawnshop_gives_gold_for_any_chest() -> None:
    dig = at_room("pawnshop", Board(chests=("chest_01",), used=("chest_02",))).say("gain 1 0 0")
    assert dig.moves == ["sell chest_01", "sell chest_02", "skip"]
    assert dig.say("sell chest_02").goods()[3] == 2
    scholar = at_room("pawnshop", Board(chests=("chest_01",), helpers=("scholar",))).say("gain 1 0 0", "sell chest_01")
    assert scholar.goods() == (2, 1, 1, 2, 0)  # it is no exchange


def test_t132_a_chest_that_is_being_used_cannot_be_sold() -> None:
    board = Board(food=9, pickaxe=9, chests=("chest_19", "chest_01"), helpers=("tunneller",))
    dig = lifting(board, paws={"c11": 0, "c12": 0}, rooms_pile=PileOf(market=("pawnshop",))).say("use chest_19")
    dig.say("open pawnshop", "at c11", "pay 0 0 1 0", "gain 1 0 0")
    assert dig.moves == ["sell chest_01", "skip"]


def test_t133_portal_pays_its_owner_and_may_be_replaced_for_less() -> None:
    assert at_room("portal", FULL, owner=1).goods() == (9, 9, 9, 9, 0)
    owner = Board(food=2, torch=0, pickaxe=0, gold=0, helpers=("foreman",))
    dig = at_room("portal", owner, rooms_pile=PileOf(market=("sawmill", "crane", "deep_mine")))
    assert dig.goods()[3] == 1 and dig.moves == ["replace sawmill", "skip"]
    dig.say("replace sawmill")
    assert dig.moves == ["pay 2 0 0 0", "pay 1 0 0 1"]
    dig.say("pay 2 0 0 0")
    assert dig.g.rooms["c22"].card == "sawmill" and dig.player().tokens == 7 and "c22" not in dig.g.paws
    assert dig.g.rooms_market.discard[-1] == "portal" and dig.goods() == (0, 0, 0, 2, 1)  # the foreman was told
    kinds = [type(event) for event in dig.told if isinstance(event, facts.Paid | facts.Discarded | facts.Refilled)]
    assert kinds == [facts.Paid, facts.Discarded, facts.Refilled]


def test_t134_stash_turns_a_chosen_chest_up() -> None:
    dig = at_room("stash", Board(used=("chest_01", "chest_02"))).say("gain 1 0 0", "flip chest_02")
    assert dig.player().chests == ["chest_02"] and dig.player().used == ["chest_01"]


def test_t135_secluded_nook_swaps_a_helper() -> None:
    board = Board(food=9, torch=9, pickaxe=9, glory=2, helpers=("foreman", "pyromancer"), camp=("digger",))
    dig = at_room("secluded_nook", board, helpers_pile=HELPERS_OTHERS)
    assert dig.moves == ["dismiss foreman", "dismiss digger", "skip"]  # the pyromancer's glory cannot be spent
    dig.say("dismiss foreman")
    assert dig.goods()[4] == 1 and dig.player().helpers == ["pyromancer"]
    assert dig.moves[:3] == ["hire apothecary", "hire tracker", "hire architect"] and "reserve tracker" in dig.moves
    dig.say("reserve tracker")
    assert dig.player().camp == ["digger", "tracker"]
    camp = at_room("secluded_nook", board, helpers_pile=HELPERS_OTHERS).say(
        "dismiss digger", "hire tracker", "pay 1 2 0 0"
    )
    assert camp.goods()[4] == 2 + 2 and camp.g.helpers_market.discard[-1] == "digger"


HELPERS_OTHERS = PileOf(market=("apothecary", "tracker", "architect"))


def test_t136_tea_house_earns_an_extra_turn_by_lifting_and_an_action_by_laying() -> None:
    dig = lifting(rooms={"c21": ("tea_house", 0)}, paws={"c21": 0})
    assert [event.what for event in dig.heard(facts.Earned)] == ["turn"] and dig.asks == "ExtraTurnOffer"


def test_t137_the_fair_gives_three_and_one_to_everybody_else() -> None:
    dig = at_room("fair", BARE, BARE, BARE).say("gain")
    assert [dig.goods(seat)[0] for seat in range(3)] == [3, 1, 1]


def test_t138_the_entrances_that_the_rulebook_shows() -> None:
    assert at_entrance("2", FULL, rooms_pile=ROOMS).moves[0].startswith("open ")
    assert at_entrance("5", FULL, helpers_pile=HELPERS).moves[0].startswith("hire ")
    assert at_entrance("4").moves[0] == "move c11"
    assert at_entrance("14").moves[0].startswith("pay ")
    for slot, goods in (("8", (4, 1, 1, 1, 0)), ("9", (1, 4, 1, 1, 0)), ("10", (1, 1, 4, 1, 0))):
        assert at_entrance(slot).goods() == goods
    assert len(DECK.entrances) == 16
