"""Deals of the day: sealed the day before, played once, revealed the day after."""

from dataclasses import replace
from hashlib import sha256

import pytest
from django.utils import timezone
from time_machine import travel

from accounts import services
from accounts.models import User
from accounts.social.models import Privacy
from cardroom.arena import compiled_code
from cardroom.rules import catalog, record
from cardroom.rules.game import DailyTerms
from config.models import Trouble
from games.daily import playing
from games.daily.models import ComputerScores, DailyDeal, Entry
from games.daily.selectors import (
    CannotCompete,
    NoSuchDeal,
    NotToday,
    Streak,
    admission,
    find_deal,
    games_of_the_day,
    own_result,
    results_of,
    streak_of,
    today,
)
from games.matches import records
from games.matches.models import Match, SharedDeal
from games.people.counting import count_finished
from tests.conftest import PASSWORD
from tests.daily.days import ONE_DAY, again, begin, begun, deal, over, to_its_end
from tests.matches.scenes import played, resigned, short
from tests.people.ended import against, between

pytestmark = pytest.mark.django_db


def test_tomorrow_is_sealed_today_and_only_once(settings):
    begun(settings)
    assert playing.publish() == 0
    tomorrow = today() + ONE_DAY
    there = set(DailyDeal.objects.filter(day=tomorrow).values_list("game", flat=True))
    assert there == {game.slug for game, _ in games_of_the_day()}
    with pytest.raises(NoSuchDeal):
        find_deal(tomorrow, "pisti")
    for one in DailyDeal.objects.select_related("deal"):
        assert sha256(bytes(one.deal.seed)).hexdigest() == one.deal.commitment


def test_a_service_that_begins_has_a_deal_to_practise(settings, guest):
    begun(settings)
    playing.reveal()
    yesterday = today() - ONE_DAY
    match = playing.practise(user=guest, day=yesterday, game="pisti")
    assert match.commitment == deal(day=yesterday).deal.commitment
    assert not match.rated
    assert records.of(played(match)).seed == match.seed.hex()
    assert not Entry.objects.exists()


def test_two_processes_make_one_deal(settings, monkeypatch):
    begun(settings)
    before = set(DailyDeal.objects.values_list("pk", flat=True))
    monkeypatch.setattr(playing.DailyDeal.objects, "filter", lambda **_: DailyDeal.objects.none())
    assert playing.publish() == 0
    monkeypatch.undo()
    assert set(DailyDeal.objects.values_list("pk", flat=True)) == before
    assert SharedDeal.objects.count() == len(before)


@pytest.mark.parametrize("game", [game.slug for game, _ in games_of_the_day()])
def test_everybody_is_dealt_the_same_cards_once(settings, ada, ben, game):
    begun(settings, ada, ben)
    one, other = begin(ada, game), begin(ben, game)
    assert one.id != other.id
    assert one.commitment == other.commitment == deal(game).deal.commitment
    assert one.seed == other.seed
    again_, is_new = playing.play(user=ada, game=game)
    assert (again_.id, is_new) == (one.id, False)
    assert (one.visibility, one.rated) == ("private", False)
    assert Entry.objects.count() == 2


def test_who_may_compete(settings, ada, guest):
    settings.DAILY_FINISHED_MATCHES = 1
    playing.publish()
    for user in (guest, ada):  # an account of today
        with pytest.raises(CannotCompete):
            playing.play(user=user, game="pisti")
    User.objects.filter(pk=ada.pk).update(date_joined=timezone.now() - 2 * ONE_DAY)
    ada.refresh_from_db()
    with pytest.raises(CannotCompete):  # it has finished no match
        playing.play(user=ada, game="pisti")
    settings.DAILY_FINISHED_MATCHES = 0
    assert playing.play(user=ada, game="pisti")[1]
    with pytest.raises(NoSuchDeal):
        playing.play(user=ada, game="pyanitsa")


def of_the_day_before(user):
    User.objects.filter(pk=user.pk).update(date_joined=timezone.now() - 2 * ONE_DAY)
    user.refresh_from_db()
    return user


