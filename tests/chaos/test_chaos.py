"""The short form of `make chaos`: a few faults of each kind, with few tables."""

import time
from pathlib import Path

import pytest

from tests.chaos.campaign import Campaign
from tests.chaos.cluster import cluster_of
from tests.chaos.faults import FAULTS, FOUR, SQLITE, TWO, choose
from tests.support.postgres import Postgres, start_postgres

FEW = 3  # tables
ON_SQLITE = ["killed, revealing", "killed while starting", "connections cut"]
ON_FOUR = ["a worker killed", "a worker frozen"]
ON_POSTGRES = ["killed, sealing", "listeners terminated", "Postgres crashed"]


async def run(kind: str, names: list[str], folder: Path, server: Postgres | None = None) -> Campaign:
    assert set(names) <= {fault.name for fault in FAULTS}
    async with cluster_of(kind, folder, server, networks=True) as cluster:
        campaign = Campaign(cluster, 1, FEW, print, ["raiders"])
        await campaign.run(choose(names, kind, folder), len(names), time.monotonic() + 60)
        return campaign


@pytest.mark.no_cover
async def test_nothing_is_lost_when_one_server_is_disturbed(tmp_path: Path) -> None:
    campaign = await run(SQLITE, ON_SQLITE, tmp_path)
    assert campaign.done.total() == len(ON_SQLITE) and campaign.counts["tables that ended"] >= FEW


@pytest.mark.no_cover
async def test_nothing_is_lost_when_one_of_two_servers_or_their_postgres_is_disturbed(tmp_path: Path) -> None:
    with start_postgres() as server:
        campaign = await run(TWO, ON_POSTGRES, tmp_path, server)
    assert campaign.done.total() == len(ON_POSTGRES) and campaign.counts["tables that ended"] >= FEW


@pytest.mark.no_cover
async def test_nothing_is_lost_when_one_of_four_workers_is_disturbed(tmp_path: Path) -> None:
    with start_postgres() as server:
        campaign = await run(FOUR, ON_FOUR, tmp_path, server)
    assert campaign.done.total() == len(ON_FOUR) and campaign.counts["tables that ended"] >= FEW
