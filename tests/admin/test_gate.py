"""The views of each role: every address of the admin, with every question that can be asked.

Whose secret is it? Of the players: seeds, hands, side decks; moves, scores and points of a private
match. Of a person: passwords, keys, second factors. No page tells them to anybody who has not
asked for the look that is for them, and no list answers a question about a column it does not show.
"""

from collections.abc import Iterable

import pytest
from django.contrib import admin
from django.test import Client, RequestFactory
from django.urls import resolve, reverse

from accounts.audit.models import Entry
from accounts.models import User
from accounts.staff_pages import ROLES, StaffPages
from games.matches.models import Ply, Round, Seat
from tests.admin.everything import MODELS, World, a_world, list_of, page, pages
from tests.admin.test_acts import staff
from tests.conftest import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

# Lists that only some roles may open; all others are for all of them.
FOR_ADMINISTRATORS = {
    "allauth_idp_oidc.client",
    "auth.group",
    "axes.accessattempt",
    "mfa.authenticator",
}
# Who asks each choice of each filter: nothing is hidden from this role that another one sees.
MOST = "superuser"
NO_ROWS = ("app_label", "content_type_id", "slug", "what")  # parts of addresses that name none


@pytest.fixture
def world(ada, ben) -> World:
    return a_world(ada, ben)


def signed_in(role: str) -> Client:
    if role != "superuser":
        return staff(role)
    return client_of(User.objects.get(username="root"))


def questions(world: World, browser: Client, model):
    """Searches, orders, what popups ask, and each choice of each filter."""
    somewhere = str(world.private.pk)
    yield from (f"?q={term}" for term in (somewhere, somewhere[-8:], "Ada"))
    yield from ("?o=-1.-2.-3", "?all=&e=1", "?_popup=1&_to_field=id", "?_popup=1&_to_field=user")
    shown = browser.get(list_of(model))
    if shown.status_code == 200:
        for one in shown.context["cl"].filter_specs:
            yield from (choice["query_string"] for choice in one.choices(shown.context["cl"]))


@pytest.mark.sweep
@pytest.mark.parametrize("role", [*ROLES, "superuser"])
def test_nobody_reads_a_secret(world, role):
    browser = signed_in(role)
    more = (m for m in MODELS if role == MOST)
    asked = [list_of(m) + question for m in more for question in questions(world, browser, m)]
    reads_no_secret(world, browser, [*pages(world), *autocompletions(), *asked])


def test_who_sees_most_reads_no_secret(world):
    """On no kind of page, and on none of a private match.

    ``make sweeps`` reads the pages of more rows, asks every list every question, as every role.
    """
    asked = [*kinds(world, pages(world)), *[*autocompletions()][::3]]
    reads_no_secret(world, signed_in(MOST), asked)


def kinds(world: World, addresses: Iterable[str]) -> list[str]:
    """Of each view, and of each of its acts, the first; of those of private matches all.

    The page of an act is drawn alike for every match: each is read for another one in turn.
    """
    found: dict[object, str] = {}
    private = str(world.private.pk), str(world.over.pk)
    acts: dict[str, list[str]] = {}
    for address in addresses:
        view = resolve(address)
        of_rows = {name: value for name, value in view.kwargs.items() if name in NO_ROWS}
        named = [which for which in private if which in address]
        if slug := view.kwargs.get("slug"):
            acts.setdefault(slug, []).append(address)
        else:
            found.setdefault((view.view_name, *of_rows.values(), *named), address)
    in_turn = (of[number % len(of)] for number, of in enumerate(acts.values()))
    return [*found.values(), *in_turn]


def reads_no_secret(world, browser, addresses):
    asked = [address for address in addresses if "/logout" not in address]
    faults = []
    for address in asked:
        answer = browser.get(address)
        text = answer.content.decode() if not answer.streaming else ""
        text = text.replace("&quot;", '"').replace("&#x27;", "'")
        faults += [f"{address}: {n}" for n, secret in world.secrets.items() if secret in text]
        faults += [f"{address}: {answer.status_code}"] if answer.status_code >= 500 else []
    assert faults == []
    assert len(asked) > 250
    assert not Entry.objects.filter(action__in=["watch_private", "see_hidden_cards"]).exists()


