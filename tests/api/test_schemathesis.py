"""Generated requests at every operation: no 500, no answer that the document does not know.

`make test` sends a few with a fixed seed on the way of a match, `make sweeps` to all others. `make
fuzz` sends many with a new seed, which it prints; `make fuzz FUZZ_SEED=…` sends them again. Each
operation is a test function of its own, named after its operationId: the items of one parametrized
schema share one id under pytest 9.2, and xdist runs one of them.
"""

import os
import re

import pytest
import schemathesis
from django.core.cache import caches
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi import checks

from accounts import services
from games.matches import joining
from tests.api.test_examples import document
from tests.matches.scenes import opened, resigned

OF_A_MATCH = ("create_match", "match", "move", "events", "record", "join")
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "3"))
SEED = int(os.environ.get("FUZZ_SEED", "0"))
CHECKED = (
    *(schemathesis.checks.not_a_server_error, checks.status_code_conformance),
    *(checks.content_type_conformance, checks.response_headers_conformance),
    *(checks.response_schema_conformance, checks.unsupported_method),
)


load_all_checks()
SERVICE = get_wsgi_application()
DOCUMENT = document()
SCHEMAS = DOCUMENT["components"]["schemas"]
NAMES = re.compile(r"#/components/schemas/(\w+)").findall
REFERRED = {name: NAMES(str(schema)) for name, schema in SCHEMAS.items()}
METHODS = ("get", "post", "put", "patch", "delete")


def schemas_of(item):
    """The names of the schemas to which it refers, and of those to which they refer."""
    names, new = set(), set(NAMES(str(item)))
    while new:
        names |= new
        new = set().union(*(REFERRED[name] for name in new)) - names
    return names


def schema_of(path):
    """The document with one path only: reading all of it for each operation takes long."""
    item, components = DOCUMENT["paths"][path], DOCUMENT["components"]
    named = {name: SCHEMAS[name] for name in sorted(schemas_of(item))}
    part = {"paths": {path: item}, "components": components | {"schemas": named}}
    schema = schemathesis.openapi.from_dict({**DOCUMENT, **part})
    schema.app = SERVICE
    schema.config.seed = SEED
    # Hundreds for each call, and the literals of all our modules, read again for each schema.
    schema.config.phases.coverage.enabled = "FUZZ_EXAMPLES" in os.environ
    schema.config.analysis.constants.enabled = "FUZZ_EXAMPLES" in os.environ
    return schema


pytestmark = pytest.mark.usefixtures("one_transaction")


@pytest.fixture
def person(db):
    return services.register(username="Ada", password="a long and quiet evening")


@pytest.fixture
def secret(person):
    return services.issue_key(user=person).secret


@pytest.fixture
def places(person):
    """Matches in every state: running, over, open, called off, another's and hidden."""
    other = services.open_guest()
    waiting = opened(other, "me, open")
    called_off = joining.leave(match_id=opened(person, "me, open").id, user=person)
    hidden = opened(other, visibility="private")
    found = [opened(person), resigned(opened(person), 0), waiting, called_off, hidden]
    found += [opened(person, game=game) for game in ("pazaak", "shithead", "pyanitsa")]
    return [str(match.id) for match in found]


@pytest.fixture
def sent(record_property):
    """The number of requests, for the summary of `tests.conftest`."""
    counted = [0]
    yield counted
    record_property("requests", counted[0])


def fuzz(path, operation_id):
    """The test function of one operation."""

    @(pytest.mark.slow if operation_id in OF_A_MATCH else pytest.mark.sweep)
    @schema_of(path).include(operation_id=operation_id).parametrize()
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def test(case, secret, places, sent):
        for cache in ("default", "memory"):
            caches[cache].clear()  # the limits are tested elsewhere
        if "match_id" in case.path_parameters:
            at = len(str(case.as_curl_command())) % (len(places) + 1)
            case.path_parameters["match_id"] = [*places, case.path_parameters["match_id"]][at]
        sent[0] += 1
        headers = {"Authorization": f"Token {secret}", "Accept-Encoding": "identity"}
        case.call_and_validate(headers=headers, checks=CHECKED)

    return test


OPERATIONS = {
    operation["operationId"]: path
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
    if method in METHODS
}
for _operation_id, _path in OPERATIONS.items():
    globals()[f"test_{_operation_id}"] = fuzz(_path, _operation_id)


def test_no_operation_is_left_out():
    methods = [method for item in DOCUMENT["paths"].values() for method in item]
    assert len(OPERATIONS) == sum(method in METHODS for method in methods)
