"""Resolves rooms: pure functions on plain data, used by the rules, the forecasts and the bots."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from engine.games.raiders.facts import HALF, Amount, Chests, Fight, Harm, Outcome, RoomFacts, Share, Trapped, Vault
from engine.games.raiders.modes import Mode

# The value of a final card; 0 for a raider who fled or is out.
VALUE: dict[str | None, int] = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "key": 5, "sword": 5, "flee": 0, None: 0}

Values = Sequence[int]  # by seat


class Owns(Protocol):
    """The facts about a raider that a room needs."""

    @property
    def coins(self) -> int: ...
    @property
    def wounds(self) -> int: ...
    @property
    def alive(self) -> bool: ...


class Laid(Struct, frozen=True, gc=False):
    """Everything that decides a room's outcome."""

    mode: Mode
    room: RoomFacts
    plays: Sequence[str | None]
    values: Values
    raiders: Sequence[Owns]
    supply: Mapping[str, int]
    drawn: int | None  # R-97 solo: the monster's strength card


class Change(Struct, gc=False):
    """What a room does to one raider, after the limits of R-32, R-51 and R-55."""

    coins: int = 0
    wounds: int = 0
    item: str | None = None
    out: bool = False  # turned to stone, or dead


Changes = dict[int, Change]


def resolve(
    mode: Mode,
    room: RoomFacts,
    plays: Sequence[str | None],
    raiders: Sequence[Owns],
    supply: Mapping[str, int],
    drawn: int | None = None,
) -> tuple[Outcome, Changes]:
    """Resolve a room with these final cards, by seat. Seats that are not affected have no entry in the changes."""
    values = [VALUE[card] for card in plays]
    outcome, changes = RESOLVE[room.kind](Laid(mode, room, plays, values, raiders, supply, drawn))
    if mode.deadly:
        for seat, change in changes.items():
            change.out = change.out or dies(mode, raiders[seat], change)
    return outcome, changes


def dies(mode: Mode, raider: Owns, change: Change) -> bool:
    """R-84 Whether this change kills the raider."""
    return mode.deadly is not None and raider.wounds + change.wounds >= mode.deadly


def playing(values: Values, value: int | None) -> tuple[int, ...]:
    return () if value is None else tuple([seat for seat, v in enumerate(values) if v == value])


def ranked(values: Values) -> list[tuple[int, tuple[int, ...]]]:
    """Each value that was played, with the seats that played it, highest first."""
    seats: dict[int, tuple[int, ...]] = {}
    for seat, value in enumerate(values):
        if value:
            seats[value] = (*seats.get(value, ()), seat)
    return sorted(seats.items(), reverse=True)


def more_coins(mode: Mode, raider: Owns, n: int) -> int:
    """R-32 Coins over the limit are lost. R-55 Coins never go below 0."""
    before, most = raider.coins, mode.most_coins
    after = before + n
    if after < 0:
        return -before
    return n if most is None or after <= most else most - before


# Treasure -----------------------------------------------------------------------------------------------------------


def treasure(at: Laid) -> tuple[Outcome, Changes]:
    shares = CHESTS[at.mode.chests](at.room.chests or (), at.values)
    changes: Changes = {}
    for share in shares:
        for seat in share.seats:
            coins = more_coins(at.mode, at.raiders[seat], share.each)
            if seat in changes:
                changes[seat].coins += coins  # several chests; solo has no limit
            else:
                changes[seat] = Change(coins)
    return Chests(shares), changes


def by_rank(chests: tuple[int, ...], values: Values) -> tuple[Share, ...]:
    """R-30 The highest value takes the bigger chest, the second-highest the smaller one, if there is one. R-33 Second
    means the next distinct value: if all are equal, nobody gets the small chest."""
    shares = []
    for chest, (value, seats) in zip(chests, ranked(values), strict=False):
        each = chest // len(seats)  # rounded down, the remainder is lost
        shares.append(Share(value, seats, chest, each))
    return tuple(shares)