def name_of(one):
    """The name of a filter of a list in its address."""
    if isinstance(one, type):
        return one.parameter_name
    return one if isinstance(one, str) else one[0]


def autocompletions():
    for model in MODELS:
        for field in model._meta.fields:
            if field.remote_field:
                app, name = model._meta.app_label, model._meta.model_name
                asked = f"app_label={app}&model_name={name}&field_name={field.name}&term=a"
                yield f"{reverse('admin:autocomplete')}?{asked}"


def ends(rows):
    """Of each match the first two rows and the last one."""
    by_match = {row.match_id: [one for one in rows if one.match_id == row.match_id] for row in rows}
    return [row for own in by_match.values() for row in {*own[:2], own[-1]}]


@pytest.mark.sweep  # `tests.security.test_roles` opens the same lists as every role
@pytest.mark.parametrize("role", [*ROLES, MOST])
def test_what_each_role_may_open(world, role):
    browser = signed_in(role)
    opened = {m._meta.label_lower for m in MODELS if browser.get(list_of(m)).status_code == 200}
    everything = {model._meta.label_lower for model in MODELS}
    hidden = set() if role in ("administrator", "superuser") else FOR_ADMINISTRATORS
    assert opened == everything - hidden


@pytest.mark.parametrize(
    ("role", "rows"),
    [(MOST, ends), *(pytest.param(r, list, marks=pytest.mark.sweep) for r in (*ROLES, MOST))],
)
def test_rows_of_a_private_match_are_not_there(world, role, rows):
    """Not in a list, by no filter and no link; no page, no history."""
    browser = signed_in(role)
    for model in (Ply, Round, Seat):
        hidden = world.of_private(model)
        assert hidden
        for asked in ({}, {"q": world.private.pk}, {"match__id__exact": world.private.pk}):
            listed = browser.get(list_of(model), asked)
            assert listed.status_code == 200
            ids = {row.match_id for row in listed.context["cl"].result_list}
            assert not ids & {world.private.pk, world.over.pk}
        for row in rows(hidden):
            for what in ("change", "history", "delete"):
                answer = browser.get(page(model, what, row.pk))
                assert answer.status_code in (302, 403, 404)
                assert str(row.match_id) not in answer.get("Location", "")
    shown = {row.match_id for row in browser.get(list_of(Ply)).context["cl"].result_list}
    others = Ply.objects.exclude(match__visibility="private").values_list("match_id", flat=True)
    assert world.open.pk in shown
    assert shown == {*others}


def test_a_look_opens_one_match_to_one_operator_and_is_logged(world):
    referee, other, viewer = staff("referee"), staff("administrator"), staff("viewer")
    look = reverse("admin:games_match_look", args=[world.private.pk])
    for browser in (referee, viewer):
        browser.post(look, {"reason": "A report of cheating.", "what": "table"})
    assert [(one.actor, one.action) for one in Entry.objects.filter(subject_id=world.private.pk)][
        :1
    ] == [("referee", "watch_private")]
    asked = {"match__id__exact": str(world.private.pk)}
    plies = [browser.get(list_of(Ply), asked) for browser in (referee, other, viewer)]
    assert [world.secrets["move"] in one.content.decode() for one in plies] == [True, False, False]
    assert world.secrets["points"] in referee.get(list_of(Seat), asked).content.decode()
    others = referee.get(list_of(Ply), {"match__id__exact": str(world.over.pk)})
    assert not others.context["cl"].result_list


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label_lower)
def test_a_list_answers_no_question_that_its_filters_do_not_ask(model):
    """Else `?digest__startswith=a` finds a secret out, letter by letter."""
    pages_of = admin.site.get_model_admin(model)
    assert isinstance(pages_of, StaffPages)
    request = RequestFactory().get("/")
    request.user = User(is_superuser=True, is_staff=True)
    asked_by = {*map(name_of, pages_of.list_filter), *pages_of.asked_by}
    for field in model._meta.get_fields():
        names = [field.name]
        if field.is_relation and field.related_model:
            names += [f"{field.name}__{one.name}" for one in field.related_model._meta.get_fields()]
        for name in names:
            for how in ("", "__exact", "__startswith", "__contains", "__regex", "__gte", "__len"):
                allowed = pages_of.lookup_allowed(name + how, "x", request)
                assert not allowed or name in asked_by
                assert not allowed or how in ("", "__exact", "__gte")
