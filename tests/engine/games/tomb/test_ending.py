"""The end and the scoring: T-140 to T-155; defaults for seats that are away: T-146."""

from random import Random

import pytest

from engine.games.tomb import game
from engine.games.tomb.cards import CARDS, DECK
from engine.games.tomb.facts import Line, TombResult
from engine.games.tomb.places import layout
from engine.games.tomb.positions import Board, PileOf
from engine.games.tomb.scoring import best_sets, decide, line, worth
from engine.testing import new_table, play_defaults
from engine.testing.moves import make_moves, secret
from tests.engine.games.tomb.digging import FULL, Dig, lifting

FIRST = DECK.first_game[:6]


def of(sort: str, *factions: str) -> list[str]:
    return [card.id for card in CARDS.values() if card.sort == sort and card.faction in factions]


def filled(seats: int, owners: int = 2) -> dict[str, tuple[str, int]]:
    """A tomb with a room in every cell."""
    rooms = of("room", *DECK.first_game[: 6 if seats == 2 else 7])
    return {cell: (room, n % owners) for n, (cell, room) in enumerate(zip(layout(seats).cells, rooms, strict=False))}


def result(dig: Dig) -> TombResult:
    (found,) = dig.heard(TombResult)
    return found


def test_t140_twelve_rooms_no_helpers_or_forty_glory_trigger_the_end() -> None:
    rooms = {cell: room for cell, room in filled(2).items() if cell != "c34"}
    spare = [card for card in of("room", *FIRST) if card not in {room for room, _ in rooms.values()}]
    last = lifting(FULL, rooms=rooms, paws={"2": 0, "c34": 0}, rooms_pile=PileOf(market=spare[:3]))
    last.say("lift 2", f"open {spare[0]}", f"pay {pay_of(spare[0])}")
    assert last.g.ended == "rooms"
    glory = lifting(Board(glory=38), rooms={"c11": ("cathedral", 0)}, paws={"c11": 0}).say("gain")
    assert glory.g.ended == "glory" and glory.g.trigger == 0
    assert not lifting(Board(glory=37), rooms={"c11": ("cathedral", 0)}, paws={"c11": 0}).g.ended
    helpers = [*of("helper", *FIRST), "murmia"]
    mine, theirs, shown = helpers[3:11], helpers[11:], helpers[:3]
    out = lifting(Board(food=9, torch=9, helpers=mine), Board(helpers=theirs), factions=FIRST,
                  helpers_pile=PileOf(market=shown), paws={"5": 0})  # fmt: skip
    assert shown[0] == "conjurer"
    out.say("hire conjurer", "pay 2 1 0 0")
    assert out.g.ended == "helpers"


def pay_of(card: str) -> str:
    return " ".join(map(str, CARDS[card].cost[:4]))


def test_t141_the_end_stays_triggered_also_by_glory_of_others() -> None:
    dig = Dig(Board(), Board(glory=39), rooms={"c21": ("sawmill", 1)}, paws={"2": 0}).say("place 4")
    assert dig.g.ended == "glory" and dig.g.trigger == 0
    assert dig.say("pass").table.over and result(dig).ended == "glory"
    rooms = {"c11": ("candle_hall", 0), "c12": ("secluded_nook", 0)}
    spent = lifting(Board(glory=39, helpers=("foreman",)), rooms=rooms, paws={"c11": 0, "c12": 0})
    spent.say("lift c11", "gain", "dismiss foreman")
    assert spent.goods()[4] == 39 and spent.g.ended == "glory"


def test_t142_the_trigger_player_completes_the_action_and_loses_extra_ones() -> None:
    rooms = {"c21": ("hot_spring", 1), "c22": ("moss_grove", 1)}
    dig = Dig(Board(), Board(glory=39), rooms=rooms, paws={"2": 0, "5": 0}).say("place 4")
    assert dig.seat == 1 and dig.asks == "MainAction" and dig.moves[-1] == "pass"
    hunter = lifting(Board(glory=39, helpers=("commander",)), rooms={"c11": ("candle_hall", 0)}, paws={"c11": 0})
    assert hunter.say("gain").moves[0].startswith("place ")


