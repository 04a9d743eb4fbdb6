"""Setting up, laying floors, entering rooms, torches: R-1 to R-12, and the facts about a whole floor."""

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from engine.chance import Chance
from engine.games.raiders import facts, game
from engine.games.raiders.cards import decks
from engine.games.raiders.positions import Place
from engine.games.raiders.rules import Raiders, setup
from engine.move_error import MoveError
from engine.steps import Event
from engine.table import Table
from engine.testing import deal, new_table, play_at_random
from tests.engine.games.raiders.sitting import at, before_boss, lay, light, only, raider

DECK = decks()["second"]


def fresh(seats: int = 4, seed: int = 0, play: str = "sealed") -> Raiders:
    return setup(seats, {"edition": "second", "play": play}, Chance(f"{seed:064x}"))


def whole_game(seed: int, play: str = "sealed") -> list[Event]:
    table, events = Table.begin(game, 4, deal(4, seed), {"play": play})
    for more in play_at_random(table, Random(seed)):
        events += more
    return events


def test_r1_24_of_the_30_rooms_and_an_unseen_boss_below_them() -> None:
    for seed in range(50):
        g = fresh(seed=seed)
        assert Counter(g.deck[:24] + g.away) == Counter(DECK.rooms)
        assert len(g.away) == 6
        assert g.deck[24] in DECK.bosses and len(g.deck) == 25


def test_r1_every_room_may_be_away_and_every_boss_may_be_drawn() -> None:
    games = [fresh(seed=seed) for seed in range(200)]
    assert {room for g in games for room in g.away} == set(DECK.rooms)
    assert {g.deck[24] for g in games} == set(DECK.bosses)
    assert len(DECK.bosses) == 10


def test_r2_each_gets_another_character_its_coins_wounds_and_items_and_power_cards_1_to_5() -> None:
    printed = {
        "warrior": (2, 0, []),
        "knight": (1, 1, ["sword"]),
        "wizard": (1, 1, ["ball", "ball"]),
        "thief": (2, 2, ["key"]),
        "explorer": (3, 2, ["torch"]),
    }
    met = set()
    for seed in range(50):
        g = fresh(5, seed)
        assert len({hero.character for hero in g.raiders}) == 5
        for hero in g.raiders:
            items = [item for item in facts.ITEMS for _ in range(hero.items[item])]
            assert (hero.coins, hero.wounds, items) == printed[hero.character]
            assert hero.hand == ["1", "2", "3", "4", "5"]
        met.add(g.raiders[0].character)
    assert met == set(printed)


def test_r3_what_a_character_starts_with_comes_out_of_the_piles() -> None:
    assert fresh(5).supply == {"torch": 5, "ball": 4, "key": 5, "sword": 5}
    for seed in range(20):
        g = fresh(3, seed)
        for item in facts.ITEMS:
            assert g.supply[item] + sum(hero.items[item] for hero in g.raiders) == 6


def test_r4_five_of_the_seven_floor_cards_shuffled() -> None:
    orders = set()
    for seed in range(50):
        g = fresh(seed=seed)
        assert sorted(g.floors) == sorted(DECK.floors) and len(g.floors) == 7
        orders.add(tuple(g.floors[:5]))
    assert len(orders) > 45
    laid = [event for event in whole_game(3) if isinstance(event, facts.Floor)]
    patterns = ["".join("D" if room is None else "U" for room in floor.rooms) for floor in laid]
    assert len(patterns) == 5 and not Counter(patterns) - Counter(DECK.floors)


def test_r5_open_play_has_a_random_first_player_and_sealed_play_none() -> None:
    assert {fresh(seed=seed, play="open").first for seed in range(40)} == {0, 1, 2, 3}
    assert fresh().first is None
    told = only(whole_game(1, "open"), facts.Heroes)
    assert told.first in range(4)
    assert only(whole_game(1), facts.Heroes).first is None


def test_r10_five_rooms_left_to_right_and_the_floor_card_says_which_are_light() -> None:
    table = new_table(game, 4)
    g = table.state
    pattern = g.floors[0]
    seen = table.shared().public.rooms
    assert [room.place for room in seen] == [1, 2, 3, 4, 5]
    for room, mark, name in zip(seen[1:], pattern[1:], g.rooms[1:], strict=True):
        assert room.state == ("light" if mark == "U" else "dark")
        assert room.room == (g.deck_facts[name] if mark == "U" else None)


@pytest.mark.parametrize(("card", "shown"), [("UDUDD", False), ("UDDDU", True)])
def test_r10_the_boss_lies_light_or_dark_as_the_card_says(card: str, shown: bool) -> None:
    table = at({}, floor=5, place=1, faceup=card, boss="medusa")
    last = table.shared().public.rooms[4]
    assert last.state == ("light" if shown else "dark")
    assert (last.room is not None and last.room.name == "medusa") is shown


def test_r11_enter_turn_up_play_resolve_remove() -> None:
    table = at({1: "dragon", 2: "lava"}, faceup="UDDUD")
    told = lay(table, "4", "4", "3", "2")
    assert [type(event).__name__ for event in told] == ["Revealed", "Cards", "Room", "Enter"]
    assert only(told, facts.Enter) == facts.Enter(1, 2, table.state.deck_facts["lava"], faceup=False)
    states = [room.state for room in table.shared().public.rooms]
    assert states == ["done", "now", "dark", "light", "dark"]


