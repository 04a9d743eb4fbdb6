"""What a card would do to its player, computed from the public view and exact over all cards the others could play.

A forecast is valid for every choice of the others, as long as the player makes no other move. `certain` and "always"
mean: in every continuation. "maybe" means: in some continuations but not in all.
"""

from collections.abc import Callable, Iterable, Set
from functools import cached_property, lru_cache
from typing import Literal

from msgspec import Struct

from engine import Result
from engine.games.raiders import rooms
from engine.games.raiders.ending import final_scoring
from engine.games.raiders.facts import Amount, Prize, Public
from engine.games.raiders.modes import mode_of
from engine.games.raiders.others import (
    Values,
    can_flee,
    can_use,
    could_play,
    counted,
    crowds,
    extremes,
    rankings,
    seen_room,
)
from engine.games.raiders.rooms import VALUE, Change

HowOften = Literal["never", "maybe", "always"]


class Effect(Struct, frozen=True, order=True):
    """What happens to the player, after all limits."""

    coins: int = 0
    wounds: int = 0
    item: str = ""
    out: bool = False  # turned to stone, or dead


class Forecast(Struct, frozen=True, tag_field="shape"):
    card: str
    value: int | None  # the card's value here; None: it has none
    spends: str | None  # the item that is used up
    effects: tuple[Effect, ...]  # all possible effects


class FightForecast(Forecast, frozen=True, tag="fight"):
    certain: Literal["safe", "hit"] | None
    falls: HowOften
    need: int | None  # total that the others must play to beat it; None: it cannot be beaten
    drawn: int | None  # R-97 solo: its strength card; a higher card escapes
    others_least: int
    others_most: int
    if_it_stands: HowOften  # whether the player is hit if it is not beaten; "never" also if it is always beaten
    saved_by: tuple[int, ...]  # values of others that draw the attack away if it is not beaten
    # (R-42 duel: or an equal value, which saves both)
    hit: Effect  # the effect of being hit
    paid: HowOften  # whether the player is paid for the highest value
    pay: int


class ChestCase(Struct, frozen=True):
    chest: int  # 1: the biggest, 2: the next; 0: none. R-98 solo: one case for each chest that the card takes
    sharers: int  # including the player
    coins: int  # after the limit


class TreasureForecast(Forecast, frozen=True, tag="treasure"):
    least: int
    most: int
    cases: tuple[ChestCase, ...]  # all possible cases, best first
    beaten_by: tuple[int, ...]  # higher values that the others may play
    equals: int  # maximum number of others who may play the same value


class VaultForecast(Forecast, frozen=True, tag="vault"):
    prize: Prize
    gets: HowOften
    claims_least: int  # number of others who claim the same item
    claims_most: int
    pile_least: int  # number of that item in the supply; balls and torches may still come back to it
    pile_most: int


class TrapForecast(Forecast, frozen=True, tag="trap"):
    victims: tuple[int, ...]  # known before the cards are played
    picked: bool  # the player is a victim
    values: tuple[int, ...]  # values that may decide
    by: str  # "highest" or "lowest": which of them decides
    own: int  # the harm if this card decides; "half" is converted to a number for this player
    least: int  # minimum harm over all values that may decide
    most: int  # maximum
    loses_least: int  # coins or wounds for the player if picked, else for each victim, after all limits
    loses_most: int


class BallForecast(Forecast, frozen=True, tag="ball"):
    """The player sees all other cards first, then plays one of `cards`."""

    cards: tuple[str, ...]


AnyForecast = FightForecast | TreasureForecast | VaultForecast | TrapForecast | BallForecast


def forecasts(public: Public, seat: int, cards: Iterable[str]) -> dict[str, AnyForecast]:
    """The forecast for each of these cards."""
    sight = Sight(public, seat)
    return {card: FORECAST[card if card == "ball" else sight.room.kind](sight, card) for card in cards}


def forecast(public: Public, seat: int, card: str) -> AnyForecast:
    """The forecast for one card that this seat may play now, as its first card or after a ball."""
    return forecasts(public, seat, [card])[card]


def if_ended_now(public: Public) -> Result:
    """R-80, R-82 Who would win if the game ended here."""
    return final_scoring(mode_of(public.edition, len(public.raiders)), public.raiders)


@lru_cache(4096)
def chests_of_first(rule: str, chests: tuple[int, ...], values: Values) -> tuple[tuple[int, int, int], ...]:
    """The chests that the first of these values takes, each as (number, sharers, coins each). If it takes none, one
    entry with number 0."""
    shares = rooms.CHESTS[rule](chests, values)
    # `by_rank` hands out the biggest chests; R-98 solo the smallest.
    first = 1 if rule == "by_rank" else 1 + len(chests) - len(shares)
    taken = [(i, len(share.seats), share.each) for i, share in enumerate(shares, first) if 0 in share.seats]
    return tuple(taken) or ((0, values.count(values[0]), 0),)


