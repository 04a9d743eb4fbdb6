"""Additional data for the game's pages, besides its views."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from engine import Own, Shared, Standing
from engine.beats import PAUSE
from engine.games.raiders.cards import FLOORS
from engine.games.raiders.facts import Private, Public
from engine.games.raiders.forecast import forecasts, if_ended_now
from engine.games.raiders.modes import mode_of
from engine.games.raiders.others import could_play, counted, is_last, seen_room, settled
from engine.games.raiders.rooms import picks


def forecast(shared: Shared[Public], own: Own[Private]) -> Any:
    """The forecast of each card that this seat may play, as plain data. Templates distinguish the kinds by `shape`.

    A forecast helps to choose. Where this seat or nobody has a choice, and in the last room, it would only tell the
    outcome before the cards do: there is none."""
    public = shared.public
    if len(own.moves) < 2 or is_last(public) or settled(public):
        return {}
    return msgspec.to_builtins(forecasts(public, own.seat, own.moves))


class Outlook(Struct, frozen=True):
    """Who would win if the game ended now, and what the room to come may do. Nothing tells how the last cards come
    out."""

    winners: tuple[int, ...]
    standings: tuple[Standing, ...]  # best first
    marks: tuple[str, ...]  # by seat: "leads", "faints" (out with the most wounds) or ""
    last_room: bool
    boss_ahead: bool  # a boss waits in the last room
    victims: tuple[int, ...]  # of the trap in this room, if it does not strike everybody
    flights: tuple[str, ...]  # items with which one may flee from the boss that waits, or may wait
    reach: tuple[int, int] | None  # the least and the most that all can bring against this monster, if cards can vary


def summary(shared: Shared[Public]) -> Outlook:
    now = if_ended_now(shared.public)
    marks = dict.fromkeys(range(len(now.standings)), "")
    if len(marks) > 1:  # alone there is nobody to be compared with
        marks |= {one.seat: "faints" for one in now.standings if one.why == "most_wounds"}
        marks |= dict.fromkeys(now.winners, "leads")
    return Outlook(
        now.winners,
        now.standings,
        tuple(marks.values()),
        last_room=is_last(shared.public),
        boss_ahead=boss_ahead(shared.public),
        victims=victims(shared.public),
        flights=flights(shared.public),
        reach=reach(shared.public),
    )


def boss_ahead(public: Public) -> bool:
    return not is_last(public) and bool(mode_of(public.edition, len(public.raiders)).deck.bosses_drawn)


def flights(public: Public) -> tuple[str, ...]:
    """R-62"""
    mode = mode_of(public.edition, len(public.raiders))
    if public.over or not mode.deck.bosses_drawn:
        return ()
    boss = public.rooms[-1].room if public.floor == FLOORS and public.rooms else None
    bosses = [boss] if boss else [mode.facts[one] for one in mode.deck.bosses]
    return tuple(str(one.flee) for one in bosses if one.flee)


def victims(public: Public) -> tuple[int, ...]:
    """R-55 The cards that are played do not matter for whom a trap strikes."""
    if not public.place or public.over:
        return ()
    room = seen_room(public)
    return picks(room.victims, public.raiders) if room.victims in ("richest", "least_wounded") else ()


def reach(public: Public) -> tuple[int, int] | None:
    room = seen_room(public) if public.place and not public.over else None
    if not room or not room.strength or is_last(public) or settled(public):
        return None
    values = [[counted(room, value) for value in could_play(one, room)] for one in public.raiders if one.alive]
    return sum(map(min, values)), sum(map(max, values))


def beats(events: Sequence[Mapping[str, Any]], options: Mapping[str, str]) -> Sequence[str]:
    """What pages show one after the other. In open play a card that does not end its room is not staged."""
    told = {event["kind"]: event for event in events}
    if "cards" not in told:
        return ()
    if "room" not in told:
        return ("balls", "next") if options.get("play", "sealed") == "sealed" else ()
    room = told["room"]
    return *BEATS[room["outcome"]["shape"]](room), "next"


def chests(room: Mapping[str, Any]) -> Sequence[str]:
    shares = len(room["outcome"]["shares"])
    return *["share"] * shares, *(["nobody"] if len(room["room"]["chests"]) > shares else [])


def vault(room: Mapping[str, Any]) -> Sequence[str]:
    return ["share"] * len(room["outcome"]["shares"])


def trap(room: Mapping[str, Any]) -> Sequence[str]:
    outcome = room["outcome"]
    return "value", "victims", *(["harm"] if outcome["hit"] and outcome["harm"] else [])


def fight(room: Mapping[str, Any]) -> Sequence[str]:
    outcome = room["outcome"]
    harm = ["harm"] if outcome["hit"] else [PAUSE] if outcome["paid"] else []
    return "total", "attack", *harm, *(["paid"] if outcome["paid"] else [])


BEATS = {"chests": chests, "vault": vault, "trap": trap, "fight": fight}  # by the shape of the outcome
