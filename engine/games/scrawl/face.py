"""Additional data for the game's pages: printed components, SVG paths of the map, and forecasts of the next words."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct, structs

from engine import Own, Shared
from engine.beats import PAUSE
from engine.games.scrawl.cards import Board, Deck, Monster, board
from engine.games.scrawl.drafts import outing, uses
from engine.games.scrawl.facts import (
    COLUMNS,
    HEROES,
    LETTERS,
    ROOMS,
    ROWS,
    Change,
    Forecast,
    Private,
    Public,
    Seat,
    Sheet,
    Use,
)
from engine.games.scrawl.forecast import forecasts
from engine.games.scrawl.scoring import MEASURES, RESURRECTION, bonuses, power
from engine.games.scrawl.team import entry_wounds

SIDE = 100  # side of a room on the map
BEATS = {  # of each event that pages show, by its kind
    "setup": ("setup", PAUSE), "prepared": ("prepared", PAUSE), "acted": ("acted", PAUSE, PAUSE),
    "gems": ("gems", PAUSE), "fought": ("fought", "won", PAUSE), "rewarded": ("rewarded", PAUSE),
    "vanished": ("vanished", PAUSE), "scored": ("scored", PAUSE), "round": ("round", PAUSE),
    "objectives": ("objectives", PAUSE), "chapter": ("chapter", PAUSE), "rolled": ("rolled", PAUSE),
}  # fmt: skip


class Map(Struct, frozen=True):
    """A dungeon's borders as SVG path data: 100 units per room, origin at the top left corner of A7."""

    rim: str
    walls: str
    water: str


