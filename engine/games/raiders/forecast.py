"""What a card would do to its player, from what anyone can see: exact over all that the others could still play.

A forecast holds whatever the others do, as long as the player itself does nothing else. `certain` and "always" mean in
every continuation; "maybe" that there is one with and one without.
"""

from collections.abc import Callable, Iterable, Set
from functools import cached_property, lru_cache
from typing import Literal

from msgspec import Struct

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
from engine.steps import Result

HowOften = Literal["never", "maybe", "always"]


class Effect(Struct, frozen=True, order=True):
    """What happens to the player, as it is counted: after all limits."""

    coins: int = 0
    wounds: int = 0
    item: str = ""
    out: bool = False  # turned to stone, or dead


class Forecast(Struct, frozen=True, tag_field="shape"):
    card: str
    value: int | None  # that it counts here; None: it has none
    spends: str | None  # the item that is gone afterwards
    effects: tuple[Effect, ...]  # each that there may be


class FightForecast(Forecast, frozen=True, tag="fight"):
    certain: Literal["safe", "hit"] | None
    falls: HowOften
    need: int | None  # what the others must bring for it to fall; None: it cannot be beaten
    drawn: int | None  # R-97 solo: a higher card escapes it
    others_least: int
    others_most: int
    if_it_stands: HowOften  # is the player hit then? "never", too, where it always falls
    saved_by: tuple[int, ...]  # values: it stands, and one of the others with such a value draws the attack away
    # (R-42 duel: or an equal one saves both)
    hit: Effect  # what being hit means
    paid: HowOften  # for the highest value
    pay: int


class ChestCase(Struct, frozen=True):
    chest: int  # 1: the biggest, 2: the next; 0: none; R-98 solo: a case for each that the card takes
    sharers: int  # the player, too
    coins: int  # as it is counted: after the limit


class TreasureForecast(Forecast, frozen=True, tag="treasure"):
    least: int
    most: int
    cases: tuple[ChestCase, ...]  # each that there may be, the best first
    beaten_by: tuple[int, ...]  # higher values that the others may play
    equals: int  # how many of the others may play the same value, at most


class VaultForecast(Forecast, frozen=True, tag="vault"):
    prize: Prize
    gets: HowOften
    claims_least: int  # of the others who claim the same item
    claims_most: int
    pile_least: int  # of that item; balls and torches may yet come back to it
    pile_most: int


class TrapForecast(Forecast, frozen=True, tag="trap"):
    victims: tuple[int, ...]  # whom it picks: that is known before
    picked: bool  # the player is one of them
    values: tuple[int, ...]  # that may decide
    by: str  # "highest" or "lowest": which of them does
    own: int  # the harm if this card decides: half of something is counted out for this player
    least: int  # the harm, whoever decides
    most: int


class BallForecast(Forecast, frozen=True, tag="ball"):
    """See all the others' cards first, then play one of these."""

    cards: tuple[str, ...]


AnyForecast = FightForecast | TreasureForecast | VaultForecast | TrapForecast | BallForecast


def forecasts(public: Public, seat: int, cards: Iterable[str]) -> dict[str, AnyForecast]:
    """For every card that this seat may lay."""
    sight = Sight(public, seat)
    return {card: FORECAST[card if card == "ball" else sight.room.kind](sight, card) for card in cards}


def forecast(public: Public, seat: int, card: str) -> AnyForecast:
    """For one card that this seat may lay now, as its first card or after a ball."""
    return forecasts(public, seat, [card])[card]


def if_ended_now(public: Public) -> Result:
    """R-80, R-82 Who would win if the game ended here."""
    return final_scoring(mode_of(public.edition, len(public.raiders)), public.raiders)


@lru_cache(4096)
def chests_of_first(rule: str, chests: tuple[int, ...], values: Values) -> tuple[tuple[int, int, int], ...]:
    """Each chest that the first of these values takes: which, how many share it, and coins for each; or none."""
    shares = rooms.CHESTS[rule](chests, values)
    # What is taken are the biggest chests; R-98 solo: the smallest.
    first = 1 if rule == "by_rank" else 1 + len(chests) - len(shares)
    taken = [(i, len(share.seats), share.each) for i, share in enumerate(shares, first) if 0 in share.seats]
    return tuple(taken) or ((0, values.count(values[0]), 0),)


