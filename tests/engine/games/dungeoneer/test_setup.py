"""D-1 to D-26: what the game is made of, and how it begins; D-103 and D-109 with two decks."""

from collections import Counter
from itertools import pairwise

import pytest

from engine.games.dungeoneer import facts, game
from engine.games.dungeoneer.cards import DEACTIVATIONS, HEALTH, TRACKERS, deck
from engine.games.dungeoneer.grid import Fit
from engine.steps import Event
from engine.table import Table
from engine.testing import deal, new_table
from tests.engine.games.dungeoneer.sitting import act, do, found, hero, only, sit, state, words

DECK = deck()


def fresh(seats: int, seed: int = 1, **options: str) -> tuple[Table, list[Event]]:
    return Table.begin(game, seats, deal(seats, seed), options)


def test_d1_three_quests_win_and_so_does_the_last_hero() -> None:
    table = sit(
        {
            "completed": ["blood_price", "cage_mother"],
            "quests": ["runaway_apprentice"],
            "escorts": ["runaway_apprentice"],
        },
        {},
    )
    act(table, 0, "complete runaway_apprentice")
    assert table.over and state(table).result.winners == (0,)  # type: ignore[union-attr]


def test_d2_two_to_four_players_or_one() -> None:
    assert list(game.seats) == [1, 2, 3, 4]


def test_d3_the_cards_and_the_limited_tokens() -> None:
    assert (len(DECK.locations), len(DECK.all_adventures()), len(DECK.quests), len(DECK.heroes)) == (22, 60, 14, 6)
    kinds = Counter(DECK.adventures[name].type for name in DECK.all_adventures())
    assert kinds == {"boon": 14, "treasure": 16, "curse": 9, "monster": 15, "trap": 6}
    assert (DEACTIVATIONS, TRACKERS) == (3, 4)
    escorts = ["runaway_apprentice", "lost_pilgrim", "signal_lantern"]
    table = sit({"at": "crossroads", "quests": ["signal_lantern"]}, {"quests": escorts[:2], "escorts": escorts[:2]})
    assert "take signal_lantern" in table.moves(0)  # two of four pairs are in use


def test_d4_a_hero_card_has_values_for_four_levels_and_its_attacks() -> None:
    grog = DECK.heroes["grog"]
    assert grog.values("melee", late=False) == (3, 3, 4, 4)
    assert grog.attacks == ("melee", "speed") and (grog.boons, grog.treasures) == (3, 3)
    assert hero(sit({"hero": "grog", "level": 3}, {})).value("magic") == 2


def test_d5_six_health_are_the_most() -> None:
    table = sit({"hp": 5, "glory": 6, "hand": ["mend_flesh"] * 2}, {})
    act(table, 0, "play mend_flesh")
    assert hero(table).hp == HEALTH == 6
    assert not words(table, 0, "play mend_flesh")


def test_d6_ap_equal_speed_at_recovery_and_do_not_follow_it_later() -> None:
    table = sit({"hero": "tikk", "glory": 9, "hand": ["fleet_foot"]}, {"hero": "grog"}, phase="recovery")
    do(table, 0, "0 -2 0") if "0 -2 0" in table.moves(0) else do(table, 0, table.moves(0)[0])
    assert hero(table).ap == 3
    act(table, 0, "play fleet_foot")
    assert (hero(table).ap, hero(table).value("speed")) == (3, 4)


def test_d7_glory_and_peril_have_no_cap_and_are_never_below_0() -> None:
    g = state(sit())
    g.gain(0, "test", glory=99, peril=77)
    g.lose(0, "test", glory=120)
    assert (g.delvers[0].glory, g.delvers[0].peril) == (0, 77)


def test_d8_a_quest_names_its_places_and_its_reward() -> None:
    assert DECK.places("chainmail_golem") == ("arsenal",)
    assert DECK.places("buried_crown") == (
        "crossroads",
        "dripping_passage",
        "rubble_crawl",
        "bent_gallery",
        "rat_run",
        "gloom_tunnel",
        "weeping_tunnel",
        "bone_tunnel",
        "blind_stair",
    )


def test_d9_a_location_has_four_exits() -> None:
    doors = DECK.locations["rotating_hall"].doors
    assert [(door.kind, door.number) for door in doors] == [("open", 0), ("blocked", 5), ("open", 0), ("trap", 5)]
    assert DECK.locations["blind_stair"].doors[3].kind == "wall"


