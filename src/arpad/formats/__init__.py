"""Files people bring: read tolerantly, refused with path, line and column."""
