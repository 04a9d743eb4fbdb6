"""The context of a table's templates, made from a picture."""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from app.table.example import newly_dealt
from app.table.names import BOT_NAMES
from app.table.picture import Me, Picture, SeatCard, own_state
from app.web.languages import translate
from app.web.render_cache import RenderCache
from engine.beats import RevealEvents, beats_of, in_scope, rounds_of
from engine.game import PLUS, Game, Option


class Audience(Struct, frozen=True, cache_hash=True):
    """The properties of a client that rendering depends on, whoever uses it."""

    face: str
    language: str
    base: str  # scheme and host of links
    local: bool = False  # the base is a loopback address, which other devices cannot reach
    addresses: tuple[str, ...] = ()  # addresses of this machine for other devices


class Scene(Struct, frozen=True):
    """What a viewer, or everybody if `me` is None, sees of a table at one moment."""

    table: str  # the table's id
    picture: Picture
    watchers: int  # the number of spectators; 0 except in the lobby, the only page that shows it
    audience: Audience
    me: Me | None = None
    answer: Hashable = None  # the state of the viewer's answer; between two events, the own view depends only on it

    @classmethod
    def of(cls, table: str, picture: Picture, watchers: int, audience: Audience, me: Me | None) -> "Scene":
        own = picture.own(me.seat) if me else None
        return cls(table, picture, watchers, audience, me, None if own is None else own_state(own))


def context(scene: Scene, cache: RenderCache) -> dict[str, Any]:
    """Everything that the viewer may see."""
    return {**shared_context(scene, cache), **own_context(scene)}


def shared_context(scene: Scene, cache: RenderCache) -> dict[str, Any]:
    """What is the same for all viewers."""
    picture, shared = scene.picture, scene.picture.shared
    table = table_card(scene, cache)
    log = picture.events.again()
    reveal = picture.reveal.again(log)
    return {
        "face": scene.audience.face,
        "table": table,
        "names": table["names"],
        "shared": shared,
        "public": shared.public if shared else None,
        "log": log,
        "announcements": picture.announcements,
        "reveal": reveal,
        "chain": chain_of(reveal),
        "beats": beats_of(picture.game, reveal, shared.options) if shared else (),
        "summary": summary(scene, cache),
        "remaining": None,
        "notice": "",
    }


class Chain(NamedTuple):
    """What has happened in the newest scope so far, told as one chain."""

    rounds: list[list[Mapping[str, Any]]]  # their events; a step back is a round of its own
    by: int | None  # the seat that made the newest step; None: several


def chain_of(reveal: RevealEvents) -> Chain | None:
    """None if the newest reveal stands alone."""
    if not in_scope(reveal):
        return None
    rounds = rounds_of(reveal)
    newest = rounds[-1][0]
    seats = [answer["seat"] for answer in newest["answers"]] if newest["kind"] == "revealed" else [newest["seat"]]
    return Chain(rounds, seats[0] if len(seats) == 1 else None)


def own_context(scene: Scene) -> dict[str, Any]:
    """What depends on the viewer."""
    picture, me = scene.picture, scene.me
    own = picture.own(me.seat) if me else None
    return {
        "me": me,
        "own": own,
        "private": own.private if own else None,
        "forecast": forecast(picture, me) if me else None,
    }


def summary(scene: Scene, cache: RenderCache) -> Any:
    """The game's additional data for the pages, from what everybody may see."""
    shared, make = scene.picture.shared_without_answers, scene.picture.game.summary
    if shared is None or make is None:
        return None
    return cache.get((scene.table, scene.picture.events_revision, "summary", "", None), lambda: make(shared))


def example_summary(game: Game) -> Any:
    """The summary of a game that has just been dealt: the rules page needs one before the table's game has begun."""
    return game.summary(newly_dealt(game)) if game.summary else None


def forecast(picture: Picture, me: Me) -> Any:
    """The game's forecasts for the moves of this seat."""
    shared, own, make = picture.shared, picture.own(me.seat), picture.game.forecast
    return None if own is None or shared is None or shared.over or make is None else make(shared, own)


def table_card(scene: Scene, cache: RenderCache) -> dict[str, Any]:
    picture, audience = scene.picture, scene.audience
    key = scene.table, picture.events_revision, "card", audience.language, (audience, scene.watchers)
    return cache.get(key, lambda: make_card(picture, scene.watchers, audience))


def make_card(picture: Picture, watchers: int, audience: Audience) -> dict[str, Any]:
    card, game = picture.card, picture.game
    names = tuple(shown_name(seat, audience.language) for seat in card.seats)
    path = f"/t/{picture.token}"
    return {
        "token": picture.token,
        "code": card.code,
        "game": game,
        "phase": card.phase,
        "locked": card.locked,
        "seconds": card.seconds,
        "timed": picture.ends_at is not None,
        "options": card.options,
        "option_list": option_list(picture),
        "seats": [msgspec.structs.asdict(seat) | {"name": name} for seat, name in zip(card.seats, names, strict=True)],
        "names": names,
        "host_name": next((names[seat.n] for seat in card.seats if seat.host), ""),
        "claim": card.claim,
        "silence": card.silence,
        "anybody_away": any(seat.away and not seat.stand_in for seat in card.seats),
        "watchers": watchers,
        "plays": card.plays,
        "commitment": card.commitment,
        "dealing": card.dealing,
        "min_seats": min(game.seats),
        "max_seats": max(game.seats),
        "title": translate(audience.language, game.name),
        "link": audience.base + path,
        "link_is_local": audience.local,
        "addresses": [address + path for address in audience.addresses],
    }


def option_list(picture: Picture) -> list[dict[str, Any]]:
    """The game's options, with the choices that fit the number of seats and the options chosen before."""
    chosen, seats = picture.card.options, picture.seats_to_be
    return [option_card(option, seats, chosen) for option in picture.game.options if option.key in chosen]


def option_card(option: Option, seats: int, chosen: Mapping[str, str]) -> dict[str, Any]:
    value = chosen[option.key]
    pick = option.pick if option.pick and seats in option.pick.number else None
    return {
        "key": option.key,
        "label": option.label,
        "choices": option.fitting(seats, chosen),
        "chosen": value,
        "pick": pick,
        "picked": [member.value for member in pick.members if member.value in value.split(PLUS)] if pick else [],
        "number": pick.number[seats] if pick else 0,
    }


def shown_name(seat: SeatCard, language: str) -> str:
    """The seat's name; names of bots are translated, and may end in a number."""
    if seat.kind == "bot" and not seat.left:
        for name in BOT_NAMES:
            if seat.name.startswith(name):
                return translate(language, name) + seat.name[len(name) :]
    return seat.name
