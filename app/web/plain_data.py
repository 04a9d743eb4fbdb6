"""Reads the data of a game's views for templates that show any game."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import msgspec
from msgspec import Struct


def fields_of(value: Any) -> dict[Any, Any] | None:
    """The fields of a struct or a dataclass, or the items of a mapping. None if the value is something else."""
    if isinstance(value, Struct):
        return msgspec.structs.asdict(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return dict(value) if isinstance(value, Mapping) else None
