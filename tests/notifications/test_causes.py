"""Which facts of matches and tournaments people are told of, each once."""

from datetime import timedelta

import pytest

from accounts.audit.log import Actor
from accounts.notifications.channels import facts_of, message_of
from accounts.notifications.models import KINDS, Cause, Choices
from config.offers import offered_by_name
from config.tasks import duties
from games import causes as deriving
from games.lobby import challenges
from games.lobby.challenges import NewChallenge
from games.matches import joining
from games.matches.models import Match, Notice, Seat
from games.matches.time_bank import DAY
from games.operations import refereeing
from tests.competitions.held import begun, end_all, held, players
from tests.matches.scenes import move, now, opened, pair, resigned

pytestmark = pytest.mark.django_db


@pytest.fixture
def ben(ben):
    Choices.objects.create(account=ben, mail=list(KINDS))
    return ben


def causes(*kinds):
    deriving.derive()
    rows = Cause.objects.filter(kind__in=kinds) if kinds else Cause.objects.all()
    return list(rows.order_by("id"))


def holds(cause):
    return offered_by_name("cause_holds")[cause.kind](cause.account_id, cause.payload)


class TestATurn:
    @pytest.mark.parametrize("terms", [{}, {"turn_seconds": DAY}, {"turn_seconds": 3 * DAY}])
    def test_of_a_slow_match_is_owed_once(self, ada, ben, terms):
        match = move(pair(ada, ben, **terms))
        (cause,) = causes()
        assert (cause.account, cause.kind) == (ben, "your_turn")
        assert cause.payload["match"] == str(match.id)
        assert (cause.payload["version"], cause.payload["seat"]) == (1, 1)
        assert bool(cause.payload["deadline_at"]) is bool(terms)
        assert causes() == [cause]

    def test_of_a_match_one_sits_at_is_not(self, ada, ben):
        move(pair(ada, ben, turn_seconds=60))
        assert causes() == []

    def test_is_not_owed_to_who_has_chosen_nothing(self, ada, ben):
        pair(ada, ben)
        assert causes() == []

    def test_against_computers_alone_keeps_nobody_waiting(self, ben):
        opened(ben, "me, bot greedy")
        assert causes() == []

    def test_holds_until_it_is_over(self, ada, ben):
        match = move(pair(ada, ben))
        (cause,) = causes()
        assert holds(cause)
        move(match)
        assert not holds(cause)

    def test_each_turn_is_another_cause(self, ada, ben):
        match = move(pair(ada, ben))
        causes()
        for _ in range(2):
            match = move(match)
        assert [cause.payload["version"] for cause in causes()] == [1, match.version]

    def test_given_up_long_ago_is_no_news(self, ada, ben):
        match = move(pair(ada, ben))
        long_ago = match.updated_at - timedelta(days=8)
        Match.objects.filter(id=match.id).update(updated_at=long_ago)
        assert causes() == []

    def test_tells_no_card_and_no_seed(self, ada, ben):
        match = move(pair(ada, ben))
        (cause,) = causes()
        row = Match.objects.get(id=match.id)
        text = str(cause.payload)
        assert bytes(row.seed).hex() not in text
        assert set(cause.payload) == {
            *("match", "version", "seat", "game", "game_name", "deadline_at", "url")
        }


class TestAnInvitation:
    def test_is_owed_once_and_again_when_it_is_sent_again(self, ada, ben):
        match = opened(ada, "me, user Ben")
        (cause,) = causes()
        assert (cause.kind, cause.payload["person"]) == ("invitation", str(ada.pk))
        assert holds(cause)
        assert causes() == [cause]
        joining.leave(match_id=match.id, user=ben)
        assert not holds(cause)
        joining.invite(match_id=match.id, host=ada, seat=1, username="Ben")
        assert len(causes()) == 2
        assert len(causes()) == 2


def test_a_challenge_is_one_and_no_invitation_beside_it(ada, ben):
    made = challenges.send_challenge(account=ada, terms=NewChallenge(game="pisti", username="Ben"))
    (cause,) = causes()
    assert (cause.kind, cause.payload["person"]) == ("challenge", str(ada.pk))
    assert cause.payload["url"] == f"/challenges/{made}"
    assert holds(cause)
    challenges.decline(account=ben, challenge_id=made)
    assert not holds(cause)
    assert causes() == [cause]


class TestAResult:
    def test_is_told_to_both_as_they_see_it(self, ada, ben):
        Choices.objects.create(account=ada, push=["result"])
        deriving.derive()
        resigned(pair(ada, ben), 0)
        found = {cause.account: cause.payload["what"] for cause in causes("result")}
        assert found == {ada: "lost", ben: "won"}
        assert len(causes("result")) == 2

    def test_of_long_ago_is_not(self, ada, ben):
        resigned(pair(ada, ben), 0)
        Choices.objects.update(mail=[])
        deriving.derive()
        Choices.objects.update(mail=["result"])
        assert now is not None
        Match.objects.update(finished_at="2026-01-01T00:00:00Z")
        assert causes("result") == []


class TestAMessageOfTheOperators:
    @pytest.fixture
    def match(self, ada, ben, cleo):
        refereeing.send_notice(
            match_id=(match := pair(ada, ben)).id,
            by=Actor(cleo.pk, "cleo", "The power goes off."),
            text="We restart at nine.",
        )
        return match

    def test_to_the_players_of_a_match_goes_to_each_who_wants(self, match, ben):
        """Ada has chosen nothing."""
        (cause,) = Cause.objects.all()
        assert (cause.account, cause.kind) == (ben, "operator")
        message = message_of(cause)
        assert message.title == "The operators have written to the players of Pişti"
        assert (message.body, message.url) == ("We restart at nine.", f"/matches/{match.id}")

    def test_is_read_where_it_stands_now(self, match, ben):
        Notice.objects.update(text="Deleted player is late.")
        facts = facts_of(Cause.objects.get())
        assert facts["text"] == "Deleted player is late."
        assert "table_notice" not in facts
        Seat.objects.filter(user=ben).update(user=None, kind="open")
        assert facts_of(Cause.objects.get())["text"] == ""

    def test_other_acts_of_operators_are_told_at_the_table_alone(self, ada, ben, cleo):
        match = pair(ada, ben)
        by = Actor(cleo.pk, "cleo", "It is a nuisance.")
        refereeing.close_to_spectators(match_id=match.id, by=by)
        assert not Cause.objects.exists()


def test_a_round_of_a_tournament_is_owed_once_to_each(ada):
    several = players(4)
    for player in several:
        Choices.objects.create(account=player, daily=["tournament"])
    tournament = begun(held(ada), *several)
    deriving.derive()
    first = causes("tournament")
    assert {cause.account for cause in first} == set(several)
    assert {cause.payload["round"] for cause in first} == {1}
    assert all(map(holds, first))
    assert len(causes("tournament")) == 4
    end_all(tournament)
    assert not any(map(holds, first))
    duties.work("causes")
    assert {cause.payload["round"] for cause in causes("tournament")} == {1, 2}
