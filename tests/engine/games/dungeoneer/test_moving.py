"""D-81 to D-90: exits, points, hazards, falling, transfers and forced moves."""

from typing import Any

import pytest

from engine.games.dungeoneer import facts
from engine.games.dungeoneer.face import summary
from engine.games.dungeoneer.forecast import forecast
from engine.games.dungeoneer.plan import Mind
from tests.engine.games.dungeoneer.sitting import act, asks, do, found, hero, only, sit, state, words

MAP = {
    "entrance": (0, 0), "crossroads": (0, -1), "bone_tunnel": (1, 0), "blind_stair": (0, 1, 180), "rat_run": (-1, 0),
    "weeping_tunnel": (-2, 0, 180), "gloom_tunnel": (1, -1), "dripping_passage": (-1, -1),
}  # fmt: skip
NEXT = {"rubble_crawl": (0, -1), "crossroads": (0, -2), "entrance": (0, 0)}


def test_d81_a_move_costs_an_ap_and_goes_through_a_passage() -> None:
    table = sit({"ap": 2, "at": "rat_run"}, {}, map=MAP)
    assert words(table, 0, "move") == ["move e", "move w"]  # in the north there is a wall on the other side
    act(table, 0, "move e")
    assert hero(table).ap == 1
    assert not words(sit({"ap": 2, "down": True}, {}, map=MAP), 0, "move")
    assert not words(sit({"ap": 0, "glory": 3, "hand": ["mend_flesh"], "hp": 2}, {}, map=MAP), 0, "move")


def test_d81_only_the_exit_that_is_left_matters() -> None:
    """The bone tunnel's north exit is a trap, the gloom tunnel's south exit is open."""
    table = sit({"ap": 3, "at": "gloom_tunnel", "hero": "tikk"}, {}, map=MAP, dice=[6] * 5)
    told = act(table, 0, "move s")
    assert [event.source for event in found(told, facts.Checked)] == ["spikes"]
    told = act(table, 0, "move n")
    assert [event.source for event in found(told, facts.Checked)] == ["exit"]


def test_d82_exit_ap_entry_points_hazard_and_the_text_of_the_location() -> None:
    spots = {"entrance": (0, 0), "rat_run": (0, -1), "rotating_hall": (1, -1)}
    table = sit({"ap": 2, "at": "rat_run", "hero": "varga"}, {}, map=spots, dice=[1])
    told = act(table, 0, "move e")
    kinds = [type(event).__name__ for event in told]
    order = [kinds.index(name) for name in ("Checked", "Wounded", "Moved", "Gained", "Turned")]
    assert order == sorted(order)


@pytest.mark.parametrize(("die", "hp"), [(1, 5), (2, 6)])
def test_d83_a_failed_trap_wounds_and_the_hero_leaves_all_the_same(die: int, hp: int) -> None:
    spots = {"entrance": (0, 0), "rat_run": (0, -1), "crossroads": (1, -1)}
    table = sit({"ap": 2, "at": "rat_run", "hero": "grog"}, {}, map=spots, dice=[die])  # T4 with speed 2
    told = act(table, 0, "move e")
    assert (only(told, facts.Checked).stat, hero(table).hp, hero(table).at) == ("speed", hp, "crossroads")


def test_d83_who_dies_of_it_dies_where_it_was() -> None:
    spots = {"entrance": (0, 0), "rat_run": (0, -1), "crossroads": (1, -1)}
    player = {"ap": 2, "at": "rat_run", "hp": 1, "quests": ["signal_lantern"], "escorts": ["signal_lantern"]}
    table = sit(player, {}, {}, map=spots, dice=[1])
    told = act(table, 0, "move e")
    assert only(told, facts.Defeated).at == "rat_run" == state(table).dropped[0].at


def blocked(*dice: int, other: Any = None, **player: Any) -> Any:
    return sit({"at": "rubble_crawl", "hero": "hemp", **player}, other or {}, map=NEXT, dice=dice)  # B5 with melee 2


def test_d84_a_blocked_exit_is_passed_or_forced_for_an_ap() -> None:
    table = blocked(3, ap=3)
    act(table, 0, "move n")
    assert (hero(table).at, hero(table).ap) == ("crossroads", 2)
    table = blocked(1, ap=3)
    act(table, 0, "move n")
    assert (hero(table).at, hero(table).ap) == ("crossroads", 1)


def test_d84_without_ap_the_exit_stays_open_for_the_next_turn() -> None:
    table = blocked(1, ap=1, glory=5, hand=["second_wind"])
    told = act(table, 0, "move n")
    assert only(told, facts.ExitOpened).side == "n" and hero(table).opened == "n"
    told = act(table, 0, "play second_wind", "move n")
    assert not found(told, facts.Checked) and hero(table).at == "crossroads" and hero(table).opened == ""


def test_d84_an_exit_that_one_hero_has_opened_is_open_for_all_until_that_hero_leaves() -> None:
    helper = {"at": "rubble_crawl", "opened": "n"}
    table = blocked(1, ap=2, other=helper)
    told = act(table, 0, "move n")
    assert not found(told, facts.Checked) and (hero(table).at, hero(table).ap) == ("crossroads", 1)
    assert hero(table, 1).opened == "n"  # it is still there
    table = blocked(1, ap=3, other=helper)
    state(table).delvers[1].at = "crossroads"
    state(table).delvers[1].opened = ""
    assert found(act(table, 0, "move n"), facts.Checked)


