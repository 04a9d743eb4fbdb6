"""The rules of Paper Dungeons in the order of the rulebook. One team's own actions are in `drafts`."""

from collections.abc import Mapping, Sequence
from copy import copy

from msgspec import field

from engine import Ask, Chance, Draft, Move, Standing, State, Step
from engine.games.scrawl import drafts
from engine.games.scrawl.cards import Board, Monster, board, deck
from engine.games.scrawl.facts import (
    FACES,
    HEROES,
    Acted,
    Chapter,
    ChapterDone,
    Die,
    Dungeon,
    Fight,
    Fought,
    Gems,
    Mission,
    Objectives,
    Prepared,
    Rewarded,
    Rolled,
    Round,
    Scored,
    ScrawlResult,
    Setup,
    Sheet,
    Vanished,
    colour,
    told,
)
from engine.games.scrawl.scoring import STAGE_ENDS, difference, fulfils, glory, lines, met, power, stage
from engine.games.scrawl.team import Team, skull_wounds, team

ROUNDS = 8


class LayOut(Step["Scrawl"], frozen=True):
    """P-29 Draw a dungeon card. P-30 Its monsters are public. P-31 Draw three missions. P-32 Deal 2 talents and 2
    objectives to everybody. P-101 In a campaign the dungeons come in order, and all other decks are complete again."""

    dungeon: str = ""  # fixed cards instead of random ones, for a lesson
    missions: tuple[str, ...] = ()

    def do(self, g: "Scrawl") -> None:
        g.chapter += 1
        cards = deck()
        g.dungeon = self.dungeon or (g.campaign[g.chapter - 1] if g.campaign else g.shuffled(cards.dungeons)[0])
        drawn = self.missions or (g.shuffled(cards.missions)[: cards.mission_rule.drawn] if g.with_missions else ())
        g.missions = [Mission(mission) for mission in drawn]
        talents, objectives = g.shuffled(cards.talents), g.shuffled(cards.objectives)
        g.talents = [(talents[2 * seat], talents[2 * seat + 1]) for seat in range(g.seats)]
        g.objectives = [(objectives[2 * seat], objectives[2 * seat + 1]) for seat in range(g.seats)]
        g.kept = [""] * g.seats
        g.sheets = [Sheet(items=dict.fromkeys(cards.items, 0)) for _ in range(g.seats)]
        g.round, g.dice, g.drafts, g.glory = 0, (), [], []
        g.tell(Dungeon(g.dungeon, g.board.monster_ids, tuple(drawn), g.chapter))
        g.next(Keep(), Prepare(), NextRound())


class Keep(Ask["Scrawl"], frozen=True):
    """P-33 Every player keeps one talent and one objective, and returns the others unseen."""

    def who(self, g: "Scrawl") -> list[int]:
        return list(range(g.seats))

    def options(self, g: "Scrawl", seat: int, draft: Draft) -> list[Move]:
        if not draft:
            return [f"talent {talent}" for talent in g.talents[seat]]
        return [f"objective {objective}" for objective in g.objectives[seat]]

    def unfinished(self, g: "Scrawl", seat: int, draft: Draft) -> bool:
        return len(draft) < 2

    def kept(self, word: Move) -> bool:
        return word.startswith("objective ")

    def take(self, g: "Scrawl", answers: dict[int, Draft]) -> None:
        """P-34 The objective shows which two heroes are black."""
        for seat, words in answers.items():
            talent, objective = (word.split()[1] for word in words)
            g.kept[seat] = objective
            g.sheets[seat] = sheet = copy(g.sheets[seat])
            sheet.talent, sheet.black = talent, deck().objectives[objective].black
        g.tell(
            Setup(
                dungeon=g.dungeon,
                monsters=g.board.monster_ids,
                missions=tuple(mission.id for mission in g.missions),
                talents=tuple(sheet.talent for sheet in g.sheets),
                objectives=(None,) * g.seats,
                black=tuple(tuple(HEROES[hero] for hero in sheet.black) for sheet in g.sheets),
            )
        )


class TeamAsk(Ask["Scrawl"], frozen=True):
    """An ask for a draft on the team's own sheet; several teams may be asked at once."""

    def start(self, g: "Scrawl", seat: int) -> drafts.Outing:
        found = drafts.opening(type(self).__name__, g.board, g.sheets[seat], g.dice, stage(g.round))
        assert found is not None
        return found

    def who(self, g: "Scrawl") -> list[int]:
        return [seat for seat in range(g.seats) if self.start(g, seat).words()]

    def options(self, g: "Scrawl", seat: int, draft: Draft) -> list[Move]:
        return drafts.fold(self.start(g, seat), draft).words()

    def unfinished(self, g: "Scrawl", seat: int, draft: Draft) -> bool:
        return bool(self.options(g, seat, draft))


