"""Every card does what it says; and what a card file may not say."""

from importlib.resources import files
from typing import Any, get_args

import pytest

from engine.cards import CardError
from engine.games.dungeoneer import battle_facts, cards, facts
from engine.games.dungeoneer.cards import deck, load
from engine.games.dungeoneer.effects import VERBS
from engine.table import Table
from tests.engine.games.dungeoneer.sitting import act, do, found, hero, only, sit, state, until
from tests.engine.games.dungeoneer.test_quests import ROOMS

DECK = deck()
TEXT = (files("engine.games.dungeoneer") / "cards.toml").read_text("utf-8")
MAP = {"entrance": (0, 0), "crossroads": (0, -1), "rat_run": (1, 0), "gloom_tunnel": (0, 1), "rubble_crawl": (-1, 0)}


def fight(
    card: str, form: str, *dice: int, at: str = "entrance", map: Any = MAP, **defender: Any
) -> tuple[Table, list[Any]]:
    """Seat 0 sends this monster against seat 1; nobody answers."""
    table = sit(
        {"hand": [card]}, {"hero": "grog", "peril": 9, "at": at, **defender}, map=map, phase="villainy", dice=dice
    )
    return table, act(table, 0, "group", f"monster {card} 1 {form}", "done")


# Monsters: form, value in it, wounds ----------------------------------------------------------------------------------

MONSTERS = {
    "mutant_rat": ("melee", 2, 1), "djanguba": ("melee", 3, 1), "crouching_skeleton": ("melee", 2, 1),
    "guardian_of_the_abode": ("magic", 3, 1), "ramalit": ("melee", 4, 2), "ghoul_pack": ("speed", 3, 1),
    "vat_horror": ("melee", 3, 1), "spore_imp": ("magic", 2, 1), "tunnel_stalker": ("speed", 3, 1),
    "stitched_brute": ("melee", 4, 1), "pale_sorcerer": ("magic", 4, 1),
}  # fmt: skip


@pytest.mark.parametrize("card", MONSTERS)
def test_a_monster_strikes(card: str) -> None:
    form, value, wounds = MONSTERS[card]
    table, told = fight(card, form, 6, 1, 6, hero="ilvaro" if form != "magic" else "grog")
    assert found(told, battle_facts.AttackRolled)[0].value == value
    assert hero(table, 1).hp == 6 - wounds
    assert only(told, battle_facts.GroupShown).paid == {1: DECK.adventures[card].cost}


def test_every_monster_has_its_test() -> None:
    assert set(MONSTERS) == {name for name, card in DECK.adventures.items() if card.monster}


def test_djanguba_drives_the_hero_away() -> None:
    table = sit({"hand": ["djanguba"]}, {"hero": "ilvaro", "peril": 3}, phase="villainy", dice=[6, 1])
    do(table, 0, "group", "monster djanguba 1 melee", "done")
    until(table, "Forced")
    do(table, 0, "w")
    assert hero(table, 1).at == "rubble_crawl"


@pytest.mark.parametrize(("die", "down"), [(3, True), (4, False)])
def test_the_guardian_makes_fall_who_does_not_overcome_it(die: int, down: bool) -> None:
    table, told = fight("guardian_of_the_abode", "magic", 6, 1, die)
    assert hero(table, 1).down is down and only(told, facts.Checked).number == 5


def test_ramalit_heals_itself_even_above_its_number() -> None:
    _, told = fight("ramalit", "magic", 6, 1)
    assert only(told, battle_facts.FoeHealed).hp == 4


def test_the_spore_imp_brings_peril() -> None:
    _, told = fight("spore_imp", "magic", 6, 1)
    assert [(event.seat, event.peril) for event in found(told, facts.Gained)] == [(1, 1)]


def test_the_tunnel_stalker_makes_fall() -> None:
    assert hero(fight("tunnel_stalker", "speed", 6, 1)[0], 1).down


# Traps ----------------------------------------------------------------------------------------------------------------

TRAPS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "enveloping_slime": ("speed", 6, {"hp": 5, "down": True}), "falling_block": ("melee", 7, {"hp": 5}),
    "mind_snare": ("magic", 6, {"hp": 5, "glory": 1}), "poison_needles": ("speed", 7, {"hp": 5}),
    "tomb_dread": ("level", 5, {"hp": 6, "down": True, "peril": 9}),
}  # fmt: skip