def test_r11_played_cards_stay_in_view_until_the_floor_ends_and_then_go_back_to_hand() -> None:
    table = at({1: "treasure_4", 2: "dragon"}, [raider(key=1), raider(), raider()])
    lay(table, "key", "2", "3")
    lay(table, "4", "5", "1")
    raiders = table.shared().public.raiders
    assert [r.played for r in raiders] == [("key", "4"), ("2", "5"), ("3", "1")]
    assert [r.hand for r in raiders] == [("1", "2", "3", "5"), ("1", "3", "4"), ("2", "4", "5")]
    for _ in range(3):
        lay(table, *[table.moves(seat)[0] for seat in range(3)])
    assert table.state.floor == 2
    assert all(r.played == () and r.hand == ("1", "2", "3", "4", "5") for r in table.shared().public.raiders)


def test_r12_a_torch_shows_its_owner_every_dark_room_of_the_floor_and_nobody_else() -> None:
    table = at({}, [raider(torch=2), raider(torch=1), raider(), raider()], faceup="UDUDD")
    rooms = table.state.rooms
    before = table.shared().public
    told = light(table, 0)
    assert only(told, facts.Torch) == facts.Torch(0)
    assert {place: room.name for place, room in table.own(0).private.lit.items()} == {
        place: table.state.deck_facts[rooms[place - 1]].name for place in (2, 4, 5)
    }
    assert table.own(1).private.lit == {} and table.own(3).private.lit == {}
    after = table.shared().public
    assert after.rooms == before.rooms
    assert after.supply["torch"] == before.supply["torch"] + 1
    assert after.raiders[0].items["torch"] == 1


def test_r12_any_time_also_after_ones_own_card_is_down_and_several_may() -> None:
    table = at({}, [raider(torch=1), raider(torch=1), raider(), raider()], faceup="UDUDD")
    lay(table, "3")
    assert table.own(0).ready
    light(table, 0)
    assert table.own(0).ready and set(table.own(0).private.lit) == {2, 4, 5}
    light(table, 1)
    assert set(table.own(1).private.lit) == {2, 4, 5}
    assert not table.own(1).ready


def test_r12_in_open_play_too_before_and_after_ones_turn() -> None:
    table = at({}, [raider(torch=1), raider(), raider(torch=1)], faceup="UDUDD", play="open", first=0)
    assert table.waits == [0]
    light(table, 2)
    lay(table, "3")
    light(table, 0)
    assert set(table.own(0).private.lit) == set(table.own(2).private.lit) == {2, 4, 5}


def test_r12_what_was_seen_stays_for_the_rest_of_the_floor() -> None:
    table = at({}, [raider(torch=1), raider(), raider()], faceup="UDUDD")
    light(table, 0)
    lay(table, "1", "1", "1")
    assert set(table.own(0).private.lit) == {4, 5}, "room 2 has been turned up for all"
    while table.state.floor == 1:
        lay(table, *[table.moves(seat)[0] for seat in table.waits])
    assert table.own(0).private.lit == {}


def test_r12_with_no_dark_room_left_it_may_not_be_played() -> None:
    table = at({}, [raider(torch=1), raider(), raider()], faceup="UUDUD", place=5)
    assert table.anytime(0) == []
    with pytest.raises(MoveError, match="not_legal"):
        light(table, 0)
    table = at({}, [raider(torch=1), raider(), raider()], faceup="UUDUD", place=4)
    assert table.anytime(0) == ["torch"] and table.anytime(1) == []


def test_r12_a_dark_boss_is_seen_like_any_dark_room() -> None:
    table = at({}, [raider(torch=1), raider(), raider()], floor=5, boss="golem", faceup="UUDUD")
    light(table, 0)
    assert table.own(0).private.lit[5].name == "golem"


def test_r12_before_the_wolf_pack_a_torch_is_a_card_not_an_any_time_move() -> None:
    table = before_boss("wolf_pack", [raider(torch=1), raider(), raider()])
    assert table.anytime(0) == []
    assert "flee" in table.moves(0) and "flee" not in table.moves(1)


def test_r26_a_floor_has_five_rooms_and_a_hand_five_power_cards() -> None:
    for place in range(1, 6):
        table = at({}, [Place() for _ in range(3)], place=place)
        for seat in range(3):
            assert len(table.moves(seat)) == 6 - place


def test_the_printed_rooms_of_the_second_edition() -> None:
    by_kind: Counter[str] = Counter(DECK.facts[4][room].kind for room in DECK.rooms)
    assert by_kind == {"monster": 11, "treasure": 10, "vault": 5, "trap": 4}
    copies = Counter(DECK.rooms)
    monsters: Mapping[str, tuple[int, tuple[int, int, int], int]] = {
        "snake": (1, (8, 10, 13), 3),
        "zombie": (2, (11, 14, 18), 1),
        "goblin": (2, (11, 14, 18), 2),
        "skeleton": (1, (11, 14, 18), 3),
        "gelatinous_cube": (1, (14, 18, 23), 1),
        "troll": (2, (14, 18, 23), 2),
        "dragon": (2, (14, 18, 23), 3),
    }
    for name, (number, strength, harm) in monsters.items():
        assert copies[name] == number
        for players in (3, 4, 5):
            room = DECK.facts[players][name]
            assert (room.strength, room.wounds) == (strength[players - 3], harm)
    chests = sorted(chests for room in DECK.rooms if (chests := DECK.facts[3][room].chests))
    assert chests == sorted([(1,), (2,), (3,), (4,), (2, 1), (2, 1), (3, 2), (3, 2), (4, 2), (4, 2)])
