"""Thousands of random rounds, and what always holds in them; the events that other programs read."""

from collections.abc import Iterator
from copy import copy
from random import Random
from typing import Any

import msgspec
import pytest

from engine.games.scrawl import game
from engine.games.scrawl.cards import board, deck
from engine.games.scrawl.drafts import fold, outing
from engine.games.scrawl.facts import (
    CELLS,
    HEROES,
    LETTERS,
    LINES,
    ROOMS,
    Acted,
    Dungeon,
    Gems,
    Objectives,
    Prepared,
    Rolled,
    Round,
    ScrawlResult,
    Setup,
    Sheet,
    SheetTold,
    chronicle,
)
from engine.games.scrawl.rules import Scrawl
from engine.games.scrawl.scoring import lines
from engine.proof import canonical
from engine.saved_table import SavedTable
from engine.steps import Event
from engine.table import Table
from engine.table_events import Began, Opened, Revealed
from engine.testing import deal, new_table, play_at_random, whole_log
from engine.verify import export, verify
from tests.engine.games.scrawl.sitting import idle, only, state_of

pytestmark = pytest.mark.no_cover


def sound(sheet: Sheet, dungeon: str) -> None:
    here = board(dungeon)
    assert list(sheet.levels) == list(HEROES) and all(1 <= level <= 6 for level in sheet.levels.values())
    assert list(sheet.items) == list(deck().items) and all(0 <= cells <= CELLS for cells in sheet.items.values())
    assert 0 <= sheet.potions <= 12 and 0 <= sheet.hearts <= 2 * sheet.potions and 0 <= sheet.wounds <= 24
    assert sheet.resurrected or sheet.wounds <= sheet.strength
    outside = (sheet.levels["R"] >= 4) + (sheet.potions == 12)
    assert sheet.gems == len(sheet.stolen) + outside
    assert not set(sheet.stolen) & set(sheet.crossed) and set(sheet.stolen + sheet.crossed) <= set(LETTERS)
    assert len(set(sheet.stolen)) == len(sheet.stolen) and len(set(sheet.beaten)) == len(sheet.beaten)
    assert all(here.rooms[room].minion for room in sheet.beaten)
    assert sheet.rooms == tuple(dict.fromkeys(sheet.path)) and set(sheet.rooms) <= set(ROOMS)
    assert sheet.path[:1] == () or sheet.path[0][1] == "1"
    for a, b in zip(sheet.path, sheet.path[1:], strict=False):
        between = here.near[a][b]
        assert between in ("open", "wrap") or sheet.items["cloak" if between == "wall" else "medallion"] == CELLS
    entered = [room for room in sheet.path if here.rooms[room].trap]
    assert sheet.traps == len(entered)
    assert {room for room in sheet.rooms if here.rooms[room].minion} <= set(sheet.beaten)
    total = lines(sheet, here)
    assert tuple(total) == (*LINES,) and total["M"] == sum(total[line] for line in LINES[:-1])


def grown(before: Sheet, after: Sheet) -> None:
    """Nothing on a sheet is ever rubbed out."""
    assert all(after.levels[hero] >= level for hero, level in before.levels.items())
    assert all(after.items[item] >= cells for item, cells in before.items.items())
    for mark in ("potions", "hearts", "wounds", "resurrected", "gems", "traps", "passed"):
        assert getattr(after, mark) >= getattr(before, mark)
    for mark in ("stolen", "crossed", "beaten", "rooms", "path", "monsters", "used"):
        assert getattr(after, mark)[: len(getattr(before, mark))] == getattr(before, mark)


