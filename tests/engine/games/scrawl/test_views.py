"""What a seat cannot know makes no difference to what it is sent."""

import hashlib
from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from engine.chance import Chance
from engine.games.scrawl import game
from engine.games.scrawl.cards import deck
from engine.games.scrawl.rules import Scrawl
from engine.games.scrawl.view import shuffle_unknown
from engine.move_error import MoveError
from engine.proof import canonical
from engine.steps import Event
from engine.table import Table
from engine.table_events import Opened, Revealed
from engine.testing.moves import new_table, play_at_random, secret
from tests.engine.games.scrawl.sitting import idle, play, state_of


@pytest.fixture(autouse=True)
def scrawl_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.table.find", lambda key: game)


def chance(seed: int) -> Chance:
    return Chance(hashlib.sha256(f"elsewhere {seed}".encode()).hexdigest())


def sent(table: Table, viewer: int | None) -> list[bytes]:
    """Every byte that this viewer is sent, with digests masked: they hide by their nonces."""
    shared = table.shared()
    masked = {seat: ["masked" for _ in found] for seat, found in shared.digests.items()}
    shared = msgspec.structs.replace(shared, digests=masked)
    if viewer is None:
        return [canonical(shared)]
    assert game.forecast
    own = table.own(viewer)
    return [canonical(shared), canonical(own), canonical(game.forecast(shared, own))]


def told_to_all(events: list[Event]) -> list[bytes]:
    """What everybody hears, with the proof masked."""

    def masked(event: Event) -> Any:
        if isinstance(event, Revealed):
            return [(answer.seat, answer.words) for answer in event.answers]
        return "opened" if isinstance(event, Opened) else event

    return [canonical(masked(event)) for event in events]


def elsewhere(table: Table, viewer: int | None, seed: int) -> Table:
    """The same table as far as this viewer knows: other cards kept, other words in drafts, other dithering."""
    other = Table.restore(msgspec.json.decode(msgspec.json.encode(table.save()), type=type(table.save())))
    shuffle_unknown(other.state, viewer, chance(seed))
    luck = Random(seed)
    for seat in table.asked:
        if seat == viewer:
            continue
        while other.drafts.get(seat):
            other.undo(seat, other.round)
        ready = seat in table.secrets
        while (seat in other.waits) if ready else luck.random() < 0.8:
            word = luck.choice(other.moves(seat))
            draft = (*other.drafts.get(seat, ()), word)
            if not ready and not other.state.todo[-1].unfinished(other.state, seat, draft):
                break
            play(other, seat, word)
    return other


def some_position(seed: int) -> Table:
    luck = Random(seed)
    table = new_table(game, luck.randint(1, 8), seed, campaign=luck.choice(("none", "none", "legends")))
    last = luck.randrange(300)
    for n, _ in enumerate(play_at_random(table, luck)):
        if n >= last and not table.over:
            break
    return table


@pytest.mark.parametrize("part", range(4))
def test_what_a_viewer_cannot_know_changes_no_byte_that_it_is_sent(part: int) -> None:
    asks = set()
    for seed in range(part * 25, part * 25 + 25):
        table = some_position(seed)
        if table.over:
            continue
        asks.add(table.shared().asks)
        for viewer in (None, *range(table.seats)):
            assert sent(elsewhere(table, viewer, seed), viewer) == sent(table, viewer)
    assert "ThreeDice" in asks


@pytest.mark.parametrize("asks", ["Keep", "Prepare"])
def test_nor_before_the_first_round(asks: str) -> None:
    found = 0
    for seed in range(40):
        table = new_table(game, 5, seed)
        while table.shared().asks != asks and not table.state.round:
            idle(table)
        if table.state.round:
            continue
        luck = Random(seed)
        for seat in table.waits[:-1]:
            for _ in range(luck.randrange(3)):
                if seat in table.waits:
                    play(table, seat, luck.choice(table.moves(seat)))
        for viewer in (None, *range(table.seats)):
            assert sent(elsewhere(table, viewer, seed), viewer) == sent(table, viewer)
        found += 1
    assert found > 10


