"""For tests of games: every page of a table can be rendered, whatever has happened there.

    from app.testing import page_checks
    from engine.testing import GameCheck, checks

    @pytest.mark.parametrize("check", [*checks(game), *page_checks(game)], ids=str)
    def test_what_every_game_must_do(check: GameCheck) -> None:
        check()

The rules and their views are checked by `engine.testing`, which knows nothing of pages.
"""

import traceback
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from heapq import nlargest
from random import Random
from typing import Any

from app.refusals import Refusal
from app.table import actions as do
from app.table.events import History
from app.table.picture import Me, Picture, draw
from app.table.sitting import Sitting
from app.web.context import Audience, Scene, example_summary
from app.web.faces import FACES, Face, fits
from app.web.fragments import Fragments
from app.web.languages import languages
from app.web.render_cache import RenderCache
from app.web.templates import Templates, template_line, templates_of
from engine.game import Game, UnknownGame, find
from engine.proof import canonical
from engine.testing import CheckFailed, GameCheck, GameSetting

RULES = "rules.html"
BASE = "https://cards.example"
NAMES = ("Ada", "Бо", "Cy", "Di", "Eli", "Fay", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou")
SECONDS = 60  # for a choice, at tables with a timer
MOST_MOVES = 50_000
# What the pages of a table are given besides.
OF_A_BROWSER = {"path": "/", "person_name": "", "problem": None, "beside_screen": False}


def page_checks(game: Game, games: int = 3) -> list[GameCheck]:
    """Checks that render the pages of so many random games, each with other seats and options."""
    return [GameCheck(f"{game.key}-pages-{seed}", partial(check_pages, game, seed)) for seed in range(1, games + 1)]


def check_pages(game: Game, seed: int, most: int | None = None, seen: set[Hashable] | None = None) -> int:
    """Play a game at random, with seats and options at random, and render every page of every position for all
    languages: play, hand, screen and, at the end, the result; as a spectator sees it, as each player who is asked, and
    as one who is not.

    `most`: only of so many positions: first of those where something has happened or is offered that is not among what
    was `seen`. What is rendered is added to it. Raises CheckFailed; returns the number of positions rendered."""
    table = PagedTable(random_setting(game, seed), seed)
    table.render_rules()
    table.render_pages(table.picture)
    positions = table.play() if most is None else chosen(table.play(), most, seen or set(), Random(seed))
    rendered = 0
    for picture in positions:
        table.render_pages(picture)
        rendered += 1
        if seen is not None:
            seen |= kinds_of(picture)
    return rendered


def chosen(positions: Iterable[Picture], most: int, seen: set[Hashable], luck: Random) -> list[Picture]:
    """So many positions: the last one, then those of new kinds, then others at random."""
    met = set(seen)

    def ranked() -> Iterator[tuple[int, float, int, Picture]]:
        for number, picture in enumerate(positions):
            kinds = kinds_of(picture)
            rank = 2 if picture.card.phase == "over" else int(not kinds <= met)
            met.update(kinds)
            yield rank, luck.random(), number, picture

    return [picture for *_, picture in nlargest(most, ranked())]


def kinds_of(picture: Picture) -> set[Hashable]:
    """What is asked together with what is offered, and what has happened before it."""
    assert picture.shared is not None
    asks, seats = picture.shared.asks, range(len(picture.card.seats))
    words = [word.split() for seat in seats for word in picture.own_of_bot(seat).moves]
    offered = frozenset((parts[0], len(parts)) for parts in words if parts)
    return {(asks, offered), *((asks, event["kind"]) for event in picture.reveal)}


def random_setting(game: Game, seed: int) -> GameSetting:
    """A number of seats and options, each choice as likely as the others that fit."""
    luck = Random(f"{game.key} {seed}")
    seats, chosen = luck.choice(game.seats), dict[str, str]()
    for option in game.options:
        if fitting := option.fitting(seats, chosen):
            chosen[option.key] = luck.choice(fitting).value
    return GameSetting(game, seats, game.choose_options(chosen, seats))


class PagedTable:
    """A table at which people sit, with its pages, as a server has them."""

    def __init__(self, setting: GameSetting, seed: int) -> None:
        try:
            installed = find(setting.game.key)
        except UnknownGame as error:
            raise CheckFailed(f"{error}: pages are rendered of installed games only") from None
        if installed is not setting.game:
            raise CheckFailed(f"another game is installed as {setting.game.key!r}")
        self.setting = setting
        self.name = f"{setting}, seed {seed}"
        self.luck = luck = Random(f"moves {self.name}")  # of what happens; of what is shown there is another one
        self.templates: Templates = templates_of(reload=False)
        self.fragments = Fragments(self.templates, RenderCache())
        opening = do.Open(f"pages-{seed}", "LAMP42", setting.game.key, NAMES[0])
        self.sitting = Sitting.open(do.Entry(guest_at(0), opening, self.secret(), 0.0))
        self.history = History()
        self.paged = 0  # the revision of which whole pages were rendered
        self.picture = draw(self.sitting, self.history)
        bots = min(luck.choice([0, 0, 1]), setting.seats - 1)
        for seat in range(1, setting.seats - bots):
            self.act(guest_at(seat), do.Sit(NAMES[seat], seat))
        for _ in range(bots):
            self.act(guest_at(0), do.AddBot())
        if setting.options:
            self.act(guest_at(0), do.Options(setting.options))
        if luck.random() < 0.5:
            self.act(guest_at(0), do.Timer(SECONDS))

    def secret(self) -> str:
        return self.luck.randbytes(32).hex()

    def act(self, who: str, action: do.Action, at: float = 0.0) -> None:
        change = self.sitting.apply(do.Entry(who, action, self.secret(), max(at, self.sitting.saved.at + 0.001)))
        self.sitting = change.sitting
        if change.events:
            self.history = self.history.add(canonical(change.events).decode())
        self.picture = draw(self.sitting, self.history, self.picture)

    def play(self) -> Iterator[Picture]:
        """Play to the end; yields all positions."""
        self.act(guest_at(0), do.Start())
        for _ in range(MOST_MOVES):
            yield self.picture
            if self.picture.card.phase != "playing":
                return
            self.move_on()
        raise CheckFailed(f"{self.name}: the game has not ended after {MOST_MOVES} moves")

    def move_on(self) -> None:
        """A word of somebody who is asked, by the player or by the clock; now and then a word or a step is taken back,
        or something is done that is possible at any time."""
        table, luck = self.sitting.table, self.luck
        assert table is not None
        round, seat, other = table.round, luck.choice(table.waits), luck.randrange(self.setting.seats)
        back, chance = table.back(other), luck.random()
        if self.is_person(other) and back and back.steps and chance < 0.2:
            with suppress(Refusal):  # the server allows no more than a few in a row
                self.act(guest_at(other), do.StepBack(round))
        elif self.is_person(seat) and table.drafts.get(seat) and chance < 0.1:
            self.act(guest_at(seat), do.Undo(round))
        elif (words := table.anytime(other)) and chance < 0.1:
            self.say(other, luck.choice(words), round)
        elif self.sitting.saved.ends_at is not None and chance < 0.05:
            self.time_runs_out(seat, round)
        else:
            self.say(seat, luck.choice(table.moves(seat)), round)

    def time_runs_out(self, seat: int, round: int) -> None:
        while (table := self.sitting.table) and table.round == round and seat in table.waits:
            ends_at = self.sitting.saved.ends_at or 0.0
            self.act("", do.PlayFor(seat, round, table.default(seat), "time"), ends_at)

    def is_person(self, seat: int) -> bool:
        return not self.sitting.seats[seat].bot

    def say(self, seat: int, word: str, round: int) -> None:
        if self.is_person(seat):
            self.act(guest_at(seat), do.Play(round, word))
        else:
            self.act("", do.PlayFor(seat, round, word, "bot"))

    # pages --------------------------------------------------------------------------------------------------------

    def render_pages(self, picture: Picture) -> None:
        """Every page of this position. Between two events only own parts change, so whole pages are rendered once."""
        whole, self.paged = picture.events_revision != self.paged, picture.events_revision
        viewers = viewers_of(picture)
        for face in FACES.values():
            if fits(face, picture):
                for language in languages():
                    for me in viewers if face.own else viewers[:1]:
                        self.render(
                            face, Scene.of(self.name, picture, 0, Audience(face.name, language, BASE), me), whole
                        )

    def render(self, face: Face, scene: Scene, whole: bool) -> None:
        with self.told(face.name, scene):
            if whole:
                self.page(scene, face.page)
            for part in face.parts:
                self.fragments.of(scene, part)

    def render_rules(self) -> None:
        """Before the game has begun, as it is read in the lobby."""
        for language in languages():
            scene = Scene.of(self.name, self.picture, 0, Audience("lobby", language, BASE), self.picture.me(""))
            with self.told("rules", scene):
                self.page(scene, RULES, summary=example_summary(self.setting.game))

    def page(self, scene: Scene, template: str, **more: Any) -> None:
        values = {**self.fragments.of_page(scene, None), **OF_A_BROWSER, **more}
        self.templates.page(scene.audience.language, template, values)

    @contextmanager
    def told(self, page: str, scene: Scene) -> Iterator[None]:
        """Says of an error which page it was, when, and where it is written."""
        try:
            yield
        except Exception as error:
            seat, shared = scene.me.seat if scene.me else None, scene.picture.shared
            viewer = "a spectator" if seat is None else f"seat {seat}"
            asks = f", while {shared.asks} asks in round {shared.round}" if shared and shared.asks else ""
            own = scene.picture.own(seat)
            offered = f" and offers {own.moves} after {list(own.draft)}" if own and own.moves else ""
            raise CheckFailed(
                f"{self.name}: the page {page!r} in {scene.audience.language!r} for {viewer}{asks}{offered} "
                f"raises {type(error).__name__}: {error}, in {where(error)}"
            ) from error


def viewers_of(picture: Picture) -> list[Me]:
    """A spectator, the players who are asked, and one of the others."""
    people = [seat.n for seat in picture.card.seats if seat.kind == "person" and not seat.bot]
    asked = [seat for seat in people if (own := picture.own(seat)) and (own.moves or own.ready)]
    others = [seat for seat in people if seat not in asked]
    shown = [*asked, *(Random(picture.seq).sample(others, 1) if others else [])]
    return [picture.me(""), *(picture.me(guest_at(seat)) for seat in shown)]


def guest_at(seat: int) -> str:
    return f"person {seat}"


def where(error: Exception) -> str:
    """The template and line that raised this error; else the line of code."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return template_line(error) or f"{last.filename}:{last.lineno}"
