"""P-85 to P-89: missions, objectives, talents; and the file of cards."""

from importlib.resources import files
from pathlib import Path

import pytest

from engine.cards import CardError
from engine.games.scrawl import sheet
from engine.games.scrawl.cards import Deck, board, deck, load, reachable
from engine.games.scrawl.facts import ROOMS, Prepared, Scored, Sheet
from engine.games.scrawl.scoring import MEASURES, fulfils, lines, objective_glory
from engine.games.scrawl.worth import distances
from tests.engine.games.scrawl.sitting import (
    at,
    idle,
    only,
    out,
    play,
    said,
    say,
    sitting,
    state_of,
    walk,
)
from tests.engine.games.scrawl.test_setup import keeping

DECK, HERE = deck(), board("A")
PLAIN = ("W", "M", "C", "W", "M", "C")
TEXT = (files("engine.games.scrawl") / "cards.toml").read_text("utf-8")


def levels(w: int, m: int, c: int, r: int) -> dict[str, int]:
    return {"W": w, "M": m, "C": c, "R": r}


def minions(*wanted: int) -> tuple[str, ...]:
    """Rooms of defeated minions of these levels."""
    left = {name: room.level for name, room in HERE.rooms.items() if room.minion}
    found = []
    for level in wanted:
        found.append(next(name for name in left if left[name] == level))
        del left[found[-1]]
    return tuple(found)


def some(n: int, *, of: str = "ABCDEF") -> tuple[str, ...]:
    return tuple(room for room in ROOMS if room[0] in of)[:n]


RIM = tuple(room for room in ROOMS if room[0] in "AF" or room[1] in "17")

JUST_AND_NOT_QUITE: dict[str, tuple[Sheet, Sheet]] = {
    "M01": (sheet(beaten=minions(2, 3, 5)), sheet(beaten=minions(2, 2, 5, 5))),
    "M02": (sheet(levels=levels(1, 1, 1, 6)), sheet(levels=levels(5, 5, 5, 5))),
    "M03": (sheet(rooms=some(6)), sheet(rooms=(*some(5), "A2"))),
    "M04": (sheet(levels=levels(3, 3, 3, 3)), sheet(levels=levels(6, 6, 6, 2))),
    "M05": (sheet(rooms=some(7, of="A")), sheet(rooms=some(6, of="A"))),
    "M06": (sheet(potions=8), sheet(potions=7)),
    "M07": (sheet(levels=levels(4, 4, 4, 1)), sheet(levels=levels(6, 6, 3, 3))),
    "M08": (sheet(beaten=minions(2, 2, 2, 2, 3, 3)), sheet(beaten=minions(2, 2, 2, 2, 3))),
    "M09": (sheet(gems=4), sheet(gems=3)),
    "M10": (sheet(rooms=("A1", "F7")), sheet(rooms=("A1", "B1"))),
    "M11": (sheet(rooms=("B1", "E1", "C2", "D3", "F4")), sheet(rooms=("B1", "E1", "C2", "D3"), traps=9)),
    "M12": (sheet(rooms=some(15)), sheet(rooms=some(14))),
    "M13": (
        sheet(items=dict.fromkeys(("sword", "tome", "crown", "cloak"), 2)),
        sheet(items=dict.fromkeys(DECK.items, 1) | dict.fromkeys(("sword", "tome", "crown"), 2)),
    ),
    "M14": (sheet(levels=levels(3, 3, 3, 3)), sheet(levels=levels(6, 3, 1, 1))),
    "M15": (sheet(rooms=HERE.lairs), sheet(rooms=HERE.lairs[:2])),
    "M16": (sheet(levels=levels(5, 5, 1, 1)), sheet(levels=levels(6, 4, 4, 4))),
}

