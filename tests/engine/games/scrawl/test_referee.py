"""A second reading of the rules, written apart from the first: it has only the lines that other programs read, and must
come to the same sheets and the same glory."""

from collections import deque
from typing import Any

import msgspec
import pytest

from engine.bots import at_random
from engine.games.scrawl import game
from engine.games.scrawl.bot import scrawler
from engine.games.scrawl.cards import deck
from engine.games.scrawl.facts import chronicle
from engine.proof import canonical
from engine.simulate import simulate

pytestmark = pytest.mark.no_cover

Json = dict[str, Any]
CARDS: Json = msgspec.to_builtins(deck(), str_keys=True)
CLASS = {"W": "warrior", "M": "mage", "C": "cleric", "R": "rogue"}
FIGHTERS = {"ghost": "mage", "goblin": "rogue", "orc": "warrior", "zombie": "cleric"}


class Paper:
    """A sheet of paper, a pencil, and the rulebook."""

    def __init__(self, start: Json, talent: str) -> None:
        self.s: Json = msgspec.json.decode(msgspec.json.encode(start))
        self.talent = talent
        self.gone: set[str] = set()
        self.beaten: set[str] = set()
        self.obstacles = 0
        self.queue: deque[Any] = deque()
        self.chosen: deque[Json] = deque()

    def wound(self, n: int) -> None:
        for _ in range(n):
            if self.s["hearts"] < 2 * self.s["potions"]:
                self.s["hearts"] += 1
            elif self.s["wounds"] < 24:
                self.s["wounds"] += 1
            if self.s["wounds"] > sum(self.s["levels"].values()):
                self.s["resurrected"] = True

    def potion(self) -> None:
        if self.s["potions"] < 12:
            self.s["potions"] += 1
            rows: dict[int, list[Any]] = {4: [self.level], 8: [self.cell], 12: [self.gem]}
            self.queue.extend(rows.get(self.s["potions"], []))

    def level(self) -> None:
        if min(self.s["levels"].values()) < 6:
            self.rise(self.chosen.popleft()["hero"])

    def rise(self, hero: str) -> None:
        self.s["levels"][hero] += 1
        if hero == "rogue" and self.s["levels"][hero] == 4:
            self.queue.append(self.gem)
        if self.s["levels"][hero] == 5 and self.talent == "noble":
            self.queue.append(self.cell)

    def cell(self) -> None:
        if min(self.s["items"].values()) < 2:
            self.fill(self.chosen.popleft()["item"])

    def fill(self, item: str) -> None:
        self.s["items"][item] += 1
        if self.s["items"][item] == 2:
            whole = {"cauldron": [self.three], "tome": [self.level], "sceptre": [self.sceptre]}
            self.queue.extend(whole.get(item, []))

    def three(self) -> None:
        for _ in range(3):
            self.potion()

    def sceptre(self) -> None:
        for _ in range(min(2, 16 - len(self.beaten))):
            self.defeat(self.chosen.popleft()["minion"])

    def defeat(self, room: str) -> None:
        assert room not in self.beaten
        self.beaten.add(room)
        self.s["minions"] += 1
        if self.s["minions"] % 3 == 0:
            self.queue.extend({"marauder": [self.cell], "shaman": [self.potion]}.get(self.talent, []))

    def gem(self, letter: str = "") -> None:
        self.s["stolen"] += [letter] if letter else []
        self.s["gems"] += 1
        self.queue.extend({2: [self.potion], 4: [self.cell], 6: [self.level]}.get(self.s["gems"], []))
        if self.talent == "merchant":
            self.queue.append(self.potion)

    def settle(self) -> None:
        while self.queue:
            self.queue.popleft()()

    def enter(self, name: str, walls: set[frozenset[str]]) -> None:
        room = CARDS["rooms"].get(name, {})
        border, new = frozenset((name, self.s["at"])), name not in self.s["rooms"]
        water = {frozenset(b.split("-")) for b in CARDS["borders"]["water"]}
        if border in walls:
            assert self.s["items"]["cloak"] == 2
            self.obstacles += 1
        if border in water:
            assert self.s["items"]["medallion"] == 2
            self.obstacles += 1
        self.s["at"] = name
        self.s["rooms"] += [name] if new else []
        self.queue.append(lambda: self.guard(name, room, new))
        if new:
            rewards = {"potion": self.potion, "level": self.level, "item": self.cell}
            if reward := room.get("reward"):
                self.queue.append(rewards[reward])
            if gem := room.get("gem"):
                self.queue.append(lambda: self.gem(gem) if gem not in (*self.gone, *self.s["stolen"]) else None)
        self.settle()

    def guard(self, name: str, room: Json, new: bool) -> None:
        if room.get("trap"):
            self.obstacles += 1
            self.wound(0 if self.talent == "scout" else 1)
        elif room.get("minion") and new and name not in self.beaten:
            kind, level = room["minion"].split()
            hero = self.s["levels"][FIGHTERS[kind]] + (self.s["items"]["armour"] == 2)
            self.wound(max(0, int(level) - hero))
            self.defeat(name)

    def use(self, die: Json, walls: set[frozenset[str]]) -> None:
        self.chosen.extend(die["choices"])
        if die["action"] == "level":
            self.rise(die["hero"])
        elif die["action"] == "craft":
            self.fill(die["item"])
        elif die["action"] == "brew":
            for _ in range(3 if self.talent == "alchemist" else 2):
                self.potion()
        self.settle()
        for room in die.get("steps", ()):
            self.enter(room, walls)
        assert not self.chosen, "nothing is chosen that was not due"

    def lines(self, objective: str) -> Json:
        s, levels = self.s, list(self.s["levels"].values())
        ends = {"armour": 2, "crown": 4, "medallion": 1, "sceptre": -1, "tome": 3}
        worth = {"mystic": 2, "seer": 2, "healer": 2, "shaman": 3, "bloodthirsty": -2, "marauder": -2, "scout": -2}
        worth |= {"master": -3, "tinker": -3} | dict.fromkeys(("alchemist", "noble", "pathfinder", "merchant"), -1)
        shields = [(24, 24), (22, 21), (20, 18), (18, 15), (16, 12), (14, 10), (12, 8), (10, 6), (8, 4), (6, 3), (4, 2)]
        found = dict(zip("ABC", s["monsters"], strict=True)) | {
            "D": (0, 3, 6, 10, 15, 21)[min(levels) - 1] + levels.count(6),
            "E": sum(s["items"].values()) + sum(ends.get(item, 0) for item, n in s["items"].items() if n == 2),
            "F": (0, 2, 5, 9, 13, 18, 24, 30, 36, 43, 50)[s["gems"]],
            "G": (0, 1, 2, 4, 5, 7, 9, 11, 13, 16, 18, 20, 22)[min(s["minions"], 12)],
            "H": -next((loss for cell, loss in [*shields, (2, 1)] if s["wounds"] >= cell), 0),
            "I": -9 * s["resurrected"],
            "K": worth.get(self.talent, 0) + self.objective(objective),
        }
        return found

    def objective(self, card: str) -> int:
        s, levels = self.s, list(self.s["levels"].values())
        columns = [sum(room[0] == c for room in s["rooms"]) for c in "ABCDEF"]
        rows = [sum(room[1] == r for room in s["rooms"]) for r in "1234567"]
        fallen = [int(CARDS["rooms"][room]["minion"][-1]) for room in self.beaten]
        cards: dict[str, tuple[int, tuple[int, int, int]]] = {
            "O01": (s["gems"], (2, 5, 7)), "O02": (fallen.count(4), (2, 3, 4)), "O03": (fallen.count(5), (2, 3, 4)),
            "O04": (fallen.count(3), (2, 3, 4)), "O05": (self.obstacles, (4, 7, 10)),
            "O06": (sum(n >= 4 for n in columns), (4, 5, 6)), "O07": (rows.count(6), (1, 2, 3)),
            "O08": (sum(n >= 5 for n in levels), (2, 3, 4)), "O09": (s["potions"], (6, 9, 12)),
            "O10": (len(s["rooms"]), (20, 25, 30)), "O11": (sum(n for n in s["monsters"] if n > 0), (10, 15, 20)),
            "O12": (list(s["items"].values()).count(2), (2, 4, 7)),
            "O13": (sum(r[0] in "AF" or r[1] in "17" for r in s["rooms"]), (10, 13, 16)),
            "O14": (s["minions"], (4, 7, 10)), "O15": (len({"A1", "A7", "F1", "F7"} & {*s["rooms"]}), (1, 2, 3)),
            "O16": (sum(levels), (12, 16, 20)),
        }  # fmt: skip
        measure, tiers = cards[card]
        return 2 * sum(measure >= tier for tier in tiers)