class Prepare(TeamAsk, frozen=True):
    """P-35 Carry out the talents that work before the game."""

    def take(self, g: "Scrawl", answers: dict[int, Draft]) -> None:
        """P-36 Round 1 begins. Teams are outside and have not chosen an entrance."""
        words = [answers.get(seat, ()) for seat in range(g.seats)]
        g.sheets = [drafts.fold(self.start(g, seat), words[seat]).sheet for seat in range(g.seats)]
        g.tell(Prepared(tuple(map(drafts.choices, words)), tuple(map(told, g.sheets))))


class NextRound(Step["Scrawl"], frozen=True):
    """P-37 A round consists of: roll, skulls, three dice, end of round."""

    def do(self, g: "Scrawl") -> None:
        g.round += 1
        g.next(Roll(), ThreeDice(), EndRound())


class Roll(Step["Scrawl"], frozen=True):
    """P-38 The six dice are rolled once for everybody. P-28 If 3 or more show skulls, or clovers, all are rolled again.
    P-39 Then each skull gives each team 1 wound."""

    dice: tuple[str, ...] = ()  # fixed dice instead of a roll, for a lesson

    def do(self, g: "Scrawl") -> None:
        again = 0
        g.dice = self.dice or g.rolled()
        while not self.dice and rolled_again(g.dice):
            again += 1
            g.dice = g.rolled()
        skulls = g.dice.count("skull")
        before = list(g.sheets)
        for seat, sheet in enumerate(before):
            g.team(seat).wound(skull_wounds(g.board, sheet, skulls))
        changes = (difference(g.board, *sheets) for sheets in zip(before, g.sheets, strict=True))
        g.tell(Rolled(g.round, g.told_dice, again, skulls, tuple(changes)))


class ThreeDice(TeamAsk, frozen=True):
    """P-40 Each team uses exactly 3 different dice that show no skull, in any order. P-43 All teams act at once. P-44
    Choices are sealed until every team has declared its round finished."""

    def who(self, g: "Scrawl") -> list[int]:
        return list(range(g.seats))

    def unfinished(self, g: "Scrawl", seat: int, draft: Draft) -> bool:
        return draft[-1:] != ("done",)

    def default(self, g: "Scrawl", seat: int, draft: Draft) -> Move:
        """Unused dice become moves of 0 steps; choices take the first option on the sheet."""
        words = self.options(g, seat, draft)
        if "stop" in words:
            return "stop"
        return next((word for word in words if word.startswith("move ")), words[0])

    def take(self, g: "Scrawl", answers: dict[int, Draft]) -> None:
        starts = {seat: self.start(g, seat) for seat in answers}
        g.tell(Acted(g.round, tuple(tuple(drafts.beats(starts[seat], answers[seat])) for seat in answers)))
        before = g.sheets
        g.drafts = list(answers.values())
        g.sheets = [drafts.fold(starts[seat], answers[seat]).sheet for seat in answers]
        stolen = [now.stolen[len(old.stolen) :] for old, now in zip(before, g.sheets, strict=True)]
        g.next(Announce(tuple(stolen)))


class Announce(Step["Scrawl"], frozen=True):
    """P-82 All letters stolen in this round are announced. Teams that have not stolen a letter cross it out; all teams
    that have stolen it keep it."""

    stolen: tuple[tuple[str, ...], ...]

    def do(self, g: "Scrawl") -> None:
        letters = tuple(sorted({letter for stolen in self.stolen for letter in stolen}))
        if letters:
            g.tell(Gems(self.stolen, tuple(g.team(seat).cross_out(letters) for seat in range(g.seats))))


class EndRound(Step["Scrawl"], frozen=True):
    """P-45 After the gems: in rounds 3, 6 and 8 the monster, then vanishing gems; then missions; then the next round
    or, after round 8, the scoring (P-97)."""

    def do(self, g: "Scrawl") -> None:
        monster: tuple[Step, ...] = (FaceMonster(), Vanish()) if g.round in STAGE_ENDS else ()
        g.next(*monster, CheckMissions(), TellRound(), Score() if g.round == ROUNDS else NextRound())


