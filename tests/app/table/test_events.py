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


def revealed(round: int, scope: str = "") -> str:
    return f'[{{"kind":"revealed","round":{round},"scope":"{scope}"}},{{"kind":"dug"}}]'


def back(taken: int) -> str:
    return f'[{{"kind":"stepped_back","taken":{taken}}}]'


def told(events: Events) -> list[str]:
    return [str(event["round"]) if "round" in event else event["kind"][:2] for event in events]


def test_what_happens_in_a_scope_is_told_together() -> None:
    history = History().add(BEGAN)
    seen = []
    for entry in (
        revealed(1, "a"),
        revealed(2, "a"),
        LIT,
        revealed(3, "b"),
        revealed(4),
        revealed(5),
        revealed(6, "b"),
    ):
        history = history.add(entry)
        seen.append(" ".join(told(history.reveal)))
    assert seen == ["1 du", "1 du 2 du", "1 du 2 du an", "3 du", "4 du", "5 du", "6 du"]


def test_what_was_taken_back_does_not_count() -> None:
    start = History().add(BEGAN).add(revealed(1, "a")).add(revealed(2, "b")).add(revealed(3, "b"))
    history = start.add(back(3))
    assert told(history.reveal) == ["2", "du", "st"] and told(history.all)[-5:] == ["1", "du", "2", "du", "st"]
    assert [event["version"] for event in history.reveal] == [6, 7, 10]
    assert history.all[-1]["kind"] == "stepped_back" and history.all[3:5] == start.all[3:5]
    both = history.add(revealed(5, "b")).add(back(5)).add(back(2))
    assert told(both.reveal) == ["st"] and told(both.all) == ["be", "fl", "ro", "1", "du", "st"]
    assert told(both.add(revealed(8, "b")).add(revealed(9, "c")).all)[5:] == ["st", "8", "du", "9", "du"]
    assert told(start.reveal) == ["2", "du", "3", "du"]  # earlier ones stay as they are
    assert len(both.all.raw()) == both.version == 14 and len(both.all) == 6
