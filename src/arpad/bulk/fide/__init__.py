"""FIDE's lists in columns, using tables that are filled by asking `arpad.systems.fide`."""
