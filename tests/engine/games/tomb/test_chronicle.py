"""What `facedown simulate` writes of a game: its events are enough to follow the whole table."""

import json
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from app.cli import main
from engine.bots import at_random
from engine.games.tomb import facts, game
from engine.games.tomb.chronicle import Action, Keeper, chronicle
from engine.games.tomb.position_told import laid_out, told_position
from engine.games.tomb.rules import Tomb
from engine.games.tomb.view import public
from engine.proof import canonical
from engine.simulate import simulate
from engine.table import Table
from engine.testing import deal
from engine.testing.moves import SECRET


def position_of(g: Tomb) -> dict[str, Any]:
    """The position that the view shows, in the form of the chronicle."""
    seen = public(g)
    goods = ("food", "torch", "pickaxe", "gold", "glory", "paws", "tokens", "used")
    markets = {
        name: {"shown": list(pile.shown), "deck": pile.deck, "discard": list(pile.discard)}
        for name, pile in (("rooms", seen.rooms), ("helpers", seen.helpers))
    }
    return {
        "cells": {
            one.cell: {"room": one.room, "owner": one.owner, "paw": one.paw, "chest": one.chest} for one in seen.cells
        },
        "entrances": {
            one.slot: {"card": one.card, "paw": one.paw, "token": one.token, "owner": one.owner}
            for one in seen.entrances
        },
        **markets,
        "supply": seen.supply,
        "boards": [
            {name: getattr(one, name) for name in goods}
            | {name: list(getattr(one, name)) for name in ("helpers", "camp", "chests")}
            for one in seen.players
        ],
    }


def test_the_events_are_enough_to_follow_the_whole_table() -> None:
    for seed in range(12):
        seats = 2 + seed % 2
        options = {"entrance_layout": "random", **({"secret_entrance": "on"} if seats == 2 else {})}
        table, events = Table.begin(game, seats, deal(seats, seed), options)
        (dealt,) = [event for event in events if isinstance(event, facts.Deal)]
        keeper = Keeper(laid_out(dealt, seats))
        luck = Random(seed)
        while not table.over:
            seat = table.waits[0]
            for event in table.play(seat, luck.choice(table.moves(seat)), table.round, SECRET):
                keeper.keep(event)
            assert msgspec.to_builtins(keeper.position) == position_of(table.state)
            assert keeper.position == told_position(table.state)


def test_actions_follow_each_other_without_a_gap() -> None:
    written = chronicle([*simulate(game, [at_random] * 2, "5", 0)])
    actions = [event for event in written if isinstance(event, Action)]
    acts = [event for event in written if isinstance(event, facts.Act)]
    assert [(a.turn, a.seat, a.sort, a.act) for a in actions] == [(a.turn, a.seat, a.sort, a.act) for a in acts]
    for one, other in pairwise(actions):
        assert one.after == other.before
    assert actions[0].before["boards"][0] == {
        "food": 1, "torch": 1, "pickaxe": 1, "gold": 1, "glory": 0, "paws": 5, "tokens": 8,
        "helpers": [], "camp": [], "chests": [], "used": 0,
    }  # fmt: skip
    told = {name for action in actions for name in (json.loads(canonical(event))["kind"] for event in action.did)}
    assert {"said", "act", "laid", "lifted", "gained", "paid", "refilled"} <= told


def test_simulate_writes_actions_and_the_lines_of_the_result(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert main(["simulate", "tomb", "--seats", "3", "--games", "2", "--jsonl", str(file)]) == 0
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    actions = [line for line in lines if line["kind"] == "action"]
    assert list(actions[0]) == ["game", "kind", "turn", "seat", "sort", "act", "did", "before", "after"]
    results = [line for line in lines if line["kind"] == "result"]
    assert len(results) == 2 and len(results[0]["lines"]) == 3
    for line in results[0]["lines"]:
        assert line["total"] == line["glory"] + line["rooms"] + line["helpers"]


AT = {
    "boards": [{"food": 4, "helpers": ["builder"]}, {"glory": 41, "used": ["chest_01"]}, {}],
    "rooms": {"c12": ["crane", 1]},
    "paws": {"14": 0, "10": 0, "c11": 0},
    "seed": "01" * 32,
}


def from_position(tmp_path: Path, **more: Any) -> list[dict[str, Any]]:
    position, file = tmp_path / "position.json", tmp_path / "games.jsonl"
    position.write_text(json.dumps(AT | more))
    words = ["simulate", "tomb", "--seats", "3", "--position", str(position), "--jsonl", str(file), "--seed", "4"]
    assert main([*words, "--games", "2"]) == 0
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_simulate_begins_at_a_position(tmp_path: Path) -> None:
    lines = from_position(tmp_path)
    kinds = [line["kind"] for line in lines]
    assert kinds[:3] == ["began", "set_up", "turn"] and "deal" not in kinds
    actions = [line for line in lines if line["kind"] == "action"]
    assert actions[0]["before"] == lines[1]["position"]
    assert lines[1]["position"]["cells"]["c12"] == {"room": "crane", "owner": 1, "paw": None, "chest": ""}
    assert {action["game"] for action in actions} == {0, 1}
    removed = [line for line in from_position(tmp_path, removing=True) if line["kind"] == "action"]
    assert (removed[0]["seat"], removed[0]["act"], removed[0]["before"]["boards"][0]["food"]) == (0, "remove", 4)
    assert {"lifted", "done"} <= {event["kind"] for event in removed[0]["did"]}


def test_a_position_after_the_end_goes_on_with_the_last_actions(tmp_path: Path) -> None:
    for where, last in (
        ({}, [0, 1]),  # seat 2 has triggered the end
        ({"trigger": 1}, [0]),
        ({"trigger": 1, "active": 2}, [2, 0]),
        ({"trigger": 1, "removing": True}, [0]),
        ({"trigger": 0, "removing": True}, [1, 2]),  # the action that triggered it goes on
    ):
        lines = [line for line in from_position(tmp_path, ended="glory", **where) if line["game"] == 0]
        assert [line["seat"] for line in lines if line["kind"] == "action" and line["sort"] == "last"] == last, where
        assert lines[-2]["kind"] == "result" and lines[-2]["trigger"] == where.get("trigger", 2)


def test_simulate_takes_chosen_factions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, six = tmp_path / "games.jsonl", "rats+lemmings+beavers+mole_rats+pacas+capybaras"
    assert main(["simulate", "tomb", "--option", f"factions={six}", "--jsonl", str(file)]) == 0
    (dealt,) = [line for line in map(json.loads, file.read_text("utf-8").splitlines()) if line["kind"] == "deal"]
    assert dealt["factions"] == ["beavers", "capybaras", "pacas", "rats", "mole_rats", "lemmings"]
    capsys.readouterr()
    for wrong, why in ((six + "+cats", "no option factions=rats"), (six + "+jerboas", "not 7"), ("rats", "not rats")):
        assert main(["simulate", "tomb", "--option", f"factions={wrong}"]) == 2
        assert why in capsys.readouterr().err
