"""Fixtures that every test may use; each is described where it is made, in tests/support."""

pytest_plugins = ["tests.support.postgres", "tests.support.server", "tests.support.browser"]
