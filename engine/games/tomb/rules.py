"""The rules as steps: turns, actions, lifting, the end. Effects are carried out by `deeds.py` and its vocabulary."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine import Chance, Draft, Move, Step
from engine.games.tomb import buying, facts, nested, paws, scoring
from engine.games.tomb.cards import CARDS, DECK, NEUTRAL
from engine.games.tomb.deeds import (
    Decide,
    EndEffect,
    NextStep,
    Resolve,
    SetsOff,
    TombAsk,
    Trigger,
    Triggers,
    TurnOver,
    any_possible,
    fire,
)
from engine.games.tomb.effects import GOODS
from engine.games.tomb.places import Cell, layout
from engine.games.tomb.state import MARKET, Context, Digs, Market, Player, five

MOST_TURNS = 100  # T-145
FACTIONS = {2: 6, 3: 7}  # T-16, T-156
HEAD_START = 6  # T-173
CHESTS_FIRST = "use "


# Turns --------------------------------------------------------------------------------------------------------------


class BeginTurn(Step[Digs], frozen=True):
    """T-28, T-31, T-33, T-143 A turn, an extra turn, or one of the last actions."""

    seat: int
    sort: str = "turn"

    def do(self, g: Digs) -> None:
        g.active, g.sort = self.seat, self.sort
        g.turn += 1
        g.extra_turn = False
        g.tell(facts.Turn(g.turn, self.seat, self.sort))
        g.next(MainAction("last" if self.sort == "last" else "turn"), EndTurn())


class MainAction(TombAsk, frozen=True):
    """T-28, T-36 Place a paw on an entrance, or remove paws. T-29, T-30 Which of them is possible. T-32 An extra action
    may be declined, T-143 the last one passed."""

    sort: str  # "turn", "extra" or "last"

    def who(self, g: Digs) -> list[int]:
        return [g.active]

    def options(self, g: Digs, seat: int, draft: Draft) -> list[Move]:
        words = [f"place {slot}" for slot in paws.legal_slots(g, seat)]
        if seat in g.paws.values():
            words.append("remove")
        if self.sort != "turn":
            words.append("decline" if self.sort == "extra" else "pass")
        return words

    def default(self, g: Digs, seat: int, draft: Draft) -> Move:
        """T-146"""
        words = self.options(g, seat, draft)
        return words[0] if self.sort == "turn" else words[-1]

    def choose(self, g: Digs, words: Draft) -> None:
        act, _, slot = words[0].partition(" ")
        seat = g.active
        g.tell(facts.Act(g.turn, seat, self.sort, act, slot))
        g.lifts = g.doubles = 0
        g.had, g.gained, g.spent = list(g.players[seat].goods), [0] * len(GOODS), [0] * len(GOODS)
        if act == "remove":
            g.next(LiftPaw(), AfterRemoval(), EndAction())
            return
        g.next(EndAction())
        if act == "place":
            paws.lay_on_entrance(g, seat, slot)


class AfterRemoval(Step[Digs], frozen=True):
    """T-56, T-116 What helpers do right after the action, before extra actions."""

    def do(self, g: Digs) -> None:
        fire(g, (), ("after_remove", g.active, "", ""))


class EndAction(Step[Digs], frozen=True):
    """T-128 Doubling that was not used is lost. T-32 Extra actions are offered one after another; T-142 once the end is
    triggered they are lost."""

    def do(self, g: Digs) -> None:
        g.tell(facts.Done(g.turn, g.active, five(g.had), five(g.gained), five(g.spent)))
        g.doubles, g.had, g.gained, g.spent = 0, [], [], []
        if g.ended:
            g.extra_actions = 0
        elif g.extra_actions:
            g.extra_actions -= 1
            g.next(MainAction("extra"))


class EndTurn(Step[Digs], frozen=True):
    """T-31 The memory of the turn is cleared. T-122 Without a borrowed helper the camp may be too full. T-33 An extra
    turn is offered; T-142 once the end is triggered it is lost."""

    def do(self, g: Digs) -> None:
        if g.sort == "turn":
            g.players[g.active].turns += 1
        g.symbols, g.borrowed, g.fired, g.ignored = [], [], {}, 0
        offered = g.extra_turn and not g.ended
        g.next(buying.Overflow(), ExtraTurnOffer() if offered else NextTurn())


class ExtraTurnOffer(TombAsk, frozen=True):
    """T-33 An extra turn is optional."""

    def options(self, g: Digs, seat: int, draft: Draft) -> list[Move]:
        return ["yes", "no"]

    def default(self, g: Digs, seat: int, draft: Draft) -> Move:
        return "no"

    def choose(self, g: Digs, words: Draft) -> None:
        g.next(BeginTurn(g.active, "extra") if words == ("yes",) else NextTurn())


class NextTurn(Step[Digs], frozen=True):
    """T-28 Seat order. T-143, T-144 After the trigger player's turn all others have one last action each. T-145 A game
    that nobody ends is over after 100 turns each."""

    def do(self, g: Digs) -> None:
        if g.sort == "last":
            return
        if not g.ended and all(player.turns >= MOST_TURNS for player in g.players):
            g.end("turns", (g.first - 1) % g.seats)
            g.next(Score())
        elif g.ended:
            g.next(*[BeginTurn(seat, "last") for seat in g.in_order(g.trigger)[1:]], Score())
        else:
            g.next(BeginTurn((g.active + 1) % g.seats))


class Score(Step[Digs], frozen=True):
    """T-150"""

    def do(self, g: Digs) -> None:
        g.finish(scoring.decide(scoring.lines(g), g.ended, g.trigger))


# Removing paws ------------------------------------------------------------------------------------------------------


class LiftPaw(TombAsk, frozen=True):
    """T-50 All laid paws are lifted, one at a time, in any order. T-59 Chests may be used before, between and after.
    T-56 The action ends when no paw is out and the player finishes, or when no chest can be used either."""

    def who(self, g: Digs) -> list[int]:
        return [g.active] if g.active in g.paws.values() else super().who(g)

    def options(self, g: Digs, seat: int, draft: Draft) -> list[Move]:
        words = [f"lift {place}" for place in g.paws_of(seat)]
        uses = [f"use {chest}" for chest in g.players[seat].chests if any_possible(g, using(seat, chest))]
        return [*words, *uses] if words or not uses else [*uses, "finish"]

    def default(self, g: Digs, seat: int, draft: Draft) -> Move:
        """T-146"""
        words = self.options(g, seat, draft)
        return words[-1] if words[0].startswith(CHESTS_FIRST) else words[0]

    def choose(self, g: Digs, words: Draft) -> None:
        if not words or words == ("finish",):
            return
        act, what = words[0].split()
        if act == "use":
            g.tell(facts.Applies(g.active, what))
            g.next(Resolve(using(g.active, what)), LiftPaw())
        else:
            lift(g, g.active, what)


def using(seat: int, chest: str) -> Context:
    return Context(seat, chest, "chest", above=(chest,))


def lift(g: Digs, seat: int, place: str) -> None:
    """T-51 The paw goes to the reserve, then comes the effect, then the rest. T-52 On an empty cell there is none.
    T-55, T-57 What was opened, moved or laid meanwhile is lifted like the rest."""
    card, room = g.card_at(place), g.rooms.get(place)
    owner = room.seat if room else g.turned.get(card)
    del g.paws[place]
    g.players[seat].paws += 1
    g.lifts += 1
    g.effective, g.movable = False, place in g.entrances
    g.tell(facts.Lifted(seat, place, card, owner))
    context = Context(seat, card, "lift", place, above=(card,))
    effect: list[Step[Any]] = []
    if card:
        effect = [Double(context)] if g.doubles else [applied_once(g, context)]
    g.next(*effect, AfterLift(place, card, -1 if owner is None else owner), LiftPaw())


class Double(TombAsk, frozen=True):
    """T-128 Is this the lift whose effect is applied twice? Both applications are separate."""

    context: Context

    def options(self, g: Digs, seat: int, draft: Draft) -> list[Move]:
        able = any_possible(g, self.context) or instead(g, self.context)[1]
        return ["double", "single"] if able else []

    def default(self, g: Digs, seat: int, draft: Draft) -> Move:
        return "single"

    def choose(self, g: Digs, words: Draft) -> None:
        if words == ("double",):
            g.doubles -= 1
            g.tell(facts.Doubled(g.active, self.context.place))
            g.next(applied_once(g, self.context))
        g.next(applied_once(g, self.context))


def applied_once(g: Digs, context: Context) -> Step[Any]:
    """T-120 With a helper that applies a neighbour in place of the lifted room, the player chooses."""
    allowed = any(helper in INSTEAD for helper in g.helpers_of(context.seat))
    return ApplyLifted(context) if allowed and context.place in g.rooms else Resolve(context)


INSTEAD = frozenset(card.id for card in CARDS.values() if card.effect.instead)


class ApplyLifted(TombAsk, frozen=True):
    """T-120 The effect of the lifted card, or in place of it that of a neighbouring room."""

    context: Context

    def options(self, g: Digs, seat: int, draft: Draft) -> list[Move]:
        cells = instead(g, self.context)[1]
        return [*(f"neighbour {cell}" for cell in cells), "keep"] if cells else []

    def default(self, g: Digs, seat: int, draft: Draft) -> Move:
        return "keep"

    def choose(self, g: Digs, words: Draft) -> None:
        if not words or words == ("keep",):
            g.next(Resolve(self.context))
            return
        seat, lifted, cell = self.context.seat, self.context, words[0].split()[1]
        helper, owner = instead(g, lifted)[0], g.rooms[cell].seat
        context = beside(g, seat, cell, helper)
        g.tell(facts.Applies(seat, context.card, cell, helper))
        repeated = Context(seat, helper, "remove room", lifted.place, lifted.card, (helper,))
        g.next(Resolve(context, owner if owner != seat else None, repeated))


def instead(g: Digs, context: Context) -> tuple[str, list[Cell]]:
    """T-120 The helper that allows a neighbour's effect, and the neighbours that could do anything."""
    if context.place not in g.rooms:
        return "", []
    for helper in g.helpers_of(context.seat):
        if helper in INSTEAD:
            cells = nested.neighbours(g, context.place)
            return helper, [cell for cell in cells if any_possible(g, beside(g, context.seat, cell, helper))]
    return "", []