class TestASecondAccount:
    """The cost of a second account that learns the deal for the first."""

    def test_matches_that_somebody_gave_up_do_not_count(self, settings, ada, ben):
        settings.DAILY_FINISHED_MATCHES = 2
        playing.publish()
        of_the_day_before(ada)
        for loser in (ada, ben):  # its own resignation at version 0, and that of another one
            between(ben if loser == ada else ada, loser)
        against(ada, "greedy")
        played(short(ada, "pisti", "me, bot greedy"))
        count_finished()
        assert admission(ada, today()).matches_left == 1
        with pytest.raises(CannotCompete, match="once you have played 1 more match to its end"):
            playing.play(user=ada, game="pisti")
        played(short(ada, "pisti", "me, bot greedy"))
        count_finished()
        assert playing.play(user=ada, game="pisti")[1]

    def test_a_guest_of_yesterday_was_not_there_yesterday(self, settings, guest):
        settings.DAILY_FINISHED_MATCHES = 0
        playing.publish()
        of_the_day_before(guest)
        signed_up = services.register(username="second", password=PASSWORD, guest=guest)
        with pytest.raises(CannotCompete, match=str(today() + ONE_DAY)):
            playing.play(user=signed_up, game="pisti")
        over()
        with travel(timezone.now() + ONE_DAY):
            assert playing.play(user=signed_up, game="pisti")[1]


def test_the_end_of_a_day(settings, ada, ben, cleo):
    begun(settings, ada, ben, cleo)
    done, gave_up, late = to_its_end(ada), resigned(begin(ben), 0), begin(cleo)
    with pytest.raises(NotToday):
        playing.practise(user=cleo, day=today(), game="pisti")
    assert results_of(deal(), ada.pk) is None
    own = own_result(Entry.objects.get(account=ada))
    assert own.score == done.outcome.points[0] - done.outcome.points[1]
    over()
    daily = deal()
    assert daily.is_over
    scores = dict(Entry.objects.values_list("account__username", "score"))
    assert scores == {"Ada": own.score, "Ben": None, "Cleo": None}
    assert again(late).status == "aborted"
    results = results_of(daily, ben.pk)
    assert results is not None
    assert results.people == {own.score: 1}
    assert [(line.place, line.person) for line in results.lines] == [(1, ada)]
    assert results.best == done.id
    assert again(done).visibility == "unlisted"
    assert again(gave_up).visibility == "private"
    for match in (done, gave_up, late):
        assert records.of(again(match)).seed == bytes(daily.deal.seed).hex()
    assert record.verify(records.of(again(done))) is None


def test_it_is_revealed_once_and_not_while_a_match_runs(settings, ada, monkeypatch):
    begun(settings, ada)
    begin(ada)
    monkeypatch.setattr(playing, "_end", lambda _match: None)  # the process ended on its way
    over()
    assert not deal().is_over
    monkeypatch.undo()
    over()
    revealed = deal().deal.revealed_at
    assert revealed
    over()
    assert deal().deal.revealed_at == revealed


def test_nobody_begins_a_deal_that_is_revealed_meanwhile(settings, ada):
    begun(settings, ada)
    daily = deal()
    SharedDeal.objects.filter(id=daily.deal_id).update(revealed_at=timezone.now())
    with pytest.raises(NotToday):
        playing.play(user=ada, game="pisti")
    assert not Match.objects.exists()


def test_equal_scores_share_a_place_and_a_hidden_person_is_not_listed(settings, ada, ben, cleo):
    begun(settings, ada, ben, cleo)
    for user in (ada, ben, cleo):
        begin(user)
    over()
    entries = Entry.objects
    for user, score in ((ada, 5), (ben, 5), (cleo, 2)):
        entries.filter(account=user).update(score=score)
    Privacy.objects.create(account=ada, hides_profile=True)
    results = results_of(deal(), ben.pk)
    assert [(line.place, line.person) for line in results.lines] == [(1, ben), (3, cleo)]
    assert results.people == {5: 2, 2: 1}


def test_the_best_is_not_a_person_who_hides(settings, ada, monkeypatch):
    begun(settings, ada)
    Privacy.objects.create(account=ada, hides_profile=True)
    match = to_its_end(ada)
    over()
    assert deal().best_id is None
    assert again(match).visibility == "private"


def test_a_match_of_an_erased_account_keeps_nothing_back(settings, ada, ben):
    begun(settings, ada, ben)
    match = begin(ada, "shithead")
    Entry.objects.filter(account=ada).delete()  # as the erasure does
    assert again(match).status == "active"
    over()
    assert deal("shithead").is_over
    assert again(match).status == "aborted"


@pytest.mark.parametrize(
    ("played_on", "now", "streak"),
    [
        ((), 0, Streak(0, 0)),
        ((1, 2), 2, Streak(2, 2)),
        ((1, 2), 4, Streak(2, 2)),
        ((1, 2), 5, Streak(0, 2)),
        ((1, 2, 4), 5, Streak(1, 2)),
    ],
)
def test_streaks(settings, ada, played_on, now, streak):
    begun(settings, ada)
    first = today()
    for n in played_on:
        with travel(timezone.now() + n * ONE_DAY):
            playing.publish()
            begin(ada)
    Entry.objects.update(score=1)
    with travel(timezone.now() + now * ONE_DAY):
        assert today() == first + now * ONE_DAY
        assert streak_of(ada.pk) == streak


