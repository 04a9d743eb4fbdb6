"""What each move would cost and bring, for the pages of one seat. Everything is computed from its views."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from engine import Move, Own, Shared
from engine.games.dungeoneer.bouts import bout_faces, together
from engine.games.dungeoneer.cards import SIDES, Adventure, QuestCard
from engine.games.dungeoneer.grid import Fit, beside, exit_of, passages, separation
from engine.games.dungeoneer.offers import Offered, offers, walk_offers
from engine.games.dungeoneer.plan import Mind, beats, reaches
from engine.games.dungeoneer.view import Private, Public


class Risk(Struct, frozen=True):
    """A check on the way or in an attempt: a die and `value` must reach `number`."""

    source: str  # "exit", "spikes", "pit", a card or a quest
    stat: str
    value: int
    number: int
    chance: float  # of overcoming it
    fail: str  # "wound", "fall", "ap", "glory", "peril"


class Walk(Struct, frozen=True):
    """The cheapest way to a location: how many actions, through which sides, and what it brings if all goes well."""

    ap: int
    sides: tuple[str, ...]
    places: tuple[str, ...]
    glory: int
    peril: int
    risks: tuple[Risk, ...]


class Bout(Struct, frozen=True):
    """One attack: how likely each side is to strike."""

    form: str
    value: int
    against: int
    strikes: float
    struck: float


class MoveForecast(Struct, frozen=True):
    """What a move costs at once, and what may come of it."""

    ap: int = 0
    glory: int = 0
    payer: int = -1  # whose peril pays; -1: nobody's
    peril: int = 0
    risk: Risk | None = None
    bout: Bout | None = None


class QuestForecast(Struct, frozen=True):
    """How a quest stands for this seat now."""

    place: str  # where it goes on; "" if that is not on the map
    here: bool
    chance: float  # of an attempt now
    risk: Risk | None
    search: float | None  # the chance to find its place from here


class Forecast(Struct, frozen=True):
    moves: dict[Move, MoveForecast]
    walks: dict[str, Walk]  # by location, in one's own deeds phase
    quests: dict[str, QuestForecast]
    unplayable: dict[str, str]  # cards in hand, and why they cannot be played now
    unasked: tuple[str, ...]  # cards for any moment about which the player is not asked in a rival's turn
    misfits: dict[str, str]  # where the location that is laid does not fit: "x y turn" -> why
    attacks: tuple[Bout, ...]  # on this hero, in the battle that is going on
    offers: tuple[Offered, ...]  # of all words, and locations further away, with the first step there


def forecast(shared: Shared[Public], own: Own[Private]) -> Forecast:
    mind = Mind(shared.public, own)
    if not mind.me.at:  # before the first turn: heroes are chosen, or the map is laid
        words = offers(shared.asks, mind.public, mind.seat, mind.deck, own.moves)
        return Forecast({word: MoveForecast() for word in own.moves}, {}, {}, {}, (), {}, (), words)
    deeds = shared.asks == "Deeds" and bool(own.moves)
    found = dict(walks(mind)) if deeds else {}
    further = {place: f"move {walk.sides[0]}" for place, walk in found.items() if walk.ap > 1}
    return Forecast(
        moves={word: move_forecast(mind, word) for word in own.moves},
        walks=found,
        quests={quest.name: quest_forecast(mind, quest) for quest in mind.my_quests()} if mind.me.alive else {},
        unplayable=dict(unplayable(mind, own.moves)),
        unasked=tuple(unasked(mind, own)),
        misfits=dict(misfits(mind)),
        attacks=tuple(attacks(mind)),
        offers=(
            *offers(shared.asks, mind.public, mind.seat, mind.deck, own.moves),
            *walk_offers(mind.public, further),
        ),
    )


# Moves --------------------------------------------------------------------------------------------------------------


def move_forecast(mind: Mind, word: Move) -> MoveForecast:
    does, *rest = word.split()
    match does:
        case "move":
            risk = exit_risk(mind, mind.me.at, rest[0]) if len(rest) == 1 else None
            return MoveForecast(ap=1, risk=risk)
        case "explore" | "stand":
            return MoveForecast(ap=1)
        case "attempt":
            quest = mind.deck.quests[rest[0]]
            return MoveForecast(ap=int(mind.me.tries > 0), risk=quest_risk(mind, quest))
        case "search":
            return MoveForecast(ap=1)
        case "play" | "free" if rest and rest[0] in mind.deck.adventures:
            return card_forecast(mind, mind.deck.adventures[rest[0]], rest, free=does == "free")
        case "monster" | "lair" if len(rest) == 3:  # in a group; at the altar a lair has two words
            name = rest[0] if does == "monster" else mind.me.lair[int(rest[0]) - 1].card
            return strike_forecast(mind, mind.deck.adventures[name], int(rest[1]), rest[2])
        case "trap":
            return trap_forecast(mind, mind.deck.adventures[rest[0]], int(rest[1]))
        case "attach":
            return MoveForecast(payer=int(rest[1]), peril=mind.deck.adventures[rest[0]].cost)
        case "attack":
            return attack_forecast(mind, rest)
    return MoveForecast()


def card_forecast(mind: Mind, card: Adventure, rest: Sequence[str], free: bool) -> MoveForecast:
    if card.glory:
        return MoveForecast(glory=0 if free else card.cost)
    return MoveForecast(payer=int(rest[1]), peril=card.cost)


def bout(form: str, value: int, against: int) -> Bout:
    value, against = max(0, value), max(0, against)
    return Bout(form, value, against, beats(value, against), beats(against, value))


def strike_forecast(mind: Mind, card: Adventure, target: int, form: str) -> MoveForecast:
    """A monster's attack on a rival's hero, with what the location adds to it."""
    rival = mind.public.delvers[target]
    assert card.monster
    value = card.monster.value(form) + (mind.deck.locations[rival.at].helps == card.kind)
    return MoveForecast(payer=target, peril=card.cost, bout=bout(form, value, rival.values[form]))


def trap_forecast(mind: Mind, card: Adventure, target: int) -> MoveForecast:
    rival, effect = mind.public.delvers[target], card.effects[0]
    value = rival.level if effect.stat == "level" else rival.values[str(effect.stat)]
    number = (effect.number or 0) + mind.deck.locations[rival.at].danger
    risk = Risk(card.name, str(effect.stat), value, number, reaches(value, number), effect.fail[0].do)
    return MoveForecast(payer=target, peril=card.cost, risk=risk)


def attack_forecast(mind: Mind, rest: list[str]) -> MoveForecast:
    """An attack on a hero in one's deeds, or a challenge."""
    ability = mind.deck.heroes[mind.me.hero].ability
    spark = ability.name in rest
    words = [part for part in rest if part not in (ability.name, "lying")]
    form = words[-1]
    value = mind.me.values[form] + (ability.bonus if spark else 0)
    if words[0] == "monster" and mind.public.group:
        against = mind.public.group.foes[int(words[1]) - 1].monster.value(form)
    else:
        against = mind.public.delvers[int(words[-2])].values[form]
    return MoveForecast(ap=1, glory=ability.glory if spark else 0, bout=bout(form, value, against))


