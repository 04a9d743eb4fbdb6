"""Tiny games for tests, one for each feature of a table."""

from typing import Any

from msgspec import field

from engine.chance import Chance
from engine.game import Choice, Game, Option
from engine.steps import Ask, Draft, Event, Move, State, Step
from tests.engine.scores import rank
from tests.engine.tiny_moves import bids, late
from tests.engine.tiny_turns import digging

# Turns: who says the number that reaches the goal wins. ---------------------------------------------------------------


class Said(Event, frozen=True):
    seat: int
    total: int


class Say(Ask["Counting"], frozen=True):
    """Say one or two more."""

    seat: int

    def who(self, g: "Counting") -> list[int]:
        return [self.seat]

    def options(self, g: "Counting", seat: int, draft: Draft) -> list[Move]:
        return ["1", "2"] if g.goal - g.total > 1 else ["1"]

    def take(self, g: "Counting", answers: dict[int, Draft]) -> None:
        g.total += int(answers[self.seat][0])
        g.tell(Said(self.seat, g.total))
        if g.total == g.goal:
            g.finish(rank([int(seat == self.seat) for seat in range(g.seats)]))
        else:
            g.next(Say((self.seat + 1) % g.seats))


class Counting(State, kw_only=True):
    todo: list[Say]
    seats: int
    goal: int
    total: int = 0


def count_setup(seats: int, options: Any, chance: Chance) -> Counting:
    return Counting(todo=[Say(0)], chance=chance, seats=seats, goal=int(options["goal"]))


counting = Game(
    key="counting",
    name="Counting",
    rules=1,
    seats=range(2, 9),
    state=Counting,
    setup=count_setup,
    public=lambda g: {"total": g.total, "goal": g.goal},
    private=lambda g, seat: None,
    shuffle_unknown=lambda g, seat, chance: None,
    package=__name__,
    options=(Option("goal", "Goal", (Choice("7", "Seven"), Choice("3", "Three"))),),
)


# Drafts: everybody uses three of the five rolled dice, one word each and "done", as in Paper Dungeons. ----------------


class Rolled(Event, frozen=True):
    dice: tuple[int, ...]


class Marked(Event, frozen=True):
    points: dict[int, int]


class Roll(Step["Dice"], frozen=True):
    """Everybody uses the same dice."""

    def do(self, g: "Dice") -> None:
        g.dice = tuple(1 + g.chance.below(6) for _ in range(5))
        g.tell(Rolled(g.dice))
        g.next(UseThree())


class UseThree(Ask["Dice"], frozen=True):
    """Three dice, in any order, each to the left or to the right; a side holds two. "done" hands in."""

    def who(self, g: "Dice") -> list[int]:
        return list(range(g.seats))

    def options(self, g: "Dice", seat: int, draft: Draft) -> list[Move]:
        if len(draft) == 3:
            return ["done"]
        used = [word.split() for word in draft]
        full = {side for side in ("left", "right") if [s for _, s in used].count(side) == 2}
        left = [die for die in range(len(g.dice)) if str(die) not in [d for d, _ in used]]
        return [f"{die} {side}" for die in left for side in ("left", "right") if side not in full]

    def unfinished(self, g: "Dice", seat: int, draft: Draft) -> bool:
        return draft[-1:] != ("done",)

    def take(self, g: "Dice", answers: dict[int, Draft]) -> None:
        g.order.append(list(answers))
        for seat, (*words, _) in answers.items():
            for word in words:
                die, side = word.split()
                g.points[seat] += g.dice[int(die)] * (2 if side == g.secret_side else 1)
        g.tell(Marked(dict(enumerate(g.points))))
        g.played += 1
        if g.played < g.rounds:
            g.next(Roll())
        else:
            g.finish(rank(g.points))


class Dice(State, kw_only=True):
    todo: list[Roll | UseThree]
    seats: int
    rounds: int
    secret_side: str
    points: list[int]
    played: int = 0
    dice: tuple[int, ...] = ()
    order: list[list[int]] = field(default_factory=list)


def dice_setup(seats: int, options: Any, chance: Chance) -> Dice:
    side = ("left", "right")[chance.below(2)]
    return Dice(todo=[Roll()], chance=chance, seats=seats, rounds=2, secret_side=side, points=[0] * seats)


dice = Game(
    key="dice",
    name="Dice",
    rules=3,
    seats=range(1, 9),
    state=Dice,
    setup=dice_setup,
    public=lambda g: {"dice": g.dice, "points": g.points},
    private=lambda g, seat: None,
    shuffle_unknown=lambda g, seat, chance: None,
    package=__name__,
)


