"""What is told of groups of encounters and of battles."""

from msgspec import Struct

from engine import Event


class FoeTold(Struct, frozen=True):
    card: str
    source: str
    target: int
    form: str
    tucked: tuple[str, ...]


class TrapTold(Struct, frozen=True):
    card: str
    target: int


class GroupShown(Event, frozen=True):
    """D-37 A group is declared; `paid` is the peril of each opponent that it cost."""

    seat: int
    monsters: tuple[FoeTold, ...]
    traps: tuple[TrapTold, ...]
    golem: int
    paid: dict[int, int]


class TrapSprung(Event, frozen=True):
    card: str
    target: int
    at: str
    danger: int


class AttackTold(Struct, frozen=True):
    by: str  # "m0": the first monster of the group, "h2": the hero of seat 2
    card: str  # the monster; "" for a hero
    on: str
    form: str


class BattleBegan(Event, frozen=True):
    at: str
    attacks: tuple[AttackTold, ...]
    challenge: bool


class AttackRolled(Event, frozen=True):
    attack: int
    by: str
    on: str
    form: str
    die: int
    value: int
    more: int
    total: int


class CounterRolled(Event, frozen=True):
    attack: int
    by: str
    form: str
    die: int
    value: int
    more: int
    total: int


class Compared(Event, frozen=True):
    attack: int
    total: int
    counter: int
    striker: str  # "": equal


class FoeWounded(Event, frozen=True):
    side: str
    card: str
    wounds: int
    hp: int
    seat: int  # whose hero dealt them; -1: a monster


class FoeHealed(Event, frozen=True):
    foe: int
    card: str
    n: int
    hp: int


class FoeDefeated(Event, frozen=True):
    side: str
    card: str
    seat: int


class BattleEnded(Event, frozen=True):
    pass


class LairChosen(Event, frozen=True):
    seat: int
    card: str
    to: str  # "lair", "hand" or "discard"; "deck": shuffled back into it


class GroupEnded(Event, frozen=True):
    """A group of encounters has ended: those of a turn, of a hunt or of an attack."""
