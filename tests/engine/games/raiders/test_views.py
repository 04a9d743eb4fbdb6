"""What a seat cannot know makes no difference to what it is sent."""

import hashlib
from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from engine.chance import Chance
from engine.games.raiders import facts, game
from engine.games.raiders.cards import decks
from engine.games.raiders.rules import Raiders
from engine.games.raiders.view import shuffle_unknown
from engine.move_error import MoveError
from engine.proof import canonical
from engine.steps import Event
from engine.table import Table
from engine.table_events import AnyTime, Opened, Revealed
from engine.testing.moves import deal, new_table, play_at_random, secret
from tests.engine.games.raiders.settings import ALL
from tests.engine.games.raiders.sitting import at, light, raider

DECK = decks()["second"]


def chance(seed: int) -> Chance:
    return Chance(hashlib.sha256(f"elsewhere {seed}".encode()).hexdigest())


def sent(table: Table, viewer: int | None) -> list[bytes]:
    """Every byte that this viewer is sent, with digests masked: they hide by their nonces."""
    shared = msgspec.structs.replace(
        table.shared(), digests={seat: ["masked" for _ in found] for seat, found in table.shared().digests.items()}
    )
    return [canonical(shared)] + ([] if viewer is None else [canonical(table.own(viewer))])


def told_to_all(events: list[Event]) -> list[bytes]:
    """What everybody hears, with the proof masked."""

    def masked(event: Event) -> Any:
        if isinstance(event, Revealed):
            return [(answer.seat, answer.words) for answer in event.answers]
        return "opened" if isinstance(event, Opened) else event

    return [canonical(masked(event)) for event in events]


def elsewhere(table: Table, viewer: int | None, seed: int) -> Table:
    """The same table as far as this viewer knows: other cards in the dark, other cards face down, other dithering."""
    saved = msgspec.json.decode(msgspec.json.encode(table.save()), type=type(table.save()))
    other = Table.restore(saved)
    shuffle_unknown(other.state, viewer, chance(seed))
    luck = Random(seed)
    for seat in table.secrets:
        if seat != viewer:
            other.undo(seat, other.round)
            for _ in range(luck.randrange(3)):
                other.play(seat, luck.choice(other.moves(seat)), other.round, secret(luck))
                if not other.waits:
                    raise AssertionError("a sealed round is never complete while it waits")
                other.undo(seat, other.round)
            other.play(seat, luck.choice(other.moves(seat)), other.round, secret(luck))
    return other


@pytest.fixture(autouse=True)
def raiders_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.table.find", lambda key: game)


def some_position(seed: int) -> Table:
    luck = Random(seed)
    seats, options = ALL[seed % len(ALL)]
    table = new_table(game, seats, seed, **options)
    last = luck.randrange(40 * seats)
    for n, _ in enumerate(play_at_random(table, luck)):
        if n >= last and not table.over:
            break
    return table


@pytest.mark.parametrize("part", range(4))
def test_what_a_viewer_cannot_know_changes_no_byte_that_it_is_sent(part: int) -> None:
    for seed in range(part * 150, part * 150 + 150):
        table = some_position(seed)
        if table.over:
            continue
        for viewer in (None, *range(table.seats)):
            assert sent(elsewhere(table, viewer, seed), viewer) == sent(table, viewer)


@pytest.mark.no_cover
def test_nor_while_the_same_cards_are_played_on() -> None:
    """As long as only what the viewer knows is turned up, everything told goes on alike, byte by byte."""
    played = 0
    for seed in range(400):
        table = some_position(seed)
        luck = Random(seed)
        viewer = luck.choice((None, *range(table.seats)))
        lit = [] if viewer is None else table.state.raiders[viewer].lit
        if table.over or set(table.state.dark()) - set(lit):
            continue
        other = Table.restore(table.save())
        shuffle_unknown(other.state, viewer, chance(seed))
        other.state.strengths = list(table.state.strengths)  # these turn up as the viewer plays on
        floor = table.state.floor
        while not table.over and table.state.floor == floor:
            seat = luck.choice(table.waits)
            move = luck.choice(table.moves(seat))
            dithers = luck.random() < 0.3
            ours = table.play(seat, move, table.round, "00" * 16)
            if dithers and len(other.waits) > 1:
                other.play(seat, other.default(seat), other.round, "33" * 16)
                other.undo(seat, other.round)
            theirs = other.play(seat, move, other.round, "44" * 16)
            if table.state.floor == floor and not table.over:
                assert told_to_all(theirs) == told_to_all(ours)
                assert sent(other, viewer) == sent(table, viewer)
                played += 1
    assert played > 100


def test_take_backs_and_waiting_advance_nothing_that_another_sees() -> None:
    table = new_table(game, 4, 7)
    before = sent(table, 1)
    for card in ("1", "3", "5"):
        table.play(0, card, table.round, "11" * 16)
        table.undo(0, table.round)
        assert sent(table, 1) == before


def test_a_refusal_tells_nothing_of_what_is_hidden() -> None:
    for seed in range(50):
        table = some_position(seed)
        if table.over:
            continue
        for viewer in range(table.seats):
            other = elsewhere(table, viewer, seed)
            for move in ("1", "5", "ball", "key", "sword", "flee", "torch", "nonsense"):
                if move in table.moves(viewer) or move in table.anytime(viewer):
                    continue
                reasons = []
                for each in (table, other):
                    with pytest.raises(MoveError) as refused:
                        each.play(viewer, move, each.round, "00" * 16)
                    reasons.append(refused.value.reason)
                assert reasons[0] == reasons[1]


