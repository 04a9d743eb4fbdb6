"""Dungeon Raiders: into the dungeon together, out of it richer than the others, but never the most wounded."""

from engine.game import N_, Choice, Game, Option
from engine.games.raiders import bot, face, rules, view

EDITION = Option(
    "edition",
    N_("Edition"),
    (
        Choice(
            "second",
            N_("Second"),
            N_("A boss waits in the last room. Whoever has the most wounds at the end is out."),
        ),
    ),
)
PLAY = Option(
    "play",
    N_("Choosing"),
    (
        Choice("sealed", N_("Sealed"), N_("Everyone lays a card face down. All turn at once.")),
        Choice(
            "open",
            N_("Open"),
            N_("One after another, face up. Who played highest begins the next room."),
        ),
    ),
)

game = Game(
    key="raiders",
    name=N_("Dungeon Raiders"),
    rules=1,
    seats=range(3, 6),
    state=rules.Raiders,
    setup=rules.setup,
    public=view.public,
    private=view.private,
    redeal=view.redeal,
    package=__name__,
    options=(EDITION, PLAY),
    bots={"raider": bot.raider},
    minutes=30,
    pitch=N_("Five floors, one card each a room. Be rich, but never the most wounded."),
    help=face.help,
    summary=face.summary,
    reveal_seconds=face.reveal_seconds,
)
