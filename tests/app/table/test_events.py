"""The events of a game: stored encoded, decoded on access, and not changed by later events."""

from app.table.events import Events, History

BEGAN = '[{"kind":"began"},{"kind":"floor","n":1},{"kind":"room"}]'
REVEALED = '[{"kind":"revealed"},{"kind":"floor","n":2}]'
LIT = '[{"kind":"any_time"}]'


def test_an_event_is_decoded_when_somebody_looks_at_it() -> None:
    events = History().add(BEGAN).all
    assert len(events) == 3 and events[-1] == {"kind": "room", "version": 3}
    assert events[1:] == [{"kind": "floor", "n": 1, "version": 2}, {"kind": "room", "version": 3}]
    assert events.decoded.keys() == {1, 2}
    assert [event["version"] for event in events] == [1, 2, 3]
    assert events.again().decoded == {}


def test_events_that_are_added_change_nothing_that_was_there() -> None:
    history = History().add(BEGAN)
    events, reveal = history.all, history.reveal
    later = history.add(REVEALED).add(LIT)
    assert (history.version, history.reveal.after) == (3, 0) and (later.version, later.reveal.after) == (6, 3)
    assert len(events) == len(reveal) == 3 and len(events.raw()) == 3
    assert [event["kind"] for event in later.reveal] == ["revealed", "floor", "any_time"]
    assert [event["version"] for event in later.reveal] == [4, 5, 6]


def test_events_of_a_commit_that_failed_are_replaced() -> None:
    history = History().add(BEGAN)
    history.add(REVEALED)
    later = history.add(LIT)
    assert [event["kind"] for event in later.all] == ["began", "floor", "room", "any_time"]


def test_the_events_after_a_version() -> None:
    events = History().add(BEGAN).all
    assert [bytes(raw) for raw in events.raw(2)] == [b'{"kind":"room"}']
    assert events.raw(3) == [] == events.raw(99)
    assert not Events([], 0)
