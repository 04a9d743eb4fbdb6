"""One plays the first edition alone: R-95 to R-99."""

from collections import Counter

import pytest
from msgspec import UNSET

from engine.chance import Chance
from engine.games.raiders import facts, game
from engine.games.raiders.cards import decks
from engine.games.raiders.facts import Share
from engine.games.raiders.positions import Place
from engine.games.raiders.rules import Raiders, setup
from engine.steps import Event, Result
from engine.table import Table
from engine.testing import deal, new_table
from tests.engine.games.raiders.sitting import (
    NO_ITEMS,
    coins,
    done,
    fight,
    first,
    lay,
    only,
    raider,
    state_of,
    trapped,
    wounds,
)

DECK = decks()["first"].solo
STRENGTHS = [3, 3, 3, 3, 4, 4, 4, 4, 5, 5]


def fresh(seed: int = 0, difficulty: str = "2") -> Raiders:
    return setup(1, {"edition": "first", "difficulty": difficulty}, Chance(f"{seed:064x}"))


def test_one_chooses_only_how_difficult_it_is() -> None:
    assert game.choose_options({}, 1) == {"edition": "first", "difficulty": "2"}
    assert game.choose_options({"edition": "second", "play": "open", "difficulty": "5"}, 1) == {
        "edition": "first", "difficulty": "5",
    }  # fmt: skip
    assert "difficulty" not in game.choose_options({"difficulty": "5"}, 3)
    public = new_table(game, 1).shared().public
    assert (public.mode, public.first, public.order) == ("solo", None, ())


def test_r95_no_items_and_25_rooms_without_the_vaults_that_hold_some() -> None:
    assert DECK is not None
    assert Counter(decks()["first"].rooms) - Counter(DECK.rooms) == {"armoury": 3}
    away = set()
    for seed in range(60):
        g = fresh(seed)
        assert len(g.deck) == 25 and len(g.away) == 2
        assert Counter(g.deck + g.away) == Counter(DECK.rooms)
        assert g.supply == NO_ITEMS and g.raiders[0].items == NO_ITEMS
        away.update(g.away)
    assert len(away) > 15


@pytest.mark.parametrize("difficulty", ["2", "3", "4", "5"])
def test_r96_two_coins_no_items_and_wounds_as_difficult_as_chosen_whoever_one_is(difficulty: str) -> None:
    met = set()
    for seed in range(40):
        (hero,) = fresh(seed, difficulty).raiders
        assert (hero.coins, hero.wounds, hero.items) == (2, int(difficulty), NO_ITEMS)
        met.add(hero.character)
    assert len(met) == 5


def test_r97_the_deck_of_monster_strength() -> None:
    orders = set()
    for seed in range(40):
        g = fresh(seed)
        assert sorted(g.strengths + g.turned) == STRENGTHS
        orders.add(tuple(g.strengths))
    assert len(orders) > 30


def test_r97_the_top_card_is_turned_up_before_one_plays() -> None:
    g = state_of(first({1: "lava", 2: "dragon", 3: "treasure_1", 4: "troll"}, 1, strengths=[4, 3]))
    table = Table.at(game, g, seats=1, options={"edition": "first", "difficulty": "2"}, deal=deal(1))[0]
    public = table.shared().public
    assert public.drawn is None and public.turned == ()
    told = lay(table, "5")
    assert only(told, facts.Enter).drawn == 4 and only(told, facts.Room).drawn is UNSET
    assert table.shared().public.drawn == 4 and table.shared().public.turned == (4,)
    told = lay(table, "4")
    assert only(told, facts.Room).drawn == 4 and only(told, facts.Enter).drawn is UNSET
    assert table.shared().public.drawn is None and table.shared().public.turned == (4,), "used cards stay in view"
    lay(table, "3")
    assert table.shared().public.drawn == 3 and table.shared().public.turned == (4, 3)


@pytest.mark.parametrize(("strength", "escapes"), [(3, "45"), (4, "5"), (5, "")])
def test_r97_a_higher_value_escapes_otherwise_its_wounds(strength: int, escapes: str) -> None:
    for card in "12345":
        room = done(first("dragon", [raider(5, 2)], strengths=[strength]), card)
        assert wounds(room) == [0 if card in escapes else 3]
        assert fight(room).hit == (() if card in escapes else (0,))
        assert not fight(room).beaten and room.drawn == strength


@pytest.mark.parametrize(
    ("room", "card", "gain"),
    [
        ("treasure_4", "5", 4), ("treasure_4", "4", 0), ("treasure_1", "2", 1), ("treasure_1", "1", 0),
        ("treasure_4_2", "5", 6), ("treasure_4_2", "4", 2), ("treasure_4_2", "3", 2), ("treasure_4_2", "2", 0),
        ("treasure_3_2", "4", 5), ("treasure_2_1", "2", 1),
    ],
)  # fmt: skip
def test_r98_every_chest_with_fewer_coins_than_the_value_played_is_taken(room: str, card: str, gain: int) -> None:
    assert coins(done(first(room, [raider(5, 2)]), card)) == [gain]


def test_r98_is_told_chest_by_chest() -> None:
    room = done(first("treasure_4_2", [raider(5, 2)]), "5")
    assert room.outcome == facts.Chests((Share(5, (0,), 4, 4), Share(5, (0,), 2, 2)))
    room = done(first("treasure_4_2", [raider(5, 2)]), "3")
    assert room.outcome == facts.Chests((Share(3, (0,), 2, 2),))


def test_r99_traps_take_you_whenever_they_are_set_off() -> None:
    assert coins(done(first("magnet", [raider(5, 2)]), "5")) == [-3]
    assert wounds(done(first("boulder", [raider(5, 2)]), "4")) == [2]
    assert wounds(done(first("boulder", [raider(5, 2)]), "2")) == [0]
    assert coins(done(first("lava", [raider(25, 2)]), "1")) == [-12]
    assert wounds(done(first("spikes", [raider(5, 3)]), "1")) == [3]
    assert trapped(done(first("spikes", [raider(5, 3)]), "5")).harm == 0


def test_r99_no_limit_of_coins() -> None:
    assert coins(done(first("treasure_4_2", [raider(19, 2)]), "5")) == [6]
    assert coins(done(first("hoard", [raider(30, 2)]), "4")) == [3]


def test_r99_ten_wounds_are_a_loss_at_once() -> None:
    table = first({1: "dragon"}, [raider(25, 7)], strengths=[5])
    told = lay(table, "5")
    assert table.over and only(told, facts.Room).died == (0,)
    result = only(told, Result)
    assert result.winners == () and result.standings[0].why == "dead"
    assert result.standings[0].score == {"coins": 25, "wounds": 10}


def test_r99_no_bleeding_out_and_coins_are_the_score() -> None:
    told: list[Event] = lay(first("treasure_4_2", [Place(coins=21, wounds=9, hand="5")], floor=5, place=5), "5")
    result = only(told, Result)
    assert result.winners == (0,) and result.standings[0].why == "survivor"
    assert result.standings[0].score == {"coins": 27, "wounds": 9}


def test_the_rest_of_the_strength_deck_is_seen_by_nobody() -> None:
    table = new_table(game, 1)
    assert "strengths" not in str(table.shared()) and "strengths" not in str(table.own(0))