@pytest.mark.parametrize("card", TRAPS)
def test_a_trap(card: str) -> None:
    stat, number, after = TRAPS[card]
    start = {"at": "crossroads", "hero": "hemp", "peril": 8 + DECK.adventures[card].cost, "glory": 3}
    for die in (1, 6):
        table = sit({"hand": [card]}, start, phase="villainy", dice=[die])
        told = act(table, 0, "group", f"trap {card} 1", "done")
        event = only(told, facts.Checked)
        assert (event.stat, event.number, event.passed) == (stat, number, die == 6)
        target = hero(table, 1)
        if die == 6:
            assert (target.hp, target.glory) == (6, 4)
        else:
            assert {name: getattr(target, name) for name in after} == after


def test_every_trap_has_its_test() -> None:
    assert set(TRAPS) == {name for name, card in DECK.adventures.items() if card.type == "trap"}


# Curses ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "stat"), [("leaden_limbs", "speed"), ("weakness", "melee"), ("clouded_mind", "magic")]
)
def test_a_hex_lowers_a_value(card: str, stat: str) -> None:
    table = sit({"hand": [card]}, {"peril": 3, "hero": "amaura"}, phase="villainy")
    before = hero(table, 1).value(stat)
    act(table, 0, f"play {card} 1")
    assert hero(table, 1).value(stat) == before - 1 and hero(table, 1).curses[0].card == card


@pytest.mark.parametrize(("card", "price"), [("leaden_limbs", (2, 0)), ("weakness", (0, 3)), ("clouded_mind", (0, 3))])
def test_a_hex_goes_for_its_price(card: str, price: tuple[int, int]) -> None:
    table = sit({"curses": [card], "ap": 3, "glory": 4, "hero": "tikk"}, {})
    act(table, 0, f"lift {card}")
    assert (3 - hero(table).ap, 4 - hero(table).glory) == price and not hero(table).curses


def test_stumble() -> None:
    table = sit({"hand": ["stumble"]}, {"peril": 2}, phase="villainy")
    act(table, 0, "play stumble 1")
    assert hero(table, 1).down


def test_bloodlust_under_a_monster_of_the_lair_or_of_the_group() -> None:
    table = sit(
        {"hand": ["bloodlust", "bloodlust"], "lair": ["mutant_rat"]},
        {"peril": 9, "hero": "ilvaro"},
        {"peril": 1},
        phase="villainy",
        dice=[1, 6],
    )
    do(table, 0, "play bloodlust 2 lair 1", "group", "lair 1 1 melee")
    told = act(table, 0, "attach bloodlust 1 1", "done")
    assert only(told, battle_facts.AttackRolled).more == 2 and only(told, battle_facts.GroupShown).paid == {1: 2, 2: 0}


def test_sudden_doom_raises_the_number_by_two() -> None:
    table = sit({"ap": 1, "peril": 1}, {"hand": ["sudden_doom"]}, map={"entrance": (0, 0), "bone_tunnel": (1, 0)})
    do(table, 0, "move e")
    assert only(act(table, 1, "play sudden_doom 0"), facts.Checked).number == 7


def test_sliding_floor_moves_heroes_along() -> None:
    table = sit({"hand": ["sliding_floor"]}, {"peril": 2, "at": "rubble_crawl"}, phase="villainy")
    act(table, 0, "play sliding_floor 1", "rubble_crawl 1 1")
    assert state(table).spots["rubble_crawl"].cell == (1, 1) and hero(table, 1).at == "rubble_crawl"


# Boons ----------------------------------------------------------------------------------------------------------------


def answered(
    card: str, *words: str, monster: str = "mutant_rat", form: str = "melee", dice: Any = (6, 1), **me: Any
) -> Any:
    table = sit(
        {"hand": [monster]},
        {"hero": "ilvaro", "peril": 9, "glory": 9, "hand": [card], **me},
        phase="villainy",
        dice=dice,
    )
    do(table, 0, "group", f"monster {monster} 1 {form}", "done")
    return table, act(table, 1, *words)


def test_distracting_manoeuvre() -> None:
    table, _ = answered("distracting_manoeuvre", "play distracting_manoeuvre 1 ignore")
    assert hero(table, 1).hp == 6 and hero(table, 1).glory == 8


