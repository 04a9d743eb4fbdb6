"""The views of Raiders, and `shuffle_unknown`, which randomises what a seat cannot know."""

from engine import Chance
from engine.games.raiders.facts import Private, Public, RaiderSeen, RoomSeen
from engine.games.raiders.rules import PlayInTurn, Raiders, shuffle_marks


def public(g: Raiders) -> Public:
    """What lies on the table and what follows from it: a player's power cards are those not yet played."""
    ask = g.todo[-1] if g.todo else None
    return Public(
        edition=g.edition,
        mode=g.mode.name,
        play=g.play,
        floor=g.floor,
        place=g.place,
        rooms=tuple([room_seen(g, place) for place in range(1, len(g.rooms) + 1)]),
        raiders=tuple([raider_seen(g, seat) for seat in range(len(g.raiders))]),
        supply=g.supply.copy(),
        first=g.first,
        order=ask.order if isinstance(ask, PlayInTurn) else (),
        over=not g.todo,
        drawn=g.drawn if g.todo else None,
        turned=tuple(g.turned),
    )


def room_seen(g: Raiders, place: int) -> RoomSeen:
    room = g.mode.facts[g.rooms[place - 1]]
    if place < g.place or (place == g.place and not g.todo):
        return RoomSeen(place, "done", room)
    if place == g.place:
        return RoomSeen(place, "now", room)
    return RoomSeen(place, "light", room) if g.light[place - 1] else RoomSeen(place, "dark", None)


def raider_seen(g: Raiders, seat: int) -> RaiderSeen:
    raider, card = g.raiders[seat], g.plays[seat]
    return RaiderSeen(
        seat=seat,
        character=raider.character,
        coins=raider.coins,
        wounds=raider.wounds,
        alive=raider.alive,
        items=raider.items.copy(),
        hand=tuple(raider.hand),
        played=tuple(raider.played),
        play=None if card == "ball" or not g.todo else card,
        passed=card == "ball",
    )


def private(g: Raiders, seat: int) -> Private:
    """R-12 What a torch has shown is private and stays visible to its owner until the floor ends."""
    lit = g.raiders[seat].lit
    return Private({place: g.deck_facts[g.rooms[place - 1]] for place in g.dark() if place in lit} if lit else {})


def shuffle_unknown(g: Raiders, seat: int | None, chance: Chance) -> None:
    """Randomise everything that this seat (None: the public) cannot know: dark rooms that it has not lit, the rooms to
    come and those taken away, the boss, which later rooms lie face up, the strength deck and the random stream. Every
    arrangement consistent with what the seat has seen is equally likely."""
    deck = g.mode.deck
    lit = () if seat is None else g.raiders[seat].lit
    hidden = [place for place in g.dark() if place not in lit]
    pool = [g.rooms[place - 1] for place in hidden] + g.deck + g.away
    bosses = [room for room in pool if room in deck.bosses]
    others = [room for room in pool if room not in deck.bosses]
    chance.shuffle(others)
    if bosses:
        bosses = [deck.bosses[chance.below(len(deck.bosses))]]
    boss_is_laid = bool(bosses) and not g.deck
    for place in hidden:
        g.rooms[place - 1] = bosses.pop() if boss_is_laid and place == len(g.rooms) else others.pop()
    to_come = len(g.deck) - len(bosses)
    g.deck, g.away = others[:to_come] + bosses, others[to_come:]
    rest = g.floors[g.floor :]
    if deck.floors:
        chance.shuffle(rest)
    else:
        rest = shuffle_marks(rest, chance)
    g.floors = g.floors[: g.floor] + rest
    chance.shuffle(g.strengths)
    g.chance = Chance("".join(f"{chance.word():016x}" for _ in range(4)))
