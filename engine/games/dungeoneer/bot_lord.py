"""What the `hero` bot does as lord of the dungeon."""

from collections.abc import Sequence

from engine import Move
from engine.games.dungeoneer.cards import HEALTH, Adventure
from engine.games.dungeoneer.plan import Mind, beats, reaches
from engine.games.dungeoneer.view import DelverSeen

WORTH_STRIKING = 0.0  # expected wounds, less what the monster risks


def villainy(mind: Mind) -> Move:
    """The group first, while the rivals have peril to pay for it; then curses on the leader."""
    if "group" in mind.moves and any(strike_worth(mind, word, ()) > WORTH_STRIKING for word in first_strikes(mind)):
        return "group"
    return best_curse(mind, mind.moves) or tend(mind, mind.moves) or "end"


def first_strikes(mind: Mind) -> list[Move]:
    """The words with which a group could begin and which the rivals' peril can pay."""
    words = []
    for name in dict.fromkeys(mind.private.hand):
        card = mind.card(name)
        for rival in mind.rivals:
            if card.cost <= rival.peril:
                words += (
                    [f"monster {name} {rival.seat} {form}" for form in card.monster.attacks] if card.monster else []
                )
                words += [f"trap {name} {rival.seat}"] if card.type == "trap" else []
    for place, item in enumerate(mind.me.lair, 1):
        card = mind.card(item.card)
        for rival in mind.rivals:
            if card.cost <= rival.peril and card.monster:
                words += [f"lair {place} {rival.seat} {form}" for form in card.monster.attacks]
    return words


def group(mind: Mind) -> Move:
    """The word that is most worth adding to the group; "done" if none is worth it."""
    word = mind.best(lambda word: strike_worth(mind, word, mind.draft))
    return word if strike_worth(mind, word, mind.draft) > (WORTH_STRIKING if not mind.draft else 0.0) else "done"


def strike_worth(mind: Mind, word: Move, draft: Sequence[Move]) -> float:
    kind, *rest = word.split()
    if kind == "done":
        return 0.0
    if kind == "golem":
        rival = mind.public.delvers[int(rest[0])]
        return (1 - reaches(rival.values["melee"], 8)) * mind.menace(rival) * (0 if rival.at == mind.me.at else 1)
    if kind == "attach":
        return 0.1
    if kind == "trap":
        return trap_worth(mind, mind.card(rest[0]), mind.public.delvers[int(rest[1])])
    name = mind.me.lair[int(rest[0]) - 1].card if kind == "lair" else rest[0]
    rival, form, monster = mind.public.delvers[int(rest[1])], rest[2], mind.card(name).monster
    assert monster
    value = monster.value(form) + (mind.deck.locations[rival.at].helps == monster.kind)
    won, lost = beats(value, rival.values[form]), beats(rival.values[form], value)
    wounds = sum(effect.n for effect in monster.strike(form) if effect.do == "wound")
    reward = 0.15 if kind == "lair" else 0.0
    return won * wounds * mind.menace(rival) + 0.1 * won - lost * 0.2 * (1 + 0.3 * monster.hp) + reward


def trap_worth(mind: Mind, card: Adventure, rival: DelverSeen) -> float:
    effect = card.effects[0]
    number = (effect.number or 0) + mind.deck.locations[rival.at].danger
    worth = 0.0
    for delver in mind.public.delvers:
        if delver.alive and delver.at == rival.at:
            value = delver.level if effect.stat == "level" else delver.values[str(effect.stat)]
            failed = 1 - reaches(value, number)
            hurt = failed * (1.0 if effect.fail[0].do == "wound" else 0.4) - 0.2 * (1 - failed)
            worth += hurt * (-2.5 if delver.seat == mind.seat else mind.menace(delver))
    return worth


def best_curse(mind: Mind, words: Sequence[Move]) -> Move | None:
    leader = mind.leader
    for word in words:
        does, *rest = word.split()
        if does == "play" and leader and len(rest) > 1 and rest[1] == str(leader.seat):
            card = mind.card(rest[0])
            if card.type == "curse" and card.duration == "permanent":
                return word
            if card.does("fall") and mind.public.phase == "villainy" and leader.ap == 0:
                return word
    return next((word for word in words if word.startswith("play bloodlust")), None)


def tend(mind: Mind, words: Sequence[Move]) -> Move | None:
    """Heal or stand up between other actions, if needed."""
    me = mind.me
    for word in ("play healing_draught", "ability", "laboratory", "play mend_flesh"):
        if word in words and me.hp <= (4 if me.glory >= 4 else 3) and me.hp < HEALTH:
            return word
    return "stand" if "stand" in words and me.ap + me.spare else None


# After the group ----------------------------------------------------------------------------------------------------


def lair_or_hand(mind: Mind) -> Move:
    """In the lair a monster takes no place in the hand."""
    full = len(mind.me.lair) >= 3
    return "hand" if full and "hand" in mind.moves else "lair"


def give_peril(mind: Mind) -> Move:
    return f"hero {mind.leader.seat}" if mind.leader else "nobody"


def victim(mind: Mind) -> Move:
    if not mind.leader:
        return next((word for word in mind.moves if word.startswith("lair")), mind.moves[0])
    return f"hero {mind.leader.seat}"


def forced(mind: Mind) -> Move:
    return mind.moves[-1]