def test_d10_glory_cards_are_boons_and_treasures_the_others_are_peril_cards() -> None:
    assert {card.type for card in DECK.adventures.values() if card.glory} == {"boon", "treasure"}


def test_d11_a_card_in_hand_does_nothing() -> None:
    assert hero(sit({"hero": "grog", "hand": ["notched_sword"]}, {})).value("melee") == 3
    assert hero(sit({"hero": "grog", "treasures": ["notched_sword"]}, {})).value("melee") == 4


def test_d12_instant_cards_are_discarded_attachments_go_with_their_host() -> None:
    table = sit({"hp": 3, "glory": 9, "hand": ["mend_flesh", "whetstone"], "treasures": ["notched_sword"]}, {})
    act(table, 0, "play mend_flesh", "play whetstone notched_sword")
    assert state(table).discards["adventure"] == ["mend_flesh"]
    act(table, 0, "end", "treasure notched_sword")
    assert {"notched_sword", "whetstone"} <= set(state(table).discards["adventure"])


@pytest.mark.parametrize(
    ("phase", "card", "playable"),
    [
        ("villainy", "weakness 1", True),
        ("villainy", "mend_flesh", False),
        ("villainy", "healing_draught", True),
        ("deeds", "weakness 1", False),
        ("deeds", "mend_flesh", True),
        ("deeds", "healing_draught", True),
        ("deeds", "parry", False),
    ],
)
def test_d13_timings(phase: str, card: str, playable: bool) -> None:
    table = sit(
        {"hp": 3, "glory": 9, "hand": ["healing_draught", card.split()[0], "stumble"]}, {"peril": 9}, phase=phase
    )
    assert (f"play {card}" in table.moves(0)) is playable


# Glory and peril ------------------------------------------------------------------------------------------------------


def test_d14_glory_cards_cost_ones_own_glory() -> None:
    table = sit({"hp": 3, "glory": 4, "hand": ["mend_flesh"]}, {"glory": 9})
    act(table, 0, "play mend_flesh")
    assert (hero(table).glory, hero(table, 1).glory) == (1, 9)


def test_d15_peril_cards_are_paid_by_their_target_and_nobody_spends_his_own() -> None:
    table = sit({"peril": 9, "hand": ["weakness"]}, {"peril": 2}, {"peril": 1}, phase="villainy")
    assert words(table, 0, "play weakness") == ["play weakness 1"]
    event = only(act(table, 0, "play weakness 1"), facts.Played)
    assert (event.cost, event.payer, event.target) == (2, 1, 1)
    assert (hero(table).peril, hero(table, 1).peril) == (9, 0)


def test_d16_a_card_aimed_at_nobody_is_paid_by_any_one_opponent() -> None:
    table = sit({"hand": ["sliding_floor"]}, {"peril": 2}, {"peril": 1}, {"peril": 3}, phase="villainy")
    assert words(table, 0, "play sliding_floor") == ["play sliding_floor 1", "play sliding_floor 3"]


def test_d17_a_curse_may_reach_ones_own_hero_an_opponent_pays() -> None:
    table = sit({"at": "crossroads", "hand": ["sliding_floor"]}, {"peril": 2}, phase="villainy")
    do(table, 0, "play sliding_floor 1")
    assert any(word.startswith("crossroads ") for word in table.moves(0)) and hero(table, 1).peril == 0


def test_d18_the_payer_of_x_pays_what_the_text_says() -> None:
    table = sit({"hand": ["vat_horror"]}, {"hero": "varga", "peril": 2, "glory": 5}, phase="villainy")
    do(table, 0, "group", "monster vat_horror 1 melee", "done")
    act(table, 1, "ability 1")
    assert hero(table, 1).glory == 5 - (2 + 2)


def test_d19_points_can_be_spent_at_once() -> None:
    table = sit({"hero": "hemp", "hp": 3, "glory": 1, "ap": 2, "hand": ["healing_draught"]}, {}, dice=[6, 6])
    act(table, 0, "move n", "play healing_draught")  # the crossroads bring 2
    assert (hero(table).hp, hero(table).glory) == (4, 1)


# The beginning --------------------------------------------------------------------------------------------------------


def test_d20_the_decks_are_shuffled() -> None:
    first, second = new_table(game, 3, 1), new_table(game, 3, 2)
    for name in ("unlaid", "quests", "decks"):
        assert getattr(first.state, name) != getattr(second.state, name)


