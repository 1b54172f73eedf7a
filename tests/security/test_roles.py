"""Somebody on the staff wants more than the role gives: every action and form of the admin."""

import base64
import re
from hashlib import sha256

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from axes.models import AccessAttempt
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.template.backends.django import Template
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts import services
from accounts.models import Key, User
from accounts.staff_pages import ROLES, SUBJECTS, keep_roles
from cardroom.rules.pazaak.side_cards import STARTER
from decks import services as decks
from decks.models import Deck
from games.simulations import work
from tests.admin.test_gate import FOR_ADMINISTRATORS
from tests.conftest import BACKEND, PASSWORD, client_of
from tests.matches.scenes import opened

REFEREE = {
    "accounts.key": {"delete"},
    "accounts.registrationblock": {"add", "change", "delete"},
    "accounts.signuplink": {"add", "change"},
    "accounts.user": {"revoke_keys"},
    "decks.deck": {"change", "delete"},
    "decks.measurement": {"delete"},
    "exercises.exercise": {"collect", "show_again", "withdraw"},
    "games.match": {
        *("abort", "annul-rating", "change-deadline", "clear-deadline", "close", "message"),
        *("pay-bot-turn", "set-deadline", "verify"),
    },
    "games.simulation": {"cancel"},
    "hours.holiday": {"end"},
    "notifications.delivery": {"retry"},
    "operations.person": {"act_on_them"},
    "operations.playerreport": {"assign_to_me"},
    "config.announcement": {"add", "change", "delete"},
}
ADMINISTRATOR = REFEREE | {
    "accounts.user": {"add", "change", "revoke_keys"},
    "allauth_idp_oidc.client": {"delete"},
    "axes.accessattempt": {"delete"},
    "mfa.authenticator": {"delete"},
}
ALLOWED = {"viewer": {}, "referee": REFEREE, "administrator": ADMINISTRATOR}
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label_lower)


