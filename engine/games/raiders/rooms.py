"""How rooms come out: pure functions on plain data, the same for the table, for forecasts and for bots."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from msgspec import UNSET, Struct

from engine.games.raiders.cards import MOST_COINS
from engine.games.raiders.facts import Amount, Chests, Fight, Outcome, RoomFacts, Share, Trapped, Vault

VALUE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "key": 5, "sword": 5}

Values = dict[int, int]  # seat -> value; who fled or is out is not in it


class Owns(Protocol):
    """What a room must know of a raider."""

    @property
    def coins(self) -> int: ...
    @property
    def wounds(self) -> int: ...
    @property
    def alive(self) -> bool: ...


class Change(Struct):
    """What a room does to one raider, after the limits of R-32, R-51 and R-55."""

    coins: int = 0
    wounds: int = 0
    item: str | None = None
    stone: bool = False


Changes = dict[int, Change]


def resolve(
    room: RoomFacts, plays: Sequence[str | None], raiders: Sequence[Owns], supply: Mapping[str, int]
) -> tuple[Outcome, Changes]:
    """What a room does when these final cards lie before the seats. Seats to which nothing happens have no change."""
    values = {seat: VALUE[card] for seat, card in enumerate(plays) if card in VALUE}
    fled = tuple(seat for seat, card in enumerate(plays) if card == "flee")
    return RESOLVE[room.kind](room, values, fled, raiders, supply)


def playing(values: Values, value: int) -> tuple[int, ...]:
    return tuple(seat for seat, v in values.items() if v == value)


def more_coins(raider: Owns, n: int) -> int:
    """R-32 Coins over the limit are lost. R-55 Coins never go below 0."""
    return max(0, min(MOST_COINS, raider.coins + n)) - raider.coins


def treasure(
    room: RoomFacts, values: Values, fled: tuple[int, ...], raiders: Sequence[Owns], supply: Mapping[str, int]
) -> tuple[Outcome, Changes]:
    """R-30 Highest value takes the bigger chest, second-highest value the smaller, where there is one. R-33 Second is
    the next distinct value: all equal, and the small chest goes to nobody."""
    shares, changes = [], {}
    for chest, value in zip(room.chests or (), sorted(set(values.values()), reverse=True), strict=False):
        seats = playing(values, value)
        each = chest // len(seats)  # rounded down, the rest is lost; fewer coins than sharers: 0
        shares.append(Share(value, seats, chest, each))
        for seat in seats:
            changes[seat] = Change(coins=more_coins(raiders[seat], each))
    return Chests(tuple(shares)), changes


def vault(
    room: RoomFacts, values: Values, fled: tuple[int, ...], raiders: Sequence[Owns], supply: Mapping[str, int]
) -> tuple[Outcome, Changes]:
    """R-50 Everyone gets the bonus printed beside the value they played."""
    shares, changes = [], {}
    prizes = room.prizes or {}
    for value in sorted(set(values.values()), reverse=True):
        prize, seats = prizes[str(value)], playing(values, value)
        if isinstance(prize, Amount):
            each = prize.amount
            for seat in seats:
                raider = raiders[seat]
                if prize.kind == "coins":
                    changes[seat] = Change(coins=more_coins(raider, each))
                else:
                    changes[seat] = Change(wounds=-min(each, raider.wounds))
        else:
            claims = sum(prizes[str(v)] == prize for v in values.values())
            each = 1 if supply[prize] >= claims else 0  # where the pile holds fewer, none of them gets one
            if each:
                changes.update({seat: Change(item=prize) for seat in seats})
        shares.append(Share(value, seats, prize, each))
    return Vault(tuple(shares)), changes


def picks(victims: str, raiders: Sequence[Owns]) -> tuple[int, ...]:
    """Whom a trap picks, whatever is played. R-55 If the most coins is 0, the richest lose nothing."""
    living = [(seat, raider) for seat, raider in enumerate(raiders) if raider.alive]
    if victims == "richest":
        most = max(raider.coins for _, raider in living)
        return tuple(seat for seat, raider in living if raider.coins == most > 0)
    fewest = min(raider.wounds for _, raider in living)
    return tuple(seat for seat, raider in living if raider.wounds == fewest)


def trap(
    room: RoomFacts, values: Values, fled: tuple[int, ...], raiders: Sequence[Owns], supply: Mapping[str, int]
) -> tuple[Outcome, Changes]:
    """R-56 By the highest value on the table, whoever played it: the richest or the least wounded are harmed."""
    victims, loses = str(room.victims), str(room.loses)
    value = max(values.values())
    harm, hit = (room.harms or {})[str(value)], picks(victims, raiders)
    changes = {seat: harmed(raiders[seat], loses, harm) for seat in hit} if harm else {}
    return Trapped(value, victims, loses, harm, hit), changes


def harmed(raider: Owns, loses: str, harm: int) -> Change:
    return Change(coins=more_coins(raider, -harm)) if loses == "coins" else Change(wounds=harm)


def fight(
    room: RoomFacts, values: Values, fled: tuple[int, ...], raiders: Sequence[Owns], supply: Mapping[str, int]
) -> tuple[Outcome, Changes]:
    """R-40 Sum of all values >= strength: it is beaten. R-41 Otherwise everyone with the lowest value is attacked.
    R-60, R-61 A boss: as a monster, with the differences that its card says."""
    if room.fives is not UNSET:
        values = {seat: room.fives if value == 5 else value for seat, value in values.items()}
    low, high = span(values.values())
    total, strength = sum(values.values()), room.strength or None
    beaten = strength is not None and total >= strength
    aim = room.aim or "lowest"
    value = None if beaten else high if aim == "highest" else low
    hit = () if value is None else playing(values, value)  # when all fled there is no value
    wounds, coins, stone = room.wounds or 0, room.coins or 0, room.stone or False
    changes = {seat: Change(more_coins(raiders[seat], -coins), wounds, None, stone) for seat in hit}
    pay = room.pays or 0
    paid = playing(values, high) if pay and high is not None and (beaten or low != high) else ()
    for seat in paid:
        change = changes.setdefault(seat, Change())
        change.coins += max(0, min(pay, MOST_COINS - raiders[seat].coins - change.coins))
    return Fight(total, strength, beaten, aim, value, hit, wounds, coins, stone, fled, paid, pay), changes


def span(values: Iterable[int]) -> tuple[int, int] | tuple[None, None]:
    found = sorted(values)
    return (found[0], found[-1]) if found else (None, None)


Resolve = Callable[[RoomFacts, Values, tuple[int, ...], Sequence[Owns], Mapping[str, int]], tuple[Outcome, Changes]]
RESOLVE: dict[str, Resolve] = {"treasure": treasure, "vault": vault, "trap": trap, "monster": fight, "boss": fight}


def next_first(first: int, plays: Sequence[str | None]) -> int:
    """R-70 Whoever played the highest value; tied: the nearest clockwise, counted from the seat after the previous
    first player, who comes last."""
    seats = len(plays)
    values = [VALUE.get(card or "", 0) for card in plays]
    best = max(values)
    return min((s for s in range(seats) if values[s] == best), key=lambda seat: (seat - first - 1) % seats)
