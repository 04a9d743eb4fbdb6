"""What processes tell each other, on Postgres."""

import asyncpg
from sqlalchemy import make_url

from app.store.channel import EVERYBODY, Channel


async def test_only_who_knows_the_secret_can_hear_what_one_process_is_told(postgres_url: str) -> None:
    heard: list[tuple[str, str]] = []
    here, there, stranger = (
        Channel(make_url(postgres_url), name, secret) for name, secret in (("a", "x"), ("b", "x"), ("b", "y"))
    )
    assert here.of("b") == there.of("b") != stranger.of("b") and here.of("") == stranger.of("") == EVERYBODY
    plain = await asyncpg.connect(postgres_url.replace("+asyncpg", ""))
    try:
        await plain.execute("CREATE TABLE processes (name text PRIMARY KEY, pid int, seen float8)")
        assert not await here.connect(lambda _: None, lambda: None)
        assert await there.connect(lambda text: heard.append(("b", text)), lambda: None) == {"a"}
        for channel in (EVERYBODY, stranger.of("b")):
            await plain.add_listener(channel, lambda *args: heard.append(("stranger", args[3])))
        await here.send([("b", "sealed"), ("", "to all")])
        await there.send([("b", "the end"), ("", "the end")])
        while [text for _, text in heard].count("the end") < 3:
            await plain.fetch("SELECT pg_sleep(0.01)")
        assert [text for by, text in heard if by == "stranger"] == ["to all", "the end"]
        assert sorted(text for by, text in heard if by == "b") == ["sealed", "the end", "the end", "to all"]
        await here.leave()
        assert not await there.renew()
        await here.renew()
        await here.disconnect()  # as if it had been killed: its row is still there
        while await there.renew():
            await plain.fetch("SELECT pg_sleep(0.01)")
    finally:
        for one in (here, there):
            await one.disconnect()
        await plain.close()
