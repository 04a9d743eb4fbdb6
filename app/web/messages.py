"""What comes in: JSON and forms become actions, or are refused."""

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

LONGEST = 600  # of any text in a message; names are cut to what can be shown
MOST_FIELDS = 64
LARGEST = 2**53  # from here on JSON's numbers are not exact everywhere
OPTION = "option."
ABOUT = ("headers", "id")  # what htmx adds, and what names the message
UNPRINTABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


class Lift(Struct, frozen=True, tag_field="do", tag="lift", forbid_unknown_fields=True):
    """A card taken up but not laid down: what is played when the time runs out. Tells nobody."""

    round: int
    move: str | None = None  # None: it was put back


class Ping(Struct, frozen=True, tag_field="do", tag="ping", forbid_unknown_fields=True):
    """Is anybody there?"""


Message = actions.Outside | Lift | Ping
read_message = msgspec.json.Decoder(Message, strict=False).decode  # made once: the union of all of them is large


class Said(Struct, frozen=True):
    message: Any
    id: str = ""  # the sender's own, so that what is sent twice counts once


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
    return dict(fields)


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
    """The action that these fields say. Numbers may be digits, as forms send them. Options: `option.<key>` too."""
    fields, chosen = {}, {}
    for name, value in found.items():
        if name.startswith(OPTION):
            chosen[name.removeprefix(OPTION)] = value
        elif name not in ABOUT:
            fields[name] = value
    if chosen:
        fields["options"] = chosen
    id = found.get("id") or ""
    if not isinstance(id, str) or len(id) > 64 or not printable(id) or not sound(fields):
        raise Refusal("malformed")
    try:
        message = read_message(msgspec.json.encode(fields))
    except (msgspec.ValidationError, RecursionError):
        raise Refusal("malformed") from None
    if isinstance(message, actions.Sit | actions.Name):
        message = msgspec.structs.replace(message, name=clean(message.name))
    return Said(message, id)


def sound(value: Any, depth: int = 0) -> bool:
    """Shallow, of bounded length, and nothing in it that a database or a log could choke on."""
    kind = type(value)
    if kind is str:
        return len(value) <= LONGEST and printable(value)
    if kind is int:
        return bool(abs(value) < LARGEST)
    if kind is not dict:
        return value is None or kind in (bool, float)
    if depth == 2 or len(value) > MOST_FIELDS:
        return False
    for name, one in value.items():  # noqa: SIM110
        if not (sound(name) and sound(one, depth + 1)):
            return False
    return True


def printable(text: str) -> bool:
    return UNPRINTABLE.search(text) is None
