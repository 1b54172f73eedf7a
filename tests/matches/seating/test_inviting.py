"""Acts of a host on a free seat: invites, opens it, lets a computer play; once each."""

import pytest

from config.refusals import NotAllowed
from games.matches import joining, loading
from games.matches.joining import fill_seat, invite, open_rematch, open_seat
from games.matches.models import InvitationNews, Match
from games.matches.refusals import (
    BadSeats,
    InvitedIsBlocked,
    MatchNotOpen,
    NoSuchMatch,
    SeatTaken,
    TooManyBotMatches,
    TooManyInvitations,
    UnknownBot,
    UnknownUser,
)
from tests.matches.scenes import now, opened, resigned


@pytest.fixture
def match(ada, ben):
    """Ada's match, which Ben has declined."""
    match = opened(ada, "me, user ben", visibility="private")
    return joining.leave(match_id=match.id, user=ben, reason="time")


def news(match):
    found = InvitationNews.objects.filter(match=match.id).order_by("at", "id")
    return [(each.user.username, each.kind, each.seat) for each in found]


def ask(match, host, username, seat=1):
    return invite(match_id=match.id, host=host, seat=seat, username=username)


class TestInvitingAgain:
    def test_the_same_person(self, match, ada, ben):
        match = ask(match, ada, "BEN")
        assert match.is_invited(ben.id)
        assert not match.seats[1].declined
        assert ("Ben", "invited", 1) in news(match)
        assert joining.join(match_id=match.id, user=ben).status == "active"

    def test_once_more_changes_nothing(self, match, ada, ben):
        first = ask(match, ada, "ben")
        told = news(match)
        assert ask(match, ada, "ben") == first == now(match)
        joining.join(match_id=match.id, user=ben)
        assert ask(match, ada, "ben").status == "active"
        assert news(match) == told

    def test_somebody_else_withdraws_what_was_not_answered(self, ada, ben, cleo):
        match = opened(ada, "me, user ben", visibility="private")
        match = ask(match, ada, "cleo")
        assert news(match) == [("Ben", "withdrawn", 1), ("Cleo", "invited", 1)]
        assert (match.seats[1].name, match.is_invited(ben.id)) == ("Cleo", False)
        with pytest.raises(NoSuchMatch):
            joining.join(match_id=match.id, user=ben)
        assert joining.join(match_id=match.id, user=cleo).status == "active"

    def test_what_was_declined_is_not_withdrawn(self, match, ada, cleo):
        ask(match, ada, "cleo")
        assert ("Ben", "withdrawn", 1) not in news(match)

    def test_a_loop_of_invitations_writes_no_more_rows(self, match, ada, ben, cleo):
        for _ in range(3):
            for name in ("ben", "cleo"):
                ask(match, ada, name)
        assert InvitationNews.objects.filter(match=match.id).count() == 5

    def test_the_deck_of_a_rematch_is_not_anothers(self, ada, ben, cleo):
        match = joining.join(match_id=opened(ada, "me, open", "pazaak").id, user=ben)
        new = open_rematch(match_id=resigned(match, 0).id, user=ada)
        seat = next(each.index for each in new.seats if each.kind == "open")
        assert new.seats[seat].side_deck
        assert ask(new, ada, "cleo", seat).seats[seat].side_deck is None


class TestOpening:
    def test_lets_anybody_in(self, ada, ben, cleo):
        match = joining.leave(match_id=opened(ada, "me, user ben").id, user=ben)
        match = open_seat(match_id=match.id, host=ada, seat=1)
        assert (match.seats[1].name, match.seats[1].is_reserved) == ("", False)
        assert open_seat(match_id=match.id, host=ada, seat=1) == match
        assert joining.join(match_id=match.id, user=cleo).status == "active"

    def test_withdraws_an_invitation(self, ada, ben):
        match = opened(ada, "me, user ben")
        open_seat(match_id=match.id, host=ada, seat=1)
        assert news(match) == [("Ben", "withdrawn", 1)]

    def test_not_where_nobody_could_see_it(self, match, ada):
        with pytest.raises(NotAllowed):
            open_seat(match_id=match.id, host=ada, seat=1)


