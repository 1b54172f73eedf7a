"""People take their data along and delete their account themselves, by page and by program."""

import re
from collections.abc import Callable

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts import services
from accounts.audit.models import Entry
from accounts.models import Key, User
from decks.models import Deck
from games.exports import exporting
from games.exports.models import RecordFile
from games.matches import joining, verification
from games.operations.people import ERASED_NAME
from tests.api.calls import get, post, refused
from tests.conftest import client_of
from tests.matches.scenes import now, opened, resigned

pytestmark = pytest.mark.django_db

PASSWORD = "a long and quiet evening"
TYPED = {"username": "ada", "password": PASSWORD}


@pytest.fixture
def browser(ada) -> Client:
    return client_of(ada)


@pytest.fixture
def running(ada, ben):
    return joining.join(match_id=opened(ada, "me, open").id, user=ben)


def is_gone(user: User) -> bool:
    return User.objects.get(pk=user.pk).username.startswith("deleted-")


class TestDeleting:
    def test_by_page(self, browser, ada, running):
        waiting = opened(ada, "me, open")
        Deck.objects.create(owner=ada, name="Ada's own", cards=["P1"] * 10)
        assert "cannot be undone" in browser.get(reverse("delete_account")).content.decode()
        answer = browser.post(reverse("delete_account"), TYPED, follow=True)
        assert "Your account is deleted." in answer.content.decode()
        assert is_gone(ada)
        assert "_auth_user_id" not in browser.session
        assert now(running).outcome.winners == (1,)
        assert now(running).seats[0].name == ERASED_NAME
        assert not list(verification.faults(now(running)))
        assert now(waiting).status == "aborted"
        assert not Deck.objects.filter(owner=ada).exists()

    def test_by_program(self, first, ada, running):
        assert post(first, "accounts/me/delete", TYPED).status_code == 204
        assert is_gone(ada)
        assert not Key.objects.filter(user=ada).exists()
        assert now(running).outcome.winners == (1,)
        assert get(first, "accounts/me").status_code == 401

    def test_a_guest_has_no_password(self, guest, keyed):
        assert refused(post(keyed(guest), "accounts/me/delete", TYPED), "not_confirmed")
        answer = post(keyed(guest), "accounts/me/delete", {"username": guest.display_name})
        assert answer.status_code == 204
        assert is_gone(guest)

    def test_a_guest_by_page(self, guest):
        client = client_of(guest)
        page = client.get(reverse("delete_account")).content.decode()
        assert f"type {guest.display_name}" in page
        assert "password" not in re.sub(r"<header.*?</header>", "", page, flags=re.DOTALL)
        client.post(reverse("delete_account"), {"username": guest.display_name})
        assert is_gone(guest)

    @pytest.mark.parametrize(
        ("typed", "code"),
        [
            ({"username": "", "password": PASSWORD}, "not_confirmed"),
            ({"username": "Ben", "password": PASSWORD}, "not_confirmed"),
            ({"username": "Ada", "password": "wrong"}, "bad_credentials"),
            ({"username": "Ada"}, "bad_credentials"),
        ],
    )
    def test_not_without_name_and_password(self, browser, first, ada, running, typed, code):
        assert refused(post(first, "accounts/me/delete", typed), code)
        assert browser.post(reverse("delete_account"), typed).status_code == 422
        assert not is_gone(ada)
        assert now(running).status == "active"

    def test_wrong_passwords_lock_out_as_a_sign_in_does(self, first, ada, settings):
        settings.AXES_FAILURE_LIMIT = 3
        wrong = {"username": "Ada", "password": "wrong"}
        codes = [post(first, "accounts/me/delete", wrong).json()["code"] for _ in range(4)]
        assert codes[0] == "bad_credentials"
        assert codes[-1] == "locked_out"
        assert refused(post(first, "accounts/me/delete", TYPED), "locked_out")
        assert not is_gone(ada)

    def test_a_key_without_the_scope_does_not(self, ada, holding):
        program = holding(services.issue_key(user=ada).secret)
        assert refused(post(program, "accounts/me/delete", TYPED), "not_allowed")
        assert refused(get(program, "accounts/me/data"), "not_allowed")
        assert not is_gone(ada)

    @pytest.mark.parametrize("right", ["is_staff", "is_superuser"])
    def test_nobody_of_the_staff_leaves_like_this(self, browser, first, ada, right):
        """So the last administrator does not either."""
        User.objects.filter(pk=ada.pk).update(**{right: True})
        assert refused(post(first, "accounts/me/delete", TYPED), "staff_stays")
        answer = browser.post(reverse("delete_account"), TYPED)
        assert answer.status_code == 409
        assert "You belong to the staff" in answer.content.decode()
        assert not is_gone(ada)

    def test_the_log_of_the_staff_does_not_name_who_left(self, first, ada, running):
        post(first, "accounts/me/delete", TYPED)
        entry = Entry.objects.get(action="erase")
        assert "ada" not in f"{entry.actor} {entry.subject} {entry.reason} {entry.details}".lower()

    def test_a_stranger_signs_in_first(self, client, api):
        for name in ("delete_account", "own_data", "own_data_file"):
            assert reverse("account_login") in client.get(reverse(name))["Location"]
        assert api.post("/api/v1/accounts/me/delete", TYPED).status_code == 401


