"""Somebody wants to reach a person who wants to be left alone."""

from contextlib import suppress

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.contrib.messages.storage.cookie import CookieStorage
from django.test import Client
from rest_framework.settings import api_settings
from rest_framework.test import APIClient

from accounts import services as accounts_services
from accounts import services as people
from accounts.models import User
from accounts.social import services
from cardroom.rules.pazaak.side_cards import SINGLES, STARTER
from config.refusals import Refusal
from decks.models import Measurement
from decks.services import request_measurement
from games.matches import joining, loading
from games.matches.joining import open_rematch
from games.matches.models import Match, Seat
from games.matches.refusals import (
    InvitedIsBlocked,
    NoMoreInvitations,
    TooManyActiveMatches,
    TooManyBotMatches,
    TooManyInvitations,
    TooManyOpenMatches,
)
from games.matches.selectors.lists import find_matches
from games.simulations import work
from games.simulations.models import Simulation
from tests.api.calls import post
from tests.conftest import BACKEND
from tests.matches.scenes import move, now, opened, played, resigned
from tests.security.test_presses import at_once

TO_BEN = "me, user ben"


@pytest.fixture
def allowed(settings):
    def allow(**limits):
        settings.LIMITS = settings.LIMITS | limits

    return allow


def played_together(one, other):
    match = joining.join(match_id=opened(one, "me, open").id, user=other)
    return resigned(move(match), 0)


@pytest.mark.django_db
class TestInvitesWithoutEnd:
    def test_as_many_strangers(self, ada, ben, cleo, allowed):
        allowed(invitations_by_strangers=2)
        first = opened(ada, TO_BEN)
        opened(people.open_guest(), TO_BEN)
        with pytest.raises(NoMoreInvitations):
            opened(cleo, TO_BEN)
        joining.leave(match_id=first.id, user=ben)
        opened(cleo, TO_BEN)

    def test_but_those_who_have_played_together_are_no_strangers(self, ada, ben, cleo, allowed):
        allowed(invitations_by_strangers=0)
        played_together(ada, ben)
        opened(ada, TO_BEN)
        opened(ben, "me, user ada")
        with pytest.raises(NoMoreInvitations):
            opened(cleo, TO_BEN)

    def test_and_even_they_have_an_end(self, ada, ben, allowed):
        played_together(ada, ben)
        allowed(invitations_received=1)
        opened(ada, TO_BEN)
        with pytest.raises(NoMoreInvitations):
            opened(ada, TO_BEN)

    def test_by_rematches_and_loads(self, ada, ben, allowed):
        match = played_together(ada, ben)
        allowed(invitations_received=0)
        with pytest.raises(NoMoreInvitations):
            open_rematch(match_id=match.id, user=ada)
        with pytest.raises(NoMoreInvitations):
            loading.load(match_id=match.id, user=ada, cards="reshuffled", version=0)


@pytest.mark.django_db(transaction=True)
def test_invites_at_the_same_moment_from_many_accounts(ben, settings):
    settings.LIMITS = settings.LIMITS | {"invitations_by_strangers": 3}
    guests = [people.open_guest() for _ in range(8)]
    found = at_once(*[lambda guest=guest: opened(guest, TO_BEN) for guest in guests])
    assert sum(isinstance(each, NoMoreInvitations) for each in found) == 5
    assert Seat.objects.filter(invited=ben).count() == 3


@pytest.mark.django_db(transaction=True)
def test_two_who_invite_each_other_do_not_wait_for_each_other(ada, ben):
    for _ in range(4):
        found = at_once(lambda: opened(ada, TO_BEN), lambda: opened(ben, "me, user ada"))
        assert not [each for each in found if isinstance(each, BaseException)]


