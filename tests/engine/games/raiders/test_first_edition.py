"""The first edition for three to five: its deck, its traps, death at ten wounds, quick play. R-1 to R-5, R-27, R-43,
R-71, R-81, R-84, and the rulebook's examples 3 to 5."""

from collections import Counter
from collections.abc import Sequence

import pytest
from msgspec import UNSET

from engine.chance import Chance
from engine.games.raiders import facts, game
from engine.games.raiders.cards import decks
from engine.games.raiders.ending import final_scoring
from engine.games.raiders.facts import HALF, Purse
from engine.games.raiders.modes import mode_of
from engine.games.raiders.positions import Place
from engine.games.raiders.rules import AfterBall, PlayInTurn, PlaySealed, Raiders, setup
from engine.steps import Event, Result
from tests.engine.games.raiders.sitting import (
    NO_ITEMS,
    coins,
    done,
    fight,
    first,
    lay,
    only,
    out,
    raider,
    trapped,
    wounds,
)

DECK = decks()["first"]


def fresh(seats: int = 4, seed: int = 0, play: str = "open") -> Raiders:
    return setup(seats, {"edition": "first", "play": play}, Chance(f"{seed:064x}"))


# Setup --------------------------------------------------------------------------------------------------------------


def test_the_printed_rooms_of_the_first_edition() -> None:
    kinds: Counter[str] = Counter(DECK.facts[4][room].kind for room in DECK.rooms)
    assert kinds == {"monster": 10, "treasure": 10, "vault": 5, "trap": 5}
    copies = Counter(DECK.rooms)
    monsters = {"snake": 1, "zombie": 1, "goblin": 2, "skeleton": 1, "gelatinous_cube": 1, "troll": 2, "dragon": 2}
    assert {name: copies[name] for name in monsters} == monsters
    assert {name: copies[name] for name in ("magnet", "boulder", "spikes", "lava")} == {
        "magnet": 2, "boulder": 1, "spikes": 1, "lava": 1,
    }  # fmt: skip
    assert copies["armoury"] == 3 and copies["hoard"] == 2
    second = decks()["second"]
    for name in set(copies) - {"magnet", "boulder", "spikes", "lava"}:
        assert DECK.facts[5][name] == second.facts[5][name]
    assert not DECK.bosses


def test_r1_five_of_the_30_rooms_leave_unseen_and_there_is_no_boss() -> None:
    for seed in range(50):
        g = fresh(seed=seed)
        assert len(g.deck) == 25 and len(g.away) == 5
        assert Counter(g.deck + g.away) == Counter(DECK.rooms)


def test_r3_five_items_of_each_kind() -> None:
    assert fresh(5).supply == {"torch": 4, "ball": 3, "key": 4, "sword": 4}


def test_r4_exactly_12_of_the_25_rooms_lie_face_up() -> None:
    counts, places = set(), Counter[int]()
    for seed in range(300):
        floors = fresh(seed=seed).floors
        assert [len(floor) for floor in floors] == [5] * 5
        marks = "".join(floors)
        assert marks.count("U") == 12
        counts.add(floors[0].count("U"))
        places.update(i for i, mark in enumerate(marks) if mark == "U")
    assert counts >= {0, 1, 2, 3, 4} and min(places.values()) > 90, "any room may be one of them"


def test_r5_open_play_is_the_default_and_has_a_first_player() -> None:
    assert game.choose_options({"edition": "first"}, 4) == {"edition": "first", "play": "open"}
    assert game.choose_options({}, 4) == {"edition": "second", "play": "sealed"}
    assert {fresh(seed=seed).first for seed in range(40)} == {0, 1, 2, 3}


def test_example_5_the_wizard() -> None:
    for seed in range(30):
        g = fresh(5, seed)
        wizard = next(hero for hero in g.raiders if hero.character == "wizard")
        assert (wizard.coins, wizard.wounds) == (1, 1)
        assert wizard.items == {**NO_ITEMS, "ball": 2} and wizard.hand == ["1", "2", "3", "4", "5"]


# Choosing -----------------------------------------------------------------------------------------------------------


