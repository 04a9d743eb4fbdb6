"""Every hero, location and quest does what it says; what the rulebook's rules say of quests is in `test_quests`."""

from typing import Any

import pytest

from engine.games.dungeoneer import battle_facts, facts
from engine.games.dungeoneer.cards import deck
from engine.table import Table
from tests.engine.games.dungeoneer.sitting import act, do, found, hero, only, sit, state, words
from tests.engine.games.dungeoneer.test_cards import fight
from tests.engine.games.dungeoneer.test_quests import ROOMS

DECK = deck()


# Heroes ---------------------------------------------------------------------------------------------------------------


def test_hemp_heals_once_a_turn() -> None:
    table = sit({"hero": "hemp", "hp": 3, "glory": 9, "ap": 3}, {})
    act(table, 0, "ability")
    assert (hero(table).hp, hero(table).glory, hero(table).ap) == (4, 6, 2) and "ability" not in table.moves(0)
    assert "ability" not in sit({"hero": "hemp", "hp": 3, "glory": 9, "ap": 3, "down": True}, {}).moves(0)


def test_grog_leads_fiends_away_for_their_cost() -> None:
    table = sit({"hand": ["vat_horror"]}, {"hero": "grog", "peril": 2, "glory": 2}, phase="villainy", dice=[6, 1])
    do(table, 0, "group", "monster vat_horror 1 melee", "done")
    assert table.moves(1) == ["pass", "ability 1 ignore", "ability 1 hero 0"]
    told = act(table, 1, "ability 1 hero 0")
    assert hero(table, 1).glory == 0 and only(told, battle_facts.AttackRolled).on == "h0"
    assert not [word for word in fight_asked("ghoul_pack", "speed", hero="grog", glory=9) if word != "pass"]


def fight_asked(monster: str, form: str, **me: Any) -> list[str]:
    table = sit({"hand": [monster]}, {"peril": 9, "hand": ["fleet_foot"], **me}, phase="villainy", dice=[1, 6])
    do(table, 0, "group", f"monster {monster} 1 {form}", "done")
    return table.moves(1)


def test_varga_frightens_monsters_away_but_no_boss() -> None:
    table = sit({"hand": ["mutant_rat"]}, {"hero": "varga", "peril": 1, "glory": 3}, phase="villainy")
    do(table, 0, "group", "monster mutant_rat 1 melee", "done")
    act(table, 1, "ability 1")
    assert hero(table, 1).glory == 0 and state(table).discards["adventure"] == ["mutant_rat"]
    assert not [word for word in fight_asked("ramalit", "melee", hero="varga", glory=20) if word.startswith("ability")]


def test_amaura_steadies_a_check() -> None:
    table = sit({"hero": "amaura", "glory": 2, "ap": 2}, {}, map={"entrance": (0, 0), "bone_tunnel": (1, 0)}, dice=[1])
    do(table, 0, "move e")
    assert only(act(table, 0, "ability"), facts.Checked).more == 2


def test_tikk_goes_through_exits() -> None:
    map = {"entrance": (0, 0), "rat_run": (0, -1), "crossroads": (1, -1)}
    table = sit({"hero": "tikk", "glory": 1, "ap": 2, "at": "rat_run"}, {}, map=map)
    told = act(table, 0, "move e nimble")
    assert not found(told, facts.Checked) and only(told, facts.AbilityUsed).glory == 1


def test_ilvaro_throws_a_spark() -> None:
    table = sit({"hero": "ilvaro", "glory": 2, "ap": 2, "at": "crossroads"}, {"at": "crossroads"}, dice=[1, 6])
    assert only(act(table, 0, "attack 1 magic spark"), battle_facts.AttackRolled).more == 2


# Locations ------------------------------------------------------------------------------------------------------------


def there(place: str, **player: Any) -> Table:
    return sit({"at": place, "ap": 3, "hero": "hemp", **player}, {}, map=ROOMS)


def test_the_entrance_exchanges_a_quest_for_two_glory() -> None:
    table = sit({"glory": 2, "quests": ["blood_price"]}, {}, next_quests=["cage_mother"])
    told = act(table, 0, "exchange blood_price")
    assert hero(table).quests == ["cage_mother"] and hero(table).glory == 0 and state(table).gone == ["blood_price"]
    assert only(told, facts.QuestExchanged).drawn == "cage_mother"
    assert not words(sit({"glory": 2, "quests": ["blood_price"]}, {}, more_quests=False), 0, "exchange")


def test_the_portal_leads_to_grim_tunnels() -> None:
    table = there("portal")
    act(table, 0, "portal")
    assert hero(table).at == "gloom_tunnel" and hero(table).ap == 2  # the only one


