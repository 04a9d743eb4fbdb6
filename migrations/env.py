"""Alembic's entry point. It runs inside the transaction that `app.store.migrate` has begun."""

from alembic import context

from app.store.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, compare_type=True, compare_server_default=True)
context.run_migrations()