def test_nor_while_the_same_words_are_played_on() -> None:
    """Other objectives are kept elsewhere; until they are revealed, everything told goes on alike, byte by byte."""
    for seed in range(12):
        table = new_table(game, 3, seed)
        while table.state.round < 1:
            idle(table)
        luck = Random(seed)
        viewer = luck.choice((None, 0, 1, 2))
        other = Table.restore(table.save())
        shuffle_unknown(other.state, viewer, chance(seed))
        other.state.chance = msgspec.structs.replace(table.state.chance)  # the same dice
        while not table.over and table.state.round < 7:
            seat = luck.choice(table.waits)
            move = luck.choice(table.moves(seat))
            ours = table.play(seat, move, table.round, "00" * 16)
            theirs = other.play(seat, move, other.round, "44" * 16)
            assert told_to_all(theirs) == told_to_all(ours)
            assert sent(other, viewer) == sent(table, viewer)


def test_words_and_take_backs_advance_nothing_that_another_sees() -> None:
    table = new_table(game, 4, 7)
    while table.state.round < 1:
        idle(table)
    before = sent(table, 1)
    luck = Random(3)
    for _ in range(40):
        if table.drafts.get(0) and luck.random() < 0.4:
            table.undo(0, table.round)
        elif table.moves(0) and table.moves(0) != ["done"]:
            table.play(0, luck.choice(table.moves(0)), table.round, secret(luck))
        assert sent(table, 1) == before and sent(table, None) == before[:1]


def test_a_refusal_tells_nothing_of_what_is_hidden() -> None:
    for seed in range(20):
        table = some_position(seed)
        if table.over:
            continue
        for viewer in range(table.seats):
            other = elsewhere(table, viewer, seed)
            for move in ("done", "brew 0", "step C1", "hero W", "objective O01", "talent thief", "nonsense", ""):
                if move in table.moves(viewer):
                    continue
                reasons = []
                for each in (table, other):
                    with pytest.raises(MoveError) as refused:
                        each.play(viewer, move, each.round, "00" * 16)
                    reasons.append(refused.value.reason)
                assert reasons[0] == reasons[1]


def test_a_spectator_is_sent_no_closed_card() -> None:
    table = new_table(game, 4, 2)
    while not table.over:
        text = canonical(table.shared()).decode()
        assert not any(f'"{objective}"' in text for objective in deck().objectives)
        idle(table)
    assert all(f'"{objective}"' in canonical(table.shared()).decode() for objective in state_of(table).kept)


def test_shuffle_unknown_deals_whole_cards_and_keeps_what_lies_open() -> None:
    for seed in range(60):
        table = some_position(seed)
        g = state_of(table)
        for viewer in (None, *range(table.seats)):
            other: Scrawl = msgspec.json.decode(msgspec.json.encode(g), type=Scrawl)
            shuffle_unknown(other, viewer, chance(seed))
            for dealt, cards in ((other.talents, deck().talents), (other.objectives, deck().objectives)):
                flat = Counter(card for pair in dealt for card in pair)
                assert set(flat) <= set(cards) and set(flat.values()) == {1}
            for seat in range(table.seats):
                if other.kept[seat]:
                    assert other.kept[seat] in other.objectives[seat]
                    assert other.sheets[seat].talent in other.talents[seat]
                    assert deck().objectives[other.kept[seat]].black == other.sheets[seat].black
            assert other.sheets == g.sheets and other.missions == g.missions and other.dice == g.dice
            if viewer is not None:
                assert (other.talents[viewer], other.kept[viewer]) == (g.talents[viewer], g.kept[viewer])
                assert other.objectives[viewer] == g.objectives[viewer]


def test_shuffle_unknown_reaches_everything_that_may_be() -> None:
    table = new_table(game, 2, 1)
    idle(table)
    g = state_of(table)
    kept, returned, seeds = set(), set(), set()
    for seed in range(300):
        other: Scrawl = msgspec.json.decode(msgspec.json.encode(g), type=Scrawl)
        shuffle_unknown(other, 0, chance(seed))
        kept.add(other.kept[1])
        returned |= set(other.talents[1]) - {other.sheets[1].talent}
        seeds.add(other.chance.seed)
    black = g.sheets[1].black
    assert kept == {o.id for o in deck().objectives.values() if o.black == black} - set(g.objectives[0])
    assert returned == set(deck().talents) - set(g.talents[0]) - {g.sheets[1].talent}
    assert len(seeds) == 300
