"""What pages show besides the views: names, effects as plain data, where entrances lie and who may enter."""

from engine.games.tomb import face, game
from engine.games.tomb.cards import CARDS, DECK
from engine.games.tomb.positions import Board, position
from engine.table import Table
from engine.testing import deal, new_table


def test_every_card_has_a_name_and_its_effect_as_plain_data() -> None:
    deck = face.deck()
    assert deck.cards.keys() == CARDS.keys() and deck.chests.keys() == DECK.chests.keys()
    assert len({card.name for card in deck.cards.values()}) == len(CARDS)
    for id, card in deck.cards.items():
        verbs = [type(step).__name__.lower() for step in CARDS[id].effect.steps]
        assert [step["verb"] for step in card.effect["steps"]] == verbs and card.guild
    assert deck.cards["stone_circle"].effect["steps"][0]["per"] == "adjacent_faction"


def test_where_entrances_lie() -> None:
    """T-8, T-10"""
    two, three = (face.summary(new_table(game, seats).shared()) for seats in (2, 3))
    sides = {slot.slot: slot.side for slot in three.slots}
    assert (sides["1"], sides["3.5"], sides["4"], sides["7.5"], sides["14"]) == (
        "left",
        "left",
        "top",
        "right",
        "bottom",
    )
    assert (two.rows, three.rows) == (3, 4)
    titles = [two.titles["c11"], two.titles["c34"], three.titles["c11"]]
    assert titles == ["3\u00a0×\u00a04", "1\u00a0×\u00a07", "3.5\u00a0×\u00a04"]


def test_whose_paws_lie_where_and_what_is_asked() -> None:
    state = position(Board(), Board(), paws={"5": 0, "c12": 1, "1": 1}, rooms={"c12": ("arsenal", 0)})
    table, _ = Table.at(game, state, seats=2, options=game.choose_options({}, 2), deal=deal(2))
    found = face.summary(table.shared())
    assert found.laid == {0: ("5",), 1: ("1", "c12")} and found.rooms == 1
    rivals = {slot.slot: slot.rival for slot in found.slots if slot.rival is not None}
    assert rivals == {"13": 0, "10": 1}  # opposite 5 and 1
    assert found.asks == "choosing"
    table.play(0, "remove", table.round, "5a" * 16)
    assert face.summary(table.shared()).asks in ("deciding", "lifting")
