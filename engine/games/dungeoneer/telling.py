"""The beats of a turn: which events begin a line when pages tell what happened."""

from collections.abc import Mapping, Sequence
from typing import Any

SILENT = {"began", "revealed", "battle_ended", "group_ended", "result", "any_time", "opened"}
FIRST = {
    "turn_began", "location_drawn", "group_shown", "trap_sprung", "battle_began", "attack_rolled", "counter_rolled",
    "compared", "checked", "lair_checked", "searched", "chance_rolled", "peril_rolled", "peril_drawn",
    "quest_completed", "defeated",
}  # fmt: skip
ROWS = {"attack_rolled", "counter_rolled", "peril_rolled"}  # consecutive ones are one line


def beats(events: Sequence[Mapping[str, Any]], options: Mapping[str, str]) -> Sequence[str]:
    """The kind of the first event of each line. An answer that changes nothing that everybody sees has no beat. What
    happens before the first turn, such as laying a whole map, has none either."""
    if events[0]["kind"] == "revealed" and not events[0].get("scope"):
        return ()
    found, last = [], ""
    for event in events:
        kind = event["kind"]
        if kind in SILENT:
            continue
        if not last or (kind in FIRST and not (kind in ROWS and kind == last)):
            found.append(kind)
        last = kind
    return found
