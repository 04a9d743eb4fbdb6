"""Invalid input against a real server: it may refuse, but must neither break nor change anything."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app.server import create_app
from app.settings import Settings
from tests.app.web.conftest import Guest, Web
from tests.support.server import Server


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("fuzz"), BOT_PAUSE="0") as server:
        yield server


@pytest.fixture(scope="module")
def table(open_server: Server) -> dict[str, Any]:
    """A running game of bots and one program."""
    with httpx.Client(base_url=open_server.url, trust_env=False, timeout=60) as host:
        made = host.post("/tables", json={"game": "raiders", "name": "Host", "bots": True}).raise_for_status().json()
    return dict(made)


document = create_app(Settings()).openapi()
operations = schemathesis.openapi.from_dict(document)
CHECKS = (not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance)


@operations.parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_operations(case: Any, open_server: Server, table: dict[str, Any]) -> None:
    if case.path_parameters:
        case.path_parameters["token"] = table["token"]
    if case.query:
        case.query.pop("wait", None)
    case.call_and_validate(
        base_url=open_server.url, headers={"authorization": f"Bearer {table['bearer']}"}, checks=CHECKS
    )


async def test_mangled_messages(web: Web, guest: Callable[..., Guest]) -> None:
    """Corrupted messages of a page: every one is answered, and most are refused."""
    ada = guest("Ada")
    path = await ada.open(bots="1")
    luck = random.Random(7)
    good: list[dict[str, Any]] = [
        {"do": "play", "round": 1, "move": "4", "id": "x", "headers": {"HX-Request": "true"}},
        {"do": "lift", "round": "1", "move": "4"},
        {"do": "undo", "round": 1},
        {"do": "stepback", "round": 1},
        {"do": "name", "name": "Ada"},
        {"do": "options", "option.play": "open"},
        {"do": "standin", "seat": 1},
        {"do": "claim", "seat": 1, "name": "Ada"},
        {"do": "object"},
        {"do": "here"},
        {"do": "timer", "seconds": "9"},
    ]
    odd: list[Any] = ["", 0, -1, 10**9, 10**30, 1.5, None, True, [], {}, [[]], {"a": {"b": {}}}]
    odd += ["x" * 700, "\0", "\u202e", "5", "null"]
    refused = 0
    async with ada.socket(path, "as=json") as line:
        for n in range(300):
            message: dict[str, Any] = dict(luck.choice(good))
            name = luck.choice([*message, "extra"])
            message[name] = luck.choice(odd)
            text = json.dumps(message)
            if n % 5 == 0:
                at = luck.randrange(len(text))
                text = text[:at] + luck.choice(["", "\x00", '"', "}", "é", "🎲"]) + text[at + 1 :]
            await line.socket.send(text)
            answer = await line.json()
            while "error" not in answer and "done" not in answer:
                answer = await line.json()
            refused += "error" in answer
            if n % 20 == 0:  # otherwise the number of refusals would close the socket
                for _ in range(20):
                    await line.say(do="ping")
        assert refused > 100
