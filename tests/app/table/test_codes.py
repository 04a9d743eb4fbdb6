"""Codes, which are typed, and tokens, which cannot be guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.table.codes import ALPHABET, LENGTH, digest, fold, new_code, new_token


def test_a_code_means_itself() -> None:
    for _ in range(200):
        code = new_code()
        assert fold(code) == code and len(code) == LENGTH


def test_no_letter_of_a_code_looks_like_another() -> None:
    assert {fold(letter * LENGTH) for letter in ALPHABET} == {letter * LENGTH for letter in ALPHABET}
    assert not set(ALPHABET) & set("01OILQSZBG")


@pytest.mark.parametrize(
    "typed",
    [
        "ACEH7K",
        "aceh7k",
        " ace-h7k ",
        "A C E H 7 K",
        "АСЕН7К",
        "асен7к",
        "ＡＣＥＨ７Ｋ",
        "ACE–H7K",
        "ACEH7K.",
        "A.C.E.H.7.K",
    ],
)
def test_what_looks_alike_is_the_same(typed: str) -> None:
    assert fold(typed) == "ACEH7K"


def test_letters_that_look_like_digits() -> None:
    assert fold("S8Z6B5") == fold("582GB5") == "582685"
    assert fold("OILQ00") == "011000"


@pytest.mark.parametrize("typed", ["", "ACEH7", "ACEH7KK", "ЖЖЖЖЖЖ", "😀😀😀😀😀😀", "A" * 10**6, "' OR 1"])
def test_what_can_be_no_code(typed: str) -> None:
    assert fold(typed) == ""


@given(st.text())
def test_anything_may_be_typed(typed: str) -> None:
    assert len(fold(typed)) in (0, LENGTH)


def test_tokens_have_128_bits() -> None:
    tokens = {new_token() for _ in range(1000)}
    assert len(tokens) == 1000 and all(len(token) == 22 for token in tokens)
    assert digest("\ud800") != digest("a") != "a"
