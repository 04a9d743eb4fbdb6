"""Who has lost a seat to somebody who asked for it takes it back by coming back."""

import pytest

from app.table import actions as do
from app.table.codes import mark
from app.table.events import History
from app.table.picture import Picture, draw
from app.table.seats import REST
from tests.app.tables import Log

pytestmark = pytest.mark.usefixtures("tiny")


def picture(log: Log) -> Picture:
    return draw(log.sitting, History())


def claim(log: Log, person: str, seat: int, agrees: str, at: float) -> None:
    """This person is granted the seat, whose person has been away for long."""
    log("", do.Away(seat), at=at)
    log("", do.LongAway(seat), at=at + REST)
    log(person, do.Claim(seat, person.title()), at=at + REST)
    log(agrees, do.Agree(), at=at + REST)
    log("", do.Grant(seat), at=at + REST + 60)


def reveal(log: Log, *bots: int) -> None:
    """Everybody hands in, these seats by their bots."""
    table = log.sitting.table
    assert table is not None
    for seat in table.waits:
        for word in ("walk", "south"):
            if seat in bots:
                log("", do.PlayFor(seat, table.round, word, "bot"))
            else:
                log(log.sitting.seats[seat].holders[0], do.Play(table.round, word))


@pytest.mark.parametrize("seats", [2, 3])
def test_before_the_reveal_as_if_nothing_had_been(seats: int) -> None:
    log = Log("dark", seats)
    log("bo", do.Play(1, "walk"))
    claim(log, "eve", 1, "ada", 100)
    me = picture(log).me("bo")
    assert (me.seat, me.lost, me.held) == (None, 1, 1) and picture(log).me("eve").newcomer == 1
    log("bo", do.Return())
    seat = log.sitting.seats[1]
    assert (seat.name, seat.holders, seat.bot, seat.newcomer, seat.formers) == ("Bo", ["bo"], "", False, [])
    told = log.sitting.saved.announcements[-1]
    assert (told.kind, told.name, told.by) == ("returned", "Bo", "Eve")
    assert log.refused("eve", do.Play(1, "walk")) == "no_seat" and log.refused("bo", do.Return()) == "no_seat"
    own = picture(log).own(1)
    assert own is not None and own.draft == ("walk",)
    log("bo", do.Play(1, "south"))
    assert picture(log).me("eve").held is None, "who has seen nothing may sit elsewhere"


def test_after_the_reveal_the_hand_at_once_and_the_other_sees_nothing_of_it() -> None:
    log = Log("dark", 3)
    claim(log, "eve", 1, "ada", 100)
    reveal(log, 1)
    log("eve", do.Play(2, "walk"))
    log("eve's phone", do.Device(1, "link", mark("eve")))
    log("bo", do.Return())
    shown = picture(log)
    assert shown.me("bo").seat == 1 and shown.own(1) is not None
    for person in ("eve", "eve's phone"):
        me = shown.me(person)
        assert (me.seat, me.newcomer, me.lost, me.held, me.can_take) == (None, None, None, 1, ())
        assert log.refused(person, do.Undo(2)) == "no_seat"
    assert log.refused("eve", do.Sit("Eve", 0)) == "taken"
    assert log.refused("eve's watch", do.Device(1, "other", mark("eve"))) == "link_spent"
    log("bo", do.Undo(2))


def test_all_devices_of_the_seat_come_back_and_the_host_is_the_host_again() -> None:
    log = Log("dark", 3)
    log("bo's phone", do.Device(1, "link", mark("bo")))
    log("ada", do.Leave())
    claim(log, "eve", 1, "cy", 100)
    log("cy", do.Leave())
    assert log.sitting.is_host("eve")
    log("fay", do.Sit("Fay", 0))
    log("bo's phone", do.Return())
    assert log.sitting.seats[1].holders == ["bo", "bo's phone"]
    assert log.sitting.is_host("bo") and not log.sitting.is_host("eve") and not log.sitting.is_host("fay")


