"""The migrations of a ledger file, run by Alembic."""
