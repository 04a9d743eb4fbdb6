"""The short form of `make hostile`."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from app import metrics
from tests.app.conftest import Logged
from tests.app.web.conftest import running
from tests.hostile.campaign import Hostilities, crowd, open_to_all, play_on


@pytest.mark.no_cover
async def test_hostile_messages_change_nothing_and_disturb_nobody(tmp_path: Path, logged: Logged) -> None:
    before = faults()
    async with running(open_to_all(str(tmp_path), 40)) as web, AsyncExitStack() as opened:
        await crowd(web, opened, sockets=40, tables=200)
        hostilities = Hostilities(web)
        _, moves = await asyncio.gather(hostilities.attack(1200), play_on(web, 1))
    assert moves >= 10
    counts = hostilities.counts
    assert counts["messages"] == 1200 and counts["accepted"] > 60
    assert {"malformed", "not_legal", "no_person", "closed 1009"} <= counts.keys()
    assert not logged.troubles() and faults() == before


def faults() -> float:
    """The exceptions that the server has caught."""
    samples = [sample for metric in metrics.FAULTS.collect() for sample in metric.samples]
    return sum(sample.value for sample in samples if sample.name.endswith("_total"))
