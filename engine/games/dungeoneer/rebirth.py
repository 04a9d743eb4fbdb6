"""V-2 Resurrection, V-3 choice of heroes: a player takes a hero."""

from engine import Draft, Move, Step
from engine.games.dungeoneer import facts
from engine.games.dungeoneer.cards import HAND, HEALTH
from engine.games.dungeoneer.effects import Choose, Draw
from engine.games.dungeoneer.state import Delve


class ChooseHero(Choose, frozen=True):
    """V-2, V-3 One of the heroes that nobody has had."""

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        return [hero for hero in g.deck.heroes if hero in g.heroes]

    def chosen(self, g: Delve, word: Move) -> None:
        take_hero(g, self.seat, word)


def take_hero(g: Delve, seat: int, hero: str) -> None:
    g.heroes.remove(hero)
    g.delvers[seat].hero = hero
    g.tell(facts.HeroTaken(seat, hero))


class Rebirth(Step["Delve"], frozen=True):
    """V-2 The player goes on with a new hero of level 1 at the entrance, and five new cards. Points and completed
    quests stay."""

    seat: int

    def do(self, g: Delve) -> None:
        delver = g.delvers[self.seat]
        delver.hp, delver.level, delver.down, delver.kept, delver.at = HEALTH, 1, False, False, g.deck.start
        delver.bonus, delver.used, delver.visited = {}, [], []
        g.next(ChooseHero(self.seat), *[Draw(self.seat)] * HAND)
