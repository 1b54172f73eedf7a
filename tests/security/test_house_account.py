"""Somebody wants the account that opens the matches of tournaments, or a name like it."""

from datetime import timedelta
from importlib import import_module

import pytest
from axes.models import AccessLog
from django.apps import apps
from django.db import IntegrityError
from django.utils import timezone

from accounts import services
from accounts.audit.log import Actor
from accounts.models import User
from accounts.names import standing_of
from config.refusals import Refusal
from games.competitions.boards import USERNAME, house
from games.matches.models import Match
from games.operations import people as operators
from games.operations.own_data import data_of
from games.people.counting import count_finished
from games.people.models import Result
from tests.api.calls import get, post, refused
from tests.competitions.held import begun, held, matches_of
from tests.conftest import PASSWORD, registered
from tests.people.ended import between

flag = import_module("accounts.migrations.0017_house_account").flag
hand_over = import_module("games.competitions.migrations.0003_matches_of_the_house").hand_over

LOOK_ALIKES = ["cardroom-tournaments", "Cardroom_Tournaments", "c4rdroom-tournaments"]
LOOK_ALIKES += ["cardroorn-tournaments", "CardroomSupport", "the.cardroom", "imported-0123"]
LOOK_ALIKES += ["deleted-me", "de1eted-me"]
SHOWN = ["Cardroom tournaments", "Саrdrооm-tоurnаments", "CARDR00M", "Cardroom · team"]


@pytest.fixture
def squatter(db):
    """Who had the name before it was reserved."""
    return registered(USERNAME)


class TestTheNameTaken:
    def test_whoever_has_the_name_opens_no_board_and_sees_none(self, squatter, ada, ben, keyed):
        (match,) = matches_of(begun(held(ada, visibility="link"), ada, ben), "active")
        assert match.creator == house() != squatter
        assert match.creator.username.startswith(USERNAME)
        program = keyed(squatter)
        assert get(program, "matches", {"mine": "true"}).json()["results"] == []
        assert post(program, f"matches/{match.id}/abort").status_code == 409

    def test_matches_that_were_opened_for_the_name_are_given_to_the_house(self, squatter, ada, ben):
        (match,) = matches_of(begun(held(ada), ada, ben), "active")
        User.objects.filter(is_house=True).update(is_house=False, username="gone")
        Match.objects.update(creator=squatter)
        flag(apps, None)
        hand_over(apps, None)
        match.refresh_from_db()
        assert match.creator == house() != squatter
        assert Match.objects.filter(creator=squatter).count() == 0

    def test_what_the_release_before_made_is_flagged(self, db):
        made = User(username=USERNAME, display_name="Cardroom")
        made.set_unusable_password()
        User.objects.bulk_create([made])
        flag(apps, None)
        assert house() == made


def test_a_house_that_was_closed_opens_boards_all_the_same(ada, ben):
    User.objects.filter(pk=house().pk).update(is_active=False)
    assert len(matches_of(begun(held(ada), ada, ben), "active")) == 1


def test_operators_neither_suspend_nor_erase_the_house(db):
    by = Actor(None, "eve", "why not")
    for act in (lambda one: operators.suspend(user_id=one, by=by, until=None, resigns=True),
                lambda one: operators.erase(user_id=one, by=by)):  # fmt: skip
        with pytest.raises(Refusal):
            act(house().pk)


def test_the_house_has_no_password(db):
    one = house()
    one.set_password(PASSWORD)
    with pytest.raises(IntegrityError):
        one.save()


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_nobody_registers_a_name_of_the_house(db, client, guest, keyed, name):
    body = {"username": name, "password": PASSWORD}
    assert client.post("/api/v1/accounts/register", body, "application/json").status_code == 422
    assert refused(post(keyed(guest), "accounts/register", body), "bad_account")
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/accounts/signup/", form).status_code == 200  # the form again
    assert not User.objects.filter(username__iexact=name).exists()


@pytest.mark.parametrize("name", SHOWN)
def test_nobody_is_shown_as_the_house(ada, guest, keyed, name):
    for program in (keyed(ada), keyed(guest)):
        assert program.patch("/api/v1/accounts/me", {"display_name": name}).status_code == 422
    seats = [{"kind": "me"}, {"kind": "local", "name": name}]
    assert refused(post(keyed(ada), "matches", {"game": "pisti", "seats": seats}), "bad_seats")


class TestNamesOfClosedAccounts:
    """What a name says of an account counts only where the account is closed."""

    def test_a_person_who_took_such_a_name_in_time_is_no_erased_one(self, db, ben):
        early = registered("deleted-me")
        between(early, ben)
        count_finished()
        assert Result.objects.filter(account=early).count() == 1
        assert standing_of(early) == "active"

    def test_sign_ins_of_who_had_the_name_before_are_not_handed_out(self, ada):
        before = AccessLog.objects.create(username="Ada", ip_address="192.0.2.1", user_agent="x")
        joined = ada.date_joined
        AccessLog.objects.filter(pk=before.pk).update(attempt_time=joined - timedelta(days=9))
        AccessLog.objects.create(username="ada", ip_address="192.0.2.2", user_agent="x")
        assert [one["ip_address"] for one in data_of(ada)["sign_ins"]] == ["192.0.2.2"]
        assert timezone.now() >= joined


def test_a_pseudonym_is_found_though_its_name_is_kept(db):
    assert services.pseudonym("Ada") == services.pseudonym("Ada")
