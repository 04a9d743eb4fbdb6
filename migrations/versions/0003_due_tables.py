"""Tables that are due to be deleted are marked first."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "due_tables",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_due_tables"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_due_tables_table_id", ondelete="CASCADE"),
    )
