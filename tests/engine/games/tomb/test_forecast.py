"""Forecasts: what a word would do, compared with what it does."""

from itertools import takewhile
from random import Random
from typing import Any

import msgspec

from engine.games.tomb import facts, game
from engine.games.tomb.ahead import imagine
from engine.games.tomb.forecast import HIDDEN
from engine.games.tomb.positions import Board, PileOf
from engine.games.tomb.view import public
from engine.table_events import Opened
from engine.testing import new_table
from engine.testing.moves import SECRET, make_moves
from tests.engine.games.tomb.digging import HELPERS, ROOMS, Dig, at_entrance, at_room, lifting


def forecast(dig: Dig) -> dict[str, Any]:
    assert game.forecast is not None
    found: dict[str, Any] = game.forecast(dig.table.shared(), dig.table.own(dig.seat))
    return found


def test_a_placement_shows_its_crossings_what_they_bring_and_what_it_shuts() -> None:
    """The picture of the first mock-up: 9 takes a rival's room and a chest."""
    mira = Board(helpers=("pyromancer", "tracker"))
    dig = Dig(mira, rooms={"c22": ("scaffolding", 1)}, paws={"5": 0, "7": 0}, chests={"c24": "chest_01"})
    fate = forecast(dig)["words"]["place 9"]
    assert [event["place"] for event in fate["events"] if event["kind"] == "laid"] == ["9", "c22", "c24"]
    assert [(e["seat"], e["glory"], e["why"]) for e in fate["events"] if e["kind"] == "fame"] == [(1, 1, "visited")]
    assert [e["chest"] for e in fate["events"] if e["kind"] == "chest_taken"] == ["chest_01"]
    assert fate["goods"] == ((1, 1, 1, 2, 0), (1, 1, 1, 1, 1)) and fate["shuts"] == ("9", "2")
    later = {one["place"]: one for one in fate["later"]}
    assert later["9"]["goods"] == (0, 4, 0, 0, 0) and later["9"]["helpers"] == ("pyromancer",)
    assert later["c24"]["idle"] and later["c22"]["owner"] == 1


def test_the_order_of_lifts_shows_what_each_would_give_now() -> None:
    dig = lifting(
        Board(food=0, torch=0, pickaxe=0, gold=0), paws={"8": 0, "c12": 0, "5": 0}, rooms={"c12": ("star_chamber", 0)}
    )
    words = forecast(dig)["words"]
    assert words["lift 8"]["later"][0]["goods"] == (3, 0, 0, 0, 0)
    assert words["lift c12"]["later"][0]["idle"]
    rich = lifting(Board(torch=2), paws={"8": 0, "c12": 0, "5": 0}, rooms={"c12": ("star_chamber", 0)})
    assert forecast(rich)["words"]["lift c12"]["later"][0]["asks"] == "exchange"


def test_a_purchase_shows_the_cheapest_payment_and_what_is_missing() -> None:
    dig = at_entrance("5", Board(food=1, torch=2, pickaxe=0, gold=1), helpers_pile=HELPERS)
    found = forecast(dig)
    assert found["words"]["hire apothecary"]["pay"] == (1, 2, 0, 1, 0)
    prices = {one["card"]: one for one in found["prices"]}
    assert (prices["apothecary"]["by_gold"], prices["apothecary"]["short"]) == (1, 0)
    assert prices["architect"]["pay"] is None and prices["architect"]["short"] == 3
    dig.say("hire apothecary")
    assert forecast(dig)["words"]["pay 1 2 0 1"]["goods"][0] == (1, 1, 1, 0, 2)


def test_a_purchase_shows_all_payments_and_what_it_brings_on_each_place() -> None:
    mira = Board(food=3, torch=3, pickaxe=3, gold=1, helpers=("tracker",))
    dig = at_room("scaffolding", mira, rooms_pile=ROOMS, rooms={"c13": ("chapel", 1)}, chests={"c12": "chest_01"})
    fate = forecast(dig)["words"]["open arsenal"]
    taken = {
        at: sum(event["goods"][3] for event in one["events"] if event["kind"] == "gained")
        for at, one in fate["then"].items()
    }
    free = [cell for cell in dig.g.layout.cells if cell not in dig.g.rooms and cell not in dig.g.paws]
    assert taken == {f"at {cell}": int(cell == "c12") for cell in free}
    assert fate["pays"] == ("pay 1 0 2 0", "pay 1 0 1 1", "pay 0 0 2 1")
    for pay in fate["pays"]:
        make_moves(dig.table.copy(), 0, "open arsenal", "at c12", pay)


def test_a_forecast_does_not_show_cards_that_nobody_has_seen() -> None:
    dig = at_entrance("14", Board(), helpers_pile=HELPERS).say("skip", "refresh foreman")
    fate = forecast(dig)["words"]["done"]
    assert not [event for event in fate["events"] if event["kind"] in ("refilled", "chests_drawn")]


def test_nobody_is_forecast_who_is_not_asked() -> None:
    table = Dig().table
    assert game.forecast is not None
    assert game.forecast(table.shared(), table.own(1)) == {}


def test_forecasts_come_true() -> None:
    """Random games: what is told of a word is what happens, as far as no hidden card is involved."""
    luck, compared = Random(5), 0
    for seed in range(6):
        table = new_table(game, 2 + seed % 2, seed)
        while not table.over:
            seat = table.waits[0]
            assert game.forecast is not None
            word = luck.choice(table.moves(seat))
            fate = game.forecast(table.shared(), table.own(seat))["words"][word]
            told = table.play(seat, word, table.round, SECRET)
            if not told or any(isinstance(event, HIDDEN) for event in told):
                continue
            own = [*takewhile(lambda event: not isinstance(event, facts.Turn | Opened), told[1:])]
            assert list(fate["events"]) == [msgspec.to_builtins(event, str_keys=True) for event in own]
            compared += 1
    assert compared > 500


def test_what_is_imagined_shows_the_same_view() -> None:
    dig = at_room("watch_post", Board(helpers=("monk",), used=("chest_05",)), rooms_pile=PileOf(discard=("crane",)))
    for table in (dig.table, new_table(game, 3)):
        shared, own = table.shared(), table.own(table.waits[0])
        assert public(imagine(shared.public, own.seat, own.private, Random(1))) == shared.public