def test_t142_an_extra_turn_is_lost_and_glory_is_no_question_any_more() -> None:
    rooms = {"c21": ("tea_house", 0), "c22": ("candle_hall", 0), "c23": ("cathedral", 0)}
    dig = lifting(Board(glory=39), rooms=rooms, paws={"c21": 0, "c22": 0, "c23": 0}).say("lift c21", "lift c22", "gain")
    assert dig.goods()[4] == 42 and dig.seat == 1 and dig.moves[-1] == "pass"


def test_t143_the_opponent_has_one_last_action() -> None:
    def ending() -> Dig:
        where = {"c21": ("hot_spring", 1)}
        return Dig(Board(), Board(glory=39), rooms=where, paws={"2": 0, "8": 1, "6": 1}).say("place 14")

    assert ending().moves[-1] == "pass" and "remove" in ending().moves
    removed = ending().say("remove")
    while not removed.table.over:
        removed.say(removed.moves[-1])
    assert result(removed).trigger == 0
    symbol = Dig(Board(), Board(glory=39), rooms={"c21": ("hot_spring", 1), "c34": ("moss_grove", 0)},
                 paws={"2": 0, "10": 1}).say("place 14", "place 7")  # fmt: skip
    assert symbol.table.over and symbol.g.paws["c34"] == 1  # no extra action


def test_t144_three_players_end_at_thirty_glory_or_sixteen_rooms() -> None:
    dig = lifting(Board(glory=28), Board(), Board(), rooms={"c11": ("cathedral", 0)}, paws={"c11": 0}).say("gain")
    assert dig.g.ended == "glory" and dig.seat == 1
    assert dig.say("pass").seat == 2
    assert dig.say("place 1").table.over
    assert Dig(Board(), Board(), Board(), rooms=filled(3, 3)).g.glory_at_end == 30


def test_t145_after_a_hundred_turns_each_the_game_is_scored() -> None:
    dig = Dig(Board(turns=100), Board(turns=99), active=1, first=0).say("place 1")
    assert dig.table.over and result(dig).ended == "turns" and result(dig).trigger == 1
    assert not Dig(Board(turns=99), Board(turns=99), active=0).say("place 1").table.over


def test_t146_defaults_place_lift_and_gain_and_decline_the_rest() -> None:
    def default(dig: Dig) -> str:
        return dig.table.default(dig.seat)

    assert default(Dig(paws={"1": 0, "10": 1})) == "place 2"
    assert default(Dig(rooms={"c21": ("hot_spring", 1)}, paws={"2": 0}).say("place 4")) == "decline"
    assert default(Dig(Board(), Board(glory=39), rooms={"c21": ("sawmill", 1)}, paws={"2": 0}).say("place 4")) == "pass"
    dig = lifting(Board(food=0, torch=1, pickaxe=0, chests=("chest_01",)), paws={"13": 0, "1": 0, "c11": 0})
    assert default(dig) == "lift 1"
    assert default(dig.say("lift 13")) == "gain 1 0 0" and default(dig.say("gain 1 0 0")) == "skip"
    assert default(Dig(paws={"2": 0, "3": 0, "14": 0}).say("place 5")) == "lay c11"
    three = lifting(Board(food=0, torch=1, pickaxe=1), rooms={"c11": ("berry_garden", 0)}, paws={"c11": 0})
    assert default(three) == "gain 1 0 0"
    after = lifting(Board(chests=("chest_01",)), paws={"c11": 0}).say("lift c11")
    assert default(after) == "finish"


def test_t150_board_glory_and_sets_of_rooms_and_of_helpers() -> None:
    found = line(7, ["sawmill", "arsenal"], ["foreman", "digger", "monk"])
    assert (found.glory, found.rooms, found.helpers, found.total) == (7, 2, 4, 13)
    camp = Dig(Board(camp=("sawmill", "arsenal"), food=9, gold=9))
    assert camp.table.shared().public.players[0].line.total == 0


def test_t151_lenas_example() -> None:
    """Six helpers in sets of 4 and 2, six rooms in sets of 5 and 1, 31 glory on the board: 51."""
    helpers = [*of("helper", "squirrels")[:2], *of("helper", "beavers")[:2], "monk", "digger"]
    rooms = [*of("room", "squirrels")[:2], "arsenal", "sawmill", "chapel", "stash"]
    lena = line(31, rooms, helpers)
    assert [len(one) for one in lena.helper_sets] == [4, 2] and [len(one) for one in lena.room_sets] == [5, 1]
    assert (lena.helpers, lena.rooms, lena.total) == (9, 11, 51)
    assert [worth([n]) for n in range(1, 7)] == [0, 2, 4, 7, 11, 16]