def staff(role: str, name: str = "") -> User:
    user = User.objects.create_user(name or role, password=PASSWORD, is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return user


@pytest.fixture
def world(ada, ben):
    """One of everything that the admin shows."""
    services.issue_key(user=ada)
    TOTP.activate(ada, "JBSWY3DPEHPK3PXP")
    AccessAttempt.objects.create(username="ada", failures_since_start=8)
    decks.create_deck(owner=ada.pk, name="Mine", cards=STARTER)
    opened(ada)
    work.start(owner=ada, game="pisti", games=10)
    return User.objects.create_superuser("root", password=PASSWORD)


def page(model, what: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{what}", args=args)


def everything() -> dict[str, list[tuple]]:
    """Every row that the admin may touch."""
    return {
        model._meta.label: sorted(map(str, model.objects.values_list()))
        for model in (*MODELS, User.groups.through)
    }


@pytest.fixture
def undrawn(monkeypatch):
    """Views without drawing: `tests.admin.test_gate` shows that their pages can be drawn."""
    monkeypatch.setattr(Template, "render", lambda *_, **__: "")


@pytest.mark.parametrize("role", ROLES)
def test_every_action_and_form(world, undrawn, role):
    somebody = staff(role)
    browser, request = client_of(somebody), RequestFactory().get("/")
    request.user = User.objects.get(pk=somebody.pk)
    hidden = set() if role == "administrator" else FOR_ADMINISTRATORS
    for model in MODELS:
        site, found = admin.site._registry[model], set()
        found |= {"add"} if site.has_add_permission(request) else set()
        found |= {"change"} if site.has_change_permission(request) else set()
        found |= {"delete"} if site.has_delete_permission(request) else set()
        found |= site.get_actions(request).keys() - {"delete_selected"}
        assert found == ALLOWED[role].get(model._meta.label_lower, set()), model
        ours = model._meta.app_label in SUBJECTS
        may_look = site.has_view_or_change_permission(request)
        assert may_look or not ours
        assert may_look == (model._meta.label_lower not in hidden)
        assert browser.get(page(model, "changelist")).status_code == (200 if may_look else 403)


@pytest.mark.parametrize("role", ["viewer", "referee"])
def test_every_forbidden_action_changes_nothing(world, undrawn, role):
    browser = client_of(staff(role))
    root_request = RequestFactory().get("/")
    root_request.user = world
    before = everything()
    for model in MODELS:
        allowed = ALLOWED[role].get(model._meta.label_lower, set())
        ids = [str(pk) for pk in model.objects.values_list("pk", flat=True)]
        wanted = {*admin.site._registry[model].get_actions(root_request), "delete_selected"}
        for action in wanted - allowed - ({"delete_selected"} if "delete" in allowed else set()):
            body = {"action": action, "_selected_action": ids, "post": "yes"}
            browser.post(page(model, "changelist"), body)
        for pk in ids:
            for form in {"change", "delete"} - allowed:
                browser.post(page(model, form, pk), {"post": "yes", "username": "Mine"})
        if "add" not in allowed:
            browser.post(page(model, "add"), {"username": "Mine", "name": "Mine"})
    assert everything() == before


def profile(user: User, **more: object) -> dict[str, object]:
    return {
        "username": user.username,
        "display_name": user.display_name,
        "language": "en",
        "is_active": "on",
        "keys-TOTAL_FORMS": 0,
        "keys-INITIAL_FORMS": 0,
        **more,
    }


def change(browser: Client, user: User, **more: object) -> User:
    browser.post(page(User, "change", user.pk), profile(user, **more))
    return User.objects.get(pk=user.pk)


def test_makes_himself_a_superuser(world):
    me = staff("administrator")
    after = change(client_of(me), me, is_staff="on", is_superuser="on")
    assert not after.is_superuser


def test_gives_himself_a_group(world):
    me = staff("administrator")
    group = Group.objects.create(name="everything")
    group.permissions.set(Permission.objects.all())
    assert group not in change(client_of(me), me, groups=[group.pk]).groups.all()


def test_gives_a_friend_more_than_he_has(world, ada, ben):
    me = client_of(staff("administrator"))
    group = Group.objects.create(name="everything")
    group.permissions.set(Permission.objects.all())
    for more in ({"is_superuser": "on"}, {"groups": [group.pk]}):
        after = change(me, ben, is_staff="on", **more)
        assert not after.is_superuser
        assert not after.groups.exists()


def test_an_administrator_grants_what_he_has(world, ben):
    me = client_of(staff("administrator"))
    referee = Group.objects.get(name="referee")
    after = change(me, ben, is_staff="on", groups=[referee.pk])
    assert after.is_staff
    assert list(after.groups.all()) == [referee]


def test_somebody_with_one_permission_makes_himself_a_superuser(world):
    me = User.objects.create_user("somebody", password=PASSWORD, is_staff=True)
    me.user_permissions.set(Permission.objects.filter(codename__in=["change_user", "view_user"]))
    browser = client_of(me)
    assert not change(browser, me, is_superuser="on").is_superuser
    groups = [Group.objects.get(name="administrator").pk]
    assert not change(browser, me, groups=groups).groups.exists()


@pytest.mark.parametrize("above", ["root", "administrator", "asleep"])
def test_sets_the_password_of_somebody_above(world, above):
    User.objects.filter(pk=staff("administrator", "asleep").pk).update(is_active=False)
    staff("administrator")
    me = User.objects.create_user("somebody", password=PASSWORD, is_staff=True)
    me.user_permissions.set(Permission.objects.filter(codename__in=["change_user", "view_user"]))
    victim = User.objects.get(username=above)
    for somebody in (me, staff("administrator", "peer")):
        browser = client_of(somebody)
        body = {"password1": "mine from now on", "password2": "mine from now on"}
        answer = browser.post(reverse("admin:auth_user_password_change", args=[victim.pk]), body)
        assert answer.status_code == 403
        assert change(browser, victim, email="me@evil.example").email == ""
        assert User.objects.get(pk=victim.pk).check_password(PASSWORD)


def test_takes_the_second_factor_from_somebody_above(world):
    TOTP.activate(world, "JBSWY3DPEHPK3PXP")
    browser = client_of(staff("administrator"))
    ids = [str(pk) for pk in Authenticator.objects.values_list("pk", flat=True)]
    body = {"action": "delete_selected", "_selected_action": ids, "post": "yes"}
    browser.post(page(Authenticator, "changelist"), body)
    assert Authenticator.objects.filter(user=world).exists()


def test_the_secret_of_a_second_factor_is_not_shown(world):
    factor = Authenticator.objects.get()
    shown = client_of(world).get(page(Authenticator, "change", factor.pk)).content.decode()
    assert "JBSWY3DPEHPK3PXP" not in shown


def test_a_referee_revokes_the_keys_of_players_only(world, ada):
    services.issue_key(user=world)
    browser = client_of(staff("referee"))
    ids = [str(ada.pk), str(world.pk)]
    browser.post(page(User, "changelist"), {"action": "revoke_keys", "_selected_action": ids})
    assert [key.user for key in Key.objects.all()] == [world]


def test_changes_what_a_role_gives(world):
    role = Group.objects.get(name="viewer")
    browser = client_of(world)
    everything = list(Permission.objects.values_list("pk", flat=True))
    browser.post(page(Group, "change", role.pk), {"name": "viewer", "permissions": everything})
    assert role.permissions.count() < len(everything) / 2
    role.permissions.set(everything)
    keep_roles(sender=apps.get_app_config("games"))
    assert role.permissions.count() < len(everything) / 2


def test_every_permission_of_a_role_exists(db):
    known = {f"{p.content_type.app_label}.{p.codename}" for p in Permission.objects.all()}
    assert set().union(*ROLES.values()) <= known


def test_a_deck_is_still_renamed_by_a_referee(world):
    deck, browser = Deck.objects.get(), client_of(staff("referee"))
    browser.post(page(Deck, "change", deck.pk), {"name": "Kinder", "reason": "An insult."})
    assert Deck.objects.get().name == "Kinder"


# The policy of the admin allows no script and no style that is not known. `make e2e` walks it.

STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
PAGES = ("/admin/", "/admin/games/match/", "/admin/accounts/user/", "/admin/accounts/user/add/")


@pytest.mark.django_db
@pytest.mark.parametrize("page", PAGES)
def test_what_stands_in_a_page_is_known_to_its_policy(page):
    browser, root = Client(), User.objects.create_superuser("root")
    browser.force_login(root, BACKEND)
    answer = browser.get(page)
    policy, text = answer["Content-Security-Policy"], answer.content.decode()
    for style in STYLE.findall(text):
        digest = base64.b64encode(sha256(style.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert not re.search(r"<script(?![^>]*(src=|application/json))", text)
    assert not re.search(r"<\w[^>]*\son\w+=", text)
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert scripts == "script-src 'self' 'unsafe-eval'"