def test_r27_quick_play_is_sealed_with_balls_after_and_no_first_player() -> None:
    g = fresh(play="sealed")
    assert g.first is None
    table = first("dragon", [raider(ball=1), raider(), raider()], play="sealed")
    assert isinstance(table.ask, PlaySealed) and table.waits == [0, 1, 2]
    lay(table, "ball", "4", "2")
    assert isinstance(table.ask, AfterBall) and table.waits == [0]
    room = done(table, "5")
    assert room.plays == (5, 4, 2) and room.first is None


@pytest.mark.parametrize("play", ["sealed", "open"])
def test_r28_time_that_runs_out_uses_up_no_item(play: str) -> None:
    for room in ("troll", "armoury", "lava"):
        table = first(room, [raider(torch=1, ball=2, key=1, sword=1), raider(), raider()], play=play, first=0)
        assert table.anytime(0) == ["torch"] and "ball" in table.moves(0)
        assert table.frugal(0) == ["1", "2", "3", "4", "5"]
    lay(table, "ball", "1", "1")
    assert table.waits == [0] and table.frugal(0) == ["1", "2", "3", "4", "5"]


def test_r21_open_from_the_first_player_clockwise() -> None:
    table = first("dragon", play="open", first=2)
    assert isinstance(table.ask, PlayInTurn) and table.shared().public.order == (2, 3, 0, 1)
    assert done(table, "1", "2", "3", "4").plays == (3, 4, 1, 2)


# Traps --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("highest", "harm"), [(5, 3), (4, 2), (3, 1), (2, 0), (1, 0)])
def test_magnet_and_boulder_of_the_first_edition(highest: int, harm: int) -> None:
    raiders = [raider(9, 5), raider(9, 2), raider(7, 2), raider(0, 8)]
    room = done(first("magnet", raiders), "1", str(highest), "1", "1")
    assert coins(room) == [-harm, -harm, 0, 0] and wounds(room) == [0] * 4
    assert trapped(room) == facts.Trapped(highest, "richest", "coins", harm, (0, 1))
    room = done(first("boulder", raiders), "1", str(highest), "1", "1")
    assert wounds(room) == [0, harm, harm, 0] and coins(room) == [0] * 4
    assert trapped(room) == facts.Trapped(highest, "least_wounded", "wounds", harm, (1, 2))


@pytest.mark.parametrize(("lowest", "harm"), [(5, 0), (4, 0), (3, 1), (2, 2)])
def test_lava_and_spikes_of_the_first_edition_take_from_everyone_by_the_lowest(lowest: int, harm: int) -> None:
    raiders = [raider(9, 5), raider(1, 2), raider(0, 0)]
    cards = ["5", str(lowest), "5"]
    room = done(first("lava", raiders), *cards)
    assert coins(room) == [-harm, -min(harm, 1), 0] and wounds(room) == [0] * 3
    assert trapped(room) == facts.Trapped(lowest, "everyone", "coins", harm, (0, 1, 2))
    room = done(first("spikes", raiders), *cards)
    assert wounds(room) == [harm] * 3 and coins(room) == [0] * 3
    assert trapped(room) == facts.Trapped(lowest, "everyone", "wounds", harm, (0, 1, 2))


def test_example_3_lava_with_a_lowest_card_of_1() -> None:
    room = done(first("lava", [raider(5), raider(4), raider(1), raider(0)]), *"1555")
    assert coins(room) == [-2, -2, 0, 0]
    assert trapped(room).harm == HALF


def test_example_4_spikes_with_a_lowest_card_of_1() -> None:
    room = done(first("spikes", [raider(wounds=3), raider(wounds=0), raider(wounds=8), raider(wounds=9)]), *"1555")
    assert wounds(room) == [3, 5, 1, 0]


def test_r56_a_lowest_card_counts_whoever_played_it() -> None:
    for cards in ("155", "515", "551"):
        assert coins(done(first("lava", [raider(8), raider(8), raider(8)]), *cards)) == [-4, -4, -4]


# Death --------------------------------------------------------------------------------------------------------------


