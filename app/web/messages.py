"""Parses JSON and forms into actions, or refuses them."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct
from starlette.requests import Request

from app.refusals import Refusal
from app.table import actions
from app.table.names import clean
from engine.game import PLUS

LONGEST = 600  # characters of any text in a message; names are cut shorter
MOST_FIELDS = 64
LARGEST = 2**53  # larger integers are not exact in every JSON parser
OPTION = "option."
THEN = "then"  # a form may have it and options several times; htmx sends a list only if there are several
ABOUT = ("headers", "id")  # added by htmx; id of the message
UNPRINTABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


class Lift(Struct, frozen=True, tag_field="do", tag="lift", forbid_unknown_fields=True):
    """A selected card that is not handed in yet; it is played when the time runs out. Visible to nobody else."""

    round: int
    move: str | None = None  # None: nothing is lifted any more


class Ping(Struct, frozen=True, tag_field="do", tag="ping", forbid_unknown_fields=True):
    """Checks that the connection is alive."""


Message = actions.Outside | Lift | Ping
read_message = msgspec.json.Decoder(Message, strict=False).decode  # built once: the union is large


class Said(Struct, frozen=True):
    message: Any
    id: str = ""  # chosen by the client, to detect a message sent twice


def read_json(data: str | bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
        raise Refusal("malformed") from None
    if not isinstance(found, dict):
        raise Refusal("malformed")
    return found


def read_form(data: bytes) -> dict[str, Any]:
    try:
        fields = parse_qsl(data.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except (UnicodeError, ValueError):
        raise Refusal("malformed") from None
    found: dict[str, Any] = dict(fields)
    for name in {name for name, _ in fields if name == THEN or name.startswith(OPTION)}:
        values = [value for other, value in fields if other == name]
        found[name] = values if name == THEN or len(values) > 1 else values[0]
    return found


async def fields(request: Request) -> dict[str, Any]:
    """The fields of a posted form or JSON object."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await request.body()
    if kind == "application/json":
        return read_json(body)
    if kind == "application/x-www-form-urlencoded" or not body:
        return read_form(body)
    raise Refusal("media_type")


def understand(found: Mapping[str, Any]) -> Said:
    """Parse fields into an action. Numbers may be strings and options `option.<key>` fields, as forms send them."""
    fields, chosen = {}, {}
    for name, value in found.items():
        if name.startswith(OPTION):
            chosen[name.removeprefix(OPTION)] = joined(value) if isinstance(value, list) else value
        elif name not in ABOUT:
            fields[name] = value
    if chosen:
        fields["options"] = chosen
    if isinstance(one := fields.get(THEN), str):
        fields[THEN] = [one]
    id = id_of(found)
    if not sound(fields):
        raise Refusal("malformed")
    try:
        message = read_message(msgspec.json.encode(fields))
    except (msgspec.ValidationError, RecursionError):
        raise Refusal("malformed") from None
    if isinstance(message, actions.Sit | actions.Name | actions.Claim):
        message = msgspec.structs.replace(message, name=clean(message.name))
    return Said(message, id)


def joined(values: list[Any]) -> str:
    """What is picked from many; a form has an empty value, too, so that it is sent if nothing is picked."""
    if not all(isinstance(value, str) for value in values):
        raise Refusal("malformed")
    return PLUS.join(value for value in values if value)


def id_of(found: Mapping[str, Any]) -> str:
    """The id that the client has given this message; "" for none."""
    id = found.get("id") or ""
    if not isinstance(id, str) or len(id) > 64 or not printable(id):
        raise Refusal("malformed")
    return id


def sound(value: Any, depth: int = 0) -> bool:
    """Is the value shallow, of bounded size, and safe for databases and logs?"""
    kind = type(value)
    if kind is str:
        return len(value) <= LONGEST and printable(value)
    if kind is int:
        return bool(abs(value) < LARGEST)
    if kind not in (dict, list):
        return value is None or kind in (bool, float)
    if depth == 2 or len(value) > MOST_FIELDS:
        return False
    inner = [*value, *value.values()] if kind is dict else value
    return all([sound(one, depth + 1) for one in inner])


def printable(text: str) -> bool:
    return UNPRINTABLE.search(text) is None
