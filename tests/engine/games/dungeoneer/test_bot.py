"""The hero: always a legal move, from views alone; it wins against chance, and never takes long."""

from random import Random
from typing import Any

import pytest

from engine.bots import at_random, bots_of, choose_move
from engine.game import Bot
from engine.games.dungeoneer import bot, bot_lord, game, plan
from engine.games.dungeoneer.bot import hero
from engine.games.dungeoneer.cards import deck
from engine.simulate import simulate
from engine.steps import Result
from engine.testing import new_table
from engine.testing.moves import secret
from tests.engine.games.dungeoneer.sitting import do, found, sit, until
from tests.engine.games.dungeoneer.test_quests import ROOMS

pytestmark = pytest.mark.no_cover


def choice(table: Any, seat: int = 0) -> str:
    return choose_move(table, seat, hero, Random(1))


def test_it_is_offered() -> None:
    assert list(bots_of(game)) == ["hero", "random"]


def test_it_beats_random_players() -> None:
    """docs/balance-dungeoneer.md has the figures of 500 games."""
    won = 0
    for number in range(10):
        players: list[Bot] = [hero, at_random] if number % 2 else [at_random, hero]
        (result,) = found(list(simulate(game, players, "test", number)), Result)
        won += result.winners == (0 if number % 2 else 1,)
    assert won >= 8


def test_it_answers_every_ask_of_the_game() -> None:
    """Moves that it has no thoughts about are the first option."""
    asked = set()
    for seed in range(12):
        table = new_table(game, 1 + seed % 4, seed)
        luck = Random(seed)
        while not table.over:
            asked.add(type(table.ask).__name__)
            seat = luck.choice(table.waits)
            random = luck.random() < 0.3
            word = luck.choice(table.moves(seat)) if random else choose_move(table, seat, hero, luck)
            assert word in table.moves(seat)
            table.play(seat, word, table.round, secret(luck))
    assert asked >= bot.CHOICES.keys() - {
        "ChooseHero",
        "LayTile",
        "Transfer",
        "StrikeHero",
        "Draw",
        "Victim",
        "DropCard",
    }


def test_it_completes_what_it_can() -> None:
    mine = {"quests": ["runaway_apprentice"], "escorts": ["runaway_apprentice"], "ap": 2}
    assert choice(sit(mine, {})) == "complete runaway_apprentice"
    table = sit({"at": "dark_altar", "quests": ["blood_price"], "hp": 5, "ap": 2}, {}, map=ROOMS)
    assert choice(table) == "attempt blood_price"


def test_it_goes_the_cheapest_way() -> None:
    table = sit({"quests": ["still_the_blades"], "ap": 2, "hero": "tikk"}, {}, map=ROOMS)
    assert choice(table) == "move n"


def test_it_strikes_the_leader_and_stops_when_nothing_is_worth_it() -> None:
    table = sit(
        {"hand": ["stitched_brute"]},
        {"peril": 9, "hero": "ilvaro", "completed": ["blood_price", "cage_mother"]},
        {"peril": 9, "hero": "hemp"},
        phase="villainy",
    )
    assert choice(table) == "group"
    do(table, 0, "group")
    assert choice(table) == "monster stitched_brute 1 melee"
    do(table, 0, "monster stitched_brute 1 melee")
    assert choice(table) == "done"
    poor = sit({"hand": ["stitched_brute"]}, {"peril": 3}, phase="villainy")
    assert not bot_lord.first_strikes(plan.Mind(poor.shared().public, poor.own(0)))
    risky = sit({"hand": ["falling_block"], "hp": 1}, {"peril": 9, "hero": "grog"}, phase="villainy")
    assert choice(risky) == "end"  # the trap would hit its own hero beside the other


def test_it_wards_off_what_would_hurt() -> None:
    table = sit(
        {"hand": ["ramalit"]},
        {"peril": 9, "hero": "ilvaro", "hp": 2, "glory": 3, "hand": ["distracting_manoeuvre"]},
        phase="villainy",
    )
    do(table, 0, "group", "monster ramalit 1 melee", "done")
    until(table, "Respond")
    assert choice(table, 1).startswith("play distracting_manoeuvre 1")


def test_it_knows_every_card_that_it_values() -> None:
    assert set(plan.KEEP) <= set(deck().adventures)


def test_it_does_not_peek() -> None:
    """Other hands make no difference to its choice."""
    chosen = set()
    for cards in (["stumble"], ["parry"], ["ramalit"]):
        table = sit({"hand": ["mutant_rat"], "ap": 2}, {"hand": cards, "peril": 3}, map=ROOMS, phase="villainy")
        chosen.add(choice(table))
    assert len(chosen) == 1
