"""Files people bring: read tolerantly; errors name path, line and column."""
