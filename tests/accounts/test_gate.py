"""Blocks of registration, and accounts that look like one person's (issue 59.5)."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient
from time_machine import travel

from accounts import gate, visitors
from accounts.models import RegistrationBlock, Trace, User
from games.operations import people
from tests.admin.test_acts import staff
from tests.conftest import PASSWORD
from tests.web.browsing import signed_in

pytestmark = pytest.mark.django_db
HOME, OTHER, WIDE = "203.0.113.9", "198.51.100.1", "2001:db8:1:2::7"


@pytest.fixture(autouse=True)
def fresh():
    cache.clear()


def registered(name, address=HOME, email=""):
    sent = {"username": name, "password": PASSWORD, "email": email}
    where = "/api/v1/accounts/register"
    return APIClient().post(where, sent, format="json", REMOTE_ADDR=address).status_code


def blocked(value, kind="network", **more):
    value = gate.checked_value(kind, value)
    return RegistrationBlock.objects.create(kind=kind, value=value, reason="Spam.", **more)


@pytest.mark.parametrize(
    ("value", "address", "status"),
    [
        ("203.0.113.0/24", HOME, 403),
        ("203.0.113.0/24", OTHER, 201),
        ("203.0.113.0/24", WIDE, 201),
        ("2001:db8::/32", WIDE, 403),
        ("2001:db8:1:3::/64", WIDE, 201),
    ],
)
def test_a_range_of_addresses(value, address, status):
    blocked(value)
    assert registered("newcomer", address) == status
    guest = APIClient().post("/api/v1/accounts/guest", REMOTE_ADDR=address)
    assert guest.status_code == status


@pytest.mark.parametrize(
    ("email", "status"),
    [("a@mail.example", 403), ("a@x.MAIL.example", 403), ("a@email.example", 201), ("", 201)],
)
def test_a_mail_domain(email, status):
    blocked("@Mail.example", "domain")
    assert registered("newcomer", email=email) == status


def test_so_many_a_day_and_until_a_time():
    block = blocked("203.0.113.0/24", per_day=2)
    assert [registered(f"newcomer{n}") for n in range(4)] == [201, 201, 403, 403]
    block.until = timezone.now() - timedelta(seconds=1)
    block.save()
    assert registered("latecomer") == 201


def test_a_page_says_it_in_words(client):
    blocked("203.0.113.0/24")
    sent = {"username": "newcomer", "password1": PASSWORD, "password2": PASSWORD}
    answer = client.post(reverse("account_signup"), sent, REMOTE_ADDR=HOME)
    assert answer.status_code in (200, 403)
    assert "No account can be made from here" in answer.content.decode()
    assert not User.objects.filter(username="newcomer").exists()


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *(("network", text) for text in ("203.0.113.9", "203.0.113.0/29", "here", "2001:db8::/80")),
        *(("domain", text) for text in ("", "example", "a b.example", "<b>.example")),
    ],
)
def test_no_block_of_one_address_or_of_nothing(kind, value):
    with pytest.raises(ValidationError):
        gate.checked_value(kind, value)
    page = reverse("admin:accounts_registrationblock_add")
    answer = staff("referee").post(
        page, {"kind": kind, "value": value, "per_day": 0, "reason": "Spam."}
    )
    assert answer.status_code == 200
    assert not RegistrationBlock.objects.exists()


def test_made_in_the_admin_by_role():
    page = reverse("admin:accounts_registrationblock_add")
    sent = {"kind": "network", "value": "203.0.113.77/24", "per_day": 0, "reason": "Spam."}
    assert staff("viewer").post(page, sent).status_code == 403
    staff("referee").post(page, sent)
    assert RegistrationBlock.objects.get().value == "203.0.113.0/24"


def seen(user, address=HOME, agent="Firefox"):

    visitors._recorded.clear()
    browser = signed_in(user)
    browser.client.get("/lobby", REMOTE_ADDR=address, HTTP_USER_AGENT=agent)


class TestDoubles:
    def test_one_address_and_one_kind_of_browser(self, ada, ben, cleo):
        seen(ada), seen(ben), seen(cleo, OTHER)
        found = gate.doubles()
        assert [(one.one, one.other) for one in found] == [(ada.pk, ben.pk)]
        assert found[0].reasons[0] == "one address and one kind of browser"
        shown = staff("referee").get(reverse("admin:ratings_personrating_pairs")).content.decode()
        assert "one address and one kind of browser" in shown
        assert HOME not in shown

    def test_of_one_address_alone_later(self, ada, ben, cleo):
        seen(ada, agent="Firefox"), seen(ben, agent="Chrome"), seen(cleo, agent="Chrome")
        assert [len(one.reasons) and one.reasons[0] for one in gate.doubles()] == [
            "one address and one kind of browser",
            "one address",
            "one address",
        ]

    def test_no_address_is_kept_and_the_key_changes_each_month(self, ada, ben):
        seen(ada)
        kept = [*Trace.objects.values_list("digest", flat=True)]
        assert len(kept) == 2
        assert not any(HOME in one or "Firefox" in one for one in kept)
        assert gate._digest("address", HOME, timezone.now()) in kept
        assert gate._digest("address", HOME, timezone.now() + timedelta(days=31)) not in kept

    def test_kept_for_thirty_days(self, ada, ben):
        seen(ada), seen(ben)
        with travel(timezone.now() + timedelta(days=29)):
            gate.forget_traces()
            assert gate.doubles()
        with travel(timezone.now() + timedelta(days=31)):
            assert not gate.doubles()
            assert gate.forget_traces() == 4

    def test_a_school_is_no_double(self, ada):
        pupils = [User.objects.create_user(f"pupil{n}") for n in range(gate.MOST_TOGETHER + 1)]
        now = timezone.now()
        Trace.objects.bulk_create(
            Trace(account=one, kind="address", digest="d" * 20, at=now) for one in pupils
        )
        assert gate.doubles() == []

    def test_gone_with_the_person(self, ada, ben, cleo):
        from accounts.audit.log import Actor

        seen(ada)
        people.erase(user_id=ada.pk, by=Actor.of(cleo, "At her own wish."))
        assert not Trace.objects.exists()
