"""Bot accounts: asked for by a program, confirmed by a person, and what both may do then."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts import services as people
from accounts.models import User
from accounts.social.models import Privacy
from accounts.social.selectors import note_presence
from games.bot_accounts import services
from games.bot_accounts.models import Program
from games.bot_accounts.services import Manners, PlaysGame
from games.lobby import challenges, seeking
from games.matches import joining, overdue
from games.matches.models import Match, Ply, Seat
from games.ratings import rating
from games.ratings.models import PersonRating, RatedSeat
from tests.api.calls import API, get, post, refused
from tests.matches.scenes import move, now, opened, resigned
from tests.web.browsing import signed_in

pytestmark = pytest.mark.django_db
ASKED = {"owner": "ada", "description": "Plays jacks last.", "plays": [{"game": "pisti"}]}


@pytest.fixture
def robo(db):
    return people.register(username="robo", password="a long and quiet evening")


@pytest.fixture
def program(robo, keyed):
    return keyed(robo)


def confirmed(robo: User, ada: User, **manners) -> User:
    services.ask_for_bot(account=robo, owner="ada", manners=Manners(**manners))
    services.confirm_bot(owner=ada, username="robo")
    robo.refresh_from_db()
    return robo


def test_the_owner_refuses(robo, program, ada, first):
    post(program, "accounts/me/bot", ASKED)
    assert first.delete(f"{API}accounts/me/bots/robo").status_code == 204
    refused(get(program, "accounts/me/bot"), "not_found")
    refused(first.put(f"{API}accounts/me/bots/robo"), "not_found")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"owner": "nobody"}, "unknown_user"),
        ({"owner": "robo"}, "not_an_owner"),
        ({"plays": [{"game": "chess"}]}, "bad_program"),
        ({"plays": [{"game": "pisti", "presets": ["odd"]}]}, "bad_program"),
        ({"paces": ["bullet"]}, "malformed"),
        ({"at_once": 0}, "malformed"),
    ],
)
def test_what_is_refused(ada, program, body, code):
    refused(post(program, "accounts/me/bot", ASKED | body), code)
    assert not Program.objects.exists()


def test_who_has_played_rated_stays_a_person(ada, ben, robo, program, first):
    match = opened(robo, "me, bot greedy", only_rated=True)
    refused(post(program, "accounts/me/bot", ASKED), "has_played_rated")
    Match.objects.filter(id=match.id).update(rated=False)
    assert post(program, "accounts/me/bot", ASKED).status_code == 201
    opened(robo, "me, bot greedy", only_rated=True)  # between asking and the owner's word
    refused(first.put(f"{API}accounts/me/bots/robo"), "has_played_rated")
    assert not User.objects.get(pk=robo.pk).is_bot


def test_guests_and_owners_are_no_bots(ada, guest, keyed, robo, first, settings):
    refused(post(keyed(guest), "accounts/me/bot", ASKED), "not_allowed")
    confirmed(robo, ada)
    refused(post(first, "accounts/me/bot", ASKED | {"owner": "robo"}), "not_an_owner")
    settings.LIMITS = settings.LIMITS | {"programs": 1}
    other = people.register(username="robo2", password="a long and quiet evening")
    assert refused(post(keyed(other), "accounts/me/bot", ASKED), "too_many_programs")["limit"] == 1


def test_as_many_at_once_as_the_house_bears(ada, program, settings):
    settings.LIMITS = settings.LIMITS | {"program_matches": 4}
    refused(post(program, "accounts/me/bot", ASKED | {"at_once": 5}), "bad_program")
    assert post(program, "accounts/me/bot", ASKED | {"at_once": 4}).status_code == 201


def test_an_owner_who_hides_looks_like_nobody(ada, program):
    Privacy.objects.create(account=ada, hides_profile=True)
    refused(post(program, "accounts/me/bot", ASKED), "unknown_user")


def test_the_sign_stands_wherever_the_name_stands(ada, ben, robo, first, second):
    before = opened(robo, "me, user ben", rated=False)
    confirmed(robo, ada)
    assert now(before).seats[0].name == "robo BOT"
    assert "robo BOT" in signed_in(ben).open("/lobby").text
    assert "A program of Ada." in signed_in(ben).open("/people/robo").text
    for name in ("Ben BOT", "Ben b\N{CYRILLIC SMALL LETTER O}t"):
        answer = second.patch(f"{API}accounts/me", {"display_name": name}, format="json")
        refused(answer, "bad_account")


def test_a_new_name_keeps_the_sign(ada, robo, program):
    confirmed(robo, ada)
    answer = program.patch(f"{API}accounts/me", {"display_name": "Careful"}, format="json")
    assert answer.json()["display_name"] == "Careful BOT"
    imitates = program.patch(f"{API}accounts/me", {"display_name": "Ada"}, format="json")
    refused(imitates, "bad_account")


def test_it_plays_what_it_says(ada, ben, robo, second):
    manners = {"plays": (PlaysGame("pisti", ["classic"]),), "paces": ("slow",), "at_once": 1}
    confirmed(robo, ada, **manners)
    right = {"username": "robo", "game": "pisti", "preset": "classic", "pace": "slow_1"}
    for wrong in ({"game": "pazaak"}, {"pace": "blitz"}, {"options": {"target_score": 51}}):
        refused(post(second, "challenges", right | wrong), "program_declines")
    made = post(second, "challenges", right)
    assert made.status_code == 201, made.content
    other = post(second, "challenges", right).json()["id"]
    robots = Match.objects.get(id=made.json()["id"])
    services.change_bot(account=robo, description="Busy")
    challenges.accept(account=robo, challenge_id=robots.id)
    with pytest.raises(Exception, match="as many matches as it can"):
        challenges.accept(account=robo, challenge_id=other)
    refused(post(second, "challenges", right), "program_declines")


def test_fair_use(ada, robo, program, settings):
    confirmed(robo, ada)
    settings.LIMITS = settings.LIMITS | {"program_openings": 1}
    services.change_bot(account=robo, at_once=5)
    terms = {"username": "ada", "game": "pisti"}
    assert post(program, "challenges", terms).status_code == 201
    assert refused(post(program, "challenges", terms), "too_many_openings")["limit"] == 1


def test_rated_with_the_computers(ada, ben, robo):
    """Against a person, against a computer of the house: on the boards of computers."""
    confirmed(robo, ada, at_once=9)
    match = opened(ben, "me, user robo", only_rated=True)
    resigned(joining.join(match_id=match.id, user=robo), 0)
    resigned(opened(robo, "me, bot greedy", only_rated=True), 0)
    assert rating.rate_finished() == 2
    boards = PersonRating.objects.values_list("account__username", "board", "matches")
    assert sorted(boards) == [
        ("Ben", "pisti/slow/two/computers", 1),
        ("robo", "pisti/slow/two/computers", 2),
    ]
    assert RatedSeat.objects.filter(account=robo).count() == 2


def test_people_are_not_rated_beside_a_bot_account(ada, ben, cleo, robo):
    confirmed(robo, ada)
    match = opened(ben, "me, user robo, user cleo", "shithead", options={"players": 3})
    assert match.rated is False


class TestSilence:
    @pytest.fixture
    def playing_robo(self, ada, ben, robo):
        confirmed(robo, ada)

        def begun(**more):
            match = opened(ben, "me, user robo", **more)
            return move(joining.join(match_id=match.id, user=robo))

        return begun

    def test_without_a_clock_the_stand_in_plays_on(self, playing_robo, robo):
        match = playing_robo(rated=False)
        assert services.replace_silent() == 0
        Match.objects.update(updated_at=timezone.now() - services.PATIENCE - timedelta(seconds=1))
        assert (services.replace_silent(), services.replace_silent()) == (1, 0)
        assert now(match).seats[1].may_be_reclaimed
        assert now(match).bot_due_at is not None
        overdue.reclaim(match_id=match.id, user=robo)
        assert not now(match).seats[1].stand_in

    def test_in_a_rated_match_it_loses(self, playing_robo):
        match = playing_robo(rated=True)
        Match.objects.update(updated_at=timezone.now() - services.PATIENCE - timedelta(seconds=1))
        assert services.replace_silent() == 1
        assert now(match).outcome.winners == (0,)
        assert now(match).seats[1].timed_out

    def test_by_the_clock(self, playing_robo):
        match = playing_robo(rated=False, turn_seconds=60)
        long_ago = timezone.now() - timedelta(seconds=61)
        Ply.objects.update(at=long_ago)
        Match.objects.update(updated_at=long_ago, deadline_at=long_ago + timedelta(seconds=60))
        overdue.time_out(match_id=match.id)
        assert now(match).status == "active"
        assert now(match).seats[1].stand_in


class TestPages:
    def test_the_owner_answers_there(self, ada, ben, robo):
        services.ask_for_bot(account=robo, owner="ada", manners=Manners(description="Mine?"))
        assert "Mine?" not in signed_in(ben).open("/bots").text
        browser = signed_in(ada).open("/bots")
        assert "They say that you are their owner" in browser.text
        assert "You answer for robo BOT now." in browser.press("It is mine").text
        assert "robo BOT" in signed_in(ben).open("/bots").text

    def test_one_that_is_online_is_offered_as_an_opponent(self, ada, ben, robo):
        confirmed(robo, ada)
        browser = signed_in(ben).open("/new?game=pisti")
        assert "robo BOT" not in browser.page
        note_presence([robo.pk])
        browser.open("/new?game=pisti&seat-1-who=program:robo").press("Start", rated="no")
        seat = Seat.objects.get(index=1)
        assert seat.invited_id == robo.pk
        assert "Challenge" in signed_in(ben).open("/bots").page

    def test_it_plays_by_the_api_alone(self, ada, robo):
        confirmed(robo, ada)
        browser = signed_in(robo).open("/new?game=pisti").press("Start")
        assert "A bot account plays by the API" in browser.text
        assert not Match.objects.exists()


class TestPairing:
    @pytest.fixture
    def waits(self):
        cache.set(seeking.LOOKED, timezone.now().timestamp())

    def test_only_if_its_owner_wants(self, ada, robo, program):
        confirmed(robo, ada)
        refused(post(program, "seeks", {"game": "pisti"}), "program_declines")

    # As a computer: by those who take one, and when they take one.
    @pytest.mark.parametrize(("after", "meets"), [(None, 0), (0, 1)])
    def test_people_meet_it_as_a_computer(
        self, ada, ben, robo, program, second, waits, after, meets
    ):
        confirmed(robo, ada, seeks=True)
        assert post(program, "seeks", {"game": "pisti"}).status_code == 201
        post(second, "seeks", {"game": "pisti", "computers_after": after})
        assert seeking.pair_all() == meets
        if meets:
            assert set(Seat.objects.values_list("user__username", flat=True)) == {"Ben", "robo"}
            assert Match.objects.get().rated
