"""Effects and what they trigger: T-93 to T-104."""

import pytest

from engine.cards import CardError
from engine.games.tomb import facts
from engine.games.tomb.card_names import HELPERS, ROOMS
from engine.games.tomb.cards import CARDS, DECK, load
from engine.games.tomb.positions import Board, PileOf
from tests.engine.games.tomb.digging import BARE, FULL, Dig, at_entrance, at_room


def gains(dig: Dig) -> list[tuple[int, str]]:
    return [(event.seat, event.card) for event in dig.heard(facts.Gained)]


def test_t93_camp_and_market_helpers_do_nothing() -> None:
    dig = at_entrance("10", Board(camp=("builder",)), helpers_pile=PileOf(market=("herbalist",)))
    assert gains(dig) == [(0, "10")]
    assert gains(at_entrance("10", Board(helpers=("builder",)))) == [(0, "10"), (0, "builder")]


def test_t94_helpers_are_passive_static_or_one_time() -> None:
    kinds = {kind: {c.id for c in CARDS.values() if c.kind == kind} for kind in ("passive", "static", "once")}
    assert kinds["static"] == {"apprentice", "architect", "confectioner", "infiltrator"}
    assert all(bool(CARDS[card].effect.on) for card in kinds["passive"])
    assert [len(kinds["passive"]), len(kinds["once"])] == [29, 4]


def test_t95_one_event_for_each_type_that_is_gained() -> None:
    both = Board(pickaxe=0, torch=0, helpers=("builder", "pyromancer"))
    dig = at_room("arsenal", both)
    assert dig.goods()[:3] == (1, 2, 2)
    assert len(gains(at_entrance("9", both))) == 2  # three torches at once are one event


def test_t96_a_helper_does_not_trigger_on_what_it_has_set_off_itself() -> None:
    dig = at_entrance("8", Board(helpers=("herbalist",)))
    assert gains(dig) == [(0, "8"), (0, "herbalist")]
    # the baker's food triggers the herbalist, the herbalist's own food does not
    place = Dig(Board(helpers=("baker", "herbalist")), paws={"8": 0}).say("place 6")
    assert place.goods()[0] == 3


def test_t97_fixed_gains_are_automatic_and_choices_are_offered() -> None:
    monk = Board(glory=39, helpers=("monk",))
    offered = at_room("sawmill", monk)
    assert offered.moves == ["gain", "skip"]  # this glory would trigger the end
    assert not offered.say("skip").g.ended
    assert at_room("sawmill", monk).say("gain").g.ended == "glory"
    assert at_room("sawmill", Board(glory=38, helpers=("monk",))).goods()[4] == 39
    assert at_room("sawmill", Board(helpers=("marksman",)), owner=1).moves[-1] == "skip"


def test_t98_automatic_gains_first_then_the_others_in_the_players_order() -> None:
    crowd = Board(food=9, torch=9, pickaxe=9, helpers=("bishop", "barker", "foreman"))
    dig = at_entrance("2", crowd, rooms={"c12": ("arsenal", 1)}, rooms_pile=PileOf(market=("sawmill",)))
    dig.say("open sawmill", "pay 3 0 0 0")
    assert gains(dig) == [(0, "foreman")] and dig.moves == ["use bishop", "use barker", "decline"]
    assert dig.say("use barker", "gain 1 0 0").moves[-1] == "skip"  # the bishop alone: its effect itself
    declined = at_entrance("2", crowd, rooms={"c12": ("arsenal", 1)}, rooms_pile=PileOf(market=("sawmill",)))
    declined.say("open sawmill", "pay 3 0 0 0", "decline")
    assert declined.asks != "Trigger" and len(gains(declined)) == 2  # the foreman, and the room lifted last


# Three paws are out: the opened room's own paw is not lifted without a question.
OPENING = {"2": 0, "c11": 0, "c34": 0}


def test_t98_a_helper_is_asked_what_it_can_do_when_its_turn_comes() -> None:
    poor = Board(food=2, torch=0, pickaxe=1, gold=0, helpers=("tunneller", "foreman"))
    dig = at_entrance("2", poor, paws=OPENING, rooms_pile=PileOf(market=("laboratory",)))
    dig.say("open laboratory", "at c11", "pay 2 0 1 0")
    # without the foreman's gold the tunneller could not apply the laboratory
    assert gains(dig) == [(0, "foreman")] and dig.asks == "Decide"
    assert dig.say("pay 0 0 0 1", "gain 2 0 0").goods() == (2, 0, 0, 0, 3)


