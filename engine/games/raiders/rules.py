"""The rules of Dungeon Raiders as steps. `rooms.py` resolves rooms, `ending.py` decides who wins."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import UNSET, Struct, field

from engine import Ask, Chance, Draft, Move, State, Step
from engine.games.raiders import facts, rooms
from engine.games.raiders.cards import FLOORS, POWER, ROOMS, Deck
from engine.games.raiders.ending import final_scoring, is_over
from engine.games.raiders.facts import ITEMS, Purse, RoomFacts
from engine.games.raiders.modes import Mode, mode_of

USED_UP = frozenset(["key", "sword", "flee"])  # after a room
TOLD: dict[str | None, int | str | None] = {
    **{card: int(card) for card in POWER}, **{card: card for card in USED_UP}, None: None,
}  # fmt: skip


class Raider(Struct):
    character: str
    coins: int
    wounds: int
    items: dict[str, int]
    hand: list[str] = field(default_factory=lambda: list(POWER))  # power cards not yet played on this floor
    played: list[str] = field(default_factory=list)  # the final card in each room of this floor
    lit: list[int] = field(default_factory=list)  # places of this floor that this raider's torch has shown
    alive: bool = True  # false for R-60 Medusa's victims and R-84 dead heroes


class Raiders(State, kw_only=True, dict=True):  # `dict`: needed by `cached_property`; its values are not saved
    todo: list["Steps"]
    edition: str
    play: str  # "sealed" or "open"
    raiders: list[Raider]
    supply: dict[str, int]
    deck: list[str]  # ids of the rooms not yet laid, next one first, the boss last
    away: list[str]  # rooms taken away unseen; kept so that `shuffle_unknown` can swap them with other hidden rooms
    floors: list[str]  # which rooms lie face up, by floor; floor cards that are never drawn come last
    first: int | None  # open play: who begins the room; R-71 carries over to the next floor
    floor: int = 0
    place: int = 0  # the current room, 1 to 5
    rooms: list[str] = field(default_factory=list)  # ids of this floor's rooms, left to right
    light: list[bool] = field(default_factory=list)  # which of them were laid face up
    plays: list[str | None] = field(default_factory=list)  # each seat's card; after a ball another card follows
    strengths: list[int] = field(default_factory=list)  # R-97 solo: the monster strength deck, next card first
    turned: list[int] = field(default_factory=list)  # R-97 solo: cards turned up, last one for the current monster

    @cached_property
    def mode(self) -> Mode:
        return mode_of(self.edition, len(self.raiders))

    @property
    def deck_facts(self) -> Mapping[str, RoomFacts]:
        return self.mode.facts

    @property
    def room(self) -> RoomFacts:
        return self.mode.facts[self.rooms[self.place - 1]]

    @property
    def drawn(self) -> int | None:
        """R-97 The strength card of the current monster."""
        return self.turned[-1] if self.turned and self.place and self.room.kind == "monster" else None

    def living(self) -> list[int]:
        return [seat for seat, raider in enumerate(self.raiders) if raider.alive]

    def in_order(self) -> list[int]:
        """R-21 The living seats clockwise from the first player."""
        first = self.first or 0
        return sorted(self.living(), key=lambda seat: (seat - first) % len(self.raiders))

    def dark(self) -> list[int]:
        """Places of this floor whose rooms are still face down."""
        return [place for place in range(self.place + 1, ROOMS + 1) if not self.light[place - 1]]

    def anytime(self, seat: int) -> list[Move]:
        """R-12 A torch may be played at any time while there is a dark room on this floor."""
        raider = self.raiders[seat]
        return ["torch"] if raider.items["torch"] and raider.alive and self.dark() else []

    def take_anytime(self, seat: int, move: Move) -> None:
        """R-12 Its owner sees every dark room of this floor; the torch goes to the supply at once."""
        self.give_back(seat, "torch")
        self.raiders[seat].lit = self.dark()
        self.tell(facts.Torch(seat))

    def give_back(self, seat: int, item: str) -> None:
        self.raiders[seat].items[item] -= 1
        self.supply[item] += 1

    def bury(self, seat: int) -> None:
        """R-84 The items of a dead hero go back to the supply. R-43 It plays no more cards."""
        raider = self.raiders[seat]
        for item, held in raider.items.items():
            self.supply[item] += held
        raider.items, raider.hand = dict.fromkeys(ITEMS, 0), []

    def cards(self, seat: int) -> list[Move]:
        """R-22 Any power card in hand; a ball in any room; a key only in a treasure room; a sword only in a monster's
        or a boss's room. R-62 Some bosses also allow fleeing, with an item or after a ball. R-26 There is always a
        legal card: a hand has as many power cards as a floor has rooms."""
        raider, room = self.raiders[seat], self.room
        cards, items = raider.hand.copy(), raider.items
        if items["ball"]:
            cards.append("ball")
        if items["key"] and room.kind == "treasure":
            cards.append("key")
        if items["sword"] and room.kind in ("monster", "boss"):
            cards.append("sword")
        if room.flee and (self.plays[seat] == "ball" if room.flee == "ball" else items[room.flee]):
            cards.append("flee")
        return cards

    def lay(self, cards: dict[int, str], second: bool) -> list[int]:
        """Reveal these cards. R-25 Balls go to the supply at once. Returns the seats that played a ball."""
        self.tell(facts.Cards(cards, second))
        passed = []
        for seat, card in cards.items():
            self.plays[seat] = card
            if card == "ball":
                self.give_back(seat, card)
                passed.append(seat)
                continue
            raider = self.raiders[seat]
            raider.played.append(card)
            if card in POWER:
                raider.hand.remove(card)
        return passed


# A floor ------------------------------------------------------------------------------------------------------------


class LayFloor(Step["Raiders"], frozen=True):
    """R-10 Lay the next five rooms left to right; the next floor card says which of them lie face up."""

    def do(self, g: Raiders) -> None:
        g.floor += 1
        g.place = 0
        g.rooms, g.deck = g.deck[:ROOMS], g.deck[ROOMS:]
        g.light = [mark == "U" for mark in g.floors[g.floor - 1]]
        known, shown = g.mode.facts, zip(g.rooms, g.light, strict=True)
        g.tell(facts.Floor(g.floor, tuple([known[room] if light else None for room, light in shown])))
        g.next(*[EnterRoom()] * ROOMS, EndFloor())


class EnterRoom(Step["Raiders"], frozen=True):
    """R-11 For each room: enter it (turn it up if dark), play, resolve, remove the room."""

    def do(self, g: Raiders) -> None:
        g.place += 1
        g.plays = [None] * len(g.raiders)
        room = g.room
        if g.strengths and room.kind == "monster":
            g.turned.append(g.strengths.pop(0))  # turned up before the player chooses a card
        drawn = g.drawn
        g.tell(facts.Enter(g.floor, g.place, room, g.light[g.place - 1], UNSET if drawn is None else drawn))
        g.next(PlaySealed() if g.first is None else PlayInTurn(tuple(g.in_order())), ResolveRoom())


class EndFloor(Step["Raiders"], frozen=True):
    """R-11 Played cards stay visible until the floor ends. Then power cards go back to the hand."""

    def do(self, g: Raiders) -> None:
        for raider in g.raiders:
            raider.hand, raider.played, raider.lit = list(POWER) if raider.alive else [], [], []
        g.next(LayFloor() if g.floor < FLOORS else EndGame())


class EndGame(Step["Raiders"], frozen=True):
    """R-80 The game ends after the fifth floor. R-84, R-90 It ends earlier if too few are alive."""

    def do(self, g: Raiders) -> None:
        g.finish(final_scoring(g.mode, g.raiders))


# Playing a card -----------------------------------------------------------------------------------------------------


class PlayCard(Ask["Raiders"], frozen=True):
    def options(self, g: Raiders, seat: int, draft: Draft) -> list[Move]:
        return g.cards(seat)

    def frugal(self, g: Raiders, seat: int, draft: Draft) -> list[Move]:
        """R-28 Time that runs out lays a power card and uses up no item."""
        return list(g.raiders[seat].hand)


class PlaySealed(PlayCard, frozen=True):
    """R-20 Every player puts one card face down; all are turned up at once. R-27 Also possible in the first edition."""

    def who(self, g: Raiders) -> list[int]:
        return g.living()

    def take(self, g: Raiders, answers: dict[int, Draft]) -> None:
        if g.lay({seat: card for seat, (card,) in answers.items()}, second=False):
            g.next(AfterBall())


class AfterBall(PlayCard, frozen=True):
    """R-23 After the reveal the owner of a ball plays another card, knowing all other cards. Several owners choose
    sealed and reveal together. R-24 After another ball its owner chooses again, after the other ball owners."""

    def who(self, g: Raiders) -> list[int]:
        return [seat for seat, card in enumerate(g.plays) if card == "ball"]

    def take(self, g: Raiders, answers: dict[int, Draft]) -> None:
        if g.lay({seat: card for seat, (card,) in answers.items()}, second=True):
            g.next(AfterBall())


class PlayInTurn(PlayCard, frozen=True):
    """R-21 Clockwise from the first player, each plays one card face up. R-23 The owner of a ball plays another card
    after all other players, in turn order. R-24 After another ball the owner again plays last."""

    order: tuple[int, ...]  # who is still to play

    def who(self, g: Raiders) -> list[int]:
        return [self.order[0]]

    def take(self, g: Raiders, answers: dict[int, Draft]) -> None:
        ((seat, (card,)),) = answers.items()
        passed = g.lay({seat: card}, second=g.plays[seat] == "ball")
        if order := (*self.order[1:], *passed):
            g.next(PlayInTurn(order))


# A room's outcome ---------------------------------------------------------------------------------------------------


class ResolveRoom(Step["Raiders"], frozen=True):
    """R-11 Resolve and remove the room. R-25, R-62 Keys, swords and items used to flee then go to the supply. R-84 So
    do all items of heroes who died in it."""

    def do(self, g: Raiders) -> None:
        mode, room, drawn, before, supply_before = g.mode, g.room, g.drawn, purses(g), g.supply.copy()
        outcome, changes = rooms.resolve(mode, room, g.plays, g.raiders, g.supply, drawn)
        apply(g, changes)
        use_up(g, room)
        died = tuple([seat for seat, change in changes.items() if change.out]) if mode.deadly else ()
        for seat in died:
            g.bury(seat)
        if g.first is not None:
            g.first = rooms.next_first(g.first, g.plays, g.raiders)
        g.tell(
            facts.Room(
                floor=g.floor,
                place=g.place,
                room=room,
                faceup=g.light[g.place - 1],
                plays=tuple([TOLD[card] for card in g.plays]),
                before=before,
                after=purses(g),
                supply_before=supply_before,
                supply_after=g.supply.copy(),
                outcome=outcome,
                first=g.first,
                drawn=UNSET if drawn is None else drawn,
                died=died or UNSET,
            )
        )
        if died and is_over(mode, g.raiders):
            g.todo.clear()
            g.next(EndGame())


def purses(g: Raiders) -> tuple[Purse, ...]:
    return tuple([Purse(hero.coins, hero.wounds, hero.alive, hero.items.copy()) for hero in g.raiders])


def use_up(g: Raiders, room: RoomFacts) -> None:
    """Return keys, swords and items used to flee to the supply. R-25 Balls are there already."""
    for seat, card in enumerate(g.plays):
        if card in USED_UP:
            item = str(room.flee) if card == "flee" else card
            if item != "ball":
                g.give_back(seat, item)


def apply(g: Raiders, changes: rooms.Changes) -> None:
    for seat, change in changes.items():
        raider = g.raiders[seat]
        raider.coins += change.coins
        raider.wounds += change.wounds
        if change.item:
            raider.items[change.item] += 1
            g.supply[change.item] -= 1
        if change.out:
            raider.alive = False


Steps = LayFloor | EnterRoom | EndFloor | EndGame | PlaySealed | AfterBall | PlayInTurn | ResolveRoom


# Setup --------------------------------------------------------------------------------------------------------------


def setup(seats: int, options: Mapping[str, str], chance: Chance) -> Raiders:
    """The first state: R-1 to R-5; solo R-95 to R-97."""
    deck = mode_of(options["edition"], seats).deck
    laid, away = shuffle_rooms(deck, chance)
    floors = shuffle_floors(deck, chance)
    characters = list(deck.characters)
    chance.shuffle(characters)
    raiders = [hero(deck, name) for name in characters[:seats]]
    for raider in raiders:
        raider.wounds += int(options.get("difficulty", 0))
    strengths = list(deck.strengths)
    chance.shuffle(strengths)
    play = options.get("play", "sealed")
    g = Raiders(
        todo=[LayFloor()],
        chance=chance,
        edition=deck.edition,
        play=play,
        raiders=raiders,
        supply=supply_for(deck, raiders),
        deck=laid,
        away=away,
        floors=floors,
        first=chance.below(seats) if play == "open" else None,
        strengths=strengths,
    )
    tell_heroes(g)
    return g


def shuffle_rooms(deck: Deck, chance: Chance) -> tuple[list[str], list[str]]:
    """R-1 Shuffle the rooms and take some away unseen. If there are bosses, put one at random under the rest, unseen.

    Returns the deck and the rooms taken away.
    """
    shuffled, bosses = list(deck.rooms), list(deck.bosses)
    chance.shuffle(shuffled)
    chance.shuffle(bosses)
    return shuffled[deck.away :] + bosses[: deck.bosses_drawn], shuffled[: deck.away]


def shuffle_floors(deck: Deck, chance: Chance) -> list[str]:
    """R-4 Shuffle the floor cards; without floor cards, `light` of all rooms lie face up at random."""
    if deck.floors:
        floors = list(deck.floors)
        chance.shuffle(floors)
        return floors
    return shuffle_marks(["U" * deck.light + "D" * (FLOORS * ROOMS - deck.light)], chance)


def shuffle_marks(floors: Sequence[str], chance: Chance) -> list[str]:
    marks = list("".join(floors))
    chance.shuffle(marks)
    return ["".join(marks[i : i + ROOMS]) for i in range(0, len(marks), ROOMS)]


def hero(deck: Deck, name: str) -> Raider:
    character = deck.characters[name]
    items = {item: character.items.count(item) for item in ITEMS}
    return Raider(name, character.coins, character.wounds, items)


def supply_for(deck: Deck, raiders: Sequence[Raider]) -> dict[str, int]:
    """R-3 The raiders' starting items are taken from the supply."""
    return {item: deck.items - sum(raider.items[item] for raider in raiders) for item in ITEMS}


def tell_heroes(g: Raiders) -> None:
    g.tell(facts.Heroes(tuple(raider.character for raider in g.raiders), purses(g), g.first))
