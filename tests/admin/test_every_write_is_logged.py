"""Whatever the admin writes stands in the audit log: every form, button and action of every page.

The forms are read off the pages and sent, so a new one is tried by itself. A table that is written
to without an entry fails, whichever view did it. ``make test`` presses what is on every tenth page,
and every tenth of what has to write.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from urllib.parse import urljoin

import pytest
from axes.models import AccessAttempt
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.urls import resolve, reverse

from accounts import services
from accounts.audit.models import Entry
from accounts.models import Key, User
from games.operations.acts import ACTS
from tests.admin.everything import MODELS, World, a_world, list_of, page, pages
from tests.conftest import client_of
from tests.web.browsing import Form, Reader

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

WRITES = re.compile(r'\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?(\w+)', re.IGNORECASE)
NO_MATTER = {"django_session", "audit_entry"}
PASSWORD = "another long and quiet evening"
TYPED = {
    "reason": "A player asked for it.",
    "text": "Hello.",
    "minutes": "5",
    "days": "3",
    "name": "something new",
    "username": "Ada",
    "display_name": "Lady Ada",
    "password1": PASSWORD,
    "password2": PASSWORD,
    "usable_password": "true",
    "is_staff": "on",
    "post": "yes",
}
ELSEWHERE = {"/admin/logout/"}  # signing out is no act
TENTH = 10
REFUSED = ("give-back", "pay-bot-turn")  # by the matches of this world
# Acts on the page of something else; all the others have a page of their own.
SHOWN_ON = {
    "games_match_look": "games_match_change",
    "games_match_record": "games_match_change",
    "competitions_tournament_act": "competitions_tournament_change",
    "operations_person_act": "operations_person_change",
}
PERSON_ACTS = ("suspend", "silence", "note", "message", "export", "erase")
# Every one of these has to have written something, or this test would prove nothing.
EXPECTED = {
    "accounts_user_add",
    "accounts_user_change",
    "accounts_key_delete",
    "auth_group_add",
    "auth_group_change",
    "auth_group_delete",
    "auth_user_password_change",
    "axes_accessattempt_delete",
    "decks_deck_change",
    "decks_deck_delete",
    "decks_measurement_delete",
    "mfa_authenticator_delete",
    "operations_bulkrun_change",
    "operations_playerreport_change",
    "games_match_look",
    "games_match_record",
    *(f"operations_person_act {what}" for what in PERSON_ACTS),
    *(f"competitions_tournament_act {what}" for what in ("abort", "begin", "pause", "pay")),
    *(f"games_match_act {slug}" for slug in ACTS if slug not in REFUSED),
    *("accounts_user_changelist revoke_keys", "games_simulation_changelist cancel"),
    *(f"exercises_exercise_changelist {act}" for act in ("withdraw", "collect")),
    *(f"games_match_changelist {slug}" for slug, act in ACTS.items() if act.bulk),
}


@pytest.fixture
def world(ada, ben) -> World:
    world = a_world(ada, ben)
    Key.objects.filter(user=ben).delete()
    return world


@pytest.fixture
def root(world) -> Client:
    return client_of(User.objects.get(username="root"))


@contextmanager
def written() -> Iterator[list[str]]:
    """The tables that were written to; all is undone afterwards."""
    tables: list[str] = []

    def watch(execute, sql, params, many, context):
        found = WRITES.match(sql)
        if found and found[1] not in NO_MATTER:
            tables.append(found[1])
        return execute(sql, params, many, context)

    scene = transaction.atomic()
    scene._from_testcase = True  # as Django's own tests: what has to be durable may run in it
    with scene, connection.execute_wrapper(watch):
        yield tables
        transaction.set_rollback(True)


def sent(form: Form, button: tuple[str, str, str]) -> dict[str, object]:
    """The fields that a person sends who fills all of them."""
    fields: dict[str, object] = dict(form.fields) | TYPED
    if not form.action.endswith("/erase/do"):
        fields["username"] = dict(form.fields).get("username", "Grace") or "Grace"
    return {name: value for name, value in {**fields, button[0]: button[1]}.items() if name}


def forms_of(text: str) -> list[Form]:
    reader = Reader()
    reader.feed(text)
    return [form for form in reader.forms if form.method == "post"]


def presses(root: Client, addresses: list[str]) -> Iterator[tuple[str, dict[str, object]]]:
    """Every form of these pages with every button of it; each once."""
    seen = set()
    for address in addresses:
        if "/logout" in address:
            continue
        answer = root.get(address)
        if answer.status_code != 200 or "html" not in answer["Content-Type"]:
            continue
        for form in forms_of(answer.content.decode()):
            for button in form.buttons or [("", "", "")]:
                where = urljoin(address, form.action).partition("#")[0]
                if (where, button) not in seen and where not in ELSEWHERE:
                    seen.add((where, button))
                    yield where, sent(form, button)


def actions(root: Client) -> Iterator[tuple[str, dict[str, object]]]:
    """Every action of every list, on all rows."""
    request = RequestFactory().get("/")
    request.user = User.objects.get(username="root")
    for model in MODELS:
        ids = [str(pk) for pk in model.objects.values_list("pk", flat=True)]
        for action in admin.site.get_model_admin(model).get_actions(request):
            body = {"action": action, "_selected_action": ids, "post": "yes"}
            yield list_of(model), body


def named(where: str, body: dict[str, object]) -> str:
    found = resolve(where)
    more = [found.kwargs.get("slug"), found.kwargs.get("what"), body.get("action")]
    return " ".join([found.url_name or "", *filter(None, more)])


def shown_twice(root: Client, where: str, body: dict[str, object]) -> None:
    """A page may show what will happen before it does it."""
    answer = root.post(where, body)
    if answer.status_code == 200 and answer.context and answer.context.get("changes"):
        root.post(where, body | {"shown": answer.context["token"]})


@pytest.mark.sweep
def test_whatever_the_admin_writes_stands_in_the_audit_log(root, world):
    wrote = all_that_wrote(root, [*presses(root, [*pages(world)]), *actions(root)])
    assert sorted(EXPECTED - wrote) == []


def test_what_some_pages_write_stands_in_the_audit_log(root, world):
    due = {*sorted(EXPECTED)[::TENTH]}
    shown = {SHOWN_ON.get(name.partition(" ")[0], name) for name in due}
    some = [
        address
        for number, address in enumerate(pages(world))
        if number % TENTH == 0 or named(address, {}) in shown
    ]
    acts = [
        call
        for number, call in enumerate(actions(root))
        if number % TENTH == 0 or named(*call) in due
    ]
    assert sorted(due - all_that_wrote(root, [*presses(root, some), *acts])) == []


def all_that_wrote(root: Client, calls: list[tuple[str, dict[str, object]]]) -> set[str]:
    """The names of the calls that wrote something, each with an entry in the log."""
    wrote, unlogged, cookies = set(), [], root.cookies.output(header="", sep=";")
    for where, body in calls:
        before = Entry.objects.latest("id").pk
        root.cookies = SimpleCookie(cookies)  # a new password ends the session, which comes back
        with written() as tables:
            shown_twice(root, where, body)
            logged = Entry.objects.filter(pk__gt=before).exists()
        if tables or logged:
            wrote.add(named(where, body))
        if tables and not logged:
            unlogged.append((where, body.get("action"), sorted(set(tables))))
    assert unlogged == []
    return wrote


@pytest.fixture
def alone(ada) -> Client:
    """The browser of the administrator where there is nothing but Ada."""
    return client_of(User.objects.create_superuser("root"))


@pytest.mark.parametrize(
    ("body", "entry"),
    [
        ({"is_staff": "on"}, ("change_rights", {"is_staff": [False, True]})),
        ({"groups": ["referee"]}, ("change_rights", {"groups": [[], ["referee"]]})),
        ({"display_name": "Eve"}, ("change_user", {"display_name": ["Ada", "Eve"]})),
    ],
)
def test_an_entry_says_what_it_was_and_what_it_is(ada, alone, body, entry):
    ids = {"groups": list(Group.objects.filter(name="referee").values_list("pk", flat=True))}
    form = {"username": "Ada", "display_name": "Ada", "language": "en"}
    form |= {"keys-TOTAL_FORMS": 0, "keys-INITIAL_FORMS": 0}
    change = page(User, "change", ada.pk)
    alone.post(change, form | {name: ids.get(name, value) for name, value in body.items()})
    found = Entry.objects.latest("id")
    assert (found.action, found.actor, found.subject) == (entry[0], "root", "Ada")
    assert found.details == {"changed": entry[1]}
    assert found.subject_id == str(ada.pk)


def test_a_password_is_set_and_not_told(ada, alone):
    where = reverse("admin:auth_user_password_change", args=[ada.pk])
    body = {"password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
    alone.post(where, body | {"set-password": "1"})
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)
    found = Entry.objects.latest("id")
    assert (found.action, found.details) == ("set_password", {"changed": {"password": []}})


def test_a_key_that_a_form_removes_has_its_own_entry(ada, alone):
    key = services.issue_key(user=ada).key
    form = {"username": "Ada", "display_name": "Ada", "language": "en", "keys-TOTAL_FORMS": 1}
    form |= {"keys-INITIAL_FORMS": 1, "keys-0-id": key.pk, "keys-0-user": ada.pk}
    alone.post(page(User, "change", ada.pk), form | {"keys-0-DELETE": "on"})
    assert not Key.objects.filter(pk=key.pk).exists()
    assert Entry.objects.filter(action="revoke_key", subject="Ada").exists()


def test_unlocking_is_about_the_person(ada, alone):
    attempt = AccessAttempt.objects.create(username="ada", failures_since_start=8)
    where = page(AccessAttempt, "delete", attempt.pk)
    alone.post(where, {"post": "yes"})
    found = Entry.objects.latest("id")
    assert (found.action, found.subject, found.details) == ("unlock", "Ada", {"failures": 8})


def test_a_history_is_the_audit_log(ada, alone):
    history = alone.get(page(User, "history", ada.pk))
    assert "subject_type=person" in history["Location"]
    assert alone.get(history["Location"]).status_code == 200
