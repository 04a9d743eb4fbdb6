"""`facedown verify`: logs that hold, and a test for each way in which a log does not."""

import io
import json
from collections.abc import Callable
from random import Random

import msgspec
import pytest

from engine.game import Game
from engine.proof import Deal, canonical, commitment_to, seal
from engine.table import Table
from engine.table_events import Opened, Revealed
from engine.testing import new_table, play_at_random, whole_log
from engine.verify import Check, InvalidLine, LogLine, Replay, export, verify
from tests.engine import tiny, tiny_moves
from tests.engine.logs import Json, broken, find, lines, log, spoilt

pytestmark = pytest.mark.usefixtures("tiny_games")

GAMES: list[tuple[Game, int]] = [
    (tiny.counting, 3),
    (tiny.dice, 8),
    (tiny.window, 4),
    (tiny.dark, 3),
    (tiny.wishes, 3),
    (tiny_moves.bids, 3),
    (tiny_moves.late, 3),
]
every_game = pytest.mark.parametrize(("game", "seats"), GAMES, ids=[game.key for game, _ in GAMES])

# What holds -----------------------------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_whole_log_holds(game: Game, seats: int, seed: int) -> None:
    events = whole_log(game, seats, seed)
    report = verify(export(events, ["Ada", "<b>Bo</b>", "Вера"]))
    assert report.holds and report.finished and report.line is None
    assert (report.game, report.seats, report.names) == (game.key, seats, ("Ada", "<b>Bo</b>", "Вера"))
    assert report.rounds == sum(isinstance(event, Revealed) for event in events)
    assert report.say().startswith("Everything holds")


def test_the_header_is_no_part_of_the_proof() -> None:
    played = log(tiny.dice, 3)
    assert verify(lines(played[1:])).holds
    assert verify(lines([{**played[0], "names": ["Somebody", "else"]}, *played[1:]])).holds


@pytest.mark.parametrize("header", [{"page": "x"}, {"names": "Ada"}, {"facedown": 2}, {"facedown": "1"}])
def test_a_header_that_the_table_would_not_write(header: Json) -> None:
    played = log(tiny.dice, 3)
    assert broken([{**played[0], **header}, *played[1:]])[0] == 1


def test_a_file_that_passed_through_windows_holds() -> None:
    data = b"\xef\xbb\xbf" + b"\r\n".join(lines(log(tiny.dice, 3))) + b"\r\n\r\n"
    assert verify(io.BytesIO(data)).holds
    assert verify(data.decode("utf-8-sig").splitlines()).holds


@every_game
def test_an_unfinished_log_is_said_to_be_one(game: Game, seats: int) -> None:
    played = lines(log(game, seats))
    result = next(i for i, line in enumerate(played) if json.loads(line)["kind"] == "result")
    for length in range(2, result + 1):
        report = verify(played[:length])
        assert report.holds and not report.finished
        assert "not finished" in report.say()


@every_game
def test_a_result_without_the_seed_does_not_hold(game: Game, seats: int) -> None:
    played = log(game, seats)
    line, why = broken(played[:-1])
    assert line == find(played, "result") + 1 and "cut off" in why


# What does not --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "seats"), [(tiny.counting, 2), (tiny.dice, 2), (tiny.window, 3), (tiny.wishes, 2), (tiny_moves.bids, 2)]
)
def test_every_single_change_is_found_in_its_line_or_where_it_leads(game: Game, seats: int) -> None:
    """A change of salts or options is found by its consequences, any other in its own line."""
    played = log(game, seats)
    for i in range(1, len(played)):
        for other in spoilt(played[i]):
            report = verify(lines([*played[:i], other, *played[i + 1 :]]))
            if other.get("kind") == "opene0":  # a log with a result and without the seed
                assert not report.holds and report.line == find(played, "result") + 1
                continue
            if report.holds:  # these salts give the same deal by chance
                assert i == 1 and other == {**played[1], "salts": other["salts"]}
                continue
            where = report.line or 0
            if i == 1:
                assert where >= 2
            elif i == len(played) - 1 and "kept" in other and other["kept"] != played[i]["kept"]:
                assert where <= i + 1
            else:
                assert where == i + 1, (other, report.say())


@every_game
def test_a_line_left_out_or_told_twice_is_found_where_it_was(game: Game, seats: int) -> None:
    played = log(game, seats)
    for i in range(2, len(played) - 1):
        if played[i] != played[i + 1]:
            assert broken(played[:i] + played[i + 1 :])[0] == i + 1
        assert broken([*played[: i + 1], *played[i:]])[0] == i + 2


