"""Checks that look at many things and name every one that offends, not only the first."""

import pytest


def none_of(offenders):
    """Fail with every offender on a line of its own: a list of texts, or what is wrong with each by name."""
    lines = [f"{name}: {what}" for name, what in offenders.items()] if isinstance(offenders, dict) else [*offenders]
    if lines:
        pytest.fail("\n".join([f"{len(lines)} found:", *map(str, lines)]), pytrace=False)
