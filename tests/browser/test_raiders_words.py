"""The texts of Dungeon Raiders, without a browser."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from engine.games.raiders.positions import Place, position
from tests.browser.positions import GamePosition, Position, set_up

ICON = re.compile(r'<svg class="ic" (?:role="img" aria-label="([^"]*)"|aria-hidden="true")>.*?</svg>')


def words(html: str) -> str:
    """The text of a part of a page; icons as what screen readers say."""
    return " ".join(re.sub(r"<[^>]+>", " ", ICON.sub(lambda icon: f" {icon[1] or ''} ", html)).split())


def captions(at: GamePosition, seat: int, language: str = "en") -> dict[str, str]:
    """The texts under the cards in hand."""
    found = re.findall(r'id="?v(\w+)"?>(.*?)</span></label>', at.html(seat=seat, language=language), re.S)
    return {card: words(text) for card, text in found}


def sentence(at: GamePosition, seat: int, card: str) -> str:
    """The text beside the hand when this card is lifted."""
    found = re.search(rf'id="?f{card}"?>(.*?)</p>', at.html(seat=seat), re.S)
    assert found
    return words(found[1])


def places(at: GamePosition) -> list[str]:
    """What is said of each hero on the board."""
    return [words(place) for place in re.findall(r'<li class="?place[ ">].*?</li>', at.html(), re.S)]


def room(at: GamePosition, place: int) -> str:
    """The card of a room on the board."""
    found = re.search(rf'data-room="?{place}"?.*?</article>', at.html(), re.S)
    assert found
    return words(found[0].partition(">")[2])


def bar(at: GamePosition) -> str:
    """What stands in the bar after the name of the game."""
    found = re.search(r'class="?where"?><span>.*?</span>(.*?)</div>', at.html(), re.S)
    assert found
    return words(found[1])


def test_the_bar_tells_the_room_and_where_the_boss_waits() -> None:
    assert bar(Position(floor=3, place=2)) == "Floor 3 of 5 Room 2 of 5 Boss: floor 5, room 5"
    assert bar(Position(floor=5, place=5, boss="golem")) == "Floor 5 of 5 Room 5 of 5"
    first = GamePosition(*set_up("raiders", position(4, edition="first", floor=2), 4, {"edition": "first"}))
    assert bar(first) == "Floor 2 of 5 Room 1 of 5"
    told = Position(4, rooms="goblin", floor=2).play((0, "4"), (1, "3"), (2, "5"), (3, "3"))
    assert "Room 1 of 5 Goblin" in words(told.html()), "a reveal tells its own room"


def test_the_tv_says_whom_a_trap_strikes_and_what_items_are_good_for() -> None:
    at = Position([Place(coins=3, items={"key": 1}), Place(coins=5), Place(coins=5, items={"torch": 1})], rooms="lava")
    told = words(at.html("screen"))
    assert "how many coins the richest lose, whoever plays it. The richest now: Anton and Leila ." in told
    assert "5 for a treasure" in told and "shows dark rooms" in told and "5 against a monster" not in told
    dragon = Position(
        [Place(hand=hand, items={"sword": 1}) for hand in ("12", "34", "45")], rooms={4: "dragon"}, place=4
    )
    told = words(dragon.html("screen"))
    assert "Every card adds to the sum; only the lowest is hit, in a tie all of them. You can bring 8 to 15: " in told
    assert "together you may stay 1 below your highest cards." in told


def test_a_trap_names_its_victims_to_those_whom_it_spares() -> None:
    at = Position([Place(), Place(wounds=1), Place(coins=1, wounds=4)], rooms="spikes", floor=2, place=2)
    spared = {"2": "Mira 0…+2 wounds", "3": "Mira +1…+2 wounds", "4": "Mira +2 wounds", "5": "Mira +2 wounds"}
    assert captions(at, 1) == spared
    assert captions(at, 1, "ru")["5"] == "Mira +2 раны"
    assert captions(at, 0)["5"] == "you take 2 wounds"
    two = Position([Place(coins=2, hand="5"), Place(coins=2, hand="5"), Place(hand="45")], rooms="lava", place=5)
    assert captions(two, 2)["5"] == "Mira Anton −2 coins", "they have no third coin to lose"


def test_an_item_says_what_it_is_good_for() -> None:
    vault = Position([Place(items={"key": 1}), Place(), Place()], rooms="armoury")
    treasure = Position([Place(items={"key": 1}), Place(), Place()], rooms="treasure_4_2")
    assert captions(treasure, 0)["key"] == "counts 5: highest 1–4 coins"
    assert sentence(vault, 0, "4").endswith("whatever the others play. Sword: counts 5 against a monster, once.")
    assert "Not for this room: key (counts 5 for a treasure, once)" in words(vault.html())
    vault.play((0, "4"), (1, "5"), (2, "1"))
    told = words(vault.html())
    assert "Beside the 4: Mira : a sword (counts 5 against a monster, once)." in told
    assert "Beside the 1: Leila : a torch (shows you the dark rooms of a floor, once)." in told


def test_a_limit_is_told_to_whom_it_takes_coins() -> None:
    at = Position([Place(coins=19), Place(coins=2), Place()], rooms={1: "treasure_4_2", 2: "lava"})
    at.play((0, "5"), (1, "3"), (2, "1"))
    less = "nobody can hold more than 20 coins, so only +1 coin."
    told = words(at.html())
    assert f"That takes the chest of 4 coins. Mira : {less}" in told
    assert f"Mira (5): 4 coins; Anton (3): 2 coins. Mira : {less}" in told, "in the log"
    poor = Position([Place(coins=2), Place(coins=1), Place()], rooms="lava").play((0, "5"), (1, "3"), (2, "1"))
    told = words(poor.html())
    assert "The highest card is 5. On this trap that means −3 coins." in told
    assert "Mira : −3 coins. Mira had only 2 coins." in told
    spare = Position(4, rooms="goblin").play((0, "4"), (1, "3"), (2, "5"), (3, "3"))
    assert "Together 15 Goblin 14 (1 to spare)" in words(spare.html())


def test_an_item_on_the_table_can_be_played_no_more() -> None:
    at = Position([Place(items={"sword": 2}), Place(items={"ball": 1}), Place()], rooms="dragon")
    assert places(at)[0].endswith("Can play 1 2 3 4 5 sword sword")
    at.play((0, "sword"), (1, "ball"), (2, "3"))
    assert places(at)[0].endswith("Can play 1 2 3 4 5 sword")
    assert places(at)[1].endswith("Played crystal ball Can play 1 2 3 4 5")


def test_what_cannot_be_beaten_says_so() -> None:
    golem = Position(floor=5, place=5, boss="golem")
    assert room(golem, 5).endswith("Cannot be beaten ∞ Wounds 3")
    assert "Cannot be beaten ∞ Lowest takes 3 wounds" in words(golem.html("hand"))


def test_an_item_with_which_one_flees_counts_nothing() -> None:
    at = Position([Place(items={"key": 1}), Place(), Place()], floor=5, place=5, boss="megadragon")
    said = sentence(at, 0, "flee")
    assert "The key is then gone." in said and "counts 5" not in said


def test_solo_names_the_drawn_strength() -> None:
    state = position([Place()], edition="first", rooms={1: "troll", 2: "snake"}, faceup="UUDDD", strengths=[4])
    at = GamePosition(*set_up("raiders", state, 1, {"difficulty": "2"}))
    assert room(at, 1).endswith("Strength 4 Wounds 2") and room(at, 2).endswith("Strength ? Wounds 3")
    assert "Troll, strength 4." in words(at.html())
    assert "Strength 4 Lowest takes" in words(at.html("hand"))
    at.play((0, "5"))
    assert "Room 1, Troll, strength 4." in words(at.html())


def test_the_last_dark_room_is_known_to_be_the_boss_s() -> None:
    assert room(Position(floor=5, place=3, faceup="UUUUD"), 5) == "Dark Boss"
    assert room(Position(floor=4, place=3, faceup="UUUUD"), 5) == "Dark"


BEFORE_LAST = {
    "vampire": {"floor": 5, "boss": "vampire"},  # strength 14 for three
    "medusa": {"floor": 5, "boss": "medusa"},  # the attacked are out
    "sphinx": {"floor": 5, "boss": "sphinx"},  # pays the highest
    "golem": {"floor": 5, "boss": "golem"},  # cannot be beaten
    "last of the first edition": {"floor": 5, "rooms": {5: "troll"}, "edition": "first"},
    "dragon": {"floor": 2, "rooms": {5: "dragon"}},
    "treasure": {"floor": 2, "rooms": {5: "treasure_4_2"}},
    "vault": {"floor": 3, "rooms": {5: "hoard"}},
    "trap": {"floor": 3, "rooms": {5: "lava"}},
}
HANDS = (("5", "5", "5"), ("1", "2", "1"), ("5", "1", "1"))


def said_before_last(where: dict[str, Any], play: str, hands: Sequence[str], laid: int, items: dict[str, int]) -> Any:
    """All pages, without their numbers, before the last cards turn; and how the room comes out."""
    edition = where.get("edition", "second")
    held = zip((9, 12, 7), (4, 5, 5), hands, (items, {}, {}), strict=True)
    heroes = [Place(coins=coins, wounds=wounds, hand=hand, items=its) for coins, wounds, hand, its in held]
    state = position(heroes, play=play, place=5, first=1, **where)
    at = GamePosition(*set_up("raiders", state, 3, {"edition": edition, "play": play}))
    order = (1, 2, 0) if play == "open" else (0, 1, 2)
    at.play(*((seat, hands[seat]) for seat in order[:laid]))
    faces = (("play", None), ("screen", None), *((face, seat) for face in ("play", "hand") for seat in range(3)))
    said = [
        re.sub(r"[0-9a-f]{8,}|\d+", "#", at.html(face, seat, language))
        for language in ("en", "ru")
        for face, seat in faces
    ]
    at.play(*((seat, hands[seat]) for seat in order[laid:]))
    came = next(event for event in at.history.all if event["kind"] == "room")["outcome"]
    return said, str(came)


@pytest.mark.parametrize("play", ["sealed", "open"])
@pytest.mark.parametrize("room", BEFORE_LAST)
def test_before_the_last_cards_turn_no_page_tells_what_will_come_of_them(room: str, play: str) -> None:
    """But for numbers, pages are the same whatever the only card of each is, though that decides the outcome."""
    for laid in (0, 2):
        found = [said_before_last(BEFORE_LAST[room], play, hands, laid, {}) for hands in HANDS]
        assert len({came for _, came in found}) > 1, "the cards decide"
        for said, _ in found[1:]:
            assert said == found[0][0]


@pytest.mark.parametrize("room", [room for room in BEFORE_LAST if BEFORE_LAST[room]["floor"] == 5])
def test_in_the_last_room_no_page_tells_the_end_to_who_can_choose_either(room: str) -> None:
    for item in ("sword", "ball"):
        found = [said_before_last(BEFORE_LAST[room], "sealed", hands, 0, {item: 1})[0] for hands in HANDS]
        assert found.count(found[0]) == len(found)


def test_the_last_room_says_what_is_at_stake() -> None:
    heroes = [Place(coins=12, wounds=5, hand="4"), Place(coins=9, hand="5"), Place(coins=3, wounds=3, hand="15")]
    at = Position(heroes, floor=5, place=5, boss="vampire")
    for face in ("play", "screen"):
        told = words(at.html(face))
        assert "If it ended now in the lead In the lead: Anton , 9 coins." in told
        assert "Most wounds so far: Mira ." in told and "Together you need 14. Fall short, and the lowest" in told
    assert captions(at, 2) == {} and "Nothing is foretold here: the cards will tell." in words(at.html())
    assert sentence(at, 0, "4") == "You lift the 4. What comes of it, the cards will tell."
    key = Position([Place(items={"key": 1, "ball": 1}), Place(), Place()], floor=5, place=5, boss="megadragon")
    assert "your card does not count. The key is then gone. What comes of it" in sentence(key, 0, "flee")
    assert "When all cards are up you play another one" in sentence(key, 0, "ball")


def test_what_cannot_be_shared_says_among_how_many() -> None:
    at = Position(4, rooms="treasure_4_2").play((0, "4"), (1, "4"), (2, "4"), (3, "5"))
    assert "2 coins cannot be split among three: nobody gets any." in words(at.html("screen"))


def test_the_result_says_among_whom_the_coins_are_the_most() -> None:
    heroes = [Place(coins=9, wounds=3), Place(coins=12, wounds=7), Place(coins=6, wounds=6), Place(wounds=2)]
    at = Position(heroes, floor=5, place=5, boss="megadragon").play(*((n, "5") for n in range(4)))
    told = words(at.html("screen"))
    assert "Mira Warrior, most coins of those still standing 9 6" in told
    assert "Coins, room by room" not in told, "one room makes no line"


def test_the_tv_says_who_may_flee() -> None:
    heroes = [Place(coins=9, wounds=3), Place(coins=12, wounds=7), Place(coins=6, wounds=7), Place(coins=2, wounds=6)]
    told = words(Position(heroes, floor=5, place=5, boss="megadragon").html("screen"))
    assert "flees this boss" not in told and told.count("Play a key to flee.") == 1, "on the card alone"
    keys = [Place(items={"key": 1}), Place(coins=5), Place(wounds=4)]
    told = words(Position(keys, floor=5, place=5, boss="megadragon").html("screen"))
    assert told.count("Play a key to flee.") == 2 and "flees this boss" in told
    assert "may flee a boss" in words(Position(keys, floor=2).html("screen"))
