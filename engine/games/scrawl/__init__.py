"""Paper Dungeons: four heroes, three dice a round, and one sheet of paper for each team.

In a round each team makes one sealed draft (`drafts`), which is applied to its own sheet (`team`). Then all drafts are
revealed and the round ends (`rules`). `scoring` computes the glory; `cards.toml` holds the printed components.
"""

from engine import N_, Choice, Game, Option
from engine.games.scrawl import face
from engine.games.scrawl.bot import doodler, scrawler, sketcher
from engine.games.scrawl.facts import Private, Public, chronicle
from engine.games.scrawl.positions import position, sheet
from engine.games.scrawl.rules import Scrawl, setup
from engine.games.scrawl.view import private, public, shuffle_unknown

__all__ = ["game", "position", "sheet"]

SEATS = range(1, 9)  # P-2
SEVERAL = SEATS[1:]

OPTIONS = (
    Option(
        "campaign",
        N_("Length"),
        (
            Choice("none", N_("One dungeon"), N_("Eight rounds in a dungeon drawn at random.")),
            Choice("legends", N_("City Legends"), N_("A campaign: three dungeons, and the sum decides.")),
            Choice("hamunaptra", N_("Mummy of Hamunaptra"), N_("A campaign: three dungeons, and the sum decides.")),
            Choice("tower", N_("The Sinister Tower"), N_("A campaign: three dungeons, and the sum decides.")),
            Choice("kingdom", N_("Around the Kingdom"), N_("A campaign: three dungeons, and the sum decides.")),
        ),
    ),
    Option(
        "missions",
        N_("Missions"),
        (
            Choice("yes", N_("Three missions"), N_("Open to all teams; those who fulfil one first score it.")),
            Choice("no", N_("None"), N_("For a first game.")),
        ),
    ),
    Option(
        "gems",
        N_("Gems"),
        (
            Choice("stay", N_("Stay"), N_("Until somebody steals them."), SEVERAL),
            Choice("vanish", N_("Vanish"), N_("Two gems are gone after each of the first two monsters.")),
        ),
    ),
)

game: Game[Scrawl, Public, Private] = Game(
    key="scrawl",
    name=N_("Paper Dungeons"),
    rules=1,
    seats=SEATS,
    state=Scrawl,
    setup=setup,
    public=public,
    private=private,
    shuffle_unknown=shuffle_unknown,
    package=__name__,
    options=OPTIONS,
    bots={"scrawler": scrawler, "sketcher": sketcher, "doodler": doodler},
    minutes=30,
    picture="picture.svg",
    pitch=N_("Everyone draws the way of four heroes through the same dungeon, with the same dice, all at once."),
    forecast=face.forecast,
    summary=face.summary,
    beats=face.beats,
    chronicle=chronicle,
)
