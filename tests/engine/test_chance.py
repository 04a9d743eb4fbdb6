"""The random numbers compared with a second implementation, made from the description alone, and with fixed vectors."""

import hashlib
from collections import Counter
from itertools import permutations

import pytest

from engine.chance import WORD, Chance

SEED = bytes(range(32)).hex()


def other_words(seed: str, count: int) -> list[int]:
    return [int(hashlib.sha256(bytes.fromhex(f"{seed}{n:016x}")).hexdigest()[:16], 16) for n in range(count)]


def other_shuffle(seed: str, cards: list[str]) -> list[str]:
    words, left = iter(other_words(seed, 1000)), list(cards)
    for top in reversed(range(1, len(left))):
        while True:
            word = next(words)
            if word < 2**64 // (top + 1) * (top + 1):
                break
        pick = word % (top + 1)
        left[top], left[pick] = left[pick], left[top]
    return left


def test_the_first_words_are_fixed() -> None:
    chance = Chance(SEED)
    assert [chance.word() for _ in range(4)] == [
        0xA9D6E500293A88BD,
        0x6061C4386D7A1788,
        0x7365A07B4571DC92,
        0x38050395E5666942,
    ]
    assert chance.used == 4


@pytest.mark.parametrize("seed", [SEED, "00" * 32, "ff" * 32, hashlib.sha256(b"another").hexdigest()])
def test_words_are_what_another_implementation_gives(seed: str) -> None:
    chance = Chance(seed)
    assert [chance.word() for _ in range(300)] == other_words(seed, 300)


@pytest.mark.parametrize("size", [0, 1, 2, 5, 30, 52])
def test_a_shuffle_is_what_another_implementation_gives(size: int) -> None:
    cards = [f"card {i}" for i in range(size)]
    mine = list(cards)
    Chance(SEED).shuffle(mine)
    assert mine == other_shuffle(SEED, cards)
    assert sorted(mine) == sorted(cards)


def test_a_known_shuffle() -> None:
    cards = list(range(10))
    Chance(SEED).shuffle(cards)
    assert cards == [3, 6, 7, 4, 8, 5, 0, 2, 9, 1]


def test_words_that_would_favour_low_numbers_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    words = iter([WORD - 1, WORD - WORD % 10, WORD - WORD % 10 - 1])
    monkeypatch.setattr(Chance, "word", lambda self: next(words))
    assert Chance(SEED).below(10) == 9


def test_every_face_is_as_likely() -> None:
    chance, rolls = Chance(SEED), 60_000
    counts = Counter(chance.below(6) for _ in range(rolls))
    expected = rolls / 6
    chi_squared = sum((counts[face] - expected) ** 2 / expected for face in range(6))
    assert chi_squared < 20.5  # five degrees of freedom, probability 0.001; the seed is fixed


def test_every_order_is_as_likely() -> None:
    chance, deals = Chance(SEED), 24_000
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(deals):
        cards = [0, 1, 2, 3]
        chance.shuffle(cards)
        counts[tuple(cards)] += 1
    expected = deals / 24
    chi_squared = sum((counts[order] - expected) ** 2 / expected for order in permutations(range(4)))
    assert chi_squared < 49.7  # 23 degrees of freedom, probability 0.001


def test_it_goes_on_from_where_it_was_saved() -> None:
    chance = Chance(SEED)
    chance.below(6)
    again = Chance(chance.seed, chance.used)
    assert [again.below(6) for _ in range(50)] == [chance.below(6) for _ in range(50)]
