"""What `facedown simulate` writes of a game: the whole position before and after every decision, battle and turn."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from engine import Chance, Decided, Event, Result
from engine.games.dungeoneer import battle_facts, facts
from engine.games.dungeoneer.rules import Dungeoneer
from engine.games.dungeoneer.state import DIE
from engine.games.dungeoneer.view import Public, public

DICE_AHEAD = 12
ROLLS = (facts.Checked, facts.LairChecked, battle_facts.AttackRolled, battle_facts.CounterRolled)


class Whole(Struct, frozen=True):
    """Everything, secrets included. `dice` are the next ones if nothing is shuffled before."""

    public: Public
    hands: tuple[tuple[str, ...], ...]
    tiles: tuple[tuple[str, ...], ...]
    decks: dict[str, tuple[str, ...]]  # next card first
    locations: tuple[str, ...]
    quests: tuple[str, ...]
    dice: tuple[int, ...]
    agenda: tuple[str, ...]  # the steps to come, next one first


def whole(g: Dungeoneer) -> Any:
    """As plain data, since the state goes on changing."""
    ahead = Chance(g.chance.seed, g.chance.used)
    coming = [*g.dice, *(ahead.below(DIE) + 1 for _ in range(DICE_AHEAD))]
    everything = Whole(
        public=public(g),
        hands=tuple(tuple(delver.hand) for delver in g.delvers),
        tiles=tuple(tuple(tiles) for tiles in g.tiles),
        decks={pile: tuple(cards) for pile, cards in g.decks.items()},
        locations=tuple(g.unlaid),
        quests=tuple(g.quests),
        dice=tuple(coming[:DICE_AHEAD]),
        agenda=tuple(type(step).__name__ for step in reversed(g.todo)),
    )
    return msgspec.to_builtins(everything, str_keys=True)


class Battle(Event, frozen=True):
    """A group, a hunt or an attack from its declaration to its end, with all dice in the order in which they fell.
    `before` is the position before the decision that began it, `after` the one after the decision that ended it."""

    turn: int
    rolls: tuple[Event, ...]
    before: Any
    after: Any


class Turn(Event, frozen=True):
    """A turn with all its dice. `before` is the position at its first decision, `after` that at the first decision
    after it."""

    turn: int
    round: int
    seat: int
    dice: tuple[int, ...]
    before: Any
    after: Any


def dice_of(event: Any) -> Iterable[int]:
    if isinstance(event, (facts.PerilRolled, facts.ChanceRolled)):
        return event.dice
    if isinstance(event, (*ROLLS, facts.Searched)):
        return (event.die,)
    return ()


class Recorder:
    """Adds the lines of battles and turns behind the decision that ends them."""

    def __init__(self) -> None:
        self.told: list[Event] = []
        self.since: list[Event] = []  # since the last decision
        self.setup = True  # nothing has been decided yet
        self.turn: facts.TurnBegan | None = None
        self.turn_before: Any = None
        self.dice: list[int] = []
        self.battle_before: Any = None
        self.fighting = False
        self.rolls: list[Event] = []

    def add(self, event: Event) -> None:
        self.told.append(event)
        if isinstance(event, Decided):
            for effect in self.since:
                self.effect(effect, event)
            self.since = []
        else:
            self.since.append(event)

    def effect(self, event: Event, decision: Decided) -> None:
        self.setup = self.setup and not hasattr(event, "answers")
        if isinstance(event, facts.TurnBegan):
            self.next_turn(event, decision.before if self.setup else decision.after)
        elif isinstance(event, (battle_facts.GroupShown, battle_facts.BattleBegan)) and not self.fighting:
            self.fighting, self.battle_before, self.rolls = True, decision.before, []
        elif isinstance(event, (battle_facts.GroupEnded, Result)) and self.fighting:  # the end of the game may cut it
            self.fighting = False
            turn = self.turn.turn if self.turn else 0
            self.told.append(Battle(turn, tuple(self.rolls), self.battle_before, decision.after))
        elif self.fighting and isinstance(event, ROLLS):
            self.rolls.append(event)
        self.dice += dice_of(event)

    def next_turn(self, began: facts.TurnBegan | None, position: Any) -> None:
        if self.turn:
            turn = self.turn
            self.told.append(Turn(turn.turn, turn.round, turn.seat, tuple(self.dice), self.turn_before, position))
        self.turn, self.turn_before, self.dice = began, position, []


def chronicle(events: Sequence[Event]) -> Sequence[Event]:
    """The events with a line for every battle and turn, if they have the positions of the decisions."""
    recorder = Recorder()
    for event in events:
        recorder.add(event)
    last = [event for event in events if isinstance(event, Decided)][-1:]
    if last:
        recorder.next_turn(None, last[0].after)
    return recorder.told
