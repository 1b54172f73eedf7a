"""The coach at the table: who may switch it on, what it says, and to whom."""

from datetime import timedelta
from random import Random

import msgspec
import pytest
from django.urls import reverse
from django.utils import timezone

from config.tasks import duties
from games.coaching import analyses
from games.coaching.analyses import CannotBeCoached, NotCoached, NothingToJudge
from games.coaching.judging import Advice, AdvisedMove
from games.coaching.models import Hint
from games.matches import joining
from games.matches.refusals import MatchNotActive, NoSuchMatch, NotYourSeat, NotYourTurn
from games.matches.snapshot import Progress
from games.people.counting import finished_matches, results_of
from games.web.table import coach
from tests.coaching.scenes import alone, to_choose
from tests.daily import days
from tests.matches.scenes import move, now, opened, played, resigned
from tests.web.browsing import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(analyses, "PLAYOUTS", 16)
    monkeypatch.setattr(coach, "SECONDS_WAITED", 0.0)
    monkeypatch.setattr("games.web.table.acts.SECONDS_WAITED", 0.0)
    monkeypatch.setattr("games.api.coaching.WAITED", 0.0)


@pytest.fixture
def coached(ada):
    return analyses.switch_coach_on(match_id=alone(ada).id, user=ada)


def advised(match, user):
    row = analyses.ask_for_hint(match_id=match.id, user=user)
    analyses.weigh_hint(row.pk)
    row.refresh_from_db()
    return analyses.advice_of(row)


def told(match, user, *, move, grade):
    """The coach says this of a move of the present position."""
    row = analyses.ask_for_hint(match_id=match.id, user=user, shown=False)
    one = AdvisedMove(move, 0.4, 0.0, 0.3, grade)
    Hint.objects.filter(id=row.pk).update(advice=msgspec.json.encode(Advice((one,))))


class TestSwitchingItOn:
    def test_alone_against_computers_and_not_rated(self, ada):
        match = alone(ada)
        after = analyses.switch_coach_on(match_id=match.id, user=ada)
        assert after.coached
        assert not after.rated
        assert analyses.switch_coach_on(match_id=match.id, user=ada).coached  # once more

    def test_never_in_a_rated_match(self, ada):
        match = to_choose(opened(ada, "me, bot greedy"), ada)
        assert match.rated
        with pytest.raises(CannotBeCoached):
            analyses.switch_coach_on(match_id=match.id, user=ada)
        assert now(match).rated
        assert not now(match).coached

    def test_never_against_people(self, ada, ben):
        against = joining.join(match_id=opened(ada, "me, open", rated=False).id, user=ben)
        beside = opened(ada, "me, local Twin, bot greedy", options={"players": 3}, rated=False)
        for match in (against, beside):
            with pytest.raises(CannotBeCoached):
                analyses.switch_coach_on(match_id=match.id, user=ada)

    def test_not_in_a_deal_that_others_have_too(self, settings, ada):
        days.begun(settings, ada)
        match = days.begin(ada)
        with pytest.raises(CannotBeCoached):
            analyses.switch_coach_on(match_id=match.id, user=ada)

    def test_not_where_nobody_judges(self, ada):
        match = played(opened(ada, "me, bot random", "pyanitsa", rated=False), 1)
        with pytest.raises(CannotBeCoached):
            analyses.switch_coach_on(match_id=match.id, user=ada)

    def test_only_by_who_plays_while_it_runs(self, ada, ben):
        match = alone(ada, visibility="public")
        with pytest.raises(NotYourSeat):
            analyses.switch_coach_on(match_id=match.id, user=ben)
        with pytest.raises(MatchNotActive):
            analyses.switch_coach_on(match_id=resigned(match, 0).id, user=ada)
        private = alone(ada, visibility="private")
        with pytest.raises(NoSuchMatch):
            analyses.switch_coach_on(match_id=private.id, user=ben)


