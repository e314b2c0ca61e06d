"""The OpenAPI document, tried by Schemathesis: the server answers as it says, and nothing breaks it."""

from dataclasses import replace

import schemathesis
from examples import examples
from hypothesis import HealthCheck, Phase
from serving import WAIT

from arpad.web.app import create_app
from arpad.web.settings import EMBEDDED

app = create_app(settings=replace(EMBEDDED, seconds=WAIT))  # however busy the machine is
schema = schemathesis.openapi.from_asgi("/openapi.json", app, timeout=WAIT)
schema.config.request_timeout = WAIT
# No schema can say what a regulation refuses: a K under a system without one is 422, with a sentence.
schema.config.checks.positive_data_acceptance.expected_statuses = ["2xx", "404", "422"]


@schema.parametrize()
@examples(
    25,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_the_document_tells_the_truth(case):
    """All checks of Schemathesis: no 5xx, and no status, type, header, method or answer but those that it documents."""
    case.call_and_validate()
