"""Tables at a seed, at a position, and at a moment of a log."""

import json
import re
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.dev.command import add_dev_arguments, beginning_of
from app.dev.tables import Beginning, Making, at_line, at_position, at_seed, lay
from app.house.house import House
from app.table.actions import Play
from engine.bots import bots_of
from engine.game import Game, find
from engine.proof import canonical
from engine.simulate import BadArgument, line, simulate
from engine.testing import whole_log
from engine.verify import export
from tests.engine.tiny import TINY
from tests.support.packages import ROOT

Json = dict[str, Any]
GAMES = ROOT / "tests" / "engine" / "games"
LOGS = ["raiders/corpus/second-shared.jsonl", "raiders/corpus/duel-shared.jsonl", "raiders/corpus/solo-survivor.jsonl"]
LOGS += ["scrawl/corpus/tower-no-stay-2-shared.jsonl", "scrawl/corpus/legends-yes-stay-2-glory.jsonl"]
# Not the same in a replay: who sealed what with which random bytes.
NEW = ("log", "began", "revealed", "any_time", "opened")


def told(making: Making) -> list[Json]:
    return [event for entry in making.entries if entry.events for event in json.loads(entry.events)]


def effects(events: Sequence[Json]) -> list[Json]:
    return [event for event in events if event["kind"] not in NEW]


def read(log: str) -> list[bytes]:
    return (GAMES / log).read_bytes().splitlines()


def made(beginning: Beginning) -> Making:
    making = Making(beginning)
    making.make()
    return making


@pytest.mark.parametrize(("game", "seats"), [("raiders", 4), ("scrawl", 2)])
def test_a_seed_deals_the_game_that_simulate_plays_at_it(game: str, seats: int) -> None:
    players = [bots_of(find(game))["random"]] * seats
    options = find(game).choose_options({}, seats)
    played = [json.loads(canonical(event)) for event in simulate(find(game), players, "7", 0, options)]
    begun = told(made(at_seed(game, seats, 1, "7", options)))
    assert begun == played[: len(begun)] and len(begun) > 1
    assert begun != told(made(at_seed(game, seats, 1, "8", options)))


def test_the_first_seats_are_held_by_people() -> None:
    seats = made(at_seed("raiders", 4, 2, "7", {})).sitting.seats
    assert [seat.holders for seat in seats] == [["dev-0"], ["dev-1"], [], []]
    assert [bool(seat.bot) for seat in seats] == [False, False, True, True]


@pytest.mark.parametrize("log", LOGS)
def test_a_whole_log_is_played_again(log: str) -> None:
    making = made(at_line(read(log), None, None))
    assert effects(told(making)) == effects([json.loads(line) for line in read(log)])
    assert making.sitting.phase == "over"


