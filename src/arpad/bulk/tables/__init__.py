"""Tables in and out: files and Arrow, columns by their names, rows that are rejected."""