def test_t98_what_an_optional_helper_brings_counts_for_the_next_one() -> None:
    poor = Board(food=1, torch=1, pickaxe=1, gold=0, helpers=("barker", "tunneller"))
    opened = {"rooms": {"c12": ("arsenal", 1)}, "rooms_pile": PileOf(market=("alchemy_table",))}
    dig = at_entrance("2", poor, paws=OPENING, **opened).say("open alchemy_table", "at c11", "pay 1 1 1 0")
    assert dig.moves == ["gain 1 0 0", "gain 0 1 0", "gain 0 0 1", "skip"]  # the tunneller could pay nothing
    assert dig.say("gain 1 0 0").moves == ["pay 1 0 0 0", "skip"]


def test_t99_a_one_time_effect_is_used_when_hired_or_lost() -> None:
    dig = at_entrance("5", Board(food=9, torch=9, gold=9), helpers_pile=PileOf(market=("conjurer",)))
    dig.say("hire conjurer", "pay 2 1 0 0")
    assert dig.asks != "Decide" and dig.player().helpers == ["conjurer"]  # no other entrance: nothing to apply


def test_t100_an_effect_is_not_applied_inside_itself() -> None:
    # Rubble applies Crane, which opens that very Crane: it is not applied again
    dig = at_room("rubble", FULL, rooms_pile=PileOf(market=("crane", "sawmill")))
    dig.say("apply crane", "open crane", "at c12", "pay 0 2 2 0")
    assert dig.asks != "Decide" and [room.card for room in dig.g.rooms.values()] == ["rubble", "crane"]
    # Kitchen repeats the tunneller, which may not apply Kitchen
    board = Board(food=9, torch=9, pickaxe=9, helpers=("tunneller", "foreman"))
    kitchen = at_entrance("2", board, rooms_pile=PileOf(market=("kitchen",))).say("open kitchen", "pay 2 1 0 0")
    assert "repeat tunneller" not in kitchen.moves and "repeat foreman" in kitchen.moves


def test_t101_a_card_that_can_do_nothing_counts_as_declined() -> None:
    dig = at_room("chapel", BARE)
    assert [event.place for event in dig.heard(facts.Unused)] == ["c22", "c34"]
    assert gains(at_room("sawmill", Board(helpers=("swindler",)))) == [(0, "sawmill")]


def test_t102_a_neighbour_is_applied_in_its_own_cell_and_a_market_room_in_rubbles() -> None:
    ranger = Board(helpers=("ranger",))
    beside = at_room("sawmill", ranger, rooms={"c23": ("stone_circle", 1), "c13": ("arsenal", 1)}, paws={})
    assert beside.moves == ["neighbour c23", "keep"]
    assert "gain 2 0 0" in beside.say("neighbour c23").moves  # two factions beside c23
    near = {"c12": ("sawmill", 1), "c21": ("arsenal", 1), "c23": ("hot_spring", 1)}
    rubble = at_room("rubble", rooms=near, rooms_pile=PileOf(market=("stone_circle", "portal", "living_fire")))
    assert rubble.moves == ["apply stone_circle", "apply living_fire", "skip"]  # nobody owns the portal
    assert "gain 3 0 0" in rubble.say("apply stone_circle").moves


def test_t103_helpers_of_others_gain_without_being_asked() -> None:
    fair = at_room("fair", BARE, Board(food=0, helpers=("herbalist",))).say("gain")
    assert fair.goods(1)[0] == 2
    wrong = (DECK, 'effect = "on_visited: gain 1 gold"', 'effect = "on_visited: gain 1 any"')
    with pytest.raises(CardError, match="helper shieldbearer: effect: others would have to choose"):
        load(card_file().replace(wrong[1], wrong[2]))


def test_t104_an_opening_helper_looks_at_the_new_rooms_cell_and_faction() -> None:
    barker = Board(food=9, torch=9, pickaxe=9, helpers=("barker",))
    near = {"c12": ("arsenal", 1), "c21": ("scaffolding", 1)}
    dig = at_entrance("2", barker, rooms=near, rooms_pile=PileOf(market=("sawmill",))).say(
        "open sawmill", "pay 3 0 0 0"
    )
    assert dig.moves == ["gain 1 0 0", "gain 0 1 0", "gain 0 0 1", "skip"]  # beavers do not count beside beavers