def test_a_coached_match_counts_in_no_results(ada, coached):
    plain = resigned(alone(ada), 0)
    over = resigned(coached, 0)
    assert now(over).coached
    counted = {earned.match_id for earned in results_of(finished_matches())}
    assert counted == {plain.id}


class TestHints:
    @pytest.mark.parametrize(
        ("game", "bot"), [("pisti", "greedy"), ("pazaak", "gambler"), ("shithead", "keeper")]
    )
    def test_every_move_with_its_cost(self, ada, game, bot):
        match = analyses.switch_coach_on(match_id=alone(ada, game, bot).id, user=ada)
        while not (advice := advised(match, ada)).moves:  # of a hidden card nothing is weighed
            match = to_choose(match, ada)
        legal = match.rules.legal_moves(match.state, match.acting_seat(ada.pk))
        assert {one.move for one in advice.moves} <= set(legal)
        chances = [one.chance for one in advice.moves]
        assert chances == sorted(chances, reverse=True)
        assert advice.moves[0].grade == "best"

    def test_only_where_the_coach_is_on_and_it_is_your_turn(self, ada, ben):
        match = alone(ada, visibility="public")
        with pytest.raises(NotCoached):
            analyses.ask_for_hint(match_id=match.id, user=ada)
        match = analyses.switch_coach_on(match_id=match.id, user=ada)
        with pytest.raises(NotYourSeat):
            analyses.ask_for_hint(match_id=match.id, user=ben)
        after = move(match)
        if after.awaits_bot:
            with pytest.raises(NotYourTurn):
                analyses.ask_for_hint(match_id=match.id, user=ada)

    def test_of_one_card_there_is_nothing_to_say(self, ada, coached):
        match = coached
        while len(match.rules.legal_moves(match.state, match.acting_seat(ada.pk))) > 1:
            match = played(move(match), match.version + 2)
        with pytest.raises(NothingToJudge):
            analyses.ask_for_hint(match_id=match.id, user=ada)

    def test_those_of_earlier_versions_are_thrown_away(self, ada, coached):
        advised(coached, ada)
        match = to_choose(coached, ada)
        advised(match, ada)
        assert [row.version for row in Hint.objects.all()] == [match.version]

    def test_those_of_yesterday_are_forgotten(self, ada, coached):
        advised(coached, ada)
        duties.work("old hints")
        assert Hint.objects.exists()
        Hint.objects.update(created_at=timezone.now() - timedelta(days=2))
        duties.work("old hints")
        assert not Hint.objects.exists()

    def test_a_hint_whose_task_was_lost_is_asked_for_again(self, ada, coached, monkeypatch):
        sent = []
        monkeypatch.setattr(analyses, "announce_hint", sent.append)
        monkeypatch.setattr(analyses.transaction, "on_commit", lambda act: act())
        row = analyses.ask_for_hint(match_id=coached.id, user=ada)
        analyses.ask_for_hint(match_id=coached.id, user=ada)
        assert sent == [row.pk]
        Hint.objects.update(created_at=timezone.now() - timedelta(seconds=10))
        analyses.ask_for_hint(match_id=coached.id, user=ada)
        assert sent == [row.pk, row.pk]

    def test_a_match_that_went_on_is_not_weighed(self, ada, coached):
        row = analyses.ask_for_hint(match_id=coached.id, user=ada)
        move(coached)
        analyses.weigh_hint(row.pk)
        row.refresh_from_db()
        assert row.advice is None

    @pytest.mark.parametrize(
        ("game", "bot"), [("pisti", "greedy"), ("pazaak", "gambler"), ("shithead", "keeper")]
    )
    def test_cards_that_the_seat_does_not_see_change_no_byte(self, ada, game, bot):
        """Every hidden card lies elsewhere, in every world that the seat may be in."""
        match = alone(ada, game, bot)
        seat = match.acting_seat(ada.pk)
        view = match.rules.view(match.state, seat)
        said = msgspec.json.encode(analyses.advice_for(match, seat))
        others = 0
        for number in range(4):
            state = match.rules.imagine(view, Random(number))
            other = match.advanced(
                msgspec.structs.replace(_progress(match), state_json=b""), match.seats, state=state
            )
            assert match.rules.view(other.state, seat) == view
            others += state != match.state
            assert msgspec.json.encode(analyses.advice_for(other, seat)) == said
        assert others == 4