TIERS: dict[str, tuple[Sheet, Sheet, Sheet]] = {
    "O01": (sheet(gems=2), sheet(gems=5), sheet(gems=7)),
    "O02": (sheet(beaten=minions(4, 4)), sheet(beaten=minions(4, 4, 4)), sheet(beaten=minions(4, 4, 4, 4))),
    "O03": (sheet(beaten=minions(5, 5)), sheet(beaten=minions(5, 5, 5)), sheet(beaten=minions(5, 5, 5, 5))),
    "O04": (sheet(beaten=minions(3, 3)), sheet(beaten=minions(3, 3, 3)), sheet(beaten=minions(3, 3, 3, 3))),
    "O05": (sheet(traps=4), sheet(traps=4, passed=3), sheet(passed=10)),
    "O06": (
        sheet(rooms=tuple(c + r for c in "ABCD" for r in "1234")),
        sheet(rooms=tuple(c + r for c in "ABCDE" for r in "1234")),
        sheet(rooms=tuple(c + r for c in "ABCDEF" for r in "1357")),
    ),
    "O07": (sheet(rooms=some(6)), sheet(rooms=some(12)), sheet(rooms=some(18))),
    "O08": (sheet(levels=levels(5, 6, 1, 1)), sheet(levels=levels(5, 5, 5, 4)), sheet(levels=levels(6, 6, 6, 6))),
    "O09": (sheet(potions=6), sheet(potions=9), sheet(potions=12)),
    "O10": (sheet(rooms=some(20)), sheet(rooms=some(25)), sheet(rooms=some(30))),
    "O11": (sheet(monsters=(4, -4, 6)), sheet(monsters=(6, 9)), sheet(monsters=(5, 7, 12))),
    "O12": (
        sheet(items=dict.fromkeys(("sword", "tome"), 2)),
        sheet(items=dict.fromkeys(("sword", "tome", "crown", "cloak"), 2)),
        sheet(items=dict.fromkeys(DECK.items, 2) | {"sceptre": 1}),
    ),
    "O13": (sheet(rooms=RIM[:10]), sheet(rooms=RIM[:13]), sheet(rooms=(*RIM[:16], "B2", "C2"))),
    "O14": (
        sheet(beaten=minions(2, 2, 2, 2)),
        sheet(beaten=minions(2, 2, 2, 2, 3, 3, 3)),
        sheet(beaten=minions(2, 2, 2, 2, 3, 3, 3, 3, 4, 4)),
    ),
    "O15": (sheet(rooms=("A1",)), sheet(rooms=("A1", "F1")), sheet(rooms=("A1", "F1", "A7", "F7"))),
    "O16": (sheet(levels=levels(3, 3, 3, 3)), sheet(levels=levels(4, 4, 4, 4)), sheet(levels=levels(5, 5, 5, 5))),
}  # fmt: skip


@pytest.mark.parametrize("mission", DECK.missions)
def test_every_mission_is_fulfilled_just_so(mission: str) -> None:
    just, not_quite = JUST_AND_NOT_QUITE[mission]
    assert fulfils(just, HERE, mission) and not fulfils(not_quite, HERE, mission)


@pytest.mark.parametrize("objective", DECK.objectives)
def test_every_objective_has_three_tiers(objective: str) -> None:
    assert [objective_glory(each, HERE, objective) for each in TIERS[objective]] == [2, 4, 6]
    assert objective_glory(sheet(), HERE, objective) == 0


def test_p85_all_who_fulfil_a_mission_in_the_same_round_score_it_then_it_is_out() -> None:
    brewing = ("brew 0", "move 1", "stop", "move 2", "stop", "done")
    table = sitting(sheet(potions=6), sheet(potions=6), sheet(potions=5), dice=PLAIN, missions=("M06", "M09"))
    play(table, 0, "brew 0", "item sword", *brewing[1:])
    play(table, 1, "brew 0", "item sword", *brewing[1:])
    told = only(idle(table, 2), Scored)
    assert told.missions == {"M06": (0, 1)} and told.glory == 4
    seen = table.shared().public.missions
    assert [(mission.id, mission.round, mission.seats) for mission in seen] == [("M06", 1, (0, 1)), ("M09", 0, ())]
    state_of(table).sheets[2].potions = 9
    idle(table)
    assert [list(each.missions) for each in state_of(table).sheets] == [["M06"], ["M06"], []], "out of the game"


def test_p85_a_team_may_score_several_at_once() -> None:
    table = sitting(sheet(potions=8, gems=4), sheet(), dice=PLAIN, missions=("M06", "M09", "M12"))
    told = idle(table)
    assert only(told, Scored).missions == {"M06": (0,), "M09": (0,)}
    assert lines(state_of(table).sheets[0], HERE)["L"] == 8


def test_p86_a_mission_is_worth_4() -> None:
    assert DECK.mission_rule.glory == 4
    table = sitting(sheet(), sheet(gems=4), dice=PLAIN, missions=("M09",), round=7)
    idle(table)
    assert state_of(table).sheets[1].missions == {"M09": 4}


