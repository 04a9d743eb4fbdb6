"""What the clients of a table were told, compared as they hear it: nothing may change later."""

import json
from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]
Message = tuple[str, str]  # person, id of the message
BY_FIELD: Mapping[str, Any] = {"table": {}, "shared": {"public": {}}, "own": {}}


class Wrong(AssertionError):
    """The server broke a promise."""


class Told:
    """Of one table, by all its clients together. Games at the table are numbered from 1 (`plays`)."""

    def __init__(self) -> None:
        self.events: dict[tuple[int, int], str] = {}  # plays, number of the event
        self.public: dict[tuple[int, int], str] = {}  # plays, version
        self.accepted: dict[Message, int] = {}  # the version that was answered
        self.refused: dict[Message, str] = {}

    def hear_events(self, plays: int, after: int, events: list[Any]) -> None:
        for number, event in enumerate(events, after):
            text = json.dumps(event, sort_keys=True)
            if self.events.setdefault((plays, number), text) != text:
                raise Wrong(f"event {number} of game {plays} was {self.events[plays, number]}, now {text}")

    def hear_public(self, view: Json) -> None:
        if view["shared"] is None:
            return
        place = view["plays"], view["version"]
        text = json.dumps(view["shared"]["public"], sort_keys=True)
        if self.public.setdefault(place, text) != text:
            raise Wrong(f"at version {place} everybody saw {self.public[place]}, now {text}")

    def hear_accepted(self, message: Message, version: int) -> None:
        if self.accepted.setdefault(message, version) != version:
            raise Wrong(f"{message} was accepted at version {self.accepted[message]}, now at {version}")

    def game(self, plays: int) -> dict[int, str]:
        """The events of one game, by number."""
        return {number: text for (game, number), text in self.events.items() if game == plays}


def place_of(view: Json) -> tuple[int, int]:
    """Orders the views of a table: the lobby after a game comes between that game and the next."""
    return 2 * view["plays"] + (view["phase"] == "lobby"), view["version"]


def put(view: Json, news: Mapping[str, Any], by_field: Mapping[str, Any] = BY_FIELD) -> None:
    """Put what changed into a view, as docs/api.md describes it."""
    for name, value in news.items():
        before = view.get(name)
        if name in by_field and isinstance(value, dict) and isinstance(before, dict):
            put(before, value, by_field[name])
        elif isinstance(before, list) and isinstance(value, dict):
            for place, changed in value.items():
                before[int(place)].update(changed)
        else:
            view[name] = value
