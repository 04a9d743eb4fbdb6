"""Signed cookies and bearer tokens; invalid ones identify nobody."""

import time
from collections.abc import Callable

import pytest

from app.web.people import AGE, NOBODY, People, Visitor
from tests.app.web.conftest import Guest, Web

Guests = Callable[..., Guest]

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


# logging out everywhere --------------------------------------------------------------------------------------------


def test_what_was_signed_before_a_logout_is_void() -> None:
    counts = {"ada": 1}
    people = People("key", lambda person, logouts: counts.get(person, 0) == logouts)
    assert people.read(people.sign(Visitor("ada", "Ada"))) == NOBODY
    now = Visitor("ada", "Ada", logouts=1)
    assert people.read(people.sign(now)) == now
    assert people.read(people.sign(Visitor("bo", "Bo"))).person == "bo"
    counts["ada"] = 2
    assert people.read(people.sign(now)) == NOBODY


def copied(web: Web, one: Guest) -> Guest:
    """Somebody with the same cookie."""
    other = Guest(web, one.name)
    other.http.cookies.update(one.http.cookies)
    return other


async def link_of(one: Guest, table: str) -> str:
    answer = await one.http.post(f"{table}/device", headers={"accept": "application/json"})
    return str(answer.json()["link"]).partition("#")[2]


async def sees_a_hand(one: Guest, table: str) -> bool:
    return (await one.view(table))["own"] is not None


async def test_who_logs_out_everywhere_keeps_the_seat_alone(web: Web, guest: Guests) -> None:
    ada, bo, phone, later = guest("Ada"), guest("Bo"), guest("Phone"), guest("Later")
    table = await ada.open()
    await bo.sit(table)
    thief = copied(web, ada)
    await phone.http.post("/move", data={"token": await link_of(ada, table)})
    unused = await link_of(ada, table)
    await ada.say(table, do="start")
    everybody = (ada, thief, phone)
    assert all([await sees_a_hand(one, table) for one in everybody])
    async with (
        thief.socket(table, "as=json") as line,
        ada.socket(table, "as=json") as mine,
        bo.socket(table, "as=json") as his,
    ):
        for one in (line, mine, his):
            await one.json()
        answer = await ada.http.post("/logout", data={"next": table})
        assert (answer.status_code, answer.headers["location"]) == (303, table)
        assert [await line.closed(), await mine.closed()] == [1013, 1013]
        await bo.say(table, do="name", name="Boris")
        await his.json()
    assert [await sees_a_hand(one, table) for one in everybody] == [True, False, False]
    assert (await thief.play_blind(table)).status_code == 403 and (
        await ada.say(table, do="name", name="Ida")
    ).status_code == 200
    redeemed = await later.http.post("/move", json={"token": unused})
    assert (redeemed.status_code, redeemed.json()["error"]["reason"]) == (410, "link_spent")
    assert (await thief.http.post("/logout")).status_code == 403
    await ada.http.post("/logout", data={"here": "1"})
    assert not ada.http.cookies and not await sees_a_hand(ada, table)


async def test_a_program_gets_another_token(web: Web, guest: Guests) -> None:
    table = await guest("Ada").open()
    program = Guest(web, "Bo")
    joined = (await program.http.post(f"{table}/join", json={"name": "Bo"})).json()
    old = {"authorization": f"Bearer {joined['bearer']}"}
    answer = await program.http.post("/logout", json={}, headers=old)
    new = {"authorization": f"Bearer {answer.json()['bearer']}"}
    act = {"do": "ready"}
    assert (await program.http.post(f"{table}/act", json=act, headers=old)).status_code == 403
    assert (await program.http.post(f"{table}/act", json=act, headers=new)).status_code == 200
