"""The host of a tournament, over the API and on its page; what each act tells (issue 61, 3)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.competitions import advancing
from games.competitions.models import Entrant, Stage, TournamentEvent
from games.live.news import Since, read_other_news, read_with_other_news
from tests.api.calls import API, get, post, refused
from tests.competitions.held import begun, held, matches_of, now, paid, players
from tests.web.browsing import signed_in

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def told(user) -> list[str]:
    news = read_other_news([Since(user.pk, timezone.now() - HOUR)])[0]
    return [one.what for one in news if one.type == "tournament"]


def patch(client, tournament, **body):
    return client.patch(f"{API}tournaments/{tournament.id}", body, format="json")


def act(client, tournament, what, **body):
    return post(client, f"tournaments/{tournament.id}/{what}", body)


def test_from_the_announcement_to_the_end(ada, ben, cleo, keyed):
    host, cup = keyed(ada), held(ada, visibility="private")
    assert act(host, cup, "invite", username="ben").status_code == 200
    act(host, cup, "invite", username="ben")
    act(host, cup, "invite", username="cleo")
    assert act(keyed(ben), cup, "join").json()["you"] == "joined"
    later = (timezone.now() + 3 * HOUR).isoformat()
    changed = patch(host, cup, name="Night cup", most=4, rounds=1, starts_at=later).json()
    assert (changed["name"], changed["most"], changed["rounds"]) == ("Night cup", 4, 1)
    assert changed["starts_at"] > (timezone.now() + 2 * HOUR).isoformat()
    assert act(host, cup, "remove", username="cleo").status_code == 200
    refused(act(keyed(cleo), cup, "join"), "too_late_to_join")
    refused(act(host, cup, "begin"), "bad_tournament")
    act(host, cup, "join")
    assert act(host, cup, "begin").status_code == 200
    paid(cup)
    assert act(host, cup, "pause").json()["is_paused"]
    assert act(host, cup, "pause").json()["is_paused"]
    assert len(matches_of(cup, "active")) == 1
    before = Stage.objects.get(tournament=cup).deadline_at
    assert act(host, cup, "resume").json()["is_paused"] is False
    assert Stage.objects.get(tournament=cup).deadline_at > before
    refused(act(host, cup, "call-off"), "tournament_has_begun")
    every = ["changed", "begun", "paused", "resumed"]
    assert told(ada) == every
    assert told(ben) == ["invited", *every]
    assert told(cleo) == ["invited", "removed"]  # and of the rest no more
    reached = read_with_other_news([[ada.pk, ben.pk, cleo.pk], [players(1)[0].pk]])
    assert reached == [{ada.pk, ben.pk, cleo.pk}, set()]


def test_one_that_is_called_off_is_changed_no_more(ada, keyed):
    host, cup = keyed(ada), held(ada)
    assert act(host, cup, "call-off").json()["ending"] == "creator"
    for answer in (
        *(act(host, cup, "pause"), act(host, cup, "resume"), patch(host, cup, name="Other")),
        *(act(host, cup, "remove", number=1), act(host, cup, "invite", username="ada")),
    ):
        assert answer.status_code in (409, 422)
    assert told(ada) == ["called_off"]


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("invite", {"username": "cleo"}),
        ("remove", {"username": "ada"}),
        *(("begin", {}), ("pause", {}), ("resume", {}), ("call-off", {})),
    ],
)
def test_nobody_else_acts_on_it(ada, ben, cleo, keyed, what, body):
    cup = held(ada)
    refused(act(keyed(ben), cup, what, **body), "not_allowed")
    refused(patch(keyed(ben), cup, name="Mine"), "not_allowed")
    assert now(cup).name == "Evening cup"
    assert not TournamentEvent.objects.exists()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"most": 1}, "malformed"),
        ({"most": 65}, "bad_tournament"),
        ({"fill_to": 17}, "bad_tournament"),
        ({"game": "pisti"}, "malformed"),
        ({"name": "\u202eevil"}, "bad_tournament"),
        ({"starts_at": "2020-01-01T00:00:00Z"}, "bad_tournament"),
    ],
)
def test_terms_that_cannot_be_are_refused(ada, keyed, change, code):
    cup = held(ada)
    refused(patch(keyed(ada), cup, **change), code)
    assert now(cup).version == cup.version


def test_there_are_places_for_those_who_take_part(ada, keyed):
    cup = held(ada, most=4)
    begun_later = players(3)
    for person in begun_later:
        act(keyed(person), cup, "join")
    assert "3 take part" in refused(patch(keyed(ada), cup, most=2), "bad_tournament")["detail"]


def test_once_it_has_begun_its_name_alone_changes(ada, keyed):
    cup = begun(held(ada), *players(2))
    refused(patch(keyed(ada), cup, rounds=2), "tournament_has_begun")
    assert patch(keyed(ada), cup, name="Late cup").json()["name"] == "Late cup"


def test_a_host_who_plays_decides_no_board_of_others(ada, ben, keyed):
    """A removal loses the match that runs: it would be a win by one's own word."""
    cup = begun(held(ada), ada, ben)
    refused(act(keyed(ada), cup, "remove", username="ben"), "not_allowed")
    other = begun(held(ada, fill_to=4), ben)
    computer = Entrant.objects.filter(tournament=other, account=None).first()
    assert act(keyed(ada), other, "remove", number=computer.number).status_code == 200
    assert Entrant.objects.get(pk=computer.pk).state == "removed"
    assert told(ben)[-1] == "changed"  # it was a computer: nobody reads that they were removed
    refused(act(keyed(ada), other, "remove", number=computer.number), "not_among_players")
    refused(act(keyed(ada), other, "remove"), "malformed")
    results = get(keyed(ada), f"tournaments/{other.id}/results").json()
    assert {one["state"] for one in results["players"]} == {"joined", "removed"}


def test_its_end_is_told(ada, ben):
    cup = begun(held(ada, rounds=1), ada, ben)
    Stage.objects.filter(tournament=cup).update(deadline_at=timezone.now())
    advancing.advance(cup.id)
    assert paid(cup).status == "finished"
    assert told(ben) == ["begun", "finished"]


def test_the_page_pauses_and_lets_go_on(ada):
    cup = held(ada)
    browser = signed_in(ada).open(f"/tournaments/{cup.id}")
    browser.press("Pause")
    assert "It is paused." in browser.text
    browser.press("Go on")
    assert now(cup).paused_at is None
