"""Differences between views of any form that a game may choose."""

from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct

from app.web.json_view import changed_fields

BY_FIELD: dict[str, Any] = {"public": {}}


class Player(Struct, frozen=True):
    coins: int
    hand: tuple[str, ...] = ()


class Tagged(Struct, frozen=True, tag=True, rename={"class_": "class"}, omit_defaults=True):
    class_: str = ""
    coins: int = 0


@dataclass(frozen=True)
class Data:
    coins: int
    turn: int


class View(Struct, frozen=True):
    public: Any
    light: dict[int, str] = {}


def changes(new: Any, old: Any) -> Any:
    """As a program receives them."""
    return msgspec.json.decode(msgspec.json.encode(changed_fields(new, old, BY_FIELD)))


def test_only_the_changed_fields_of_the_changed_elements() -> None:
    one, two = Player(1, ("a",)), Player(2)
    assert changes(View((one, two)), View((one, Player(3)))) == {"public": {"1": {"coins": 2}}}
    assert changes(View((one, two)), View([one, Player(2)])) == {"public": {}}  # a tuple where there was a list


def test_a_list_of_another_length_or_with_other_types_is_sent_whole() -> None:
    one = Player(1)
    assert changes(View((one,)), View(())) == {"public": [{"coins": 1, "hand": []}]}
    assert changes(View((one,)), View((Tagged(),))) == {"public": [{"coins": 1, "hand": []}]}
    assert changes(View(({"a": 1},)), View(({"b": 1},))) == {"public": [{"a": 1}]}
    assert changes(View((Tagged("x", 1),)), View((Tagged("x"),))) == {
        "public": [{"type": "Tagged", "class": "x", "coins": 1}]
    }
    assert changes(View(()), View({"a": 1})) == {"public": []}


def test_objects_of_every_kind_are_compared_by_field() -> None:
    assert changes(View(Data(1, 2)), View(Data(1, 3))) == {"public": {"turn": 2}}
    assert changes(View({"a": 1, "b": 2}), View({"b": 2, "c": 3})) == {"public": {"a": 1, "c": None}}
    assert changes(View(Tagged("x", 1)), View(Tagged("x", 0))) == {"public": {"coins": 1}}
    assert changes(View(Tagged("y")), View(Tagged("x", 1))) == {"public": {"class": "y", "coins": None}}


def test_another_type_says_which_fields_are_gone() -> None:
    assert changes(View(Player(1)), View(Data(1, 2))) == {"public": {"hand": [], "turn": None}}


def test_keys_are_texts() -> None:
    assert changes(View(None, {1: "torch"}), View(None)) == {"light": {"1": "torch"}}


def test_what_is_equal_is_not_sent() -> None:
    assert changes(View((Player(1),), {1: "x"}), View((Player(1),), {1: "x"})) == {}
