"""Camp, markets, opening and hiring: T-65 to T-79, T-91."""

from engine.games.tomb import facts
from engine.games.tomb.cards import CARDS
from engine.games.tomb.goods import payments
from engine.games.tomb.positions import Board, PileOf, position
from tests.engine.games.tomb.digging import BARE, FULL, HELPERS, ROOMS, Dig, at_entrance, at_room, lifting


def pays(*boards: Board, card: str, discount: int = 0) -> list[tuple[int, ...]]:
    return [*map(tuple, payments(position(*boards, Board()), 0, card, discount))]


def test_t65_a_reserved_card_goes_into_the_camp_unpaid_and_the_market_is_refilled() -> None:
    dig = at_entrance("13", rooms_pile=PileOf(market=ROOMS.market, deck=("star_chamber",)))
    dig.say("gain 1 0 0", "reserve arsenal")
    assert dig.player().camp == ["arsenal"] and dig.g.rooms_market.shown == ["sawmill", "star_chamber", "hot_spring"]
    assert dig.goods() == (2, 1, 1, 2, 0) and not dig.table.shared().public.players[0].line.total


def test_t66_a_full_camp_discards_an_old_card_first() -> None:
    full = Board(camp=("crane", "digger"))
    dig = at_entrance("13", full, rooms_pile=ROOMS).say("gain 1 0 0", "reserve sawmill")
    assert dig.moves == ["discard crane", "discard digger"]
    assert dig.say("discard digger").player().camp == ["crane", "sawmill"]
    assert dig.g.helpers_market.discard[-1] == "digger"
    wide = Board(camp=("crane", "digger"), helpers=("apprentice",))
    assert len(at_entrance("13", wide, rooms_pile=ROOMS).say("gain 1 0 0", "reserve sawmill").player().camp) == 3


def test_t67_from_the_camp_a_card_costs_one_resource_less() -> None:
    poor = Board(food=0, torch=0, pickaxe=2, gold=0, camp=("living_fire", "foreman"))
    assert pays(poor, card="living_fire") == [(0, 0, 2, 0, 0)]


def test_t68_discounts_add_up_and_never_touch_gold() -> None:
    rich = Board(food=4, torch=0, pickaxe=0, gold=1, camp=("architect", "tea_house"), helpers=("foreman",))
    assert (1, 0, 0, 1, 0) in pays(rich, card="architect", discount=2)
    assert pays(Board(food=0, torch=0, pickaxe=0, gold=1), card="architect", discount=9) == [(0, 0, 0, 1, 0)]
    architect = Board(food=9, torch=9, pickaxe=9, gold=0, helpers=("architect",), camp=("arsenal",))
    found = pays(architect, card="arsenal")  # 2 pickaxes and 1 food, less 2 of the player's choice
    assert sorted(found) == [(0, 0, 1, 0, 0), (1, 0, 0, 0, 0)]


def test_t69_a_market_place_is_refilled_at_once_in_its_position() -> None:
    deck = ("murmia", "digger", "ranger")
    dig = at_entrance("5", FULL, helpers_pile=PileOf(market=HELPERS.market, deck=deck)).say("hire apothecary")
    dig.say("pay 2 2 0 0")
    told = [type(event) for event in dig.told if isinstance(event, facts.Refilled | facts.Hired | facts.Gained)]
    assert dig.g.helpers_market.shown == ["foreman", "murmia", "architect"]
    assert told[:2] == [facts.Refilled, facts.Hired]


def test_t70_an_empty_deck_is_made_of_the_discard_pile() -> None:
    pile = PileOf(market=HELPERS.market, size=0)
    dig = at_entrance("5", FULL, helpers_pile=pile)
    before = len(dig.g.helpers_market.discard)
    dig.say("hire foreman", "pay 2 0 2 0")
    (told,) = dig.heard(facts.Reshuffled)
    assert told.cards == before and len(dig.g.helpers_market.deck) == before - 1
    assert dig.g.helpers_market.discard == [] and "" not in dig.g.helpers_market.shown


def test_t71_a_refresh_discards_first_and_then_fills_rooms_before_helpers() -> None:
    dig = at_entrance("14", rooms_pile=ROOMS, helpers_pile=HELPERS).say("skip")
    dig.say("refresh architect", "refresh hot_spring", "refresh sawmill")  # three: complete without "done"
    (told,) = dig.heard(facts.Discarded)
    assert told.cards == ("sawmill", "hot_spring", "architect")
    assert [(e.market, e.position) for e in dig.heard(facts.Refilled)] == [("room", 0), ("room", 2), ("helper", 2)]


def test_t72_discard_piles_lie_face_up() -> None:
    dig = Dig(rooms_pile=PileOf(discard=("crane", "sawmill")))
    assert dig.table.shared().public.rooms.discard == ("crane", "sawmill")


