"""The setup of Dungeoneer, and its state with all of its steps."""

from collections.abc import Mapping

from engine import Chance, Move, Step
from engine.games.dungeoneer import (
    battle,
    checks,
    deeds,
    effects,
    facts,
    group,
    inventory,
    lay,
    moving,
    quests,
    rebirth,
    response,
    solo,
    turn,
    villainy,
)
from engine.games.dungeoneer.cards import HAND, SIDES, deck
from engine.games.dungeoneer.grid import Fit, beside
from engine.games.dungeoneer.state import DIE, Delve, Delver

PERSONAL, PERSONAL_SOLO = 2, 3  # D-24, D-103
TWO_DECKS = {"glory": 3, "peril": 2}  # D-109 a starting hand


class Dungeoneer(Delve, kw_only=True, dict=True):
    todo: list["Steps"]

    def anytime(self, seat: int) -> list[Move]:
        """D-112 While the table waits for the active player in phases II, IV and V, or in the windows W1 and W4: giving
        up an escort, and standing up with a saved AP in another's turn."""
        delver, ask = self.delvers[seat], self.todo[-1] if self.todo else None
        if not delver.alive or self.group or self.threat or not isinstance(ask, OPEN):
            return []
        if isinstance(ask, checks.Window) and ask.kind == "check":
            return []
        words = [f"drop {quest}" for quest in delver.escorts]
        if delver.down and seat != self.active and delver.ap:
            words.append("stand")
        return words

    def take_anytime(self, seat: int, move: Move) -> None:
        if move == "stand":
            villainy.stand_up(self, seat)
        else:
            quests.give_up(self, seat, move.split()[1])


OPEN = (villainy.Villainy, villainy.GroupDraft, deeds.Deeds, turn.DiscardOne, turn.Save, checks.Window)


# Setup ----------------------------------------------------------------------------------------------------------------


def setup(seats: int, options: Mapping[str, str], chance: Chance) -> Dungeoneer:
    """D-20 to D-26; alone D-103; V-1 and V-3 ask before the first turn."""
    variants = [key for key in VARIANTS if options.get(key) == "yes"]
    g = Dungeoneer(
        todo=[turn.NextTurn()],
        chance=chance,
        variants=variants,
        last=int(options["last_round"]),
        delvers=[Delver(seat, late="late_speed" in variants) for seat in range(seats)],
        heroes=list(deck().heroes),
    )
    shuffle_decks(g, two=options.get("decks") == "two")
    deal_quests(g)
    if "whole_map" in variants:
        deal_locations(g)
    else:
        lay_out(g)
        roll_first(g)
        g.next(Muster())
    return g


VARIANTS = (
    "whole_map", "resurrection", "chosen_heroes", "optional", "impartial", "impersonal", "limited", "fall_ap", "dodge",
    "fresh", "late_speed", "harder",
)  # fmt: skip


def shuffle_decks(g: Dungeoneer, two: bool) -> None:
    """D-20, D-103, D-109"""
    cards = g.deck.all_adventures(g.solo)
    if g.solo or two:
        for pile, glory in (("glory", True), ("peril", False)):
            g.decks[pile] = [card for card in cards if g.card(card).glory is glory]
    else:
        g.decks["adventure"] = cards
    for pile in g.decks:
        g.chance.shuffle(g.decks[pile])
        g.discards[pile] = []


def deal_quests(g: Dungeoneer) -> None:
    """D-24; D-103 three, and no others; V-6 none"""
    g.quests = list(g.deck.quests)
    g.chance.shuffle(g.quests)
    if "impersonal" not in g.variants:
        for delver in g.delvers:
            delver.quests = [g.quests.pop(0) for _ in range(PERSONAL_SOLO if g.solo else PERSONAL)]
    if g.solo:
        g.aside, g.quests = g.quests, []
    else:
        while g.quests and len(g.common) < (quests.COMMON if "impersonal" in g.variants else 1):
            g.common.append(g.quests.pop(0))
    g.tell(facts.QuestsDealt(tuple(tuple(delver.quests) for delver in g.delvers), tuple(g.common)))


