"""Dungeon Raiders, step by step. How a room comes out is in `rooms.py`, who has won in `ending.py`."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import UNSET, Struct, field

from engine.chance import Chance
from engine.games.raiders import facts, rooms
from engine.games.raiders.cards import FLOORS, POWER, ROOMS, Deck
from engine.games.raiders.ending import final_scoring, is_over
from engine.games.raiders.facts import ITEMS, Purse, RoomFacts
from engine.games.raiders.modes import Mode, mode_of
from engine.steps import Ask, Draft, Move, State, Step

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
    lit: list[int] = field(default_factory=list)  # places of this floor that a torch of one's own has shown
    alive: bool = True  # Medusa's victims are out; R-84: so are the dead


class Raiders(State, kw_only=True, dict=True):  # `dict`: room for what is computed once, and never saved
    todo: list["Steps"]
    edition: str
    play: str  # "sealed" or "open"
    raiders: list[Raider]
    supply: dict[str, int]
    deck: list[str]  # ids of the rooms not yet laid, the next one first, the boss last
    away: list[str]  # rooms taken away unseen: they stay here, so that one can imagine them elsewhere
    floors: list[str]  # which rooms lie face up, floor by floor; floor cards that are never drawn last
    first: int | None  # open play: who begins the room; R-71 it carries over to the next floor
    floor: int = 0
    place: int = 0  # the room we are in, 1 to 5
    rooms: list[str] = field(default_factory=list)  # ids of this floor's rooms, left to right
    light: list[bool] = field(default_factory=list)  # which of them were laid face up
    plays: list[str | None] = field(default_factory=list)  # before each seat; a ball: another card is to come
    strengths: list[int] = field(default_factory=list)  # R-97 solo: the deck of monster strength, the next one first
    turned: list[int] = field(default_factory=list)  # 〃: those turned up; the last one for the monster that we face

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
        """R-97 The strength card of the monster that we face."""
        return self.turned[-1] if self.turned and self.place and self.room.kind == "monster" else None

    def living(self) -> list[int]:
        return [seat for seat, raider in enumerate(self.raiders) if raider.alive]

    def in_order(self) -> list[int]:
        """R-21 From the first player clockwise."""
        first = self.first or 0
        return sorted(self.living(), key=lambda seat: (seat - first) % len(self.raiders))

    def dark(self) -> list[int]:
        """Places of this floor whose rooms nobody has turned up."""
        return [place for place in range(self.place + 1, ROOMS + 1) if not self.light[place - 1]]

    def anytime(self, seat: int) -> list[Move]:
        """R-12 A torch, any time; with no dark room left it may not be played."""
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
        """R-84 The items of a dead hero go back to the supply; R-43 it plays no card."""
        raider = self.raiders[seat]
        for item, held in raider.items.items():
            self.supply[item] += held
        raider.items, raider.hand = dict.fromkeys(ITEMS, 0), []

    def cards(self, seat: int) -> list[Move]:
        """R-22 Any power card in hand; a ball anywhere; a key only in a treasure room; a sword only in a monster's or a
        boss's room; R-62 and what a boss allows: to flee with an item, or with a ball that has been passed on. R-26
        There is always a legal card: a hand has as many power cards as a floor has rooms."""
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
        """Cards turn up before their owners. R-25 Balls go to the supply at once. Returns those who played one."""
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


class LayFloor(Step, frozen=True):
    """R-10 Lay the next five rooms left to right; the next floor card says which of them lie face up."""

    def do(self, g: Raiders) -> None:
        g.floor += 1
        g.place = 0
        g.rooms, g.deck = g.deck[:ROOMS], g.deck[ROOMS:]
        g.light = [mark == "U" for mark in g.floors[g.floor - 1]]
        known, shown = g.mode.facts, zip(g.rooms, g.light, strict=True)
        g.tell(facts.Floor(g.floor, tuple([known[room] if light else None for room, light in shown])))
        g.next(*[EnterRoom()] * ROOMS, EndFloor())


class EnterRoom(Step, frozen=True):
    """R-11 In each room: enter (turn it up if dark), play, resolve, remove the room."""

    def do(self, g: Raiders) -> None:
        g.place += 1
        g.plays = [None] * len(g.raiders)
        room = g.room
        if g.strengths and room.kind == "monster":
            g.turned.append(g.strengths.pop(0))  # before anybody plays
        drawn = g.drawn
        g.tell(facts.Enter(g.floor, g.place, room, g.light[g.place - 1], UNSET if drawn is None else drawn))
        g.next(PlaySealed() if g.first is None else PlayInTurn(tuple(g.in_order())), ResolveRoom())


class EndFloor(Step, frozen=True):
    """R-11 Played cards stay in view until the floor ends; then power cards go back to hand."""

    def do(self, g: Raiders) -> None:
        for raider in g.raiders:
            raider.hand, raider.played, raider.lit = list(POWER) if raider.alive else [], [], []
        g.next(LayFloor() if g.floor < FLOORS else EndGame())


class EndGame(Step, frozen=True):
    """R-80 After the fifth floor the game ends; R-84, R-90 or as soon as too few are alive."""

    def do(self, g: Raiders) -> None:
        g.finish(final_scoring(g.mode, g.raiders))


# Playing a card -----------------------------------------------------------------------------------------------------


class PlaySealed(Ask, frozen=True):
    """R-20 Every player puts one card face down; when all have, all turn up at once. R-27 In the first edition, too."""

    def who(self, g: Raiders) -> list[int]:
        return g.living()

    def options(self, g: Raiders, seat: int, draft: Draft) -> list[Move]:
        return g.cards(seat)

    def take(self, g: Raiders, answers: dict[int, Draft]) -> None:
        if g.lay({seat: card for seat, (card,) in answers.items()}, second=False):
            g.next(AfterBall())


class AfterBall(Ask, frozen=True):
    """R-23 After the reveal a ball's owner plays another card, knowing all the others; several choose sealed and reveal
    together. R-24 Another ball means choosing again after the rest of the ball players."""

    def who(self, g: Raiders) -> list[int]:
        return [seat for seat, card in enumerate(g.plays) if card == "ball"]

    def options(self, g: Raiders, seat: int, draft: Draft) -> list[Move]:
        return g.cards(seat)

    def take(self, g: Raiders, answers: dict[int, Draft]) -> None:
        if g.lay({seat: card for seat, (card,) in answers.items()}, second=True):
            g.next(AfterBall())


class PlayInTurn(Ask, frozen=True):
    """R-21 From the first player clockwise, one card each, face up. R-23 A ball's owner passes and plays after all the
    others, in turn order. R-24 Another ball: again after the rest."""

    order: tuple[int, ...]  # who is still to play

    def who(self, g: Raiders) -> list[int]:
        return [self.order[0]]

    def options(self, g: Raiders, seat: int, draft: Draft) -> list[Move]:
        return g.cards(seat)

    def take(self, g: Raiders, answers: dict[int, Draft]) -> None:
        ((seat, (card,)),) = answers.items()
        passed = g.lay({seat: card}, second=g.plays[seat] == "ball")
        if order := (*self.order[1:], *passed):
            g.next(PlayInTurn(order))


# A room's outcome ---------------------------------------------------------------------------------------------------


class ResolveRoom(Step, frozen=True):
    """R-11 Resolve, remove the room. R-25, R-62 Keys, swords and fleeing cards go to the supply after the room, R-84
    and with them all items of those who died in it."""

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
    """Keys, swords and what raiders flee with go to the supply; R-25 balls went at once."""
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
    """R-1 to R-5; solo: R-95 to R-97."""
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
    """R-1 Shuffle the rooms; take some away unseen; put one random boss, where there are bosses, unseen under the
    rest."""
    shuffled, bosses = list(deck.rooms), list(deck.bosses)
    chance.shuffle(shuffled)
    chance.shuffle(bosses)
    return shuffled[deck.away :] + bosses[: deck.bosses_drawn], shuffled[: deck.away]


def shuffle_floors(deck: Deck, chance: Chance) -> list[str]:
    """R-4 Floor cards; or so many of all rooms lie face up, wherever they are."""
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
    """R-3 What raiders hold comes out of the piles."""
    return {item: deck.items - sum(raider.items[item] for raider in raiders) for item in ITEMS}


def tell_heroes(g: Raiders) -> None:
    g.tell(facts.Heroes(tuple(raider.character for raider in g.raiders), purses(g), g.first))
