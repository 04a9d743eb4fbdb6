"""The `raider` bot. It uses only the views of its seat and keeps no state between moves.

A card's value has two parts: its effect in this room, averaged over what the rivals are likely to play, and what the
rest of the hand can still do on this floor. Both are expressed as the probability of winning the game.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import product
from math import exp, prod, sqrt
from random import Random
from typing import NamedTuple

from engine import Move, Own, Shared
from engine.games.raiders import rooms
from engine.games.raiders.cards import FLOORS, ROOMS
from engine.games.raiders.ending import final_scoring
from engine.games.raiders.facts import ITEMS, Amount, Private, Public, Purse, RaiderSeen, RoomFacts
from engine.games.raiders.modes import Mode, mode_of
from engine.games.raiders.others import can_flee, can_use, counted, seen_room
from engine.games.raiders.rooms import VALUE

SAMPLES = 24  # combinations of the rivals' cards that are sampled, if there are more
GLANCES = 10  # the same for each later room of the floor
ODD = 0.3  # probability that a rival plays a uniformly random card
SHARP = 0.25  # softmax temperature, in coins, of the rivals' choice
WORTH = {"torch": 0.3, "ball": 0.7, "key": 1.0, "sword": 0.9}  # of an unused item, in coins, early in the game

MOOD = 0.01  # of a win: moves this close to the best are chosen at random, so that bots do not all play alike
HURT = {"first": 0.25, "duel": 0.15, "solo": 0.4}  # expected wounds per room, in modes where wounds kill
HOARD = 40  # more coins than a solo game ever brings; scales its score to at most 1

Purses = tuple[tuple[int, int, bool], ...]  # coins, wounds, alive: of every seat
Gain = tuple[float, float]  # coins, wounds
Named = tuple[str, tuple[int, ...]]  # a room's name and, for a treasure, its chests


class Me(NamedTuple):
    """The facts about the player that affect what a room brings."""

    richest: bool
    healthiest: bool
    coins: int
    wounds: int
    alive: bool = True


ANYBODY = Me(False, False, 6, 4)


def raider(shared: Shared[Public], own: Own[Private], luck: Random) -> Move:
    mind = Mind(shared.public, own.private, own.seat, luck)
    if "torch" in own.anytime and mind.wants_light():
        return "torch"
    if len(own.moves) == 1:
        return own.moves[0]
    worth = mind.weigh(own.moves)
    mood = MOOD if len(shared.public.raiders) > 1 else 0  # solo there are no rivals to be predictable for
    enough = max(worth.values()) - mood
    return luck.choice([move for move in own.moves if worth[move] >= enough])


class Mind:
    """The bot's evaluation of one decision, with its caches."""

    def __init__(self, public: Public, private: Private, seat: int, luck: Random) -> None:
        self.public = public
        self.mode = mode_of(public.edition, len(public.raiders))
        self.seat = seat
        self.luck = luck
        self.room = seen_room(public)
        self.me = public.raiders[seat]
        self.rivals = [rival for rival in public.raiders if rival.alive and rival.seat != seat]
        self.lit = private.lit
        self.left = (FLOORS - public.floor) * ROOMS + ROOMS - public.place  # rooms after this one
        self.later: list[RoomFacts | None] = [
            self.lit.get(seen.place, seen.room) for seen in public.rooms[public.place :]
        ]
        self.fade = min(1.0, (FLOORS - public.floor) / 2)  # items lose value towards the end of the game
        self.known: dict[Purses, float] = {}
        self.outcomes: dict[tuple[int, ...], float] = {}
        self.plans: dict[tuple[int, int, int, int], float] = {}

        purses = self.purses = tuple((other.coins, other.wounds, other.alive) for other in public.raiders)
        now = self.chance(purses, self.left + 1)
        mine = (self.me.coins, self.me.wounds)
        richer = (*purses[:seat], (mine[0] + 1, mine[1], True), *purses[seat + 1 :])
        dying = mine[1] + 1 == self.mode.deadly
        hurt = (*purses[:seat], (mine[0], mine[1] + 1, not dying), *purses[seat + 1 :])
        self.coin = max(0.002, self.chance(richer, self.left + 1) - now)  # value of one more coin; at least a little
        self.wound = max(0.002, now - self.chance(hurt, self.left + 1))

    # How good a position is ---------------------------------------------------------------------------------------

    def chance(self, purses: Purses, left: int) -> float:
        """R-80, R-82 The probability of winning from here. Before the end it is an estimate: the more rooms are left,
        the less a lead counts. R-99 Solo: the expected share of `HOARD` brought out alive."""
        if not purses[self.seat][2]:
            return 0.0
        if len(purses) == 1:
            return self.lives(purses[0][1], left) * (1 + purses[0][0] + left / 2) / HOARD
        if left == 0:
            winners = final_scoring(self.mode, [Purse(*purse, {}) for purse in purses]).winners
            return 1 / len(winners) if self.seat in winners else 0.0
        living = [(coins, wounds) for coins, wounds, alive in purses if alive]
        if len(living) == 1:
            return self.lives(living[0][1], left) if self.mode.fewest_alive < 2 else 1.0
        me = sum(alive for _, _, alive in purses[: self.seat])
        blur_wounds, blur_coins = 0.4 + 0.45 * sqrt(left), 0.4 + 0.6 * sqrt(left)
        rich = [exp((coins - 0.05 * wounds) / blur_coins) for coins, wounds in living]
        alive = 1.0
        if self.mode.deadly:
            live = [self.lives(wounds, left) for _, wounds in living]
            alive, live[me] = live[me], 1.0
            rich = [gold * chance for gold, chance in zip(rich, live, strict=True)]
        all_rich = sum(rich)
        if self.mode.bleeding == "nobody":
            return alive * rich[me] / all_rich
        bleeding = [exp(wounds / blur_wounds) for _, wounds in living]
        all_bleeding = sum(bleeding)
        first = sum(bled / (all_rich - gold) for bled, gold in zip(bleeding, rich, strict=True))
        return alive * rich[me] / all_bleeding * (first - bleeding[me] / (all_rich - rich[me]))

    def lives(self, wounds: int, left: int) -> float:
        """R-84 The estimated probability of surviving `left` more rooms."""
        if left == 0 or not self.mode.deadly:
            return 1.0
        return 1 / (
            1 + exp((wounds + HURT[self.mode.name] * left - self.mode.deadly + 0.5) / (0.35 + 0.28 * sqrt(left)))
        )

    # This room ----------------------------------------------------------------------------------------------------

    def weigh(self, moves: Sequence[Move]) -> dict[Move, float]:
        cards = [move for move in moves if move != "ball"]
        rest = [self.rest(card) for card in cards]
        total, best = [0.0] * len(cards), 0.0
        ways = self.ways()
        for plays in ways:
            worth = [self.outcome(plays, card) + after for card, after in zip(cards, rest, strict=True)]
            best += max(worth)
            total = [so_far + more for so_far, more in zip(total, worth, strict=True)]
        found = {card: so_far / len(ways) for card, so_far in zip(cards, total, strict=True)}
        if "ball" in moves:  # its owner plays after seeing all other cards
            found["ball"] = best / len(ways) - self.keep("ball")
        return found

    def ways(self) -> list[list[str | None]]:
        """The rivals' possible final cards, by seat: all combinations if there are few, else a random sample."""
        choices: list[list[str | None]] = [[None]] * len(self.public.raiders)
        for rival in self.rivals:
            choices[rival.seat] = list(self.may_play(rival))
        if prod(map(len, choices)) <= SAMPLES:
            return [list(plays) for plays in product(*choices)]
        drawn = [self.luck.choices(cards, self.likely(cards), k=SAMPLES) for cards in choices]
        return [list(plays) for plays in zip(*drawn, strict=True)]

    def likely(self, cards: list[str | None]) -> list[float]:
        """The probability of each of these cards. A card is likelier if it is good in this room and less useful in the
        rooms to come."""
        if len(cards) == 1:
            return [1.0]
        pull = [exp(self.pulls[VALUE[card]] / SHARP) for card in cards]
        total = sum(pull)
        return [ODD / len(cards) + (1 - ODD) * one / total for one in pull]

    @cached_property
    def pulls(self) -> list[float]:
        """How tempting each value is to a rival, by value; 0 means to flee."""
        tempting = tempts(self.public.edition, len(self.public.raiders))
        now, *later = [tempting[named(room)] for room in (self.room, *self.later)]
        return [here - sum(room[value] for room in later) / max(1, len(later)) for value, here in enumerate(now)]

    def may_play(self, rival: RaiderSeen) -> list[str]:
        if rival.play is not None:
            return [rival.play]
        cards = list(rival.hand)
        if item := can_use(rival.items, self.room):
            cards.append(item)
        if can_flee(rival, self.room):
            cards.append("flee")
        return cards

    def outcome(self, plays: list[str | None], card: str) -> float:
        """The value of the room if these cards are played. Cached by card values, as only they matter."""
        plays[self.seat] = card
        values = tuple([VALUE[play] for play in plays])
        worth = self.outcomes.get(values)
        if worth is None:
            worth = self.outcomes[values] = self.reckon(plays)
        return worth

    def reckon(self, plays: list[str | None]) -> float:
        public = self.public
        _, changes = rooms.resolve(self.mode, self.room, plays, public.raiders, public.supply, public.drawn)
        purses = list(self.purses)
        for seat, change in changes.items():
            coins, wounds, _ = purses[seat]
            purses[seat] = (coins + change.coins, wounds + change.wounds, not change.out)
        key = tuple(purses)
        chance = self.known.get(key)
        if chance is None:
            chance = self.known[key] = self.chance(key, self.left)
        mine = changes.get(self.seat)
        return chance + self.keep(mine.item) if mine and mine.item else chance

    def keep(self, item: str) -> float:
        return WORTH[item] * self.fade * self.coin

    def wants_light(self) -> bool:
        """R-12 Light a torch where it shows most: early on a mostly dark floor, or on the last floor if any is dark."""
        dark = [seen.place for seen in self.public.rooms if seen.state == "dark" and seen.place not in self.lit]
        if self.public.floor == FLOORS:
            return bool(dark)
        return len(dark) >= 3 or (len(dark) == 2 and self.public.floor >= 3)

    # The rest of the floor ----------------------------------------------------------------------------------------

    def rest(self, card: str) -> float:
        """What the hand and items can still bring on this floor once this card is played."""
        hand, items = sum(1 << int(other) for other in self.me.hand if other != card), dict(self.me.items)
        spent = self.room.flee if card == "flee" else card
        if spent in ITEMS and not (card == "flee" and spent == "ball"):
            items[str(spent)] -= 1
        return self.plan(0, hand, items["key"], items["sword"])

    def plan(self, i: int, hand: int, keys: int, swords: int) -> float:
        """The best total that these cards can bring from the i-th later room on, one card per room."""
        if i == len(self.later):
            return keys * self.keep("key") + swords * self.keep("sword")
        known = self.plans.get((i, hand, keys, swords))
        if known is not None:
            return known
        room, gains = self.later[i], self.gains[i]
        ways = [gains[v] + self.plan(i + 1, hand & ~(1 << v), keys, swords) for v in range(1, 6) if hand & (1 << v)]
        if room and room.kind == "treasure" and keys:
            ways.append(gains[5] + self.plan(i + 1, hand, keys - 1, swords))
        if room and room.kind in ("monster", "boss") and swords:
            ways.append(gains[5] + self.plan(i + 1, hand, keys, swords - 1))
        if room and room.flee and self.me.items[room.flee]:
            ways.append(self.plan(i + 1, hand, keys, swords))
        best = self.plans[i, hand, keys, swords] = max(ways)
        return best

    @cached_property
    def gains(self) -> list[list[float]]:
        """`gain` by later room, then by value played."""
        return [self.gain(i, room) for i, room in enumerate(self.later)]

    def gain(self, i: int, room: RoomFacts | None) -> list[float]:
        """The expected gain of each value in a later room; index 0 is unused."""
        richest = self.me.coins >= max(other.coins for other in self.public.raiders if other.alive)
        healthiest = self.me.wounds <= min(other.wounds for other in self.public.raiders if other.alive)
        me = Me(richest, healthiest, self.me.coins, self.me.wounds)
        if room is None:
            is_last = self.public.floor == FLOORS and self.public.place + 1 + i == ROOMS
            is_boss = is_last and bool(self.mode.deck.bosses)
            expected = in_the_dark(self.public.edition, len(self.public.raiders), is_boss, roughly(self.mode, me))
        else:
            others = self.others()
            expected = [average(self.mode, room, value, others, me) for value in range(6)]
        return [self.coin * coins - self.wound * wounds for coins, wounds in expected]

    def others(self) -> list[list[int]]:
        """Samples of the rivals' values in a later room; solo, the possible strengths of its monster."""
        if self.mode.monsters == "by_drawn_card":
            left = Counter(self.mode.deck.strengths) - Counter(self.public.turned)
            return [[card] for card in left.elements()] or [[0]]
        hands = [[int(card) for card in rival.hand] for rival in self.rivals]
        return [[self.luck.choice(hand) for hand in hands] for _ in range(GLANCES)]