def everything_hidden(g: Raiders) -> list[str]:
    return [*g.rooms, *g.deck, *g.away]


def test_shuffle_unknown_changes_nothing_that_the_seat_has_seen_and_loses_no_card() -> None:
    for seed in range(100):
        table = some_position(seed)
        g = table.state
        if table.over:
            continue
        entered = Counter(g.rooms[: g.place])
        for viewer in (None, *range(table.seats)):
            other: Raiders = msgspec.json.decode(msgspec.json.encode(g), type=Raiders)
            shuffle_unknown(other, viewer, chance(seed))
            assert other.rooms[: g.place] == g.rooms[: g.place]
            for place in g.raiders[viewer].lit if viewer is not None else ():
                assert other.rooms[place - 1] == g.rooms[place - 1]
            for place, up in enumerate(g.light, 1):
                assert not up or other.rooms[place - 1] == g.rooms[place - 1]
            assert len(other.deck) == len(g.deck) and len(other.away) == len(g.away)
            assert other.floors[: g.floor] == g.floors[: g.floor]
            if g.edition == "second":
                assert sorted(other.floors) == sorted(DECK.floors)
            assert sorted("".join(other.floors)) == sorted("".join(g.floors))
            assert other.turned == g.turned and sorted(other.strengths) == sorted(g.strengths)
            before, after = Counter(everything_hidden(g)), Counter(everything_hidden(other))
            changed = (before - after) + (after - before)
            assert set(changed) <= set(DECK.bosses), "rooms of former floors are nowhere else"
            assert entered <= after
            if g.edition == "first":
                assert not changed
                continue
            assert sum(after[boss] for boss in DECK.bosses) == 1
            if other.deck:
                assert other.deck[-1] in DECK.bosses
            else:
                assert other.rooms[4] in DECK.bosses


def test_shuffle_unknown_reaches_everything_that_may_be() -> None:
    table = at({}, [raider(torch=1), raider(), raider()], faceup="UDUDD")
    light(table, 0)
    found: dict[int | None, list[Raiders]] = {}
    for viewer in (None, 0, 1):
        found[viewer] = []
        for seed in range(300):
            other: Raiders = msgspec.json.decode(msgspec.json.encode(table.state), type=Raiders)
            shuffle_unknown(other, viewer, chance(seed))
            found[viewer].append(other)
    possible = Counter(DECK.rooms) - Counter([table.state.rooms[0], table.state.rooms[2]])
    for viewer in (None, 1):
        assert {other.rooms[1] for other in found[viewer]} == set(possible)
        assert {other.away[0] for other in found[viewer]} == set(possible)
        assert {other.deck[-1] for other in found[viewer]} == set(DECK.bosses)
        assert len({other.floors[1] for other in found[viewer]}) == 6
        assert len({other.chance.seed for other in found[viewer]}) == 300
    assert {other.rooms[1] for other in found[0]} == {table.state.rooms[1]}


def test_shuffle_unknown_of_the_first_edition_moves_the_light_rooms_to_come_and_the_strengths() -> None:
    table = at({}, 1, edition="first", faceup="UDUDD", strengths=[5])
    floors, strengths, rooms = set(), set(), set()
    for seed in range(300):
        other: Raiders = msgspec.json.decode(msgspec.json.encode(table.state), type=Raiders)
        shuffle_unknown(other, 0, chance(seed))
        assert other.floors[0] == "UDUDD"
        floors.add(other.floors[1])
        strengths.add(other.strengths[0])
        rooms.add(other.rooms[1])
    assert len(floors) > 20 and strengths == {3, 4, 5}
    deck = table.state.mode.deck
    assert rooms == set(Counter(deck.rooms) - Counter([table.state.rooms[0], table.state.rooms[2]]))
    assert "armoury" not in rooms


def test_a_dark_boss_may_be_any_other() -> None:
    table = at({}, 3, floor=5, faceup="UDUDD", boss="mummy")
    bosses = set()
    for seed in range(200):
        other: Raiders = msgspec.json.decode(msgspec.json.encode(table.state), type=Raiders)
        shuffle_unknown(other, 0, chance(seed))
        bosses.add(other.rooms[4])
        assert not set(other.rooms[:4]) & set(DECK.bosses)
    assert bosses == set(DECK.bosses)


def test_what_a_torch_showed_is_in_no_event() -> None:
    """Nor in any other channel than its owner's private view."""
    table, events = Table.begin(game, 4, deal(4, 3), {})
    for told in play_at_random(table, Random(3)):
        events += told
    lit = [event for event in events if isinstance(event, facts.Torch)]
    assert lit and all(event.__struct_fields__ == ("seat",) for event in lit)
    assert {event.move for event in events if isinstance(event, AnyTime)} == {"torch"}


def test_what_is_public_of_a_raider_is_on_this_list() -> None:
    """A new field of the state is seen by nobody until it is put into a view."""
    assert facts.Public.__struct_fields__ == (
        "edition", "mode", "play", "floor", "place", "rooms", "raiders", "supply", "first", "order", "over",
        "drawn", "turned",
    )  # fmt: skip
    assert facts.RaiderSeen.__struct_fields__ == (
        "seat", "character", "coins", "wounds", "alive", "items", "hand", "played", "play", "passed",
    )  # fmt: skip
    assert facts.Private.__struct_fields__ == ("lit",)
