"""What the `hero` bot answers in battles and windows, and what it discards."""

from engine import Move
from engine.games.dungeoneer.plan import KEEP, Mind, beats, reaches
from engine.games.dungeoneer.state import Attack, Foe


def window(mind: Mind) -> Move:
    """Play curses on the leader. Before a check, help the own hero or hinder a rival if the odds change enough."""
    concerns = mind.public.concerns
    if concerns is None:
        return "pass"
    for word in mind.moves[1:]:
        if concerns.kind == "check":
            if concerns.seat == mind.seat:
                if word == "ability" and helps_check(mind):
                    return word
            elif dooms(mind):
                return word
        elif word.startswith("play") and mind.leader and concerns.seat == mind.leader.seat:
            rival = mind.leader
            if rival.ap and not (concerns.kind == "dawn" and rival.ap > 3):
                return word
    return "pass"


def odds(mind: Mind, more: int) -> float:
    threat = mind.public.threat
    assert threat
    delver = mind.public.delvers[threat.seat]
    value = delver.level if threat.stat == "level" else delver.values[threat.stat]
    return reaches(value + threat.bonus + more, threat.number)


def helps_check(mind: Mind) -> bool:
    return odds(mind, 2) - odds(mind, 0) > 0.25 and mind.me.glory >= 2


def dooms(mind: Mind) -> bool:
    """Whether a curse on this check is worth it: it changes the odds enough, and the threat is a quest's or spikes."""
    threat = mind.public.threat
    assert threat
    return odds(mind, 0) - odds(mind, -2) > 0.25 and (threat.source in mind.deck.quests or threat.source == "spikes")


# Battles ------------------------------------------------------------------------------------------------------------


def attacker(mind: Mind, attack: Attack) -> Foe | None:
    group = mind.public.group
    return group.foes[int(attack.by[1:])] if group and attack.by[0] == "m" else None


def danger(mind: Mind, attack: Attack) -> float:
    """The expected number of wounds from this attack."""
    foe = attacker(mind, attack)
    if not foe:
        return beats(mind.public.delvers[int(attack.by[1:])].values[attack.form], mind.me.values[attack.form])
    more = mind.deck.locations[mind.me.at].helps == foe.monster.kind
    wounds = sum(effect.n for effect in foe.monster.strike(attack.form) if effect.do == "wound")
    return (
        beats(foe.monster.value(attack.form) + more - attack.malus, mind.me.values[attack.form] + attack.parry) * wounds
    )


def respond(mind: Mind) -> Move:
    """The answer that prevents most for its price. The more health the hero has, the more its glory counts."""
    assert mind.public.group
    battle = mind.public.group.battles[-1]
    dear = 0.10 if mind.me.hp >= 5 else 0.05 if mind.me.hp >= 3 else 0.01
    best, chosen = 0.12, "pass"
    for word in mind.moves[1:]:
        _, *rest = word.split()
        number = next((part for part in rest if part.isdigit()), "")
        card = mind.deck.adventures.get(rest[0])
        price = card.cost if card else 2
        if not number:  # it works against all, or raises a value
            saved = 0.12 * sum(attack.on == f"h{mind.seat}" for attack in battle.attacks) - 0.2 * (
                card is not None and bool(card.does("bonus"))
            )
        else:
            attack = battle.attacks[int(number) - 1]
            saved = danger(mind, attack) * (0.4 if card and card.does("parry") else 1.0)
            saved += redirected(mind, rest)
        if saved - dear * price > best:
            best, chosen = saved - dear * price, word
    return chosen


def redirected(mind: Mind, rest: list[str]) -> float:
    if "hero" in rest:
        rival = mind.public.delvers[int(rest[-1])]
        return 0.25 + (0.1 if mind.leader and rival.seat == mind.leader.seat else 0.0)
    return 0.15 if "monster" in rest else 0.0


def wound(mind: Mind) -> Move:
    for word in ("use guardian_cloak", "use chain_shirt", "ability", "play healing_draught"):
        if word in mind.moves:
            cheap = (
                word == "use guardian_cloak" or mind.me.hp <= 3 or (word == "use chain_shirt" and mind.me.glory >= 5)
            )
            if cheap:
                return word
    return mind.moves[0]


def challenge(mind: Mind) -> Move:
    """Attack back if it is more likely to wound than to be wounded."""
    best, chosen = 0.08, mind.moves[0]
    for word in mind.moves[1:]:
        does, *rest = word.split()
        if does != "attack":
            continue
        kind, number, form, *more = rest
        mine = mind.me.values[form] + 2 * ("spark" in more)
        if kind == "monster":
            assert mind.public.group
            foe = mind.public.group.foes[int(number) - 1]
            other, prize = foe.monster.value(form), 8.0 if foe.source == "quest" else 0.6
        else:
            rival = mind.public.delvers[int(number)]
            other, prize = rival.values[form], mind.menace(rival) * 0.5
        cost = 1.0 if mind.me.hp > 2 else 2.0
        worth = beats(mine, other) * prize - beats(other, mine) * cost - 0.1 * len(more)
        if mind.public.active == mind.seat and kind != "monster":
            worth -= 0.5  # the action is needed for deeds
        if worth > best:
            best, chosen = worth, word
    return chosen


def strike_hero(mind: Mind) -> Move:
    return mind.moves[-1]


# Cards --------------------------------------------------------------------------------------------------------------


def keep_worth(mind: Mind, card: str) -> float:
    return KEEP.get(card, 1) + 0.1 * mind.deck.adventures[card].cost


def discard(mind: Mind) -> Move:
    hand = [word for word in mind.moves if word.startswith("hand ")]
    if "none" in mind.moves and len(hand) < 5:
        return "none"
    return min(hand, key=lambda word: keep_worth(mind, word.split()[1]), default=mind.moves[0])


def drop_card(mind: Mind) -> Move:
    return min(mind.moves, key=lambda card: keep_worth(mind, card))


def draw(mind: Mind) -> Move:
    """Choose the deck so that the hand has as many glory cards as peril cards."""
    glory = sum(mind.deck.adventures[card].glory for card in mind.private.hand)
    wanted = "glory" if 2 * glory <= len(mind.private.hand) else "peril"
    return wanted if wanted in mind.moves else mind.moves[0]


def reap(mind: Mind) -> Move:
    return max(mind.moves, key=lambda word: KEEP.get(word.split()[1], 1) if word != "done" else 0)
