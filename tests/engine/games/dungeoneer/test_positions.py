"""Any position can be set up, also from the plain data of a file; impossible ones are refused."""

from typing import Any

import msgspec
import pytest

from engine.games.dungeoneer import position
from engine.games.dungeoneer.positions import position_from
from tests.engine.games.dungeoneer.sitting import asks, at_state, hero, sit, state

FILE = b"""{
 "players": [{"hero": "grog", "at": "arsenal", "glory": 3, "peril": 1, "hand": ["banish"],
   "treasures": ["chain_shirt"], "ap": 2},
             {"hero": "tikk", "peril": 4, "lair": [{"card": "mutant_rat", "tucked": ["bloodlust"]}],
   "curses": ["weakness"]}],
 "map": {"entrance": [0, 0], "crossroads": [0, -1], "arsenal": [1, 0, 180]},
 "tokens": {"arsenal": "deactivation"}, "active": 1, "phase": "villainy", "round": 3, "common": ["blood_price"],
 "next_locations": ["library"], "next_cards": ["parry"], "discarded": ["ramalit"], "dice": [6, 1],
 "dropped": {"lost_pilgrim": "crossroads"}
}"""


def test_a_position_from_a_file() -> None:
    g = position_from(msgspec.json.decode(FILE), 2)
    assert (g.delvers[0].at, g.delvers[0].ap, g.delvers[0].treasures[0].card) == ("arsenal", 2, "chain_shirt")
    assert g.delvers[1].lair[0].tucked == ["bloodlust"] and g.delvers[1].ap == 3
    assert g.unlaid[0] == "library" and g.decks["adventure"][0] == "parry" and g.discards["adventure"] == ["ramalit"]
    assert g.dice == [6, 1] and g.round == 3 and g.dropped[0].at == "crossroads" and g.spots["arsenal"].silenced
    assert len(g.decks["adventure"]) == 60 - 6
    assert asks(at_state(g)) == "Villainy"


def test_what_is_not_given_is_filled_in() -> None:
    g = position()
    assert len(g.delvers) == 2 and g.delvers[0].hero != g.delvers[1].hero and len(g.decks["adventure"]) == 60
    assert len(g.quests) == 14 and len(g.unlaid) == 17


def test_dice_to_come_are_used_before_chance() -> None:
    table = sit({"ap": 2, "hero": "grog"}, {}, map={"entrance": (0, 0), "bone_tunnel": (1, 0)}, dice=[6])
    table.play(0, "move e", table.round, "00" * 16)
    assert hero(table).hp == 6 and state(table).dice == []


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"players": [{"hand": ["banish", "banish"]}, {}]}, "too many banish"),
        ({"players": [{"hand": ["spoon"]}, {}]}, "spoon"),
        ({"players": [{"shoes": 2}, {}]}, "there is no shoes"),
        ({"players": [{"hp": "many"}, {}]}, "player 0"),
        ({"players": [{"at": "arsenal"}, {}]}, "not on the map"),
        ({"players": [{"escorts": ["lost_pilgrim"]}, {}]}, "does not have lost_pilgrim"),
        ({"map": {"entrance": [0, 0], "arsenal": [5, 5]}}, "no way to the entrance: arsenal"),
        ({"map": {"entrance": [0, 0], "attic": [0, 1]}}, "there is no attic"),
        ({"common": ["blood_price", "blood_price"]}, "2 x blood_price"),
        ({"phase": "lunch"}, "there is no phase lunch"),
        ({"weather": "bad"}, "weather"),
        ({"players": [{}, {}, {}]}, "3 players, not 2"),
    ],
)
def test_impossible_positions_are_refused(fields: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        position_from(fields, 2)