def lay_out(g: Dungeoneer) -> None:
    """D-21 The entrance, and a random tunnel on each side of it."""
    start = g.deck.start
    tunnels = [name for name, card in g.deck.locations.items() if card.type != "room"]
    g.chance.shuffle(tunnels)
    first = tunnels[: len(SIDES)]
    g.unlaid = [name for name in g.deck.locations if name not in first and name != start]
    g.chance.shuffle(g.unlaid)
    lay.put(g, -1, start, 0, 0, False)
    for side, name in zip(SIDES, first, strict=True):
        fit, cell = Fit(g.spots, True), beside((0, 0), side)
        lay.put(g, -1, name, *cell, turned=bool(fit.misfit(name, cell, False)))


def roll_first(g: Dungeoneer) -> None:
    """D-26 The highest die begins; those tied for it roll again."""
    rolling = list(range(len(g.delvers)))
    while len(rolling) > 1:
        dice = {seat: g.chance.below(DIE) + 1 for seat in rolling}
        g.tell(facts.FirstRolled(dice))
        rolling = [seat for seat, die in dice.items() if die == max(dice.values())]
    first_player(g, rolling[0])


def first_player(g: Dungeoneer, seat: int) -> None:
    g.first = g.active = seat
    g.tell(facts.FirstChosen(seat))


def deal_locations(g: Dungeoneer) -> None:
    """V-1 One by one, clockwise from a random seat. Who gets the entrance lays it and is the first player."""
    seats, names = len(g.delvers), list(g.deck.locations)
    g.chance.shuffle(names)
    start = g.chance.below(seats)
    g.tiles = [[] for _ in range(seats)]
    for n, name in enumerate(names):
        g.tiles[(start + n) % seats].append(name)
    first = next(seat for seat, tiles in enumerate(g.tiles) if g.deck.start in tiles)
    g.tiles[first].remove(g.deck.start)
    lay.put(g, first, g.deck.start, 0, 0, False)
    first_player(g, first)
    g.next(lay.LayTiles((first + 1) % seats), Muster())


class Muster(Step["Delve"], frozen=True):
    """D-22 Everybody gets a random hero; V-3 everybody chooses one, from the first player on."""

    def do(self, g: Delve) -> None:
        if "chosen_heroes" in g.variants:
            g.next(*[rebirth.ChooseHero(seat) for seat in g.in_order()], Equip())
            return
        heroes = list(g.heroes)
        g.chance.shuffle(heroes)
        for delver, hero in zip(g.delvers, heroes, strict=False):
            rebirth.take_hero(g, delver.seat, hero)
        g.next(Equip())


class Equip(Step["Delve"], frozen=True):
    """D-23, D-25 Everybody comes to the entrance, gains its points and gets five cards."""

    def do(self, g: Delve) -> None:
        start = g.deck.locations[g.deck.start]
        for delver in g.delvers:
            delver.at = start.name
            g.gain(delver.seat, "setup", start.glory, 0 if g.solo else start.peril)
            shares = {"glory": HAND} if g.solo else TWO_DECKS if len(g.decks) > 1 else {"adventure": HAND}
            delver.hand = [g.decks[pile].pop(0) for pile, number in shares.items() for _ in range(number)]


Steps = (
    effects.Apply | effects.Purge | effects.Draw | effects.DropCard
    | checks.Window | checks.Check | checks.RollThreat | checks.Victim
    | checks.Wound | checks.WoundMoment | checks.TakeWound
    | rebirth.ChooseHero | rebirth.Rebirth
    | moving.Leave | moving.Force | moving.Through | moving.Enter | moving.Hazard | moving.Dodge | moving.Turn
    | moving.Arrive | moving.Transfer | moving.Forced | moving.Shift
    | quests.Attempt | quests.Judge | quests.Complete
    | response.Respond
    | battle.Responses | battle.Rolls | battle.Compare | battle.StrikeHero | battle.Challenges | battle.Challenge
    | battle.EndBattle
    | group.Golem | group.GolemStrikes | group.SpringTrap | group.SettleTrap | group.AttackHero
    | group.ToLair | group.LairOrHand | group.Reward | group.GivePeril | group.EndGroup | group.Hunt | group.EndHunt
    | inventory.Excess | inventory.ReapPhase | inventory.Reap
    | villainy.VillainyPhase | villainy.Villainy | villainy.GroupDraft
    | lay.LayOne | lay.Lay | lay.LayTiles | lay.LayTile
    | deeds.DeedsPhase | deeds.Deeds
    | solo.SoloPeril | solo.SoloBattle | solo.SoloLair
    | turn.NextTurn | turn.Recovery | turn.Phase | turn.DiscardOne | turn.Stay | turn.Save | turn.DrawHand
    | Muster | Equip
)  # fmt: skip
