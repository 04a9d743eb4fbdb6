"""Sets up any position directly, for a test or a lesson. What is not given is filled in."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from engine import Chance
from engine.games.raiders.cards import FLOORS, POWER, ROOMS, Deck
from engine.games.raiders.facts import ITEMS
from engine.games.raiders.modes import Mode, mode_of
from engine.games.raiders.rules import (
    EndFloor,
    EnterRoom,
    Raider,
    Raiders,
    shuffle_floors,
    shuffle_marks,
    supply_for,
    tell_heroes,
)


class Place(Struct, frozen=True, kw_only=True):
    """One raider in a position."""

    character: str = ""  # "": the next free one
    coins: int = 0
    wounds: int = 0
    items: Mapping[str, int] = field(default_factory=dict)
    hand: str | None = None  # power cards in hand, as "1345"; None: the highest, one for each room left on the floor
    lit: Sequence[int] = ()


def position(
    raiders: int | Sequence[Place] = 4,
    *,
    edition: str = "second",
    play: str = "sealed",
    floor: int = 1,
    place: int = 1,
    rooms: Mapping[int, str] | str | None = None,  # ids by place, or only the room that is entered
    faceup: str | None = None,  # "UDUDD"; None: a random floor card
    to_come: Sequence[str] = (),  # ids of the rooms of the next floors, next one first
    boss: str | None = None,
    first: int = 0,
    strengths: Sequence[int] = (),  # solo: strengths of the next monsters
    seed: str = "00" * 32,
) -> Raiders:
    """The state just before this room is entered. Raises ValueError if the position is impossible."""
    places = [Place()] * raiders if isinstance(raiders, int) else list(raiders)
    mode, chance = mode_of(edition, len(places)), Chance(seed)
    deck = mode.deck
    if not (1 <= floor <= FLOORS and 1 <= place <= ROOMS and 0 <= first < len(places)):
        raise ValueError(f"no floor {floor}, place {place} or first player {first}")
    wanted = {place: rooms} if isinstance(rooms, str) else dict(rooms or {})
    check_rooms(deck, floor, wanted, to_come, boss)
    laid, rest, away = deal_around(mode, floor, place, wanted, to_come, boss, chance)
    heroes = seat_all(mode, places, [mode.facts[room].kind for room in laid[: place - 1]])
    turned, strength_deck = strength_cards(mode, laid[: place - 1], strengths, chance)
    g = Raiders(
        todo=[EndFloor(), *[EnterRoom()] * (ROOMS - place + 1)],
        chance=chance,
        edition=edition,
        play=play,
        raiders=heroes,
        supply=supply_for(deck, heroes),
        deck=rest,
        away=away,
        floors=floor_cards(deck, floor, faceup, chance),
        first=first if play == "open" else None,
        floor=floor,
        place=place - 1,
        rooms=laid,
        plays=[None] * len(heroes),
        strengths=strength_deck,
        turned=turned,
    )
    g.light = [mark == "U" for mark in g.floors[floor - 1]]
    for item, left in g.supply.items():
        if left < 0:
            raise ValueError(f"{deck.items - left} {item} in hands: there are {deck.items}")
    for seat, given in enumerate(places):
        if strange := set(given.lit) - {p for p in range(place, ROOMS + 1) if not g.light[p - 1]}:
            raise ValueError(f"seat {seat} cannot have lit {sorted(strange)}")
        g.raiders[seat].lit = sorted(given.lit)
    tell_heroes(g)
    return g


def boss_here(deck: Deck, floor: int) -> set[int]:
    return {ROOMS} if floor == FLOORS and deck.bosses_drawn else set()


def check_rooms(deck: Deck, floor: int, wanted: Mapping[int, str], to_come: Sequence[str], boss: str | None) -> None:
    last = boss_here(deck, floor)
    for place, room in wanted.items():
        if not 1 <= place <= ROOMS:
            raise ValueError(f"no place {place}")
        if room not in (deck.bosses if place in last else deck.rooms):
            raise ValueError(f"no {room} in place {place} of floor {floor}")
    if boss is not None and boss not in deck.bosses:
        raise ValueError(f"no boss {boss}")
    if last and boss and wanted.get(ROOMS, boss) != boss:
        raise ValueError(f"one boss: {boss} or {wanted[ROOMS]}")
    if len(to_come) > (most := max(0, ROOMS * (FLOORS - floor) - deck.bosses_drawn)):
        raise ValueError(f"{len(to_come)} rooms to come: there are {most}")
    named = Counter(to_come)
    named.update(room for place, room in wanted.items() if place not in last)
    for room, times in named.items():
        if times > deck.rooms.count(room):
            raise ValueError(f"{times} {room}: there are {deck.rooms.count(room)}")


def deal_around(
    mode: Mode,
    floor: int,
    here: int,
    wanted: Mapping[int, str],
    to_come: Sequence[str],
    boss: str | None,
    chance: Chance,
) -> tuple[list[str], list[str], list[str]]:
    """Return this floor's rooms with the wanted ones in place, the rooms to come, and the rooms taken away. Rooms of
    earlier floors are in none of them. Rooms already passed default to treasures and monsters, where any card is
    legal."""
    deck, last = mode.deck, boss_here(mode.deck, floor)
    bosses = [boss or deck.bosses[chance.below(len(deck.bosses))]] if deck.bosses_drawn else []
    free = Counter(deck.rooms)
    free.subtract(to_come)
    free.subtract(room for place, room in wanted.items() if place not in last)
    if last:
        wanted = {ROOMS: bosses.pop(), **wanted}
    pool = list(free.elements())
    chance.shuffle(pool)
    pool.sort(key=lambda room: mode.facts[room].kind in ("treasure", "monster"))
    laid = [wanted[place] if place in wanted else pool.pop() for place in range(1, here)]
    chance.shuffle(pool)
    laid += [wanted[place] if place in wanted else pool.pop() for place in range(here, ROOMS + 1)]
    away = [pool.pop() for _ in range(deck.away)]
    more = ROOMS * (FLOORS - floor) - len(bosses) - len(to_come)
    return laid, [*to_come, *pool[:more], *bosses], away


def floor_cards(deck: Deck, floor: int, faceup: str | None, chance: Chance) -> list[str]:
    cards = shuffle_floors(deck, chance)
    if faceup is None:
        return cards
    if not deck.floors:
        return around(faceup, deck.light, floor, chance)
    if faceup not in cards:
        raise ValueError(f"no floor card {faceup}")
    i = cards.index(faceup)
    cards[i], cards[floor - 1] = cards[floor - 1], cards[i]
    return cards


def around(faceup: str, light: int, floor: int, chance: Chance) -> list[str]:
    """R-4 First edition: any rooms of this floor may lie face up; the remaining face-up marks are on other floors."""
    others = ROOMS * (FLOORS - 1)
    if len(faceup) != ROOMS or set(faceup) - set("UD") or not 0 <= (left := light - faceup.count("U")) <= others:
        raise ValueError(f"no floor {faceup}")
    floors = shuffle_marks(["U" * left + "D" * (others - left)], chance)
    return [*floors[: floor - 1], faceup, *floors[floor - 1 :]]


def strength_cards(
    mode: Mode, behind: Sequence[str], wanted: Sequence[int], chance: Chance
) -> tuple[list[int], list[int]]:
    """R-97 The strength cards already turned up on this floor, and the deck with the wanted ones on top."""
    free = Counter(mode.deck.strengths)
    free.subtract(wanted)
    if any(n < 0 for n in free.values()):
        raise ValueError(f"no strengths {', '.join(map(str, wanted))}")
    pool = list(free.elements())
    chance.shuffle(pool)
    monsters = sum(mode.facts[room].kind == "monster" for room in behind) if pool else 0
    return pool[:monsters], [*wanted, *pool[monsters:]]


def seat_all(mode: Mode, places: Sequence[Place], kinds: list[str]) -> list[Raider]:
    """Create the raiders. `kinds`: the kinds of the rooms already passed on this floor."""
    deck = mode.deck
    taken = [given.character for given in places if given.character]
    free = iter([name for name in deck.characters if name not in taken])
    heroes = []
    for seat, given in enumerate(places):
        if given.character and (given.character not in deck.characters or taken.count(given.character) > 1):
            raise ValueError(f"seat {seat} cannot be {given.character}")
        if given.coins < 0 or given.wounds < 0 or (mode.most_coins is not None and given.coins > mode.most_coins):
            raise ValueError(f"seat {seat} cannot have {given.coins} coins and {given.wounds} wounds")
        dead = bool(mode.deadly) and given.wounds >= (mode.deadly or 0)
        if dead and any(given.items.values()):
            raise ValueError(f"seat {seat} is dead: it cannot hold {dict(given.items)}")
        if given.items.keys() - set(ITEMS) or any(n < 0 for n in given.items.values()):
            raise ValueError(f"seat {seat} cannot hold {dict(given.items)}")
        hand = list(POWER[len(kinds) :] if given.hand is None else given.hand)
        played = played_before(seat, hand, kinds)
        if dead:
            hand, played = [], []
        items = {item: given.items.get(item, 0) for item in ITEMS}
        name = given.character or next(free)
        heroes.append(Raider(name, given.coins, given.wounds, items, hand, played, alive=not dead))
    return heroes


def played_before(seat: int, hand: list[str], kinds: list[str]) -> list[str]:
    """The cards that a raider with this hand must have played on this floor: the missing power cards, and keys and
    swords for the other rooms."""
    if sorted(set(hand) & set(POWER)) != hand:
        raise ValueError(f"seat {seat} cannot hold {''.join(hand)}")
    power = [card for card in POWER if card not in hand]
    spare = len(kinds) - len(power)
    played = []
    for kind in kinds:
        item = {"treasure": "key", "monster": "sword"}.get(kind)
        if spare and item:
            spare -= 1
            played.append(item)
        elif power:
            played.append(power.pop())
        else:
            break
    if spare or power:
        raise ValueError(f"seat {seat} cannot hold {''.join(hand)} after {', '.join(kinds) or 'no room'}")
    return played
