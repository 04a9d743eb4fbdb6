"""Messages for a table's socket: like those of players, but each wrong in some way, or right but out of place."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

Json = dict[str, Any]
DEEP = 4000 // 2  # brackets that fit into a message
ODD: list[Any] = ["", 0, -1, 1, 10**9, 2**53, 10**30, -0.0, 1.5, 1e308, None, True, False]
ODD += [[], {}, [[]], {"a": {"b": {}}}, "5", "null", "true", "../..", "' OR 1=1 --", "<b>", "{{7*7}}"]
ODD += ["x" * 601, "y" * 3000, "\0", "\u202e", "\ud800", "🎲" * 200]
WORDS = ["4", "torch", "pass", "move n", "open", "pay 0 0 0 0", "skip", "a 1 2 3"]


def fitting(view: Json, luck: Random) -> Json:
    """A message of a kind that there is, with fields as this moment of the table suggests them."""
    shared, own, seats = view["shared"] or {}, view["own"] or {}, view["table"]["seats"]
    round = shared.get("round", 1)
    seat = luck.randrange(len(seats) + 1)
    words = [*own.get("moves", ()), *own.get("anytime", ())] or WORDS
    options = {key: luck.choice([value, "no", "first", "second"]) for key, value in view["table"]["options"].items()}
    moves: list[Json] = [
        {"do": "play", "round": round + luck.choice([0, 0, 0, 0, -1, 1]), "move": luck.choice(words)},
        {"do": "play", "round": round, "move": luck.choice([*words, *WORDS])},
        {"do": "undo", "round": round},
    ]
    if shared and luck.random() < 0.7:
        return luck.choice(moves)
    messages: list[Json] = [
        {"do": "stepback", "round": round},
        {"do": "order", "value": luck.choice(["", "pass", "ask"]), "scope": luck.random() < 0.5},
        {"do": "lift", "round": round, "move": luck.choice(words)},
        {"do": "ready", "ready": luck.random() < 0.5},
        {"do": "name", "name": luck.choice(["Ada", "Bo", "Zoë"])},
        {"do": "pledge", "pledge": f"{luck.getrandbits(256):064x}"},
        {"do": "salt", "salt": f"{luck.getrandbits(128):032x}"},
        {"do": "sit", "name": "Eve", "seat": seat},
        {"do": "claim", "name": "Eve", "seat": seat},
        {"do": "agree"},
        {"do": "silence", "allowed": luck.random() < 0.5},
        {"do": "standin", "seat": seat},
        {"do": "free", "seat": seat},
        {"do": "addbot", "seat": seat},
        {"do": "options", "options": options},
        {"do": "timer", "seconds": luck.choice([0, 30, 3600])},
        {"do": "lock", "locked": luck.random() < 0.2},
        {"do": "game", "game": luck.choice(["raiders", "scrawl", "tomb"])},
        *({"do": do} for do in ("object", "here", "start", "start", "rematch", "ping")),
        {"do": "leave"} if luck.random() < 0.2 else {"do": "start"},
        *({"do": do, "seat": seat} for do in ("away", "back", "grant", "device")),  # only the server may do these
        {"do": "playfor", "seat": seat, "round": round, "move": luck.choice(words), "by": "bot"},
        {"do": "open", "token": "A" * 22, "code": "AAAAAA", "game": "raiders", "name": "Eve"},
        {"do": "calloff"},
    ]
    return luck.choice(messages)


def other_value(message: Json, luck: Random) -> str:
    return json.dumps({**message, luck.choice(list(message)): luck.choice(ODD)})


def without_a_field(message: Json, luck: Random) -> str:
    gone = luck.choice(list(message))
    return json.dumps({name: value for name, value in message.items() if name != gone})


def one_more_field(message: Json, luck: Random) -> str:
    name = luck.choice(["id", "seat", "person", "secret", "at", "by", "option.play", "__proto__", "headers", "x" * 700])
    return json.dumps({**message, name: luck.choice(ODD)})


def many_fields(message: Json, luck: Random) -> str:
    return json.dumps({**message, **{f"a{n}": n for n in range(luck.choice([60, 70, 300]))}})


def a_field_twice(message: Json, luck: Random) -> str:
    return json.dumps(message)[:-1] + f', "do": "{luck.choice(["play", "start", "away"])}"}}'


def as_text(message: Json, luck: Random) -> str:
    return json.dumps({name: value if name == "do" else str(value) for name, value in message.items()})


def broken_text(message: Json, luck: Random) -> str:
    text = json.dumps(message)
    at = luck.randrange(len(text))
    other = luck.choice(["", "\x00", '"', "}", "\\", "é", "🎲", "\ufeff", text])
    return text[:at] + other + text[at + luck.randrange(3) :]


def no_object(message: Json, luck: Random) -> str:
    return luck.choice(["", " ", "null", "7", "NaN", "[]", '"play"', json.dumps([message]), "\ufeff{}", "{}"])


def deep(message: Json, luck: Random) -> str:
    within = json.dumps({**message, "options": None}).removesuffix("null}") + "[" * 900 + "]" * 900 + "}"
    return luck.choice(["[" * DEEP, '{"do":' * (DEEP // 4), within])


def long(message: Json, luck: Random) -> str:
    """Longer than a message may be: ends the socket."""
    return json.dumps({**message, "id": "x" * 5000})


def as_it_is(message: Json, luck: Random) -> str:
    return json.dumps(message)


CHANGES: list[tuple[Callable[[Json, Random], str], int]] = [
    (as_it_is, 100), (other_value, 30), (without_a_field, 8), (one_more_field, 8), (many_fields, 2), (a_field_twice, 3),
    (as_text, 8), (broken_text, 12), (no_object, 3), (deep, 3), (long, 1),
]  # fmt: skip


def hostile(view: Json, luck: Random) -> str:
    [change] = luck.choices([change for change, _ in CHANGES], [weight for _, weight in CHANGES])
    message = fitting(view, luck)
    if luck.random() < 0.1:
        message["id"] = luck.choice(["one", "two", "x" * 64, "x" * 65, "\n"])
    return change(message, luck)