# Ways ---------------------------------------------------------------------------------------------------------------


def exit_risk(mind: Mind, place: str, side: str) -> Risk | None:
    exit = exit_of(mind.spots, place, side, mind.opened)
    if exit.kind not in ("trap", "blocked"):
        return None
    stat = "speed" if exit.kind == "trap" else "melee"
    value = mind.me.values[stat] + (mind.boots() if stat == "speed" else 0)
    return Risk("exit", stat, value, exit.number, reaches(value, exit.number), "wound" if exit.kind == "trap" else "ap")


def hazard_risk(mind: Mind, place: str) -> Risk | None:
    kind, _, number = mind.deck.locations[place].hazard.partition(" ")
    if kind not in ("spikes", "pit"):
        return None
    value = mind.me.values["speed"] + mind.boots()
    chance = reaches(value, int(number))
    return Risk(kind, "speed", value, int(number), chance, "wound" if kind == "spikes" else "fall")


def walks(mind: Mind) -> Iterator[tuple[str, Walk]]:
    """Every location that the hero can reach with its actions: the way with the fewest actions, and of those the one
    with the least risk."""
    me = mind.me
    if me.down:
        return
    found = {me.at: Walk(0, (), (), 0, 0, ())}
    ahead = [me.at]
    for place in ahead:
        walk = found[place]
        if walk.ap >= me.ap:
            continue
        for side, to in passages(mind.spots, place).items():
            longer = extended(mind, walk, place, side, to)
            known = found.get(to)
            if known is None:
                ahead.append(to)
            elif (known.ap, len(known.risks)) <= (longer.ap, len(longer.risks)):
                continue
            found[to] = longer
    del found[me.at]
    yield from found.items()