def dying(**items: int) -> list[Place]:
    """The first of them is dead after a dragon's attack."""
    return [raider(9, 8, **items), raider(5, 2), raider(5, 2)]


def test_r84_ten_wounds_are_death_at_once() -> None:
    table = first("dragon", dying())
    room = done(table, "1", "2", "3")
    assert room.after[0].wounds == 11 and out(room) == [0] and room.died == (0,)
    assert not table.shared().public.raiders[0].alive
    table = first("zombie", [raider(9, 9), raider(), raider()])
    assert done(table, "1", "2", "3").died == (0,), "exactly ten"
    room = done(first("zombie", [raider(9, 8), raider(), raider()]), "1", "2", "3")
    assert out(room) == [] and room.died is UNSET, "nine"


def test_r84_the_items_of_the_dead_go_back_to_the_supply() -> None:
    room = done(first("dragon", dying(torch=1, ball=2, key=3)), "1", "2", "3")
    assert room.before[0].items == {"torch": 1, "ball": 2, "key": 3, "sword": 0}
    assert room.after[0].items == NO_ITEMS and room.supply_after == dict.fromkeys(facts.ITEMS, 5)


def test_r84_a_sword_used_by_one_who_dies_goes_back_once() -> None:
    room = done(first("dragon", [raider(9, 8, sword=2), *[raider(5, 9)] * 4]), "sword", *"5555")
    assert fight(room).beaten and room.supply_after["sword"] == 4 and room.after[0].items["sword"] == 1
    lone = [Place(wounds=8, items={"sword": 2}), Place(wounds=10), Place(wounds=10)]
    table = first("dragon", lone)
    told = lay(table, "sword")
    room = only(told, facts.Room)
    assert room.died == (0,) and room.before[0].items["sword"] == 2
    assert room.after[0].items == NO_ITEMS and room.supply_after["sword"] == 5
    assert only(told, Result).winners == ()


def test_r84_several_can_die_together() -> None:
    room = done(first("dragon", [raider(9, 8), raider(9, 7), raider(9, 6), raider()]), *"1115")
    assert room.died == (0, 1) and wounds(room) == [3, 3, 3, 0]


def test_r43_dead_heroes_play_no_card() -> None:
    table = first({1: "dragon", 2: "lava"}, dying(ball=1), play="open", first=0)
    lay(table, "1", "2", "3")
    assert table.shared().public.order == (2, 1) and table.waits == [2]
    assert table.moves(0) == [] and table.anytime(0) == []
    room = done(table, "4", "5")
    assert room.plays == (None, 5, 4)
    sealed = first({1: "dragon", 2: "lava"}, dying(), play="sealed")
    lay(sealed, "1", "2", "3")
    assert sealed.waits == [1, 2]
    assert sealed.shared().public.raiders[0].hand == ()


def test_r43_a_dead_hero_lights_no_torch() -> None:
    table = first({1: "dragon"}, [raider(9, 8), raider(torch=1), raider()], faceup="UDUDD")
    lay(table, "1", "2", "3")
    assert table.anytime(0) == [] and table.anytime(1) == ["torch"]


def test_r43_no_trap_compares_or_touches_them() -> None:
    richest = [Place(coins=20, wounds=10), raider(5, 3), raider(4, 2), raider(3, 9)]
    room = done(first("magnet", richest), *"511")
    assert coins(room) == [0, -3, 0, 0]
    room = done(first("boulder", [Place(coins=0, wounds=10), *richest[1:]]), *"511")
    assert wounds(room) == [0, 0, 3, 0]
    room = done(first("lava", richest), *"222")
    assert coins(room) == [0, -2, -2, -2] and trapped(room).hit == (1, 2, 3)
    room = done(first("spikes", richest), *"122")
    assert wounds(room) == [0, 3, 4, 0]


def test_r43_the_strength_stays_that_of_the_starting_number() -> None:
    room = done(first("dragon", [Place(wounds=12), raider(), raider(), raider()]), *"555")
    assert (fight(room).strength, fight(room).total, fight(room).beaten) == (18, 15, False)
    assert fight(room).hit == (1, 2, 3)


