"""P-1 to P-22: components, the frame of the game, the printed sheet."""

from engine.games.scrawl import game, sheet
from engine.games.scrawl.cards import board, deck
from engine.games.scrawl.facts import FACES, HEROES, LETTERS, ROOMS, Fought, Sheet
from engine.games.scrawl.scoring import STAGE_ENDS, lines, stage
from engine.testing import new_table
from tests.engine.games.scrawl.sitting import at, idle, only, out, rooms_ahead, say, sitting, state_of, walk

DECK = deck()


def test_p1_components() -> None:
    assert [len(cards) for cards in (DECK.dungeons, DECK.monsters, DECK.missions, DECK.talents, DECK.objectives)] == [
        12, 12, 16, 16, 16,
    ]  # fmt: skip
    assert len(FACES) == 6


def test_p2_one_to_eight_play_and_all_at_once() -> None:
    assert list(game.seats) == [1, 2, 3, 4, 5, 6, 7, 8]
    for seats in game.seats:
        assert new_table(game, seats).waits == list(range(seats))


def test_p3_eight_rounds_in_three_stages() -> None:
    assert [stage(round) for round in range(1, 9)] == [1, 1, 1, 2, 2, 2, 3, 3]
    assert STAGE_ENDS == (3, 6, 8)
    table = new_table(game, 2)
    fought = []
    while not table.over:
        round = table.state.round
        fought += [(round, event.stage) for event in idle(table) if isinstance(event, Fought)]
    assert fought == [(3, 1), (6, 2), (8, 3)]
    assert table.state.round == 8


def test_p4_most_glory_wins_after_monster_3_and_nobody_is_eliminated() -> None:
    dead = sheet(wounds=24, resurrected=True)
    table = sitting(dead, sheet(), round=8, dice=("W", "M", "C", "W", "M", "C"))
    assert table.waits == [0, 1]
    idle(table)
    assert table.over and table.state.result.winners == (1,)


def test_p5_rooms_are_named_by_column_and_row_from_the_bottom() -> None:
    assert len(ROOMS) == 42 and ROOMS[0] == "A1" and ROOMS[-1] == "F7"
    assert set(board("A").rooms) == set(ROOMS)


def test_p6_six_entrances_lie_under_row_1() -> None:
    assert rooms_ahead(say(out(), "move 0")) == {"A1", "B1", "C1", "D1", "E1", "F1"}


def test_p7_borders_are_open_wall_or_water() -> None:
    here = board("A")
    assert here.near["B1"]["C1"] == "wall" and here.near["A6"]["A7"] == "water" and here.near["C1"]["D1"] == "open"
    assert here.near["A1"]["B1"] == "wall", "drawn from the card"
    assert board("B").near["A1"]["B1"] == "open"
    assert all(here.near[a][b] == here.near[b][a] for a in ROOMS for b in here.near[a])


def test_p7_walls_and_water_cannot_be_crossed() -> None:
    assert rooms_ahead(say(out(at("C1")), "move 0")) == {"C2", "D1"}
    assert rooms_ahead(say(out(at("C4")), "move 0")) == {"C5"}


def test_p8_wraps_join_the_ends_of_a_row() -> None:
    assert "A2" in rooms_ahead(say(out(at("F2")), "move 0"))
    assert "F5" in rooms_ahead(say(out(at("A5")), "move 0"))
    assert "A1" not in rooms_ahead(say(out(at("F1")), "move 0"))


def test_p9_a_room_holds_at_most_one_guard_and_one_reward() -> None:
    rooms = board("A").rooms.values()
    assert all(not (room.trap and room.minion) and not (room.reward and room.gem) for room in rooms)
    assert walk(None, "F1").sheet.potions == 1, "no guard: simply taken"


def test_p10_four_kinds_of_minions_each_fought_by_one_class() -> None:
    minions = [(room.minion, room.level, room.hero) for room in board("A").rooms.values() if room.minion]
    classes = {"ghost": "M", "goblin": "R", "orc": "W", "zombie": "C"}
    assert sorted(minions) == sorted((kind, level, classes[kind]) for kind in classes for level in (2, 3, 4, 5))