def all_below_card(chests: tuple[int, ...], values: Values) -> tuple[Share, ...]:
    """R-98 Every chest whose coins are fewer than the value played is taken."""
    return tuple(
        Share(value, (seat,), chest, chest) for chest in chests for seat, value in enumerate(values) if chest < value
    )


CHESTS = {"by_rank": by_rank, "all_below_card": all_below_card}


# Vault --------------------------------------------------------------------------------------------------------------


def vault(at: Laid) -> tuple[Outcome, Changes]:
    """R-50 Everyone gets the bonus printed beside the value they played."""
    shares: list[Share] = []
    changes: Changes = {}
    prizes = at.room.prizes or {}
    played = [(value, seats, prizes[str(value)]) for value, seats in ranked(at.values)]
    for value, seats, prize in played:
        if isinstance(prize, Amount):
            each = prize.amount
            for seat in seats:
                changes[seat] = bonus(at.mode, at.raiders[seat], prize)
        else:
            claims = sum([len(others) for _, others, claimed in played if claimed == prize])
            each = handed_out(at.supply[prize], claims)
            if each:
                for seat in seats:
                    changes[seat] = Change(0, 0, prize)
        shares.append(Share(value, seats, prize, each))
    return Vault(tuple(shares)), changes


def bonus(mode: Mode, raider: Owns, prize: Amount) -> Change:
    if prize.kind == "coins":
        return Change(more_coins(mode, raider, prize.amount))
    return Change(wounds=-min(prize.amount, raider.wounds))


def handed_out(pile: int, claims: int) -> int:
    """R-50 If the pile holds fewer than are claimed, nobody gets one."""
    return 1 if pile >= claims else 0


# Trap ---------------------------------------------------------------------------------------------------------------


def picks(victims: str, raiders: Sequence[Owns]) -> tuple[int, ...]:
    """The victims of a trap; cards do not matter. R-43 Dead heroes are never picked. R-55 If nobody has coins, there is
    no richest."""
    living = [(seat, raider) for seat, raider in enumerate(raiders) if raider.alive]
    if victims == "richest":
        most = max([raider.coins for _, raider in living])
        return tuple([seat for seat, raider in living if raider.coins == most > 0])
    if victims == "least_wounded":
        fewest = min([raider.wounds for _, raider in living])
        return tuple([seat for seat, raider in living if raider.wounds == fewest])
    return tuple([seat for seat, _ in living])


def trap(at: Laid) -> tuple[Outcome, Changes]:
    """R-56 The highest (or lowest) value on the table decides, no matter who played it."""
    room = at.room
    victims, loses = str(room.victims), str(room.loses)
    value = min(filter(None, at.values)) if room.by == "lowest" else max(at.values)
    harm, hit = (room.harms or {})[str(value)], picks(victims, at.raiders)
    changes = {seat: harmed(at.mode, at.raiders[seat], loses, harm) for seat in hit} if harm else {}
    return Trapped(value, victims, loses, harm, hit), changes


def harmed(mode: Mode, raider: Owns, loses: str, harm: Harm) -> Change:
    amount = harm if isinstance(harm, int) else harm_to(mode, raider, loses, harm)
    return Change(coins=more_coins(mode, raider, -amount)) if loses == "coins" else Change(wounds=amount)


def harm_to(mode: Mode, raider: Owns, loses: str, harm: Harm) -> int:
    """The harm as a number. HALF is half of the coins, or of the wounds left until death, rounded down."""
    if harm == HALF:
        return (raider.coins if loses == "coins" else max(0, (mode.deadly or 0) - raider.wounds)) // 2
    return int(harm)


# Monster, boss ------------------------------------------------------------------------------------------------------


