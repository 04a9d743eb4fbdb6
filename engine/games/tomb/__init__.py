"""Rodents and Tombs (T-0): expeditions lay paws around a tomb, open its rooms and hire helpers. T-172 The options."""

from engine import N_, Choice, Game, Option, Pick
from engine.games.tomb import bot, chronicle, face, forecast, positions, rules, view
from engine.games.tomb.card_names import FACTIONS as NAMES
from engine.games.tomb.cards import DECK
from engine.games.tomb.seen import Private, Public

FACTIONS = Option(
    "factions",
    N_("Factions"),
    (
        Choice("random", N_("At random"), N_("Six of the twelve; seven with three players.")),
        Choice(
            "first_game",
            N_("First game"),
            N_("Squirrels, porcupines, beavers, pacas, jerboas, guinea pigs: plain cards."),
            seats=range(2, 3),
        ),
        Choice(
            "first_game",
            N_("First game"),
            N_("Squirrels, porcupines, beavers, pacas, jerboas, guinea pigs and viscachas: plain cards."),
            seats=range(3, 4),
        ),
    ),
    pick=Pick(
        N_("By wish"),
        tuple(Choice(faction, NAMES[faction], icon=f"tomb-{faction}") for faction in DECK.factions),
        rules.FACTIONS,
    ),
)
ENTRANCES = Option(
    "entrance_layout",
    N_("Entrances"),
    (
        Choice("standard", N_("In order")),
        Choice("random", N_("At random"), N_("The cards lie around the tomb in any order: less predictable.")),
    ),
)
FIRST = Option(
    "first_player",
    N_("First player"),
    (
        Choice("random", N_("At random")),
        Choice("0", N_("First seat")),
        Choice("1", N_("Second seat")),
        Choice("2", N_("Third seat"), seats=range(3, 4)),
    ),
)
# T-158 For two players only.
SECRET = Option(
    "secret_entrance",
    N_("Secret entrances"),
    (
        Choice("off", N_("No"), seats=range(2, 3)),
        Choice(
            "on", N_("Yes"), N_("Six entrances can be turned over, for 2 glory each, to a better side."), range(2, 3)
        ),
    ),
)
# T-173 For two players only: with three it is not measured.
HEAD_START = Option(
    "head_start",
    N_("Head start"),
    (
        Choice("off", N_("No"), seats=range(2, 3)),
        Choice(
            "on",
            N_("Yes"),
            N_("Suggested: who plays second begins with 6 glory. Otherwise who begins wins two of three games."),
            range(2, 3),
        ),
    ),
)

game: Game[rules.Tomb, Public, Private] = Game(
    key="tomb",
    name=N_("Rodents and Tombs"),
    rules=2,
    seats=range(2, 4),
    state=rules.Tomb,
    setup=rules.setup,
    public=view.public,
    private=view.private,
    shuffle_unknown=view.shuffle_unknown,
    package=__name__,
    options=(FACTIONS, ENTRANCES, FIRST, SECRET, HEAD_START),
    bots={"digger": bot.digger},
    minutes=60,
    picture="picture.svg",
    forecast=forecast.forecast,
    summary=face.summary,
    chronicle=chronicle.chronicle,
    position=positions.position_of_file,
    pitch=N_("Lay paws around the tomb, open its rooms, hire rodents of many factions. Every turn a small chain."),
)
