"""What `facedown simulate` writes: each action with the whole public position before and after it.

The position is computed from the events alone, so an independent program needs nothing else.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from engine import Event
from engine.games.tomb import facts
from engine.games.tomb.cards import CARDS
from engine.games.tomb.effects import GOODS
from engine.games.tomb.position_told import MarketTold, PositionTold, SetUp, laid_out


class Said(Event, frozen=True):
    """A decision, as the player said it."""

    seat: int
    words: tuple[str, ...]


class Action(Event, frozen=True):
    """One action, with all that it has set off until the next one begins."""

    turn: int
    seat: int
    sort: str  # "turn", "extra" or "last"
    act: str  # "place", "remove", "decline" or "pass"
    did: tuple[Event, ...]  # in order: decisions (`said`) and what happened
    before: Any
    after: Any


class Keeper:
    """Keeps a position up to date, event by event."""

    def __init__(self, position: PositionTold) -> None:
        self.position = position

    def market(self, sort: str) -> MarketTold:
        return self.position.rooms if sort == "room" else self.position.helpers

    def add(self, seat: int, goods: Sequence[int], sign: int = 1) -> None:
        board = self.position.boards[seat]
        for name, amount in zip(GOODS, goods, strict=True):
            setattr(board, name, getattr(board, name) + sign * amount)

    def paw(self, place: str, seat: int | None) -> None:
        cell = self.position.cells.get(place)
        (cell or self.position.entrances[place]).paw = seat

    def take_card(self, seat: int, card: str, source: str) -> None:
        market, board = self.market(CARDS[card].sort), self.position.boards[seat]
        if source == "market" and card in market.shown:  # unless the refill, which may be told first, has replaced it
            market.shown[market.shown.index(card)] = ""
        elif source == "discard":
            market.discard.remove(card)
        elif source in ("camp", "helpers"):
            getattr(board, source).remove(card)

    def take_chest(self, seat: int, chest: str) -> None:
        self.position.boards[seat].chests.append(chest)

    def keep(self, event: Event) -> None:
        """What this event changes on the table."""
        boards, cells = self.position.boards, self.position.cells
        match event:
            case facts.Laid(seat=seat, place=place):
                boards[seat].paws -= 1
                self.paw(place, seat)
            case facts.Lifted(seat=seat, place=place):
                boards[seat].paws += 1
                self.paw(place, None)
            case facts.PawMoved(seat=seat, start=start, end=end, reserve=reserve):
                boards[seat].paws -= reserve
                if not reserve:
                    self.paw(start, None)
                self.paw(end, seat)
            case facts.ChestTaken(seat=seat, cell=cell, chest=chest):
                cells[cell].chest = ""
                self.take_chest(seat, chest)
            case facts.Gained(seat=seat, goods=goods):
                self.add(seat, goods)
            case facts.Paid(seat=seat, goods=goods):
                self.add(seat, goods, -1)
            case facts.Fame(seat=seat, glory=glory):
                boards[seat].glory += glory
            case facts.RoomOpened(seat=seat, card=card, cell=cell, source=source, replaces=replaces):
                self.take_card(seat, card, source)
                boards[seat].tokens -= not replaces
                cells[cell].room, cells[cell].owner = card, seat
            case facts.Hired(seat=seat, card=card, source=source):
                self.take_card(seat, card, source)
                boards[seat].helpers.append(card)
            case facts.Reserved(seat=seat, card=card, source=source):
                self.take_card(seat, card, source)
                boards[seat].camp.append(card)
            case _:
                self.keep_cards(event)

    def keep_cards(self, event: Event) -> None:
        boards, position = self.position.boards, self.position
        match event:
            case facts.Discarded(seat=seat, cards=cards, source=source):
                for card in cards:
                    self.take_card(seat, card, source)
                    self.market(CARDS[card].sort).discard.append(card)
            case facts.Refilled(market=sort, position=place, card=card):
                self.market(sort).shown[place] = card
                self.market(sort).deck -= 1
            case facts.Reshuffled(market=sort, cards=count):
                self.market(sort).deck, self.market(sort).discard = count, []
            case facts.ChestUsed(seat=seat, chest=chest):
                boards[seat].chests.remove(chest)
                boards[seat].used += 1
            case facts.ChestFlipped(seat=seat, chest=chest):
                boards[seat].used -= 1
                self.take_chest(seat, chest)
            case facts.ChestSold(seat=seat, chest=chest, used=used):
                boards[seat].used -= used
                if not used:
                    boards[seat].chests.remove(chest)
                position.supply += 1
            case facts.ChestsDrawn(seat=seat, chests=chests):
                position.supply -= len(chests)
                boards[seat].chests += chests
            case facts.TurnedOver(seat=seat, slot=slot):
                boards[seat].tokens -= 1
                position.entrances[slot].token, position.entrances[slot].owner = False, seat


def chronicle(events: Sequence[Event]) -> list[Event]:
    """A finished game with an `Action` after each action's events."""
    (start,) = [event for event in events if isinstance(event, facts.Deal | SetUp)]
    (result,) = [event for event in events if isinstance(event, facts.TombResult)]
    first = laid_out(start, len(result.lines)) if isinstance(start, facts.Deal) else start.position
    keeper = Keeper(msgspec.convert(msgspec.to_builtins(first), PositionTold))  # a copy: an event does not change
    written: list[Event] = []
    act: facts.Act | None = None
    did: list[Event] = []
    before: Any = None
    for number, event in enumerate(events):
        begins = isinstance(following(events, number), facts.Act)
        if act and (begins or event is result):
            written.append(finished(act, did, before, keeper))
            act, did = None, []
        if isinstance(event, facts.Act):
            act, before = event, msgspec.to_builtins(keeper.position)
        keeper.keep(event)
        did += noted(event)
        written.append(event)
    return written


def following(events: Sequence[Event], number: int) -> Event:
    """This event, or for an answer the event after it: the first that the answer caused."""
    answers = getattr(events[number], "answers", None)
    return events[number + 1] if answers is not None and number + 1 < len(events) else events[number]


def finished(act: facts.Act, did: Sequence[Event], before: Any, keeper: Keeper) -> Action:
    after = msgspec.to_builtins(keeper.position)
    return Action(act.turn, act.seat, act.sort, act.act, tuple(did), before, after)


def noted(event: Event) -> list[Event]:
    """What goes into `did`: decisions, and events of the game."""
    answers = getattr(event, "answers", None)
    if answers is not None:
        return [Said(answer.seat, answer.words) for answer in answers]
    return [event] if type(event).__module__ == facts.__name__ and not isinstance(event, facts.TombResult) else []