@pytest.mark.parametrize(("die", "hp"), [(1, 4), (2, 5)])
def test_the_altar_heals_and_hurts_and_ends_the_phase(die: int, hp: int) -> None:
    table = sit({"at": "dark_altar", "ap": 2, "hero": "hemp", "hp": 4, "peril": 0}, {}, map=ROOMS, dice=[die])
    do(table, 0, "altar")
    assert table.moves(0) == ["hero 0", "hero 1"] and hero(table).peril == 3
    act(table, 0, "hero 0")
    assert hero(table).hp == hp and state(table).phase == "discard"


def test_the_altar_may_kill_a_monster_in_a_lair() -> None:
    table = sit({"at": "dark_altar", "ap": 2}, {"lair": ["mutant_rat", "ramalit"]}, map=ROOMS, dice=[1])
    do(table, 0, "altar")
    told = act(table, 0, "lair 1 1")
    assert [item.card for item in hero(table, 1).lair] == ["ramalit"] and not only(told, facts.LairChecked).passed


def test_the_treasury_gives_a_treasure_for_peril() -> None:
    table = there("treasury", hand=["chain_shirt", "battle_prayer", "whetstone"])
    assert words(table, 0, "free") == ["free chain_shirt"]
    act(table, 0, "free chain_shirt")
    assert hero(table).treasures[0].card == "chain_shirt" and hero(table).peril == 4 and not words(table, 0, "free")


def test_the_rotating_hall_turns_for_every_hero() -> None:
    table = there("crossroads")
    act(table, 0, "move n")
    assert state(table).spots["rotating_hall"].turned


def test_the_laboratory_heals_once_a_turn() -> None:
    table = there("laboratory", hp=2, glory=6)
    act(table, 0, "laboratory")
    assert (hero(table).hp, hero(table).glory, hero(table).ap) == (3, 4, 2) and "laboratory" not in table.moves(0)


def test_the_library_gives_a_card_for_another() -> None:
    table = there("library", hand=["parry", "banish"])
    do(table, 0, "library")
    assert len(hero(table).hand) == 3
    act(table, 0, "parry")
    assert "parry" not in hero(table).hand and "library" not in table.moves(0)


def test_the_chasm_hall_gets_a_bridge() -> None:
    map = {"entrance": (0, 0), "chasm_hall": (0, -1), "crossroads": (1, -1)}
    table = sit({"at": "chasm_hall", "ap": 3}, {}, map=map)
    act(table, 0, "bridge")
    assert "bridge" not in table.moves(0)
    told = act(table, 0, "move e")
    assert not found(told, facts.Checked) and hero(table).ap == 1


@pytest.mark.parametrize(
    ("place", "monster", "form"),
    [
        ("rat_run", "mutant_rat", "melee"),
        ("fiend_cages", "vat_horror", "melee"),
        ("wardens_post", "ghoul_pack", "speed"),
    ],
)
def test_a_place_that_helps_its_kind(place: str, monster: str, form: str) -> None:
    assert only(fight(monster, form, 1, 1, at=place, map=ROOMS)[1], battle_facts.AttackRolled).more == 1
    assert only(fight(monster, form, 1, 1)[1], battle_facts.AttackRolled).more == 0


PLAIN = ("crossroads", "dripping_passage", "rubble_crawl", "bent_gallery", "gloom_tunnel", "arsenal")
HAZARDS = {
    "weeping_tunnel": "danger 1",
    "bone_tunnel": "spikes 5",
    "blind_stair": "pit 5",
    "fiend_cages": "danger 1",
    "flooded_cistern": "pit 5",
    "hall_of_blades": "spikes 5",
}


def test_hazards_and_plain_locations() -> None:
    assert {name: card.hazard for name, card in DECK.locations.items() if card.hazard} == HAZARDS
    for name in PLAIN:
        card = DECK.locations[name]
        assert not (card.hazard or card.action or card.turns or card.helps or card.truce)


@pytest.mark.parametrize("place", HAZARDS)
def test_a_hazard_checks_who_enters(place: str) -> None:
    map = {"entrance": (0, 0), place: (0, -1)}
    if not any(door.kind != "wall" for door in [DECK.locations[place].doors[2]]):
        map[place] = (0, -1, 180)  # type: ignore[assignment]
    table = sit({"ap": 1, "hero": "grog"}, {}, map=map, dice=[1])
    told = act(table, 0, "move n")
    kind = HAZARDS[place].split()[0]
    assert [event.source for event in found(told, facts.Checked)] == ([] if kind == "danger" else [kind])


# Quests: the others are in test_quests --------------------------------------------------------------------------------


