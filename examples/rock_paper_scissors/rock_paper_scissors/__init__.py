"""Rock, paper, scissors for two to eight players: all choose in secret and reveal at once."""

from collections.abc import Mapping

from msgspec import Struct

from engine import N_, Ask, Chance, Choice, Draft, Event, Game, Move, Option, Result, Standing, State

BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}


class Shown(Event, frozen=True):
    """All hands are shown. Each player gets a point for each rival that their hand beats."""

    hands: tuple[str, ...]  # by seat
    points: tuple[int, ...]


class Show(Ask["Play"], frozen=True):
    """Everybody chooses a hand; all hands are shown at once."""

    def who(self, g: "Play") -> list[int]:
        return list(range(len(g.points)))

    def options(self, g: "Play", seat: int, draft: Draft) -> list[Move]:
        return list(BEATS)

    def take(self, g: "Play", answers: dict[int, Draft]) -> None:
        g.hands = tuple(hand for (hand,) in answers.values())
        won = tuple(sum(BEATS[mine] == other for other in g.hands) for mine in g.hands)
        g.points = [points + more for points, more in zip(g.points, won, strict=True)]
        g.tell(Shown(g.hands, won))
        g.round += 1
        if g.round <= g.rounds:
            g.next(Show())
        else:
            g.finish(final_scoring(g.points))


class Play(State, kw_only=True):
    """The state of the game. It is stored as JSON, so it contains plain data only."""

    todo: list[Show]
    rounds: int
    points: list[int]
    round: int = 1
    hands: tuple[str, ...] = ()  # of the last round


def setup(seats: int, options: Mapping[str, str], chance: Chance) -> Play:
    return Play(todo=[Show()], chance=chance, rounds=int(options["rounds"]), points=[0] * seats)


def final_scoring(points: list[int]) -> Result:
    """Most points win; players with equal points share a place."""
    places = [1 + sum(other > mine for other in points) for mine in points]
    standings = [Standing(seat, place, {"points": points[seat]}) for seat, place in enumerate(places)]
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    return Result(winners, tuple(sorted(standings, key=lambda standing: standing.place)))


class Public(Struct, frozen=True):
    """What everybody sees."""

    round: int
    rounds: int
    points: tuple[int, ...]
    hands: tuple[str, ...]


def public(g: Play) -> Public:
    return Public(min(g.round, g.rounds), g.rounds, tuple(g.points), g.hands)


def private(g: Play, seat: int) -> None:
    """No seat knows more than the others. (The table itself shows a seat its own choice.)"""


def shuffle_unknown(g: Play, seat: int | None, chance: Chance) -> None:
    """Only choices are hidden, and they are not part of the state until they are revealed."""


game: Game[Play, Public, None] = Game(
    key="rock_paper_scissors",
    name=N_("Rock, paper, scissors"),
    rules=1,
    seats=range(2, 9),
    state=Play,
    setup=setup,
    public=public,
    private=private,
    shuffle_unknown=shuffle_unknown,
    package=__name__,
    options=(
        Option(
            "rounds",
            N_("Rounds"),
            (Choice("3", N_("Three")), Choice("5", N_("Five")), Choice("10", N_("Ten"))),
        ),
    ),
    minutes=2,
    pitch=N_("Everybody shows a hand at once. A point for each rival whom yours beats."),
)