def clash(
    mode: Mode, room: RoomFacts, total: int, low: int | None, high: int | None, drawn: int | None
) -> tuple[bool, int | None, int | None]:
    """Return whether the monster is beaten, the value it attacks and the value it pays.

    R-40 It is beaten if the sum of all values reaches its strength. R-41 Otherwise it attacks one value. R-63 It pays
    the highest value, except if it is not beaten and all values are equal. R-64 If all fled, there is no value.
    """
    beaten = bool(room.strength and total >= room.strength)
    if low is None or high is None:
        return beaten, None, None
    attacked = None if beaten else ATTACKED[mode.monsters](room, low, high, drawn)
    return beaten, attacked, high if room.pays and (beaten or low != high) else None


def struck(mode: Mode, room: RoomFacts, raider: Owns, hit: bool, paid: bool) -> Change:
    """R-41 Each attacked raider takes all wounds. R-60, R-61 A boss works like a monster, with the differences on its
    card."""
    change = Change()
    if hit:
        change.wounds, change.out = room.wounds or 0, room.stone or False
        if room.coins:
            change.coins = more_coins(mode, raider, -room.coins)
    if paid:
        pay = room.pays or 0
        most = pay if mode.most_coins is None else mode.most_coins - raider.coins - change.coins
        change.coins += max(0, min(pay, most))
    return change


def fight(at: Laid) -> tuple[Outcome, Changes]:
    room, values = at.room, at.values
    if room.fives:
        values = [room.fives if value == 5 else value for value in values]
    total, (low, high) = sum(values), span(filter(None, values))
    beaten, attacked, best = clash(at.mode, room, total, low, high, at.drawn)
    hit, paid = playing(values, attacked), playing(values, best)
    changes: Changes = {}
    for seat in hit + paid:
        changes[seat] = struck(at.mode, room, at.raiders[seat], seat in hit, seat in paid)
    outcome = Fight(
        total=total,
        strength=room.strength or None,
        beaten=beaten,
        aim=room.aim or "lowest",
        value=attacked,
        hit=hit,
        wounds=room.wounds or 0,
        coins=room.coins or 0,
        stone=room.stone or False,
        fled=tuple([seat for seat, card in enumerate(at.plays) if card == "flee"]) if room.flee else (),
        paid=paid,
        pay=room.pays or 0,
    )
    return outcome, changes


def by_sum(room: RoomFacts, low: int, high: int, drawn: int | None) -> int | None:
    """R-41 The lowest; a boss may aim at the highest."""
    return high if room.aim == "highest" else low


def by_lower_card(room: RoomFacts, low: int, high: int, drawn: int | None) -> int | None:
    """R-42 Duel: the lower card is hit; with equal cards nobody is."""
    return low if low != high else None


def by_drawn_card(room: RoomFacts, low: int, high: int, drawn: int | None) -> int | None:
    """R-97 Solo: a value higher than the drawn strength escapes."""
    return low if low <= (drawn or 0) else None


ATTACKED = {"by_sum": by_sum, "by_lower_card": by_lower_card, "by_drawn_card": by_drawn_card}


def span(values: Iterable[int]) -> tuple[int, int] | tuple[None, None]:
    found = sorted(values)
    return (found[0], found[-1]) if found else (None, None)


RESOLVE: dict[str, Callable[[Laid], tuple[Outcome, Changes]]] = {
    "treasure": treasure, "vault": vault, "trap": trap, "monster": fight, "boss": fight,
}  # fmt: skip


# Open play ----------------------------------------------------------------------------------------------------------


def next_first(first: int, plays: Sequence[str | None], raiders: Sequence[Owns]) -> int:
    """R-70 The player with the highest value begins. In a tie it is the first clockwise, counted from the seat after
    the previous first player. R-71 If that player died in this room, the next living seat clockwise begins."""
    seats = len(plays)
    values = [VALUE[card] for card in plays]
    best = max(values)
    found = min((s for s in range(seats) if values[s] == best), key=lambda seat: (seat - first - 1) % seats)
    living = [seat for seat in range(seats) if raiders[seat].alive]
    return min(living, key=lambda seat: (seat - found) % seats, default=found)