def card_file() -> str:
    from importlib.resources import files

    return (files("engine.games.tomb") / "cards.toml").read_text("utf-8")


FAULTS = {
    'effect = "gain 2 torch" }': ('effect = "gain 2 torches" }', "living_fire: effect: no torches: there are food"),
    'cost = "3 pickaxe", glory = 1': ('cost = "3 glory", glory = 1', "room living_fire: cost: resources and gold only"),
    'kind = "static", effect = "discount(open, 1)"': (
        'kind = "passive", effect = "discount(open, 1)"',
        "helper architect: kind: its effect is static",
    ),
    'effect = "on_open: gain 1 gold"': ('effect = "on_opened: gain 1 gold"', "effect: no trigger on_opened"),
    'effect = "borrow_helper"': ('effect = "borrow_helpers"', "room tunnel: effect: no step borrow_helpers"),
    'effect = "exchange 1 any -> 2 other"': ('effect = "exchange 1 torch -> 2 other"', "effect: other: it needs"),
    'effect = "gain 3 food & others gain 1 food"': (
        'effect = "gain 3 food & others gain 1 any"',
        "room fair: effect: others gain: nothing that they would have to choose",
    ),
    'effect = "hire(discount=2)" },\n  { id = "stash"': (
        'effect = "hire(at=free)" },\n  { id = "stash"',
        "room banquet_hall: effect: no argument at=free",
    ),
    'copies = 2, effect = "gain 3 food"': ('copies = 3, effect = "gain 3 food"', "chest: 21 chests, 20 are needed"),
    'id = "7.5"': ('id = "7.5", faction = "rats"', "entrance 7.5: reverse: an entrance has a faction and a reverse"),
    'id = "sphinx", faction = "neutral"': ('id = "sphinx", faction = "cats"', "room sphinx: faction: no cats"),
    'sets = [0, 2, 4, 7, 11, 16]': ("sets = [0, 2]", "sets: six numbers are needed"),
    'id = "crane"': ('id = "sawmill"', "room: sawmill is there 2 times"),
    'effect = "on_after_remove: place_paw"': ('effect = "on_open: place_paw"', "effect: only an effect that follows"),
    'effect = "on_open: apply(opened_room)"': ('effect = "on_open: apply(any_room)"', "no step apply(any_room)"),
    'back = "blue", cost = "2 torch + 2 pickaxe", glory = 3, effect = "double_next"': (
        'back = "green", cost = "2 torch + 2 pickaxe", glory = 3, effect = "double_next"',
        "factions porcupines: room: two green cards and a blue one",
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", FAULTS)
def test_a_wrong_card_file_is_refused_by_card_and_field(text: str) -> None:
    wrong, message = FAULTS[text]
    assert text in card_file()
    with pytest.raises(CardError) as caught:
        load(card_file().replace(text, wrong))
    assert message in str(caught.value)


def test_the_deck_of_the_rules_page_is_the_deck_of_the_game() -> None:
    """Costs, glory and effects of the page's tables, card by card."""
    from pathlib import Path

    page = (Path(__file__).parents[4] / "docs" / "rules" / "tomb.md").read_text("utf-8")
    letters = {"F": "food", "T": "torch", "P": "pickaxe", "G": "gold"}
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.split("## The deck")[1].splitlines()]
    cards = {row[0]: row for row in rows if len(row) == 9 and row[4][:1].isdigit()}
    assert len(cards) == 74
    ids = {shown: id for id, shown in (ROOMS | HELPERS).items()}
    text = card_file()
    for row in cards.values():
        name = ids[row[0]]
        line = next(line for line in text.splitlines() if f'id = "{name}"' in line)
        cost = " + ".join(f"{part[0]} {letters[part[1]]}" for part in row[4].split("+"))
        effect = row[7].strip("`")
        assert f'cost = "{cost}", glory = {row[5]}' in line and f'effect = "{effect}"' in line, name
        assert f'faction = "{row[2].lower().replace(" ", "_")}", back = "{row[3]}"' in line, name
    named = {id: shown.lower().replace(" ", "_").replace("'", "") for id, shown in (ROOMS | HELPERS).items()}
    assert {id: name for id, name in named.items() if id != name} == {
        "fair": "fairground",
        "merchant": "grand_merchant",
    }
    rule = page.split("## The deck")[1].split("###")[0]
    assert "Fairground is `fair`, Grand Merchant\n`merchant`" in rule
