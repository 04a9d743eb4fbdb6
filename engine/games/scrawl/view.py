"""The views of Paper Dungeons, and `shuffle_unknown`, which randomises what a seat cannot know."""

from engine import Chance
from engine.games.scrawl import facts
from engine.games.scrawl.cards import deck
from engine.games.scrawl.facts import Private, Public, Sheet
from engine.games.scrawl.rules import Scrawl
from engine.games.scrawl.scoring import lines, met, power, stage


def public(g: Scrawl) -> Public:
    """Sheets are as of the last reveal; unrevealed drafts are not in the state. Objectives are secret until the end."""
    return Public(
        dungeon=g.dungeon,
        monsters=g.board.monster_ids,
        missions=tuple(g.missions),
        vanishing=g.vanishing,
        round=g.round,
        stage=stage(g.round),
        dice=g.dice,
        teams=tuple(team(g, seat, sheet) for seat, sheet in enumerate(g.sheets)),
        glory=tuple(g.glory),
        chapter=g.chapter,
        chapters=g.campaign,
        past=tuple(g.past),
        objectives=tuple(g.kept) if g.result else None,
    )


def team(g: Scrawl, seat: int, sheet: Sheet) -> facts.Team:
    strong = power(sheet, g.board, g.monster)
    return facts.Team(
        seat=seat,
        sheet=sheet,
        strength=sheet.strength,
        power=strong,
        met=met(sheet, g.board, stage(g.round)),
        tier=g.monster.tier(strong),
        lines=lines(sheet, g.board),
    )


def private(g: Scrawl, seat: int) -> Private:
    return Private(g.talents[seat], g.objectives[seat], g.kept[seat])


def shuffle_unknown(g: Scrawl, seat: int | None, chance: Chance) -> None:
    """Randomise the random stream and the other seats' cards, consistent with what is public: kept talents, the colours
    of each kept objective and, at the end, the kept objectives themselves."""
    g.chance = Chance("".join(f"{chance.word():016x}" for _ in range(4)))
    cards = deck()
    talents = [talent for talent in cards.talents if seat is None or talent not in g.talents[seat]]
    objectives = [objective for objective in cards.objectives if seat is None or objective not in g.objectives[seat]]
    chance.shuffle(talents)
    chance.shuffle(objectives)
    others = [other for other in range(g.seats) if other != seat]
    for other in others:
        if not g.kept[other]:  # before the choice
            continue
        talent, black = g.sheets[other].talent, g.sheets[other].black
        if not g.result:
            g.kept[other] = next(o for o in objectives if cards.objectives[o].black == black)
        objectives.remove(g.kept[other])
        if talent in talents:
            talents.remove(talent)
    for other in others:
        if g.kept[other]:
            g.talents[other] = pair(g.sheets[other].talent, talents.pop(), chance)
            g.objectives[other] = pair(g.kept[other], objectives.pop(), chance)
        else:
            g.talents[other] = (talents.pop(), talents.pop())
            g.objectives[other] = (objectives.pop(), objectives.pop())


def pair(a: str, b: str, chance: Chance) -> tuple[str, str]:
    return (a, b) if chance.below(2) else (b, a)
