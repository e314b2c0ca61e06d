"""The application without a network."""

import pytest
from fastapi.testclient import TestClient

from arpad.web.app import create_app


@pytest.fixture(scope="session")
def client():
    """A client that sees faults as answers, as a browser would."""
    with TestClient(create_app(), raise_server_exceptions=False) as found:
        yield found
