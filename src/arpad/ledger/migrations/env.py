"""Where Alembic begins: the steps run on the connection that `store.migrate` gives, in its transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True, render_as_batch=True)
context.run_migrations()