# A response window that hides who is asked. ---------------------------------------------------------------------------


class Hit(Event, frozen=True):
    seat: int
    stopped_by: int | None


class Attack(Ask["Window"], frozen=True):
    """The attacker picks another seat."""

    seat: int

    def who(self, g: "Window") -> list[int]:
        return [self.seat]

    def options(self, g: "Window", seat: int, draft: Draft) -> list[Move]:
        return [f"hit {other}" for other in range(g.seats) if other != seat]

    def take(self, g: "Window", answers: dict[int, Draft]) -> None:
        g.next(Respond(self.seat, int(answers[self.seat][0].split()[1])))


class Respond(Ask["Window"], frozen=True):
    """Whoever holds a shield may use it. The first one after the attacker counts; the others' answers are discarded."""

    hush = True
    attacker: int
    victim: int

    def who(self, g: "Window") -> list[int]:
        return [seat for seat in range(g.seats) if seat != self.attacker]

    def options(self, g: "Window", seat: int, draft: Draft) -> list[Move]:
        return ["pass", "shield"] if g.shields[seat] else ["pass"]

    def scope(self, g: "Window") -> str:
        return f"attack {self.attacker}"

    def heeds(self, g: "Window", seat: int, order: str) -> bool:
        return order == "always" or (order == "hit" and seat == self.victim)

    def opens(self, g: "Window", answers: dict[int, Draft]) -> list[int]:
        in_turn = sorted(answers, key=lambda seat: (seat - self.attacker) % g.seats)
        acting = [i for i, seat in enumerate(in_turn) if answers[seat] != ("pass",)]
        return in_turn[: acting[0] + 1] if acting else in_turn

    def take(self, g: "Window", answers: dict[int, Draft]) -> None:
        stopped = next((seat for seat, words in answers.items() if words == ("shield",)), None)
        if stopped is None:
            g.hits[self.victim] += 1
        else:
            g.shields[stopped] -= 1
        g.tell(Hit(self.victim, stopped))
        if self.attacker + 1 < g.seats:
            g.next(Attack(self.attacker + 1))
        else:
            g.finish(rank([-hits for hits in g.hits]))


class Window(State, kw_only=True):
    todo: list[Attack | Respond]
    seats: int
    shields: list[int]
    hits: list[int]


def window_setup(seats: int, options: Any, chance: Chance) -> Window:
    shields = [chance.below(3) for _ in range(seats)]
    return Window(todo=[Attack(0)], chance=chance, seats=seats, shields=shields, hits=[0] * seats)


def window_shuffle_unknown(g: Window, seat: int | None, chance: Chance) -> None:
    """What other seats hold."""
    g.shields = [held if other == seat else chance.below(3) for other, held in enumerate(g.shields)]


window = Game(
    key="window",
    name="Window",
    rules=1,
    seats=range(3, 6),
    state=Window,
    setup=window_setup,
    public=lambda g: {"hits": g.hits},
    private=lambda g, seat: {"shields": g.shields[seat]},
    shuffle_unknown=window_shuffle_unknown,
    orders=(Choice("always", "Always"), Choice("hit", "Only when I am hit"), Choice("never", "Never")),
    package=__name__,
)


# Any-time moves: a lamp, lit once, ends all hiding. -------------------------------------------------------------------


class Lit(Event, frozen=True):
    seat: int


class Hide(Ask["Dark"], frozen=True):
    """Two words: how and where to hide. While the lamp is lit, nobody may hide, and an answer has three words."""

    def who(self, g: "Dark") -> list[int]:
        return list(range(g.seats))

    def options(self, g: "Dark", seat: int, draft: Draft) -> list[Move]:
        if draft:
            return ["north", "south"]
        return ["walk"] if g.light else ["walk", "hide"]

    def unfinished(self, g: "Dark", seat: int, draft: Draft) -> bool:
        return len(draft) < (3 if g.light and g.longer else 2)

    def default(self, g: "Dark", seat: int, draft: Draft) -> Move:
        return self.options(g, seat, draft)[-1]

    def take(self, g: "Dark", answers: dict[int, Draft]) -> None:
        for seat, words in answers.items():
            g.points[seat] += len(words) if words[0] == "walk" else 2 * len(words)
        g.played += 1
        g.light = False
        if g.played < 2:
            g.next(Hide())
        else:
            g.finish(rank(g.points))


