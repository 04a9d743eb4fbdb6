"""Positions by names, and from a file."""

import msgspec
import pytest

from engine.games.tomb import game
from engine.games.tomb.positions import Board, PileOf, Setting, position, position_of_file, set_up
from engine.testing import play_defaults, table_at
from tests.engine.games.tomb.test_whole_games import sound


def test_a_position_has_what_is_named_and_is_completed_by_the_rest() -> None:
    g = position(
        Board(food=3, helpers=("monk",), camp=("crane",), chests=("chest_01",), used=("chest_02",)),
        Board(glory=7),
        rooms={"c11": ("sawmill", 1)},
        paws={"9": 0, "c24": 0, "4": 1},
        rooms_pile=PileOf(market=("arsenal",), deck=("portal",), discard=("kitchen",)),
        secret=("8",),
        turned={"9": 1},
        active=1,
        turn=6,
    )
    sound(g)
    assert g.rooms_market.shown[0] == "arsenal" and g.rooms_market.deck[0] == "portal"
    assert g.rooms_market.discard == ["kitchen"] and g.players[1].tokens == 6 and g.players[0].paws == 3
    table = table_at(game, g, 2)
    assert table.waits == [1] and table.state.turn == 7
    while not table.over:
        play_defaults(table)


def test_a_position_is_read_from_a_file() -> None:
    text = b"""{"boards": [{"food": 4, "torch": 5, "pickaxe": 4, "helpers": ["builder"]}, {}, {}],
        "rooms": {"c12": ["crane", 1]}, "paws": {"14": 0, "c12": 0}, "active": 0, "removing": true,
        "rooms_pile": {"market": ["living_fire", "sphinx", "arsenal"]}}"""
    fields = msgspec.json.decode(text)
    g = position_of_file(fields, 3)
    sound(g)
    assert g.players[0].goods == [4, 5, 4, 1, 0] and g.rooms["c12"].card == "crane"
    assert msgspec.json.encode(set_up(msgspec.json.decode(text, type=Setting))) == msgspec.json.encode(g)
    assert len(position_of_file({}, 3).players) == 3
    for wrong, message in (
        (fields, "3 boards, not 2"),
        ({"boarts": []}, "boarts"),
        ({"boards": [{"food": "4"}, {}]}, "Expected `int`"),
    ):
        with pytest.raises(ValueError, match=message):
            position_of_file(wrong, 2)


IMPOSSIBLE = {
    "1 boards": {"boards": [Board()]},
    "no cell c51": {"rooms": {"c51": ("sawmill", 0)}},
    "no room foreman": {"rooms": {"c11": ("foreman", 0)}},
    "sawmill is there 2 times": {"rooms": {"c11": ("sawmill", 0), "c12": ("sawmill", 0)}},
    "no paw of seat 0 on 15": {"paws": {"15": 0}},
    "there is no seat 2": {"paws": {"9": 2}},
    "there is no seat -1": {"rooms": {"c11": ("sawmill", -1)}},
    "there is no seat 3": {"active": 3},
    "no game goes on after the end by 'turns'": {"ended": "turns"},
    "seat 0 has triggered the end": {"ended": "glory", "trigger": 0},
    "no chest on c11: a room or a paw is there": {"paws": {"c11": 0}, "chests": {"c11": "chest_01"}},
    "too many paws": {"paws": {f"c1{n}": 0 for n in range(1, 5)} | {"1": 0, "2": 0}},
    "seat 0 cannot have": {"boards": [Board(food=10), Board()]},
    "no card crone": {"boards": [Board(camp=("crone",)), Board()]},
    "no such chest": {"chests": {"c11": "chest_21"}},
    "6 are in the game": {"factions": ("rats", "pacas", "beavers", "squirrels", "lemmings", "jerboas", "viscachas")},
    "entrance 13 has no reverse": {"secret": ("13",)},
    "entrances: each of": {"entrances": {"2": "3"}},
}


@pytest.mark.parametrize("fault", IMPOSSIBLE)
def test_an_impossible_position_is_refused_in_words(fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        set_up(Setting(**IMPOSSIBLE[fault]))  # type: ignore[arg-type]