class Sight:
    """A room as one seat sees it before it plays its card."""

    def __init__(self, public: Public, seat: int, passing: int = 0) -> None:
        """`passing`: the number of balls that this seat is assumed to have played already in this room."""
        self.public = public
        self.seat = seat
        self.passing = passing
        self.mode = mode_of(public.edition, len(public.raiders))
        self.room = seen_room(public)
        self.me = public.raiders[seat]
        self.others = [raider for raider in public.raiders if raider.alive and raider.seat != seat]
        self.strikes: dict[tuple[bool, bool], Effect] = {}
        self.choices = tuple(sorted([could_play(raider, self.room) for raider in self.others]))

    def effect(self, change: Change) -> Effect:
        out = change.out or rooms.dies(self.mode, self.me, change)
        return Effect(change.coins, change.wounds, change.item or "", out)

    def strike(self, hit: bool, paid: bool) -> Effect:
        """The effect of a fight; the same for every card with which the player is hit and paid or not."""
        found = self.strikes.get((hit, paid))
        if found is None:
            found = self.effect(rooms.struck(self.mode, self.room, self.me, hit, paid))
            self.strikes[hit, paid] = found
        return found

    @cached_property
    def fighting(self) -> tuple[Values, ...]:
        """The `choices` with their values in a fight."""
        if not self.room.fives:
            return self.choices
        return tuple(sorted([tuple(sorted({counted(self.room, v) for v in values})) for values in self.choices]))

    @cached_property
    def victims(self) -> tuple[int, ...]:
        """The victims of a trap."""
        return rooms.picks(str(self.room.victims), self.public.raiders)

    @cached_property
    def harms(self) -> dict[int, int]:
        """A trap's harm by deciding value; "half" is converted to a number for this player."""
        loses, printed = str(self.room.loses), self.room.harms or {}
        return {VALUE[card]: rooms.harm_to(self.mode, self.me, loses, harm) for card, harm in printed.items()}

    def spends(self, card: str) -> str | None:
        if card == "flee":
            return None if self.room.flee == "ball" else str(self.room.flee)
        return card if card in ("key", "sword") else None

    def pile(self, item: str) -> tuple[int, int]:
        """The least and most of an item in the supply when the room is resolved. R-12, R-25 Torches and balls that the
        others use go back to the supply at once, before that."""
        least = self.public.supply[item] + (self.passing if item == "ball" else 0)
        back = 0
        if item == "ball":
            back = sum(raider.items["ball"] for raider in self.others if raider.play is None)
        elif item == "torch" and any(room.state == "dark" for room in self.public.rooms):
            back = sum(raider.items["torch"] for raider in self.others)
        return least, least + back

    def next_cards(self) -> list[str]:
        """The cards that this seat may play after the balls in `passing`."""
        cards = list(self.me.hand)
        if self.me.items["ball"] > self.passing:
            cards.append("ball")
        if item := can_use(self.me.items, self.room):
            cards.append(item)
        if can_flee(self.me, self.room):
            cards.append("flee")
        return cards


def how_often(cases: Set[bool]) -> HowOften:
    return "maybe" if len(cases) == 2 else "always" if True in cases else "never"


