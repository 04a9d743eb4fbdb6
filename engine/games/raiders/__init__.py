"""Dungeon Raiders: into the dungeon together, out of it richer than the others, but never the most wounded."""

from engine import N_, Choice, Game, Option
from engine.games.raiders import bot, face, rules, view
from engine.games.raiders.facts import Private, Public

EDITION = Option(
    "edition",
    N_("Edition"),
    (
        Choice(
            "second",
            N_("Second"),
            N_("A boss waits in the last room. Whoever has the most wounds at the end is out."),
            seats=range(3, 6),
        ),
        Choice(
            "first",
            N_("First"),
            N_("No boss; sharper traps. Ten wounds are death at once, and whoever has the most at the end is out."),
            seats=range(3, 6),
        ),
        Choice(
            "first",
            N_("Duel"),
            N_("For two, first edition. Monsters cannot be beaten and hit the lower card. Ten wounds: the other wins."),
            seats=range(2, 3),
        ),
        Choice(
            "first",
            N_("Solo"),
            N_("For one, first edition. No items; monsters draw their strength. Come out alive and rich: 20 is good."),
            seats=range(1, 2),
        ),
    ),
)
SEALED = N_("Everyone lays a card face down. All turn at once.")
OPEN = N_("One after another, face up. Who played highest begins the next room.")
PLAY = Option(
    "play",
    N_("Choosing"),
    (
        Choice("sealed", N_("Sealed"), SEALED, seats=range(3, 6), when={"edition": "second"}),
        Choice("open", N_("Open"), OPEN, seats=range(2, 6)),
        # R-27 In the rulebook the quick variant follows the duel and names no number of players, so it is also for two.
        Choice("sealed", N_("Sealed"), SEALED, seats=range(2, 6), when={"edition": "first"}),
    ),
)
DIFFICULTY = Option(
    "difficulty",
    N_("Difficulty"),
    (
        Choice("2", N_("Easy"), N_("You start with 2 wounds."), seats=range(1, 2)),
        Choice("3", N_("Fair"), N_("You start with 3 wounds."), seats=range(1, 2)),
        Choice("4", N_("Hard"), N_("You start with 4 wounds."), seats=range(1, 2)),
        Choice("5", N_("Nearly impossible"), N_("You start with 5 wounds."), seats=range(1, 2)),
    ),
)

game: Game[rules.Raiders, Public, Private] = Game(
    key="raiders",
    name=N_("Dungeon Raiders"),
    rules=1,
    seats=range(1, 6),
    state=rules.Raiders,
    setup=rules.setup,
    public=view.public,
    private=view.private,
    shuffle_unknown=view.shuffle_unknown,
    package=__name__,
    options=(EDITION, PLAY, DIFFICULTY),
    bots={"raider": bot.raider},
    minutes=30,
    picture="picture.svg",
    pitch=N_("Five floors, one card each a room. Be rich, but never the most wounded."),
    forecast=face.forecast,
    summary=face.summary,
    beats=face.beats,
)