class Summary(Struct, frozen=True):
    """Public data for the pages, besides the public view."""

    deck: Deck
    board: Board
    map: Map
    ways: tuple[str, ...]  # each team's path, slightly offset from the others
    order: tuple[Seat, ...]  # by public glory of all chapters, most first
    leaders: tuple[Seat, ...]  # who have the most; nobody before it differs
    raises: tuple[tuple[Seat, ...], ...]  # by die: the teams that may raise the hero it shows
    risen: int  # the glory that a resurrection costs
    gone: tuple[str, ...]  # the letters of gems that every team has stolen or crossed out

    def way(self, path: Sequence[str], seat: Seat, steps: int) -> str:
        """The last steps of a path."""
        return ink(path, max(0, len(path) - steps), *aside(seat))

    def uses(self, beats: Sequence[dict[str, Any]]) -> tuple[Use, ...]:
        """A revealed draft, one entry for each die."""
        return uses(beat["word"] for beat in beats)

    def by_die(self, beats: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
        """The sum of the changes of each die that a draft has used, in the order of `uses`."""
        return tuple(self.total(used) for used in by_use(beats))

    def bonuses(self, sheet: Sheet) -> dict[str, int]:
        """What adds to a team's power besides its levels. Each key names the hero, item or talent that adds."""
        return bonuses(sheet, self.board)

    def power(self, sheet: Sheet, monster: Monster) -> int:
        """What `bonuses` and the levels of a sheet add up to: less or more than in a fight before its rewards."""
        return power(sheet, self.board, monster)

    def reached(
        self, events: Sequence[Mapping[str, Any]], levels: Mapping[str, int], seat: Seat
    ) -> tuple[tuple[int, ...], ...]:
        """The levels that a team's heroes reached in the draft of these events, in order, one entry for each die.
        `levels` are those after the events."""
        gained = self.gained(events, seat).get("levels", {})
        at = {hero: level - gained.get(hero, 0) for hero, level in levels.items()}
        found: list[tuple[int, ...]] = []
        for used in by_use([beat for event in events if event["kind"] == "acted" for beat in event["beats"][seat]]):
            reached = []
            for beat in used:
                match beat["word"].split():
                    case ["level", _, hero] | ["hero", hero]:
                        at[hero] += 1
                        reached.append(at[hero])
            found.append(tuple(reached))
        return tuple(found)

    def gained(self, events: Sequence[Mapping[str, Any]], seat: Seat) -> dict[str, Any]:
        """The sum of what these events of one round changed for a team."""
        beats: list[dict[str, Any]] = []
        for event in events:
            match event["kind"]:
                case "acted":
                    beats += event["beats"][seat]
                case "fought":
                    beats.append(event["fights"][seat])
                    if event["best"] == seat and event["reward"] == "glory":
                        beats.append({"change": {"glory": event["amount"]}})
                case "rewarded" if event["seat"] == seat:
                    beats.append({"change": event["change"]})
                case "scored":
                    scored = sum(seat in seats for seats in event["missions"].values())
                    beats.append({"change": {"glory": scored * event["glory"]}})
        return self.total(beats)

    def total(self, beats: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """The sum of a draft's changes."""
        sum: dict[str, Any] = {}
        for beat in beats:
            for key, value in beat["change"].items():
                if isinstance(value, dict):
                    sum[key] = {name: sum.get(key, {}).get(name, 0) + n for name, n in value.items()} | {
                        name: n for name, n in sum.get(key, {}).items() if name not in value
                    }
                elif key != "owed":
                    sum[key] = sum[key] + value if key in sum else value
        return sum


class Mine(Forecast, frozen=True):
    """For the owner of a draft. Changes are repeated here as plain data, in the same form as in events: fields without
    a change are left out."""

    brings: dict[str, Any]  # change by next word
    steps: dict[str, Any]  # change by room, for one step
    last: dict[str, Any] | None  # the last beat
    spent: tuple[list[dict[str, Any]], ...]  # the beats of each used die
    before: str  # the path at the start of the round
    fresh: str  # the part of the path that the draft has added
    objective: int  # current value of what the kept objective counts
    prices: dict[str, int]  # wounds that entering a guarded room would cause now, before potions heal any


def forecast(shared: Shared[Public], own: Own[Private]) -> Mine | None:
    """The owner's data; None while this seat makes no draft on its sheet."""
    found = forecasts(shared, own)
    if found is None:
        return None
    public, private = shared.public, own.private
    path, walked = found.sheet.path, len(public.teams[own.seat].sheet.path)
    said = msgspec.to_builtins(found.beats)
    here = board(public.dungeon)
    card = here.deck.objectives.get(private.objective)
    return Mine(
        **structs.asdict(found),
        brings=plain(found.words),
        steps=plain(found.rooms),
        last=said[-1] if said else None,
        spent=by_use(said),
        before=ink(path[:walked]),
        fresh=ink(path, walked),
        objective=MEASURES[card.measure](found.sheet, here) if card else 0,
        prices={room.name: entry_wounds(here, found.sheet, room) for room in here.rooms.values() if room.guarded},
    )


def by_use(beats: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], ...]:
    """A draft's beats, in one list for each die. Choices before the first die are left out."""
    found: list[list[dict[str, Any]]] = []
    for beat in beats:
        if beat["word"].split()[0] in ("level", "craft", "brew", "move"):
            found.append([])
        if found:
            found[-1].append(beat)
    return tuple(found)


def plain(changes: dict[str, Change]) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(changes)
    return found


def summary(shared: Shared[Public]) -> Summary:
    public = shared.public
    here = board(public.dungeon)
    earlier = public.past[: public.chapter - 1]
    sums = [team.lines["M"] + sum(done.totals[team.seat] for done in earlier) for team in public.teams]
    order = sorted(public.teams, key=lambda team: (-sums[team.seat], -len(team.sheet.rooms), team.seat))
    return Summary(
        deck=here.deck,
        board=here,
        map=lines_of(public.dungeon),
        ways=tuple(ink(team.sheet.path, 0, *aside(team.seat)) for team in public.teams),
        order=tuple(team.seat for team in order),
        leaders=tuple(seat for seat, sum in enumerate(sums) if sum == max(sums) > min(sums)),
        raises=raises(public, here),
        risen=RESURRECTION,
        gone=tuple(x for x in LETTERS if all(x in (*team.sheet.stolen, *team.sheet.crossed) for team in public.teams)),
    )


def raises(public: Public, here: Board) -> tuple[tuple[Seat, ...], ...]:
    outings = [outing(here, team.sheet, public.dice) for team in public.teams]
    return tuple(
        tuple(seat for seat, each in enumerate(outings) if face in HEROES and each.may_level(die, face))
        for die, face in enumerate(public.dice)
    )


def beats(events: Sequence[Mapping[str, Any]], options: Mapping[str, str]) -> Sequence[str]:
    """What pages show one after the other. The sum of a round stands on the sheets that have turned, unless these are
    already those of the next chapter."""
    kinds = [event["kind"] for event in events]
    sums = "acted" in kinds and ("chapter" not in kinds or "result" in kinds)
    return [beat for kind in kinds if kind != "round" or sums for beat in BEATS.get(kind, ())]


# Drawing --------------------------------------------------------------------------------------------------------------


def corner(room: str) -> tuple[int, int]:
    """The top left corner of a room. Row 1 is the bottom row."""
    return COLUMNS.index(room[0]) * SIDE, (len(ROWS) - int(room[1])) * SIDE


def aside(seat: Seat) -> tuple[int, int]:
    """The offset of a team's path, so that eight paths through one room do not overlap."""
    return (seat % 3 - 1) * 15, (seat // 3 - 1) * 15


def ink(path: Sequence[str], since: int = 0, dx: int = 0, dy: int = 0) -> str:
    """The SVG path from an entrance through the rooms, or its part from step `since` on. Points vary slightly, like
    strokes drawn by hand."""
    points: list[str] = []
    for i, room in enumerate(path):
        x, y = corner(room)
        x, y = x + SIDE // 2 + dx + i * 37 % 9 - 4, y + SIDE // 2 + dy + i * 53 % 9 - 4
        if i < since - 1:
            continue
        if i == 0:
            points.append(f"M{x} {len(ROWS) * SIDE + 12}L{x} {y}" if since < 1 else f"M{x} {y}")
        elif i == since - 1:
            points.append(f"M{x} {y}")
        elif {path[i - 1][0], room[0]} == {"A", "F"}:
            out, back = (-30, 630) if path[i - 1][0] == "A" else (630, -30)
            points.append(f"L{out} {y}M{back} {y}L{x} {y}")
        else:
            points.append(f"L{x} {y}")
    return "".join(points)


@cache
def lines_of(dungeon: str) -> Map:
    here = board(dungeon)
    walls, water = [], []
    for room in ROOMS:
        x, y = corner(room)
        for other, between in here.near[room].items():
            if other < room or between not in ("wall", "water"):
                continue
            upright = other[1] == room[1]  # the neighbour to the right, else the one above
            start = f"M{x + SIDE} {y}" if upright else f"M{x} {y}"
            if between == "wall":
                walls.append(f"{start}{'v' if upright else 'h'}{SIDE}")
            else:
                water.append(start + ("q-11 12.5 0 25t0 25t0 25t0 25" if upright else "q12.5-11 25 0t25 0t25 0t25 0"))
    return Map(rim(here), "".join(walls), "".join(water))


def rim(here: Board) -> str:
    """The outer wall, with gaps at wraps and entrances."""
    wide, high, door = len(COLUMNS) * SIDE, len(ROWS) * SIDE, 34
    found = [f"M0 0H{wide}"]
    for row in ROWS:
        y = corner("A" + row)[1]
        if here.near["A" + row].get("F" + row) != "wrap":
            found.append(f"M0 {y}v{SIDE}M{wide} {y}v{SIDE}")
    found += [f"M{x} {high}h{door}m{SIDE - 2 * door} 0h{door}" for x in range(0, wide, SIDE)]
    return "".join(found)