def some_games() -> Iterator[tuple[int, dict[str, str], int]]:
    for seed in range(240):
        options = {"gems": ("stay", "vanish")[seed % 2], "missions": ("yes", "no")[seed // 2 % 2]}
        yield 1 + seed % 8, options if seed % 12 else {"campaign": "kingdom"}, seed


@pytest.mark.parametrize("part", range(4))
def test_random_games_keep_every_sheet_sound(part: int) -> None:
    rounds = 0
    for seats, options, seed in list(some_games())[part::4]:
        table = new_table(game, seats, seed, **options)
        before: list[Sheet] = []
        chapter = 1
        for told in play_at_random(table, Random(seed)):
            state = state_of(table)
            assert table.over or all(table.moves(seat) for seat in table.waits), "a legal word always exists"
            if not told:
                continue
            for sheet in state.sheets:
                sound(sheet, state.dungeon)
            if before and state.chapter == chapter:
                for old, new in zip(before, state.sheets, strict=True):
                    grown(old, new)
            before, chapter = [copy(sheet) for sheet in state.sheets], state.chapter
            for event in told:
                if isinstance(event, Rolled):
                    faces = [die.face for die in event.dice]
                    assert faces.count("skull") < 3 and faces.count("clover") < 3
                if isinstance(event, Round):
                    rounds += 1
                    told_soundly(event)
                    uncrossed(state)
        assert state_of(table).round == 8 and table.over
    assert rounds >= 60 * 8


def told_soundly(event: Round) -> None:
    for draft in event.drafts:
        assert len({use.die for use in draft}) == 3
        assert all(event.dice[use.die].face != "skull" for use in draft)


def uncrossed(state: Scrawl) -> None:
    """Once announced, nobody is left to whom a gem is still there; but for thieves, who announce nothing."""
    for letter in LETTERS:
        announced = any(letter in s.stolen for s in state.sheets if s.talent != "thief" or letter in stolen_inside(s))
        if announced:
            assert all(letter in s.stolen or letter in s.crossed for s in state.sheets)


def stolen_inside(sheet: Sheet) -> tuple[str, ...]:
    return sheet.stolen[1:]


def test_a_draft_is_a_pure_function_of_sheet_and_words() -> None:
    table = new_table(game, 2, 4)
    while table.state.round < 5:
        idle(table)
    state, luck = state_of(table), Random(1)
    before = canonical(state.sheets)
    for _ in range(60):
        start = outing(state.board, state.sheets[0], state.dice)
        now, words = start, []
        while now.words():
            words.append(luck.choice(now.words()))
            now = fold(now, [words[-1]])
            assert fold(start, words).sheet == now.sheet
        assert words[-1] == "done" and canonical(state.sheets) == before


@pytest.mark.parametrize("seats", game.seats)
def test_defaults_alone_play_to_the_end(seats: int) -> None:
    table, told = Table.begin(game, seats, deal(seats, 9))
    asks = set()
    while not table.over:
        asks.add(table.shared().asks)
        told += idle(table)
    assert {"Keep", "ThreeDice"} <= asks
    rounds = [event for event in told if isinstance(event, Round)]
    assert len(rounds) == 8
    used = [[use.action for use in draft] for event in rounds for draft in event.drafts]
    assert used == [["move"] * 3] * 8 * seats, "unused dice become moves of 0 steps"
    assert all(sheet.at is None for sheet in rounds[-1].sheets)


def test_a_half_made_draft_is_completed_by_defaults() -> None:
    for seed in range(20):
        table = new_table(game, 2, seed)
        while table.state.round < 1 + seed % 8:
            idle(table)
        luck = Random(seed)
        for _ in range(luck.randrange(6)):
            if table.moves(0) != ["done"]:
                table.play(0, luck.choice(table.moves(0)), table.round, "00" * 16)
        begun = table.drafts.get(0, ())
        told = idle(table)
        assert only(told[:1], Revealed).answers[0].words[: len(begun)] == begun


def test_state_and_drafts_go_through_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.table.find", lambda key: game)
    for seed in range(6):
        table = new_table(game, 1 + seed, seed, campaign="none" if seed % 2 else "tower")
        luck = Random(seed)
        for n, _ in enumerate(play_at_random(table, luck)):
            if n % 17 == 0:
                again = msgspec.json.decode(msgspec.json.encode(table.state), type=Scrawl)
                assert again == table.state and canonical(again) == canonical(table.state)
                restored = Table.restore(msgspec.json.decode(msgspec.json.encode(table.save()), type=SavedTable))
                assert [canonical(restored.own(s)) for s in range(table.seats)] == [
                    canonical(table.own(s)) for s in range(table.seats)
                ]
                assert canonical(restored.shared()) == canonical(table.shared())


def test_a_log_of_any_variant_verifies(monkeypatch: pytest.MonkeyPatch) -> None:
    for find in ("engine.table.find", "engine.verify.find"):
        monkeypatch.setattr(find, lambda key: game)
    for seats, options in ((3, {}), (1, {}), (8, {"gems": "vanish"}), (2, {"campaign": "hamunaptra"})):
        log = list(export(whole_log(game, seats, 5, **options), ["?"] * seats))
        report = verify(log)
        assert report.holds and report.finished, report.say()
        at = next(i for i, line in enumerate(log) if b'"kind":"round"' in line)
        changed = log[at].replace(b'"wounds":', b'"wounds":1')
        assert verify([*log[:at], changed, *log[at + 1 :]]).line == at + 1


def test_events_have_the_shape_that_other_programs_were_promised() -> None:
    log = [msgspec.json.decode(canonical(event)) for event in whole_log(game, 3, 11)]
    kinds = [line["kind"] for line in log]
    assert kinds[:3] == ["began", "dungeon", "revealed"] and kinds[-1] == "opened"
    (setup,) = [line for line in log if line["kind"] == "setup"]
    assert setup["dungeon"] in deck().dungeons and len(setup["monsters"]) == len(setup["missions"]) == 3
    assert len(setup["talents"]) == len(setup["objectives"]) == 3
    rounds = [line for line in log if line["kind"] == "round"]
    assert [line["round"] for line in rounds] == list(range(1, 9))
    for line in rounds:
        assert list(line) == ["kind", "round", "dice", "drafts", "sheets"]
        assert len(line["dice"]) == 6 and {"colour", "face"} == set(line["dice"][0])
        for draft in line["drafts"]:
            for use in draft:
                assert use["action"] in ("level", "craft", "brew", "move") and use["die"] in range(6)
                assert ("hero" in use) == (use["action"] == "level") and ("item" in use) == (use["action"] == "craft")
        for sheet in line["sheets"]:
            assert set(sheet) == {
                "levels", "wounds", "resurrected", "potions", "hearts", "items", "gems", "stolen", "minions", "rooms",
                "at", "monsters", "missions",
            }  # fmt: skip
            assert set(sheet["levels"]) == {"warrior", "mage", "cleric", "rogue"}
    (result,) = [line for line in log if line["kind"] == "result"]
    assert all(set(lines) == set(LINES) for lines in result["lines"]) and len(result["lines"]) == 3
    best = max(lines["M"] for lines in result["lines"])
    assert all(result["lines"][seat]["M"] == best for seat in result["winners"])


def test_a_chronicle_tells_the_objectives_at_the_start_of_each_chapter() -> None:
    for options, chapters in (({}, 1), ({"campaign": "kingdom"}, 3)):
        log = whole_log(game, 2, 4, **options)
        told = chronicle(log)
        kept = [event.objectives for event in log if isinstance(event, Objectives)]
        assert [event.objectives for event in told if isinstance(event, Setup)] == kept and len(kept) == chapters
        assert [e for e in told if not isinstance(e, Setup)] == [e for e in log if not isinstance(e, Setup)]


def test_the_events_alone_tell_the_whole_game_again() -> None:
    """A program that reads the lines, and knows the rules, comes to the same sheets: nothing that matters is untold."""
    for seats, seed in ((1, 1), (3, 2), (8, 3)):
        replay(whole_log(game, seats, seed))


def replay(log: list[Event]) -> None:
    setup, objectives = only(log, Setup), only(log, Objectives).objectives
    here = board(setup.dungeon)
    prepared: list[SheetTold] = list(only(log, Prepared).sheets)
    walls = {hero: word for word, hero in HEROES.items()}
    crossed: list[tuple[str, ...]] = [()] * len(prepared)
    for event in log:
        if isinstance(event, Gems):
            crossed = [old + new for old, new in zip(crossed, event.crossed, strict=True)]
        if isinstance(event, Acted):
            for beats in event.beats:
                assert beats[-1].word == "done"
        if isinstance(event, Round):
            for seat, told in enumerate(event.sheets):
                walked = [room for use in event.drafts[seat] if use.action == "move" for room in use.steps or ()]
                assert told.at == (walked[-1] if walked else prepared[seat].at)
                assert set(told.rooms) == set(prepared[seat].rooms) | set(walked)
                raised = [use.hero for use in event.drafts[seat] if use.action == "level"]
                chosen = [c["hero"] for use in event.drafts[seat] for c in use.choices if "hero" in c]
                for hero in walls:
                    gained = told.levels[hero] - prepared[seat].levels[hero]
                    assert gained - raised.count(hero) - chosen.count(hero) in (0, 1), "1: a monster's reward"
            prepared = list(event.sheets)
    assert only(log, ScrawlResult).lines[0]["F"] == here.deck.tracks.gems[prepared[0].gems]
    assert len(objectives) == len(prepared)


def test_the_same_seed_gives_the_same_bytes() -> None:
    first, second = (b"".join(map(canonical, whole_log(game, 4, 6))) for _ in range(2))
    assert first == second


def test_what_is_dealt_does_not_depend_on_the_order_in_which_teams_are_done() -> None:
    """P-43, P-44: nothing another team does can affect it."""
    logs: list[list[Any]] = []
    for order in (1, -1):
        table, told = Table.begin(game, 4, deal(4, 8))
        while not table.over:
            for seat in table.waits[::order]:
                told += idle(table, seat)
        logs.append([event for event in told if not isinstance(event, Revealed | Opened | Began)])
    assert logs[0] == logs[1]
    assert any(isinstance(event, Dungeon) for event in logs[0])