def monster(papers: list[Paper], stage: int, setup: Json, line: Json) -> None:
    card, lair = CARDS["monsters"][setup["monsters"][stage]], CARDS["dungeons"][setup["dungeon"]]["lairs"][stage]
    powers: list[int | None] = []
    for paper in papers:
        s = paper.s
        power = sum(s["levels"].values()) + s["levels"][CLASS[card["weakness"]]] + (s["levels"]["warrior"] >= 4)
        power += 3 * (s["items"]["sword"] == 2) + 2 * (paper.talent == "bloodthirsty")
        reached = [tier for tier in card["tiers"] if power >= tier[0] and lair in s["rooms"]]
        powers.append(power if reached else None)
        s["monsters"].append(reached[-1][1] if reached else -card["flee"])
        paper.wound(reached[-1][2] if reached and paper.talent != "barbarian" else 0)
    fighters = sorted(power for power in powers if power is not None)
    best = fighters and fighters.count(fighters[-1]) == 1 and len(papers) > 1
    assert line["best"] == (powers.index(fighters[-1]) if best else None)
    if best and card["reward"] == "glory":
        papers[line["best"]].s["monsters"][-1] += card["amount"]


def reward(paper: Paper, card: Json, choices: list[Json]) -> None:
    paper.chosen.extend(choices)
    paper.queue.extend(
        [{"potion": paper.potion, "level": paper.level, "item": paper.cell}[card["reward"]]] * card["amount"]
    )
    paper.settle()
    assert not paper.chosen


