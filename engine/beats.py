"""The beats of a reveal: once the cards have turned, pages show what follows one beat after the other.

A game lists the beats of a reveal by the names of what they show (`Game.beats`). Templates get this list, and the time
that a reveal plays is computed from it, so that a table's timer begins when its pages have shown everything.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Game

TURN_AND_READ, BEAT = 3.3, 0.7  # seconds: turning the cards and reading the end; from one beat to the next
PAUSE = ""  # a beat that shows nothing new: time to read
AT_ONCE = 3  # events that a game without beats of its own shows at its first beat

RevealEvents = Sequence[Mapping[str, Any]]  # events as templates get them: plain data, each with its `kind`


def beats_of(game: Game, events: RevealEvents, options: Mapping[str, str]) -> tuple[str, ...]:
    """The beats of these events, those of one reveal or of all rounds of a scope; none if pages do not play them."""
    if not events or (events[0]["kind"] != "revealed" and not in_scope(events)):
        return ()
    rounds = [one for one in rounds_of(events) if one[0]["kind"] == "revealed"] if in_scope(events) else [events]
    return tuple(beat for one in rounds for beat in (game.beats or plain_beats)(one, options))


def in_scope(events: RevealEvents) -> bool:
    """Whether these events are those of a scope, and not those of a reveal that stands alone."""
    return bool(events) and bool(events[0].get("scope"))


def rounds_of(events: RevealEvents) -> list[list[Mapping[str, Any]]]:
    """The events of a scope by rounds. A step back is a round of its own."""
    rounds: list[list[Mapping[str, Any]]] = []
    for event in events:
        if not rounds or event["kind"] in ("revealed", "stepped_back"):
            rounds.append([])
        rounds[-1].append(event)
    return rounds


def plain_beats(events: RevealEvents, options: Mapping[str, str]) -> Sequence[str]:
    """Of a game without beats of its own: its first events, then the others; in a scope one for each answer."""
    return ("turned", "more") if len(events) > 1 + AT_ONCE and not in_scope(events) else ("turned",)


def seconds(beats: Sequence[str], scope: str = "") -> float:
    """How long pages play a reveal of these beats. Within a scope no cards turn, and what was told stays visible."""
    return (0.0 if scope else TURN_AND_READ) + BEAT * len(beats) if beats else 0.0
