"""Tournament files: read tolerantly, with errors that name path, line and column."""