def test_t73_opening_needs_a_paw_on_an_empty_cell_a_payable_room_and_a_token() -> None:
    assert at_entrance("2", FULL, rooms_pile=ROOMS).moves[:3] == ["open sawmill", "open arsenal", "open hot_spring"]
    nowhere = {"2": 0, "c11": 0}
    occupied = lifting(FULL, paws=nowhere, rooms={"c11": ("crane", 1)}, rooms_pile=ROOMS).say("lift 2")
    assert not occupied.heard(facts.RoomOpened) and occupied.asks != "LiftPaw"
    camp = at_entrance("3", Board(food=9, torch=9, pickaxe=9, camp=("crane",)), rooms_pile=ROOMS).say("gain 1 0 0")
    assert camp.moves == ["open crane", "skip"]


def test_t74_pay_refill_lay_token_glory_then_what_it_triggers() -> None:
    dig = at_entrance("2", Board(food=3, helpers=("foreman",)), rooms_pile=ROOMS).say("open sawmill", "pay 3 0 0 0")
    kinds = [type(event).__name__ for event in dig.told]
    order = ["Paid", "Refilled", "RoomOpened", "Fame", "Gained"]
    assert [kind for kind in kinds if kind in order][: len(order)] == order
    assert dig.player().tokens == 7 and dig.g.rooms["c11"].seat == 0 and dig.goods() == (0, 1, 4, 2, 1)


def test_t75_a_free_cell_has_no_paw_and_no_card_and_its_chest_is_taken() -> None:
    dig = at_room("scaffolding", FULL, rooms_pile=ROOMS, chests={"c12": "chest_01"}).say("open sawmill")
    cells = [word.split()[1] for word in dig.moves]
    assert "c34" not in cells and "c22" not in cells and "c12" in cells
    assert dig.say("at c12", "pay 3 0 0 0").player().chests == ["chest_01"]


def test_t76_eight_rooms_are_the_most() -> None:
    rooms = ["crane", "scaffolding", "arsenal", "barracks", "kitchen", "pantry", "stash", "rubble"]
    cells = ["c12", "c13", "c14", "c21", "c22", "c23", "c24", "c31"]
    all_of = {cell: (room, 0) for cell, room in zip(cells, rooms, strict=True)}
    full = at_entrance("2", FULL, rooms=all_of, rooms_pile=PileOf(market=("sawmill", "watch_post", "tunnel")))
    assert full.player().tokens == 0 and not full.heard(facts.RoomOpened) and full.seat == 1
    seven = at_entrance("2", FULL, rooms=dict([*all_of.items()][1:]), rooms_pile=PileOf(market=("sawmill",)))
    assert "open sawmill" in seven.moves


def test_t77_a_room_stays_and_everybody_may_use_it() -> None:
    dig = at_room("sawmill", BARE, owner=1)
    assert dig.goods()[2] == 3 and dig.g.rooms["c22"].seat == 1


def test_t78_hiring_pays_refills_applies_a_one_time_effect_and_brings_glory() -> None:
    dig = at_entrance("5", Board(food=2, torch=2, helpers=("preacher",)), helpers_pile=HELPERS)
    dig.say("hire apothecary", "pay 2 2 0 0")
    assert dig.goods() == (1, 1, 2, 1, 3) and dig.player().helpers == ["preacher", "apothecary"]
    told = [(type(e).__name__, getattr(e, "card", "")) for e in dig.told if isinstance(e, facts.Gained | facts.Fame)]
    assert told == [("Gained", "apothecary"), ("Fame", "apothecary"), ("Gained", "preacher")]
    new = at_entrance("5", FULL, helpers_pile=PileOf(market=("preacher",))).say("hire preacher", "pay 1 2 0 0")
    assert new.goods()[4] == CARDS["preacher"].glory  # it does not trigger on its own hiring


def test_t79_any_number_of_helpers() -> None:
    many = [
        card.id
        for card in CARDS.values()
        if card.sort == "helper" and card.faction in ("squirrels", "porcupines", "beavers")
    ]
    dig = at_entrance("5", Board(food=9, torch=9, pickaxe=9, helpers=many), helpers_pile=PileOf(market=("digger",)))
    assert len(dig.say("hire digger", "pay 1 2 0 0").player().helpers) == 10


def test_t91_an_empty_market_place_is_filled_as_soon_as_a_card_is_discarded() -> None:
    helpers = [c.id for c in CARDS.values() if c.sort == "helper" and c.faction in (*FIRST, "neutral")]
    theirs, mine, shown = helpers[:8], helpers[8:17], helpers[17:]
    dig = lifting(
        Board(helpers=mine[:7], camp=mine[7:], chests=("chest_14",)), Board(helpers=theirs), factions=FIRST,
        helpers_pile=PileOf(market=shown), paws={"8": 0, "9": 0}, ended="glory",
    )  # fmt: skip
    assert dig.g.helpers_market.shown == [*shown, ""]
    dig.say("use chest_14", f"reserve {shown[0]}", f"discard {mine[7]}")
    assert dig.g.helpers_market.shown == [mine[7], shown[1], ""]


FIRST = ("squirrels", "porcupines", "beavers", "pacas", "jerboas", "guinea_pigs")
