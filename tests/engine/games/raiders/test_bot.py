"""The thoughtful raider: legal always, deterministic given its luck, from its view alone, and better than chance."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.bots import at_random
from engine.game import Bot, find
from engine.games.raiders.bot import WORTH, Me, glance, raider
from engine.games.raiders.facts import Purse, RoomFacts
from engine.games.raiders.modes import Mode, mode_of
from engine.games.raiders.positions import Place, position
from engine.games.raiders.rooms import resolve
from engine.proof import Deal
from engine.simulate import simulate
from engine.steps import Move, Result
from engine.table import Table
from engine.views import Own, Shared
from tests.engine.games.raiders.settings import ALL, Setting, named

pytestmark = pytest.mark.no_cover

MODES = [("second", 3), ("second", 4), ("second", 5), *[("first", players) for players in range(1, 6)]]


class Watched:
    """Lets the bot play, and asks of every move whether it was on offer and the same a second time."""

    def __init__(self) -> None:
        self.moves: list[Move] = []

    def __call__(self, shared: Shared, own: Own, luck: Random) -> Move:
        state = luck.getstate()
        move = raider(shared, own, luck)
        after = luck.getstate()
        luck.setstate(state)
        assert raider(shared, own, luck) == move
        assert luck.getstate() == after
        assert move in own.moves or move in own.anytime
        self.moves.append(move)
        return move


def play(players: list[Bot], number: int, **options: str) -> Result:
    *_, result, _ = simulate(find("raiders"), players, "bots", number, options)
    assert isinstance(result, Result)
    return result


@pytest.mark.parametrize("setting", ALL, ids=named)
def test_it_plays_whole_games_legally_and_the_same_with_the_same_luck(setting: Setting) -> None:
    (seats, options), watched = setting, Watched()
    for number in range(3):
        play([watched] * seats, number, **options)
        play([watched, *[at_random] * (seats - 1)], 100 + number, **options)
    items = {"ball", "key", "sword", "torch"} if seats > 2 else set()
    assert {"1", "2", "3", "4", "5", *items} <= set(watched.moves)


@pytest.mark.parametrize("edition", ["second", "first"])
@pytest.mark.parametrize("mode", ["sealed", "open"])
def test_it_beats_chance_clearly(edition: str, mode: str) -> None:
    """A quarter would be chance."""
    games, players = 40, [raider, at_random, at_random, at_random]
    won = sum(0 in play(players, number, edition=edition, play=mode).winners for number in range(games))
    assert won >= games * 0.7


@pytest.mark.parametrize("mode", ["sealed", "open"])
def test_it_wins_a_duel_against_chance(mode: str) -> None:
    won = sum(0 in play([raider, at_random], number, edition="first", play=mode).winners for number in range(40))
    assert won >= 32


def test_alone_it_comes_out_alive_and_richer_than_by_chance() -> None:
    def coins(bot: Bot) -> int:
        results = [play([bot], number, difficulty="3") for number in range(60)]
        return sum(result.standings[0].score["coins"] for result in results if result.winners)

    assert coins(raider) > 60 * 6 > 3 * coins(at_random)


def positions() -> Iterator[Table]:
    """Tables in the middle of random games."""
    for number in range(2 * len(ALL)):
        luck = Random(number)
        seats, options = ALL[number % len(ALL)]
        deal = Deal(f"{number:064x}", ("",) * seats)
        table, _ = Table.begin(find("raiders"), seats, deal, options)
        for _ in range(luck.randrange(25 * seats)):
            if not table.over:
                seat = luck.choice(table.waits)
                move = at_random(table.shared(), table.own(seat), luck)
                table.play(seat, move, table.round, luck.randbytes(16).hex())
        if not table.over:
            yield table


def test_it_does_not_peek() -> None:
    """With all that it cannot know shuffled, it does the same."""
    seen = 0
    for table in positions():
        for seat in table.waits:
            move = raider(table.shared(), table.own(seat), Random(seen))
            other = Table.restore(table.save())
            find("raiders").shuffle_unknown(other.state, seat, other.state.chance)
            assert raider(other.shared(), other.own(seat), Random(seen)) == move
            seen += 1
    assert seen > 10


def choose(seat: int, **where: Any) -> Move:
    """What the bot does most often here."""
    state = position(**where)
    deal = Deal("00" * 32, ("",) * len(state.raiders))
    options = {"edition": "second", "play": where.get("play", "sealed")}
    table, _ = Table.at(find("raiders"), state, seats=len(state.raiders), options=options, deal=deal)
    moves = [raider(table.shared(), table.own(seat), Random(number)) for number in range(9)]
    return max(sorted(set(moves)), key=moves.count)


def four(me: Place, other: Place) -> dict[str, Any]:
    return {"raiders": [me, other, other, other]}


def test_it_does_not_die_of_wounds_in_the_last_room() -> None:
    """The richest already, one wound short of the most: it must not be the lowest before a boss that nobody beats."""
    me, other = Place(coins=15, wounds=3, hand="15"), Place(coins=4, wounds=4, hand="24")
    assert choose(0, **four(me, other), floor=5, place=5, rooms="golem", play="sealed") == "1"  # its five counts as 1
    assert choose(0, **four(me, other), floor=5, place=5, rooms="megadragon", play="sealed") == "5"
    assert choose(0, **four(me, other), floor=5, place=5, rooms="mummy", play="sealed") == "1"


def test_it_flees_where_it_can() -> None:
    me = Place(coins=15, wounds=4, hand="1", items={"key": 1})
    other = Place(coins=4, wounds=4, hand="2")
    assert choose(0, **four(me, other), floor=5, place=5, rooms="megadragon") == "flee"


def test_it_takes_the_treasure_that_wins_the_game() -> None:
    """The last room but one; the boss after it lies light and hurts nobody who plays a 4."""
    me, other = Place(coins=8, wounds=2, hand="45"), Place(coins=10, wounds=5, hand="24")
    where = {"floor": 5, "place": 4, "rooms": {4: "treasure_4", 5: "golem"}, "faceup": "UUDUD"}
    assert choose(0, **four(me, other), **where) == "5"


def test_it_lights_a_torch_where_much_lies_dark_and_not_twice() -> None:
    me, other = Place(items={"torch": 2}), Place()
    assert choose(0, **four(me, other), floor=2, place=1, faceup="UDUDD") == "torch"
    lit = Place(items={"torch": 1}, lit=[2, 4, 5])
    assert choose(0, **four(lit, other), floor=2, place=1, faceup="UDUDD") != "torch"


@pytest.mark.parametrize(("edition", "players"), MODES)
def test_a_glance_is_what_the_rules_do(edition: str, players: int) -> None:
    """The short way to look at later rooms against the rules themselves, for one's own coins and wounds."""
    luck, mode = Random(1), mode_of(edition, players)
    for room in mode.facts.values():
        for _ in range(60):
            compare(mode, room, players, luck)


def compare(mode: Mode, room: RoomFacts, players: int, luck: Random) -> None:
    raiders = [Purse(luck.randint(4, 12), luck.randint(2, 9), True, {}) for _ in range(players)]
    plays: list[str | None] = [luck.choice("12345") for _ in range(players)]
    richest = raiders[0].coins == max(raider.coins for raider in raiders)
    healthiest = raiders[0].wounds == min(raider.wounds for raider in raiders)
    drawn = luck.randint(3, 5)
    mine, *others = [int(card or 0) for card in plays]
    me = Me(richest, healthiest, raiders[0].coins, raiders[0].wounds)
    coins, wounds = glance(mode, room, mine, others or [drawn], me)
    _, changes = resolve(mode, room, plays, raiders, dict.fromkeys(["torch", "ball", "key", "sword"], 9), drawn)
    change = changes.get(0)
    if change is None:
        assert (coins, wounds) == (0, 0), room
    elif change.item:
        assert (coins, wounds) == (WORTH[change.item], 0)
    else:
        assert (coins, wounds) == (change.coins, 6 if room.stone else change.wounds), room