def test_for_as_long_as_the_table_lives() -> None:
    log = Log("counting", 2)
    claim(log, "eve", 1, "ada", 100)
    while log.sitting.phase == "playing":
        table = log.sitting.table
        assert table is not None
        log("", do.PlayFor(table.waits[0], table.round, table.moves(table.waits[0])[0], "bot")) if (
            log.sitting.seats[table.waits[0]].bot
        ) else log(log.sitting.seats[table.waits[0]].holders[0], do.Play(table.round, table.moves(table.waits[0])[0]))
    assert picture(log).me("bo").lost == 1
    log("ada", do.Rematch())
    log("ada", do.Start())
    log("eve", do.Leave())
    assert picture(log).me("bo").lost == 1, "the next game, and a bot has the seat"
    log("fay", do.Sit("Fay", 1))
    log("bo", do.Return())
    assert log.sitting.seats[1].holders == ["bo"] and not log.sitting.seats[1].newcomer
    assert log.sitting.saved.held["bo"] == 1 and log.sitting.saved.announcements[-1].by == "Fay"


def test_in_a_lobby_with_a_deal_that_was_begun() -> None:
    log = Log("counting")
    log("bo", do.Sit("Bo"))
    while picture(log).open_in_lobby:
        log("ada", do.AddBot())
    claim(log, "eve", 1, "ada", 100)
    log("eve", do.Pledge("0" * 64))
    log("ada", do.Start())
    assert picture(log).card.dealing
    log("bo", do.Return())
    shown = picture(log)
    assert not shown.card.dealing and shown.card.phase == "lobby", "Eve's numbers do not come"
    assert not shown.card.seats[1].pledge and shown.card.seats[1].name == "Bo"


def test_of_several_the_one_before_comes_first() -> None:
    log = Log("dark", 3)
    claim(log, "eve", 1, "ada", 100)
    claim(log, "fay", 1, "ada", 2000)
    assert [former.name for former in log.sitting.seats[1].formers] == ["Eve", "Bo"]
    log("eve", do.Return())
    assert picture(log).me("fay").lost is None and picture(log).me("bo").lost == 1
    log("bo", do.Return())
    assert log.sitting.seats[1].holders == ["bo"] and picture(log).me("eve").lost is None


def test_who_sits_down_elsewhere_gives_it_up() -> None:
    log = Log("counting", 2)
    claim(log, "eve", 1, "ada", 100)
    while log.sitting.phase == "playing":
        table = log.sitting.table
        assert table is not None
        seat = table.waits[0]
        if log.sitting.seats[seat].bot:
            log("", do.PlayFor(seat, table.round, table.moves(seat)[0], "bot"))
        else:
            log(log.sitting.seats[seat].holders[0], do.Play(table.round, table.moves(seat)[0]))
    log("ada", do.Rematch())
    log("bo", do.Sit("Bo"))
    assert picture(log).lost == {} and log.refused("bo", do.Return()) == "no_seat"


def test_a_host_with_a_second_browser_keeps_no_seat_that_was_freed_in_absence() -> None:
    log = Log("dark", 2)
    log("", do.Away(1))
    log("ada", do.Free(1))
    log("eve", do.Sit("Eve", 1))
    reveal(log, 1)
    assert picture(log).me("eve").seat == 1
    log("ada", do.Lock())
    log("bo", do.Return())
    assert picture(log).me("bo").seat == 1 and picture(log).me("eve").seat is None
    log("ada", do.Free(1))
    assert log.refused("bo", do.Return()) == "no_seat", "who is present has lost it"


def test_who_left_or_was_freed_has_given_it_up() -> None:
    log = Log("dark", 3)
    log("bo", do.Leave())
    log("eve", do.Sit("Eve", 1))
    log("ada", do.Free(2))
    log("fay", do.Sit("Fay", 2))
    assert picture(log).lost == {}
