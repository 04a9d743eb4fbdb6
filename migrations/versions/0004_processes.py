"""The processes that serve this database."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "processes",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_processes"),
    )
    # Rows that are written every few seconds and are worth nothing after a crash need no log of the database.
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE processes SET UNLOGGED")
