"""Somebody wants to reach a person who wants to be left alone."""

import pytest
from django.test import Client

from accounts import services as people
from accounts.social import services
from games.matches import joining, loading
from games.matches.joining import open_rematch
from games.matches.models import Seat
from games.matches.refusals import InvitedIsBlocked, NoMoreInvitations
from games.matches.selectors.lists import find_matches
from tests.api.calls import post
from tests.matches.scenes import move, now, opened, resigned
from tests.security.test_races import at_once

TO_BEN = "me, user ben"
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


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
        browser.force_login(ben, backend=BACKEND)
        assert "Block Ada" in browser.get(f"/matches/{match.id}").content.decode()
        browser.post(f"/matches/{match.id}/block", {"seat": "0"})
        assert ben.blocks.get().blocked == ada

    def test_not_by_a_stranger_to_a_private_match(self, ada, cleo, third):
        match = opened(ada, "me, open", visibility="private")
        assert post(third, f"matches/{match.id}/block", {"seat": 0}).status_code == 404
