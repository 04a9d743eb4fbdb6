"""Every card is played: rooms and entrances are lifted, chests used, helpers hired and triggered."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.games.tomb import facts
from engine.games.tomb.cards import CARDS, DECK
from engine.games.tomb.effects import (
    Amount,
    Apply,
    BorrowHelper,
    ChestDraw,
    ChestFlip,
    ChestSell,
    Choose,
    DoubleNext,
    Exchange,
    ExtraTurn,
    Gain,
    Hire,
    IfFew,
    MovePaw,
    Open,
    PlacePaw,
    Refresh,
    RepeatHelper,
    ReplaceSelf,
    Reserve,
    SwapHelper,
)
from engine.games.tomb.positions import Board, PileOf
from tests.engine.games.tomb.digging import HELPERS, ROOMS, Dig, lifting

ROOM_IDS = [card.id for card in CARDS.values() if card.sort == "room"]
HELPER_IDS = [card.id for card in CARDS.values() if card.sort == "helper"]
# The event that shows that a step of this kind was carried out.
SHOWN: dict[type, type] = {
    Gain: facts.Gained, Exchange: facts.Paid, Choose: facts.Paid, IfFew: facts.Gained, Open: facts.RoomOpened,
    Hire: facts.Hired, ReplaceSelf: facts.RoomOpened, Reserve: facts.Reserved, Refresh: facts.Refilled,
    MovePaw: facts.PawMoved, PlacePaw: facts.Laid, ChestDraw: facts.ChestsDrawn, ChestFlip: facts.ChestFlipped,
    ChestSell: facts.ChestSold, Apply: facts.Applies, BorrowHelper: facts.Borrowed, SwapHelper: facts.Discarded,
    RepeatHelper: facts.Applies, ExtraTurn: facts.Earned,
}  # fmt: skip
# Everything that an effect might need: goods, helpers, chests of both kinds, neighbours, a helper that was applied.
PURSE: dict[str, Any] = {"food": 5, "torch": 5, "pickaxe": 2, "gold": 3, "glory": 6}
NEAR = {"c21": ("hot_spring", 1), "c12": ("arsenal", 1)}


def rich(*helpers: str, camp: tuple[str, ...] = ()) -> Board:
    return Board(**PURSE, helpers=helpers, camp=camp, chests=("chest_01",), used=("chest_02",))


def stock(*but: str, more: tuple[str, ...] = ()) -> dict[str, object]:
    """Markets without these cards, and with the factions of these."""
    rooms = [card for card in (*ROOMS.market, "warehouse") if card not in (*but, "hot_spring", "arsenal")]
    helpers = [card for card in HELPERS.market if card not in but]
    return {"rooms_pile": PileOf(market=rooms[:2]), "helpers_pile": PileOf(market=helpers[:2])}


def play_first(dig: Dig, until: Callable[[Dig], bool]) -> None:
    """Take the first offer each time, until the action is over."""
    for _ in range(60):
        if until(dig):
            return
        dig.say(dig.moves[0])
    raise AssertionError("the action does not end")


def lifted(dig: Dig, place: str) -> Dig:
    """Lift from here and take the first offer of each step."""
    before = len(dig.told)
    dig.say(f"lift {place}")
    play_first(dig, lambda d: d.asks in ("LiftPaw", "ExtraTurnOffer", "MainAction"))
    dig.told = dig.told[before:]
    return dig


def check_shown(dig: Dig, steps: tuple[object, ...]) -> None:
    for step in steps:
        if not isinstance(step, DoubleNext):
            assert dig.heard(SHOWN[type(step)]), f"{type(step).__name__}: {dig.told}"


@pytest.mark.parametrize("card", ROOM_IDS)
def test_a_room_is_lifted(card: str) -> None:
    mine = ("builder", "foreman") if CARDS[card].faction != "beavers" else ("builder", "architect")
    near = {cell: room for cell, room in NEAR.items() if room[0] != card}
    board, before = rich(*mine), CARDS[card]
    where = stock(card, *mine)
    paws = {"10": 0, "c33": 0, "c22": 0, "9": 0}
    dig = lifting(board, rooms={"c22": (card, 0), **near}, paws=paws, **where).say("lift 10")
    after = lifted(dig, "c22")
    check_shown(after, before.effect.steps)
    assert after.heard(facts.Lifted)[0].card == card and not after.heard(facts.Unused)
    (step, *rest) = before.effect.steps
    if isinstance(step, Gain) and not rest and step.amount == Amount(step.amount.goods) and not step.per:
        (gained, *_) = after.heard(facts.Gained)
        assert gained.goods == step.amount.goods and gained.card == card
    if isinstance(step, DoubleNext):
        assert after.g.doubles == 1


@pytest.mark.parametrize("card", ROOM_IDS)
def test_a_room_is_opened_for_its_cost_and_glory(card: str) -> None:
    cost, board = CARDS[card].cost, Board(food=9, torch=9, pickaxe=9, gold=9)
    dig = lifting(board, paws={"2": 0, "c11": 0, "c12": 0}, rooms_pile=PileOf(market=(card,))).say("lift 2")
    dig.say(f"open {card}", "at c12", "pay " + " ".join(map(str, cost[:4])))
    assert dig.goods() == (*(9 - n for n in cost[:4]), CARDS[card].glory)
    assert dig.g.rooms["c12"].card == card and "lift c12" in dig.moves


@pytest.mark.parametrize("card", ROOM_IDS)
def test_a_room_is_entered(card: str) -> None:
    dig = Dig(rooms={"c21": (card, 1)}, paws={"2": 0}).say("place 4")
    assert dig.goods(1)[4] == 1 and dig.goods()[4] == 0
    assert (dig.seat == 0) is CARDS[card].again


@pytest.mark.parametrize("card", HELPER_IDS)
def test_a_helper_is_hired_for_its_cost_and_glory(card: str) -> None:
    cost, board = CARDS[card].cost, Board(food=9, torch=9, pickaxe=9, gold=7)
    dig = lifting(board, paws={"5": 0, "c11": 0}, helpers_pile=PileOf(market=(card,))).say("lift 5")
    dig.say(f"hire {card}", "pay " + " ".join(map(str, cost[:4])))
    assert dig.player().helpers == [card] and dig.heard(facts.Paid)[0].goods == cost
    (fame,) = [event for event in dig.heard(facts.Fame) if event.why == "hired"]
    assert (fame.glory, fame.card) == (CARDS[card].glory, card)


def at_lift(card: str, slot: str, **more: object) -> Dig:
    mine = Board(**PURSE, helpers=(card,), chests=("chest_01",), used=("chest_02",))
    where: dict[str, object] = {"paws": {slot: 0, "c33": 0, "c34": 0}, "rooms": {"c32": ("arsenal", 1)}}
    return lifting(mine, **{**where, **stock(card, "arsenal"), **more}).say(f"lift {slot}")


def placed(card: str, *rooms: tuple[str, int], chest: str = "chest_03") -> Dig:
    mine = Board(**PURSE, helpers=(card,), used=("chest_02",))
    laid = {"c21": rooms[0]} if rooms else {}
    return Dig(mine, rooms=laid, paws={"2": 0}, chests={} if rooms else {"c21": chest}).say("place 4")


def of_lift(card: str, owner: int) -> Dig:
    mine = Board(**PURSE, helpers=(card,))
    rooms = {"c22": ("sawmill", owner), "c23": ("arsenal", owner)}
    return lifting(mine, rooms=rooms, paws={"c22": 0, "c33": 0}).say("lift c22")


# What makes each passive helper work, by its trigger.
TRIGGER: dict[str, Callable[[str], Dig]] = {
    "gain food": lambda card: at_lift(card, "8"),
    "gain torch": lambda card: at_lift(card, "9"),
    "gain pickaxe": lambda card: at_lift(card, "10"),
    "exchange": lambda card: at_lift(card, "14"),
    "open": lambda card: at_lift(card, "2"),
    "hire": lambda card: at_lift(card, "5", helpers_pile=PileOf(market=("tracker", "digger"))),
    "hire passive": lambda card: at_lift(card, "5", helpers_pile=PileOf(market=("herbalist",))),
    "reserve": lambda card: at_lift(card, "13"),
    "refresh": lambda card: at_lift(card, "14"),
    "place own_room": lambda card: placed(card, ("sawmill", 0)),
    "place other_room": lambda card: placed(card, ("sawmill", 1)),
    "place empty": lambda card: placed(card),
    "chest_pick": lambda card: placed(card),
    "remove room": lambda card: of_lift(card, 0),
    "remove other_room": lambda card: of_lift(card, 1),
    "remove no_effect": lambda card: lifting(Board(helpers=(card,)), paws={"c11": 0, "c12": 0}).say("lift c11"),
    "chest_use": lambda card: lifting(
        Board(helpers=(card,), chests=("chest_01",)), paws={"c11": 0, "c12": 0}, rooms_pile=PileOf(discard=("crane",))
    ).say("use chest_01"),
    "after_remove": lambda card: lifting(
        Board(helpers=(card,)), paws={"c11": 0, "c12": 0, "c13": 0, "c14": 0, "c21": 0}
    ).say("lift c11", "lift c12", "lift c13", "lift c14"),
}
PASSIVE = [card for card in HELPER_IDS if CARDS[card].effect.on]


@pytest.mark.parametrize("card", PASSIVE)
def test_a_passive_helper_works_when_its_trigger_comes(card: str) -> None:
    effect = CARDS[card].effect
    if effect.on == "visited":
        dig = Dig(Board(), Board(helpers=(card,)), rooms={"c21": ("sawmill", 1)}, paws={"2": 0}).say("place 4")
    else:
        dig = TRIGGER[effect.on](card)
        play_first(dig, lambda d: d.asks in ("LiftPaw", "MainAction") or d.seat == 1)
    (step, *_) = effect.steps
    shown: list[Any] = dig.heard(SHOWN[type(step)])
    if isinstance(step, Gain):
        gained = [event for event in shown if isinstance(event, facts.Gained) and event.card == card]
        assert gained and all(gained[0].goods[n] >= step.amount.goods[n] for n in range(5))
        assert sum(gained[0].goods) == sum(step.amount.goods) + step.amount.any
    else:
        assert shown


def test_the_static_helpers_are_all_tested() -> None:
    """`test_helpers.py` and `test_buying.py` play them: T-68, T-112, T-117, T-122."""
    static = {card for card in HELPER_IDS if CARDS[card].kind == "static"}
    assert static == {"apprentice", "architect", "confectioner", "infiltrator"}


@pytest.mark.parametrize("chest", DECK.chests)
def test_a_chest_is_used(chest: str) -> None:
    board = Board(**PURSE, chests=(chest,))
    dig = lifting(board, paws={"c11": 0, "c12": 0}, **stock()).say(f"use {chest}")
    play_first(dig, lambda d: d.asks == "LiftPaw")
    check_shown(dig, DECK.chests[chest].steps)
    assert dig.player().used == [chest] and dig.heard(facts.ChestUsed)[0].chest == chest


@pytest.mark.parametrize("side", ["number", "reverse"])
@pytest.mark.parametrize("slot", DECK.entrances)
def test_an_entrance_is_lifted(slot: str, side: str) -> None:
    entrance = DECK.entrances[slot]
    if side == "reverse" and not entrance.reverse:
        assert slot in ("1", "3.5", "7.5", "13")
        return
    camp = ("sawmill", "foreman")
    boards = [Board(**PURSE, camp=camp), Board(), *[Board()] * ("." in slot)]
    turned = {slot: 0} if side == "reverse" else {}
    where = {"rooms_pile": PileOf(market=("arsenal", "crane")), "helpers_pile": PileOf(market=("digger", "baker"))}
    dig = lifting(*boards, paws={slot: 0, "c11": 0, "c12": 0, "c13": 0}, turned=turned, **where)
    dig.say(f"lift {slot}")
    play_first(dig, lambda d: d.asks == "LiftPaw")
    effect = entrance.reverse if side == "reverse" else entrance.effect
    assert effect is not None
    check_shown(dig, effect.steps)


def test_the_names_of_the_cards_are_unique() -> None:
    assert len({*ROOM_IDS, *HELPER_IDS, *DECK.chests, *DECK.entrances}) == 37 + 37 + 20 + 16
