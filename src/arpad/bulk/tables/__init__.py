"""Reading and writing tables: files and Arrow, columns by their names, rejected rows."""
