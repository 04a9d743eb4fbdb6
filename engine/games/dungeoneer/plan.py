"""What the `hero` bot calculates with: odds of dice, costs of ways and of quests. Costs are in actions."""

import heapq
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from engine import Move, Own
from engine.games.dungeoneer.cards import Adventure, Deck, MonsterCard, QuestCard, deck
from engine.games.dungeoneer.grid import Spot, exit_of, opened_exits, passages, separation
from engine.games.dungeoneer.view import DelverSeen, Private, Public

KEEP = {  # how much a card in hand is worth to the bot; others: 1
    "guardian_cloak": 3, "chain_shirt": 3, "healing_draught": 4, "mend_flesh": 3, "banish": 3, "fleet_foot": 4,
    "distracting_manoeuvre": 4, "battle_prayer": 3, "inner_sight": 3, "notched_sword": 3, "witchwood_staff": 3,
    "soft_boots": 2, "collectors_scalpel": 2, "second_wind": 3, "wall_walker": 3, "parry": 2, "stumble": 2,
    "sudden_doom": 2, "ramalit": 5, "stitched_brute": 4, "pale_sorcerer": 4, "tunnel_stalker": 4, "djanguba": 4,
    "guardian_of_the_abode": 3, "poison_needles": 2, "falling_block": 2, "mind_snare": 2,
}  # fmt: skip
DIE = 6
UNKNOWN = 9.0  # the cost of the way to a location that is not laid yet
PER_GLORY = 0.6  # the cost of gathering a point of glory
SPITE = 3.0  # the exponent of `menace`; the higher, the more the leader is preferred as a target
DANGEROUS = 7.0  # the cost of a wound that leaves at most one health


def reaches(value: int, number: int) -> float:
    """The probability that a die and this value reach the number."""
    return min(1.0, max(0.0, (DIE + 1 - (number - value)) / DIE))


def beats(value: int, other: int) -> float:
    """The probability that a die and this value are higher than a die and the other."""
    return sum(a + value > b + other for a in range(1, DIE + 1) for b in range(1, DIE + 1)) / DIE**2


def wound_cost(hp: int) -> float:
    return DANGEROUS if hp <= 2 else 3.0 if hp <= 3 else 1.5