def average(mode: Mode, room: RoomFacts, value: int, others: Sequence[Sequence[int]], me: Me) -> Gain:
    found = [glance(mode, room, value, values, me) for values in others] if value else []
    return sum(coins for coins, _ in found) / len(others), sum(wounds for _, wounds in found) / len(others)


@cache
def in_the_dark(edition: str, players: int, boss: bool, me: Me) -> list[Gain]:
    """The expected gain in a dark room, by value."""
    mode = mode_of(edition, players)
    deck, others = mode.deck, at_chance(mode, players)
    cards = [mode.facts[room] for room in (deck.bosses if boss else deck.rooms)]
    expected = []
    for value in range(6):
        gains = [average(mode, room, value, others, me) for room in cards]
        expected.append(
            (sum(coins for coins, _ in gains) / len(cards), sum(wounds for _, wounds in gains) / len(cards))
        )
    return expected


@cache
def tempts(edition: str, players: int) -> dict[Named | None, list[float]]:
    """The gain of each value for an average player, in every room and in a dark one. A wound counts as one coin."""
    mode = mode_of(edition, players)
    others = at_chance(mode, players)
    found: dict[Named | None, list[float]] = {}
    for room in mode.facts.values():
        gains = [average(mode, room, value, others, ANYBODY) for value in range(6)]
        found[named(room)] = [coins - wounds for coins, wounds in gains]
    found[None] = [coins - wounds for coins, wounds in in_the_dark(edition, players, False, ANYBODY)]
    return found