class TestTakingAlong:
    def test_by_program(self, first, ada, running):
        Deck.objects.create(owner=ada, name="Ada's own", cards=["P1"] * 10)
        kept = get(first, "accounts/me/data").json()
        assert kept["account"]["username"] == "Ada"
        assert [deck["name"] for deck in kept["decks"]] == ["Ada's own"]
        assert [match["id"] for match in kept["matches"]] == [str(running.id)]
        assert len(kept["keys"]) == 1
        assert Key.objects.get(user=ada).digest not in str(kept)
        assert "argon2" not in str(kept)
        resigned(running, 1)
        assert str(running.id) in first.get(kept["links"]["records"]).getvalue().decode()

    def test_by_page(self, browser, ada, ben, running):
        answer = browser.get(reverse("own_data_file"))
        assert answer["Content-Disposition"].startswith("attachment")
        assert answer.json()["account"]["username"] == "Ada"
        assert "Ben" not in answer.content.decode()
        resigned(running, 1)
        browser.post(reverse("own_data_records"))
        exporting.write_export(RecordFile.objects.get(owner=ada).id)
        page = browser.get(reverse("own_data")).content.decode()
        assert "1 record" in page
        (file,) = re.findall(r'href="(/api/v1/exports/[^"]*/file)"', page)
        assert str(running.id) in browser.get(file).getvalue().decode()

    def test_too_many_files_are_refused_in_words(self, browser, settings):
        settings.LIMITS = settings.LIMITS | {"exports": 1}
        for _ in range(2):
            answer = browser.post(reverse("own_data_records"), follow=True)
        assert "as many exports as one account may have" in answer.content.decode()

    def test_nobody_elses(self, first, second, ada, ben):
        kept = get(second, "accounts/me/data").json()
        assert kept["account"]["username"] == "Ben"
        assert "Ada" not in str(kept)

    def test_the_account_page_leads_there(self, browser):
        page = browser.get(reverse("account")).content.decode()
        assert f'href="{reverse("own_data")}"' in page


class TestNewPassword:
    NEW = "another long and quiet evening"

    @pytest.fixture
    def change(self, browser) -> Callable[..., object]:
        fields = {"oldpassword": PASSWORD, "password1": self.NEW, "password2": self.NEW}
        return lambda **more: browser.post(reverse("account_change_password"), fields | more)

    def test_keys_are_revoked_where_that_is_ticked(self, browser, first, change):
        assert "revoke_keys" in browser.get(reverse("account_change_password")).content.decode()
        change()
        assert get(first, "accounts/me").status_code == 200

    def test_all_keys_and_all_other_sessions_end(self, browser, first, ada, change):
        elsewhere = client_of(User.objects.get(pk=ada.pk))
        assert elsewhere.get(reverse("account")).status_code == 200
        change(revoke_keys="on")
        assert get(first, "accounts/me").status_code == 401
        assert elsewhere.get(reverse("account")).status_code == 302
        assert browser.get(reverse("account")).status_code == 200

    def test_a_refused_password_revokes_nothing(self, first, change):
        change(revoke_keys="on", password2="something else")
        assert get(first, "accounts/me").status_code == 200

    def test_a_forgotten_password_offers_it_too(self, ada, first):
        User.objects.filter(pk=ada.pk).update(email="ada@example.org")
        client = Client()
        client.post(reverse("account_reset_password"), {"email": "ada@example.org"})
        (link,) = re.findall(r"http://testserver(\S+)", mail.outbox[0].body)
        page = client.get(link, follow=True)
        assert "revoke_keys" in page.content.decode()
        fields = {"password1": self.NEW, "password2": self.NEW, "revoke_keys": "on"}
        client.post(page.request["PATH_INFO"], fields)
        assert ada.check_password(PASSWORD)
        assert User.objects.get(pk=ada.pk).check_password(self.NEW)
        assert get(first, "accounts/me").status_code == 401
