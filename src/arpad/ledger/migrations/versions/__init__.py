"""The steps of the migration, each in the file of its version."""
