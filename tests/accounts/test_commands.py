"""`create_admin` and `reset_password`: what a shell is for."""

import io

import pytest
from axes.models import AccessAttempt
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.audit.models import Entry
from accounts.models import User
from tests.conftest import PASSWORD, client_of

pytestmark = pytest.mark.django_db


def said(command, *words, **options):
    out = io.StringIO()
    call_command(command, *words, stdout=out, **options)
    return out.getvalue().rpartition(": ")[2].strip()


def signs_in(name, password):
    form = {"login": name, "password": password}
    return Client().post("/accounts/login/", form).status_code == 302


def test_an_administrator_is_made_and_the_password_printed_once():
    password = said("create_admin", "admin")  # a name that nobody may register
    user = User.objects.get(username="admin")
    assert user.is_superuser
    assert user.is_staff
    assert user.check_password(password)
    entry = Entry.objects.get()
    assert (entry.actor, entry.action, entry.subject) == ("shell", "create_administrator", "admin")
    assert password not in str(entry.details)


def test_a_password_comes_from_the_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(PASSWORD + "\n"))
    assert said("create_admin", "ada", "--password-stdin") == ""
    assert User.objects.get(username="ada").check_password(PASSWORD)


@pytest.mark.parametrize(
    ("words", "given", "sentence"),
    [
        (["create_admin", "Ada"], "", "There is an account 'Ada' already"),
        (["create_admin", "a name"], "", "username"),
        (["create_admin", "new", "--password-stdin"], "123\n", "too short"),
        (["create_admin", "new", "--password-stdin"], "\n", "holds no password"),
        (["reset_password", "nobody"], "", "no registered account 'nobody'"),
        (["reset_password", "ada", "--password-stdin"], "123\n", "too short"),
    ],
)
def test_what_is_wrong_is_a_sentence(ada, monkeypatch, words, given, sentence):
    monkeypatch.setattr("sys.stdin", io.StringIO(given))
    with pytest.raises(CommandError, match=sentence):
        call_command(*words)
    assert User.objects.count() == 1


def test_a_guest_has_no_password_to_reset(guest):
    with pytest.raises(CommandError, match="no registered account"):
        call_command("reset_password", guest.username)


def test_a_new_password_ends_sessions_and_a_lock_out(ada):
    browser = client_of(ada)
    AccessAttempt.objects.create(username="ada", failures_since_start=100, ip_address="127.0.0.1")
    password = said("reset_password", "ADA")
    assert not AccessAttempt.objects.exists()
    assert browser.get("/accounts/").status_code == 302  # to the page for signing in
    assert not signs_in("Ada", PASSWORD)
    assert signs_in("Ada", password)


# The audit log cannot be rewritten, not by code and not by SQL.


@pytest.mark.parametrize(
    "statement", ["UPDATE audit_entry SET reason = ''", "DELETE FROM audit_entry"]
)
def test_nobody_rewrites_it(ada, statement):
    log.record(Actor.of(ada, "A reason."), "abort", "match", "1", "Pişti")
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        connection.cursor().execute(statement)
    assert Entry.objects.get().reason == "A reason."
