"""Defeat of a hero, and the ends of the game."""

from engine import Result, Standing
from engine.games.dungeoneer import battle_facts, facts
from engine.games.dungeoneer.cards import QUESTS_TO_WIN
from engine.games.dungeoneer.rebirth import Rebirth
from engine.games.dungeoneer.state import Delve, Delver, Dropped


def defeat(g: Delve, seat: int) -> None:
    """D-101 The hero is out with all that lies with it. In its own turn this ends the turn."""
    delver = g.delvers[seat]
    again = "resurrection" in g.variants and bool(g.heroes)  # V-2
    g.tell(facts.Defeated(seat, delver.hero, delver.at, again))
    strip(g, delver)
    leave_fight(g, seat)
    g.todo[:] = [step for step in g.todo if seat not in (getattr(step, "seat", -1), getattr(step, "hero", -1))]
    if again:
        delver.escorts.clear()
    else:
        out(g, delver)
    if g.solo:
        finish_solo(g, won=False)
        return
    if seat == g.active:
        abandon_group(g)
    if len(g.living()) == 1:  # D-99
        finish(g, g.living(), "last_hero")
        return
    if seat == g.active:
        del g.todo[1:]  # `NextTurn`, the first step, remains
    if again:
        g.next(Rebirth(seat))


def strip(g: Delve, delver: Delver) -> None:
    """Hand, inventory and the curses on the hero go to the discard."""
    cards_left = [*delver.hand, *delver.prepared()]
    for item in delver.lair:
        cards_left += [item.card, *item.tucked]
    tell_discarded(g, delver.seat, cards_left, "defeat")
    for cards in (delver.hand, delver.known, delver.boons, delver.treasures, delver.curses, delver.lair):
        cards.clear()
    delver.opened, delver.found, delver.spare, delver.ap, delver.hp = "", "", 0, 0, 0


def tell_discarded(g: Delve, seat: int, cards: list[str], place: str) -> None:
    g.discard(*cards)
    if cards:
        g.tell(facts.Discarded(seat, tuple(cards), place))


def out(g: Delve, delver: Delver) -> None:
    """The player leaves the game. Escorts drop on the location, the other quests leave the game."""
    delver.alive = False
    for quest in delver.escorts:
        delver.quests.remove(quest)
        g.dropped.append(Dropped(quest, delver.at))
        g.tell(facts.QuestDropped(delver.seat, quest, delver.at))
    g.gone += [*delver.quests, *delver.completed]
    for quests in (delver.escorts, delver.quests, delver.completed):
        quests.clear()


def leave_fight(g: Delve, seat: int) -> None:
    """Attacks by and on this hero no longer count, and traps aimed at it have no target."""
    if not g.group:
        return
    for snare in g.group.snares:
        if snare.target == seat:
            snare.target = -1
    for battle in g.group.battles:
        for attack in battle.attacks:
            if f"h{seat}" in (attack.by, attack.on):
                attack.off = True


def abandon_group(g: Delve) -> None:
    """D-101 The battle ends, and the rest of the group is discarded, when the active hero is defeated."""
    if g.group:
        rest = []
        for foe in g.group.foes:
            if not foe.gone and foe.source != "quest":
                rest.append(foe.card)
            rest += foe.tucked
        rest += [snare.card for snare in g.group.snares if not snare.gone]
        tell_discarded(g, g.active, rest, "battle")
        for _ in g.group.battles:
            g.tell(battle_facts.BattleEnded())
        g.tell(battle_facts.GroupEnded())
        g.group = None
    g.threat = None


# The end --------------------------------------------------------------------------------------------------------------


def rank(delver: Delver) -> tuple[int, ...]:
    """D-110 Most completed quests, then level, health, glory."""
    return len(delver.completed), delver.level, delver.hp, delver.glory


def finish(g: Delve, winners: list[int], why: str) -> None:
    """These seats win. The others are placed by what they reached; the living come before the defeated."""

    def worth(seat: int) -> tuple[int, ...]:
        delver = g.delvers[seat]
        return seat in winners, delver.alive, *((0,) if seat in winners else rank(delver))

    seats = sorted(range(len(g.delvers)), key=lambda seat: (worth(seat), -seat), reverse=True)
    places = {seat: 1 + sum(worth(other) > worth(seat) for other in seats) for seat in seats}
    standings = tuple(
        Standing(seat, places[seat], score(g.delvers[seat]), why if seat in winners else "") for seat in seats
    )
    g.finish(Result(tuple(sorted(winners)), standings))


def score(delver: Delver) -> dict[str, int]:
    return {"quests": len(delver.completed), "level": delver.level, "health": delver.hp, "glory": delver.glory}


def finish_rounds(g: Delve) -> None:
    """D-110 The last round is over."""
    if g.solo:
        finish_solo(g, won=False)
        return
    best = max(rank(g.delvers[seat]) for seat in g.living())
    winners = [seat for seat in g.living() if rank(g.delvers[seat]) == best]
    finish(g, winners, "rounds" if len(winners) == 1 else "shared")


def finish_solo(g: Delve, won: bool) -> None:
    """D-102"""
    delver = g.delvers[0]
    why = "won" if won else "lost" if delver.hp else "defeated"
    g.finish(Result((0,) if won else (), (Standing(0, 1, score(delver), why),)))


def check_quests(g: Delve, seat: int) -> bool:
    """D-98 The third quest wins; D-102 alone back at the entrance."""
    delver = g.delvers[seat]
    if len(delver.completed) < QUESTS_TO_WIN:
        return False
    if not g.solo:
        finish(g, [seat], "quests")
    elif delver.at == g.deck.start:
        finish_solo(g, won=True)
    return g.result is not None
