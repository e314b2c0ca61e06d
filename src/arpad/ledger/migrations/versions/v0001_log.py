"""The first tables: submissions, the log of decisions, and the lists that were published."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "submission",
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "decision",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("based_on", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("submission", sa.Text, sa.ForeignKey("submission.hash")),
        sa.Column("digest", sa.Text, nullable=False, unique=True),
    )
    op.create_table(
        "frozen_list",
        sa.Column("decision", sa.Integer, sa.ForeignKey("decision.number"), primary_key=True, autoincrement=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
