"""Changes to one team's sheet: levels, items, potions, wounds, rooms, gems, and the queue of triggered effects.

Nothing here uses randomness or depends on other teams (P-43).
"""

from copy import copy
from typing import Literal

from msgspec import Struct

from engine.games.scrawl.cards import Board, Room
from engine.games.scrawl.facts import CELLS, HEROES, MOST_GEMS, MOST_LEVEL, MOST_POTIONS, MOST_WOUNDS, Hero, Sheet

Kind = Literal["guard", "potion", "level", "item", "minion", "gem", "letter"]


class Due(Struct, frozen=True):
    """P-75 A triggered effect in a team's queue."""

    kind: Kind
    amount: int = 1
    room: str = ""  # of a guard or a gem; "": an outside gem
    but: tuple[str, ...] = ()  # already chosen, for effects that need different choices


class Team(Struct):
    """A sheet and its queue of effects. The sheet must be a copy, because it is changed."""

    board: Board
    sheet: Sheet
    queue: tuple[Due, ...] = ()

    # wounds --------------------------------------------------------------------------------------------------------

    def wound(self, wounds: int) -> None:
        """P-60 Wounds come from skulls, minions, traps and monsters. P-61 A wound fills the first empty heart of a
        brewed potion, else the next cell of the wounds track. P-62 Wounds on the track are never healed. P-63 The track
        has 24 cells. P-64 When the wounds on it exceed the health, the team resurrects, once."""
        sheet = self.sheet
        healed = min(wounds, 2 * sheet.potions - sheet.hearts)
        sheet.hearts += healed
        sheet.wounds = min(sheet.wounds + wounds - healed, MOST_WOUNDS)
        if not sheet.resurrected and sheet.wounds > sheet.strength:
            sheet.resurrected = True

    # heroes --------------------------------------------------------------------------------------------------------

    def raise_level(self, hero: Hero) -> None:
        """P-46, P-48 Raise a hero by one level. P-52 A rogue who reaches level 4 steals an outside gem. The Noble
        fills an item cell when a hero reaches level 5."""
        levels = self.sheet.levels
        level = levels[hero] + 1
        self.sheet.levels = {**levels, hero: level}
        if hero == "R" and level == 4:
            self.due("gem")
        if level == 5 and self.talent("item_at_level_5"):
            self.due("item")

    def talent(self, effect: str) -> int:
        """The amount of this effect that the team's talent gives; 0 if the talent has another effect."""
        return talent_effect(self.board, self.sheet, effect)

    # items ---------------------------------------------------------------------------------------------------------

    def fill(self, item: str) -> None:
        """P-55 Fill a cell of an item. The second cell activates it; instant items take effect once, now."""
        cells = self.sheet.items[item] + 1
        self.sheet.items = {**self.sheet.items, item: cells}
        printed = self.board.deck.items[item]
        if cells == CELLS:
            match printed.effect:
                case "potion" | "level" | "minion":
                    self.due(printed.effect, printed.amount)

    def item(self, effect: str) -> int:
        """The amount of this lasting effect that finished items give."""
        return item_effect(self.board, self.sheet, effect)

    # potions -------------------------------------------------------------------------------------------------------

    def brew(self, potions: int) -> None:
        """P-58 Fill the next circles; the last circle of a row gives the row's reward. P-59 At most 12 potions."""
        rewards = self.board.deck.tracks.potion_rewards
        for _ in range(min(potions, MOST_POTIONS - self.sheet.potions)):
            self.sheet.potions += 1
            if reward := rewards.get(self.sheet.potions):
                self.due(reward)

    # minions and gems ----------------------------------------------------------------------------------------------

    def defeat(self, room: str) -> None:
        """P-77 A defeated minion is crossed out and counted. For every third one the Marauder fills an item cell and
        the Shaman gains a potion."""
        self.sheet.beaten = (*self.sheet.beaten, room)
        if len(self.sheet.beaten) % 3 == 0:
            if self.talent("item_per_3_minions"):
                self.due("item")
            if self.talent("potion_per_3_minions"):
                self.due("potion")

    def steal(self, letter: str = "") -> None:
        """P-80 Fill the leftmost empty circle of the gem track. P-81 Its reward is gained once, now. The Merchant gains
        a potion for each gem. P-83 Outside gems work the same way."""
        sheet = self.sheet
        if letter:
            sheet.stolen = (*sheet.stolen, letter)
        sheet.gems = min(sheet.gems + 1, MOST_GEMS)
        if reward := self.board.deck.tracks.gem_rewards.get(sheet.gems):
            self.due(reward)
        if self.talent("potion_per_gem"):
            self.due("potion")

    # rooms ---------------------------------------------------------------------------------------------------------

    def enter(self, name: str) -> None:
        """P-72 On the first entry of a room comes the guard, then the reward; P-84 the room is explored. P-73 On later
        entries only a trap works again. P-75 Guard and reward are queued together, so effects triggered by the guard
        come after the reward."""
        sheet, room = self.sheet, self.board.rooms[name]
        first = name not in sheet.rooms
        sheet.path = (*sheet.path, name)
        if first:
            sheet.rooms = (*sheet.rooms, name)
        if room.trap or (first and room.minion):
            self.due("guard", room=name)
        if first:
            match room.reward:
                case "potion" | "item" | "level":  # P-74
                    self.due(room.reward)
            if room.gem:
                self.due("gem", room=name)

    def meet(self, room: Room) -> None:
        """P-76 The team takes a wound for each level that the hero is below the minion; Armour counts as one level. The
        minion is defeated in any case. P-78 A minion defeated before does not fight. P-79 A trap gives 1 wound on every
        entry, none with the Scout."""
        if room.trap:
            self.sheet.traps += 1
            if not self.talent("no_trap_wounds"):
                self.wound(1)
        elif room.name not in self.sheet.beaten:
            self.wound(minion_wounds(self.board, self.sheet, room))
            self.defeat(room.name)

    def take_gem(self, letter: str) -> None:
        """P-80 Steal the room's gem if this team can still get it."""
        if letter not in self.sheet.stolen and letter not in self.sheet.crossed:
            self.steal(letter)

    def cross_out(self, letters: tuple[str, ...]) -> tuple[str, ...]:
        """P-82, P-96 Cross out the gems that this team has not stolen. Returns those that were not crossed out yet."""
        sheet = self.sheet
        lost = tuple(gem for gem in letters if gem not in sheet.stolen and gem not in sheet.crossed)
        sheet.crossed += lost
        return lost

    # the queue -----------------------------------------------------------------------------------------------------

    def due(self, kind: Kind, amount: int = 1, room: str = "") -> None:
        """P-75 Queue an effect. Effects are done first in, first out, before the next step, die or phase."""
        self.queue = (*self.queue, Due(kind, amount, room))

    def settle(self) -> None:
        """Carry out queued effects until one needs a choice. P-74 Effects that are impossible are lost."""
        while self.queue:
            first = self.queue[0]
            if self.choices(first):
                return
            self.queue = self.queue[1:]
            match first.kind:
                case "guard":
                    self.meet(self.board.rooms[first.room])
                case "potion":
                    self.brew(first.amount)
                case "gem" if first.room:
                    self.take_gem(self.board.rooms[first.room].gem)
                case "gem":
                    self.steal()

    def waiting(self) -> tuple[str, ...]:
        return tuple(due.kind for due in self.queue for _ in range(1 if due.kind == "potion" else due.amount))

    def choices(self, due: Due) -> list[str]:
        """The words for an effect that needs a choice. P-47 A level: any hero below level 6. P-54 An item cell: any
        unfinished item. P-78 A minion: any of the team's dungeon not yet defeated. The Thief's gem: any letter."""
        sheet = self.sheet
        match due.kind:
            case "level":
                return [f"hero {h}" for h in HEROES if sheet.levels[h] < MOST_LEVEL and h not in due.but]
            case "item":
                return [f"item {item}" for item, cells in sheet.items.items() if cells < CELLS and item not in due.but]
            case "minion":
                rooms = self.board.rooms.values()
                return [f"minion {r.name}" for r in rooms if r.minion and r.name not in sheet.beaten]
            case "letter":
                gems = sorted(room.gem for room in self.board.rooms.values() if room.gem)
                return [f"gem {gem}" for gem in gems]
        return []

    def choose(self, word: str) -> None:
        """Apply a choice. If the effect has further choices, they come before the effects that this one triggers."""
        what, chosen = word.split()
        first, *rest = self.queue
        if first.amount > 1:
            rest.insert(0, Due(first.kind, first.amount - 1, but=(*first.but, chosen)))
        self.queue = tuple(rest)
        match what:
            case "hero":
                self.raise_level(chosen)
            case "item":
                self.fill(chosen)
            case "minion":
                self.defeat(chosen)
            case "gem":
                self.steal(chosen)


