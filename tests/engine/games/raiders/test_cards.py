"""The file of cards is checked when it is read, and a mistake in it is told by card and field."""

from importlib.resources import files

import pytest

from engine.cards import CardError
from engine.games.raiders.cards import decks, load
from engine.games.raiders.facts import Amount, RoomFacts
from tests.engine.games.raiders.sitting import facts_of

OURS = (files("engine.games.raiders") / "cards.toml").read_text("utf-8")


def changed(old: str, new: str, times: int = 1) -> str:
    assert old in OURS
    return OURS.replace(old, new, times)


def test_ours_is_sound() -> None:
    assert load(OURS) == decks() and set(decks()) == {"second", "first"}
    deck = decks()["second"]
    assert len(deck.rooms) == 30 and len(deck.bosses) == 10 and len(deck.floors) == 7 and deck.items == 6


def test_the_facts_of_a_room_hold_only_what_its_kind_has() -> None:
    rooms = decks()["second"].facts[4]
    assert facts_of(rooms["treasure_3_2"]) == {"kind": "treasure", "name": "treasure", "chests": (3, 2)}
    assert facts_of(rooms["dragon"]) == {"kind": "monster", "name": "dragon", "strength": 18, "wounds": 3}
    assert facts_of(rooms["wolf_pack"]) == {
        "kind": "boss", "name": "wolf_pack", "strength": 14, "wounds": 2, "flee": "torch",
    }  # fmt: skip
    assert facts_of(rooms["mummy"]) == {
        "kind": "boss", "name": "mummy", "strength": None, "wounds": 3, "aim": "highest",
    }  # fmt: skip
    assert rooms["hoard"] == RoomFacts(
        "vault",
        "hoard",
        prizes={
            "1": Amount("coins", 1),
            "2": Amount("coins", 2),
            "3": Amount("potion", 1),
            "4": Amount("coins", 3),
            "5": Amount("potion", 2),
        },
    )


WRONG = [
    # what is changed, into what, and what the error must say
    ("strength = [8, 10, 13]", "strength = [8, 10]", "monster snake: strength: 2 entries, 3 are needed"),
    ("strength = [8, 10, 13]", "strength = [8, 10, 0]", "monster snake: strength[2]: the least is 1"),
    ("strength = [8, 10, 13]", 'strength = "8"', "monster snake: strength: a text in place of a list"),
    ("strength = [8, 10, 13]\n", "", "monster snake: strength is missing"),
    ('name = "snake"', 'name = "Snake"', "monster Snake: name: it must match the pattern"),
    ('name = "snake"\n', "", "monster no. 1: name is missing"),
    ('name = "snake"', 'name = "zombie"', "edition second: zombie is there 2 times"),
    ('name = "snake"', 'name = "snake"\nteeth = 2', "monster snake: there is no field teeth"),
    ("chests = [4, 2]", "chests = [2, 4]", "treasure [2, 4]: chests: one or more are needed, the biggest first"),
    ("chests = [4, 2]", "chests = []", "treasure []: chests: one or more"),
    ("chests = [3, 2]", "chests = [4, 2]", "edition second: treasure_4_2 is there 2 times"),
    ('["torch", "ball",', '["lamp", "ball",', "vault armoury: prizes[0]: 'lamp' is not one of the allowed words"),
    ('["torch", "ball",', '["ball",', "vault armoury: prizes: 4 of them, 5 are needed"),
    ("{ potion = 1 }]", "{ potion = 1, coins = 1 }]", "vault armoury: prizes: one thing a prize"),
    ("{ potion = 1 }]", "{ gold = 1 }]", "vault armoury: prizes[4]: 'gold' is not one of the allowed words"),
    ("harms = [0, 0, 1, 2, 3]", "harms = [0, 0, 1, 2, -3]", "trap lava: harms[4]: the least is 0"),
    ('victims = "richest"', 'victims = "tallest"', "trap lava: victims: 'tallest' is not one of the allowed words"),
    ('flee = "torch"', 'flee = "ladder"', "boss wolf_pack: flee: 'ladder' is not one of the allowed words"),
    ('aim = "highest"', 'aim = "tallest"', "boss mummy: aim: 'tallest' is not one of the allowed words"),
    ("stone = true", "stone = 1", "boss medusa: stone: a whole number in place of true or false"),
    ("copies = { second = 3, first = 3 }", "copies = { third = 3 }", "armoury: copies: there is no edition third"),
    (
        "copies = { second = 3, first = 3 }",
        "copies = { second = 0 }",
        "vault armoury: copies: the least is 1",
    ),
    (
        "copies = { second = 3, first = 3 }",
        "copies = { second = 4 }",
        "edition second: away: 31 rooms less 6, and 1 boss, make",
    ),
    ("coins = 3\nwounds = 2\n", "coins = 21\nwounds = 2\n", "character explorer: coins: the most is 20"),
    ('items = ["key"]', 'items = ["rope"]', "character thief: items[0]: 'rope' is not one of the allowed words"),
    ('name = "thief"', 'name = "wizard"', "character: wizard is there 2 times"),
    ('"UDUDD", ', '"UDUD", ', "edition second: floors[0]: it must match the pattern"),
    ('["UDUDD", "UDDUD", "UUUUD", "UUDDU"', '["UUDDU"', "edition second: floors: 4 cards, 5 are drawn"),
    ("items = 6 ", "items = 1 ", "edition second: items: 1 of each, characters start with 2 ball"),
    ("away = 6 ", "away = 5 ", "edition second: away: 30 rooms less 5, and 1 boss, make 26, not 25"),
    ("bosses = 1 ", "bosses = 2 ", "edition second: bosses: the most is 1"),
    ('["half", 2, 1, 0, 0]', '["some", 2, 1, 0, 0]', "trap lava: harms[0]: "),
    ('by = "lowest"', 'by = "middle"', "trap lava: by: 'middle' is not one of the allowed words"),
    ("light = 12 ", "light = 26 ", "edition first: light: the most is 25"),
    ("light = 12 ", "floors = []\n# ", "edition first: floors: 0 cards, 5 are drawn"),
    ("deadly = 10 ", "# ", "edition first: trap spikes: half of what is left to death, and nobody dies"),
    ("fewest = 2 ", "fewest = 1 ", "edition first: fewest: the least is 2"),
    ("strengths = [5, ", "strengths = [6, ", "edition first: solo.strengths[0]: the most is 5"),
    ("strengths = [5, ", "strengths = [", "edition first, solo: strengths: 9 cards, there are 10 monsters"),
    ("coins = 2       # that", "coins = 21\n# ", "edition first: solo.coins: the most is 20"),
    ("[[trap]]", "[[pit]]", "unknown: pit"),
    ("[edition.second]", "[edition", "cards.toml: "),
    ('[[character]]\nname = "warrior"\ncoins = 2\nwounds = 0\n', "", "edition second: 4 characters, 5 are needed"),
]


