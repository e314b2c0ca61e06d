"""FIDE's lists in columns, by tables that are filled by asking `arpad.systems.fide`."""