def team(board: Board, sheet: Sheet) -> Team:
    return Team(board, copy(sheet))


def item_effect(board: Board, sheet: Sheet, effect: str) -> int:
    return sum(item.amount for item in board.effects.get(effect, ()) if sheet.items[item.id] == CELLS)


def talent_effect(board: Board, sheet: Sheet, effect: str) -> int:
    talent = board.deck.talents.get(sheet.talent)
    return talent.amount if talent is not None and talent.effect == effect else 0


def minion_wounds(board: Board, sheet: Sheet, room: Room) -> int:
    """P-76 The wounds that this room's minion would cause now."""
    return max(0, room.level - sheet.levels[room.hero] - item_effect(board, sheet, "fight"))


def entry_wounds(board: Board, sheet: Sheet, room: Room) -> int:
    """The wounds that entering this guarded room would cause now: P-76 by its minion, P-79 by its trap."""
    if room.trap:
        return 0 if talent_effect(board, sheet, "no_trap_wounds") else 1
    return 0 if room.name in sheet.beaten else minion_wounds(board, sheet, room)


def skull_wounds(board: Board, sheet: Sheet, skulls: int) -> int:
    """P-39 1 wound for each skull. P-51 None with a cleric at level 4. The Seer takes one wound less per round."""
    if sheet.levels["C"] >= 4:
        return 0
    return max(0, skulls - talent_effect(board, sheet, "fewer_skulls"))