def extended(mind: Mind, walk: Walk, place: str, side: str, to: str) -> Walk:
    card = mind.deck.locations[to]
    new = to not in mind.me.visited and to not in walk.places
    owned = [mind.deck.quests[quest] for quest in (*mind.me.quests, *mind.public.common)]
    more = sum(quest.entry_peril for quest in owned)
    risks = [risk for risk in (exit_risk(mind, place, side), hazard_risk(mind, to)) if risk]
    return Walk(
        walk.ap + 1,
        (*walk.sides, side),
        (*walk.places, to),
        walk.glory + card.glory * new,
        walk.peril + (card.peril + more) * new,
        (*walk.risks, *risks),
    )


# Quests, cards and the map ------------------------------------------------------------------------------------------


def quest_risk(mind: Mind, quest: QuestCard) -> Risk | None:
    if not quest.threat:
        return None
    threat = quest.threat
    value = mind.me.values[threat.stat] + (mind.boots() if threat.stat == "speed" else 0)
    return Risk(quest.name, threat.stat, value, threat.number, reaches(value, threat.number), threat.fail[0].do)


def quest_forecast(mind: Mind, quest: QuestCard) -> QuestForecast:
    at, me = mind.next_place(quest), mind.me
    search = None
    if quest.search and me.at in mind.deck.places(quest.name) and me.at in mind.spots:
        search = reaches(separation(mind.spots, me.at, mind.deck.start), quest.search)
    return QuestForecast(at, bool(at) and at == me.at, mind.chance(quest), quest_risk(mind, quest), search)


def unasked(mind: Mind, own: Own[Private]) -> Iterator[str]:
    """What could be played now, in a window that does not wait for this player; otherwise the curses in hand that can
    be played in a rival's turn."""
    if own.order != "hit" or mind.public.active == mind.seat or not mind.me.alive:
        return
    if own.spared and len(own.moves) > 1:
        yield from (word.split()[1] for word in own.moves[1:])
    elif own.spared or not own.moves:
        for name in dict.fromkeys(mind.private.hand):
            card = mind.deck.adventures[name]
            if card.type == "curse" and card.timing == "any":
                yield name


def unplayable(mind: Mind, moves: Sequence[Move]) -> Iterator[tuple[str, str]]:
    """Cards in hand that no move plays: for want of points, or as it is not their time, or they would do nothing."""
    playable = {part for word in moves for part in word.split()[1:2] if part in mind.deck.adventures}
    for name in dict.fromkeys(mind.private.hand):
        card = mind.deck.adventures[name]
        if name in playable:
            continue
        if "group" in moves and (card.type in ("monster", "trap") or card.host == "monster"):
            yield name, "group"
            continue
        purses = [mind.me.glory] if card.glory else [rival.peril for rival in mind.rivals]
        timing = {"villainy": "villainy", "deeds": "deeds"}.get(card.timing, mind.public.phase)
        if mind.public.active != mind.seat or timing != mind.public.phase:
            yield name, "time"
        elif all(purse < card.cost for purse in purses):
            yield name, "glory" if card.glory else "peril"
        else:
            yield name, "use"


def misfits(mind: Mind) -> Iterator[tuple[str, str]]:
    """Why the location that this seat lays does not fit in a cell beside the map."""
    concerns = mind.public.concerns
    if not concerns or concerns.kind != "lay" or concerns.seat != mind.seat:
        return
    fit = Fit(mind.spots, mind.public.unlaid > 0)
    cells = {beside(spot.cell, side) for spot in mind.spots.values() for side in SIDES} - set(fit.cells)
    for x, y in sorted(cells):
        for turned in (False, True):
            if why := fit.misfit(concerns.card, (x, y), turned):
                yield f"{x} {y} {180 * turned}", why


def attacks(mind: Mind) -> Iterator[Bout]:
    """Those on this hero whose dice are still to fall."""
    for one in bout_faces(mind.public):
        if one.on == f"h{mind.seat}" and not one.off and one.total < 0:
            yield bout(one.form, together(one.attack), together(one.counter))