def test_the_deal_takes_a_treasure_or_glory() -> None:
    player = {"at": "portal", "quests": ["unseemly_deal"], "ap": 1, "glory": 5, "treasures": ["grapnel"]}
    table = sit(player, {}, map=ROOMS)
    assert words(table, 0, "attempt") == ["attempt unseemly_deal treasure grapnel", "attempt unseemly_deal payment"]
    act(table, 0, "attempt unseemly_deal treasure grapnel")
    assert not hero(table).treasures and hero(table).completed
    table = sit(player, {}, map=ROOMS)
    do(table, 0, "attempt unseemly_deal payment")
    assert (hero(table).glory, hero(table).ap, hero(table).peril) == (0, 0, 4)


def test_the_seal_silences_the_portal_even_before_it_is_laid() -> None:
    map = {"entrance": (0, 0), "gloom_tunnel": (0, -1)}
    table = sit(
        {"at": "gloom_tunnel", "quests": ["ramalits_seal"], "found": "ramalits_seal", "ap": 2, "hero": "ilvaro"},
        {},
        map=map,
        dice=[3],
        next_locations=["portal"],
    )
    act(table, 0, "attempt ramalits_seal")
    assert state(table).owing == ["portal"] and hero(table).level == 2
    while "portal" not in state(table).spots:
        table.play(table.waits[0], table.default(table.waits[0]), table.round, "00" * 16)
    assert state(table).spots["portal"].silenced


def test_d73_the_seal_is_found_one_location_away_from_the_entrance() -> None:
    """With 8 no die could find it on many maps; the crown keeps 8, since any tunnel will do."""
    table = sit(
        {"at": "gloom_tunnel", "quests": ["ramalits_seal", "buried_crown"], "ap": 2},
        {},
        map={"entrance": (0, 0), "crossroads": (0, -1), "gloom_tunnel": (0, -2)},
        dice=[6, 6],
    )
    told = act(table, 0, "search ramalits_seal", "search buried_crown")
    assert [(event.total, event.number, event.found) for event in found(told, facts.Searched)] == [
        (7, 7, True),
        (7, 8, False),
    ]


def test_a_failed_seal_brings_peril_to_the_hero_alone() -> None:
    table = sit(
        {"at": "gloom_tunnel", "quests": ["ramalits_seal"], "found": "ramalits_seal", "ap": 2},
        {"at": "gloom_tunnel"},
        map=ROOMS,
        dice=[1],
    )
    act(table, 0, "attempt ramalits_seal")
    assert [hero(table, seat).peril for seat in (0, 1)] == [2, 0]


def test_the_skins_bring_peril_to_all_who_are_there() -> None:
    table = sit({"at": "library", "quests": ["whispering_skins"], "ap": 2}, {"at": "library"}, map=ROOMS, dice=[1])
    act(table, 0, "attempt whispering_skins")
    assert [hero(table, seat).peril for seat in (0, 1)] == [1, 1]


def test_the_hunger_helps_fiends_and_costs_seven_glory() -> None:
    _, told = fight("vat_horror", "melee", 1, 1, quests=["hunger_of_the_fiends"])
    assert only(told, battle_facts.AttackRolled).more == 1
    table = sit({"at": "rotating_hall", "quests": ["hunger_of_the_fiends"], "glory": 7, "ap": 1}, {}, map=ROOMS)
    act(table, 0, "attempt hunger_of_the_fiends")
    assert hero(table).completed


@pytest.mark.parametrize(
    ("quest", "place", "goal"),
    [
        ("runaway_apprentice", "laboratory", "entrance"),
        ("lost_pilgrim", "flooded_cistern", "dark_altar"),
        ("signal_lantern", "crossroads", "hall_of_blades"),
    ],
)
def test_an_escort(quest: str, place: str, goal: str) -> None:
    map = {**{name: where for name, where in ROOMS.items() if name != "library"}, "flooded_cistern": (0, 1)}
    table = sit({"at": place, "quests": [quest], "ap": 1}, {}, map=map)
    act(table, 0, f"take {quest}")
    state(table).delvers[0].at = goal
    table = sit({"at": goal, "quests": [quest], "escorts": [quest], "ap": 1}, {}, map=map)
    act(table, 0, f"complete {quest}")
    assert hero(table).completed == [quest]


@pytest.mark.parametrize(("quest", "place"), [("cage_mother", "fiend_cages"), ("bone_warden", "wardens_post")])
def test_a_hunt_that_fails(quest: str, place: str) -> None:
    table = sit({"at": place, "quests": [quest], "ap": 0}, {}, map=ROOMS, dice=[6, 1])
    do(table, 0, f"attempt {quest}")
    told = act(table, 1, "melee")
    assert only(told, facts.Wounded).why == quest and not hero(table).completed