@pytest.mark.parametrize("seed", range(8))
def test_d21_the_entrance_and_a_tunnel_on_each_side(seed: int) -> None:
    table, told = fresh(2, seed)
    laid = [(event.location, event.x, event.y) for event in found(told, facts.Laid)][:5]
    assert laid[0] == ("entrance", 0, 0) and [place[1:] for place in laid[1:]] == [(0, -1), (1, 0), (0, 1), (-1, 0)]
    g = state(table)
    for name, x, y in laid[1:]:
        assert DECK.locations[name].type != "room"
        rest = {other: spot for other, spot in g.spots.items() if other != name}
        straight = Fit(rest, True).misfit(name, (x, y), False) == ""
        assert g.spots[name].turned is not straight
    assert len(g.unlaid) + len(g.spots) in (21, 22)  # one may just have been drawn


def test_d22_everybody_has_a_hero_of_level_1_with_six_health() -> None:
    g = state(new_table(game, 4, 3))
    assert len({delver.hero for delver in g.delvers}) == 4 and len(g.heroes) == 2
    assert all((delver.hp, delver.level) == (6, 1) for delver in g.delvers)


def test_d23_pawns_begin_at_the_entrance_and_gain_its_points() -> None:
    _, told = fresh(3)
    assert [(e.seat, e.glory, e.peril) for e in found(told, facts.Gained)] == [(0, 1, 1), (1, 1, 1), (2, 1, 1)]
    assert all(delver.at == "entrance" for delver in fresh(3)[0].state.delvers)


def test_d24_two_personal_quests_each_and_a_common_one() -> None:
    g = state(new_table(game, 4, 3))
    assert [len(delver.quests) for delver in g.delvers] == [2] * 4
    assert len(g.common) == 1 and len(g.quests) == 14 - 9


def test_d25_five_cards_in_hand() -> None:
    g = state(new_table(game, 4, 3))
    assert [len(delver.hand) for delver in g.delvers] == [5] * 4 and len(g.decks["adventure"]) == 40


@pytest.mark.parametrize("seed", range(6))
def test_d26_the_highest_die_begins_and_rounds_are_counted_at_the_first_player(seed: int) -> None:
    table, told = fresh(3, seed)
    rolls = found(told, facts.FirstRolled)
    assert set(rolls[0].dice) == {0, 1, 2}
    for roll, again in pairwise(rolls):  # those tied for the highest
        assert list(again.dice) == [seat for seat, die in roll.dice.items() if die == max(roll.dice.values())]
    best = [seat for seat, die in rolls[-1].dice.items() if die == max(rolls[-1].dice.values())]
    assert best == [only(told, facts.FirstChosen).seat] == [state(table).first]
    while len(found(told, facts.TurnBegan)) < 7:
        seat = table.waits[0]
        told += table.play(seat, table.default(seat), table.round, "00" * 16)
    turns = found(told, facts.TurnBegan)
    assert [turn.round for turn in turns] == [1, 1, 1, 2, 2, 2, 3]
    assert [turn.seat for turn in turns[:3]] == [(best[0] + n) % 3 for n in range(3)]


def test_d103_alone_two_decks_three_quests_five_cards_of_glory() -> None:
    table, told = fresh(1)
    g = state(table)
    cards = [*g.decks["glory"], *g.delvers[0].hand]
    assert (len(cards), len(g.decks["peril"])) == (28, 29)
    assert not {"wall_walker", "shifting_stones", "sliding_floor"} & {*cards, *g.decks["peril"]}
    assert (len(g.delvers[0].quests), g.common, g.quests) == (3, [], [])
    assert all(DECK.adventures[card].glory for card in g.delvers[0].hand) and len(g.delvers[0].hand) == 5
    gained = found(told, facts.Gained)[0]
    assert (gained.glory, gained.peril) == (1, 0) and not found(told, facts.PerilRolled)


def test_d109_with_two_decks_each_card_is_drawn_from_the_chosen_one() -> None:
    table, _ = fresh(2, decks="two")
    g = state(table)
    assert [sum(DECK.adventures[card].glory for card in delver.hand) for delver in g.delvers] == [3, 3]
    table = sit({"hand": []}, {}, two_decks=True, phase="discard")
    do(table, 0, "none" if "none" in table.moves(0) else "let_go")
    while "glory" in table.moves(0):
        do(table, 0, "glory" if len(hero(table).hand) < 2 else "peril")
    assert [DECK.adventures[card].glory for card in hero(table).hand] == [True, True, False, False, False]
