"""Forecasts of the next words of a draft, for pages. They are computed from views alone."""

from collections.abc import Iterable, Mapping

from engine import Own, Shared
from engine.games.scrawl.cards import board
from engine.games.scrawl.drafts import Outing, Walk, beats, branch, fold, opening
from engine.games.scrawl.facts import Change, DieForecast, Forecast, Private, Public, colour
from engine.games.scrawl.scoring import difference, glory, lines, met, power


def forecasts(shared: Shared[Public], own: Own[Private]) -> Forecast | None:
    """Forecasts for the owner of a draft; None while this seat makes no draft on its sheet."""
    public, private = shared.public, own.private
    here = board(public.dungeon)
    start = opening(shared.asks, here, public.teams[own.seat].sheet, public.dice, public.stage)
    if start is None or own.seat not in (shared.asked or ()):
        return None
    now = fold(start, own.draft)
    words = changes(now, now.words())
    using = by_die(words)
    monster = here.monsters[public.stage - 1]
    strong = power(now.sheet, here, monster)
    return Forecast(
        sheet=now.sheet,
        dice=tuple(die_forecast(now, die, face, using.get(str(die), {})) for die, face in enumerate(now.dice)),
        words=words,
        rooms=rooms(now),
        moving=now.walk.left if now.walk else None,
        choosing=now.queue[0].kind if now.queue else "",
        power=strong,
        met=met(now.sheet, here, public.stage),
        tier=monster.tier(strong),
        lines=lines(now.sheet, here, private.objective),
        beats=tuple(beats(start, own.draft)),
    )


def changes(now: Outing, words: Iterable[str]) -> dict[str, Change]:
    """The change that each of these words would cause."""
    was, found = glory(now.sheet, now.board), {}
    for word in words:
        after = fold(now, [word])
        found[word] = difference(now.board, now.sheet, after.sheet, after.waiting(), was)
    return found


def by_die(words: Mapping[str, Change]) -> dict[str, dict[str, Change]]:
    found: dict[str, dict[str, Change]] = {}
    for word, change in words.items():
        for die in word.split()[1:2]:
            found.setdefault(die, {})[word] = change
    return found


def die_forecast(now: Outing, die: int, face: str, words: dict[str, Change]) -> DieForecast:
    if face == "skull":
        state = "skull"
    elif die in now.used:
        state = "moving" if now.walk and die == now.used[-1] else "used"
    else:
        state = "free"
    return DieForecast(die, colour(die), face, state, words)


def rooms(now: Outing) -> dict[str, Change]:
    """The change for a step into each adjacent room. Empty while something must be chosen first."""
    if now.queue or now.done or not now.dice:
        return {}
    walking = branch(now)
    walking.walk = walking.walk or Walk(2)
    ahead = walking.ahead()
    found = changes(walking, [f"step {room}" for room in ahead])
    return dict(zip(ahead, found.values(), strict=True))
