"""Who made a move is published at the reveal, also to the game's steps, and not before."""

from collections.abc import Sequence
from random import Random
from typing import Any, get_args

import msgspec
import pytest

from engine.proof import canonical
from engine.saved_table import SavedTable
from engine.steps import By, Draft, Event
from engine.table import Table
from engine.table_events import Answer, AnyTime, Revealed
from engine.testing.moves import SECRET, deal, new_table, secret
from engine.verify import export, verify
from tests.engine import tiny, tiny_moves
from tests.engine.logs import Json, broken, find
from tests.engine.tables import everything
from tests.engine.tiny_moves import Counted, Shouted

pytestmark = pytest.mark.usefixtures("tiny_games")

BYS = get_args(By)


def play(table: Table, seat: int, words: Sequence[str], *by: By) -> list[Any]:
    """Play these words; each is made by the next of `by`, the last one repeats."""
    events: list[Any] = []
    for i, word in enumerate(words):
        events += table.play(seat, word, table.round, SECRET, by[min(i, len(by) - 1)])
    return events


# the game's steps know it ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", BYS)
def test_a_step_can_tell_who_made_an_answer(by: By) -> None:
    table = new_table(tiny_moves.late, 2)
    play(table, 0, ["1", "1"], by)
    revealed, counted = play(table, 1, ["1", "2"], "player")
    assert [answer.by for answer in revealed.answers] == [by, "player"]
    assert counted == Counted((2 if by == "player" else 0, 3), (by, "player"))


@pytest.mark.parametrize("by", BYS)
def test_a_move_at_any_time_can_tell_too(by: By) -> None:
    table = new_table(tiny_moves.late, 2)
    assert play(table, 1, ["shout"], by) == [AnyTime(1, 1, "shout", by), Shouted(1, by)]


def test_the_last_word_of_an_answer_counts() -> None:
    table = new_table(tiny_moves.late, 3)
    play(table, 0, ["1", "1"], "bot", "player")
    play(table, 1, ["1", "1"], "player", "time")
    revealed, _ = play(table, 2, ["1", "1"], "time", "bot")
    assert [answer.by for answer in revealed.answers] == ["player", "time", "bot"]


def test_who_takes_back_what_a_bot_had_handed_in_has_made_the_answer() -> None:
    table = new_table(tiny_moves.late, 2)
    play(table, 0, ["1", "1"], "bot")
    table.undo(0, 1)
    play(table, 0, ["3"], "player")
    revealed, _ = play(table, 1, ["1", "1"], "player")
    assert [answer.by for answer in revealed.answers] == ["player", "player"]


def test_an_answer_that_was_handed_back_is_made_anew() -> None:
    table = new_table(tiny.dark, 2)
    play(table, 0, ["hide", "north"], "time")
    play(table, 1, ["lamp"], "bot")
    assert table.by == {}
    play(table, 0, ["walk", "north"], "player")
    revealed, *_ = play(table, 1, ["walk", "north"], "bot")
    assert [answer.by for answer in revealed.answers] == ["player", "bot"]


def test_every_round_begins_with_players() -> None:
    table = new_table(tiny_moves.late, 2)
    for seat in (0, 1):
        play(table, seat, ["1", "1"], "time")
    for seat in (0, 1):
        events = play(table, seat, ["1", "1"], "player")
    assert [answer.by for answer in events[0].answers] == ["player", "player"]


def test_the_state_holds_nothing_of_it_at_rest() -> None:
    table = new_table(tiny_moves.late, 2)
    for seat, words in ((0, ["shout"]), (0, ["1", "1"]), (1, ["1", "1"]), (1, ["shout"])):
        play(table, seat, words, "bot")
        assert table.state.made == {} and table.state.told == []


def test_who_made_an_answer_that_went_back_unopened_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor to the game's steps: a replay could not know it."""
    made: list[dict[int, By]] = []
    take = tiny.Respond.take

    def spied(ask: tiny.Respond, g: tiny.Window, answers: dict[int, Draft]) -> None:
        made.append({seat: g.made_by(seat) for seat in range(g.seats)})
        take(ask, g, answers)

    monkeypatch.setattr(tiny.Respond, "take", spied)
    table = new_table(tiny.window, 4)
    table.state.shields = [0, 0, 1, 1]
    play(table, 0, ["hit 2"], "player")
    play(table, 3, ["shield"], "time")
    play(table, 1, ["pass"], "bot")
    revealed, _ = play(table, 2, ["shield"], "player")
    assert [(answer.seat, answer.by) for answer in revealed.answers] == [(1, "bot"), (2, "player")]
    assert b"time" not in canonical(revealed)
    assert made == [{0: "player", 1: "bot", 2: "player", 3: "player"}]


