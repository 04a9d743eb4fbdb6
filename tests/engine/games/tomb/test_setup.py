"""The tomb's geometry, the components and the setup: T-0 to T-21, T-172."""

from random import Random

import pytest

from engine.bots import at_random
from engine.chance import Chance
from engine.games.tomb import facts, game
from engine.games.tomb.cards import CARDS, DECK, NEUTRAL
from engine.games.tomb.chronicle import Action, chronicle
from engine.games.tomb.places import layout
from engine.games.tomb.rules import setup
from engine.games.tomb.state import Digs
from engine.simulate import simulate
from engine.steps import Event
from engine.table import Table
from engine.testing import deal, new_table
from engine.testing.moves import secret
from engine.verify import export, verify
from tests.engine.games.tomb.digging import BARE, FULL, Dig, lifting


def begun(seats: int, seed: int = 1, **options: str) -> tuple[Digs, facts.Deal]:
    table, events = Table.begin(game, seats, deal(seats, seed), options)
    (told,) = [event for event in events if isinstance(event, facts.Deal)]
    return table.state, told


def test_t0_two_or_three_players_lead_expeditions() -> None:
    assert list(game.seats) == [2, 3] and 50 <= game.minutes <= 70


def test_t1_two_players_use_fourteen_entrances_three_use_sixteen() -> None:
    assert " ".join(DECK.entrances) == "1 2 3 3.5 4 5 6 7 7.5 8 9 10 11 12 13 14"
    assert list(begun(2)[0].entrances) == [slot for slot in DECK.entrances if "." not in slot]
    assert list(begun(3)[0].entrances) == list(DECK.entrances)


@pytest.mark.parametrize(("sort", "neutral"), [("room", "sphinx"), ("helper", "murmia")])
def test_t2_rooms_and_helpers_are_three_of_each_faction_and_a_neutral_one(sort: str, neutral: str) -> None:
    cards = [card for card in CARDS.values() if card.sort == sort]
    assert len(cards) == 37
    assert all(sum(card.faction == faction for card in cards) == 3 for faction in DECK.factions)
    assert [card.id for card in cards if card.faction == NEUTRAL] == [neutral]


def test_t3_helpers_have_a_profession_a_cost_an_effect_and_glory() -> None:
    helpers = [card for card in CARDS.values() if card.sort == "helper"]
    assert all(sum(card.cost) and card.glory and card.effect for card in helpers)
    assert {card.id for card in helpers if card.kind == "once"} == {"conjurer", "apothecary", "lab_assistant", "murmia"}


def test_t4_there_are_twenty_chests() -> None:
    assert list(DECK.chests) == [f"chest_{n:02}" for n in range(1, 21)]


def test_t5_five_paws_and_eight_ownership_tokens_are_hard_limits() -> None:
    g, _ = begun(2)
    assert [(player.paws, player.tokens) for player in g.players] == [(5, 8)] * 2
    every = {"1": 0, "2": 0, "3": 0, "4": 0, "c34": 0}
    assert Dig(paws=every).asks == "LiftPaw"  # no paw is left to place
    rooms = [card.id for card in CARDS.values() if card.sort == "room" and card.faction in DECK.factions[:4]][:8]
    full = dict(zip(layout(2).cells, ((room, 0) for room in rooms), strict=False))
    assert lifting(FULL, FULL, rooms=full, paws={"2": 0, "c33": 0}).say("lift 2").asks != "Decide"


def test_t6_glory_is_unbounded() -> None:
    g, _ = begun(2)
    g.honour(0, 137, "opened")
    assert g.players[0].goods[-1] == 137


def test_t7_two_players_dig_in_three_rows_of_four() -> None:
    assert layout(2).cells == tuple(f"c{r}{c}" for r in (1, 2, 3) for c in (1, 2, 3, 4))


def test_t8_the_frame_is_numbered_clockwise_from_the_left() -> None:
    two = layout(2)
    assert two.lines["3"] == ("c11", "c12", "c13", "c14") == two.lines["8"]
    assert two.lines["1"] == ("c31", "c32", "c33", "c34") == two.lines["10"]
    assert two.lines["4"] == ("c11", "c21", "c31") == two.lines["14"]
    assert two.lines["7"] == ("c14", "c24", "c34") == two.lines["11"]


