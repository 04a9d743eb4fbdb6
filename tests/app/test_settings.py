"""Settings: wrong values are reported before anything starts."""

import pytest

from app.settings import BadSetting, Settings, described, near_misses


def test_nothing_need_be_set() -> None:
    settings = Settings.read({})
    assert settings == Settings() and settings.sqlite
    assert (settings.port, settings.host, settings.away_seconds) == (8000, "127.0.0.1", 60.0)


def test_an_empty_variable_is_not_set() -> None:
    assert Settings.read({"PORT": "", "WORKERS": " ", "DATABASE_URL": ""}) == Settings()


def test_what_is_set_is_read() -> None:
    given = {
        "PORT": "80",
        "WORKERS": "4",
        "DATABASE_URL": "postgres://u:p@h/d",
        "PUBLIC_URL": "https://cards.example.org/",
        "TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8,::1",
        "LOG_LEVEL": "WARNING",
        "BOT_PAUSE": "0",
        "AWAY_SECONDS": "2.5",
        "PATH": "/bin",
    }
    settings = Settings.read(given)
    assert (settings.port, settings.workers, settings.sqlite) == (80, 4, False)
    assert settings.public_url == "https://cards.example.org"
    assert (settings.log_level, settings.bot_pause, settings.away_seconds) == ("warning", 0.0, 2.5)


def test_a_sqlite_file_may_be_anywhere() -> None:
    settings = Settings.read({"DATABASE_URL": "sqlite:////data/cards.sqlite3"})
    assert settings.sqlite and settings.database_url == "sqlite:////data/cards.sqlite3"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "８０"),
        ("PORT", "http"),
        ("WORKERS", "-1"),
        ("WORKERS", "2"),  # with SQLite
        ("DATABASE_URL", "mysql://localhost/x"),
        ("DATABASE_URL", "sqlite://"),
        ("DATABASE_URL", "sqlite:///:memory:"),
        ("PUBLIC_URL", "cards.example.org"),
        ("PUBLIC_URL", "https://cards.example.org/?x=1"),
        ("PUBLIC_URL", "https://example.org/cards"),
        ("TRUSTED_PROXIES", "proxy"),
        ("ALLOWED_HOSTS", "https://cards.example.org"),
        ("LOG_LEVEL", "loud"),
        ("LOG_FORMAT", "xml"),
        ("AWAY_SECONDS", "soon"),
        ("SECRET_KEY", "x" * 31),
        ("AWAY_SECONDS", "nan"),
        ("AWAY_SECONDS", "-1"),
        ("KEEP_DAYS", "1.5"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(variable: str, value: str) -> None:
    with pytest.raises(BadSetting, match=variable):
        Settings.read({variable: value})


def test_variables_that_look_like_settings_are_found() -> None:
    given = {
        "PUBLICURL": "https://cards.example.org", "TRUSTED_PROXY": "127.0.0.1", "KEEP_DAY": "3", "Data_Dir": "x",
        "LOGLEVEL": "debug", "LOG_LEVEL": "info",  # the true one is set: the other is for another program
        "HOSTNAME": "h", "LOGNAME": "me", "XDG_DATA_DIR": "/", "PATH": "/bin", "DB_PORT": "1", "SHELL": "sh",
        "KUBERNETES_SERVICE_HOST": "h", "SSH_AUTH_SOCK": "x", "HOME": "/", "POSTGRES_URL": "x",
    }  # fmt: skip
    assert near_misses(given) == [
        ("Data_Dir", "DATA_DIR"),
        ("KEEP_DAY", "KEEP_DAYS"),
        ("PUBLICURL", "PUBLIC_URL"),
        ("TRUSTED_PROXY", "TRUSTED_PROXIES"),
    ]


def test_secrets_are_neither_shown_nor_said() -> None:
    given = {"SECRET_KEY": "s3cret" * 6, "TABLE_PASSWORD": "s3cret", "METRICS_TOKEN": "s3cret"}
    settings = Settings.read({**given, "DATABASE_URL": "postgresql://u:s3cret@h/d"})
    assert "s3cret" not in repr(settings)
    with pytest.raises(BadSetting) as error:
        Settings.read({"DATABASE_URL": "mysql://u:s3cret@h/d"})
    assert "s3cret" not in str(error.value)


def test_every_setting_is_described_in_a_sentence() -> None:
    for variable, _, help in described():
        assert help.endswith(".") and len(help) < 120 and "|" not in help, variable
