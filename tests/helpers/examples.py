"""How many examples a property test takes: all of them, or a few in `make test`."""

import os

from hypothesis import HealthCheck, settings

QUICK = 20
# How long one example takes says more about the machine than about the code; what CI finds, everybody can find again.
settings.register_profile(
    "full", deadline=None, derandomize=bool(os.environ.get("CI")), suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("quick", settings.get_profile("full"), max_examples=QUICK)
settings.load_profile("full")


def examples(number, **more):
    """Settings for so many examples; with the profile `quick`, for no more than that has."""
    few = settings.get_current_profile_name() == "quick"
    return settings(max_examples=min(number, QUICK) if few else number, **more)