@pytest.mark.parametrize("log", LOGS)
def test_a_log_up_to_a_line(log: str) -> None:
    """All that follows from the moves up to this line, and nothing of later moves."""
    lines = [json.loads(line) for line in read(log)]
    moves = [n for n, one in enumerate(lines, 1) if one["kind"] in ("revealed", "any_time")]
    for n in (1, moves[0], moves[len(moves) // 2], moves[len(moves) // 2] + 1):
        end = next(move for move in moves if move > n)
        making = made(at_line(read(log), n, None))
        assert effects(told(making)) == effects(lines[: end - 1])
        assert making.sitting.phase == "playing"
        assert all(seat.holders and not seat.bot for seat in making.sitting.seats)


def test_bots_play_on_for_the_other_seats_of_a_log() -> None:
    making = made(at_line(read(LOGS[0]), 5, 1))
    first, *others = making.sitting.seats
    assert first.holders and not first.bot
    assert others and all(seat.bot and not seat.holders for seat in others)


def test_an_output_of_simulate_is_a_log_too() -> None:
    events = list(simulate(find("raiders"), [bots_of(find("raiders"))["random"]] * 3, "7", 0))
    making = made(at_line([line(0, event) for event in events], None, None))
    assert effects(told(making)) == effects([json.loads(canonical(event)) for event in events])


def test_files_that_are_no_log_of_a_whole_game() -> None:
    log = read(LOGS[0])
    for data, why in (
        ([], "this is no log of a game"),
        ([b"# Facedown"], "line 1 is not a line of a log"),
        (log[:-1], "this log has no seed: its game was not over"),
        ([*log[:4], b'{"kind":"revealed","round":"x"}'], "line 5 is not a line of a log"),
    ):
        with pytest.raises(BadArgument, match=re.escape(why)):
            at_line(data, None, None)


def test_moves_and_options_that_the_rules_do_not_have() -> None:
    log = read(LOGS[0])
    n, data = next((n, line) for n, line in enumerate(log) if b'"revealed"' in line)
    wrong = json.loads(data)
    wrong["answers"][0]["words"] = ["99"]
    with pytest.raises(BadArgument, match=f"line {n + 1} will not do here"):
        made(at_line([*log[:n], canonical(wrong), *log[n + 1 :]], None, None))
    with pytest.raises(BadArgument, match="the options will not do here"):
        made(at_seed("raiders", 4, 1, "7", {"edition": "third"}))


@pytest.mark.parametrize("key", TINY)
def test_logs_with_answers_that_were_never_opened_and_words_that_were_kept(tiny: Mapping[str, Game], key: str) -> None:
    game = tiny[key]
    log = list(export(whole_log(game, game.seats[-1]), []))
    making = made(at_line(log, None, None))
    assert effects(told(making)) == effects([json.loads(line) for line in log])


PLAYERS = [{"hero": "grog", "at": "rat_run", "hand": ["mend_flesh"], "glory": 3, "hp": 4}, {"hero": "tikk"}, {}]


async def test_a_position_is_a_table_that_is_played_on(house: House) -> None:
    """All seats are people's; what is told begins with the position and not with the cards that were dealt."""
    table = await lay(house, at_position("dungeoneer", {"players": PLAYERS}, 3, None, "7", {"optional": "yes"}))
    picture = table.picture
    assert picture.shared is not None and picture.shared.waits == [0]
    assert picture.shared.options["optional"] == "yes"
    assert [event["kind"] for event in picture.events] == ["began"]
    assert [(seat.kind, seat.bot) for seat in picture.card.seats] == [("person", "")] * 3
    own = picture.own(0)
    assert own is not None and own.private.hand == ("mend_flesh",)
    await house.act(table, "dev-0", Play(picture.round, "play mend_flesh"))
    kinds = [event["kind"] for event in table.picture.events]
    assert kinds[:3] == ["began", "revealed", "played"]
    again = await house.store.by_token(picture.token)
    assert again is not None


async def test_a_position_of_rodents_and_tombs_is_told_and_played_on(house: House) -> None:
    fields = {"boards": [{}, {"glory": 40}], "ended": "glory", "paws": {"9": 0}}
    table = await lay(house, at_position("tomb", fields, 2, None, "7", {}))
    picture = table.picture
    assert picture.shared is not None and picture.shared.waits == [0]
    assert [event["kind"] for event in picture.events] == ["began", "set_up", "turn"]
    await house.act(table, "dev-0", Play(picture.round, "pass"))
    assert table.picture.card.phase == "over"


def test_positions_that_a_game_does_not_have() -> None:
    for key, position, why in (
        ("raiders", {}, "raiders cannot begin at a position"),
        ("dungeoneer", {"players": PLAYERS[:2]}, "2 players, not 3"),
        ("dungeoneer", {"plaiers": []}, "plaiers"),
    ):
        with pytest.raises(BadArgument, match=why):
            at_position(key, position, 3, None, "7", {})


async def test_the_table_is_stored_and_played_on(house: House) -> None:
    table = await lay(house, at_line(read(LOGS[0]), 20, None))
    assert table.picture.shared is not None and table.picture.shared.waits
    seat = table.picture.shared.waits[0]
    own = table.picture.own(seat)
    assert own is not None
    await house.act(table, f"dev-{seat}", Play(table.picture.round, own.moves[0]))
    stored = await house.store.by_token(table.picture.token)
    assert stored is not None and stored.entries[-1].seq == table.seq


def beginning(*words: str) -> Beginning:
    parser = ArgumentParser()
    add_dev_arguments(parser)
    return beginning_of(parser.parse_args([*words, "--seed", "7"]))


def test_the_command_tells_positions_from_logs(tmp_path: Path) -> None:
    position, log = tmp_path / "position.json", tmp_path / "log.jsonl"
    position.write_text(json.dumps({"players": PLAYERS}, indent=1))
    log.write_bytes(b"\n".join(read(LOGS[0])))
    found = beginning("dungeoneer", "--position", str(position), "--seats", "3")
    assert (found.people, found.position) == (3, {"players": PLAYERS})
    assert beginning("dungeoneer", "--position", str(position), "--seats", "3", "--people", "1").people == 1
    assert beginning(LOGS[0].split("/")[0], "--position", str(log)).logged
    with pytest.raises(BadArgument, match="--line is for a log"):
        beginning("dungeoneer", "--position", str(position), "--seats", "3", "--line", "4")