def test_t152_a_neutral_card_counts_as_the_best_faction() -> None:
    assert line(0, ["sphinx", "sawmill"], []).rooms == 2
    assert line(0, ["sphinx"], ["murmia", "foreman"]).total == 2
    assert [len(one) for one in best_sets(("sawmill", "scaffolding", "arsenal", "sphinx"))] == [3, 1]


def best_by_trying(factions: list[str]) -> int:
    """The best partition into sets of different factions, by trying all of them."""
    best = 0

    def lay(at: int, sets: list[set[str]]) -> None:
        nonlocal best
        if at == len(factions):
            best = max(best, worth([len(one) for one in sets]))
            return
        for one in sets:
            if factions[at] not in one and len(one) < 6:
                one.add(factions[at])
                lay(at + 1, sets)
                one.remove(factions[at])
        lay(at + 1, [*sets, {factions[at]}])

    lay(0, [])
    return best


@pytest.mark.parametrize("kind", [6, 7])
def test_t153_the_best_partition_is_scored(kind: int) -> None:
    luck = Random(kind)
    for _ in range(60):
        factions = list(DECK.factions[:kind])
        pool = [card for card in of("room", *factions)]
        cards = luck.sample(pool, luck.randint(1, 8))
        found = best_sets(tuple(cards))
        assert sorted(card for one in found for card in one) == sorted(cards)
        assert all(len({CARDS[card].faction for card in one}) == len(one) for one in found)
        assert worth([len(one) for one in found]) == best_by_trying([CARDS[card].faction for card in cards])


def test_t154_a_set_has_six_factions_at_most() -> None:
    seven = [of("helper", faction)[0] for faction in DECK.factions[:7]]
    assert [len(one) for one in best_sets(tuple(seven))] == [6, 1] and line(0, [], seven).helpers == 16
    assert line(0, [], [*seven, of("helper", DECK.factions[0])[1]]).helpers == 18


def test_t155_most_points_win_and_the_trigger_decides_ties() -> None:
    def points(*totals: int) -> list[Line]:
        return [Line(total, 0, 0, total, (), ()) for total in totals]

    assert decide(points(5, 9), "glory", 0).winners == (1,)
    tie = decide(points(9, 9), "glory", 1)
    assert tie.winners == (1,) and [s.why for s in tie.standings] == ["trigger", "turn_order"]
    three = decide(points(9, 5, 9), "rooms", 1)
    assert three.winners == (2,) and [s.seat for s in three.standings] == [2, 0, 1]
    assert [s.place for s in three.standings] == [1, 2, 3]


def test_time_that_runs_out_spends_no_goods_and_uses_no_chest() -> None:
    luck = Random(3)
    table = new_table(game, 2)
    for _ in range(600):
        if table.over:
            break
        seat = table.waits[0]
        if not table.drafts and luck.random() < 0.3:
            goods, round = list(table.state.players[seat].goods), table.round
            while table.round == round:
                (word,) = table.frugal(seat)
                assert not word.startswith("use ")
                table.play(seat, word, round, secret(luck), "time")
            after = table.state.players[seat].goods
            assert all(now >= then for now, then in zip(after, goods, strict=True))
        else:
            table.play(seat, luck.choice(table.moves(seat)), table.round, secret(luck))


def test_defaults_alone_end_a_game() -> None:
    table = new_table(game, 2)
    while not table.over:
        play_defaults(table)
    assert table.state.result.ended == "turns"


def test_the_last_action_may_use_chests() -> None:
    dig = Dig(
        Board(),
        Board(glory=39, chests=("chest_01",)),
        rooms={"c21": ("sawmill", 1)},
        paws={"2": 0, "9": 0, "8": 1, "6": 1},
    )
    dig.say("place 4", "remove")
    assert "use chest_01" in dig.moves
    assert make_moves(dig.table, 1, "use chest_01") and dig.goods(1)[0] == 4
