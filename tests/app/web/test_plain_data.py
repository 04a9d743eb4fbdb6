"""The fields of any plain data."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import pytest
from msgspec import Struct

from app.web.plain_data import fields_of


class Hand(Struct, frozen=True, kw_only=True):
    BY_SEAT: ClassVar = ("cards",)

    cards: tuple[int, ...]
    suit: str = "red"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    BY_SEAT: ClassVar = ()

    buy: int


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        (Hand(cards=(1, 2)), {"cards": (1, 2), "suit": "red"}),
        (Rate(buy=3), {"buy": 3}),
        ({0: "a", "b": None}, {0: "a", "b": None}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        ({}, {}),
        (None, None),
        ("text", None),
        ([1, 2], None),
        (Rate, None),
    ],
)
def test_fields(value: Any, fields: dict[Any, Any] | None) -> None:
    assert fields_of(value) == fields
