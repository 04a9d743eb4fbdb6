"""One team's part of a round: a draft of words, applied to a copy of its sheet, without randomness.

Undo applies a shorter draft. Nothing here depends on other teams.
"""

from collections.abc import Iterable, Iterator
from copy import copy

from msgspec import Struct

from engine.games.scrawl.cards import Board, Monster
from engine.games.scrawl.facts import (
    CELLS,
    COLUMNS,
    HEROES,
    MOST_LEVEL,
    MOST_POTIONS,
    NUMBERS,
    Beat,
    Hero,
    Sheet,
    Use,
)
from engine.games.scrawl.scoring import difference
from engine.games.scrawl.team import Due, Team

DICE_A_ROUND = 3


class Walk(Struct, frozen=True):
    """A move in progress."""

    left: int  # steps left
    paid: tuple[str, ...] = ()  # P-71: waters that have already given their extra step


class Outing(Team):
    """A team in the middle of its draft."""

    dice: tuple[str, ...] = ()  # faces; empty if this draft uses no dice
    used: tuple[int, ...] = ()
    walk: Walk | None = None
    twisted: bool = False  # the Mystic's talent (other colour) is used up for this round
    done: bool = False

    # what may come next --------------------------------------------------------------------------------------------

    def words(self) -> list[str]:
        if self.queue:
            return self.choices(self.queue[0])
        if self.done:
            return []
        if self.walk is not None:
            return [*(f"step {room}" for room in self.ahead()), "stop"]
        if not self.dice:
            return []
        if len(self.used) == DICE_A_ROUND:
            return ["done"]
        return [word for die in self.free() for word in self.uses(die)]

    def free(self) -> list[int]:
        """P-40 Each die can be used once in a round. P-27 Dice that show a skull cannot be used."""
        return [die for die, face in enumerate(self.dice) if face != "skull" and die not in self.used]

    def uses(self, die: int) -> list[str]:
        """P-41 A die is used for one of four actions. P-26 Boots are only for moving."""
        if self.dice[die] == "boots":
            return [f"move {die}"]
        words = [f"level {die} {hero}" for hero in HEROES if self.may_level(die, hero)]
        words += [f"craft {die} {item}" for item in self.sheet.items if self.may_craft(die, item)]
        if self.sheet.potions < MOST_POTIONS:  # P-59
            words.append(f"brew {die}")
        return [*words, f"move {die}"]

    def may_level(self, die: int, hero: Hero) -> bool:
        """P-46 The die must show the hero's symbol in the colour of its personality. P-25 A clover is any symbol in
        either colour. P-50 With a mage at level 4, every die counts as either colour; with the Mystic, one die a
        round does."""
        face, sheet = self.dice[die], self.sheet
        if sheet.levels[hero] == MOST_LEVEL or face not in (hero, "clover"):
            return False
        return face == "clover" or self.fits(die, hero) or (not self.twisted and bool(self.talent("other_colour")))

    def fits(self, die: int, hero: Hero) -> bool:
        return (die >= 3) == (hero in self.sheet.black) or self.sheet.levels["M"] >= 4

    def may_craft(self, die: int, item: str) -> bool:
        """P-53 Any die of any colour fills a cell. P-54 The first four items accept only their symbol or a clover."""
        if self.sheet.items[item] == CELLS:
            return False
        return self.dice[die] == "clover" or self.board.deck.items[item].symbol in ("", self.dice[die])

    def ahead(self) -> list[str]:
        """P-67 The first step of the game leads from an entrance into the room above it. P-68 Later steps lead to a
        neighbouring room, not across walls or water. P-69 A wrap is one step. P-70 The Cloak passes walls, the
        Medallion passes water."""
        at = self.sheet.at
        if at is None:
            return [column + "1" for column in COLUMNS]
        near = self.board.near[at]
        closed = {"wall", "water"} & set(near.values())
        if closed:
            if "wall" in closed and self.item("walls"):
                closed.remove("wall")
            if "water" in closed and self.item("water"):
                closed.remove("water")
        return [room for room, between in near.items() if between not in closed]

    # doing it ------------------------------------------------------------------------------------------------------

    def say(self, word: str) -> None:
        """Apply the next word of the draft; it must be one of `words`. P-42 A die is finished before the next is
        used."""
        match word.split():
            case ["level", die, hero]:
                self.level(int(die), hero)
            case ["craft", die, item]:
                self.use(int(die))
                self.fill(item)
            case ["brew", die]:
                self.use(int(die))
                self.brew(2 + self.talent("brew"))  # P-57: 3 with the Alchemist
            case ["move", die]:
                self.use(int(die))
                self.walk = Walk(3 if self.dice[int(die)] == "boots" else 2)  # P-66
            case ["step", room]:
                self.step(room)
            case ["stop"]:
                self.walk = None
            case ["done"]:
                self.done = True
            case _:
                self.choose(word)
        self.settle()

    def use(self, die: int) -> None:
        """P-22 The number of each die is noted on the sheet's round track."""
        self.used = (*self.used, die)
        self.sheet.used = (*self.sheet.used, NUMBERS[self.dice[die]])

    def level(self, die: int, hero: Hero) -> None:
        """P-46 Raise a hero with a die. The Mystic is used up only if the colour does not fit otherwise."""
        if self.dice[die] != "clover" and not self.fits(die, hero):
            self.twisted = True
        self.use(die)
        self.raise_level(hero)

    def step(self, room: str) -> None:
        """P-66 Unused steps are lost when the die is finished. P-71 The Pathfinder gains a step for each water that it
        crosses, but only once per die for the same water."""
        assert self.walk is not None
        left, paid = self.walk.left - 1, self.walk.paid
        at = self.sheet.at
        if at is not None:
            between = self.board.near[at][room]
            if between in ("wall", "water"):
                self.sheet.passed += 1
            water = "".join(sorted((at, room)))
            if between == "water" and water not in paid and (more := self.talent("step_over_water")):
                left, paid = left + more, (*paid, water)
        self.walk = Walk(left, paid) if left else None
        self.enter(room)


