"""Movement: exits, entering a location, points and hazards; transfers, shifts and forced moves."""

from engine import Draft, Move, Step
from engine.games.dungeoneer import facts
from engine.games.dungeoneer.cards import Effect
from engine.games.dungeoneer.checks import Check, Window
from engine.games.dungeoneer.effects import USEFUL, Apply, Choose, verb
from engine.games.dungeoneer.ending import check_quests
from engine.games.dungeoneer.grid import OPEN, OPPOSITE, exit_of, opened_exits, passages, shifts
from engine.games.dungeoneer.state import Delve

WOUND, FALL = (Effect(do="wound"),), (Effect(do="fall"),)


class Leave(Step["Delve"], frozen=True):
    """D-81 to D-84 Only the exit of the location that is left matters. D-71 It hits the leaving hero only."""

    seat: int
    side: str
    opened: bool = False  # a card or an ability has opened it for this move

    def do(self, g: Delve) -> None:
        delver = g.delvers[self.seat]
        exit = OPEN if self.opened else exit_of(g.spots, delver.at, self.side, opened_exits(g.delvers))
        if exit.kind == "trap":  # D-83
            g.next(Check(self.seat, "speed", exit.number, "exit", fail=WOUND), Through(self.seat, self.side))
        elif exit.kind == "blocked":
            g.next(Check(self.seat, "melee", exit.number, "exit"), Force(self.seat, self.side))
        else:
            g.next(Through(self.seat, self.side))


class Force(Step["Delve"], frozen=True):
    """D-84 A failed check costs an AP. If AP remain, the hero goes on; if not, the exit stays open while it stays."""

    seat: int
    side: str

    def do(self, g: Delve) -> None:
        delver = g.delvers[self.seat]
        if not g.passed:
            delver.ap -= 1
            if not delver.ap:
                delver.opened = self.side
                g.tell(facts.ExitOpened(self.seat, delver.at, self.side))
                return
        g.next(Through(self.seat, self.side))


class Through(Step["Delve"], frozen=True):
    """D-82 Pay 1 AP and enter. Healing a wound of the exit may have taken the AP."""

    seat: int
    side: str

    def do(self, g: Delve) -> None:
        delver = g.delvers[self.seat]
        if delver.has_ap(1, walking=True):
            delver.spend_ap(1, walking=True)
            g.next(Enter(self.seat, passages(g.spots, delver.at)[self.side], "move"))


class Enter(Step["Delve"], frozen=True):
    """D-82, D-85, D-89 The hero comes to a location. Only in its own turn points, hazards and windows follow."""

    seat: int
    to: str
    how: str  # "move", "transfer" or "forced"

    def do(self, g: Delve) -> None:
        delver = g.delvers[self.seat]
        g.tell(facts.Moved(self.seat, delver.at, self.to, self.how))
        delver.at, delver.opened, delver.found = self.to, "", ""
        if self.seat != g.active:
            g.next(Turn(self.to))
            return
        delver.moved = True
        new = self.to not in delver.visited
        if new:
            delver.visited.append(self.to)
            card = g.location(self.seat)
            peril = card.peril + sum(g.deck.quests[quest].entry_peril for quest in g.affecting(self.seat))
            g.gain(self.seat, "entry", card.glory, peril)
        if g.solo and check_quests(g, self.seat):  # D-102
            return
        g.next(Hazard(self.seat), Turn(self.to), Arrive(self.seat))


class Hazard(Step["Delve"], frozen=True):
    """D-86 Spikes wound and pits make fall. V-9 Spikes can be dodged for 1 AP."""

    seat: int

    def do(self, g: Delve) -> None:
        delver = g.delvers[self.seat]
        kind, _, number = g.location(self.seat).hazard.partition(" ")
        if kind == "pit":
            g.next(Check(self.seat, "speed", int(number), "pit", fail=FALL))
        elif kind == "spikes" and "dodge" in g.variants and not delver.down and delver.has_ap(1):
            g.next(Dodge(self.seat, int(number)))
        elif kind == "spikes":
            g.next(Check(self.seat, "speed", int(number), "spikes", fail=WOUND))