@pytest.mark.django_db(transaction=True)
def test_an_invitation_at_the_moment_of_the_block_is_declined_or_refused(ada, ben):
    for _ in range(4):
        at_once(lambda: services.block(owner=ben, blocked=ada.pk), lambda: opened(ada, TO_BEN))
        assert not Seat.objects.filter(invited=ben, declined="").exists()
        services.unblock(owner=ben, blocked=ada.pk)


@pytest.mark.django_db
class TestIsBlocked:
    """The blocked account's matches and invitations; Ben blocks Ada."""

    @pytest.fixture(autouse=True)
    def friends_once(self, ada, ben):
        self.over = played_together(ada, ben)

    def test_and_invites(self, ada, ben):
        services.block(owner=ben, blocked=ada.pk)
        for again in (
            lambda: opened(ada, TO_BEN),
            lambda: open_rematch(match_id=self.over.id, user=ada),
            lambda: loading.load(match_id=self.over.id, user=ada, cards="reshuffled", version=0),
        ):
            with pytest.raises(NoMoreInvitations):
                again()

    def test_and_is_told_no_more_than_that_ben_has_many_invitations(self, ada, ben, first, allowed):
        body = {"game": "pisti", "seats": [{"kind": "me"}, {"kind": "user", "username": "ben"}]}
        services.block(owner=ben, blocked=ada.pk)
        blocked = post(first, "matches", body)
        services.unblock(owner=ben, blocked=ada.pk)
        allowed(invitations_received=0)
        full = post(first, "matches", body)
        assert blocked.status_code == full.status_code == 409
        assert blocked.json() | {"request_id": ""} == full.json() | {"request_id": ""}
        assert blocked.json()["code"] == "no_more_invitations"

    def test_and_the_invitations_are_gone(self, ada, ben):
        unlisted, private = (opened(ada, TO_BEN, visibility=v) for v in ("unlisted", "private"))
        own = opened(ben, "me, user ada", visibility="private")
        services.block(owner=ben, blocked=ada.pk)
        for match in (unlisted, private, own):
            assert now(match).seats[1].declined == "generic"
        waiting = Seat.objects.filter(invited__isnull=False, kind="open", match__status="open")
        assert not waiting.filter(declined="")

    def test_and_open_tables_are_not_in_the_lobby(self, ada, ben, cleo):
        table = opened(ada, "me, open", visibility="public")
        services.block(owner=ben, blocked=ada.pk)
        joinable = {user: find_matches(user=user.pk, joinable=True) for user in (ben, cleo)}
        assert table.id not in {match.id for match in joinable[ben]}
        assert table.id in {match.id for match in joinable[cleo]}

    def test_and_is_not_invited_by_mistake(self, ada, ben):
        services.block(owner=ben, blocked=ada.pk)
        with pytest.raises(InvitedIsBlocked):
            opened(ben, "me, user ada")

    def test_and_a_running_match_goes_on(self, ada, ben):
        match = joining.join(match_id=opened(ada, "me, open").id, user=ben)
        services.block(owner=ben, blocked=ada.pk)
        assert move(match).version == 1


@pytest.mark.django_db
class TestIsMetAtATable:
    def test_and_blocked_by_seat(self, ada, ben, second):
        match = joining.join(match_id=opened(ada, "me, open").id, user=ben)
        assert post(second, f"matches/{match.id}/block", {"seat": 0}).status_code == 204
        assert ben.blocks.get().blocked == ada
        for seat, code in ((1, "cannot_block_yourself"), (7, "not_allowed")):
            assert post(second, f"matches/{match.id}/block", {"seat": seat}).json()["code"] == code

    def test_and_blocked_without_a_seat_by_who_is_invited(self, ada, ben, second):
        match = opened(ada, "bot greedy, user ben", visibility="private")
        assert post(second, f"matches/{match.id}/block", {}).status_code == 204
        assert ben.blocks.get().blocked == ada

    def test_and_blocked_by_a_button(self, ada, ben):
        match, browser = opened(ada, TO_BEN), Client()
        browser.force_login(ben, BACKEND)
        assert "Block Ada" in browser.get(f"/matches/{match.id}").content.decode()
        browser.post(f"/matches/{match.id}/block", {"seat": "0"})
        assert ben.blocks.get().blocked == ada

    def test_not_by_a_stranger_to_a_private_match(self, ada, cleo, third):
        match = opened(ada, "me, open", visibility="private")
        assert post(third, f"matches/{match.id}/block", {"seat": 0}).status_code == 404


