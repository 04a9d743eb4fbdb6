"""The state of Dungeoneer: heroes, cards, the map, and the fight that is going on."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct, field

from engine import N_, State
from engine.games.dungeoneer import facts
from engine.games.dungeoneer.cards import (
    HEALTH,
    LEVELS,
    Adventure,
    Deck,
    Gives,
    HeroCard,
    LocationCard,
    MonsterCard,
    deck,
)
from engine.games.dungeoneer.grid import Spot

Currency = Literal["glory", "peril"]
DIE = 6
ROLLED, DRAWN = N_("a die has been rolled"), N_("a card has been drawn")


class Item(Struct):
    """A prepared treasure or a monster in a lair, with its attachments."""

    card: str
    tucked: list[str] = field(default_factory=list)


class Hex(Struct):
    """D-97 A curse that lies on a hero, and who played it (-1: drawn in the solo game)."""

    card: str
    by: int


class Delver(Struct):
    """A player with a hero, a hand and an inventory."""

    seat: int
    hero: str = ""
    late: bool = False  # V-11
    hp: int = HEALTH
    level: int = 1
    ap: int = 0
    kept: bool = False  # D-48 an AP was saved in the last phase V
    spare: int = 0  # V-7 the AP for lying down, not for movement
    glory: int = 0
    peril: int = 0
    at: str = ""
    down: bool = False  # D-88 fallen
    alive: bool = True
    hand: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)  # monsters that went back to the hand in sight of all
    boons: list[str] = field(default_factory=list)
    treasures: list[Item] = field(default_factory=list)
    curses: list[Hex] = field(default_factory=list)
    lair: list[Item] = field(default_factory=list)
    quests: list[str] = field(default_factory=list)  # personal, not completed
    escorts: list[str] = field(default_factory=list)  # those of them that have begun
    completed: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)  # actions allowed once per turn that this hero has used
    bonus: dict[str, int] = field(default_factory=dict)  # of values, in this turn
    visited: list[str] = field(default_factory=list)  # D-85 locations that are not new in this turn
    moved: bool = False  # D-48 in its own turn
    opened: str = ""  # D-84 the side of the blocked exit that stays open while this hero stays
    tries: int = 0  # D-72 attempts in this turn
    found: str = ""  # D-73 the search quest whose place was found in this turn
    given_up: list[str] = field(default_factory=list)  # D-74 in this turn
    hurt: dict[str, int] = field(default_factory=dict)  # wounds of quest monsters in this turn

    @property
    def card(self) -> HeroCard:
        return deck().heroes[self.hero]

    def prepared(self) -> Iterator[str]:
        """Every card whose `gives` counts for this hero."""
        yield from self.boons
        for item in self.treasures:
            yield item.card
            yield from item.tucked
        for curse in self.curses:
            yield curse.card

    def extra(self, key: str) -> int:
        """What the cards in play add."""
        known = deck()
        found = sum(given(known.adventures[card].gives, key) for card in self.prepared())
        return found + sum(given(known.quests[quest].gives, key) for quest in self.completed)

    def value(self, stat: str) -> int:
        """D-54 A value of the hero now, never below 0."""
        if stat == "level":
            return self.level
        base = self.card.values(stat, self.late)[self.level - 1]
        return max(0, base + self.extra(stat) + self.bonus.get(stat, 0))

    def limit(self, kind: str) -> int:
        """D-45 Of permanent "boons" or "treasures"."""
        return int(getattr(self.card, kind)) + self.extra(kind)

    def holds_card(self, name: str) -> Item | None:
        return next((item for item in self.treasures if item.card == name), None)

    # action points

    def has_ap(self, n: int, walking: bool = False) -> bool:
        """D-88 A fallen hero can spend no AP, except (V-7) the one that it got for lying down."""
        return (0 if self.down else self.ap) + (0 if walking else self.spare) >= n

    def spend_ap(self, n: int, walking: bool = False) -> None:
        spare = 0 if walking else min(n, self.spare)
        self.spare -= spare
        self.ap -= n - spare


def given(gives: Gives, key: str) -> int:
    return getattr(gives, key, 0)


class Foe(Struct):
    """A monster of a group, of a hunt or of the solo game."""

    card: str  # of an adventure, or of the quest
    source: Literal["hand", "lair", "quest", "deck"]
    owner: int  # -1: nobody
    target: int
    at: str  # the location where it was declared
    form: str
    hp: int = 0
    tucked: list[str] = field(default_factory=list)
    wounded: bool = False
    gone: bool = False  # defeated or discarded

    @property
    def monster(self) -> MonsterCard:
        known = deck()
        card = known.quests[self.card].monster if self.source == "quest" else known.adventures[self.card].monster
        assert card is not None
        return card

    @property
    def cost(self) -> int:
        return 0 if self.source == "quest" else deck().adventures[self.card].cost


class Snare(Struct):
    """A trap of a group."""

    card: str
    target: int  # -1: defeated meanwhile
    at: str
    gone: bool = False  # discarded


class Attack(Struct):
    """D-50 One attack. A side is "m0", a monster of the group, or "h2", the hero of a seat."""

    by: str
    on: str
    form: str
    bonus: int = 0  # of the attack check, declared with it
    malus: int = 0
    parry: int = 0  # of the counter check
    total: int = -1  # of the attack check; -1: not rolled
    counter: int = -1
    off: bool = False  # ignored, or a side is out


class Battle(Struct):
    at: str
    attacks: list[Attack]
    defenders: list[int]  # heroes attacked, in the order drawn in
    answered: list[int] = field(default_factory=list)
    challenge: bool = False


class Group(Struct):
    """D-37 The encounters of one declaration, and what has come of them."""

    owner: int
    foes: list[Foe] = field(default_factory=list)
    snares: list[Snare] = field(default_factory=list)
    golem: int = -1  # D-42 the hero against whom it goes
    battles: list[Battle] = field(default_factory=list)  # the current one last
    bites: int = 0  # D-62 wounds that monsters dealt to heroes
    trophies: dict[int, int] = field(default_factory=dict)  # glory for wounds that heroes dealt to monsters


class Threat(Struct):
    """D-66 The check that is about to be made."""

    seat: int
    stat: str
    number: int
    source: str
    bonus: int = 0


class Dropped(Struct):
    """D-74 An escort that belongs to nobody."""

    quest: str
    at: str


class Delve(State, kw_only=True, dict=True):
    todo: list[Any]
    variants: list[str]
    last: int  # D-110 the last round
    delvers: list[Delver]
    heroes: list[str] = field(default_factory=list)  # not in play
    active: int = 0
    first: int = 0
    round: int = 1
    turn: int = 0  # number of the turn, from 1
    phase: str = "setup"
    over: bool = False  # the deeds phase of this turn is over
    grouped: bool = False  # a group was declared in this turn
    spots: dict[str, Spot] = field(default_factory=dict)
    unlaid: list[str] = field(default_factory=list)  # the location deck, next card first
    bottom: int = 0  # D-32 so many of its last cards are known to all
    tiles: list[list[str]] = field(default_factory=list)  # V-1 locations in hand, by seat
    decks: dict[str, list[str]] = field(default_factory=dict)  # next card first
    discards: dict[str, list[str]] = field(default_factory=dict)
    quests: list[str] = field(default_factory=list)  # the quest deck, next card first
    common: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)  # quests that left the game
    aside: list[str] = field(default_factory=list)  # quests and locations that are not used
    dropped: list[Dropped] = field(default_factory=list)
    owing: list[str] = field(default_factory=list)  # locations that get a deactivation token when they are laid
    group: Group | None = None
    threat: Threat | None = None
    passed: bool = False  # whether the last threat was overcome
    prevented: bool = False  # the wound that is about to be dealt
    waiting: list[str] = field(default_factory=list)  # D-105 curses that wait for a monster or a check
    owed: list[int] = field(default_factory=list)  # D-104 peril for which dice are rolled
    dice: list[int] = field(default_factory=list)  # dice to come, of a position; then the chance

    @cached_property
    def deck(self) -> Deck:
        return deck()

    @property
    def me(self) -> Delver:
        return self.delvers[self.active]

    @property
    def solo(self) -> bool:
        return len(self.delvers) == 1

    def living(self) -> list[int]:
        return [delver.seat for delver in self.delvers if delver.alive]

    def in_order(self, start: int | None = None) -> list[int]:
        """The living, clockwise from this seat (the active player)."""
        first = self.active if start is None else start
        return sorted(self.living(), key=lambda seat: (seat - first) % len(self.delvers))

    def opponents(self, seat: int) -> list[int]:
        """In turn order."""
        return [other for other in self.in_order() if other != seat]

    def left_of(self, seat: int) -> int:
        return self.in_order((seat + 1) % len(self.delvers))[0]

    def heroes_at(self, location: str, start: int | None = None) -> list[int]:
        return [seat for seat in self.in_order(start) if self.delvers[seat].at == location]

    def location(self, seat: int) -> LocationCard:
        return self.deck.locations[self.delvers[seat].at]

    def card(self, name: str) -> Adventure:
        return self.deck.adventures[name]

    def die(self) -> int:
        if not self.dice:
            return self.chance.below(DIE) + 1
        self.uncover(ROLLED)
        return self.dice.pop(0)

    # quests

    def affecting(self, seat: int) -> Iterator[str]:
        """D-73 Influence quests that are not completed and affect this hero."""
        for quest in (*self.delvers[seat].quests, *self.common):
            if "influence" in self.deck.quests[quest].categories:
                yield quest

    def trackers_left(self) -> bool:
        """D-3"""
        used = len(self.dropped) + sum(len(delver.escorts) for delver in self.delvers)
        return used < 4

    def tokens_left(self) -> bool:
        """D-3 Deactivation tokens."""
        return sum(spot.silenced for spot in self.spots.values()) < 3

    def draw_quest(self) -> str:
        self.uncover(DRAWN)
        return self.quests.pop(0)

    # cards

    def pile(self, card: str) -> str:
        """The name of the deck to which this card belongs."""
        if len(self.decks) == 1:
            return "adventure"
        return "glory" if self.card(card).glory else "peril"

    def discard(self, *cards: str) -> None:
        for card in cards:
            self.discards[self.pile(card)].append(card)

    def piles(self) -> list[str]:
        """The decks from which a card can be drawn, after reshuffling its discard pile if need be."""
        return [pile for pile in self.decks if self.decks[pile] or self.discards[pile]]

    def draw(self, pile: str) -> str:
        """D-48 An empty deck is made of its discard pile. There must be a card."""
        if not self.decks[pile]:
            self.decks[pile], self.discards[pile] = self.discards[pile], []
            self.chance.shuffle(self.decks[pile])
            self.tell(facts.Reshuffled(pile))
        self.uncover(DRAWN)
        return self.decks[pile].pop(0)

    def leave_hand(self, seat: int, card: str) -> None:
        """Of equal cards the one that is known to all leaves first."""
        delver = self.delvers[seat]
        delver.hand.remove(card)
        if card in delver.known:
            delver.known.remove(card)

    # points

    def gain(self, seat: int, why: str, glory: int = 0, peril: int = 0) -> None:
        """D-14 to D-19. D-104 Alone there is no peril: dice are rolled for it."""
        delver = self.delvers[seat]
        delver.glory += glory
        if self.solo:
            if peril:
                self.owed.append(peril)
        else:
            delver.peril += peril
        if glory or peril:
            self.tell(facts.Gained(seat, glory, peril, why))

    def lose(self, seat: int, why: str, glory: int = 0, peril: int = 0) -> None:
        """D-7 A loss takes at most what is there."""
        delver = self.delvers[seat]
        glory, peril = min(glory, delver.glory), min(peril, delver.peril)
        delver.glory -= glory
        delver.peril -= peril
        if glory or peril:
            self.tell(facts.Lost(seat, glory, peril, why))

    def heal(self, seat: int, n: int, why: str) -> None:
        """D-5 Never above the maximum."""
        delver = self.delvers[seat]
        n = min(n, HEALTH - delver.hp)
        if n:
            delver.hp += n
            self.tell(facts.Healed(seat, n, delver.hp, why))

    def fall(self, seat: int, why: str) -> None:
        """D-88 Falling while fallen does nothing."""
        delver = self.delvers[seat]
        if not delver.down:
            delver.down = True
            self.tell(facts.Fell(seat, why))

    def raise_level(self, seat: int) -> None:
        """D-78, D-96"""
        delver = self.delvers[seat]
        if delver.level < LEVELS:
            delver.level += 1
            self.tell(facts.LevelRose(seat, delver.level))
