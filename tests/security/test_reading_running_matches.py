"""Secrets of a running match, which an attacker does not get (FORMAT.md §2)."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.social.models import Privacy
from cardroom.rules import catalog, record
from games.matches import joining, loading, overdue
from games.matches.models import Match, Ply, Round, Seat
from games.matches.selectors import secrecy
from games.matches.selectors.access import get_match
from games.matches.selectors.history import as_listed, as_watched, match_at
from games.matches.selectors.log import decks_of
from games.phrases import speaking
from games.web import landing
from tests.api.calls import get, new_match, post, read, refused
from tests.matches import scenes
from tests.matches.scenes import (
    move,
    now,
    opened,
    pair,
    played,
    played_to_round,
    resigned,
    short,
)
from tests.web.browsing import signed_in

# Side decks and cards face down have secrets of most kinds; the others are for ``make sweeps``.
MOST_SECRETS = ("pazaak", "shithead")
every_game = pytest.mark.parametrize(
    "game",
    [
        pytest.param(slug, marks=() if slug in MOST_SECRETS else pytest.mark.sweep)
        for slug in catalog.slugs()
    ],
)
every_rated_game = pytest.mark.parametrize(
    "game", [game.slug for game in catalog.GAMES if not game.is_luck]
)


def between_two(first, second, game="pisti", plies=5, **rules):
    """A match of two people after some moves."""
    match = new_match(first, "me, open", game, **rules)
    post(second, f"matches/{match['id']}/join")
    scenes.played(get_match(match["id"]), plies)
    return read(first, match)


def alone(first, game="pisti", plies=4, **rules):
    """A match of one person against a bot whose matches are rated, after some moves."""
    match = new_match(first, "me, bot random", game, **rules)
    scenes.played(get_match(match["id"]), plies)
    return read(first, match)


def load(client, match, **body):
    return post(client, f"matches/{match['id']}/load", body)


def loaded(client, match, **body):
    answer = load(client, match, **body)
    assert answer.status_code == 201, answer.content
    return answer.json()


def abort(client, match):
    assert post(client, f"matches/{match['id']}/leave").json()["status"] == "aborted"
    return match


def call_record(client, match):
    return get(client, f"matches/{match['id']}/record")


def decks(match) -> list[str]:
    """Every deck that opened a round of a match, as a record lists it."""
    rules = get_match(match["id"]).rules
    rows = Round.objects.filter(match_id=match["id"]).values_list("decks", flat=True)
    return [record.deck_text(rules, deck) for row in rows for deck in decks_of(bytes(row))]


def admin_pages(viewer, match) -> str:
    """Every page of a match and its rows as an operator reads them."""
    rows = [Match.objects.get(id=match["id"])]
    for model in (Seat, Round, Ply):
        rows += model.objects.filter(match=match["id"])
    pages = [
        reverse(f"admin:games_{row._meta.model_name}_change", args=[row.pk]) for row in rows
    ] + [f"{reverse(f'admin:games_{m}_changelist')}?q={match['id']}" for m in ("round", "ply")]
    answers = [viewer.get(page) for page in pages]
    assert {answer.status_code for answer in answers} == {200}
    return "\n".join(a.content.decode().replace("&quot;", '"') for a in answers)


def opened_to_all(host, match):
    """The seat that was declined is kept until its host opens it."""
    opened = post(host, f"matches/{match['id']}/invite", {"seat": 1, "open": True})
    assert opened.status_code == 200


class TestLoads:
    @every_game
    def test_reads_the_deck_by_loading_twice(self, first, second, game):
        match = between_two(first, second, game)
        child = loaded(first, match, version=match["version"], cards="reshuffled")
        before = {"version": match["version"] - 1, "cards": "same"}
        refused(load(first, child, **before), "not_allowed")
        refused(load(first, child, version=child["version"], cards="same"), "not_allowed")

    @every_game
    def test_plays_on_with_the_same_cards_while_a_seat_is_promised(self, first, second, game):
        match = between_two(first, second, game)
        child = loaded(first, match, version=3, cards="reshuffled")
        refused(load(first, child, version=3, cards="same"), "not_allowed")
        post(second, f"matches/{child['id']}/leave")
        refused(load(first, child, version=3, cards="same"), "not_allowed")

    @every_game
    def test_loads_a_match_he_never_sat_in_through_its_child(self, first, second, third, game):
        match = between_two(first, second, game)
        child = loaded(first, match, version=4, cards="reshuffled")
        post(second, f"matches/{match['id']}/resign")
        post(second, f"matches/{child['id']}/leave")
        opened_to_all(first, child)
        assert post(third, f"matches/{child['id']}/join").status_code == 200
        for cards in ("same", "reshuffled"):
            refused(load(third, child, version=2, cards=cards), "not_allowed")

    @every_game
    def test_sits_down_before_anothers_cards(self, first, second, third, game):
        match = between_two(first, second, game)
        child = loaded(first, match, version=4, cards="reshuffled")
        post(second, f"matches/{child['id']}/leave")
        opened_to_all(first, child)
        refused(post(third, f"matches/{child['id']}/join"), "seat_taken")
        post(second, f"matches/{match['id']}/resign")
        assert post(third, f"matches/{child['id']}/join").status_code == 200

    def test_sees_a_kept_seat_among_the_free_ones(self, first, second, third):
        match = between_two(first, second, visibility="public")
        child = loaded(first, match, version=4, cards="reshuffled")

        def free(client):
            found = get(client, "matches", {"joinable": "true"}).json()["results"]
            return [one["id"] for one in found]

        def is_offered():
            lobby, table = (visitor.get(page).content.decode() for page in ("/lobby", here))
            return f'href="{here}"' in lobby.partition('id="tables-name"')[
                2
            ], f"{here}/join" in table

        here, visitor = f"/matches/{child['id']}", Client()
        assert (free(second), free(third), is_offered()) == ([child["id"]], [], (False, False))
        post(second, f"matches/{child['id']}/leave")
        assert (free(second), free(third), is_offered()) == ([], [], (False, False))
        opened_to_all(first, child)
        assert (free(second), free(third), is_offered()) == ([child["id"]], [], (False, False))
        post(second, f"matches/{match['id']}/resign")
        assert (free(third), is_offered()) == ([child["id"]], (True, True))

    def test_the_owner_may_come_back_to_his_seat(self, first, second):
        match = between_two(first, second)
        child = loaded(first, match, version=4, cards="reshuffled")
        post(second, f"matches/{child['id']}/leave")
        again = {"seat": 1, "username": "Ben"}
        assert post(first, f"matches/{child['id']}/invite", again).status_code == 200
        assert post(second, f"matches/{child['id']}/join").json()["status"] == "active"


class TestRecords:
    @every_game
    def test_reads_the_decks_in_the_record_of_a_child_called_off(self, first, second, game):
        match = between_two(first, second, game)
        child = abort(first, loaded(first, match, version=4, cards="reshuffled"))
        for client in (first, second):
            problem = refused(call_record(client, child), "parent_still_running")
            assert problem["status"] == 409
        post(second, f"matches/{match['id']}/resign")
        assert record.verify(call_record(first, child).content) is None

    @every_game
    def test_reads_them_over_several_generations(self, first, second, game):
        match = between_two(first, second, game)
        child = loaded(first, match, version=4, cards="reshuffled")
        post(second, f"matches/{child['id']}/join")
        grandchild = loaded(second, child, version=4, cards="reshuffled")
        post(second, f"matches/{child['id']}/resign")
        abort(second, grandchild)
        for one in (child, grandchild):
            refused(call_record(first, one), "parent_still_running")

    @every_game
    def test_undoes_the_re_deal_with_the_seed_of_the_child(self, first, second, viewer, game):
        match = between_two(first, second, game)
        child = loaded(first, match, version=4, cards="reshuffled")
        post(second, f"matches/{child['id']}/join")
        post(second, f"matches/{child['id']}/resign")
        seed = get_match(child["id"]).seed.hex()
        for client in (first, second):
            assert read(client, child)["seed"] is None
        assert seed not in admin_pages(viewer, child)
        post(second, f"matches/{match['id']}/resign")
        assert read(first, child)["seed"] == seed
        shown = viewer.get(reverse("admin:games_match_change", args=[child["id"]]))
        assert seed in shown.content.decode()

    @every_game
    def test_reads_the_loaders_hand_in_the_record_of_the_parent(self, first, second, game):
        match = between_two(first, second, game)
        child = loaded(first, match, version=4, cards="reshuffled")
        post(second, f"matches/{child['id']}/join")
        post(second, f"matches/{match['id']}/resign")
        for client in (first, second):
            refused(call_record(client, match), "parent_still_running")
            assert read(client, match)["seed"] is None
        post(second, f"matches/{child['id']}/resign")
        assert call_record(second, match).status_code == 200

    def test_hides_a_finished_match_by_loading_from_it(self, first, second):
        match = between_two(first, second)
        post(second, f"matches/{match['id']}/resign")
        loaded(first, match, version=4, cards="reshuffled")
        assert call_record(second, match).status_code == 200
        assert read(second, match)["seed"]

    def test_hides_a_match_by_a_load_that_nobody_joins(self, first, second):
        match = between_two(first, second)
        child = loaded(first, match, version=4, cards="reshuffled")
        post(second, f"matches/{match['id']}/resign")
        later = loaded(first, match, version=4, cards="reshuffled")
        overdue.resend_overdue()
        assert read(first, child)["status"] == "aborted"
        assert read(first, later)["status"] == "open"
        for one in (match, child):
            assert call_record(second, one).status_code == 200

    @every_game
    def test_who_plays_alone_reads_what_is_his_own(self, first, third, game):
        match = alone(first, game)
        child = loaded(first, match, version=match["version"], cards="same")
        post(first, f"matches/{child['id']}/resign")
        assert record.verify(call_record(first, child).content) is None
        refused(call_record(third, child), "parent_still_running")


class TestPazaakSideDecks:
    def test_reads_the_opponents_ten_cards(self, first, second, viewer):
        match = between_two(first, second, "pazaak")
        child = abort(first, loaded(first, match, version=0, cards="reshuffled"))
        refused(call_record(first, child), "parent_still_running")
        Seat.objects.filter(match_id=child["id"], index=1).update(side_deck=["T"] * 9 + ["D"])
        assert " ".join(["T"] * 9) not in admin_pages(viewer, child)


class TestEvents:
    def test_reads_the_order_in_which_another_collected(self, first, second):
        rules = {"collect_order": "arbitrary", "max_tricks": 60}
        match = between_two(first, second, "pyanitsa", plies=0, options=rules)
        Ply.objects.filter(match_id=match["id"], version=0).update(seat=1, move="collect 9S 6H")
        child = abort(first, loaded(first, match, version=0, cards="reshuffled"))
        told = get(first, f"matches/{child['id']}/events", {"after": -1}).content.decode()
        assert "collect" in told
        assert "9S 6H" not in told


class TestAdmin:
    @every_game
    def test_reads_the_deck_in_the_pages_of_a_child_called_off(self, first, second, viewer, game):
        match = between_two(first, second, game)
        child = abort(first, loaded(first, match, version=4, cards="reshuffled"))
        shown = admin_pages(viewer, child)
        for deck in decks(match) + decks(child):
            assert deck.replace(" ", '","') not in shown
            assert deck not in shown
        opening = Round.objects.get(match_id=match["id"], number=1).opening_state
        assert bytes(opening).decode() not in shown
        for ply in Ply.objects.filter(match_id=match["id"]):
            assert bytes(ply.events) == b"[]" or bytes(ply.events).decode() not in shown
        post(second, f"matches/{match['id']}/resign")
        assert "shown when" not in admin_pages(viewer, child)

    @every_game
    def test_the_saves_of_a_child_are_dealt_again(self, first, second, game):
        match = between_two(first, second, game)
        child = loaded(first, match, version=4, cards="reshuffled")
        opening = [
            bytes(Round.objects.get(match_id=one["id"], number=1).opening_state)
            for one in (match, child)
        ]
        assert opening[0] != opening[1]


class TestRating:
    @every_rated_game
    def test_peeks_alone_and_stays_rated(self, first, game):
        match = alone(first, game)
        assert match["rated"]
        tag = get(first, f"matches/{match['id']}")["ETag"]
        loaded(first, match, version=0, cards="same")
        answer = get(first, f"matches/{match['id']}", If_None_Match=tag)
        assert answer.json()["rated"] is False
        page = first.get(f"/matches/{match['id']}").content.decode()
        assert "not rated" in page

    @every_rated_game
    def test_peeks_alone_at_what_was_dealt_again(self, first, game):
        match = alone(first, game)
        child = loaded(first, match, version=match["version"], cards="reshuffled")
        assert read(first, match)["rated"]
        post(first, f"matches/{child['id']}/resign")
        refused(call_record(first, child), "parent_still_running")
        assert read(first, child)["seed"] is None

    def test_an_earlier_round_may_be_played_again_alone(self, first):
        match = alone(first, "pisti", plies=49)
        assert match["round"] == 2
        child = loaded(first, match, round=1, cards="same")
        assert read(first, match)["rated"]
        post(first, f"matches/{child['id']}/resign")
        assert call_record(first, child).status_code == 200


# A match that watchers see later: by every door what a spectator knew some plies ago, no more.

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


class TestWhoMayKnow:
    """The checks of the doors (FORMAT.md §2), at the edges of its rules."""

    def dealt_again(self, ada, ben, game, version=4):
        match = played(pair(ada, ben, game), version + 1)
        child = loading.load(match_id=match.id, user=ada, cards="reshuffled", version=version)
        return match, joining.join(match_id=child.id, user=ben)

    def test_nobody_is_the_only_person_at_a_free_seat(self, ada):
        match = opened(ada, "open, bot random")
        assert not secrecy.is_only_person(match, None)
        assert not secrecy.is_only_person(match, ada.pk)

    def test_the_ply_that_was_loaded_was_dealt_to_others(self, ada, ben):
        _, child = self.dealt_again(ada, ben, "pisti")
        read_as = [
            [secrecy.reading_seat(child, version, seat) for version in (3, 4, 5)] for seat in (0, 1)
        ]
        assert read_as == [[0, 0, 0], [None, None, 1]]

    @pytest.mark.parametrize(("game", "is_told"), [("pisti", True), ("pazaak", False)])
    def test_a_side_deck_is_in_use_beyond_the_round_of_the_load(self, ada, ben, game, is_told):
        match, child = self.dealt_again(ada, ben, game, version=1)  # the first round
        played_to_round(child, 2)
        resigned(now(match), 1)
        assert secrecy.may_tell_all(now(match), ben.pk) is is_told

    def test_a_match_without_all_names_says_so(self, ada, ben, cleo):
        match = pair(ada, ben)
        Privacy.objects.create(account=ben, hides_profile=True)
        assert secrecy.named_for(match, cleo.pk).withholds
        assert not secrecy.named_for(match, ada.pk).withholds