# One guest wants the machine for himself: matches, invitations, simulations without end.

AT_ONCE = 8
BOTS = "bot greedy, bot random"


def refused_with(cause: type[Refusal], call, *args, **kwargs) -> None:
    with pytest.raises(cause) as refused:
        call(*args, **kwargs)
    assert refused.value.status == 409
    assert str(refused.value).endswith(".")


@pytest.mark.django_db
class TestOpensMatchesWithoutEnd:
    def test_without_a_person(self, ada, ben):
        for _ in range(2):
            opened(ada, BOTS)
        refused_with(TooManyBotMatches, opened, ada, BOTS)
        opened(ada, "me, bot greedy")
        opened(ben, BOTS)

    def test_that_wait_for_players(self, ada, allowed):
        allowed(open_matches=2)
        first, _ = (opened(ada, "me, open") for _ in range(2))
        refused_with(TooManyOpenMatches, opened, ada, "me, open")
        joining.leave(match_id=first.id, user=ada)
        opened(ada, "me, open")

    def test_that_run(self, ada, allowed):
        allowed(active_matches=2)
        first, _ = (opened(ada) for _ in range(2))
        refused_with(TooManyActiveMatches, opened, ada)
        resigned(first, 0)
        opened(ada)

    def test_by_loading_one_again_and_again(self, ada, allowed):
        match = move(opened(ada))
        allowed(active_matches=1)
        with pytest.raises(TooManyActiveMatches):
            loading.load(match_id=match.id, user=ada, cards="same", version=0)

    def test_and_leaves_them_to_the_bots(self, ada, allowed):
        allowed(bot_matches=1)
        rules = {"game": "shithead", "options": {"players": 3}}
        resigned(opened(ada, "me, bot lowest, bot lowest", **rules), 0)
        refused_with(TooManyBotMatches, opened, ada, BOTS)

    def test_all_at_the_same_moment(self, transactional_db):
        ada = accounts_services.open_guest()
        found = at_once(*[lambda: opened(ada, BOTS)] * AT_ONCE)
        assert sum(isinstance(each, TooManyBotMatches) for each in found) == AT_ONCE - 2
        assert Match.objects.count() == 2

    def test_over_the_api_with_its_code(self, ada, keyed):
        body = {"game": "pisti", "seats": [{"kind": "bot", "bot": "greedy"}] * 2}
        answers = [keyed(ada).post("/api/v1/matches", body, format="json") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 409]
        assert answers[2].json()["code"] == "too_many_bot_matches"

    def test_by_one_click_after_the_other(self, allowed):
        allowed(active_matches=1)
        browser = Client()
        assert browser.post("/play/pisti").status_code == 302
        answer = browser.post("/play/pisti")
        assert answer.status_code == 409
        assert "as many running matches" in answer.content.decode()


@pytest.mark.django_db
def test_invites_somebody_without_end(ada, ben, allowed):
    allowed(invitations=2)
    for _ in range(2):
        opened(ada, "me, user ben")
    refused_with(TooManyInvitations, opened, ada, "me, user ben")
    joining.join(match_id=Match.objects.first().id, user=ben)
    opened(ada, "me, user ben")


