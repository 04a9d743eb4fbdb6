"""The loader of card files: what it reads, and how it tells a mistake."""

from collections.abc import Iterable
from typing import Annotated, Any

import pytest
from msgspec import Meta, Struct

from engine.cards import CardError, CardFile, CardRecord, Count, Some, Word, plainly

FILE = """
[sheet]
rows = 7

[edition.first]
items = 5
[edition.second]
items = 6

[rooms]
A1 = "ghost"

[[monster]]
name = "snake"
wounds = 3
strength = [8, 10]
[[monster]]
name = "dragon"
wounds = 1
strength = [1, 2]
coins = 2
copies = { first = 2 }
"""


RoomName = Annotated[str, Meta(pattern=r"\A[A-F][1-7]\Z")]


class Sheet(CardRecord, frozen=True):
    rows: Count


class Edition(CardRecord, frozen=True):
    items: Count


class Monster(CardRecord, frozen=True):
    name: Word
    wounds: Annotated[int, Meta(ge=1, le=3)]
    strength: tuple[Some, Some]
    coins: int | None = None
    stone: bool = False
    copies: dict[str, Some] | None = None

    def faults(self) -> Iterable[str]:
        if self.strength[0] >= self.strength[1]:
            yield "strength: it must rise"


class Cards(Struct):
    sheet: Sheet
    editions: dict[str, Edition]
    rooms: dict[str, str]
    monsters: list[Monster]


def load(text: str = FILE) -> Cards:
    file = CardFile(text, {"sheet", "edition", "rooms", "monster"}, "tiny.toml")
    return Cards(
        file.table("sheet", Sheet), file.tables("edition", Edition), file.tables("rooms", str, RoomName),
        file.cards("monster", Monster),
    )  # fmt: skip


def test_a_file_is_read() -> None:
    found = load()
    assert found.sheet.rows == 7 and {key: one.items for key, one in found.editions.items()} == {
        "first": 5, "second": 6,
    }  # fmt: skip
    assert [monster.name for monster in found.monsters] == ["snake", "dragon"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("rows = 7", "rows = -1", "tiny.toml, sheet: rows: the least is 0"),
        ("rows = 7", 'rows = "7"', "tiny.toml, sheet: rows: a text in place of a whole number"),
        ("rows = 7", "row = 7", "tiny.toml, sheet: there is no field row"),
        ("rows = 7", "", "tiny.toml, sheet: rows is missing"),
        ("[sheet]\nrows = 7", "", "tiny.toml: [sheet] is missing"),
        ("[sheet]", "[page]", "tiny.toml: unknown: page"),
        ("[sheet]", "[sheet", "tiny.toml: Expected ']'"),
        ("items = 6", "items = 6.5", "tiny.toml, edition second: items: a number in place of a whole number"),
        ("[edition.first]\nitems = 5\n[edition.second]", "[sheet.x]", "tiny.toml, sheet: there is no field x"),
        ("wounds = 3", "wounds = 4", "tiny.toml, monster snake: wounds: the most is 3"),
        ("wounds = 3", "wounds = true", "tiny.toml, monster snake: wounds: true or false in place of a whole number"),
        ("[8, 10]", "[8]", "tiny.toml, monster snake: strength: 1 entries, 2 are needed"),
        ("[8, 10]", "[8, 0]", "tiny.toml, monster snake: strength[1]: the least is 1"),
        ("[8, 10]", "[8, 8]", "tiny.toml, monster snake: strength: it must rise"),
        ("[8, 10]", "{ a = 1 }", "tiny.toml, monster snake: strength: a table in place of a list"),
        ("coins = 2", "coins = []", "tiny.toml, monster dragon: coins: a list in place of a whole number"),
        ("first = 2 }", "first = 0 }", "tiny.toml, monster dragon: copies: the least is 1"),
        ('"snake"', '"Snake"', "tiny.toml, monster Snake: name: it must match the pattern [a-z]+(_[a-z]+)*"),
        ('name = "dragon"\n', "", "tiny.toml, monster no. 2: name is missing"),
        ('"dragon"', '"snake"', "tiny.toml, monster: snake is there 2 times"),
        ("A1 =", "A8 =", "tiny.toml, rooms: it must match the pattern"),
        ("A1 = ", "A1 = 3\nA2 =", "tiny.toml, rooms A1: a whole number in place of a text"),
    ],
)
def test_a_mistake_is_told_by_file_card_and_field(old: str, new: str, says: str) -> None:
    assert old in FILE
    with pytest.raises(CardError) as error:
        load(FILE.replace(old, new, 1))
    assert str(error.value).startswith(says)


def test_tables_are_needed_and_cards_have_two_brackets() -> None:
    file = CardFile("[card]\nname = 1", {"card", "edition"}, "tiny.toml")
    with pytest.raises(CardError, match=r"tiny.toml: there is no \[edition"):
        file.tables("edition", Edition)
    with pytest.raises(CardError, match=r"tiny.toml: card: write \[\[card\]\], with two brackets"):
        file.cards("card", Monster)


def test_cards_of_a_kind_may_be_none_and_may_repeat_a_name() -> None:
    twice = FILE.replace('"dragon"', '"snake"')
    file = CardFile(twice, {"sheet", "edition", "rooms", "monster", "trap"})
    assert file.cards("trap", Monster) == []
    assert len(file.cards("monster", Monster, unique=False)) == 2


def test_a_card_is_known_by_the_field_that_its_kind_names() -> None:
    class Numbered(CardRecord, frozen=True):
        named = "id"
        id: int

    file = CardFile('[[card]]\nid = 4\nx = 1\n[[card]]\nid = "x"', {"card"})
    with pytest.raises(CardError, match=r"cards.toml, card 4: there is no field x"):
        file.cards("card", Numbered)


@pytest.mark.parametrize("error", ["Something new", "Something new - at `$.field`"])
def test_other_errors_are_told_as_they_are(error: str) -> None:
    said: Any = plainly(error)
    assert "Something new" in said and said.startswith("field: " if "$" in error else "Something")