def test_t9_lines_and_opposites_of_two() -> None:
    pairs = {frozenset(pair.split("/")) for pair in ("3/8", "2/9", "1/10", "4/14", "5/13", "6/12", "7/11")}
    assert {frozenset(pair) for pair in layout(2).opposite.items()} == pairs
    assert set(layout(2).lines["6"]) & set(layout(2).lines["8"]) == {"c13"}  # the rulebook's example: 6 crosses 8


def test_t10_three_players_have_four_rows() -> None:
    three = layout(3)
    assert len(three.cells) == 16
    assert three.opposite["3.5"] == "7.5" and three.lines["3.5"] == ("c11", "c12", "c13", "c14")
    assert three.lines["3"] == ("c21", "c22", "c23", "c24") and three.lines["1"] == ("c41", "c42", "c43", "c44")


def test_t11_entrance_cards_may_lie_at_random_while_crossings_follow_the_slot() -> None:
    standard, _ = begun(2)
    assert all(slot == card for slot, card in standard.entrances.items())
    mixed, _ = begun(2, entrance_layout="random")
    assert sorted(mixed.entrances) == sorted(mixed.entrances.values()) and mixed.entrances != standard.entrances
    dig = lifting(entrances={"2": "8", "8": "2"}, paws={"2": 0, "c11": 0}).say("lift 2")
    assert dig.goods() == (4, 1, 1, 1, 0)  # card 8 lies in slot 2


def test_t12_neighbours_are_orthogonal() -> None:
    assert layout(2).near["c22"] == ("c12", "c21", "c23", "c32")
    assert layout(2).near["c11"] == ("c12", "c21")


def test_t13_inside_the_tomb_are_the_cells_only() -> None:
    dig = lifting(BARE, BARE, paws={"2": 0, "c11": 0}).say("lift 2")  # at neither can anything be done
    assert [event.place for event in dig.heard(facts.Unused)] == ["c11"]


def test_t14_a_cell_holds_one_paw_and_one_thing() -> None:
    dig = Dig(paws={"2": 0, "c22": 1}, rooms={"c21": ("sawmill", 0)}).say("place 4")
    assert dig.g.paws["c21"] == 0 and dig.g.paws["c22"] == 1
    assert not dig.g.empty("c21") and dig.g.empty("c22")


def test_t15_every_cell_has_a_chest_and_the_rest_is_the_supply() -> None:
    g, told = begun(2)
    assert set(g.chests) == set(layout(2).cells) and len(g.supply) == told.supply == 8
    assert len({*g.chests.values(), *g.supply}) == 20


def test_t16_six_factions_play_and_the_neutral_cards() -> None:
    g, _ = begun(2)
    known = [*g.rooms_market.deck, *g.rooms_market.shown, *g.rooms_market.discard]
    assert len(g.factions) == 6 and len(known) == 19
    assert {CARDS[card].faction for card in known} == {*g.factions, NEUTRAL}
    first, _ = begun(2, factions="first_game")
    assert first.factions == ["squirrels", "porcupines", "beavers", "pacas", "jerboas", "guinea_pigs"]
    assert begun(3, factions="first_game")[0].factions == [*first.factions, "viscachas"]


@pytest.mark.parametrize(("seats", "green"), [(2, 12), (3, 14)])
def test_t17_green_cards_lie_on_top_of_blue_ones(seats: int, green: int) -> None:
    g, _ = begun(seats)
    for market in g.markets:
        backs = [CARDS[card].back for card in (*market.discard, *market.shown, *market.deck)]
        assert backs == ["green"] * green + ["blue"] * (seats + 5)


def test_t18_one_card_of_each_deck_is_discarded_and_three_are_shown() -> None:
    g, _ = begun(2)
    assert [(len(m.discard), len(m.shown), len(m.deck)) for m in g.markets] == [(1, 3, 15)] * 2
    assert [len(m.deck) for m in begun(3)[0].markets] == [18, 18]


def test_t19_everybody_starts_with_one_of_each_and_no_glory() -> None:
    for player in begun(3)[0].players:
        assert player.goods == [1, 1, 1, 1, 0]
        assert not (player.helpers or player.camp or player.chests or player.used)


def test_t20_the_first_player_is_drawn_or_chosen() -> None:
    assert {begun(3, seed)[0].first for seed in range(12)} == {0, 1, 2}
    table = new_table(game, 3, first_player="2")
    assert table.waits == [2] and begun(3, first_player="2")[1].first == 2


