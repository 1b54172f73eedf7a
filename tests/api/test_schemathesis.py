"""Generated requests at every operation: no 500, no answer that the document does not know.

`FUZZ_EXAMPLES=500` (`make fuzz`) tries harder than the suite does.
"""

import os

import pytest
import schemathesis
from django.core.cache import caches
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi import checks

from accounts.services import keys, people
from games.matches.services import joining
from tests.matches.scenes import opened, resigned

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "3"))
CHECKED = (
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.unsupported_method,
)


load_all_checks()
schema = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(public=True))
schema.app = get_wsgi_application()
schema.config.phases.coverage.enabled = "FUZZ_EXAMPLES" in os.environ  # hundreds for each call


@pytest.fixture(autouse=True)
def _one_transaction(db):
    """A request's end must not close the connection that the scene is rolled back on."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def person(db):
    return people.register(username="Ada", password="a long and quiet evening")


@pytest.fixture
def secret(person):
    return keys.issue(user=person).secret


@pytest.fixture
def places(person):
    """Matches in every state: running, over, open, called off, another's and hidden."""
    other = people.open_guest()
    waiting = opened(other, "me, open")
    called_off = joining.leave(match_id=opened(person, "me, open").id, user=person)
    hidden = opened(other, visibility="private")
    found = [opened(person), resigned(opened(person), 0), waiting, called_off, hidden]
    found += [opened(person, game=game) for game in ("pazaak", "shithead", "pyanitsa")]
    return [str(match.id) for match in found]


@pytest.mark.slow
@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_every_operation(case, secret, places):
    for cache in ("default", "memory"):
        caches[cache].clear()  # the limits are tested elsewhere
    if "match_id" in case.path_parameters:
        at = len(str(case.as_curl_command())) % (len(places) + 1)
        case.path_parameters["match_id"] = [*places, case.path_parameters["match_id"]][at]
    case.call_and_validate(headers={"Authorization": f"Token {secret}"}, checks=CHECKED)


def test_the_fuzz_reaches_every_operation():
    methods = ("get", "post", "put", "patch", "delete")
    operations = sum(
        name in methods for path in schema.raw_schema["paths"].values() for name in path
    )
    assert len(list(schema.get_all_operations())) == operations
