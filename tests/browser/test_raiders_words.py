"""The texts of Dungeon Raiders, without a browser."""

import re

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
    boss = [Place(coins=3), Place(coins=5, wounds=4), Place(coins=1)]
    told = words(Position(boss, floor=5, place=5, boss="vampire").html("screen"))
    assert (
        "How the game ends Everybody has only the 5 left. Wins: Mira (3 coins). Out, with the most wounds: Anton (4) ."
        in told
    )


def test_a_trap_names_its_victims_to_those_whom_it_spares() -> None:
    at = Position([Place(), Place(wounds=1), Place(coins=1, wounds=4)], rooms="spikes", floor=2, place=2)
    spared = {"2": "Mira 0…+2 wounds", "3": "Mira +1…+2 wounds", "4": "Mira +2 wounds", "5": "Mira +2 wounds"}
    assert captions(at, 1) == spared
    assert captions(at, 1, "ru")["5"] == "Mira +2 раны"
    assert captions(at, 0)["5"] == "you take 2 wounds"
    two = Position([Place(coins=2, hand="5"), Place(coins=2, hand="5"), Place(hand="5")], rooms="lava", place=5)
    assert captions(two, 2) == {"5": "Mira Anton −2 coins"}, "they have no third coin to lose"


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


def test_at_the_boss_it_is_told_how_the_game_ends() -> None:
    heroes = [Place(coins=12, wounds=5, hand="4"), Place(coins=9, hand="5"), Place(coins=3, wounds=3, hand="15")]
    at = Position(heroes, floor=5, place=5, boss="vampire")
    told = words(at.html())
    assert "If it falls in the lead Wins: Anton , 9 coins." in told and "Out, with the most wounds: Mira ." in told
    assert captions(at, 0) == {"4": "not hit, but you are out"}
    assert sentence(at, 0, "4").endswith("At the end, even so: you are out.")
    assert captions(at, 1) == {"5": "not hit; you win the game"}


def test_a_hit_that_wins_the_game_is_no_contradiction() -> None:
    heroes = [Place(coins=9, wounds=3, hand="5"), Place(coins=12, wounds=7, hand="5"), Place(wounds=6, hand="5")]
    at = Position(heroes, floor=5, place=5, boss="megadragon")
    assert captions(at, 0) == {"5": "you are hit, but you win the game"}
    assert captions(at, 1) == {"5": "you are hit; you are out"}
    assert sentence(at, 0, "5").endswith("you are hit: 3 wounds. At the end, even so: you win the game.")
    assert not re.search(r'class="?verdict harm', at.html(seat=0)) and re.search(
        r'class="?verdict harm', at.html(seat=1)
    )


def test_what_cannot_be_shared_says_among_how_many() -> None:
    at = Position(4, rooms="treasure_4_2").play((0, "4"), (1, "4"), (2, "4"), (3, "5"))
    assert "2 coins cannot be split among three: nobody gets any." in words(at.html("screen"))


def test_the_result_says_among_whom_the_coins_are_the_most() -> None:
    heroes = [Place(coins=9, wounds=3), Place(coins=12, wounds=7), Place(coins=6, wounds=6), Place(wounds=2)]
    at = Position(heroes, floor=5, place=5, boss="megadragon").play(*((n, "5") for n in range(4)))
    told = words(at.html("screen"))
    assert "Mira Warrior, most coins of those still standing 9 6" in told
    assert "Coins, room by room" not in told, "one room makes no line"


def test_the_last_room_says_why_it_ends_so_and_who_may_flee() -> None:
    heroes = [Place(coins=9, wounds=3), Place(coins=12, wounds=7), Place(coins=6, wounds=7), Place(coins=2, wounds=6)]
    told = words(Position(heroes, floor=5, place=5, boss="megadragon").html("screen"))
    assert "Everybody has only the 5 left. All are hit. Wins: Mira (9 coins). Out, with the most wounds:" in told
    assert "Anton (7 → 10) , Leila (7 → 10) ." in told and "flees this boss" not in told
    assert told.count("Play a key to flee.") == 1, "on the card alone"
    keys = [Place(items={"key": 1}), Place(coins=5), Place(wounds=4)]
    told = words(Position(keys, floor=5, place=5, boss="megadragon").html("screen"))
    assert told.count("Play a key to flee.") == 2 and "flees this boss" in told
    assert "may flee a boss" in words(Position(keys, floor=2).html("screen"))
