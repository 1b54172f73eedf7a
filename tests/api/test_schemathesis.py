"""Generated requests at every operation: no 500, no answer that the document does not know.

`make test` sends a few with a fixed seed on the way of a match, `make sweeps` to all others, and
along the links between them. `make fuzz` sends many with a new seed, which it prints; `make fuzz
FUZZ_SEED=…` sends them again, ``T="-k deck"`` only some. Each operation is a test function of its
own, named after its operationId, so that they share the work: the document is read once a process,
and what is generated for an operation is made when its test runs.
"""

import gc
import os
from copy import deepcopy

import hypothesis
import pytest
import schemathesis
from django.core.cache import caches
from django.core.wsgi import get_wsgi_application
from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi import checks

from accounts import services
from config.api.scopes import SCOPES
from games.matches import joining
from tests.api.test_examples import document
from tests.matches.scenes import opened, resigned

OF_A_MATCH = ("create_match", "match", "move", "events", "record", "join")
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "3"))
SCENARIOS, STEPS = EXAMPLES, 8
SEED = int(os.environ.get("FUZZ_SEED", "0"))
CHECKED = (
    *(schemathesis.checks.not_a_server_error, checks.status_code_conformance),
    *(checks.content_type_conformance, checks.response_headers_conformance),
    *(checks.response_schema_conformance, checks.unsupported_method),
    checks.negative_data_rejection,
)
OF_SCENARIOS = (checks.use_after_free, checks.ensure_resource_availability)


load_all_checks()
SERVICE = get_wsgi_application()
DOCUMENT = document()
QUIET = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
METHODS = ("get", "post", "put", "patch", "delete")
IS_LONG = "FUZZ_EXAMPLES" in os.environ


def read():
    """The document, as Schemathesis reads it; it adds links to what it gets."""
    schema = schemathesis.openapi.from_dict(deepcopy(DOCUMENT))
    schema.app = SERVICE
    schema.config.seed = SEED
    # Hundreds for each call, and the literals of all our modules.
    schema.config.phases.coverage.enabled = IS_LONG
    schema.config.analysis.constants.enabled = IS_LONG
    return schema


@pytest.fixture(scope="session")
def schema():
    """Read once. The test of an operation is made when it runs, none while they are collected."""
    return read()


@pytest.fixture(autouse=True)
def generating(one_transaction):
    """Between two requests a transaction may be idle for long; what a test leaves takes memory."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
    yield
    gc.collect()


@pytest.fixture
def person(db):
    return services.register(username="Ada", password="a long and quiet evening")


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
def headers(person):
    secret = services.issue_key(user=person, scopes=SCOPES).secret
    return {"Authorization": f"Token {secret}", "Accept-Encoding": "identity"}


@pytest.fixture
def sent(record_property):
    """The number of requests, for the summary of `tests.conftest`."""
    counted = [0]
    yield counted
    record_property("requests", counted[0])


def forget_limits():
    for cache in ("default", "memory"):
        caches[cache].clear()  # they are tested elsewhere


def fuzz(operation_id):
    """The test function of one operation."""

    @(pytest.mark.slow if operation_id in OF_A_MATCH else pytest.mark.sweep)
    @schemathesis.pytest.from_fixture("schema").include(operation_id=operation_id).parametrize()
    @settings(QUIET, max_examples=EXAMPLES)
    def test(case, headers, places, sent):
        forget_limits()
        path = case.meta.components.get(ParameterLocation.PATH)
        is_wrong = path is not None and path.mode.is_negative
        if "match_id" in case.path_parameters and not is_wrong:
            at = len(str(case.as_curl_command())) % (len(places) + 1)
            case.path_parameters["match_id"] = [*places, case.path_parameters["match_id"]][at]
        sent[0] += 1
        case.call_and_validate(headers=headers, checks=CHECKED)

    return test


OPERATIONS = {
    operation["operationId"]: operation["tags"][0]
    for item in DOCUMENT["paths"].values()
    for method, operation in item.items()
    if method in METHODS
}
TAGS = sorted({*OPERATIONS.values()} - {"catalogue"})  # whose two lists lead nowhere
for _operation_id in OPERATIONS:
    globals()[f"test_{_operation_id}"] = fuzz(_operation_id)


@pytest.mark.sweep
@pytest.mark.parametrize("tag", [*TAGS, "all"])
def test_links_of(tag, places, headers, sent):
    """Calls one after the other: each takes names and ids from the answers of those before it."""

    schema = read() if tag == "all" else read().include(tag=tag)

    @hypothesis.seed(SEED)
    class Scenario(schema.as_state_machine()):
        def setup(self):
            self.scene = transaction.atomic()
            self.scene.__enter__()

        def before_call(self, case):
            forget_limits()
            sent[0] += 1

        def get_call_kwargs(self, case):
            return {"headers": headers}

        def validate_response(self, response, case, **more):
            case.validate_response(
                response,
                checks=[*CHECKED, *OF_SCENARIOS],
                transport_kwargs=more,
                recorder=self.recorder,
            )

        def teardown(self):
            transaction.set_rollback(True)
            self.scene.__exit__(None, None, None)

    Scenario.run(settings=settings(QUIET, max_examples=SCENARIOS, stateful_step_count=STEPS))


def test_no_operation_is_left_out():
    methods = [method for item in DOCUMENT["paths"].values() for method in item]
    assert len(OPERATIONS) == sum(method in METHODS for method in methods)
