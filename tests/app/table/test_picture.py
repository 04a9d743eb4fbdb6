"""Pictures: one made from the one before shows the same as one made from scratch, and a picture never changes."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from app.house.open_table import encode_sitting, read_saved
from app.refusals import Refusal
from app.table import actions as do
from app.table.events import History
from app.table.picture import Picture, draw
from app.table.sitting import Sitting
from engine.bots import bots_of
from engine.proof import canonical
from tests.app.tables import PEOPLE, Log
from tests.engine.tiny import TINY

pytestmark = pytest.mark.usefixtures("tiny")

EVERYBODY = (*PEOPLE, "phone", "stranger", "")


def shown(picture: Picture) -> bytes:
    """Everything that a picture shows to anybody, including bots and deadlines."""
    seats = range(len(picture.card.seats))
    waiting = [seat for seat in seats if picture.waits_for(seat)]
    return canonical(
        [
            [picture.card, picture.game.key, picture.version, picture.seq, picture.at, picture.ends_at],
            [picture.seats_to_be, picture.round, waiting, list(picture.bots_to_move), picture.people_asked()],
            [picture.shared, picture.shared_without_answers, [picture.own(seat) for seat in (None, *seats)]],
            [list(picture.events), list(picture.reveal), picture.reveal.after],
            [picture.me(person, "Someone") for person in EVERYBODY],
            [sorted(picture.holders(seat)) for seat in seats],
            [picture.default(seat) for seat in waiting],
        ]
    )


def made_anew(sitting: Sitting, history: History) -> bytes:
    """What a picture of this sitting shows if it is restored from its saved form, sharing nothing with other
    pictures."""
    return shown(draw(Sitting.restore(read_saved(encode_sitting(sitting))), history))


# random actions -------------------------------------------------------------------------------------------------------


def in_the_lobby(sitting: Sitting, luck: Random) -> Iterator[tuple[str, do.Action]]:
    host, seat = sitting.saved.host, luck.randrange(len(sitting.seats))
    person = luck.choice(EVERYBODY)
    yield person, do.Sit(luck.choice(["Ann", "Bob", "<b>"]), luck.choice([None, seat]), luck.choice(["", "ab"]))
    yield person, do.Ready(luck.random() < 0.5)
    yield person, do.Salt("cd")
    option = luck.choice([option for option in sitting.game.options] or [None])
    if option is not None:
        yield host, do.Options({option.key: luck.choice(option.choices).value})
    yield host, do.ChangeGame(sitting.saved.game)
    yield host, do.AddBot(luck.choice(["", *bots_of(sitting.game)]), luck.choice([None, seat]))
    if luck.random() < 0.3:
        yield host, do.Start()


def in_play(sitting: Sitting, luck: Random) -> Iterator[tuple[str, do.Action]]:
    table, seat = sitting.table, luck.randrange(len(sitting.seats))
    assert table is not None
    holders = sitting.seats[seat].holders
    person = luck.choice(holders) if holders else ""
    words = [*table.moves(seat), *table.anytime(seat)]
    for _ in range(4):  # more often than the other actions
        if words and person:
            yield person, do.Play(table.round, luck.choice(words))
        elif words:
            yield "", do.PlayFor(seat, table.round, luck.choice(words), luck.choice(["bot", "bot", "time"]))
    yield person, do.Undo(table.round)


def at_any_time(sitting: Sitting, luck: Random) -> Iterator[tuple[str, do.Action]]:
    person, seat, host = luck.choice(EVERYBODY), luck.randrange(len(sitting.seats)), sitting.saved.host
    yield person, do.Name(luck.choice(["Ann", "Cyd"]))
    yield person, do.Leave()
    yield person, do.Sit("Back", seat)
    yield person, do.StandIn(seat)
    yield person, luck.choice([do.Claim(seat, "Eva"), do.Claim(seat, "Eva"), do.Object(), do.Here(), do.Agree()])
    if sitting.saved.claim is not None:
        yield "", do.Grant(sitting.saved.claim.seat)
    yield "", do.Away(seat)
    yield "", do.Back(seat)
    yield "", do.LongAway(seat)
    yield person, do.Return()
    yield host, do.Silence(luck.random() < 0.5)
    yield "phone", do.Device(seat)
    yield host, do.Free(seat)
    yield host, do.Lock(luck.random() < 0.3)
    yield host, do.Timer(luck.choice([0, 30]))
    yield host, do.Rematch()
    yield host, do.ChangeGame(luck.choice(["counting", "dark", "raiders"]))


def step(log: Log, luck: Random) -> list[Any] | None:
    """The events of one random action; None if it was refused."""
    sitting = log.sitting
    phase: Callable[..., Iterator[tuple[str, do.Action]]] = {"lobby": in_the_lobby, "playing": in_play}.get(
        sitting.phase, at_any_time
    )
    chosen = at_any_time if luck.random() < 0.15 else phase
    person, action = luck.choice(list(chosen(sitting, luck)))
    late = sitting.saved.ends_at if luck.random() < 0.3 else None
    try:
        return log(person, action, max(late, sitting.saved.at) if late else None)
    except Refusal:
        return None


# the property ---------------------------------------------------------------------------------------------------------


def revisions(of: Sitting | Picture) -> tuple[int, int, int]:
    return of.seats_revision, of.events_revision, of.ready_revision


def expected_growth(before: Sitting, after: Sitting, has_events: bool, action: do.Action) -> tuple[bool, bool, bool]:
    """Which revisions this entry should increase, according to the docstring of `Sitting`."""
    seats = not isinstance(action, do.Play | do.PlayFor | do.Undo) or after.phase != before.phase
    seats |= (after.saved.claim, after.saved.reminded) != (before.saved.claim, before.saved.reminded)
    seats |= any(seat.newcomer for seat in before.seats) and not any(seat.newcomer for seat in after.seats)
    ready = [sitting.table.secrets.keys() if sitting.table else set() for sitting in (before, after)]
    return seats, seats or has_events, seats or has_events or ready[0] != ready[1]


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", [*TINY, "raiders", "scrawl"])
def test_a_picture_made_from_the_one_before_shows_the_same_as_one_made_anew(game: str, seed: int) -> None:
    luck, log = Random(f"{game} {seed}"), Log(game)
    history = History()
    picture = draw(log.sitting, history)
    then = [(picture, made_anew(log.sitting, history))]
    phases = set()
    for _ in range(5000):
        before, entries = log.sitting, len(log.entries)
        events = step(log, luck)
        if events is None:
            continue
        after, action = log.sitting, log.entries[entries].action
        phases.add(after.phase)
        if after.saved.began != before.saved.began:
            history = History()
        if events:
            history = history.add(canonical(events).decode())
        growth = expected_growth(before, after, bool(events), action)
        for grows, old, new in zip(growth, revisions(before), revisions(after), strict=True):
            assert new == (after.seq if grows else old), action
        if luck.random() < 0.3:
            continue  # several entries make one commit
        last, picture = picture, draw(after, history, picture)
        then.append((picture, made_anew(after, history)))
        assert revisions(picture) == revisions(after)
        if luck.random() < 0.5:  # own views are also made late, after later pictures
            assert shown(picture) == then[-1][1]
        check_revisions(last, picture)
    for picture, what in then:
        assert shown(picture) == what
    assert phases == {"lobby", "playing", "over"}


def check_revisions(last: Picture, picture: Picture) -> None:
    """While a revision stays the same, what it stands for is the same object. Pages rely on it."""
    assert all(before <= now for before, now in zip(revisions(last), revisions(picture), strict=True))
    assert revisions(picture) == tuple(sorted(revisions(picture)))
    assert revisions(picture)[-1] <= picture.seq > last.seq
    if last.seats_revision == picture.seats_revision:
        assert picture.card is last.card
        assert [picture.me(person) for person in EVERYBODY] == [last.me(person) for person in EVERYBODY]
    if last.events_revision == picture.events_revision:
        assert picture.shared_without_answers is last.shared_without_answers
        assert (picture.version, picture.reveal.after) == (last.version, last.reveal.after)
    if last.ready_revision == picture.ready_revision:
        assert picture.shared is last.shared


# the viewer -----------------------------------------------------------------------------------------------------------


def seats(log: Log) -> list[tuple[str, str]]:
    """Kind and name of each seat, with its flags."""
    card = draw(log.sitting, History()).card
    marks = ("ready", "away", "host", "stand_in", "left")
    return [(one.kind, " ".join([one.name, *(m for m in marks if getattr(one, m))])) for one in card.seats]


def test_what_a_card_says_of_seats() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    log("ada", do.AddBot())
    log("bo", do.Ready())
    assert seats(log) == [("person", "Ada host"), ("person", "Bo ready"), ("bot", "Wick ready"), ("free", "")]
    log("ada", do.Start())
    log("", do.Away(1))
    log("ada", do.StandIn(1))
    assert seats(log) == [("person", "Ada host"), ("person", "Bo ready away stand_in"), ("bot", "Wick ready")]
    log("bo", do.Leave())
    assert seats(log) == [("person", "Ada host"), ("bot", "Bo ready left"), ("bot", "Wick ready")]


def can_take(log: Log, person: str) -> tuple[int, ...]:
    return draw(log.sitting, History()).me(person).can_take


def test_which_seats_one_could_take() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    assert (can_take(log, "ada"), can_take(log, "cy"), can_take(log, "")) == ((), (2, 3), (2, 3))
    log("ada", do.AddBot())
    log("ada", do.Lock())
    assert can_take(log, "cy") == ()
    log("ada", do.Lock(False))
    log("ada", do.Start())
    log("bo", do.Leave())
    # A person who has held a seat knows its cards and may take no other.
    assert (can_take(log, "bo"), can_take(log, "cy"), can_take(log, "")) == ((1,), (1, 2), (1, 2))
    while log.sitting.phase == "playing":
        assert log.sitting.table is not None
        seat, round = log.sitting.table.waits[0], log.sitting.table.round
        word = log.sitting.table.default(seat)
        log("ada" if seat == 0 else "", do.Play(round, word) if seat == 0 else do.PlayFor(seat, round, word, "bot"))
    assert can_take(log, "bo") == can_take(log, "cy") == ()


def test_a_viewer_is_found_by_seat_device_and_host() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    log("phone", do.Device(0))
    picture = draw(log.sitting, History())
    me = [picture.me(person, "Di") for person in ("ada", "phone", "bo", "di", "")]
    assert [(one.seat, one.host, one.name, one.person) for one in me] == [
        (0, True, "Ada", True),
        (0, True, "Ada", True),
        (1, False, "Bo", True),
        (None, False, "Di", True),
        (None, False, "Di", False),
    ]
    assert picture.holders(0) == ["ada", "phone"] and picture.holders(3) == []


def test_the_lobby_asks_no_seat() -> None:
    picture = draw(Log("dark").sitting, History())
    assert (picture.round, picture.shared, picture.own(0), picture.own(None)) == (-1, None, None, None)
    assert not picture.waits_for(0) and not picture.people_asked() and not picture.bots_to_move


def test_the_same_view_is_not_made_twice() -> None:
    log = Log("dark", 2)
    first = draw(log.sitting, History())
    views = [first.own(seat) for seat in (0, 1)]
    log("ada", do.Play(1, "walk"))
    second = draw(log.sitting, History(), first)
    assert second.own(0) is not views[0] and second.own(1) is views[1] and second.own(0) is second.own(0)
    log("ada", do.Undo(1))
    assert msgspec.json.encode(draw(log.sitting, History(), second).own(0)) == msgspec.json.encode(views[0])
