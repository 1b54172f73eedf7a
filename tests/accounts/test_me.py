"""The caller's own account, and malformed requests about it."""

import pytest
from rest_framework.test import APIClient

ME = "/api/v1/accounts/me"
BODIES = ["guest", "register", "token"]


def test_an_anonymous_caller_has_to_sign_in(api, db):
    answer = api.get(ME)
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert answer["Content-Type"] == "application/problem+json"


def test_a_name_is_changed_and_tidied(ada, keyed):
    answer = keyed(ada).patch(ME, {"display_name": "  Ada   Lovelace "})
    assert answer.json()["display_name"] == "Ada Lovelace"
    ada.refresh_from_db()
    assert ada.display_name == "Ada Lovelace"


def test_what_is_left_out_stays(ada, keyed):
    assert keyed(ada).patch(ME, {}).json()["display_name"] == "Ada"
    assert keyed(ada).patch(ME, {"language": "en"}).json()["display_name"] == "Ada"


@pytest.mark.parametrize(
    "change",
    [
        {"display_name": ""},
        {"display_name": "   "},
        {"display_name": "x" * 41},
        {"display_name": "Ada\u202e"},
        {"display_name": "A\u0007da"},
        {"language": "xx"},
        {"language": ""},
    ],
)
def test_what_a_profile_may_not_be_is_named(ada, keyed, change):
    answer = keyed(ada).patch(ME, change)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_account")
    assert list(answer.json()["fields"]) == list(change)
    ada.refresh_from_db()
    assert (ada.display_name, ada.language) == ("Ada", "en")


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"display_name": 3}, "display_name: Expected 'str', got 'int'."),
        ({"display_name": None}, "display_name: Expected 'str', got 'null'."),
        ({"is_staff": True}, "Object contains unknown field 'is_staff'."),
        ([], "Expected 'object', got 'array'."),
    ],
)
def test_a_wrong_shape_names_field_and_type(ada, keyed, body, detail):
    answer = keyed(ada).patch(ME, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["detail"] == detail


BROKEN = [
    b"{",
    b"\xff",
    b'{"username": "\xff"}',
    b'{"username": "\\ud800"}',
    b'{"username": "a\\u0000b", "password": "x"}',
    b"[" * 60000,
    b'{"a":' * 10000 + b"1" + b"}" * 10000,
    b"null",
    b"NaN",
    b"1e999",
    b"\xef\xbb\xbf\xef\xbb\xbf{}",
    b'{"username": 1, "password": {}}',
    b'{"surprise": 1}',
]


@pytest.mark.parametrize("call", BODIES)
def test_a_broken_body_is_malformed(api, db, call):
    for body in BROKEN:
        answer = api.generic("POST", f"/api/v1/accounts/{call}", body, "application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), body[:40]


@pytest.mark.parametrize("call", BODIES)
def test_a_huge_body_is_too_large(api, db, call):
    body = b'{"username": "' + b"x" * 70_000 + b'"}'
    answer = api.generic("POST", f"/api/v1/accounts/{call}", body, "application/json")
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "image/png"])
def test_another_media_type_is_unsupported(api, db, kind):
    answer = api.generic("POST", "/api/v1/accounts/guest", b"{}", kind)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
    assert "application/json" in answer.json()["detail"]


def test_a_charset_parameter_is_fine(api, db):
    kind = "application/json; charset=utf-8"
    assert api.generic("POST", "/api/v1/accounts/guest", b"{}", kind).status_code == 201


def test_another_method_is_named(api, db):
    answer = api.put("/api/v1/accounts/guest", {})
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert "POST" in answer["Allow"]


def test_an_accept_header_changes_nothing(ada, keyed):
    answer = keyed(ada).get(ME, HTTP_ACCEPT="text/html")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("path", ["tokens/not-a-uuid", "nothing", "nothing/"])
def test_an_unknown_address_is_a_problem(ada, keyed, path):
    answer = keyed(ada).get(f"/api/v1/accounts/{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_an_unknown_address_is_one_without_a_csrf_token_too(db):
    answer = APIClient(enforce_csrf_checks=True).delete("/api/v1/accounts/tokens/not-a-uuid")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_session_writes_only_with_its_csrf_token(ada):
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(ada)
    assert browser.get(ME).status_code == 200
    answer = browser.patch(ME, {"display_name": "Mallory"})
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert "CSRF" in answer.json()["detail"]