def test_r84_a_lone_survivor_plays_on() -> None:
    heroes = [Place(wounds=8), Place(wounds=7), Place(coins=5, wounds=2)]
    table = first({3: "dragon", 4: "treasure_4", 5: "zombie"}, heroes, floor=5, place=3)
    assert done(table, "3", "3", "4").died == (0, 1)
    assert not table.over and table.waits == [2]
    assert coins(done(table, "3")) == [0, 0, 4]
    told = lay(table, "5")
    assert not fight(only(told, facts.Room)).beaten and wounds(only(told, facts.Room)) == [0, 0, 1]
    result = only(told, Result)
    assert result.winners == (2,) and result.standings[0].why == "survivor"


def test_r84_the_table_ends_early_only_when_nobody_is_left() -> None:
    told = lay(first({1: "dragon"}, [raider(9, 8), raider(5, 7), raider(8, 9)]), *"111")
    assert only(told, facts.Room).died == (0, 1, 2)
    result = only(told, Result)
    assert result.winners == () and {s.why for s in result.standings} == {"dead"}


def test_an_early_end_leaves_the_rooms_that_nobody_entered() -> None:
    table = first({1: "dragon"}, [raider(9, 8), raider(5, 7), raider(8, 9)], faceup="UDUDD")
    lay(table, *"111")
    assert [room.state for room in table.shared().public.rooms] == ["done", "dark", "light", "dark", "dark"]


def test_r71_if_the_next_first_player_died_the_next_living_seat_clockwise() -> None:
    raiders = [raider(), raider(), raider(wounds=9), raider(wounds=9)]
    table = first({1: "spikes", 2: "lava"}, raiders, play="open", first=0)
    room = done(table, "3", "4", "5", "4")  # everyone takes a wound: seats 2 and 3 die
    assert room.died == (2, 3) and room.first == 0
    assert table.waits == [0] and table.shared().public.order == (0, 1)


# The end ------------------------------------------------------------------------------------------------------------


def score(*purses: tuple[int, int]) -> Result:
    found = [Purse(coins, wounds, wounds < 10, NO_ITEMS) for coins, wounds in purses]
    return final_scoring(mode_of("first", len(purses)), found)


def whys(result: Result) -> Sequence[tuple[int, int, str]]:
    return [(standing.seat, standing.place, standing.why) for standing in result.standings]


def test_r81_whoever_has_the_most_wounds_is_out_ties_included() -> None:
    assert whys(score((20, 7), (19, 7), (5, 6))) == [(2, 1, "survivor"), (0, 2, "most_wounds"), (1, 2, "most_wounds")]
    assert score((20, 7), (19, 6), (5, 6)).winners == (1,)
    assert score((20, 7), (19, 7), (5, 6), (6, 1), (7, 0)).winners == (4,)


def test_r81_everyone_equal_nobody_is_out() -> None:
    assert score((3, 7), (4, 7), (5, 7)).winners == (2,)


def test_r81_one_survivor_wins_outright() -> None:
    assert whys(score((0, 9), (19, 10), (5, 12))) == [(0, 1, "survivor"), (1, 2, "dead"), (2, 2, "dead")]


def test_r81_no_survivor_nobody_wins() -> None:
    assert score((3, 10), (4, 11), (5, 12)).winners == ()


def test_r81_the_dead_are_not_compared() -> None:
    result = score((20, 12), (10, 5), (8, 4), (7, 4))
    assert whys(result) == [(2, 1, "most_coins"), (3, 2, "coins"), (0, 3, "dead"), (1, 3, "most_wounds")]
    assert score((20, 12), (10, 5), (8, 5), (7, 5)).winners == (1,), "all who live are equal"


def test_r81_the_last_room_is_an_ordinary_one() -> None:
    hands = [Place(coins=9, wounds=6, hand="1"), Place(coins=5, wounds=3, hand="2"), Place(coins=4, hand="3")]
    told: list[Event] = lay(first("troll", hands, floor=5, place=5), "1", "2", "3")
    result = only(told, Result)
    assert result.winners == (1,) and result.standings[-1].why == "most_wounds"