def beside(g: Digs, seat: int, cell: Cell, helper: str) -> Context:
    card = g.rooms[cell].card
    return Context(seat, card, "lift", cell, above=(helper, card))


class AfterLift(Step[Digs], frozen=True):
    """T-51 The offer to turn an entrance over, or what a lift inside the tomb triggers. T-54 Was it without effect?"""

    place: str
    card: str
    owner: int  # of the room that lay there; -1: nobody

    def do(self, g: Digs) -> None:
        seat, place, card = g.active, self.place, self.card
        g.movable = False
        if place in g.entrances:
            if g.effective and card in g.secret:
                g.next(TurnOver(place))
            return
        happened = [("remove room", seat, place, card)] if card else []
        if card and self.owner != seat:
            happened.append(("remove other_room", seat, place, card))
        if not g.effective:
            g.tell(facts.Unused(seat, place, card))
            happened.append(("remove no_effect", seat, place, card))
        fire(g, (), *happened)


Steps = (
    BeginTurn | MainAction | AfterRemoval | EndAction | EndTurn | ExtraTurnOffer | NextTurn | Score
    | LiftPaw | Double | ApplyLifted | AfterLift | Resolve | NextStep | EndEffect | TurnOver | Decide | SetsOff
    | Triggers | Trigger | paws.Crossings | buying.JoinExpedition | buying.Overflow
)  # fmt: skip