def outing(board: Board, sheet: Sheet, dice: Iterable[str] = (), due: Iterable[Due] = ()) -> Outing:
    """Start a draft on a copy of the sheet."""
    new = Outing(board, copy(sheet), tuple(due), tuple(dice))
    new.settle()
    return new


def fold(start: Outing, draft: Iterable[str]) -> Outing:
    """Apply a draft. Pure: `start` is not changed."""
    now = branch(start)
    for word in draft:
        now.say(word)
    return now


def branch(outing: Outing) -> Outing:
    new = copy(outing)
    new.sheet = copy(outing.sheet)
    return new


def beats(start: Outing, draft: Iterable[str]) -> Iterator[Beat]:
    """The draft word by word, each with its change to the sheet."""
    now = start
    for word in draft:
        before, now = now, fold(now, [word])
        yield Beat(word, difference(before.board, before.sheet, now.sheet, now.waiting()))


def start_effects(board: Board, talent: str) -> tuple[Due, ...]:
    """P-35 The effects of a talent before the game."""
    found = board.deck.talents[talent]
    match found.effect:
        case "start_gem":
            return (Due("letter"),)
        case "start_minions":
            return (Due("minion", found.amount),)
        case "start_levels":
            return (Due("level", found.amount),)
        case "start_items":
            return (Due("item", found.amount),)
        case "start_potions":
            return (Due("potion", found.amount),)
    return ()


def reward_effects(monster: Monster) -> tuple[Due, ...]:
    """P-95 The effects of the best team's reward. Glory is not among them: `FaceMonster` scores it at once."""
    match monster.reward:
        case "potion":
            return (Due("potion", monster.amount),)
        case "level" | "item":
            return (Due(monster.reward),) * monster.amount
    return ()


def opening(asks: str, board: Board, sheet: Sheet, dice: Iterable[str], stage: int) -> Outing | None:
    """The start of a team's draft for this ask; None if the ask does not use the sheet."""
    match asks:
        case "Prepare":
            return outing(board, sheet, due=start_effects(board, sheet.talent))
        case "ThreeDice":
            return outing(board, sheet, dice)
        case "Reward":
            return outing(board, sheet, due=reward_effects(board.monsters[stage - 1]))
    return None


def uses(draft: Iterable[str]) -> tuple[Use, ...]:
    """A draft in the exported format: one entry for each die."""
    found: list[Use] = []
    for word in draft:
        match word.split():
            case ["level", die, hero]:
                found.append(Use(int(die), "level", hero=HEROES[hero]))
            case ["craft", die, item]:
                found.append(Use(int(die), "craft", item=item))
            case ["brew", die]:
                found.append(Use(int(die), "brew"))
            case ["move", die]:
                found.append(Use(int(die), "move", steps=()))
            case ["step", room]:
                last = found[-1]
                assert isinstance(last.steps, tuple)
                found[-1] = Use(last.die, "move", steps=(*last.steps, room), choices=last.choices)
            case ["stop"] | ["done"]:
                pass
            case _:
                last = found[-1]
                found[-1] = Use(
                    last.die, last.action, last.hero, last.item, last.steps, (*last.choices, *choices([word]))
                )
    return tuple(found)


def choices(words: Iterable[str]) -> tuple[dict[str, str], ...]:
    """Choice words in the exported format."""
    named = (word.split() for word in words)
    return tuple({what: HEROES.get(chosen, chosen) if what == "hero" else chosen} for what, chosen in named)
