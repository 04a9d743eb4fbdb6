"""Raiders' events, views and the plain data shared by its rules, bots and pages."""

from msgspec import UNSET, Struct, UnsetType

from engine import Event, Result

Seat = int
Card = str  # "1" to "5", "torch", "ball", "key", "sword", or "flee"
ITEMS = ("torch", "ball", "key", "sword")


class Amount(Struct, frozen=True):
    kind: str  # "coins" or "potion"
    amount: int


Prize = str | Amount  # an item's name, or an amount of coins or of wounds healed
HALF = "half"
Harm = int | str  # coins or wounds, or HALF: of the player's coins, or of the wounds left until death


class RoomFacts(Struct, frozen=True):
    """A face-up room at this table. Only the fields of its kind are set."""

    kind: str  # "treasure", "monster", "vault", "trap" or "boss"
    name: str
    chests: tuple[int, ...] | UnsetType = UNSET  # treasure: the biggest first
    strength: int | UnsetType | None = UNSET  # monster, boss: for this number of players; None: cannot be beaten
    wounds: int | UnsetType = UNSET  # monster, boss
    coins: int | UnsetType = UNSET  # boss: coins that the attacked lose
    stone: bool | UnsetType = UNSET  # boss: the attacked are out of the game
    pays: int | UnsetType = UNSET  # boss: coins for the highest value
    flee: str | UnsetType = UNSET  # boss: the item that lets its owner flee
    fives: int | UnsetType = UNSET  # boss: what every 5 and every sword counts as
    aim: str | UnsetType = UNSET  # boss: "highest" if it attacks the highest value
    prizes: dict[str, Prize] | UnsetType = UNSET  # vault: by the value played, "1" to "5"
    harms: dict[str, Harm] | UnsetType = UNSET  # trap: by the value that decides, "1" to "5"
    victims: str | UnsetType = UNSET  # trap: "richest", "least_wounded" or "everyone"
    loses: str | UnsetType = UNSET  # trap: "coins" or "wounds"
    by: str | UnsetType = UNSET  # trap: "lowest" if the lowest value decides


class Purse(Struct, frozen=True, gc=False):
    coins: int
    wounds: int
    alive: bool  # false once out of the game: turned to stone, or dead
    items: dict[str, int]


# A room's outcome: one shape for each kind, so that a page can show it beat by beat ---------------------------------


class Share(Struct, frozen=True, gc=False):
    """R-30 to R-33, R-50: the seats that played one value, and what each of them got."""

    value: int
    seats: tuple[Seat, ...]
    prize: int | str | Amount  # a chest's coins, or the vault's prize for this value
    each: int  # coins, wounds healed or items for each seat, before limits; 0: too few for all of them


class Chests(Struct, frozen=True, tag_field="shape", tag="chests"):
    shares: tuple[Share, ...]  # the bigger chest first; chests that nobody takes are left out


class Vault(Struct, frozen=True, tag_field="shape", tag="vault"):
    shares: tuple[Share, ...]  # for each value that was played, from 5 down


class Fight(Struct, frozen=True, tag_field="shape", tag="fight"):
    total: int  # of all who did not flee
    strength: int | None
    beaten: bool
    aim: str  # "lowest" or "highest": which value it attacks
    value: int | None  # the value attacked; None: nobody is attacked
    hit: tuple[Seat, ...]
    wounds: int
    coins: int  # coins that the attacked lose
    stone: bool  # the attacked are out of the game
    fled: tuple[Seat, ...]
    paid: tuple[Seat, ...]  # the seats paid for the highest value
    pay: int


class Trapped(Struct, frozen=True, tag_field="shape", tag="trap"):
    value: int  # the value that decided
    victims: str  # "richest", "least_wounded" or "everyone"
    loses: str  # "coins" or "wounds"
    harm: Harm
    hit: tuple[Seat, ...]  # its victims, even if the harm is 0; empty if the richest have no coins


Outcome = Chests | Vault | Fight | Trapped


# Events -------------------------------------------------------------------------------------------------------------


class Heroes(Event, frozen=True):
    """R-2 The characters and what they start with; in open play also the first player."""

    characters: tuple[str, ...]
    purses: tuple[Purse, ...]
    first: Seat | None = None


class Floor(Event, frozen=True):
    """R-10 Five rooms are laid; a dark room is null."""

    floor: int
    rooms: tuple[RoomFacts | None, ...]


class Enter(Event, frozen=True):
    """R-11 The next room; `faceup`: it was laid face up."""

    floor: int
    place: int  # 1 to 5
    room: RoomFacts
    faceup: bool
    drawn: int | UnsetType = UNSET  # R-97 solo: the strength card turned up for a monster


class Torch(Event, frozen=True):
    """R-12 Lighting a torch is public; what it shows is not."""

    seat: Seat


class Cards(Event, frozen=True):
    """R-20, R-21, R-23 These cards turn up together. The owner of a ball plays another card later."""

    cards: dict[Seat, Card]
    second: bool = False  # the cards that follow balls


class Room(Event, frozen=True):
    """R-11 A room is done. `before`: when all final cards are known. `after`: when used cards, and R-84 the items of
    dead heroes, are back in the supply."""

    floor: int
    place: int
    room: RoomFacts
    faceup: bool
    plays: tuple[int | str | None, ...]  # 1 to 5, "key", "sword", "flee"; null for a seat that is out
    before: tuple[Purse, ...]
    after: tuple[Purse, ...]
    supply_before: dict[str, int]
    supply_after: dict[str, int]
    outcome: Outcome
    first: Seat | None = None  # open play: who begins the next room
    drawn: int | UnsetType = UNSET  # as in `Enter`
    died: tuple[Seat, ...] | UnsetType = UNSET  # the seats that died in this room, if any


RaidersEvent = Heroes | Floor | Enter | Torch | Cards | Room | Result


# Views --------------------------------------------------------------------------------------------------------------


class RoomSeen(Struct, frozen=True):
    place: int
    state: str  # "done", "now", "light" or "dark"
    room: RoomFacts | None  # None while dark


class RaiderSeen(Struct, frozen=True):
    seat: Seat
    character: str
    coins: int
    wounds: int
    alive: bool
    items: dict[str, int]
    hand: tuple[str, ...]  # power cards not yet played on this floor; public, as played cards stay visible
    played: tuple[Card, ...]  # on this floor, in order, including this room
    play: Card | None  # the face-up final card in this room
    passed: bool  # a ball was played in this room; another card will follow


class Public(Struct, frozen=True):
    edition: str  # "second" or "first"
    mode: str  # "second", "first", "duel" or "solo"; see `engine.games.raiders.modes`
    play: str  # "sealed" or "open"; solo is sealed
    floor: int
    place: int  # the current room, 1 to 5
    rooms: tuple[RoomSeen, ...]
    raiders: tuple[RaiderSeen, ...]
    supply: dict[str, int]
    first: Seat | None  # open play
    order: tuple[Seat, ...]  # open play: who has not yet played in this room, in order
    over: bool
    drawn: int | None  # R-97 solo: the strength card of the current monster
    turned: tuple[int, ...]  # R-97 solo: all strength cards turned up so far, `drawn` included


class Private(Struct, frozen=True):
    lit: dict[int, RoomFacts]  # by place: rooms that are still dark and that this seat's torch has shown
