"""One shape for one thing; what was there before stays and agrees with it (issue 61, point 1)."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import fields

from accounts.audit.log import Actor, send_notice
from accounts.notifications import channels, endpoints
from accounts.notifications.models import HOOK_NAMES
from accounts.social import services
from config.api.json import LIST
from games.api import urls
from games.competitions.models import Tournament
from tests.api.calls import API, get, new_match, post, refused
from tests.api.test_examples import document
from tests.competitions.held import begun, held

pytestmark = pytest.mark.django_db
SHAPE = {"results", "next"}
OTHERS = {"DailyDealWithResults", "UserProfile", "OwnData"}  # no lists
# Fields of a list beside its rows.
MORE = {"queues", "game", "pace", "sides", "opponents", "least_matches", "you"}


@pytest.fixture
def arrays(ada, ben, keyed, inside) -> list[str]:
    """The addresses of the lists that are bare arrays in version 1, each with something in it."""
    endpoints.create(user=ada, url="https://example.org/", kinds=["result"])
    send_notice(user=ada, by=Actor.of(ben, "A reason."), text="At nine.")
    match = new_match(keyed(ada))["id"]
    return [
        *("games", "decks/cards", "archives", "accounts/me/webhooks", "accounts/me/notices"),
        *(f"matches/{match}/saves", f"matches/{match}/notices"),
    ]


@pytest.fixture
def inside(settings):
    settings.OUTWARD = {"private": False, "http": False, "ports": [443], "refused": []}


def test_a_bare_array_has_the_one_shape_for_who_asks(ada, keyed, arrays):
    program = keyed(ada)
    for path in arrays:
        before = get(program, path)
        assert before["Deprecation"] == "@1795996800", path
        assert before["Content-Type"] == "application/json"
        answer = get(program, path, Accept=LIST)
        assert answer["Content-Type"] == LIST
        assert "Deprecation" not in answer
        assert set(answer.json()) == SHAPE
        assert answer.json()["results"] == before.json()[:25], path
        assert "Accept" in answer["Vary"]


def test_its_pages_together_are_the_array(ada, keyed):
    program, seen, path = keyed(ada), [], f"{API}decks/cards?limit=7"
    whole = get(program, "decks/cards").json()
    while path:
        page = program.get(path, headers={"Accept": LIST}).json()
        seen += page["results"]
        path = page["next"]
    assert seen == whole
    wrong = program.get(f"{API}decks/cards?cursor=eHg", headers={"Accept": LIST})
    refused(wrong, "malformed")
    refused(get(program, "games", {"limit": 0}), "malformed")


def test_every_list_of_the_document_has_it():
    """A new list that is a bare array, or has results and no next, fails here."""
    arrays = 0
    components = document()["components"]["schemas"]
    for path, item in document()["paths"].items():
        content = item.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema", {})
        if schema.get("type") == "array":
            arrays += 1
            name = content[LIST]["schema"]["$ref"].rpartition("/")[2]
            assert set(components[name]["properties"]) == SHAPE, path
        name = schema.get("$ref", "").rpartition("/")[2]
        properties = components.get(name, {}).get("properties", {})
        results = properties.get("results", {})
        if results.get("type") == "array" and name not in OTHERS:
            assert SHAPE <= set(properties) <= SHAPE | MORE, name
    assert arrays == 7


def test_no_component_is_called_as_its_struct_in_the_code():
    names = document()["components"]["schemas"]
    assert [name for name in names if name.endswith("Json")] == []
    profile = names["UserProfile"]["properties"]["series"]["items"]["$ref"].rpartition("/")[2]
    assert {"opponent", "own", "other"} <= set(names[profile]["properties"])


def test_two_structs_of_the_api_have_two_names():
    """A component is found by its name: of two of one name the document would show one twice."""
    known: dict[str, Any] = {}
    for resource in urls.RESOURCES:
        for value in vars(resource).values():
            if isinstance(value, type) and issubclass(value, msgspec.Struct) and fields(value):
                other = known.setdefault(value.__name__, value)
                assert other is value, value.__name__


def test_status_is_what_state_was(ada, ben, keyed, inside):
    services.befriend(user=ada, other=ben.pk)
    (friend,) = get(keyed(ben), "accounts/me/friends").json()["results"]
    hook = endpoints.create(user=ada, url="https://example.org/", kinds=["result"])
    delivery = post(keyed(ada), f"accounts/me/webhooks/{hook.pk}/ping").json()
    cup = begun(held(ada), ada, ben)
    players = get(keyed(ada), f"tournaments/{cup.id}/results").json()["players"]
    for shown in (friend, delivery, *players):
        assert shown["status"] == shown["state"]
    for name in ("Friend", "WebhookDelivery", "Player"):
        state = document()["components"]["schemas"][name]["properties"]["state"]
        assert state["deprecated"] is True


@pytest.mark.parametrize("word", ["unlisted", "link"])
def test_a_tournament_is_unlisted_by_either_word(ada, keyed, word):
    body = {"name": "Evening cup", "game": "pazaak", "visibility": word}
    made = post(keyed(ada), "tournaments", body).json()
    assert made["visibility"] == "unlisted"
    assert Tournament.objects.get().visibility == "link"
    changed = keyed(ada).patch(f"{API}tournaments/{made['id']}", {"visibility": word}, "json")
    assert changed.json()["visibility"] == "unlisted"


def test_a_webhook_names_news_as_the_stream_does():
    streamed = document()["components"]["schemas"]["AccountMessage"]["discriminator"]["mapping"]
    for kind in HOOK_NAMES:
        names = channels.event_names(kind)
        assert set(names) <= {*streamed, "league", "operator", "match", "ping"}, kind
        call = document()["webhooks"][kind]["post"]["requestBody"]["content"]["application/json"]
        shape = document()["components"]["schemas"][call["schema"]["$ref"].rpartition("/")[2]]
        event = shape["properties"]["event"]
        assert event.get("enum", [event.get("const")]) == names