def _progress(match):
    return Progress(*(getattr(match, name) for name in Progress.__struct_fields__))


class TestPage:
    def test_by_forms_alone(self, ada):
        match = alone(ada)
        page = signed_in(ada).open(f"/matches/{match.id}")
        page.press("Switch the coach on")
        assert "coached" in page.text
        page.press("Hint")
        assert "still thinking" in page.text
        assert "The coach is thinking" in page.text
        analyses.weigh_hint(Hint.objects.get().pk)
        page.open(f"/matches/{match.id}")
        assert "is best: it wins in" in page.text
        assert "Coached: this match counts in no results." in page.text

    def test_without_a_worker_it_may_be_asked_again(self, ada, coached):
        analyses.ask_for_hint(match_id=coached.id, user=ada)
        page = signed_in(ada).open(f"/matches/{coached.id}")
        assert "The coach is thinking" in page.text
        Hint.objects.update(created_at=timezone.now() - timedelta(minutes=1))
        assert 'form="ask-hint"' in page.open(f"/matches/{coached.id}").page

    def test_what_cannot_be_coached_has_no_button(self, ada):
        match = to_choose(opened(ada, "me, bot greedy"), ada)
        page = signed_in(ada).open(f"/matches/{match.id}")
        assert "Switch the coach on" not in page.text

    def test_nobody_else_sees_a_hint(self, ada, ben):
        match = analyses.switch_coach_on(match_id=alone(ada, visibility="public").id, user=ada)
        advised(match, ada)
        page = signed_in(ben).open(f"/matches/{match.id}")
        assert "is best" not in page.text
        assert 'form="ask-hint"' not in page.page

    def test_a_blunder_is_played_when_it_is_pressed_again(self, client, ada, coached):
        client.force_login(ada)
        legal = coached.rules.legal_moves(coached.state, 0)
        told(coached, ada, move=legal[0], grade="blunder")
        here = reverse("table_move", args=[coached.id])
        sent = {"version": coached.version, "seat": 0, "move": legal[0], "coached": "1"}
        answer = client.post(here, sent, follow=True)
        assert "This costs about 30 % of your chance." in answer.content.decode()
        assert now(coached).version == coached.version
        client.post(here, sent)
        assert now(coached).version > coached.version

    @pytest.mark.parametrize("grade", ["best", "mistake"])
    def test_other_moves_are_played_at_once(self, client, ada, coached, grade):
        client.force_login(ada)
        legal = coached.rules.legal_moves(coached.state, 0)
        told(coached, ada, move=legal[0], grade=grade)
        sent = {"version": coached.version, "seat": 0, "move": legal[0], "coached": "1"}
        client.post(reverse("table_move", args=[coached.id]), sent)
        assert now(coached).version > coached.version

    def test_the_only_card_is_played_at_once(self, client, ada, coached):
        client.force_login(ada)
        match = coached
        while len(match.rules.legal_moves(match.state, 0)) > 1:
            match = played(move(match), match.version + 2)
        (last,) = match.rules.legal_moves(match.state, 0)
        sent = {"version": match.version, "seat": 0, "move": last, "coached": "1"}
        client.post(reverse("table_move", args=[match.id]), sent)
        assert now(match).version > match.version

    def test_a_form_that_claims_a_coach_has_none(self, client, ada):
        match = alone(ada)
        client.force_login(ada)
        move_ = match.rules.legal_moves(match.state, 0)[0]
        sent = {"version": match.version, "seat": 0, "move": move_, "coached": "1"}
        client.post(reverse("table_move", args=[match.id]), sent)
        assert now(match).version > match.version
        assert not Hint.objects.exists()