class Dodge(Choose, frozen=True):
    """V-9"""

    number: int

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        return ["roll", "pay"]

    def chosen(self, g: Delve, word: Move) -> None:
        if word == "pay":
            g.delvers[self.seat].spend_ap(1)
            g.tell(facts.Dodged(self.seat))
        else:
            g.next(Check(self.seat, "speed", self.number, "spikes", fail=WOUND))


class Turn(Step["Delve"], frozen=True):
    """Some locations turn whenever a hero enters them, D-34 whatever lies beside them."""

    location: str

    def do(self, g: Delve) -> None:
        if g.deck.locations[self.location].turns:
            spot = g.spots[self.location]
            spot.turned = not spot.turned
            for seat in g.heroes_at(self.location):  # an opened exit turns with the card
                g.delvers[seat].opened = OPPOSITE.get(g.delvers[seat].opened, "")
            g.tell(facts.Turned(self.location, spot.turned))


class Arrive(Step["Delve"], frozen=True):
    """D-94 W4 The hero has come to a location in its own turn."""

    seat: int

    def do(self, g: Delve) -> None:
        g.next(Window(self.seat, "arrival"))


# Transfers and forced moves -------------------------------------------------------------------------------------------


def goals(g: Delve, seat: int, kind: str) -> list[str]:
    """D-89 Where a transfer may lead: never to the location where the hero is."""
    here = g.delvers[seat].at
    known = g.deck.locations.values()
    return [
        card.name
        for card in known
        if card.type == kind and card.name in g.spots and not card.start and card.name != here
    ]


class Transfer(Choose, frozen=True):
    """D-89 The player chooses where its hero is put."""

    to: str

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        return goals(g, self.seat, self.to)

    def chosen(self, g: Delve, word: Move) -> None:
        g.next(Enter(self.seat, word, "transfer"))


@verb("transfer")
def transfer(g: Delve, step: Apply, effect: Effect) -> None:
    g.next(Transfer(step.seat, effect.to))


USEFUL["transfer"] = lambda g, seat, effect: bool(goals(g, seat, effect.to))


class Forced(Choose, frozen=True):
    """D-90 Whoever controls the monster moves the hero through any exit that is a passage."""

    hero: int

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        return list(passages(g.spots, g.delvers[self.hero].at))

    def chosen(self, g: Delve, word: Move) -> None:
        g.next(Enter(self.hero, passages(g.spots, g.delvers[self.hero].at)[word], "forced"))


@verb("drag")
def drag(g: Delve, step: Apply, effect: Effect) -> None:
    g.next(Forced(step.by if step.by >= 0 else step.seat, step.seat))


# Shifts ---------------------------------------------------------------------------------------------------------------


def shiftable(g: Delve, effect: Effect) -> list[str]:
    """The locations that this effect may move, never the entrance."""
    return [
        name
        for name, card in g.deck.locations.items()
        if name in g.spots and not card.start and not (effect.empty and g.heroes_at(name))
    ]


def can_shift(g: Delve, seat: int, effect: Effect) -> bool:
    more = cards_to_lay(g)
    return any(True for location in shiftable(g, effect) for _ in shifts(g.spots, location, more))


USEFUL["shift"] = can_shift


def cards_to_lay(g: Delve) -> bool:
    """D-31 Whether other locations remain to be laid."""
    return bool(g.unlaid) or any(g.tiles)


class Shift(Choose, frozen=True):
    """D-33 Which location moves, and where to. Heroes and tokens on it go with it."""

    effect: Effect

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        more = cards_to_lay(g)
        return [f"{name} {x} {y}" for name in shiftable(g, self.effect) for x, y in shifts(g.spots, name, more)]

    def chosen(self, g: Delve, word: Move) -> None:
        name, x, y = word.split()
        spot = g.spots[name]
        spot.x, spot.y = int(x), int(y)
        g.tell(facts.Shifted(name, spot.x, spot.y))


@verb("shift")
def shift(g: Delve, step: Apply, effect: Effect) -> None:
    g.next(Shift(step.by, effect))
