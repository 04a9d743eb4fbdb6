"""Guessing links, codes or the password for opening tables is slow."""

import asyncio

import pytest

from tests.app.web.conftest import Guest, Serve, Web


async def test_guessing_codes_is_slow(serve_here: Serve) -> None:
    async with serve_here(limit_codes=4) as web:
        ada, eve = Guest(web, "Ada"), Guest(web, "Eve")
        table = await ada.open()
        code = (await ada.view(table))["table"]["code"]
        for _ in range(10):  # valid ones are not limited
            assert (await ada.http.post("/join", data={"code": code})).status_code == 303
        statuses = [(await eve.http.post("/join", data={"code": f"AAAA{n}K"})).status_code for n in range(2, 8)]
        assert statuses[0] == 404
        assert statuses[-1] == 429
        late = await eve.http.post("/join", data={"code": code})
        assert late.status_code == 429
        assert int(late.headers["retry-after"]) >= 1


async def test_simultaneous_guesses_are_limited(serve_here: Serve) -> None:
    async with serve_here(limit_codes=20) as web:
        eve = Guest(web, "Eve")
        guesses = [eve.http.post("/join", data={"code": f"A{n}AK"}) for n in range(100, 200)]
        statuses = [answer.status_code for answer in await asyncio.gather(*guesses)]
        assert statuses.count(404) < 30 and statuses.count(404) + statuses.count(429) == len(guesses)


async def test_links_that_cannot_be_tokens_do_not_reach_the_store(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    async def by_token(token: str) -> None:
        raise AssertionError(token)

    monkeypatch.setattr(web.site.house.store, "by_token", by_token)
    eve = Guest(web, "Eve")
    for path in ("/t/a%00b", "/t/nothing", "/t/" + "x" * 23, "/t/" + "я" * 22, "/t/" + "x" * 21 + "!"):
        assert (await eve.http.get(path)).status_code == 404, path


async def test_guessing_links_is_slow(serve_here: Serve) -> None:
    async with serve_here(limit_requests=20) as web:
        eve = Guest(web, "Eve")
        statuses = [(await eve.http.get(f"/t/{n:022}")).status_code for n in range(60)]
        assert set(statuses) == {404, 429}


async def test_a_password_for_opening_tables(serve_here: Serve) -> None:
    async with serve_here(table_password="открой", limit_codes=8) as web:
        ada = Guest(web, "Ada")
        assert 'name="password"' in await ada.page("/")
        for password in ("", "wrong"):
            answer = await ada.http.post("/tables", data={"game": "raiders", "name": "Ada", "password": password})
            assert answer.status_code == 403
            assert "not the password" in answer.text
        table = await ada.open(password="открой")
        assert (await ada.http.get(table)).status_code == 200
        statuses = [
            (await ada.http.post("/tables", data={"game": "raiders", "name": "Ada", "password": "x"})).status_code
            for _ in range(5)
        ]
        assert statuses[-1] == 429