def roughly(mode: Mode, me: Me) -> Me:
    """Round coins and wounds so that few cases are cached. They matter only for traps that take half."""
    coins, wounds = (me.coins // 4 * 4, me.wounds // 3 * 3) if mode.deadly else (0, 0)
    return me._replace(coins=coins, wounds=wounds)


def named(room: RoomFacts | None) -> Named | None:
    return (room.name, room.chests or ()) if room else None


def at_chance(mode: Mode, players: int) -> list[list[int]]:
    """Random values of the rivals, or all strengths of a solo monster, for a room about which nothing is known."""
    if mode.monsters == "by_drawn_card":
        return [[card] for card in mode.deck.strengths]
    luck = Random(players)
    return [[luck.randint(1, 5) for _ in range(players - 1)] for _ in range(20)]


def glance(mode: Mode, room: RoomFacts, value: int, others: Sequence[int], me: Me) -> Gain:
    """An approximate gain of one player in a room. `rooms.resolve` is exact and computes all players."""
    if room.kind == "treasure":
        chests = room.chests or ()
        if mode.chests == "all_below_card":
            return sum(chest for chest in chests if chest < value), 0
        higher = {other for other in others if other > value}
        return (chests[len(higher)] // (1 + others.count(value)) if len(higher) < len(chests) else 0), 0
    if room.kind == "vault":
        prize = (room.prizes or {})[str(value)]
        if isinstance(prize, Amount):
            return (prize.amount, 0) if prize.kind == "coins" else (0, -prize.amount)
        return WORTH[prize], 0
    if room.kind == "trap":
        return glance_at_trap(mode, room, (value,) if mode.monsters == "by_drawn_card" else (value, *others), me)
    if mode.monsters == "by_drawn_card":
        return 0, (room.wounds or 0) if value <= others[0] else 0
    mine, values = counted(room, value), [counted(room, other) for other in others]
    low, high = min(values, default=9), max(values, default=0)
    beaten = bool(room.strength) and mine + sum(values) >= (room.strength or 0)
    coins = room.pays if room.pays and mine >= high and (beaten or mine > low) else 0
    if beaten:
        return coins, 0
    hit = mine >= high if room.aim == "highest" else mine < low or (mine == low and mode.monsters == "by_sum")
    if not hit:
        return coins, 0
    return coins - (room.coins or 0), (room.wounds or 0) + (6 if room.stone else 0)


def glance_at_trap(mode: Mode, room: RoomFacts, values: Sequence[int], me: Me) -> Gain:
    decides = min(values) if room.by == "lowest" else max(values)
    loses = str(room.loses)
    harm = rooms.harm_to(mode, me, loses, (room.harms or {})[str(decides)])
    if not {"everyone": True, "richest": me.richest, "least_wounded": me.healthiest}[str(room.victims)]:
        return 0, 0
    return (-harm, 0) if loses == "coins" else (0, harm)