class Tomb(Digs, kw_only=True):
    todo: list[Steps]
    result: facts.TombResult | None = None


# Setup --------------------------------------------------------------------------------------------------------------


def setup(seats: int, options: Mapping[str, str], chance: Chance) -> Tomb:
    """T-15 to T-21, T-156, T-160, T-173"""
    factions = list(DECK.factions)
    if options["factions"] == "random":
        chance.shuffle(factions)
        factions = factions[: FACTIONS[seats]]
    elif options["factions"] == "first_game":
        factions = list(DECK.first_game[: FACTIONS[seats]])
    else:
        factions = options["factions"].split("+")
    slots = layout(seats).slots
    entrances = list(slots)
    if options["entrance_layout"] == "random":
        chance.shuffle(entrances)
    chests = list(DECK.chests)
    chance.shuffle(chests)
    cells = layout(seats).cells
    rooms, helpers = (shuffled_deck(sort, factions, chance) for sort in ("room", "helper"))
    wanted = options["first_player"]
    first = chance.below(seats) if wanted == "random" else int(wanted)
    secret = options.get("secret_entrance") == "on"
    g = Tomb(
        todo=[BeginTurn(first)],
        chance=chance,
        players=[Player() for _ in range(seats)],
        factions=factions,
        entrances=dict(zip(slots, entrances, strict=True)),
        chests=dict(zip(cells, chests, strict=False)),
        supply=chests[len(cells) :],
        unseen=len(chests) - len(cells),
        rooms_market=lay_market("room", rooms),
        helpers_market=lay_market("helper", helpers),
        secret=[card for card in slots if secret and DECK.entrances[card].faction in factions],
        first=first,
    )
    tell_deal(g)
    if options.get("head_start") == "on":
        g.honour((first + 1) % seats, HEAD_START, "later")  # T-173
    return g


def shuffled_deck(sort: str, factions: Sequence[str], chance: Chance) -> list[str]:
    """T-17 Green cards on top of blue ones, each shuffled apart."""
    known = {*factions, NEUTRAL}
    deck = []
    for back in ("green", "blue"):
        pile = [c.id for c in CARDS.values() if c.sort == sort and c.back == back and c.faction in known]
        chance.shuffle(pile)
        deck += pile
    return deck


def lay_market(sort: str, deck: list[str]) -> Market:
    """T-18"""
    return Market(sort, deck[1 + MARKET :], deck[1 : 1 + MARKET], deck[:1])


def tell_deal(g: Digs) -> None:
    rooms, helpers = g.markets
    g.tell(
        facts.Deal(
            tuple(g.factions), dict(g.entrances), dict(g.chests), tuple(rooms.shown), tuple(helpers.shown),
            (rooms.discard[0], helpers.discard[0]), (len(rooms.deck), len(helpers.deck)), len(g.supply),
            tuple(g.secret), g.first,
        )
    )  # fmt: skip