def test_computers_play_what_is_revealed(settings, ada, monkeypatch):
    every_game = list(games_of_the_day())
    monkeypatch.setattr(playing, "MATCHES", 2)
    monkeypatch.setattr(playing, "house_levels", lambda game: [game.bot("random")])
    quick = [(game, one._replace(bots=("random",) * len(one.bots))) for game, one in every_game]
    monkeypatch.setattr(playing.selectors, "games_of_the_day", lambda: quick)
    begun(settings, ada)
    assert playing.play_revealed() == 0
    playing.reveal()
    assert playing.play_revealed(60) == 6
    assert playing.play_revealed(60) == 0
    rows = ComputerScores.objects.filter(daily__game="shithead")
    assert all(0 <= score <= 3 for row in rows for score in row.scores)
    daily = deal(day=today() - ONE_DAY)
    assert results_of(daily, None).computers["random"].total() == 2


def test_computers_that_are_not_compiled_make_a_move_within_a_piece(monkeypatch):
    """At most a tenth of their playouts, and no more than plain Python makes in a moment."""
    monkeypatch.setattr(compiled_code, "quick", lambda _game, bot: bot)
    for slug, name in (("pisti", "searcher"), ("shithead", "strong_searcher")):
        game = catalog.find(slug)
        bot = game.bot(name)
        plain = playing.fast_enough(game, bot)
        assert plain.slug == bot.slug
        assert plain.choose.playouts <= bot.choose.playouts // playing.PLAIN_SHARE
        assert plain.choose.playouts <= bot.search.playouts_a_ms * playing.PLAIN_MILLISECONDS
    pisti = catalog.find("pisti")
    counter = pisti.bot("counter")
    assert playing.fast_enough(pisti, counter) is counter


def revealed_deals(settings, ada, monkeypatch, *bots):
    every_game = list(games_of_the_day())
    monkeypatch.setattr(playing, "MATCHES", 2)
    monkeypatch.setattr(playing, "house_levels", lambda game: [game.bot(bot) for bot in bots])
    quick = [(game, one._replace(bots=("random",) * len(one.bots))) for game, one in every_game]
    monkeypatch.setattr(playing.selectors, "games_of_the_day", lambda: quick)
    begun(settings, ada)
    playing.reveal()


def scores():
    rows = ComputerScores.objects.order_by("daily__game", "bot")
    return {(row.daily.game, row.bot): row.scores for row in rows}


def test_a_match_pauses_between_two_moves_and_comes_to_the_same_end(settings, ada, monkeypatch):
    """Nothing is thrown away, however short the pieces are."""
    revealed_deals(settings, ada, monkeypatch, "random")
    playing.play_revealed(60)
    at_once = scores()
    ComputerScores.objects.all().delete()
    pieces = 0
    while scores() != at_once:
        playing.play_revealed(0)
        pieces += 1
        assert pieces < 2000
    assert pieces > 20
    assert playing.play_revealed(60) == 0
    assert not ComputerScores.objects.exclude(paused=None).exists()


def test_a_computer_that_fails_three_times_is_set_aside_and_the_others_play(
    settings, ada, monkeypatch
):
    revealed_deals(settings, ada, monkeypatch, "random")
    play_on = playing._play_on

    def poisoned(daily, *more):
        if daily.game == "pisti":
            raise ZeroDivisionError
        return play_on(daily, *more)

    monkeypatch.setattr(playing, "_play_on", poisoned)
    for _ in range(4):
        playing.play_revealed(60)
        Trouble.objects.filter(is_set_aside=False).update(next_at=timezone.now())
    assert {game for (game, _), played in scores().items() if len(played) == 2} >= {"shithead"}
    trouble = Trouble.objects.get()
    assert (trouble.duty, trouble.failures, trouble.is_set_aside) == ("daily computers", 3, True)


def test_every_game_that_states_its_terms_has_a_deal(monkeypatch):
    terms = DailyTerms({"players": 2}, ("automaton",))
    stating = replace(catalog.find("pyanitsa"), daily=terms)
    monkeypatch.setattr(catalog, "GAMES", (stating, replace(stating, daily=None)))
    assert list(games_of_the_day()) == [(stating, terms)]
