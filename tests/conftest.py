"""Fixtures that every test may use; each is described where it is made, in tests/support."""

import os
from hashlib import sha256

import pytest
from coverage import Coverage
from hypothesis import HealthCheck, settings

pytest_plugins = [
    "tests.support.browser",
    "tests.support.packages",
    "tests.support.postgres",
    "tests.support.server",
]

# An example may take as long as a busy machine needs for it.
settings.register_profile("unhurried", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """More processes than cores: tests with browsers and servers often wait for a timer or for the page."""
    return (os.cpu_count() or 1) + 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mixes the modules, always in the same way: while tests of one kind wait, those of another use the processor.

    Tests with a browser are not measured: it doubles their time, and what they reach in this process, other tests do.
    """
    items.sort(key=lambda item: sha256(item.nodeid.partition("::")[0].encode()).digest())
    for item in items:
        if isinstance(item, pytest.Function) and "browser" in item.fixturenames:
            item.add_marker(pytest.mark.no_cover)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart() -> None:
    """Stops the measurements of coverage that have begun in a worker before pytest-cov begins the worker's own: they
    would go on while `no_cover` stops that one."""
    while "PYTEST_XDIST_WORKER" in os.environ and (measurement := Coverage.current()):
        measurement.stop()
