"""The plain data that Raiders tells and shows: the words shared by its rules, its views, its bots and its pages."""

from msgspec import UNSET, Struct, UnsetType

from engine.steps import Event, Result

Seat = int
Card = str  # "1" to "5", "torch", "ball", "key", "sword", or "flee"
ITEMS = ("torch", "ball", "key", "sword")


class Amount(Struct, frozen=True):
    kind: str  # "coins" or "potion"
    amount: int


Prize = str | Amount  # an item's name, or so many coins or wounds healed
HALF = "half"
Harm = int | str  # so many coins or wounds, or HALF: of one's coins, or of the wounds left until death


class RoomFacts(Struct, frozen=True):
    """A room as it lies face up at this table; only what its kind has."""

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
    aim: str | UnsetType = UNSET  # boss: "highest" where it does not attack the lowest value
    prizes: dict[str, Prize] | UnsetType = UNSET  # vault: by the value played, "1" to "5"
    harms: dict[str, Harm] | UnsetType = UNSET  # trap: by the value that decides, "1" to "5"
    victims: str | UnsetType = UNSET  # trap: "richest", "least_wounded" or "everyone"
    loses: str | UnsetType = UNSET  # trap: "coins" or "wounds"
    by: str | UnsetType = UNSET  # trap: "lowest" where not the highest value decides


class Purse(Struct, frozen=True, gc=False):
    coins: int
    wounds: int
    alive: bool  # false once out of the game: turned to stone, or dead
    items: dict[str, int]


# How a room came out: one shape a kind, so that a page can tell it beat by beat. ------------------------------------


class Share(Struct, frozen=True, gc=False):
    """R-30 to R-33, R-50: those who played one value, and what each of them got."""

    value: int
    seats: tuple[Seat, ...]
    prize: int | str | Amount  # a chest's coins, or what a vault has beside the value
    each: int  # coins, wounds healed or items that each of them got by the rule; 0: too few for all of them


class Chests(Struct, frozen=True, tag_field="shape", tag="chests"):
    shares: tuple[Share, ...]  # the bigger chest first; a chest that nobody takes is left out


class Vault(Struct, frozen=True, tag_field="shape", tag="vault"):
    shares: tuple[Share, ...]  # from value 5 down, those that somebody played


class Fight(Struct, frozen=True, tag_field="shape", tag="fight"):
    total: int  # of all who did not flee
    strength: int | None
    beaten: bool
    aim: str  # "lowest" or "highest": whom it attacks
    value: int | None  # the value attacked; None: nobody is
    hit: tuple[Seat, ...]
    wounds: int
    coins: int  # that the attacked lose
    stone: bool  # the attacked are out of the game
    fled: tuple[Seat, ...]
    paid: tuple[Seat, ...]  # who are paid for the highest value
    pay: int


class Trapped(Struct, frozen=True, tag_field="shape", tag="trap"):
    value: int  # that decided
    victims: str  # "richest", "least_wounded" or "everyone"
    loses: str  # "coins" or "wounds"
    harm: Harm
    hit: tuple[Seat, ...]  # whom it picks, also when the harm is 0; nobody when the richest have nothing


Outcome = Chests | Vault | Fight | Trapped


# Events -------------------------------------------------------------------------------------------------------------


class Heroes(Event, frozen=True):
    """R-2 Who is who, and what they start with; in open play who is first."""

    characters: tuple[str, ...]
    purses: tuple[Purse, ...]
    first: Seat | None = None


class Floor(Event, frozen=True):
    """R-10 Five rooms are laid; a dark one is null."""

    floor: int
    rooms: tuple[RoomFacts | None, ...]


class Enter(Event, frozen=True):
    """R-11 The next room; `faceup` tells whether it lay light before."""

    floor: int
    place: int  # 1 to 5
    room: RoomFacts
    faceup: bool
    drawn: int | UnsetType = UNSET  # R-97 solo: the strength card turned up for a monster


class Torch(Event, frozen=True):
    """R-12 That it was lit is public; what was seen is not."""

    seat: Seat


class Cards(Event, frozen=True):
    """R-20, R-21, R-23 These cards turn up together. A ball among them will be followed by another card."""

    cards: dict[Seat, Card]
    second: bool = False  # the cards that follow balls


class Room(Event, frozen=True):
    """R-11 A room is done. `before` is when every final card is known; `after` when used cards are back, and R-84 what
    the dead held."""

    floor: int
    place: int
    room: RoomFacts
    faceup: bool
    plays: tuple[int | str | None, ...]  # 1 to 5, "key", "sword", "flee"; null for one who is out
    before: tuple[Purse, ...]
    after: tuple[Purse, ...]
    supply_before: dict[str, int]
    supply_after: dict[str, int]
    outcome: Outcome
    first: Seat | None = None  # open play: who begins the next room
    drawn: int | UnsetType = UNSET  # as in `Enter`
    died: tuple[Seat, ...] | UnsetType = UNSET  # those who died here, where somebody did


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
    hand: tuple[str, ...]  # power cards not yet played on this floor: anyone can work that out
    played: tuple[Card, ...]  # on this floor, in order, this room's too
    play: Card | None  # the final card that lies face up in this room
    passed: bool  # a ball was played in this room; another card is to come


class Public(Struct, frozen=True):
    edition: str  # "second" or "first"
    mode: str  # "second", "first", "duel" or "solo"; `engine.games.raiders.modes` says what is otherwise in each
    play: str  # "sealed" or "open"; solo is sealed
    floor: int
    place: int  # the room we are in, 1 to 5
    rooms: tuple[RoomSeen, ...]
    raiders: tuple[RaiderSeen, ...]
    supply: dict[str, int]
    first: Seat | None  # open play
    order: tuple[Seat, ...]  # open play: who is still to play in this room, in order
    over: bool
    drawn: int | None  # R-97 solo: the strength card of the monster that we face
    turned: tuple[int, ...]  # 〃: all that have been turned up, that one too


class Private(Struct, frozen=True):
    lit: dict[int, RoomFacts]  # by place: what one's own torch shows of rooms that are still dark