def test_p11_a_trap_wounds_whoever_enters() -> None:
    traps = [name for name, room in board("A").rooms.items() if room.trap]
    assert sorted(traps) == ["A5", "B1", "B7", "C2", "D3", "D6", "E1", "F4"]
    assert walk(None, "E1").sheet.wounds == 1


def test_p12_eight_gems_lie_behind_guards() -> None:
    gems = {room.gem: room for room in board("A").rooms.values() if room.gem}
    assert sorted(gems) == list(LETTERS)
    assert all(room.minion or room.trap for room in gems.values())


def test_p13_a_lair_keeps_its_content_and_starts_no_fight() -> None:
    here = board("A")
    assert here.lairs == ("F4", "A4", "B6")
    now = walk(at("F3"), "F4", face="W")
    assert now.sheet.wounds == 1 and now.sheet.stolen == ("D",), "the trap and the gem that are printed there"
    assert now.sheet.monsters == ()


def test_p14_heroes_start_at_level_1_and_the_lowest_level_scores() -> None:
    assert Sheet().levels == dict.fromkeys(HEROES, 1)
    assert DECK.tracks.levels == (0, 3, 6, 10, 15, 21)


def test_p15_strength_is_the_sum_of_levels() -> None:
    assert sheet().strength == 4
    assert sheet(levels=dict.fromkeys(HEROES, 6)).strength == 24


def test_p16_the_wounds_track() -> None:
    track = DECK.tracks.wounds
    reached = {cell: track[cell] for cell in range(25) if cell == 0 or track[cell] > track[cell - 1]}
    assert reached == {
        0: 0, 2: 1, 4: 2, 6: 3, 8: 4, 10: 6, 12: 8, 14: 10, 16: 12, 18: 15, 20: 18, 22: 21, 24: 24,
    }  # fmt: skip
    assert track[11] == 6


def test_p17_one_resurrection_box() -> None:
    assert sheet().resurrected is False


def test_p18_eight_items_of_two_cells_four_with_a_symbol() -> None:
    symbols = {item.id: item.symbol for item in DECK.items.values()}
    assert symbols == {
        "sword": "W", "tome": "M", "crown": "C", "cloak": "R",
        "armour": "", "cauldron": "", "medallion": "", "sceptre": "",
    }  # fmt: skip
    assert list(DECK.items) == list(symbols), "in the order of the sheet"


def test_p19_twelve_potions_in_rows_of_four() -> None:
    assert DECK.tracks.potion_rewards == {4: "level", 8: "item", 12: "gem"}


def test_p20_the_gem_track() -> None:
    assert DECK.tracks.gems == (0, 2, 5, 9, 13, 18, 24, 30, 36, 43, 50)
    assert DECK.tracks.gem_rewards == {2: "potion", 4: "item", 6: "level"}


def test_p21_the_minion_track_ends_at_12_but_minions_count_on() -> None:
    assert DECK.tracks.minions == (0, 1, 2, 4, 5, 7, 9, 11, 13, 16, 18, 20, 22)
    rooms = tuple(name for name, room in board("A").rooms.items() if room.minion)
    assert lines(sheet(beaten=rooms[:12]), board("A"))["G"] == 22
    assert lines(sheet(beaten=rooms[:13]), board("A"))["G"] == 22
    hunters = sheet(beaten=rooms[:14], talent="marauder")
    assert out(hunters).sheet.beaten == rooms[:14]


def test_p22_three_dice_a_round_are_recorded() -> None:
    from engine.games.scrawl.facts import Round

    table = sitting(sheet(), sheet(), dice=("W", "M", "C", "W", "M", "C"))
    told = only(idle(table), Round)
    assert [[use.die for use in draft] for draft in told.drafts] == [[0, 1, 2], [0, 1, 2]]
    assert [team.sheet.used for team in table.shared().public.teams] == [(1, 2, 3), (1, 2, 3)]
    round2 = out(sheet(used=(1, 2, 3)), ("skull", "W", "clover", "R", "boots", "M"))
    assert say(round2, "move 4", "stop", "brew 2", "craft 3 cloak", "done").sheet.used == (1, 2, 3, 6, 5, 4)
    assert state_of(sitting(sheet(), round=3, dice=("W",) * 6)).sheets[0].used == (0,) * 6, "unknown ones"
