"""Any position can be set up directly, and only those that there can be."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from engine.games.raiders import facts, game
from engine.games.raiders.cards import decks
from engine.games.raiders.positions import Place, position
from engine.games.raiders.rules import Raiders
from engine.table import Table
from engine.table_events import Began
from engine.testing import deal, play_at_random
from tests.engine.games.raiders.sitting import only, sit

DECK = decks()["second"]


@pytest.mark.parametrize("floor", range(1, 6))
@pytest.mark.parametrize("place", range(1, 6))
@pytest.mark.parametrize("play", ["sealed", "open"])
def test_whatever_is_left_out_is_filled_in_and_the_game_can_be_played_on(floor: int, place: int, play: str) -> None:
    for seats in (3, 4, 5):
        g = position(seats, floor=floor, place=place, play=play, seed=f"{seats:064x}")
        behind_us = 5 * (floor - 1)
        assert len(g.deck) == 25 - behind_us - 5 and len(g.away) == 6
        everywhere = Counter(g.rooms + g.deck + g.away)
        assert everywhere[(g.rooms + g.deck)[-1]] == 1 and (g.rooms + g.deck)[-1] in DECK.bosses
        assert not everywhere - Counter(DECK.rooms) - Counter(DECK.bosses)
        assert all(sum(hero.items[i] for hero in g.raiders) + g.supply[i] == 6 for i in facts.ITEMS)
        assert msgspec.json.decode(msgspec.json.encode(g), type=Raiders).rooms == g.rooms
        table = sit(g)
        assert table.state.place == place and table.waits and table.round == 1
        entered = place
        for told in play_at_random(table, Random(floor)):
            entered += sum(isinstance(event, facts.Enter) for event in told)
        assert table.over and entered == 5 * (5 - floor) + 5


@pytest.mark.parametrize("floor", range(1, 6))
@pytest.mark.parametrize("seats", range(1, 6))
def test_in_the_first_edition_too(floor: int, seats: int) -> None:
    for place in range(1, 6):
        g = position(seats, edition="first", floor=floor, place=place, faceup="UUDUU", seed=f"{place:064x}")
        assert len(g.rooms + g.deck) == 25 - 5 * (floor - 1) and len(g.away) == (2 if seats == 1 else 5)
        assert not Counter(g.rooms + g.deck + g.away) - Counter(g.mode.deck.rooms)
        assert "".join(g.floors).count("U") == 12 and g.floors[floor - 1] == "UUDUU"
        assert sum(g.supply.values()) == (0 if seats == 1 else 20)
        table = sit(g)
        for _ in play_at_random(table, Random(floor)):
            pass
        assert table.over


def test_one_who_is_dead_in_the_first_edition() -> None:
    g = position([Place(wounds=10), Place(wounds=9), Place()], edition="first", place=3)
    assert [hero.alive for hero in g.raiders] == [False, True, True]
    assert g.raiders[0].hand == [] and sit(g).waits == [1, 2]


def test_what_is_given_is_there() -> None:
    raiders = [
        Place(character="thief", coins=20, wounds=9, items={"torch": 2, "key": 1}, hand="15", lit=(4, 5)),
        Place(coins=1, hand="345"),
        Place(character="wizard", wounds=3),
    ]
    g = position(
        raiders, floor=5, place=4, rooms={3: "dragon", 4: "lava", 5: "sphinx"}, faceup="UDUDD", play="open", first=2
    )
    table = sit(g)
    seen = table.shared().public
    assert (seen.floor, seen.place, seen.first, seen.order) == (5, 4, 2, (2, 0, 1))
    assert [raider.character for raider in seen.raiders] == ["thief", "warrior", "wizard"]
    assert seen.raiders[0].coins == 20 and seen.raiders[0].wounds == 9
    assert seen.raiders[0].items == {"torch": 2, "ball": 0, "key": 1, "sword": 0}
    assert [raider.hand for raider in seen.raiders] == [("1", "5"), ("3", "4", "5"), ("4", "5")]
    assert [len(raider.played) for raider in seen.raiders] == [3, 3, 3]
    assert seen.raiders[1].played.count("sword") + seen.raiders[1].played.count("key") == 1
    assert seen.supply == {"torch": 4, "ball": 6, "key": 5, "sword": 6}
    names = [room.room and room.room.name for room in seen.rooms]
    assert names[2:] == ["dragon", "lava", None]
    assert {place: room.name for place, room in table.own(0).private.lit.items()} == {5: "sphinx"}


def test_the_rooms_to_come() -> None:
    g = position(3, floor=3, rooms="lava", to_come=["snake", "hoard"], boss="golem")
    assert g.deck[:2] == ["snake", "hoard"] and g.deck[-1] == "golem" and len(g.deck) == 10
    everywhere = Counter(g.rooms + g.deck + g.away)
    assert not everywhere - Counter(DECK.rooms) - Counter(["golem"])


def test_the_boss_of_a_later_floor() -> None:
    assert position(3, boss="golem").deck[-1] == "golem"
    assert position(3, boss="golem", floor=5).rooms[-1] == "golem"


def test_the_table_tells_who_is_who_and_which_room_is_entered() -> None:
    g = position([Place(coins=7), Place(), Place()], rooms="troll", floor=2, place=3)
    table, told = Table.at(game, g, seats=3, options={"edition": "second", "play": "sealed"}, deal=deal(3))
    assert [type(event) for event in told] == [Began, facts.Heroes, facts.Enter]
    assert only(told, facts.Heroes).purses[0].coins == 7
    assert (only(told, facts.Enter).floor, only(told, facts.Enter).place) == (2, 3)
    assert table.version == 3


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: position(2), "no second edition for 2"),
        (lambda: position(6), "no second edition for 6"),
        (lambda: position(4, floor=6), "no floor 6"),
        (lambda: position(4, place=0), "no floor 1, place 0"),
        (lambda: position(4, first=4), "first player 4"),
        (lambda: position(4, rooms="medusa"), "no medusa in place 1 of floor 1"),
        (lambda: position(4, rooms={6: "lava"}), "no place 6"),
        (lambda: position(4, floor=5, place=5, rooms="dragon"), "no dragon in place 5 of floor 5"),
        (lambda: position(4, rooms={1: "snake", 2: "snake"}), "2 snake: there are 1"),
        (lambda: position(4, rooms="snake", to_come=["snake"]), "2 snake: there are 1"),
        (lambda: position(4, to_come=["golem"]), "1 golem: there are 0"),
        (lambda: position(4, floor=4, to_come=["goblin"] * 5), "5 rooms to come: there are 4"),
        (lambda: position(4, floor=5, to_come=["goblin"]), "1 rooms to come: there are 0"),
        (lambda: position(4, boss="lich"), "no boss lich"),
        (lambda: position(4, floor=5, rooms={5: "golem"}, boss="mummy"), "one boss"),
        (lambda: position(4, faceup="UUUUU"), "no floor card UUUUU"),
        (lambda: position([Place(coins=21), Place(), Place()]), "seat 0 cannot have 21 coins"),
        (lambda: position([Place(), Place(wounds=-1), Place()]), "seat 1 cannot have 0 coins and -1 wounds"),
        (lambda: position([Place(items={"rope": 1}), Place(), Place()]), "cannot hold {'rope': 1}"),
        (lambda: position([Place(items={"key": 4}), Place(items={"key": 3}), Place()]), "7 key in hands: there are 6"),
        (lambda: position([Place(hand="1234"), Place(), Place()]), "seat 0 cannot hold 1234 after no room"),
        (lambda: position([Place(hand="21"), Place(), Place()], place=4), "seat 0 cannot hold 21"),
        (lambda: position([Place(hand="123"), Place(), Place()], place=2), "seat 0 cannot hold 123 after"),
        (lambda: position([Place(hand="12345"), Place(), Place()], place=2, rooms={1: "lava"}), "after trap"),
        (lambda: position([Place(character="bard"), Place(), Place()]), "seat 0 cannot be bard"),
        (lambda: position([Place(character="thief"), Place(character="thief"), Place()]), "cannot be thief"),
        (lambda: position(1), "no second edition for 1"),
        (lambda: position(6, edition="first"), "no first edition for 6"),
        (lambda: position(3, edition="first", faceup="UDU"), "no floor UDU"),
        (lambda: position(3, edition="first", boss="golem"), "no boss golem"),
        (lambda: position(1, edition="first", rooms="armoury"), "no armoury in place 1"),
        (lambda: position(1, edition="first", strengths=[5, 5, 5]), "no strengths 5, 5, 5"),
        (lambda: position([Place(wounds=10, items={"key": 1}), Place(), Place()], edition="first"), "seat 0 is dead"),
        (lambda: position([Place(lit=(3,)), Place(), Place()], faceup="UDUDD"), "seat 0 cannot have lit [3]"),
    ],
)
def test_what_there_cannot_be_is_refused(wrong: Callable[[], Any], says: str) -> None:
    with pytest.raises(ValueError) as refused:
        wrong()
    assert says in str(refused.value)
