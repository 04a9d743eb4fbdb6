"""Fixtures that every test may use; each is described where it is made, in tests/support."""

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