def test_second_wind() -> None:
    table = sit({"hand": ["second_wind"], "glory": 2, "ap": 1}, {})
    act(table, 0, "play second_wind")
    assert hero(table).ap == 2


@pytest.mark.parametrize(
    ("card", "stat"),
    [
        ("battle_prayer", "melee"),
        ("inner_sight", "magic"),
        ("fleet_foot", "speed"),
        ("notched_sword", "melee"),
        ("witchwood_staff", "magic"),
        ("collectors_scalpel", "melee"),
    ],
)
def test_a_permanent_card_raises_a_value(card: str, stat: str) -> None:
    table = sit({"hand": [card], "glory": 9, "hero": "hemp", "ap": 1}, {})
    before = hero(table).value(stat)
    told = act(table, 0, f"play {card}")
    assert hero(table).value(stat) == before + 1 and only(told, facts.Played).cost == DECK.adventures[card].cost


def test_mend_flesh() -> None:
    table = sit({"hand": ["mend_flesh"], "glory": 3, "hp": 5}, {})
    act(table, 0, "play mend_flesh")
    assert hero(table).hp == 6


def test_parry() -> None:
    _, told = answered("parry", "play parry 1")
    assert only(told, battle_facts.CounterRolled).more == 2


@pytest.mark.parametrize(
    ("monster", "form", "can"),
    [
        ("ghoul_pack", "speed", True),
        ("vat_horror", "melee", True),
        ("mutant_rat", "melee", False),
        ("ramalit", "melee", False),
    ],
)
def test_banish_undead_and_fiends(monster: str, form: str, can: bool) -> None:
    table = sit({"hand": [monster]}, {"peril": 9, "glory": 2, "hand": ["banish"]}, phase="villainy", dice=[1, 6])
    do(table, 0, "group", f"monster {monster} 1 {form}", "done")
    assert ("play banish 1" in table.moves(1)) is can
    if can:
        told = act(table, 1, "play banish 1")
        assert monster in state(table).discards["adventure"] and not found(told, battle_facts.AttackRolled)


def test_wall_walker() -> None:
    table = sit({"hand": ["wall_walker"], "glory": 3}, {}, map=ROOMS)
    do(table, 0, "play wall_walker")
    assert set(table.moves(0)) == {n for n in ROOMS if DECK.locations[n].type == "room"} - {"entrance"}
    act(table, 0, "arsenal")
    assert hero(table).at == "arsenal"


def test_shifting_stones_moves_only_empty_locations() -> None:
    table = sit({"hand": ["shifting_stones"], "glory": 3}, {"at": "rat_run"})
    do(table, 0, "play shifting_stones")
    assert {word.split()[0] for word in table.moves(0)} == {"crossroads", "gloom_tunnel", "rubble_crawl"}


def test_purge() -> None:
    table = sit({"hand": ["purge"], "glory": 2, "curses": ["weakness", "leaden_limbs"]}, {})
    do(table, 0, "play purge")
    assert table.moves(0) == ["weakness", "leaden_limbs"]
    act(table, 0, "weakness")
    assert [curse.card for curse in hero(table).curses] == ["leaden_limbs"]


# Treasures ------------------------------------------------------------------------------------------------------------


def test_guardian_cloak() -> None:
    table, told = answered("parry", "use guardian_cloak", treasures=["guardian_cloak"])
    assert hero(table, 1).hp == 6 and not hero(table, 1).treasures and only(told, facts.Prevented).glory == 0


def test_potion_of_speed() -> None:
    table = sit({"hand": ["potion_of_speed"], "glory": 2, "ap": 1, "hero": "grog"}, {})
    act(table, 0, "play potion_of_speed")
    assert (hero(table).value("speed"), hero(table).ap) == (4, 1)
    _, told = answered("potion_of_speed", "play potion_of_speed", monster="ghoul_pack", form="speed")
    assert only(told, battle_facts.CounterRolled).value == 4


def test_healing_draught() -> None:
    table = sit({"hand": ["healing_draught"], "glory": 2, "hp": 4}, {"peril": 9}, phase="villainy")
    act(table, 0, "play healing_draught")
    assert hero(table).hp == 5


def test_belt_pouch() -> None:
    assert hero(sit({"hero": "hemp", "treasures": ["belt_pouch"]}, {})).limit("treasures") == 5