# nobody knows it before -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["time", "bot"])
def test_who_made_an_answer_changes_no_byte_of_any_view_before_the_reveal(by: By) -> None:
    for seed in range(5):
        luck = Random(seed)
        tables = [new_table(tiny_moves.late, 4, seed) for _ in range(2)]
        while tables[0].round == 1:
            seat = luck.choice(tables[0].waits)
            move, nonce = luck.choice(tables[0].moves(seat)), secret(luck)
            for table, made in zip(tables, ("player", by), strict=True):
                table.play(seat, move, 1, nonce, made)
            if tables[0].round == 1:
                ours, theirs = ([table.shared(), *map(table.own, range(4))] for table in tables)
                assert canonical(ours) == canonical(theirs)


# saving ---------------------------------------------------------------------------------------------------------------


def test_it_is_saved_with_the_draft() -> None:
    table = new_table(tiny_moves.late, 2)
    play(table, 0, ["1", "1"], "time")
    restored = Table.restore(msgspec.json.decode(msgspec.json.encode(table.save()), type=SavedTable))
    other = table.copy()
    events = [play(each, 1, ["2", "2"], "bot") for each in (table, restored, other)]
    assert events[0] == events[1] == events[2]
    assert [answer.by for answer in events[0][0].answers] == ["time", "bot"]


def test_a_copy_keeps_its_own() -> None:
    table = new_table(tiny_moves.late, 2)
    play(table, 0, ["1", "1"], "time")
    before, other = everything(table), table.copy()
    other.undo(0, 1)
    play(other, 0, ["1"], "bot")
    assert everything(table) == before and (table.by, other.by) == ({0: "time"}, {0: "bot"})


def test_a_snapshot_of_before_is_read() -> None:
    table = new_table(tiny_moves.late, 2)
    play(table, 0, ["1", "1"], "player")
    saved = msgspec.json.decode(msgspec.json.encode(table.save()))
    del saved["by"], saved["state"]["made"]
    restored = Table.restore(msgspec.json.decode(msgspec.json.encode(saved), type=SavedTable))
    assert everything(restored) == everything(table)


# logs -----------------------------------------------------------------------------------------------------------------


def test_what_a_player_did_is_written_as_in_logs_of_before() -> None:
    assert canonical(AnyTime(1, 0, "lamp")) == b'{"kind":"any_time","round":1,"seat":0,"move":"lamp"}'
    revealed = (
        b'{"kind":"revealed","round":1,"answers":[{"seat":0,"words":["1"],"nonce":"ab","digest":"cd","kept":""}]}'
    )
    assert canonical(Revealed(1, (Answer(0, ("1",), "ab", "cd", ""),))) == revealed
    assert msgspec.json.decode(revealed, type=Revealed).answers[0].by == "player"


def log(seed: int) -> list[Json]:
    """A game with moves of all kinds."""
    luck = Random(seed)
    table, told = Table.begin(tiny_moves.late, 3, deal(3, seed))
    events: list[Event] = [*told]
    while not table.over:
        seat = luck.choice(table.waits)
        words = [*table.moves(seat), *table.anytime(seat)]
        events += table.play(seat, luck.choice(words), table.round, secret(luck), luck.choice(BYS))
    return [msgspec.json.decode(line) for line in export(events, [])]


def test_logs_tell_it_and_hold() -> None:
    made: set[str] = set()
    for seed in range(5):
        played = log(seed)
        report = verify(map(canonical, played))
        assert report.holds and report.finished, report.say()
        moves = [answer for line in played for answer in line.get("answers", ())]
        moves += [line for line in played if line["kind"] == "any_time"]
        made |= {move.get("by", "player") for move in moves}
    assert made == set(BYS)


def test_whoever_is_said_to_have_made_a_move_must_fit_what_it_did() -> None:
    played = log(1)
    at = find(played, "revealed")
    late = next(answer for answer in played[at]["answers"] if "by" in answer)
    del late["by"]
    assert broken(played)[0] == at + 2


@pytest.mark.parametrize(
    ("by", "why"),
    [
        ("player", "This line is not written as the table writes it."),
        ("nobody", "This is not a line of a log."),
    ],
)
def test_a_by_that_no_table_writes(by: str, why: str) -> None:
    for kind in ("revealed", "any_time"):
        played = log(1)
        at = find(played, kind)
        moved = played[at]["answers"][0] if kind == "revealed" else played[at]
        moved["by"] = by
        assert broken(played) == (at + 1, why)