def test_p87_only_the_highest_tier_counts_and_below_the_first_there_is_nothing() -> None:
    """2, 4 or 6 glory for 2, 5 or 7 gems."""
    assert [objective_glory(sheet(gems=gems), HERE, "O01") for gems in range(9)] == [0, 0, 2, 2, 2, 4, 4, 6, 6]


def test_p87_example_4_of_the_objective_and_2_of_the_talent_make_6() -> None:
    assert lines(sheet(gems=5, talent="mystic"), HERE, "O01")["K"] == 6


def test_p88_a_team_has_one_talent_which_may_change_the_glory() -> None:
    ends = {talent.id: talent.end for talent in DECK.talents.values()}
    assert ends == {
        "alchemist": -1, "noble": -1, "barbarian": 0, "thief": 0, "bloodthirsty": -2, "marauder": -2, "master": -3,
        "mystic": 2, "seer": 2, "scout": -2, "pathfinder": -1, "merchant": -1, "assassin": 0, "tinker": -3,
        "healer": 2, "shaman": 3,
    }  # fmt: skip
    assert lines(sheet(talent="shaman"), HERE)["K"] == 3


def test_p89_alchemist_noble_and_merchant() -> None:
    assert said(["brew 0"], where=sheet(talent="alchemist")).potions == 3
    assert walk(sheet(talent="alchemist"), "F1").sheet.potions == 1, "only a die used to brew"
    warriors = ("W",) * 6
    now = say(out(sheet(talent="noble", levels={"W": 4}), warriors), "level 3 W")
    assert now.words()[0] == "item sword"
    assert say(out(sheet(talent="noble", levels={"W": 5}), warriors), "level 3 W").queue == ()
    assert walk(at("C1", talent="merchant"), "C2").sheet.potions == 1
    assert walk(sheet(potions=11, talent="merchant"), "F1").sheet.potions == 12, "a thirteenth is lost"


def test_p89_marauder_and_shaman_count_every_third_minion() -> None:
    for beaten, due in ((0, False), (1, False), (2, True), (3, False), (5, True)):
        others = tuple(room for room in minions(2, 2, 5, 5, 5, 4) if room != "E2")[:beaten]
        marauders = walk(at("D2", talent="marauder", beaten=others), "E2")
        assert bool(marauders.queue) is due
        assert walk(at("D2", talent="shaman", beaten=others), "E2").sheet.potions == int(due)


def test_p89_the_mystic_turns_one_die_a_round() -> None:
    now = out(sheet(talent="mystic", black=("W", "C")), ("W", "W", "M", "M", "M", "W"))
    assert {"level 0 W", "level 3 M", "level 5 W"} <= set(now.words())
    say(now, "level 5 W")
    assert "level 0 W" in now.words(), "a fitting die does not use it up"
    say(now, "level 0 W")
    assert "level 1 W" not in now.words() and "level 3 M" not in now.words()


def test_p89_the_mystic_is_not_spent_while_the_mage_turns_dice() -> None:
    now = out(sheet(talent="mystic", black=("W", "C"), levels={"M": 4}), ("W", "W", "W", "M", "M", "M"))
    say(now, "level 0 W", "level 1 W")
    assert not now.twisted


def test_p89_every_talent_is_tested_by_its_name() -> None:
    here = Path(__file__).parent
    text = "".join(path.read_text("utf-8") for path in here.glob("test_*.py") if path.name != "test_cards.py")
    text += Path(__file__).read_text("utf-8").split("def test_p89_alchemist")[1]
    assert [talent for talent in DECK.talents if f'"{talent}"' not in text] == []


def test_p89_thief_master_tinker_assassin_and_healer_work_before_the_game() -> None:
    table = keeping("thief", "assassin")
    assert len(table.moves(0)) == 8 and len(table.moves(1)) == 16
    play(table, 0, "gem A")
    told = only(play(table, 1, "minion A1", "minion F7"), Prepared)
    assert [each.gems for each in told.sheets] == [1, 0] and [each.minions for each in told.sheets] == [0, 2]
    mine = state_of(table).sheets[0]
    entered = walk(Sheet(**{name: getattr(mine, name) for name in mine.__struct_fields__}), "C1", "C2").sheet
    assert (entered.gems, entered.traps) == (1, 1), "only the guard is left there"


