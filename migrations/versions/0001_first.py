"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("token", sa.String, nullable=False),
        sa.Column("code", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("phase", sa.String, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("began", sa.Integer, nullable=False),
        sa.Column("saved", sa.Text, nullable=False),
        sa.Column("touched", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.UniqueConstraint("token", name="uq_tables_token"),
        sa.UniqueConstraint("code", name="uq_tables_code"),
    )
    op.create_table(
        "moves",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("client_id", sa.String, nullable=False),
        sa.Column("secret", sa.String, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("events", sa.Text),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_moves"),
    )
    op.create_index(
        "ix_moves_doubles",
        "moves",
        ["table_id", "person", "client_id"],
        unique=True,
        sqlite_where=sa.text("client_id != ''"),
        postgresql_where=sa.text("client_id != ''"),
    )
    op.create_table(
        "deadlines",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "kind", "key", name="pk_deadlines"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_deadlines_table_id", ondelete="CASCADE"),
    )
    op.create_index("ix_deadlines_at", "deadlines", ["at"])
    op.create_table(
        "lifted",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("move", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_lifted"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_lifted_table_id", ondelete="CASCADE"),
    )
    op.create_table(
        "links",
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_links"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_links_table_id", ondelete="CASCADE"),
    )
    op.create_table(
        "keys",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("value", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_keys"),
    )
