"""The events that every table tells, whichever game is played."""

from msgspec import Struct

from engine.steps import By, Event


class Answer(Struct, frozen=True, gc=False, omit_defaults=True):
    """One seat's answer at the reveal. `kept` is the digest of the part that stays secret, if the ask has one. `by` is
    left out for the player, so logs from before this field existed still hold."""

    seat: int
    words: tuple[str, ...]
    nonce: str
    digest: str
    kept: str
    by: By = "player"


class Began(Event, frozen=True):
    key: str  # of the game
    rules: int
    seats: int
    options: dict[str, str]
    commitment: str
    salts: tuple[str, ...]


class Revealed(Event, frozen=True, omit_defaults=True):
    """All answers of a round are revealed. Their effects follow as events. Consecutive rounds with the same
    `scope` belong to one turn or one battle. A round with an empty `scope` stands alone."""

    round: int
    answers: tuple[Answer, ...]
    scope: str = ""


class AnyTime(Event, frozen=True, omit_defaults=True):
    """A move made outside an ask. Its effects follow as events."""

    round: int
    seat: int
    move: str
    by: By = "player"


class SteppedBack(Event, frozen=True):
    """A seat has taken back its newest step, the answer that was revealed in round `taken`: what happened from then
    until this event does not count."""

    round: int
    seat: int
    taken: int
    scope: str  # of that step


class KeptAnswer(Struct, frozen=True):
    round: int
    seat: int
    words: tuple[str, ...]
    nonce: str
    digest: str


class Opened(Event, frozen=True):
    """The end: the seed, and the words that were kept secret."""

    seed: str
    kept: tuple[KeptAnswer, ...] = ()
