"""What templates get about the options of a lobby."""

from app.web.context import option_card
from engine.game import Choice, Option, Pick

FRUIT = Option(
    "fruit",
    "Fruit",
    (Choice("random", "At random"),),
    pick=Pick("By wish", tuple(Choice(fruit, fruit.title()) for fruit in ("apple", "pear", "plum")), {2: 2}),
)


def test_a_pick_is_offered_where_the_seats_have_a_number() -> None:
    card = option_card(FRUIT, 2, {"fruit": "apple+plum"})
    assert (card["pick"], card["picked"], card["number"]) == (FRUIT.pick, ["apple", "plum"], 2)
    assert option_card(FRUIT, 2, {"fruit": "random"})["picked"] == []
    assert option_card(FRUIT, 3, {"fruit": "random"})["pick"] is None
    older = option_card(FRUIT, 2, {"fruit": "apple+quince"})  # chosen when there were others
    assert older["picked"] == ["apple"]