def every(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    return tuple(sorted(set(effects)))


# One forecast for each kind of room ---------------------------------------------------------------------------------


def of_fight(sight: Sight, card: str) -> FightForecast:
    room, mode, drawn = sight.room, sight.mode, sight.public.drawn
    own = counted(room, VALUE[card])
    ends: set[tuple[bool, bool, bool]] = set()  # beaten, the player hit, the player paid
    savers: set[int] = set()
    for others, total, low, high in crowds(sight.fighting, own):
        beaten, attacked, best = rooms.clash(mode, room, total, low, high, drawn)
        ends.add((beaten, attacked == own, best == own))
        if own and not beaten and attacked != own:
            savers.update(others)
    if mode.monsters != "by_lower_card":
        savers = {v for v in savers if (v > own if room.aim == "highest" else v < own)}
    falling = how_often({beaten for beaten, _, _ in ends})
    standing = how_often({hit for beaten, hit, _ in ends if not beaten})
    hit_always = standing == "always" and falling == "never"
    return FightForecast(
        card=card,
        value=own or None,
        spends=sight.spends(card),
        effects=every([sight.strike(hit, paid) for hit, paid in {(hit, paid) for _, hit, paid in ends}]),
        certain="hit" if hit_always else "safe" if standing == "never" else None,
        falls=falling,
        need=max(0, room.strength - own) if room.strength else None,
        others_least=sum([values[0] for values in sight.fighting]),
        others_most=sum([values[-1] for values in sight.fighting]),
        if_it_stands=standing,
        saved_by=tuple(sorted(savers)),
        drawn=drawn,
        hit=sight.strike(hit=True, paid=False),
        paid=how_often({paid for _, _, paid in ends}),
        pay=room.pays or 0,
    )


def of_treasure(sight: Sight, card: str) -> TreasureForecast:
    value, mode, chests = VALUE[card], sight.mode, sight.room.chests or ()
    amounts: set[int] = set()
    cases: set[ChestCase] = set()
    # Many rankings of the others leave the player the same chests.
    for taken in {chests_of_first(mode.chests, chests, (value, *others)) for others in rankings(sight.choices, value)}:
        amount = 0
        for chest, sharers, each in taken:
            coins = rooms.more_coins(mode, sight.me, each)
            amount += coins
            cases.add(ChestCase(chest, sharers, coins))
        amounts.add(amount)
    return TreasureForecast(
        card=card,
        value=value,
        spends=sight.spends(card),
        effects=every([Effect(coins) for coins in amounts]),
        least=min(amounts),
        most=max(amounts),
        cases=tuple(sorted(cases, key=lambda case: (-case.coins, case.chest or 99, case.sharers))),
        beaten_by=tuple(sorted({v for values in sight.choices for v in values if v > value})),
        equals=sum([value in values for values in sight.choices]),
    )


def of_vault(sight: Sight, card: str) -> VaultForecast:
    prizes = sight.room.prizes or {}
    prize = prizes[card]
    claims, piles, effects = [0], (0, 0), []
    if isinstance(prize, Amount):
        effects = [sight.effect(rooms.bonus(sight.mode, sight.me, prize))]
    else:
        claiming = [{prizes[str(v)] == prize for v in values} for values in sight.choices]
        claims = list(range(claiming.count({True}), len(claiming) - claiming.count({False}) + 1))
        piles = sight.pile(prize)
        effects = [
            Effect(item=prize if rooms.handed_out(pile, 1 + others) else "")
            for others in claims
            for pile in range(piles[0], piles[1] + 1)
        ]
    return VaultForecast(
        card=card,
        value=VALUE[card],
        spends=sight.spends(card),
        effects=every(effects),
        prize=prize,
        gets=how_often({isinstance(prize, Amount) or bool(effect.item) for effect in effects}),
        claims_least=min(claims),
        claims_most=max(claims),
        pile_least=piles[0],
        pile_most=piles[1],
    )


def of_trap(sight: Sight, card: str) -> TrapForecast:
    value, loses, by = VALUE[card], str(sight.room.loses), sight.room.by or "highest"
    deciding = extremes((*sight.choices, (value,)), by)
    picked = sight.seat in sight.victims
    harms = {sight.harms[v] for v in deciding}
    # Victims who are picked have equal coins or wounds, so one stands for all.
    victim = sight.me if picked or not sight.victims else sight.public.raiders[sight.victims[0]]
    changes = [rooms.harmed(sight.mode, victim, loses, harm) for harm in harms] if sight.victims else [Change()]
    lost = [-change.coins if loses == "coins" else change.wounds for change in changes]
    return TrapForecast(
        card=card,
        value=value,
        spends=sight.spends(card),
        effects=every([sight.effect(change) for change in changes]) if picked else (Effect(),),
        victims=sight.victims,
        picked=picked,
        values=deciding,
        by=by,
        own=sight.harms[value],
        least=min(harms),
        most=max(harms),
        loses_least=min(lost),
        loses_most=max(lost),
    )


def of_ball(sight: Sight, card: str) -> BallForecast:
    """R-23, R-24 All effects that are possible with any card that follows the ball."""
    after = Sight(sight.public, sight.seat, passing=sight.passing + 1)
    kind, cards = after.room.kind, after.next_cards()
    found = [FORECAST[kind](after, following) for following in cards if following != "ball"]
    if "ball" in cards and kind == "vault":  # only in a vault does another ball change the outcome
        found.append(of_ball(after, "ball"))
    return BallForecast("ball", None, "ball", every(e for each in found for e in each.effects), tuple(cards))


FORECAST: dict[str, Callable[[Sight, str], AnyForecast]] = {
    "monster": of_fight, "boss": of_fight, "treasure": of_treasure, "vault": of_vault, "trap": of_trap, "ball": of_ball,
}  # fmt: skip
