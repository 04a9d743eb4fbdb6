"""What is told: the events of a game; those of battles are in `battle_facts.py`."""

from engine import Event

# Setup and turns ------------------------------------------------------------------------------------------------------


class FirstRolled(Event, frozen=True):
    """D-26 Dice of the seats that still compete for the first turn."""

    dice: dict[int, int]


class FirstChosen(Event, frozen=True):
    seat: int


class HeroTaken(Event, frozen=True):
    seat: int
    hero: str


class QuestsDealt(Event, frozen=True):
    personal: tuple[tuple[str, ...], ...]  # by seat
    common: tuple[str, ...]


class TurnBegan(Event, frozen=True):
    turn: int
    round: int
    seat: int
    ap: int


class ApSaved(Event, frozen=True):
    seat: int


# Cards ----------------------------------------------------------------------------------------------------------------


class Played(Event, frozen=True):
    """A card was played and paid by `payer`: a glory card with glory, a peril card with the payer's peril."""

    seat: int
    card: str
    cost: int
    payer: int
    target: int  # -1: no hero
    aim: str


class AbilityUsed(Event, frozen=True):
    seat: int
    ability: str
    glory: int
    ap: int
    aim: str


class TreasureUsed(Event, frozen=True):
    seat: int
    card: str


class LocationUsed(Event, frozen=True):
    seat: int
    location: str
    ap: int
    glory: int


class Discarded(Event, frozen=True):
    """`place`: hand, treasure, boon, lair, curse or battle; "defeat": all that a defeated hero had. Seat -1: nobody's
    monster."""

    seat: int
    cards: tuple[str, ...]
    place: str


class Drew(Event, frozen=True):
    seat: int
    number: int
    pile: str


class Reshuffled(Event, frozen=True):
    pile: str


# Heroes ---------------------------------------------------------------------------------------------------------------


class Gained(Event, frozen=True):
    seat: int
    glory: int
    peril: int
    why: str


class Lost(Event, frozen=True):
    seat: int
    glory: int
    peril: int
    why: str


class ApGained(Event, frozen=True):
    seat: int
    ap: int
    why: str


class Bonus(Event, frozen=True):
    """A value is higher until the end of this turn."""

    seat: int
    stat: str
    n: int
    why: str


class Healed(Event, frozen=True):
    seat: int
    n: int
    hp: int
    why: str


class Wounded(Event, frozen=True):
    seat: int
    hp: int
    why: str


class Prevented(Event, frozen=True):
    """A card prevented the wound."""

    seat: int
    card: str
    glory: int


class Fell(Event, frozen=True):
    seat: int
    why: str


class Stood(Event, frozen=True):
    seat: int


class LayDown(Event, frozen=True):
    """V-7, V-8"""

    seat: int


class LevelRose(Event, frozen=True):
    seat: int
    level: int


class Defeated(Event, frozen=True):
    seat: int
    hero: str
    at: str
    again: bool  # V-2 the player goes on with another hero


# The map --------------------------------------------------------------------------------------------------------------


class LocationDrawn(Event, frozen=True):
    seat: int
    location: str


class NotFitting(Event, frozen=True):
    """D-32 It goes to the bottom of the deck."""

    location: str


class Laid(Event, frozen=True):
    seat: int  # -1: by the setup
    location: str
    x: int
    y: int
    turned: bool


class Turned(Event, frozen=True):
    location: str
    turned: bool


class Shifted(Event, frozen=True):
    location: str
    x: int
    y: int


class TokenPut(Event, frozen=True):
    token: str  # "deactivation" or "bridge"
    location: str


class Moved(Event, frozen=True):
    seat: int
    source: str
    to: str
    how: str  # "move", "transfer" or "forced"


class ExitOpened(Event, frozen=True):
    """D-84"""

    seat: int
    location: str
    side: str


class Dodged(Event, frozen=True):
    """V-9"""

    seat: int


# Dice -----------------------------------------------------------------------------------------------------------------


class Checked(Event, frozen=True):
    """D-66 A threat: die + value + more against the number."""

    seat: int
    source: str  # a card, a quest, "exit", "spikes" or "pit"
    stat: str
    die: int
    value: int
    more: int
    total: int
    number: int
    passed: bool


class LairChecked(Event, frozen=True):
    """A monster in the lair of this seat must overcome a threat."""

    seat: int
    card: str
    die: int
    value: int
    total: int
    number: int
    passed: bool


class Searched(Event, frozen=True):
    seat: int
    quest: str
    die: int
    between: int  # locations between the hero and the entrance
    total: int
    number: int
    found: bool


class ChanceRolled(Event, frozen=True):
    seat: int
    quest: str
    dice: tuple[int, ...]
    more: int
    total: int
    number: int
    won: bool


class PerilRolled(Event, frozen=True):
    """D-104 Each die that shows the number or less draws a card."""

    dice: tuple[int, ...]
    number: int


class PerilDrawn(Event, frozen=True):
    cards: tuple[str, ...]


# Quests ---------------------------------------------------------------------------------------------------------------


class QuestDrawn(Event, frozen=True):
    seat: int  # -1: a common quest
    quest: str


class QuestExchanged(Event, frozen=True):
    seat: int
    quest: str
    drawn: str


class QuestTried(Event, frozen=True):
    seat: int
    quest: str
    ap: int
    choice: str


class QuestBegun(Event, frozen=True):
    """D-74 An escort is taken or picked up."""

    seat: int
    quest: str


class QuestDropped(Event, frozen=True):
    seat: int
    quest: str
    at: str


class QuestStolen(Event, frozen=True):
    seat: int
    victim: int
    quest: str


class QuestCompleted(Event, frozen=True):
    seat: int
    quest: str
    number: int  # completed by this seat so far