class Sight:
    """A room as one seat sees it before its card lies there."""

    def __init__(self, public: Public, seat: int, passing: int = 0) -> None:
        """`passing`: so many balls the seat is about to pass on, and looks at what may follow."""
        self.public = public
        self.seat = seat
        self.passing = passing
        self.mode = mode_of(public.edition, len(public.raiders))
        self.room = seen_room(public)
        self.me = public.raiders[seat]
        self.others = [raider for raider in public.raiders if raider.alive and raider.seat != seat]
        self.choices = tuple(sorted([could_play(raider, self.room) for raider in self.others]))

    def effect(self, change: Change) -> Effect:
        out = change.out or rooms.dies(self.mode, self.me, change)
        return Effect(change.coins, change.wounds, change.item or "", out)

    def strike(self, hit: bool, paid: bool) -> Effect:
        return self.effect(rooms.struck(self.mode, self.room, self.me, hit, paid))

    @cached_property
    def fighting(self) -> tuple[Values, ...]:
        """The `choices` as they count in a fight."""
        if not self.room.fives:
            return self.choices
        return tuple(sorted([tuple(sorted({counted(self.room, v) for v in values})) for values in self.choices]))

    @cached_property
    def victims(self) -> tuple[int, ...]:
        """Whom a trap picks."""
        return rooms.picks(str(self.room.victims), self.public.raiders)

    @cached_property
    def harms(self) -> dict[int, int]:
        """What a trap does, by the value that decides: half of something is counted out for this player."""
        loses, printed = str(self.room.loses), self.room.harms or {}
        return {VALUE[card]: rooms.harm_to(self.mode, self.me, loses, harm) for card, harm in printed.items()}

    def spends(self, card: str) -> str | None:
        if card == "flee":
            return None if self.room.flee == "ball" else str(self.room.flee)
        return card if card in ("key", "sword") else None

    def pile(self, item: str) -> tuple[int, int]:
        """R-12, R-25 Torches that the others light and balls that they pass on go to the supply at once, before the
        room comes out."""
        least = self.public.supply[item] + (self.passing if item == "ball" else 0)
        back = 0
        if item == "ball":
            back = sum(raider.items["ball"] for raider in self.others if raider.play is None)
        elif item == "torch" and any(room.state == "dark" for room in self.public.rooms):
            back = sum(raider.items["torch"] for raider in self.others)
        return least, least + back

    def next_cards(self) -> list[str]:
        """What may follow the balls that are passed on."""
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


# One forecast a kind of room ----------------------------------------------------------------------------------------


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
    for others in rankings(sight.choices, value):
        amount = 0
        for chest, sharers, each in chests_of_first(mode.chests, chests, (value, *others)):
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
    changes = [rooms.harmed(sight.mode, sight.me, loses, harm) if picked and harm else Change() for harm in harms]
    return TrapForecast(
        card=card,
        value=value,
        spends=sight.spends(card),
        effects=every([sight.effect(change) for change in changes]),
        victims=sight.victims,
        picked=picked,
        values=deciding,
        by=by,
        own=sight.harms[value],
        least=min(harms),
        most=max(harms),
    )


def of_ball(sight: Sight, card: str) -> BallForecast:
    """R-23, R-24. All that may happen, whatever is chosen then."""
    after = Sight(sight.public, sight.seat, passing=sight.passing + 1)
    kind, cards = after.room.kind, after.next_cards()
    found = [FORECAST[kind](after, following) for following in cards if following != "ball"]
    if "ball" in cards and kind == "vault":  # elsewhere one more ball changes nothing
        found.append(of_ball(after, "ball"))
    return BallForecast("ball", None, "ball", every(e for each in found for e in each.effects), tuple(cards))


FORECAST: dict[str, Callable[[Sight, str], AnyForecast]] = {
    "monster": of_fight, "boss": of_fight, "treasure": of_treasure, "vault": of_vault, "trap": of_trap, "ball": of_ball,
}  # fmt: skip
