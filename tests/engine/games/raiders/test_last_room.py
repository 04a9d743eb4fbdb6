"""How the game may end for a player who lays a card in the last room."""

from engine.games.raiders.last_room import Score, finish, prospects
from engine.games.raiders.positions import Place
from engine.games.raiders.view import public
from engine.table import Table
from tests.engine.games.raiders.sitting import at, before_boss, first, lay, raider, state_of


def before_wolves() -> Table:
    """Strength 11 for three, 2 wounds for the lowest."""
    heroes = [
        Place(coins=12, wounds=3, hand="5"),
        Place(coins=9, wounds=4, hand="15"),
        Place(coins=7, wounds=5, hand="1"),
    ]
    return before_boss("wolf_pack", heroes)


def of(table: Table, seat: int, card: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The ends if the boss falls, and the others."""
    found = finish(public(state_of(table)), seat, card)
    assert found is None or set(found.ends) == {*found.if_it_falls, *found.if_not}
    return (found.if_it_falls, found.if_not) if found else None


def test_whoever_has_the_most_wounds_is_out_though_the_boss_falls() -> None:
    heroes = [Place(coins=12, wounds=5, hand="5"), Place(coins=9, hand="5"), Place(coins=3, wounds=3, hand="5")]
    table = before_boss("vampire", heroes)  # strength 14 for three
    assert [of(table, seat, "5") for seat in range(3)] == [(("out",), ()), (("wins",), ()), (("loses",), ())]


def test_what_the_boss_does_to_others_counts() -> None:
    table = before_wolves()
    assert of(table, 1, "5") == (("loses",), ())
    assert of(table, 1, "1") == ((), ("loses",))
    assert of(table, 2, "1") == (("out",), ("out",))


def test_only_in_the_last_room_and_not_alone() -> None:
    assert of(at("troll", 3, floor=5, place=4), 0, "5") is None
    assert of(first("troll", [raider()], floor=5, place=5), 0, "5") is None


def test_cards_that_lie_open_are_known() -> None:
    heroes = [Place(coins=1, hand="5"), Place(coins=5, hand="15"), Place(coins=9, hand="15")]
    table = before_boss("medusa", heroes, play="open")  # strength 11 for three; the attacked are out
    assert of(table, 0, "5") == (("loses",), ("wins",))
    lay(table, "5", "1")
    assert of(table, 2, "5") == (("wins",), ())
    assert of(table, 2, "1") == ((), ("out",))


def test_how_the_game_ends_for_everybody_by_whether_the_boss_falls() -> None:
    table = before_wolves()
    falls, stands = prospects(public(state_of(table)))
    assert (falls.if_it_falls, falls.wins, falls.out, falls.may_win, falls.may_be_out) == (True, (0,), (2,), (), ())
    assert (stands.if_it_falls, stands.wins, stands.out, stands.by_wounds) == (False, (0,), (2,), True)


def test_what_is_open_is_told_as_open() -> None:
    heroes = [Place(coins=1, hand="5"), Place(coins=5, hand="13"), Place(coins=9, hand="13")]
    table = before_boss("medusa", heroes)  # strength 11 for three; the attacked are out
    falls, stands = prospects(public(state_of(table)))
    assert falls.wins == (2,) and not falls.out and not falls.may_be_out
    assert not stands.wins and not stands.out and stands.may_be_out == (1, 2) and not stands.by_wounds
    assert set(stands.may_win) == {0, 1, 2}
    assert not stands.forced and stands.scores[2] == Score(9, 0)


def test_one_prospect_where_nothing_can_fall_and_none_before() -> None:
    (only,) = prospects(public(state_of(before_boss("megadragon", [Place(coins=n, hand="5") for n in range(3)]))))
    assert only.if_it_falls is None and only.wins == (2,)
    assert only.forced and only.scores == tuple(Score(n, 3) for n in range(3))
    assert prospects(public(state_of(at("troll", 3, floor=5, place=4)))) == ()
    assert prospects(public(state_of(first("troll", [raider()], floor=5, place=5)))) == ()