class Noted:
    """A source of random numbers that changes nothing and notes what is asked of it."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def below(self, n: int) -> int:
        self.asked.append(-n)
        return 0

    def shuffle(self, cards: list[str]) -> None:
        self.asked.append(len(cards))


def test_t21_the_draws_of_the_setup_come_in_one_order() -> None:
    noted, chosen = Noted(), game.choose_options({"entrance_layout": "random"}, 2)
    g = setup(2, chosen, noted)  # type: ignore[arg-type]
    assert noted.asked == [12, 14, 20, 12, 7, 12, 7, -2]
    assert g.factions == list(DECK.factions[:6]) and g.chests["c11"] == "chest_01" and g.supply[0] == "chest_13"
    assert g.rooms_market.discard == ["living_fire"] and g.rooms_market.shown == ["portal", "arsenal", "barracks"]


WISHED = "rats+lemmings+beavers+mole_rats+pacas+capybaras"


def test_t16_factions_are_chosen_by_wish() -> None:
    table = Table.begin(game, 2, deal(2), {"factions": WISHED})[0]
    in_order = [faction for faction in DECK.factions if faction in WISHED.split("+")]
    assert table.state.factions == in_order and table.options["factions"] == "+".join(in_order)
    cards = [card for market in table.state.markets for card in (*market.deck, *market.shown, *market.discard)]
    assert {CARDS[card].faction for card in cards} == {*in_order, "neutral"} and len(cards) == 38
    noted = Noted()
    setup(2, game.choose_options({"factions": WISHED}, 2), noted)  # type: ignore[arg-type]
    assert noted.asked == [20, 12, 7, 12, 7, -2]  # T-21 nothing is drawn for them
    seven = game.choose_options({"factions": WISHED + "+jerboas"}, 3)
    assert len(setup(3, seven, Chance("00")).factions) == 7  # T-156
    assert game.choose_options({"factions": WISHED}, 3)["factions"] == "random"  # one is missing


def test_t16_a_log_of_chosen_factions_verifies_and_one_of_others_does_not() -> None:
    table, events = Table.begin(game, 2, deal(2), {"factions": WISHED})
    luck = Random(1)
    while not table.over:
        seat = table.waits[0]
        events += table.play(seat, luck.choice(table.moves(seat)), table.round, secret(luck))
    lines = list(export(events, ["Ada", "Bo"]))
    report = verify(lines)
    assert report.holds and report.finished, report.say()
    chosen = table.options["factions"].encode()
    for other in (
        WISHED,
        "rats+pacas",
        table.options["factions"].replace("rats", "cats"),
    ):  # not in order, too few, unknown
        wrong = [lines[0], lines[1].replace(chosen, other.encode()), *lines[2:]]
        assert verify(wrong).say() == "Rodents and Tombs has no such options.", other


def test_t172_all_options_of_a_table() -> None:
    values = {option.key: [choice.value for choice in option.fitting(2)] for option in game.options}
    assert values == {
        "factions": ["random", "first_game"],
        "entrance_layout": ["standard", "random"],
        "first_player": ["random", "0", "1"],
        "secret_entrance": ["off", "on"],
        "head_start": ["off", "on"],
    }
    assert "secret_entrance" not in game.choose_options({}, 3)
    (pick,) = [option.pick for option in game.options if option.pick]
    assert [member.value for member in pick.members] == list(DECK.factions) and pick.number == {2: 6, 3: 7}


def test_t173_who_plays_second_may_begin_with_glory() -> None:
    for first in range(2):
        options, glory = {"first_player": str(first), "head_start": "on"}, [6 * first, 6 * (1 - first)]
        table, events = Table.begin(game, 2, deal(2), options)
        assert [player.goods[4] for player in table.state.players] == glory
        assert [event for event in events if isinstance(event, facts.Fame)] == [facts.Fame(1 - first, 6, "later")]
        written = chronicle([*simulate(game, [at_random] * 2, "5", 0, options)])
        (action, *_) = [event for event in written if isinstance(event, Action)]
        assert [board["glory"] for board in action.before["boards"]] == glory
    assert [player.goods[4] for player in new_table(game, 2).state.players] == [0, 0]
    assert "head_start" not in game.choose_options({"head_start": "on"}, 3)


def test_the_deal_is_told_once_and_hides_the_decks() -> None:
    events: list[Event] = Table.begin(game, 2, deal(2))[1]
    told = [event for event in events if isinstance(event, facts.Deal)]
    assert len(told) == 1 and told[0].decks == (15, 15)