# The data -------------------------------------------------------------------------------------------------------------


def test_the_facts_of_the_rulebook_stand() -> None:
    assert DECK.tracks.gems[7] == 30 and DECK.tracks.minions[9] == 16 and DECK.tracks.wounds[11] == 6
    assert DECK.tracks.levels[2] == 6
    chimera = DECK.monsters["2A"]
    assert chimera.name == "chimera" and [tier[0] for tier in chimera.tiers[:2]] == [14, 18]
    assert HERE.rooms["D1"].minion == "goblin" and HERE.rooms["D1"].level == 3 and HERE.rooms["D1"].reward == "potion"
    assert HERE.rooms["F1"].reward == "potion" and HERE.rooms["E1"].trap and HERE.rooms["E1"].reward == "item"
    assert [d.id for d in DECK.dungeons.values()] == list("ABCDEFGHIKLM")


@pytest.mark.parametrize("dungeon", DECK.dungeons)
def test_every_room_can_be_reached_and_lairs_are_as_far_as_promised(dungeon: str) -> None:
    here, far = board(dungeon), distances(dungeon, False, False)
    assert reachable(here) == set(ROOMS)
    one, two, three = here.lairs
    assert 3 <= far["outside"][one] <= 5 and 3 <= far[one][two] <= 7 and 3 <= far[two][three] <= 7


def test_every_monster_is_on_three_cards() -> None:
    drawn = [monster for dungeon in DECK.dungeons.values() for monster in dungeon.monsters]
    assert {drawn.count(monster) for monster in DECK.monsters} == {3}
    assert all([m[0] for m in dungeon.monsters] == ["1", "2", "3"] for dungeon in DECK.dungeons.values())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('reward = "level"\nvanish', 'reward = "crown"\nvanish', "monster 1B"),
        ('weakness = "M"\ntiers = [[8, 2, 3], [10', 'weakness = "M"\ntiers = [[8, 2, 3], [7', "monster 1B: tiers"),
        ('"A6-B6", "D4-E4"', '"A6-C6", "D4-E4"', "A6-C6 is not between"),
        ('walls = ["A1-B1", "A6-B6", "D4', 'walls = ["A1-B1", "A7-B7", "D4', "dungeon A: walls: no way to A7"),
        ('walls = ["A1-B1", "A6-B6", "D4', 'walls = ["A2-A3", "A6-B6", "D4', "printed already"),
        ('lairs = ["F4", "A4", "B6"]', 'lairs = ["F4", "F4", "B6"]', "dungeon A: lairs"),
        ('monsters = ["1A", "2B", "3D"]', 'monsters = ["1A", "2B", "9D"]', "no 9D"),
        ('gem = "G"', 'gem = "H"', "every gem"),
        ('"zombie 5"', '"vampire 5"', "rooms A7: minion"),
        ('minion = "zombie 5", gem', 'minion = "zombie 5", reward = "item", gem', "rooms A7: gem"),
        ('"A5-F5"', '"A5-E5"', "A5-E5 does not join"),
        ('"E7-F7"]', '"E7-F7", "E7-F7"]', "named twice"),
        ('black = ["W", "R"]', 'black = ["W", "W"]', "objective O01: black: two different heroes"),
        ('id = "O02"', 'id = "O01"', "objective: O01 is there 2 times"),
        ("drawn = 3", "drawn = 17", "missions: 17 are needed"),
        ('effect = "brew"', 'effect = "brewing"', "talent alchemist"),
        ("[minions]", "[minion]", "unknown: minion"),
        ("A7 = {", "A8 = {", "rooms: it must match the pattern"),
        ("goblin = \"R\"", "goblin = \"X\"", "minions goblin: 'X' is not one of the allowed words"),
        ("[borders]\nwalls = [", "[borders]\nwall = [", "borders: there is no field wall"),
        ("levels = [0, 3,", "levels = [3,", "tracks: levels: at least 6 entries are needed"),
        ("[minions]", "[[minions", "cards.toml: "),
    ],
)  # fmt: skip
def test_a_wrong_file_of_cards_is_named(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(CardError, match=r"cards\.toml") as error:
        load(TEXT.replace(old, new, 1))
    assert message in str(error.value)


def test_the_file_that_comes_with_the_game_is_right() -> None:
    found = load(TEXT)
    assert isinstance(found, Deck) and {card.measure for card in found.missions.values()} <= set(MEASURES)