@pytest.mark.parametrize(("old", "new", "says"), WRONG)
def test_a_mistake_is_told_by_file_card_and_field(old: str, new: str, says: str) -> None:
    with pytest.raises(CardError) as wrong:
        load(changed(old, new), "our_cards.toml")
    assert str(wrong.value).startswith("our_cards.toml")
    assert says.removeprefix("cards.toml: ") in str(wrong.value)


def test_too_few_rooms_without_items_for_solo() -> None:
    fewer = OURS.replace("copies = { second = 2, first = 2 }", "copies = { second = 2 }")  # 14 rooms less
    fewer = fewer.replace("copies = { second = 3, first = 3 }", "copies = { second = 3, first = 17 }")
    with pytest.raises(CardError, match="edition first, solo: 13 rooms without items, 25 are needed"):
        load(fewer)


def test_floor_cards_and_a_number_of_light_rooms() -> None:
    with pytest.raises(CardError, match="edition second: light: floor cards say"):
        load(changed("[edition.second]\n", "[edition.second]\nlight = 12\n"))


def test_no_boss_to_draw() -> None:
    text = OURS[: OURS.index("# Bosses ---")]
    with pytest.raises(CardError, match="edition second: bosses: one is drawn, there is none"):
        load(text)


def test_an_empty_file() -> None:
    with pytest.raises(CardError, match="there is no \\[edition"):
        load("")


def test_a_table_in_place_of_an_array() -> None:
    with pytest.raises(CardError, match="boss: write \\[\\[boss\\]\\]"):
        load("[edition.second]\naway = 6\nitems = 6\nfloors = ['UDUDD', 'UDDUD', 'UUUUD', 'UUDDU', 'UUDDD']\n[boss]\n")


def test_a_hosts_own_deck_may_have_a_boss_of_its_own() -> None:
    text = OURS + '\n[[boss]]\nname = "lich"\nwounds = 2\npays = 1\nflee = "sword"\ncopies = { second = 1 }\n'
    deck = load(text)["second"]
    assert facts_of(deck.facts[3]["lich"]) == {
        "kind": "boss", "name": "lich", "strength": None, "wounds": 2, "pays": 1, "flee": "sword",
    }  # fmt: skip
