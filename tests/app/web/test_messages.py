"""Messages are parsed into actions or refused."""

from typing import Any, get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.refusals import Refusal
from app.table import actions as do
from app.web.messages import LONGEST, Lift, Message, Ping, read_form, read_json, understand
from engine.testing.requirements import LONGEST_MOVE


@pytest.mark.parametrize(
    ("fields", "action"),
    [
        ({"do": "play", "round": 7, "move": "4"}, do.Play(7, "4")),
        ({"do": "play", "round": "7", "move": "4"}, do.Play(7, "4")),
        ({"do": "play", "round": 7, "move": "4", "then": "5"}, do.Play(7, "4", ("5",))),
        ({"do": "play", "round": 7, "move": "4", "then": ["5", "6"]}, do.Play(7, "4", ("5", "6"))),
        (read_form(b"do=play&round=7&move=4&then=5&then=6"), do.Play(7, "4", ("5", "6"))),
        ({"do": "undo", "round": "7", "headers": {"HX-Request": "true"}}, do.Undo(7)),
        ({"do": "sit", "name": " Ada\u202e "}, do.Sit("Ada")),
        ({"do": "sit", "name": "Ada", "seat": "2"}, do.Sit("Ada", 2)),
        ({"do": "sit", "name": "я" * 500}, do.Sit("я" * 24)),
        ({"do": "ready", "ready": "false"}, do.Ready(False)),
        ({"do": "lock", "locked": "1"}, do.Lock(True)),
        ({"do": "timer", "seconds": "30"}, do.Timer(30)),
        ({"do": "options", "option.play": "open"}, do.Options({"play": "open"})),
        ({"do": "options", "options": {"play": "open"}}, do.Options({"play": "open"})),
        ({"do": "options", "option.play": ["", "a", "b"]}, do.Options({"play": "a+b"})),
        (read_form(b"do=options&option.play=&option.play=a&option.play=b"), do.Options({"play": "a+b"})),
        (read_form(b"do=options&option.play="), do.Options({"play": ""})),
        ({"do": "start"}, do.Start()),
        ({"do": "lift", "round": 3, "move": "5"}, Lift(3, "5")),
        ({"do": "lift", "round": 3}, Lift(3)),
        ({"do": "ping"}, Ping()),
    ],
)
def test_what_is_understood(fields: dict[str, Any], action: Any) -> None:
    assert understand(fields).message == action


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"do": "win"},
        {"do": 7},
        {"do": ["play"]},
        {"do": "play"},
        {"do": "play", "round": "seven", "move": "4"},
        {"do": "play", "round": 7.5, "move": "4"},
        {"do": "play", "round": True, "move": "4"},
        {"do": "play", "round": 10**20, "move": "4"},
        {"do": "play", "round": 7, "move": 4},
        {"do": "play", "round": 7, "move": ["4"]},
        {"do": "play", "round": 7, "move": "4", "then": [5]},
        {"do": "play", "round": 7, "move": "4", "then": [["5"]]},
        {"do": "play", "round": 7, "move": "4", "then": ["5"] * 65},
        {"do": "play", "round": 7, "move": "4", "then": ["5\0"]},
        {"do": "play", "round": 7, "move": "4" * 601},
        {"do": "play", "round": 7, "move": "4\0"},
        {"do": "play", "round": 7, "move": "\ud800"},
        {"do": "play", "round": 7, "move": "4", "seat": 2},
        {"do": "playfor", "seat": 1, "round": 7, "move": "4", "by": "bot"},
        {"do": "open", "token": "", "code": "", "game": "raiders", "name": "Ada"},
        {"do": "away", "seat": 1},
        {"do": "back", "seat": 1},
        {"do": "device", "seat": 1, "link": ""},
        {"do": "start", "id": 7},
        {"do": "start", "id": "x" * 65},
        {"do": "options", "options": {"play": {"play": "open"}}},
        {"do": "options", "options": {str(n): "x" for n in range(65)}},
    ],
)
def test_what_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        understand(fields)
    assert refused.value.reason == "malformed"


@pytest.mark.parametrize(
    "data", ["", "[]", "7", "null", "{", "[" * 4000, '{"a":' * 600 + "1" + "}" * 600, "\ud800", b"\xff"]
)
def test_malformed_messages_are_refused(data: str | bytes) -> None:
    with pytest.raises(Refusal):
        understand(read_json(data))


@pytest.mark.parametrize("data", [b"\xff=1", b"&".join(b"a%d=1" % n for n in range(100))])
def test_malformed_forms_are_refused(data: bytes) -> None:
    with pytest.raises(Refusal):
        read_form(data)


DOES = [kind.__struct_config__.tag for kind in get_args(Message)]

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(
    st.dictionaries(st.sampled_from(["do", "round", "move", "seat", "name", "options", "id", "option.play"]), anything)
)
def test_only_refusals_follow_from_random_messages(fields: dict[str, Any]) -> None:
    assume(fields.get("do") not in DOES)  # Hypothesis finds our action names, and some need no other field
    with pytest.raises(Refusal):
        understand(fields)


@given(st.sampled_from(["play", "sit", "free", "timer", "options"]), st.dictionaries(st.text(), anything))
def test_only_refusals_follow_from_partly_valid_messages(name: str, fields: dict[str, Any]) -> None:
    try:
        understand({**fields, "do": name})
    except Refusal as refused:
        assert refused.reason == "malformed"


def test_every_move_that_a_game_may_offer_fits_into_a_message() -> None:
    assert LONGEST_MOVE <= LONGEST