class Outlook:
    """One seat's view of the table."""

    def __init__(self, public: Public, private: Private, seat: int) -> None:
        self.public, self.private, self.seat = public, private, seat
        self.me = public.delvers[seat]
        self.deck: Deck = deck()
        self.spots: Mapping[str, Spot] = public.spots
        self.opened = opened_exits(public.delvers)

    @cached_property
    def rivals(self) -> list[DelverSeen]:
        return [delver for delver in self.public.delvers if delver.alive and delver.seat != self.seat]

    @cached_property
    def leader(self) -> DelverSeen | None:
        """The rival who is nearest to winning, or to being defeated."""
        return max(self.rivals, key=self.menace, default=None)

    def menace(self, rival: DelverSeen) -> float:
        """How much it is worth to hurt this rival."""
        near_end = 1.5 if len(self.rivals) == 1 and rival.hp <= 2 else 0.6 if rival.hp <= 2 else 0.0
        menace = 1 + 1.2 * len(rival.completed) + 0.4 * len(rival.escorts) + near_end + 0.1 * rival.level
        return float(menace**SPITE)

    # ways

    def step_cost(self, source: str, side: str, to: str) -> float:
        """An action, and what exit, hazard and peril of the place may cost, less the glory that it brings."""
        exit, me = exit_of(self.spots, source, side, self.opened), self.me
        cost, wound = 1.0, wound_cost(me.hp)
        if exit.kind == "trap":
            cost += (1 - reaches(me.values["speed"], exit.number)) * wound
        elif exit.kind == "blocked":
            cost += 1 - reaches(me.values["melee"], exit.number)
        card = self.deck.locations[to]
        kind, _, number = card.hazard.partition(" ")
        if kind == "spikes":
            cost += (1 - reaches(me.values["speed"], int(number))) * wound
        elif kind == "pit":
            cost += 1 - reaches(me.values["speed"], int(number))
        if to not in me.visited:
            cost += 0.06 * card.peril - 0.12 * card.glory
        return cost

    def costs_from(self, start: str) -> tuple[dict[str, float], dict[str, str]]:
        """The price of the way to every location, and the first side to take."""
        best, first = {start: 0.0}, {start: ""}
        queue = [(0.0, start)]
        while queue:
            cost, here = heapq.heappop(queue)
            if cost > best[here]:
                continue
            for side, to in passages(self.spots, here).items():
                further = cost + max(0.2, self.step_cost(here, side, to))
                if further < best.get(to, 1e9):
                    best[to], first[to] = further, first[here] or side
                    heapq.heappush(queue, (further, to))
        return best, first

    @cached_property
    def here(self) -> tuple[dict[str, float], dict[str, str]]:
        return self.costs_from(self.me.at)

    def way_to(self, place: str) -> float:
        return self.here[0].get(place, UNKNOWN)

    # quests

    def my_quests(self) -> Iterator[QuestCard]:
        for name in (*self.me.quests, *self.public.common):
            yield self.deck.quests[name]

    def next_place(self, quest: QuestCard) -> str:
        """Where this quest goes on; "" if nowhere on the map."""
        if quest.name in self.me.escorts:
            return quest.goal if quest.goal in self.spots else ""
        places = [place for place in self.deck.places(quest.name) if place in self.spots]
        if quest.search:
            return min(places, key=lambda place: self.way_to(place) + self.search_cost(place, quest), default="")
        return min(places, key=self.way_to, default="")

    def search_cost(self, place: str, quest: QuestCard) -> float:
        found = reaches(separation(self.spots, place, self.deck.start), quest.search)
        return 1 / found if found else 50.0

    def chance(self, quest: QuestCard, glory: int | None = None) -> float:
        """The probability that an attempt succeeds."""
        me = self.me
        glory = me.glory if glory is None else glory
        if quest.threat:
            more = self.boots() if quest.threat.stat == "speed" else 0
            return reaches(me.values[quest.threat.stat] + more, quest.threat.number)
        if quest.chance:
            need = quest.chance.number - min(quest.chance.add, glory)
            return sum(a + b >= need for a in range(1, 7) for b in range(1, 7)) / DIE**2
        if quest.monster:
            return self.hunt(quest.monster, quest.monster.hp - self.me.hurt.get(quest.name, 0))
        return 1.0

    def boots(self) -> int:
        """What is added to threat checks of speed."""
        return self.extra("threat_speed")

    def extra(self, key: str) -> int:
        """What the prepared cards add to this kind of check."""
        prepared = [card for item in self.me.treasures for card in (item.card, *item.tucked)]
        return sum(getattr(self.deck.adventures[card].gives, key, 0) for card in (*self.me.boons, *prepared))

    def influences(self) -> list[str]:
        """Quests whose influence affects this hero."""
        return [quest.name for quest in self.my_quests() if "influence" in quest.categories]

    def hunt(self, monster: MonsterCard, hp: int) -> float:
        """A rough probability of slaying this monster in one attempt, by a counter and by a challenge."""
        form = max(monster.attacks, key=monster.value)
        counter = beats(self.me.values[form], monster.value(form))
        strike = max(beats(self.me.values[own], monster.value(own)) for own in self.attacks())
        return counter * strike if hp > 1 else counter + (1 - counter) * strike

    def attacks(self) -> tuple[str, ...]:
        return self.deck.heroes[self.me.hero].attacks

    def payable(self, quest: QuestCard) -> float:
        """What must still be gathered for a sacrifice, in action points."""
        me, best = self.me, 99.0
        for price in quest.prices:
            if price.treasure:
                cost = 0.5 if me.treasures else 4.0
            elif price.wounds:
                cost = price.wounds * 1.5 if me.hp > price.wounds + 1 else 40.0
            else:
                cost = price.ap + max(0, price.glory - me.glory) * PER_GLORY + price.glory * 0.25
            best = min(best, cost)
        return best

    def to_go(self, quest: QuestCard) -> float:
        """What it costs to complete this quest from here."""
        place = self.next_place(quest)
        cost = self.way_to(place) if place else UNKNOWN
        if quest.goal and quest.name not in self.me.escorts:
            if place and quest.goal in self.spots:
                cost += self.costs_from(place)[0].get(quest.goal, UNKNOWN)
            else:
                cost += UNKNOWN / 2
        if quest.search and self.me.found != quest.name and place:
            cost += self.search_cost(place, quest)
        if quest.prices:
            cost += self.payable(quest)
        chance = max(0.02, self.chance(quest))
        risk = 0.0
        if quest.threat:
            risk = sum(wound_cost(self.me.hp) * (effect.do == "wound") + 0.3 for effect in quest.threat.fail)
        elif quest.monster:
            risk = wound_cost(self.me.hp)
        return cost + (1 / chance - 1) * (1.3 + risk)

    @cached_property
    def aim(self) -> QuestCard | None:
        """The quest that is cheapest to complete."""
        return min(self.my_quests(), key=self.to_go, default=None)


class Mind(Outlook):
    """The bot's evaluation of one decision."""

    def __init__(self, public: Public, own: Own[Private]) -> None:
        super().__init__(public, own.private, own.seat)
        self.moves = own.moves
        self.draft = own.draft

    def best(self, worth: Callable[[Move], float]) -> Move:
        return max(self.moves, key=worth)

    def card(self, name: str) -> Adventure:
        return self.deck.adventures[name]