@pytest.mark.django_db(transaction=True)
class TestStartsAtTheSameMoment:
    """Each of them counted what the others had not written yet."""

    def test_simulations(self):
        ada = accounts_services.open_guest()
        for _ in range(3):
            at_once(*[lambda: work.start(owner=ada, game="pisti", games=5)] * AT_ONCE)
            assert Simulation.objects.filter(owner=ada, status="running").count() == 3
            Simulation.objects.all().delete()

    def test_deck_measurements(self, allowed):
        allowed(measurements=1)
        ada = accounts_services.open_guest()
        at_once(
            lambda: request_measurement(cards=SINGLES, requester=ada),
            lambda: request_measurement(cards=STARTER, requester=ada),
        )
        assert Measurement.objects.exclude(simulation=None).count() == 1


@pytest.mark.django_db
def test_is_a_new_guest_on_every_page(monkeypatch):
    rates = dict(api_settings.DEFAULT_THROTTLE_RATES)
    rates |= dict.fromkeys({"guests", "signup"} & set(rates), "2/min")
    monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_RATES", rates)
    address = {"REMOTE_ADDR": "192.0.2.77"}
    answers = [Client(**address).post("/play/pisti").status_code for _ in range(3)]
    assert answers == [302, 302, 429]
    assert APIClient(**address).post("/api/v1/accounts/guest", {}, format="json").status_code == 429
    assert Client(REMOTE_ADDR="192.0.2.78").post("/play/pisti").status_code == 302


@pytest.mark.django_db
class TestAMatchIsStopped:
    """`POST matches/<id>/abort`: by its creator, if no other person ever sat in it."""

    def abort(self, program, match):
        return program.post(f"/api/v1/matches/{match.id}/abort", {}, format="json")

    def test_with_bots_alone_at_any_time(self, ada, keyed):
        match = played(opened(ada, "bot greedy, bot random"), 40)
        answer = self.abort(keyed(ada), match)
        assert (answer.status_code, answer.json()["status"]) == (200, "aborted")
        again = self.abort(keyed(ada), match)
        assert (again.status_code, again.json()["code"]) == (409, "match_not_active")
        opened(ada, BOTS)

    def test_alone_against_bots_before_the_second_round(self, ada, keyed):
        match = move(opened(ada, "me, bot greedy"))
        assert self.abort(keyed(ada), match).json()["status"] == "aborted"
        late = opened(ada, "me, bot greedy")
        Match.objects.filter(id=late.id).update(round=2)
        answer = self.abort(keyed(ada), late)
        assert (answer.status_code, answer.json()["code"]) == (409, "not_allowed")

    @pytest.mark.parametrize("seats", ["me, local Twin", "me, user ben"])
    def test_not_with_another_person(self, ada, ben, keyed, seats):
        match = opened(ada, seats)
        with suppress(Refusal):
            match = joining.join(match_id=match.id, user=ben)
        answer = self.abort(keyed(ada), match)
        assert (answer.status_code, answer.json()["code"]) == (409, "not_allowed")

    def test_not_by_anybody_else(self, ada, ben, keyed):
        public, private = (opened(ada, BOTS, visibility=v) for v in ("public", "private"))
        assert self.abort(keyed(ben), public).json()["code"] == "not_allowed"
        assert self.abort(keyed(ben), private).status_code == 404

    def test_by_a_button(self, ada):
        browser, match = Client(), opened(ada, BOTS)
        browser.force_login(ada, BACKEND)
        assert f"/matches/{match.id}/abort" in browser.get(f"/matches/{match.id}").content.decode()
        browser.post(f"/matches/{match.id}/abort")
        assert Match.objects.get(id=match.id).status == "aborted"
        assert "/abort" not in browser.get(f"/matches/{match.id}").content.decode()

    def test_by_an_operator_who_may(self, ada, ben, rf):
        page = admin.site._registry[Match]
        request = rf.post("/")
        request.user, request._messages = ben, CookieStorage(request)
        assert "abort" not in page.get_actions(request)
        ben.user_permissions.add(Permission.objects.get(codename="abort_match"))
        request.user = User.objects.get(pk=ben.pk)
        assert "abort" in page.get_actions(request)
