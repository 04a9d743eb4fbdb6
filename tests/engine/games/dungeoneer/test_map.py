"""D-27 to D-35: where locations lie, and how they are laid, shifted and turned."""

import pytest

from engine.games.dungeoneer import facts
from engine.games.dungeoneer.cards import SIDES
from engine.games.dungeoneer.grid import Fit, Spot, distances, exit_of, passages, separation, shifts
from tests.engine.games.dungeoneer.sitting import act, asks, do, found, hero, only, sit, state, words

CROSS = {"entrance": Spot(0, 0), "crossroads": Spot(0, -1)}


def fits(card: str, x: int, y: int, turned: bool = False, more: bool = True) -> str:
    return Fit(CROSS, more).misfit(card, (x, y), turned)


def test_d27_a_card_lies_in_one_cell_straight_or_turned_by_180() -> None:
    turned = {"dripping_passage": Spot(0, 0, True)}
    assert [exit_of(turned, "dripping_passage", side).kind for side in SIDES] == ["wall", "open", "open", "open"]
    table = sit({}, {}, phase="locations", next_locations=["arsenal"])
    assert {word.split()[2] for word in table.moves(0)} == {"0", "180"}


def test_d28_a_passage_needs_an_exit_on_both_sides() -> None:
    spots = {
        name: Spot(x, y)
        for name, x, y in [
            ("entrance", 0, 0),
            ("bent_gallery", 0, 1),
            ("dripping_passage", 1, 0),
            ("blind_stair", -1, 0),
        ]
    }
    assert passages(spots, "entrance") == {"e": "dripping_passage", "w": "blind_stair"}


def test_d29_exits_meet_exits_and_walls_meet_walls() -> None:
    assert fits("bent_gallery", 0, 1) == "wall" and fits("bent_gallery", 0, 1, turned=True) == ""
    walls = {"entrance": Spot(0, 0), "laboratory": Spot(0, -1), "library": Spot(-1, 0)}
    assert (
        Fit(walls, True).misfit("blind_stair", (-1, -1), True) == "wall"
    )  # its exit would meet a wall of the laboratory
    walls = {"entrance": Spot(0, 0), "laboratory": Spot(0, -1), "dripping_passage": Spot(-1, 0)}
    assert Fit(walls, True).misfit("weeping_tunnel", (-1, -1), False) == ""  # its wall meets one


def test_d30_a_card_is_joined_by_a_passage() -> None:
    assert fits("rat_run", 5, 5) == "apart" and fits("rat_run", 0, 0) == "taken"
    assert fits("rat_run", 1, 0) == ""


def test_d31_an_exit_stays_open_while_cards_remain() -> None:
    closed = Fit(
        {"entrance": Spot(0, 0), "rat_run": Spot(1, -1), "crossroads": Spot(-1, -1), "gloom_tunnel": Spot(0, -2)}, True
    )
    closed.ends = {(0, -1): 4}  # as if everything else were closed
    assert closed.misfit("hall_of_blades", (0, -1), False) == "closes"
    closed.more = False  # the last card may close the map
    assert closed.misfit("hall_of_blades", (0, -1), False) == ""


def test_d32_what_does_not_fit_goes_to_the_bottom_and_the_ap_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The printed cards fit nearly always, so some are made not to."""
    places = Fit.places
    never = {"arsenal", "portal"}
    monkeypatch.setattr(Fit, "places", lambda fit, card: [] if card in never else places(fit, card))
    table = sit({"ap": 2}, {}, next_locations=["arsenal", "portal", "library"], more_locations=False)
    told = do(table, 0, "explore")
    assert [event.location for event in found(told, facts.NotFitting)] == ["arsenal", "portal"]
    assert asks(table) == "Lay" and hero(table).ap == 1
    assert table.shared().public.bottom == ("arsenal", "portal")
    never.add("library")
    table = sit({"ap": 2}, {}, next_locations=["arsenal", "library"], more_locations=False)
    told = do(table, 0, "explore")
    assert [event.location for event in found(told, facts.LocationDrawn)] == ["arsenal", "library"]
    assert hero(table).ap == 2 and state(table).unlaid == ["arsenal", "library"] and asks(table) == "Deeds"


def test_d33_a_shift_keeps_every_location_joined() -> None:
    spots = {"entrance": Spot(0, 0), "crossroads": Spot(0, -1), "rat_run": Spot(0, -2)}
    cells = set(shifts(spots, "rat_run", True))
    assert (1, 0) in cells and (0, -2) not in cells
    assert not list(shifts(spots, "crossroads", True))  # the rat run would lose its way, but where it joins both
    table = sit({"at": "crossroads", "hand": ["sliding_floor"]}, {"peril": 2}, phase="villainy")
    told = act(table, 0, "play sliding_floor 1", "crossroads 1 -1")
    assert only(told, facts.Shifted).location == "crossroads"
    assert hero(table).at == "crossroads" and not found(told, facts.Moved) and not found(told, facts.Gained)
    assert not words(table, 0, "entrance")


def test_d34_a_turning_location_ignores_its_neighbours() -> None:
    spots = {"entrance": (0, 0), "rotating_hall": (0, -1), "blind_stair": (1, -1, 180)}
    table = sit({"hero": "tikk"}, {}, map=spots)
    act(table, 0, "move n")
    assert state(table).spots["rotating_hall"].turned
    cut = {"entrance": Spot(0, 0), "bent_gallery": Spot(0, 1)}
    assert separation(cut, "bent_gallery", "entrance") == 0 and "bent_gallery" not in distances(cut, "entrance")


def test_d35_a_deactivation_token_silences_the_text() -> None:
    spots = {"entrance": (0, 0), "portal": (0, -1), "gloom_tunnel": (0, 1)}
    assert "portal" in sit({"at": "portal"}, {}, map=spots).moves(0)
    table = sit({"at": "portal"}, {}, map=spots, tokens={"portal": "deactivation"})
    assert "portal" not in table.moves(0) and "move s" in table.moves(0)