def referee(log: list[Json]) -> int:
    """How many team-rounds agreed."""
    setup, agreed, papers, walls = {}, 0, [], set()
    scored: list[int] = []
    for line in log:
        match line["kind"]:
            case "setup":
                setup = line
                drawn = [*CARDS["borders"]["walls"], *CARDS["dungeons"][line["dungeon"]]["walls"]]
                walls = {frozenset(wall.split("-")) for wall in drawn}
            case "prepared":
                papers = [Paper(s, t) for s, t in zip(line["sheets"], setup["talents"], strict=True)]
                scored = [0] * len(papers)
                for paper, chosen in zip(papers, line["choices"], strict=True):
                    paper.beaten = {choice["minion"] for choice in chosen if "minion" in choice}
            case "rolled":
                skulls = [die["face"] for die in line["dice"]].count("skull")
                for paper in papers:
                    fewer = max(0, skulls - (paper.talent == "seer"))
                    paper.wound(0 if paper.s["levels"]["cleric"] >= 4 else fewer)
            case "acted":
                ahead = next(later for later in log[log.index(line) :] if later["kind"] == "round")
                before = [set(paper.s["stolen"]) for paper in papers]
                for paper, draft in zip(papers, ahead["drafts"], strict=True):
                    for die in draft:
                        paper.use(die, walls)
                news = {g for paper, old in zip(papers, before, strict=True) for g in set(paper.s["stolen"]) - old}
                for paper in papers:
                    paper.gone |= news - set(paper.s["stolen"])
            case "fought":
                monster(papers, line["stage"] - 1, setup, line)
                this = CARDS["monsters"][line["monster"]]
            case "rewarded":
                reward(papers[line["seat"]], this, line["choices"])
            case "vanished":
                for paper in papers:
                    paper.gone |= set(this["vanish"]) - set(paper.s["stolen"])
            case "scored":
                for mission, seats in line["missions"].items():
                    for seat in seats:
                        papers[seat].s["missions"].append(mission)
                        scored[seat] += line["glory"]
            case "round":
                for paper, told in zip(papers, line["sheets"], strict=True):
                    assert paper.s == told
                    agreed += 1
            case "result":
                for paper, told, objective, glory in zip(
                    papers, line["lines"], setup["objectives"], scored, strict=True
                ):
                    found = paper.lines(objective) | {"L": glory}
                    assert found | {"M": sum(found.values())} == told
                ranks = [(told["M"], len(p.s["rooms"])) for told, p in zip(line["lines"], papers, strict=True)]
                assert line["winners"] == [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
    return agreed


@pytest.mark.parametrize("seats", game.seats)
def test_a_second_reading_of_the_rules_agrees(seats: int) -> None:
    agreed = 0
    for number in range(12):
        options = {"gems": "vanish"} if number % 2 else {}
        events = chronicle(list(simulate(game, [at_random] * seats, "referee", number, options)))
        agreed += referee([msgspec.json.decode(canonical(event)) for event in events])
    assert agreed == 12 * 8 * seats


def test_it_agrees_where_play_is_good() -> None:
    """Longer chains, more gems, more claims at once."""
    for number in range(2):
        events = chronicle(list(simulate(game, [scrawler] * 2, "referee", number)))
        referee([msgspec.json.decode(canonical(event)) for event in events])