def test_d84_what_opens_exits_is_not_offered_where_one_is_open() -> None:
    tikk = {"hero": "tikk", "glory": 3, "treasures": ["grapnel"]}
    table = blocked(ap=2, **tikk)
    assert len(words(table, 0, "move n")) > 1
    closed = Mind(table.shared().public, table.own(0)).step_cost("rubble_crawl", "n", "crossroads")
    table = blocked(ap=2, **tikk, other={"at": "rubble_crawl", "opened": "n"})
    assert words(table, 0, "move n") == ["move n"]
    shared, own = table.shared(), table.own(0)
    foreseen = forecast(shared, own)
    assert foreseen.moves["move n"].risk is None and foreseen.walks["crossroads"].risks == ()
    (exit,) = [one for one in summary(shared).tiles if one.name == "rubble_crawl"]
    assert exit.doors[0].kind == "open"
    assert Mind(shared.public, own).step_cost("rubble_crawl", "n", "crossroads") < closed


def test_d85_points_for_each_location_that_is_new_in_this_turn() -> None:
    table = sit({"ap": 4, "hero": "tikk"}, {}, map=NEXT, dice=[6] * 5)
    told = act(table, 0, "move n", "move s", "move n")
    assert [(e.glory, e.peril) for e in found(told, facts.Gained)] == [(2, 1)]


@pytest.mark.parametrize(("die", "hp", "down"), [(1, 5, False), (6, 6, False)])
def test_d86_spikes_wound(die: int, hp: int, down: bool) -> None:
    table = sit({"ap": 2, "hero": "grog"}, {}, map=MAP, dice=[die])
    act(table, 0, "move e")
    assert (hero(table).hp, hero(table).down) == (hp, down)


def test_d86_pits_make_fall_and_danger_raises_the_numbers_of_traps() -> None:
    table = sit({"ap": 2, "hero": "grog"}, {}, map=MAP, dice=[1])
    told = act(table, 0, "move s")
    assert hero(table).down and only(told, facts.Checked).source == "pit"
    table = sit(
        {"hand": ["falling_block"]},
        {"peril": 2, "at": "weeping_tunnel"},
        map=MAP,
        phase="villainy",
        dice=[1],
    )
    told = act(table, 0, "group", "trap falling_block 1", "done")
    assert only(told, facts.Checked).number == 7 + 1


def test_d87_texts_with_may_are_deeds_without_a_number_as_often_as_one_likes() -> None:
    spots = {"entrance": (0, 0), "portal": (0, -1), "gloom_tunnel": (0, 1), "dark_altar": (-1, 0)}
    table = sit({"ap": 3, "at": "portal"}, {}, map=spots)
    assert words(table, 0, "portal") == ["portal"]
    state(table).delvers[0].used.append("portal")
    assert (
        words(
            sit(
                {"ap": 3, "glory": 9, "hp": 3, "at": "laboratory", "used": ["laboratory"]},
                {},
                map={"entrance": (0, 0), "laboratory": (0, -1)},
            ),
            0,
            "laboratory",
        )
        == []
    )


def test_d88_the_fallen_stand_up_for_an_ap_and_spend_none_otherwise() -> None:
    table = sit({"ap": 2, "down": True, "glory": 9, "hand": ["battle_prayer"], "hero": "hemp", "hp": 3}, {})
    assert not words(table, 0, "ability") and not words(table, 0, "explore") and words(table, 0, "play") != []
    act(table, 0, "stand")
    assert (hero(table).ap, hero(table).down) == (1, False)
    g = state(table)
    g.fall(0, "test")
    g.fall(0, "test")
    assert len(found(g.told, facts.Fell)) == 1


def test_d89_a_transfer_needs_no_exit_and_the_fallen_stay_fallen() -> None:
    spots = {"entrance": (0, 0), "rat_run": (0, -1), "library": (0, 1, 180), "arsenal": (-1, 0)}
    table = sit(
        {"ap": 2, "at": "arsenal", "down": True, "glory": 9, "hand": ["wall_walker"]},
        {},
        map={**spots, "arsenal": (-2, 0), "crossroads": (-1, 0)},
    )
    told = act(table, 0, "play wall_walker")
    assert hero(table).at == "library" and hero(table).down
    assert [event.why for event in found(told, facts.Gained)] == ["entry"]


def test_d90_a_forced_move_is_the_controllers_choice_and_brings_nothing_in_anothers_turn() -> None:
    table = sit({"hand": ["djanguba"]}, {"peril": 3, "hero": "ilvaro"}, map=MAP, phase="villainy", dice=[6, 1])
    do(table, 0, "group", "monster djanguba 1 melee", "done")
    assert asks(table) == "Forced" and table.moves(0) == ["n", "e", "s", "w"]
    told = act(table, 0, "e")
    assert hero(table, 1).at == "bone_tunnel" and not found(told, facts.Gained) and not found(told, facts.Checked)


def test_d90_in_its_own_turn_points_and_hazards_follow() -> None:
    table = sit(
        {"hand": ["djanguba"], "hero": "ilvaro"},
        {"peril": 3, "glory": 1, "hand": ["distracting_manoeuvre"]},
        map=MAP,
        phase="villainy",
        dice=[6, 1, 1],
    )
    do(table, 0, "group", "monster djanguba 1 melee", "done")
    do(table, 1, "play distracting_manoeuvre 1 hero 0")
    told = act(table, 0, "e")
    assert hero(table).at == "bone_tunnel" and hero(table).moved
    assert [event.why for event in found(told, facts.Gained)][:1] == ["entry"] and found(told, facts.Checked)
