"""Cleaning of people's names, including malicious ones."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.table.names import LONGEST, MOST_MARKS, clean, distinct, skeleton

FAMILY = "👨‍👩‍👧‍👦"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada \t Lovelace\n", "Ada Lovelace"),
        ("<script>alert(1)</script>", "<script>alert(1)</script"),  # text like any other; the pages escape it
        ("{{ 7 * 7 }}", "{{ 7 * 7 }}"),
        ("\u202eadA\u202c", "adA"),  # direction overrides
        ("A\u0000d\u0007a\u200b\ufeff", "Ada"),
        ("שרה", "שרה"),
        ("مُحَمَّد", "مُحَمَّد"),
        ("สมชาย ใจดี", "สมชาย ใจดี"),
        (FAMILY, FAMILY),
        ("❤️", "❤️"),
        ("e\u0301", "é"),
        ("😀" * 30, "😀" * 24),
    ],
)
def test_what_is_shown(given: str, shown: str) -> None:
    assert clean(given) == shown


@pytest.mark.parametrize(
    "nothing",
    [
        "",
        "   ",
        "\u3164",
        "\u2800\u2800",
        "\u200d",
        "\u200b\u200c",
        "\u0301\u0301",
        "\ufe0f",
        "\u00a0",
        "\ud800",
        "\u202e",
    ],
)
def test_invisible_names_are_refused(nothing: str) -> None:
    assert clean(nothing) == ""


def test_a_long_name_is_cut_where_it_can_be() -> None:
    assert clean("x" * 500) == "x" * LONGEST
    assert clean("x" * 22 + FAMILY) == "x" * 22
    assert clean("x" * 23 + "q\u0301") == "x" * 23
    assert clean("x" * 10**6) == "x" * LONGEST


def test_towers_of_marks_are_thinned() -> None:
    shown = clean("Z" + "\u0336\u0352\u0300" * 100 + "algo")
    assert [c for c in shown if c.isascii()] == list("Zalgo") and len(shown) == 5 + MOST_MARKS


@pytest.mark.parametrize(
    ("name", "others", "shown"),
    [
        ("Ada", [], "Ada"),
        ("Ada", ["Bo", ""], "Ada"),
        ("ada", ["Ada"], "ada 2"),
        ("Ada", ["Ada", "ADA 2"], "Ada 3"),
        ("Аda", ["Ada"], "Аda 2"),  # Cyrillic
        ("Αda", ["Ada"], "Αda 2"),  # Greek
        ("Ａｄａ", ["Ada"], "Ａｄａ 2"),  # full width
        ("Bob0", ["BobO"], "Bob0 2"),
        ("x" * 24, ["x" * 24], "x" * 21 + " 2"),
    ],
)
def test_names_that_look_the_same_are_numbered(name: str, others: list[str], shown: str) -> None:
    assert distinct(name, others) == shown


@given(st.text(max_size=60))
def test_whatever_is_typed_is_short_and_clean(typed: str) -> None:
    shown = clean(typed)
    assert len(shown) <= LONGEST and shown == shown.strip() and "\n" not in shown
    assert clean(shown) == shown
    assert all(unicodedata.category(c) not in ("Cc", "Cs", "Co", "Cn") for c in shown)


@given(st.lists(st.text(min_size=1, max_size=30), max_size=8))
def test_lookalike_names_at_a_table_are_made_distinct(typed: list[str]) -> None:
    shown: list[str] = []
    for name in typed:
        if clean(name):
            shown.append(distinct(clean(name), shown))
    assert len({skeleton(name) for name in shown}) == len(shown)
    assert all(len(name) <= LONGEST for name in shown)