class Dark(State, kw_only=True):
    todo: list[Hide]
    seats: int
    lamps: list[int]
    points: list[int]
    longer: bool
    light: bool = False
    played: int = 0

    def anytime(self, seat: int) -> list[Move]:
        return ["lamp"] if self.lamps[seat] and not self.light else []

    def take_anytime(self, seat: int, move: Move) -> None:
        self.lamps[seat] -= 1
        self.light = True
        self.tell(Lit(seat))


def dark_setup(seats: int, options: Any, chance: Chance) -> Dark:
    lamps, longer = [1 + chance.below(2) for _ in range(seats)], options["light"] == "longer"
    return Dark(todo=[Hide()], chance=chance, seats=seats, lamps=lamps, points=[0] * seats, longer=longer)


dark = Game(
    key="dark",
    name="Dark",
    rules=1,
    seats=range(2, 5),
    state=Dark,
    setup=dark_setup,
    public=lambda g: {"light": g.light, "lamps": g.lamps, "points": g.points},
    private=lambda g, seat: None,
    shuffle_unknown=lambda g, seat, chance: None,
    package=__name__,
    options=(Option("light", "Light", (Choice("same", "Same"), Choice("longer", "Longer", seats=range(2, 4)))),),
)


# Kept words: a talent is revealed, the wish is kept secret until the end; wishing for nothing is possible. ------------


class Chose(Event, frozen=True):
    talents: dict[int, str]


class Choose(Ask["Wishes"], frozen=True):
    """One of two talents, then a wish or nothing."""

    def who(self, g: "Wishes") -> list[int]:
        return list(reversed(range(g.seats)))  # not in order of seats; the table sorts them

    def options(self, g: "Wishes", seat: int, draft: Draft) -> list[Move]:
        if draft:
            return ["wish gold", "wish fame", "no wish"]
        return [f"talent {talent}" for talent in g.dealt[seat]]

    def unfinished(self, g: "Wishes", seat: int, draft: Draft) -> bool:
        return len(draft) < 2

    def kept(self, word: Move) -> bool:
        return word.startswith("wish ")

    def take(self, g: "Wishes", answers: dict[int, Draft]) -> None:
        for seat, words in answers.items():
            g.chosen[seat] = [*g.chosen[seat], *words]
        g.tell(Chose({seat: words[0].split()[1] for seat, words in answers.items()}))
        if len(g.chosen[0]) < 4:
            g.next(Choose())
        else:
            g.finish(rank([chosen.count("wish gold") for chosen in g.chosen]))


class Wishes(State, kw_only=True):
    todo: list[Choose]
    seats: int
    dealt: list[tuple[str, str]]
    chosen: list[list[str]]


def wishes_setup(seats: int, options: Any, chance: Chance) -> Wishes:
    talents = [str(number) for number in range(2 * seats)]
    chance.shuffle(talents)
    dealt = [(talents[2 * seat], talents[2 * seat + 1]) for seat in range(seats)]
    return Wishes(todo=[Choose()], chance=chance, seats=seats, dealt=dealt, chosen=[[] for _ in range(seats)])


def wishes_shuffle_unknown(g: Wishes, seat: int | None, chance: Chance) -> None:
    """Talents before the reveal, and wishes; that a seat has wished for something is known."""
    others = [other for other in range(g.seats) if other != seat]
    unseen = [talent for other in others for talent in g.dealt[other] if f"talent {talent}" not in g.chosen[other]]
    chance.shuffle(unseen)
    for other in others:
        first, second = (t if f"talent {t}" in g.chosen[other] else unseen.pop() for t in g.dealt[other])
        g.dealt[other] = (first, second)
        wish = ("wish gold", "wish fame")[chance.below(2)]
        g.chosen[other] = [wish if word.startswith("wish ") else word for word in g.chosen[other]]


wishes = Game(
    key="wishes",
    name="Wishes",
    rules=1,
    seats=range(2, 5),
    state=Wishes,
    setup=wishes_setup,
    public=lambda g: {"talents": [[w for w in words if w.startswith("talent")] for words in g.chosen]},
    private=lambda g, seat: {"dealt": g.dealt[seat], "chosen": g.chosen[seat]},
    shuffle_unknown=wishes_shuffle_unknown,
    package=__name__,
)

TINY = {game.key: game for game in (counting, dice, window, dark, wishes, bids, late, digging)}
