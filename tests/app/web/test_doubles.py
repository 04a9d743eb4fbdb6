"""A program that got no answer sends its message again: it counts once."""

import asyncio
import secrets

import pytest

from tests.app.web.conftest import Json, Web
from tests.app.web.test_api import Program, three


async def test_doubles_count_once(web: Web) -> None:
    table, (ada, *_) = await three(web)
    await ada.say(table, do="start")
    open_table = await web.open_table(table)
    view = await ada.view(table)
    move = {"do": "play", "round": view["shared"]["round"], "move": view["own"]["moves"][0], "id": "one"}
    seq = open_table.seq
    answers = await asyncio.gather(*(ada.say(table, **move) for _ in range(5)))
    assert {answer.status_code for answer in answers} == {200}
    assert open_table.seq == seq + 1


@pytest.mark.parametrize("how", [{"bots": True}, {"screen": True}, {"salt": "ab"}])
async def test_to_open_and_to_join_twice_with_one_id_makes_one_table_and_one_seat(web: Web, how: Json) -> None:
    """A program that got no answer sends the same again; it has no bearer yet."""
    ids = {"id": secrets.token_hex(8)}, {"id": "short"}

    async def opened(name: str, **id: str) -> Json:
        program = Program(web, name)  # without cookies
        answer = await program.http.post("/tables", json={"game": "raiders", "name": name, **how, **id})
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    one, again, third = await asyncio.gather(*(opened("Ada", **ids[0]) for _ in range(3)))
    assert one["token"] == again["token"] == third["token"] and one["seat"] == again["seat"]
    assert (await opened("Ada", **ids[1]))["token"] != (await opened("Ada", **ids[1]))["token"]
    path = f"/t/{one['token']}"
    if "bots" in how:
        return
    id = secrets.token_hex(8)
    joined = [
        (await Program(web, "Bo").http.post(f"{path}/join", json={"name": "Bo", "id": id})).json() for _ in range(2)
    ]
    assert joined[0]["seat"] == joined[1]["seat"] and joined[0]["version"] == joined[1]["version"]
    table = await web.open_table(path)
    assert len(table.sitting.taken()) == (1 if "screen" in how else 2)
    bo = Program(web, "Bo")
    bo.http.headers["authorization"] = f"Bearer {joined[1]['bearer']}"
    assert (await bo.say(path, do="name", name="Bob")).status_code == 200