class FaceMonster(Step["Scrawl"], frozen=True):
    """P-90 Every team that has ever entered the monster's room must fight. P-93 A team that has not, or whose power is
    below the lowest threshold, flees and only loses glory. P-94 The other teams get glory and wounds at once, each for
    itself; the Barbarian gets no wounds. P-95 Of those who did not flee, the team with the strictly highest power gets
    the reward, except in a solo game."""

    def do(self, g: "Scrawl") -> None:
        this, monster = stage(g.round), g.monster
        fights = [self.fight(g, seat, monster) for seat in range(g.seats)]
        order = sorted((fight.power, seat) for seat, fight in enumerate(fights) if fight.tier)
        tied = len(order) > 1 and order[-1][0] == order[-2][0]
        best = order[-1][1] if order and not tied and g.seats > 1 else None
        g.tell(Fought(this, monster.id, tuple(fights), best, monster.reward, monster.amount))
        if best is not None and monster.reward == "glory":
            sheet = g.team(best).sheet
            sheet.monsters = (*sheet.monsters[:-1], sheet.monsters[-1] + monster.amount)
        elif best is not None:
            g.next(Reward(best))

    def fight(self, g: "Scrawl", seat: int, monster: Monster) -> Fight:
        before, team = g.sheets[seat], g.team(seat)
        here, strong = met(team.sheet, g.board, stage(g.round)), power(team.sheet, g.board, monster)
        tier = monster.tier(strong) if here else 0
        _, won, wounds = monster.tiers[tier - 1] if tier else (0, -monster.flee, 0)
        team.sheet.monsters = (*team.sheet.monsters, won)
        if not team.talent("no_monster_wounds"):
            team.wound(wounds)
        return Fight(here, strong, tier, won, difference(g.board, before, team.sheet))


class Reward(TeamAsk, frozen=True):
    """P-95 The team with the highest power gets the card's reward and everything that it triggers."""

    seat: int

    def who(self, g: "Scrawl") -> list[int]:
        return [self.seat] if self.start(g, self.seat).words() else []

    def take(self, g: "Scrawl", answers: dict[int, Draft]) -> None:
        words, before = answers.get(self.seat, ()), g.sheets[self.seat]
        g.sheets[self.seat] = after = drafts.fold(self.start(g, self.seat), words).sheet
        g.tell(Rewarded(self.seat, drafts.choices(words), difference(g.board, before, after)))


class Vanish(Step["Scrawl"], frozen=True):
    """P-96, P-100 With vanishing gems, each team crosses out the two letters on the monster's card that it has not
    stolen, even if all teams fled."""

    def do(self, g: "Scrawl") -> None:
        if g.vanishing and (letters := g.monster.vanish):
            g.tell(Vanished(letters, tuple(g.team(seat).cross_out(letters) for seat in range(g.seats))))


class CheckMissions(Step["Scrawl"], frozen=True):
    """P-85 All teams that fulfil an open mission in the same round score it; then the card is out of the game. P-86 4
    glory each. P-102 Solo: the glory depends on the round."""

    def do(self, g: "Scrawl") -> None:
        rule = deck().mission_rule
        worth = rule.solo[g.round - 1] if g.seats == 1 else rule.glory
        scored: dict[str, tuple[int, ...]] = {}
        for i, mission in enumerate(g.missions):
            seats = tuple(s for s, sheet in enumerate(g.sheets) if fulfils(sheet, g.board, mission.id))
            if mission.round or not seats:
                continue
            g.missions[i] = Mission(mission.id, g.round, seats)
            scored[mission.id] = seats
            for seat in seats:
                sheet = g.team(seat).sheet
                sheet.missions = {**sheet.missions, mission.id: worth}
        if scored:
            g.tell(Scored(scored, worth))


class TellRound(Step["Scrawl"], frozen=True):
    """The round is over."""

    def do(self, g: "Scrawl") -> None:
        g.glory.append(tuple(glory(sheet, g.board) for sheet in g.sheets))
        played = tuple(drafts.uses(words) for words in g.drafts)
        g.tell(Round(g.round, g.told_dice, played, tuple(map(told, g.sheets))))


