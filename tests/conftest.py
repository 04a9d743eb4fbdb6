"""Fixtures that every test may use; each is described where it is made, in tests/support."""

pytest_plugins = [
    "tests.support.browser",
    "tests.support.packages",
    "tests.support.postgres",
    "tests.support.server",
]