def change_answer(changed: Callable[[Json], None]) -> tuple[int | None, str, int]:
    played = log(tiny.dice, 3)
    at = find(played, "revealed", 1)
    changed(played[at]["answers"][1])
    return *broken(played), at + 1


def test_an_answer_that_was_not_what_was_sealed() -> None:
    def change(answer: Json) -> None:
        answer["words"][0] = "4 left" if answer["words"][0] != "4 left" else "3 left"

    line, why, at = change_answer(change)
    assert line == at
    assert why == "The answer of seat 1 is not what was sealed: its digest is another."


def test_an_illegal_move_sealed_afresh() -> None:
    played = log(tiny.dice, 3)
    at = find(played, "revealed", 1)
    answer = played[at]["answers"][1]
    answer["words"][0] = "9 left"
    answer["digest"] = seal(played[1]["commitment"], 2, 1, answer["words"], answer["nonce"])
    assert broken(played) == (at + 1, f"Seat 1 could not play “{' '.join(answer['words'])}” here.")


def test_words_after_an_answer_that_was_whole() -> None:
    played = log(tiny.counting, 3)
    at = find(played, "revealed")
    answer = played[at]["answers"][0]
    answer["words"] = ["1", "1"]
    answer["digest"] = seal(played[1]["commitment"], 1, 0, answer["words"], answer["nonce"])
    assert broken(played) == (at + 1, "Seat 0 could not play “1 1” here.")


def test_a_seed_that_is_too_short_to_be_secret() -> None:
    deal = Deal("00", ("", ""))
    table, events = Table.begin(tiny.counting, 2, deal)
    for more in play_at_random(table, Random(1)):
        events += more
    report = verify(export(events, []))
    assert not report.holds and report.line == len(events) + 1


def test_another_legal_move_sealed_afresh_leads_elsewhere() -> None:
    """The new answer has a valid digest, so only the replay shows that the game is another one."""
    played = log(tiny.counting, 3)
    at = find(played, "revealed")
    answer = played[at]["answers"][0]
    answer["words"] = ["1" if answer["words"] == ["2"] else "2"]
    answer["digest"] = seal(played[1]["commitment"], 1, 0, answer["words"], answer["nonce"])
    assert broken(played) == (at + 2, "The seed and the moves before give another “total” here.")


def test_answers_of_the_wrong_seats() -> None:
    played = log(tiny.dice, 3)
    at = find(played, "revealed")
    played[at]["answers"].pop()
    assert broken(played) == (at + 1, "These are not the seats whose answers were due.")
    played = log(tiny.dice, 3)
    played[at]["answers"].reverse()
    assert broken(played) == (at + 1, "These are not the seats whose answers were due.")


def test_a_window_that_opens_too_much_or_too_little() -> None:
    """Seat 0 attacks, seat 1 passes, seat 2 acts: the answer of seat 3 is discarded."""
    table = new_table(tiny.window, 4)
    table.state.shields = [0, 0, 1, 1]
    before = Table.restore(table.save())
    for seat, word in [(0, "hit 1"), (3, "shield"), (1, "pass"), (2, "shield")]:
        events = table.play(seat, word, table.round, "5a" * 16)
    revealed = msgspec.json.decode(canonical(events[0]))
    answers = revealed["answers"]
    assert [answer["seat"] for answer in answers] == [1, 2]
    digest = seal(table.commitment, 2, 3, ["pass"], "ab")
    extra = {"seat": 3, "words": ["pass"], "nonce": "ab", "digest": digest, "kept": ""}

    def holds(changed: list[Json]) -> bool:
        again = Table.restore(before.save())
        again.play(0, "hit 1", again.round, "5a" * 16)
        check = Check()
        check.commitment, check.round = table.commitment, 2
        line = LogLine(5, canonical({**revealed, "answers": changed}), "revealed")
        replay = Replay(check, tiny.window, Opened(table.deal.seed), 9)
        try:
            return replay.follow(again, line) == events
        except InvalidLine as broken:
            assert (broken.line, str(broken)) == (5, "These are not the seats whose answers were due.")
            return False

    assert holds(answers)
    for wrong in ([], answers[:1], answers[1:], [*answers, extra], answers[::-1], [answers[0], *answers]):
        assert not holds(wrong)


def test_another_seed_than_the_one_committed_to() -> None:
    played = log(tiny.dice, 3)
    played[-1]["seed"] = "00" * 32
    line, why = broken(played)
    assert line == len(played)
    assert why == "This seed does not have the hash that was shown before the start, in line 2."
    for nonsense in ["", "zz" * 32, "00", "\u0660" * 64]:
        played[-1]["seed"] = nonsense
        assert broken(played)[0] == len(played)