def test_collectors_scalpel_brings_a_glory_more() -> None:
    _, told = fight("mutant_rat", "melee", 1, 6, treasures=["collectors_scalpel"])
    assert [event.glory for event in found(told, facts.Gained)] == [2]
    _, told = fight("ghoul_pack", "speed", 1, 6, treasures=["collectors_scalpel"])
    assert [event.glory for event in found(told, facts.Gained)] == [1]


@pytest.mark.parametrize(
    ("monster", "form", "more"), [("mutant_rat", "melee", 1), ("spore_imp", "magic", 1), ("ghoul_pack", "speed", 0)]
)
def test_warded_helm(monster: str, form: str, more: int) -> None:
    assert only(fight(monster, form, 1, 1, treasures=["warded_helm"])[1], battle_facts.CounterRolled).more == more


def test_soft_boots_help_against_threats_only() -> None:
    table = sit(
        {"treasures": ["soft_boots"], "ap": 2, "hero": "grog"},
        {},
        map={"entrance": (0, 0), "bone_tunnel": (1, 0)},
        dice=[2],
    )
    told = act(table, 0, "move e")
    assert (only(told, facts.Checked).more, hero(table).value("speed")) == (1, 2)
    assert (
        only(fight("ghoul_pack", "speed", 1, 1, treasures=["soft_boots"])[1], battle_facts.CounterRolled).total == 1 + 2
    )


def test_chain_shirt_once_a_turn_against_strikes() -> None:
    table, _told = answered("parry", "use chain_shirt", monster="ramalit", treasures=["chain_shirt"])
    assert (hero(table, 1).hp, hero(table, 1).glory) == (5, 7) and hero(table, 1).used == ["chain_shirt"]


def test_grapnel_opens_a_blocked_exit_once_a_turn() -> None:
    map = {"entrance": (0, 0), "rubble_crawl": (0, -1), "crossroads": (0, -2)}
    table = sit({"treasures": ["grapnel"], "ap": 3, "at": "rubble_crawl"}, {}, map=map)
    told = act(table, 0, "move n grapnel")
    assert hero(table).at == "crossroads" and not found(told, facts.Checked) and hero(table).used == ["grapnel"]


def test_whetstone_helps_attacks_in_melee() -> None:
    sword = {"treasures": [{"card": "notched_sword", "tucked": ["whetstone"]}]}
    table = sit({"at": "crossroads", "ap": 2, "hero": "grog", **sword}, {"at": "crossroads"}, dice=[1, 1])
    assert only(act(table, 0, "attack 1 melee"), battle_facts.AttackRolled).total == 1 + 4 + 1


def test_smoke_flask() -> None:
    _, told = answered("smoke_flask", "play smoke_flask")
    assert only(told, battle_facts.AttackRolled).more == -1


# The file -------------------------------------------------------------------------------------------------------------

WRONG = {
    'do = "heal"': ('do = "heel"', "effects"),
    "melee = [2, 2, 3, 4]": ("melee = [2, 2, 3]", "hero hemp: melee: at least 4 entries"),
    'exits = "O O X O"': ('exits = "O O Z O"', "location dripping_passage: exits"),
    'host = "weapon"': ('host = "spoon"', "adventure whetstone: host: there is no kind spoon"),
    'places = ["arsenal"]': ('places = ["attic"]', "quest chainmail_golem: there is no location attic"),
    'effects = [{ do = "parry", n = 2 }]': (
        'effects = [{ do = "parry", stat = "melee" }]',
        "parry: effects: stat: parry does not use it",
    ),
    "search = 8": ("search = 0", "categories: search and its field go together"),
    "start = true": ("start = false", "start: one has it"),
    'do = "bonus", stat = "speed"': ('do = "bonus"', "effects: stat: bonus needs it"),
    'kind = "beast"\nmonster = { kind = "beast"': (
        'kind = "beast"\nmonster = { kind = "fiend"',
        "monster: of another kind",
    ),
}


@pytest.mark.parametrize("right", WRONG)
def test_a_mistake_in_the_file_is_told_by_card_and_field(right: str) -> None:
    wrong, message = WRONG[right]
    assert right in TEXT
    with pytest.raises(CardError) as error:
        load(TEXT.replace(right, wrong, 1))
    assert message in str(error.value)


def test_every_verb_is_carried_out_by_somebody() -> None:
    assert set(VERBS) == set(get_args(cards.VERBS))
