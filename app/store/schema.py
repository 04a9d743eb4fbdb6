"""The database schema. `migrations/` builds the same one; a test compares them."""

from sqlalchemy import Column, Double, ForeignKey, Index, Integer, MetaData, String, Table, Text

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)

tables = Table(
    "tables",
    metadata,
    Column("id", String, primary_key=True),
    Column("token", String, nullable=False, unique=True),
    Column("code", String, nullable=False, unique=True),
    Column("game", String, nullable=False),  # when the table was opened; it may have changed since
    Column("phase", String, nullable=False),
    Column("seq", Integer, nullable=False),  # the entry after which `saved` was taken
    Column("began", Integer, nullable=False),  # the entry with which the running game began; 0 in the lobby
    Column("saved", Text, nullable=False),  # the sitting as JSON
    Column("touched", Double, nullable=False),
)

# The log. Its primary key is the lock between workers. No foreign key: the check would cost as much as the insert.
entries = Table(
    "moves",  # the name is older than the word
    metadata,
    Column("table_id", String, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),  # number of events after this entry
    Column("at", Double, nullable=False),
    Column("person", String, nullable=False),
    Column("client_id", String, nullable=False),  # the client's id of the message, to detect duplicates; "" for none
    Column("secret", String, nullable=False),
    Column("action", Text, nullable=False),
    Column("events", Text),  # a JSON array; null if the entry caused none
)
Index(
    "ix_moves_doubles",
    entries.c.table_id,
    entries.c.person,
    entries.c.client_id,
    unique=True,
    sqlite_where=entries.c.client_id != "",
    postgresql_where=entries.c.client_id != "",
)

deadlines = Table(
    "deadlines",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column(
        "kind", String, primary_key=True
    ),  # "away": a seat without a connection; "long_away": the next seat that others may ask for; "choice": the timer;
    # "claim": a seat asked for; "deal": salts
    Column("key", String, primary_key=True),  # the seat, or ""
    Column("at", Double, nullable=False, index=True),
)

lifted = Table(  # the card that a seat has lifted while a timer runs
    "lifted",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, nullable=False),
    Column("move", String, nullable=False),
)

links = Table(  # one-time links to a seat; used links are recorded in the sitting
    "links",
    metadata,
    Column("hash", String, primary_key=True),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("expires", Double, nullable=False),
)

due_tables = Table(  # unused for too long; deleted when the server has run for a day since they were marked
    "due_tables",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("since", Double, nullable=False),  # the server's running time, in seconds
)

logouts = Table(  # how often each person has logged out everywhere; a row stays for ever, as do old cookies
    "logouts",
    metadata,
    Column("person", String, primary_key=True),
    Column("count", Integer, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", String, nullable=False),
)

processes = Table(  # that serve this database; on SQLite there is only one, and no row
    "processes",
    metadata,
    Column("name", String, primary_key=True),
    Column("pid", Integer, nullable=False),  # of the Postgres backend with which it listens
    Column("seen", Double, nullable=False),
)