class TestComputers:
    @pytest.mark.parametrize("game", ["pisti", "pazaak"])
    def test_the_last_seat_starts_the_match(self, ada, ben, game):
        match = joining.leave(match_id=opened(ada, "me, user ben", game).id, user=ben)
        match = fill_seat(match_id=match.id, host=ada, seat=1, bot="random")
        assert (match.status, match.seats[1].bot, match.seats[1].kind) == (
            "active",
            "random",
            "bot",
        )
        assert fill_seat(match_id=match.id, host=ada, seat=1, bot="random").version == match.version

    def test_rated_as_if_it_had_begun_so(self, ada, ben):
        match = opened(ada, "me, user ben")
        rules = match.rules
        for bot in rules.bots:
            again = opened(ada, "me, user ben")
            filled = fill_seat(match_id=again.id, host=ada, seat=1, bot=bot.slug)
            assert filled.rated == now(filled).rated == bot.rated

    def test_not_more_matches_of_computers_alone(self, ada, ben, settings):
        settings.LIMITS = settings.LIMITS | {"bot_matches": 0}
        match = opened(ada, "bot random, user ben")
        with pytest.raises(TooManyBotMatches):
            fill_seat(match_id=match.id, host=ada, seat=1, bot="random")
        assert now(match) == match


class TestRefusals:
    def test_only_the_host(self, ada, ben, cleo):
        match = opened(ada, "me, user ben")
        for person in (ben, cleo):
            with pytest.raises(NotAllowed):
                ask(match, person, "nobody")
        with pytest.raises(NoSuchMatch):
            ask(opened(ada, "me, user ben", visibility="private"), cleo, "cleo")

    def test_no_seat_but_a_free_one(self, match, ada, cleo):
        for seat, refusal in ((0, SeatTaken), (2, BadSeats)):
            with pytest.raises(refusal):
                ask(match, ada, "cleo", seat)
        for name, refusal in (("nobody", UnknownUser), ("ada", BadSeats)):
            with pytest.raises(refusal):
                ask(match, ada, name)
        with pytest.raises(UnknownBot):
            fill_seat(match_id=match.id, host=ada, seat=1, bot="nobody")
        assert now(match) == match

    def test_nobody_twice(self, ada, ben):
        match = opened(ada, "me, user ben, open", options={"players": 3})
        with pytest.raises(BadSeats):
            ask(match, ada, "ben", seat=2)

    def test_not_a_match_that_runs_or_is_over(self, ada, ben, cleo):
        match = joining.join(match_id=opened(ada, "me, open").id, user=ben)
        over = joining.leave(match_id=opened(ada, "me, open").id, user=ada)
        for each in (match, over):
            with pytest.raises(MatchNotOpen):
                ask(each, ada, "cleo")

    def test_nobody_who_is_blocked(self, match, ada, cleo):
        joining.services.block(owner=ada, blocked=cleo.pk)
        with pytest.raises(InvitedIsBlocked):
            ask(match, ada, "cleo")

    def test_as_many_invitations_as_ever(self, match, ada, ben, cleo, settings):
        settings.LIMITS = settings.LIMITS | {"invitations": 1}
        ask(match, ada, "cleo")
        other = opened(ada, "me, open")
        with pytest.raises(TooManyInvitations):
            ask(other, ada, "ben")
        assert ask(match, ada, "ben").is_invited(ben.id)  # it takes the place of the first

    def test_a_loaded_seat_is_for_nobody_but_who_knows_its_cards(self, ada, ben, cleo):
        match = joining.join(match_id=opened(ada, "me, open", "pazaak").id, user=ben)
        new = loading.load(match_id=match.id, user=ada, cards="reshuffled", round=1)
        joining.leave(match_id=new.id, user=ben)
        with pytest.raises(NotAllowed):
            ask(new, ada, "cleo")
        with pytest.raises(NotAllowed):
            fill_seat(match_id=new.id, host=ada, seat=1, bot="random")
        assert ask(new, ada, "ben").is_invited(ben.id)


def test_a_declined_rematch_is_not_joined_by_the_next_press(ada, ben):
    over = resigned(joining.join(match_id=opened(ada, "me, open").id, user=ben), 0)
    first = open_rematch(match_id=over.id, user=ada)
    joining.leave(match_id=first.id, user=ben)
    assert open_rematch(match_id=over.id, user=ben).id != first.id
    assert Match.objects.get(id=first.id).status == "open"
