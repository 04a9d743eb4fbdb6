"""Who takes a seat in a running game sees and plays nothing there before the next reveal."""

import pytest

from app.table import actions as do
from app.table.codes import mark
from app.table.events import History
from app.table.picture import Picture, draw
from tests.app.tables import Log

pytestmark = pytest.mark.usefixtures("tiny")


def seated(log: Log, n: int) -> tuple[str, bool, bool]:
    seat = log.sitting.seats[n]
    return seat.name, bool(seat.bot), seat.newcomer


def picture(log: Log) -> Picture:
    return draw(log.sitting, History())


def reveal(log: Log, *seats: int) -> None:
    """The bots of these seats hand in."""
    assert log.sitting.table is not None
    round = log.sitting.table.round
    for seat in seats:
        while log.sitting.table.round == round and seat in log.sitting.table.waits:
            log("", do.PlayFor(seat, round, log.sitting.table.moves(seat)[0], "bot"))


def lay(log: Log, person: str) -> None:
    for word in ("hide", "north"):
        log(person, do.Play(1, word))


def test_the_host_frees_a_seat_and_takes_it_with_another_browser() -> None:
    log = Log("dark", 2)
    log("bo", do.Play(1, "walk"))
    log("bo", do.Play(1, "south"))
    log("ada", do.Free(1))
    log("eve", do.Sit("Eve", 1))
    assert seated(log, 1) == ("Eve", True, True)
    shown = picture(log)
    assert shown.own(1) is None and shown.own_of_bot(1).ready
    me = shown.me("eve")
    assert (me.seat, me.newcomer, me.can_take, me.held) == (None, 1, (), None)
    assert shown.card.seats[1].newcomer and not shown.card.seats[1].stand_in
    for action in (do.Undo(1), do.Play(1, "walk"), do.StepBack(1), do.Order("")):
        assert log.refused("eve", action) == "newcomer"
    log("eve", do.Here())
    assert seated(log, 1) == ("Eve", True, True), "who acts is not put in place of the bot"
    lay(log, "ada")
    assert seated(log, 1) == ("Eve", False, False)
    shown = picture(log)
    own = shown.own(1)
    assert own is not None and own.draft == () and shown.me("eve").seat == 1
    log("eve", do.Play(2, "walk"))


def test_a_bots_seat_as_well_and_a_newcomer_who_leaves_has_seen_nothing() -> None:
    log = Log("dark")
    for _ in range(2):
        log("ada", do.AddBot())
    log("ada", do.Start())
    log("cy", do.Sit("Cy", 1))
    assert log.sitting.saved.announcements[-1].by == ""
    log("cy", do.Leave())
    assert seated(log, 1) == ("Cy", True, False)
    log("cy", do.Sit("Cy", 1))
    assert log.sitting.seats[1].newcomer, "to leave and to come again is no way in"
    log("cy", do.Leave())
    log("cy", do.Sit("Cyril", 2))
    assert seated(log, 2) == ("Cyril", True, True)
    log("cy's phone", do.Device(2, "link"))
    log("cy's phone", do.Leave())
    log("cy's phone", do.Sit("Cy", 1))
    assert log.sitting.seats[1].newcomer


def test_who_held_the_seat_before_has_it_at_once() -> None:
    log = Log("dark", 3)
    log("ada", do.Free(1))
    log("", do.PlayFor(1, 1, "walk", "bot"))
    log("bo", do.Sit("Bo", 1))
    assert seated(log, 1) == ("Bo", False, False) and not log.sitting.saved.announcements[-1].bot
    log("bo", do.Undo(1))


def test_a_newcomer_who_is_away_at_the_reveal_is_played_on() -> None:
    log = Log("dark", 2)
    log("bo", do.Leave())
    log("eve", do.Sit("Eve", 1))
    log("", do.Away(1))
    reveal(log, 1)
    lay(log, "ada")
    assert seated(log, 1) == ("Eve", True, False) and picture(log).card.seats[1].stand_in
    log("", do.Back(1))
    assert seated(log, 1) == ("Eve", False, False)
    other = Log("dark", 2)
    other("bo", do.Leave())
    other("eve", do.Sit("Eve", 1))
    other("", do.Away(1))
    other("", do.Back(1))
    assert seated(other, 1) == ("Eve", True, True), "to come back is not yet to see"


def test_a_game_that_ends_without_a_reveal_opens_the_seat_too() -> None:
    log = Log("bids", 2)
    for person in ("ada", "bo"):
        log(person, do.Play(1, "1" if person == "bo" else "2"))
        log(person, do.Play(1, "no bluff"))
    log("ada", do.Leave())
    log("eve", do.Sit("Eve", 0))
    log("bo", do.Play(2, "1"))
    log("bo", do.Play(2, "give up"))
    assert log.sitting.phase == "over" and not log.sitting.seats[0].newcomer


def test_a_newcomer_may_be_the_host_and_bots_go_on() -> None:
    log = Log("dark")
    log("ada", do.AddBot())
    log("ada", do.Start())
    log("ada", do.Leave())
    log("eve", do.Sit("Eve", 0))
    assert log.sitting.is_host("eve") and log.sitting.bots_to_move() == (0, 1)
    log("eve", do.Timer(30))
    reveal(log, 0, 1)
    assert log.sitting.bots_to_move() == (1,) and picture(log).me("eve").seat == 0


def test_a_link_to_another_device_leads_to_the_seat_of_who_made_it() -> None:
    """Not to whoever has the seat with its number by then."""
    log = Log("dark")
    log("bo", do.Sit("Bo", seat=3))
    log("cy", do.Sit("Cy", seat=2))
    log("ada", do.Start())
    log("bo's phone", do.Device(3, "link", mark("bo")))
    assert log.sitting.seat_of("bo's phone") == log.sitting.seat_of("bo") == 2
    log("ada", do.Free(2))
    log("eve", do.Sit("Eve", 2))
    assert log.refused("bo's watch", do.Device(2, "other link", mark("bo"))) == "link_spent"
