"""A match that watchers see later: by every door what a spectator knew some plies ago, no more."""

import pytest
from django.core.cache import cache

from cardroom.rules import catalog
from games.matches import joining
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.matches.selectors.history import as_listed, as_watched, match_at
from games.phrases import speaking
from games.web import landing
from tests.api.calls import get, post
from tests.matches.scenes import (
    move,
    now,
    opened,
    played,
    played_to_round,
    resigned,
    short,
)
from tests.web.browsing import signed_in

DELAY = 3
GAMES = [game.slug for game in catalog.GAMES]


def running(ada, game="pisti", plies=6, **more):
    match = opened(ada, "me, local Twin", game, visibility="public", watch_delay=DELAY, **more)
    return played(match, plies)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_seen_as_it_was(ada, cleo, api, keyed, game):
    match = running(ada, game)
    then = match_at(match, max(0, match.version - DELAY))
    for client in (api, keyed(cleo)):
        told = get(client, f"matches/{match.id}").json()
        assert told["version"] == then.version
        assert [seat["points"] for seat in told["seats"]] == [seat.points for seat in then.seats]
        assert told["to_act"] == list(then.to_act)
    assert get(keyed(ada), f"matches/{match.id}").json()["version"] == match.version


def test_a_phrase_gives_nothing_away(ada, ben, cleo, keyed):
    """*Pişti!* would tell watchers of a match that they see later."""
    match = opened(ada, "me, open", visibility="public", watch_delay=DELAY)
    match = joining.join(match_id=match.id, user=ben)
    speaking.speak(match_id=match.id, user=ada, phrase="pisti")

    def reads(who):
        return [
            said["phrase"] for said in get(keyed(who), f"matches/{match.id}/phrases").json()["said"]
        ]

    assert reads(ben) == ["pisti"]
    assert reads(cleo) == []
    resigned(match, 1)
    assert reads(cleo) == ["pisti"]


def test_events_and_saves_end_there(ada, api):
    match = running(ada)
    told = get(api, f"matches/{match.id}/events", {"after": -1, "limit": 100}).json()
    assert told["version"] == match.version - DELAY
    assert max(event["version"] for event in told["events"]) == match.version - DELAY
    later = get(api, f"matches/{match.id}/events", {"after": match.version - DELAY}).json()
    assert later["events"] == []


def test_a_new_round_is_no_save_yet(ada, api):
    match = running(ada)
    match = played_to_round(match, 2)
    assert [save["round"] for save in get(api, f"matches/{match.id}/saves").json()] == [1]
    assert get(api, f"matches/{match.id}/shape").json()["rounds"] == []


def test_how_a_round_ended_is_not_told_before_it_ends(ada, first, api):
    match = running(ada)
    match = played_to_round(match, 2)
    assert get(first, f"matches/{match.id}/saves").json()[-1]["scores"]
    [save] = get(api, f"matches/{match.id}/saves").json()
    assert (save["scores"], save["closed_at"]) == (None, None)
    assert len(get(first, f"matches/{match.id}/shape").json()["rounds"]) == 1
    assert get(api, f"matches/{match.id}/shape").json()["rounds"] == []


def test_the_page_shows_it_and_says_so(ada, stranger_browser, cleo):
    cache.delete(landing.FEATURED_KEY)  # what an earlier scene chose is kept for seconds
    match = running(ada)
    for browser in (stranger_browser, signed_in(cleo)):
        page = browser.open(f"/matches/{match.id}")
        assert f'data-version="{match.version - DELAY}"' in page.page
        assert "You see it 3 moves later." in page.text
        front = browser.open("/featured").page
        assert f"{match.id}-{match.version - DELAY}-" in front
    own = signed_in(ada).open(f"/matches/{match.id}")
    assert f'data-version="{match.version}"' in own.page
    assert "moves later" not in own.text


@pytest.fixture
def stranger_browser(db):
    from tests.web.browsing import Browser

    return Browser()


def test_at_the_beginning_it_is_the_deal(ada):
    match = running(ada, plies=1)
    assert as_watched(match, None).version == 0


def test_when_it_is_over_all_of_it_is_seen(ada, api):
    match = played(short(ada, "pisti", visibility="public", watch_delay=DELAY))
    assert get(api, f"matches/{match.id}").json()["version"] == match.version


def test_a_rematch_keeps_it(ada, first):
    match = played(short(ada, "pisti", watch_delay=DELAY))
    told = post(first, f"matches/{match.id}/rematch").json()
    assert told["watch_delay"] == DELAY


def test_who_is_not_delayed_pays_nothing(ada, django_assert_num_queries):
    """But one look for those who hide, where a stranger looks on at people."""
    match = now(opened(ada, visibility="public"))
    computers = now(opened(ada, "bot greedy, bot random", visibility="public"))
    for watched, reader, queries in ((match, ada.pk, 0), (computers, None, 0), (match, None, 1)):
        with django_assert_num_queries(queries):
            assert as_watched(watched, reader) is watched


def test_over_the_api_it_is_bounded(first):
    for delay, status in ((-1, 400), (21, 400), (5, 201)):
        body = {"game": "pisti", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]}
        answer = post(first, "matches", body | {"watch_delay": delay})
        assert answer.status_code == status, answer.content
    assert get_match(answer.json()["id"]).watch_delay == 5


class TestLists:
    """No list tells those who look on more than the table shows them."""

    def listed(self, client, match):
        rows = get(client, "matches", {"status": "active"}).json()["results"]
        return next(row for row in rows if row["id"] == str(match.id))

    @pytest.mark.parametrize("game", GAMES)
    def test_over_the_api(self, ada, first, second, api, game):
        match = running(ada, game)
        while match.version < 30 and match.round == 1:
            match = move(match)
        assert self.listed(first, match)["version"] == match.version
        for client in (second, api):
            row, table = self.listed(client, match), get(client, f"matches/{match.id}").json()
            for name in ("version", "round"):
                assert row[name] == table[name], name
            assert [s["points"] for s in row["seats"]] == [s["points"] for s in table["seats"]]
            assert (row["to_act"], row["deadline_at"]) == ([], None)

    def test_in_the_lobby(self, ada, stranger_browser):
        match = running(ada, "pisti", plies=2)
        match = played_to_round(match, 2)
        assert any(seat.points for seat in match.seats)
        page = stranger_browser.open("/lobby").page
        line = page.split('id="running-name"')[1].split("</li>")[0]
        assert "deal 1" in line
        assert '<b class="points">0</b>' in line

    def test_a_person_who_resigned_has_not_yet(self, ada, ben, cleo, first, api):
        terms = {"visibility": "public", "watch_delay": DELAY, "options": {"players": 3}}
        match = opened(ada, "me, open, open", "shithead", **terms)
        for person in (ben, cleo):
            match = joining.join(match_id=match.id, user=person)
        match = resigned(played(match, 6), 1)
        assert match.status == "active"
        assert self.listed(first, match)["seats"][1]["resigned"]
        assert not get(api, f"matches/{match.id}").json()["seats"][1]["resigned"]
        assert not self.listed(api, match)["seats"][1]["resigned"]

    def test_without_a_delay_nothing_is_read_for_it(self, ada, django_assert_num_queries):
        rows = [Match.objects.prefetch_related("seats").get(id=opened(ada).id)]
        for reader, queries in ((ada.pk, 0), (None, 1)):  # who hides among strangers
            with django_assert_num_queries(queries):
                assert as_listed(rows, reader) == rows
