"""Postgres: snapshots are updated in place."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # A snapshot is written anew with every reveal. With room on its page the index need not hear of it, and packing
    # two kilobytes each time costs more than it spares.
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE tables SET (fillfactor = 50, toast_tuple_target = 8160)")
