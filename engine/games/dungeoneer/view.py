"""The views of Dungeoneer, and `shuffle_unknown`, which randomises what a seat cannot know."""

from typing import Any

from msgspec import Struct

from engine import Chance
from engine.games.dungeoneer.checks import Window, WoundMoment
from engine.games.dungeoneer.grid import Spot
from engine.games.dungeoneer.group import LairOrHand
from engine.games.dungeoneer.lay import Lay
from engine.games.dungeoneer.moving import Forced
from engine.games.dungeoneer.rules import Dungeoneer
from engine.games.dungeoneer.state import Delver, Dropped, Group, Hex, Item, Threat

FORM_KEYS = ("melee", "magic", "speed")


class DelverSeen(Struct, frozen=True):
    """What everybody sees of a player."""

    seat: int
    hero: str
    late: bool  # V-11
    alive: bool
    hp: int
    level: int
    values: dict[str, int]
    ap: int
    kept: bool
    spare: int
    glory: int
    peril: int
    at: str
    down: bool
    hand: int  # number of cards
    known: tuple[str, ...]  # those of them that everybody knows
    tiles: int
    boons: tuple[str, ...]
    treasures: tuple[Item, ...]
    limits: tuple[int, int]  # boons, treasures
    curses: tuple[Hex, ...]
    lair: tuple[Item, ...]
    quests: tuple[str, ...]
    escorts: tuple[str, ...]
    completed: tuple[str, ...]
    used: tuple[str, ...]
    bonus: dict[str, int]
    visited: tuple[str, ...]
    moved: bool
    opened: str
    tries: int
    found: str
    given_up: tuple[str, ...]
    hurt: dict[str, int]


class Concerns(Struct, frozen=True):
    """What a question is about, as far as everybody may know."""

    seat: int  # whose hero it concerns; -1: nobody's
    kind: str = ""  # of a window: dawn, check, arrival; "wound"; "forced"; "lair"; "lay"
    card: str = ""  # the location that is laid, the monster that leaves a battle


class Public(Struct, frozen=True):
    """What everybody sees."""

    variants: tuple[str, ...]
    round: int
    last: int
    turn: int
    active: int
    first: int
    phase: str
    grouped: bool
    delvers: tuple[DelverSeen, ...]
    heroes: tuple[str, ...]  # that nobody has had
    spots: dict[str, Spot]
    unlaid: int
    bottom: tuple[str, ...]  # the last cards of the location deck, if they are known
    decks: dict[str, int]
    discards: dict[str, tuple[str, ...]]
    quests: int
    common: tuple[str, ...]
    dropped: tuple[Dropped, ...]
    owing: tuple[str, ...]
    group: Group | None
    threat: Threat | None
    waiting: tuple[str, ...]
    concerns: Concerns | None


class Private(Struct, frozen=True):
    """What only one seat sees."""

    hand: tuple[str, ...]
    tiles: tuple[str, ...]


def public(g: Dungeoneer) -> Public:
    return Public(
        variants=tuple(g.variants),
        round=min(g.round, g.last),
        last=g.last,
        turn=g.turn,
        active=g.active,
        first=g.first,
        phase=g.phase,
        grouped=g.grouped,
        delvers=tuple([seen(g, delver) for delver in g.delvers]),
        heroes=tuple(g.heroes),
        spots=g.spots,
        unlaid=len(g.unlaid),
        bottom=tuple(g.unlaid[len(g.unlaid) - g.bottom :]),
        decks={pile: len(cards) for pile, cards in g.decks.items()},
        discards={pile: tuple(cards) for pile, cards in g.discards.items()},
        quests=len(g.quests),
        common=tuple(g.common),
        dropped=tuple(g.dropped),
        owing=tuple(g.owing),
        group=g.group,
        threat=g.threat,
        waiting=tuple(g.waiting),
        concerns=concerns(g),
    )


def seen(g: Dungeoneer, delver: Delver) -> DelverSeen:
    hero = bool(delver.hero)
    return DelverSeen(
        seat=delver.seat,
        hero=delver.hero,
        late=delver.late,
        alive=delver.alive,
        hp=delver.hp,
        level=delver.level,
        values={form: delver.value(form) for form in FORM_KEYS} if hero else {},
        ap=delver.ap,
        kept=delver.kept,
        spare=delver.spare,
        glory=delver.glory,
        peril=delver.peril,
        at=delver.at,
        down=delver.down,
        hand=len(delver.hand),
        known=tuple(delver.known),
        tiles=len(g.tiles[delver.seat]) if g.tiles else 0,
        boons=tuple(delver.boons),
        treasures=tuple(delver.treasures),
        limits=(delver.limit("boons"), delver.limit("treasures")) if hero else (0, 0),
        curses=tuple(delver.curses),
        lair=tuple(delver.lair),
        quests=tuple(delver.quests),
        escorts=tuple(delver.escorts),
        completed=tuple(delver.completed),
        used=tuple(delver.used),
        bonus=delver.bonus,
        visited=tuple(delver.visited),
        moved=delver.moved,
        opened=delver.opened,
        tries=delver.tries,
        found=delver.found,
        given_up=tuple(delver.given_up),
        hurt=delver.hurt,
    )


def concerns(g: Dungeoneer) -> Concerns | None:
    ask: Any = g.todo[-1] if g.todo else None
    if isinstance(ask, Window):
        return Concerns(ask.seat, ask.kind)
    if isinstance(ask, WoundMoment):
        return Concerns(ask.seat, "wound")
    if isinstance(ask, Forced):
        return Concerns(ask.hero, "forced")
    if isinstance(ask, LairOrHand) and g.group:
        return Concerns(ask.seat, "lair", g.group.foes[ask.foe].card)
    if isinstance(ask, Lay):
        return Concerns(ask.seat, "lay", ask.card)
    return None


def private(g: Dungeoneer, seat: int) -> Private:
    return Private(tuple(g.delvers[seat].hand), tuple(g.tiles[seat]) if g.tiles else ())


def shuffle_unknown(g: Dungeoneer, seat: int | None, chance: Chance) -> None:
    """Randomise the order of the decks, the dice, and the hands of the others, except monsters that were seen going
    back to a hand. With two decks everybody knows from which of them a card in a hand comes."""
    g.chance = Chance("".join(f"{chance.word():016x}" for _ in range(4)))
    g.dice = [chance.below(6) + 1 for _ in g.dice]
    for pile, cards in g.decks.items():
        places: list[tuple[list[str], int]] = [(cards, n) for n in range(len(cards))]
        for delver in g.delvers:
            if delver.seat != seat:
                places += [(delver.hand, n) for n in unknown(g, delver, pile)]
        swap(places, chance)
    hidden = len(g.unlaid) - g.bottom
    swap([(g.unlaid, n) for n in range(hidden)], chance)
    swap([(g.quests, n) for n in range(len(g.quests))], chance)
    swap([(tiles, n) for other, tiles in enumerate(g.tiles) if other != seat for n in range(len(tiles))], chance)


def unknown(g: Dungeoneer, delver: Delver, pile: str) -> list[int]:
    """The places in this hand of cards from this deck that others do not know."""
    known, found = list(delver.known), []
    for n, card in enumerate(delver.hand):
        if card in known:
            known.remove(card)
        elif g.pile(card) == pile:
            found.append(n)
    return found


def swap(places: list[tuple[list[str], int]], chance: Chance) -> None:
    """Shuffle what lies in these places."""
    cards = [cards[n] for cards, n in places]
    chance.shuffle(cards)
    for (into, n), card in zip(places, cards, strict=True):
        into[n] = card
