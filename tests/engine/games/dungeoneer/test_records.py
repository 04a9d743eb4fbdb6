"""What `facedown simulate` writes: every decision, battle and turn with the whole position before and after it."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bots import at_random
from engine.games.dungeoneer import battle_facts, facts, game
from engine.games.dungeoneer.bot import hero
from engine.games.dungeoneer.records import Battle, Turn, chronicle
from engine.simulate import find_game, read_position, simulate
from engine.steps import Decided
from tests.engine.games.dungeoneer.sitting import found


@pytest.fixture(scope="module", params=[1, 3])
def told(request: pytest.FixtureRequest) -> list[Any]:
    return list(chronicle(list(simulate(game, [hero] * request.param, "records", 1, {"last_round": "20"}))))


def test_each_decision_goes_on_from_the_position_that_the_last_one_left(told: list[Any]) -> None:
    decisions = found(told, Decided)
    for before, after in pairwise(decisions):
        assert before.after == after.before
    assert decisions[-1].after["agenda"] == () and decisions[0].before["public"]["turn"] == 1


def test_dice_are_those_that_the_position_foretold(told: list[Any]) -> None:
    """An independent program can recompute each step from the dice of the position before it."""
    since: list[Any] = []
    checked = 0
    for event in told:
        if isinstance(event, Decided):
            rolled = [die for one in since for die in dice(one)]
            shuffled = found(since, facts.Reshuffled)
            if (
                rolled
                and not shuffled
                and len(rolled) <= 12
                and "revealed" in [type(e).__name__.lower() for e in since]
            ):
                assert list(event.before["dice"][: len(rolled)]) == rolled
                checked += 1
            since = []
        elif not isinstance(event, (Battle, Turn)):
            since.append(event)
    assert checked > 10


def dice(event: Any) -> list[int]:
    if isinstance(event, (facts.PerilRolled, facts.ChanceRolled)):
        return list(event.dice)
    return [event.die] if hasattr(event, "die") else []


def test_turns_and_battles_have_lines_with_their_dice(told: list[Any]) -> None:
    turns = found(told, Turn)
    assert [turn.turn for turn in turns] == list(range(1, len(turns) + 1))
    for one, other in pairwise(turns):
        assert one.after == other.before
    every = [die for event in told if not isinstance(event, (Battle, Turn)) for die in dice(event)]
    assert [die for turn in turns for die in turn.dice] == every
    begun = found(told, battle_facts.BattleBegan)
    assert 0 < len(found(told, Battle)) <= len([battle for battle in begun if not battle.challenge])
    assert any(battle.rolls for battle in found(told, Battle))


def test_a_battle_in_which_the_active_hero_falls_has_its_line() -> None:
    """Ilvaro, with one health, attacks Grog."""
    players = [{"hero": "ilvaro", "hp": 1, "at": "crossroads", "ap": 1}, {"hero": "grog", "at": "crossroads"}, {}]
    position = {"players": players, "dice": [1, 6]}

    def attacker(shared: Any, own: Any, luck: Any) -> str:
        return "attack 1 magic" if "attack 1 magic" in own.moves else at_random(shared, own, luck)

    bots = [attacker, at_random, at_random]
    told = list(chronicle(list(simulate(game, bots, "fought", 1, {"last_round": "20"}, position))))
    defeated = next(n for n, event in enumerate(told) if isinstance(event, facts.Defeated))
    battle = next(event for event in told[defeated:] if isinstance(event, (Battle, Turn)))
    assert isinstance(battle, Battle) and [roll.die for roll in battle.rolls] == [1, 6]  # type: ignore[attr-defined]


def newest(told: list[Any], kinds: Any) -> Any:
    return next(event for event in reversed(told) if isinstance(event, kinds))


FIGHTS = (battle_facts.GroupShown, battle_facts.BattleBegan, battle_facts.GroupEnded)


def test_a_battle_that_ends_the_game_has_its_line() -> None:
    for seed in range(20):
        told = list(chronicle(list(simulate(game, [hero] * 2, f"last {seed}", 1, {"last_round": "20"}))))
        if not isinstance(newest(told, FIGHTS), battle_facts.GroupEnded):
            last = newest(told, (facts.TurnBegan, Battle))
            assert isinstance(last, Battle) and last.after["agenda"] == ()
            return
    raise AssertionError("no fight has ended a game")


def test_a_position_holds_every_card(told: list[Any]) -> None:
    whole = found(told, Decided)[5].after
    assert len(whole["dice"]) == 12 and set(whole) == {
        "public",
        "hands",
        "tiles",
        "decks",
        "locations",
        "quests",
        "dice",
        "agenda",
    }
    assert [len(hand) for hand in whole["hands"]] == [player["hand"] for player in whole["public"]["delvers"]]
    assert {pile: len(cards) for pile, cards in whole["decks"].items()} == whole["public"]["decks"]


def test_a_simulation_can_begin_at_the_position_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    fields = {
        "players": [{"hero": "grog", "hand": ["mutant_rat"]}, {"hero": "ilvaro", "hp": 1, "peril": 1}],
        "phase": "villainy",
        "dice": [6, 1],
    }
    file.write_bytes(msgspec.json.encode(fields))
    position = read_position(game, str(file), 2)
    events = list(simulate(game, [at_random, at_random], "position", 1, {"last_round": "20"}, position))
    first = next(event for event in events if isinstance(event, Decided))
    assert first.before["hands"] == (("mutant_rat",), ()) and first.before["dice"][:2] == (6, 1)
    assert find_game("raiders").position is None