def test_another_commitment_than_the_seals_were_made_with() -> None:
    played = log(tiny.dice, 3)
    played[1]["commitment"] = commitment_to("00" * 32)
    assert broken(played) == (2, f"This is not the hash of the seed which line {len(played)} opens.")


def test_a_broken_seal_is_named_before_a_wrong_seed() -> None:
    played = log(tiny.dice, 3)
    played[-1]["seed"] = "00" * 32
    at = find(played, "revealed", 1)
    played[at]["answers"][0]["nonce"] = "00"
    assert broken(played)[0] == at + 1


def test_other_salts_deal_another_game() -> None:
    played = log(tiny.dice, 3)
    played[1]["salts"][0] = "77"
    assert broken(played) == (3, "The seed and the moves before give another “dice” here.")


def test_kept_words_other_than_those_sealed() -> None:
    played = log(tiny.wishes, 2)
    kept = played[-1]["kept"][0]
    kept["words"] = ["wish fame" if kept["words"] == ["wish gold"] else "wish gold"]
    line, why = broken(played)
    assert line == len(played)
    assert why == f"What seat 0 kept closed in line {find(played, 'revealed') + 1} is not what was sealed."
    played[-1]["kept"].pop(0)
    assert broken(played)[0] == len(played)


def test_a_seal_that_does_not_hold_in_an_unfinished_log() -> None:
    played = log(tiny.dice, 3)
    at = find(played, "revealed")
    played[at]["answers"][2]["nonce"] = "00" * 16
    assert broken(played[: at + 3]) == (at + 1, "The answer of seat 2 is not what was sealed: its digest is another.")


def test_a_round_that_is_not_due() -> None:
    played = log(tiny.dice, 3)
    at = find(played, "revealed", 1)
    assert broken(played[: at - 3] + played[at:-1])[0] is not None
    played[at]["round"] = 5
    assert broken(played[:-1]) == (at + 1, "This is said to be round 5, but round 2 is due.")


def test_an_anytime_move_that_was_not_possible() -> None:
    played = log(tiny.dark, 3)
    at = find(played, "any_time")
    for seat, move in [(-1, "lamp"), (3, "lamp"), (0, "torch")]:
        played[at].update(seat=seat, move=move)
        assert broken(played) == (at + 1, f"Seat {seat} could not play “{move}” here.")


def test_something_after_the_end() -> None:
    played = log(tiny.dice, 3)
    assert broken([*played, played[-1]]) == (len(played) + 1, "Nothing can follow the end.")


def test_an_end_that_comes_too_early() -> None:
    played = log(tiny.dice, 3)
    at = find(played, "revealed", 1)
    assert broken([*played[:at], played[-1]])[0] == at + 1


def test_another_way_to_write_the_same() -> None:
    played = log(tiny.dice, 3)
    good = lines(played)
    for i, line in enumerate(played[1:], 1):
        spaced = json.dumps(line, ensure_ascii=False).encode()
        report = verify([*good[:i], spaced, *good[i + 1 :]])
        assert (report.line, report.say()) == (i + 1, "This line is not written as the table writes it.")


# A beginning that cannot be ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"key": "chess\x1b[31m" + "s" * 200}, "The game “chess�[31m" + "s" * 69 + "…” is not installed here."),
        ({"rules": 2}, "This was played by version 2 of the rules; only version 3 is installed here."),
        ({"seats": 9}, "Dice is not for 9 players."),
        ({"seats": -1}, "Dice is not for -1 players."),
        ({"seats": 10**30}, f"Dice is not for {10**30} players."),
        ({"options": {"speed": "7"}}, "Dice has no such options."),
        ({"seats": "3"}, "This is not a line of a log."),
        ({"salts": None}, "This is not a line of a log."),
        ({"extra": 1}, "This line is not written as the table writes it."),
        ({"kind": "begun"}, "A log begins with how the game began."),
    ],
)
def test_a_beginning_that_cannot_be(change: Json, why: str) -> None:
    played = log(tiny.dice, 3)
    played[1].update(change)
    assert broken(played) == (2, why)


def test_a_missing_option() -> None:
    played = log(tiny.counting, 3)
    played[1]["options"] = {}
    assert broken(played) == (2, "Counting has no such options.")


def test_a_header_of_another_version() -> None:
    played = log(tiny.dice, 3)
    played[0]["facedown"] = 2
    assert broken(played) == (1, "This program reads logs of another version.")
    played[0] = {"kind": "log"}
    assert broken(played) == (1, "This is not a line of a log.")
