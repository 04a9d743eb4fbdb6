"""Signed cookies and bearer tokens; invalid ones identify nobody."""

import time

import pytest

from app.web.people import AGE, NOBODY, People, Visitor

ADA = Visitor("some-random-id", "Ada <b>")


def test_a_signed_person_is_read_back() -> None:
    people = People("key")
    assert people.read(people.sign(ADA)) == ADA
    assert People("key").read(people.sign(ADA)) == ADA


def test_two_strangers_are_two() -> None:
    people = People("key")
    assert len({people.new("Ada", id).person for id in ("", "", "short", "short")}) == 4
    assert len(people.new("Ada").person) == len(people.new("Ada", "x" * 16).person) == 22
    assert people.new("Ada", "x" * 16).person == people.new("Bo", "x" * 16).person
    assert People("other key").new("Ada", "x" * 16).person != people.new("Ada", "x" * 16).person


def test_forged_foreign_and_mangled_signatures_are_refused() -> None:
    people = People("key")
    signed = people.sign(ADA)
    payload, stamp, signature = signed.rsplit(".", 2)
    other = People("key").sign(Visitor("another", "Ada")).rsplit(".", 2)[0]
    mangled = [
        "",
        "x",
        ".",
        "..",
        signed[:-1],
        signed + "x",
        f"{other}.{stamp}.{signature}",
        f"{payload}..{signature}",
        "я",
        "x" * 5000,
    ]
    for text in [None, *mangled, People("other key").sign(ADA)]:
        assert people.read(text) == NOBODY


def test_a_signed_value_that_is_not_a_person_is_refused() -> None:
    people = People("key")
    for payload in ([], ["", "Ada"], ["id", 7], {"person": "id"}, "id", None, [["id"], "Ada"]):
        assert people.read(people.serializer.dumps(payload)) == NOBODY


def test_signatures_expire(monkeypatch: pytest.MonkeyPatch) -> None:
    people = People("key")
    signed = people.sign(ADA)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + AGE - 60)
    assert people.read(signed) == ADA
    monkeypatch.setattr(time, "time", lambda: now + AGE + 60)
    assert people.read(signed) == NOBODY


def test_what_was_signed_by_a_clock_that_was_ahead_stays_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    people, now = People("key"), time.time()
    with monkeypatch.context() as ahead:
        ahead.setattr(time, "time", lambda: now + 200 * 86400)
        signed = people.sign(ADA)
    assert people.read(signed) == ADA