class Score(Step["Scrawl"], frozen=True):
    """P-4, P-97 The game ends after round 8 and objectives are revealed. P-98 Twelve lines are scored. P-101 In a
    campaign each chapter is scored, and the sum decides."""

    def do(self, g: "Scrawl") -> None:
        found = tuple(lines(sheet, g.board, kept) for sheet, kept in zip(g.sheets, g.kept, strict=True))
        rooms = tuple(len(sheet.rooms) for sheet in g.sheets)
        totals = tuple(line["M"] for line in found)
        g.past.append(ChapterDone(g.dungeon, totals, rooms, found, tuple(g.kept)))
        g.tell(Objectives(tuple(g.kept)))
        if g.campaign:
            sums = tuple(sum(done.totals[seat] for done in g.past) for seat in range(g.seats))
            g.tell(Chapter(g.chapter, g.dungeon, found, rooms, sums))
        if g.chapter < len(g.campaign):
            g.next(LayOut())
        else:
            g.finish(decide(g.past))


def decide(past: Sequence[ChapterDone]) -> ScrawlResult:
    """P-99 Most glory wins; in a tie, more explored rooms; if still tied, the victory is shared."""
    seats = range(len(past[0].totals))
    found = tuple({line: sum(done.lines[s][line] for done in past) for line in past[0].lines[s]} for s in seats)
    score = [(found[seat]["M"], sum(done.rooms[seat] for done in past)) for seat in seats]
    standings = []
    for seat in sorted(seats, key=lambda seat: score[seat], reverse=True):
        glory, rooms = score[seat]
        place = 1 + sum(other > score[seat] for other in score)
        others = [score[other] for other in seats if other != seat]
        why = "shared" if score[seat] in others else "rooms" if glory in (o[0] for o in others) else "glory"
        standings.append(Standing(seat, place, {"glory": glory, "rooms": rooms}, why))
    winners = tuple(seat for seat in seats if score[seat] == max(score))
    return ScrawlResult(winners, tuple(standings), found)


Steps = (
    LayOut | Keep | Prepare | NextRound | Roll | ThreeDice | Announce | EndRound | FaceMonster | Reward | Vanish
    | CheckMissions | TellRound | Score
)  # fmt: skip


class Scrawl(State, kw_only=True):
    todo: list[Steps]
    result: ScrawlResult | None = None
    seats: int
    with_missions: bool = True
    vanishing: bool = False
    campaign: tuple[str, ...] = ()  # the scenario's dungeons; empty without a campaign
    chapter: int = 0
    past: list[ChapterDone] = field(default_factory=list)
    dungeon: str = ""
    missions: list[Mission] = field(default_factory=list)
    talents: list[tuple[str, str]] = field(default_factory=list)  # dealt to each seat
    objectives: list[tuple[str, str]] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # objectives; "" before the choice
    sheets: list[Sheet] = field(default_factory=list)
    round: int = 0
    dice: tuple[str, ...] = ()
    drafts: list[Draft] = field(default_factory=list)  # this round's drafts, once revealed
    glory: list[tuple[int, ...]] = field(default_factory=list)  # by round, then by seat

    @property
    def board(self) -> Board:
        return board(self.dungeon)

    @property
    def monster(self) -> Monster:
        return self.board.monsters[stage(self.round) - 1]

    @property
    def told_dice(self) -> tuple[Die, ...]:
        return tuple(Die(colour(die), face) for die, face in enumerate(self.dice))

    def rolled(self) -> tuple[str, ...]:
        return tuple(faces[self.chance.below(len(faces))] for faces in FACES)

    def shuffled(self, cards: Mapping[str, object]) -> list[str]:
        found = list(cards)
        self.chance.shuffle(found)
        return found

    def team(self, seat: int) -> Team:
        """Replace this seat's sheet with a copy that may be changed. The old sheet stays as it is for comparisons."""
        new = team(self.board, self.sheets[seat])
        self.sheets[seat] = new.sheet
        return new


def rolled_again(dice: Sequence[str]) -> bool:
    """P-28 A roll with 3 or more skulls, or 3 or more clovers, is repeated and wounds nobody."""
    return dice.count("skull") >= 3 or dice.count("clover") >= 3


def setup(seats: int, options: Mapping[str, str], chance: Chance) -> Scrawl:
    """P-102 A solo game always has vanishing gems. P-103 Missions can be left out for a first game."""
    scenario = [dungeon.id for dungeon in deck().dungeons.values() if dungeon.scenario == options["campaign"]]
    return Scrawl(
        todo=[LayOut()],
        chance=chance,
        seats=seats,
        with_missions=options["missions"] == "yes",
        vanishing=options["gems"] == "vanish" or seats == 1,
        campaign=tuple(scenario),
    )
