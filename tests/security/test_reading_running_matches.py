"""What an attacker wants of a match that runs, and does not get (FORMAT.md §2)."""

import pytest
from django.test import Client
from django.urls import reverse

from cardroom.rules import catalog, record
from games.matches import overdue
from games.matches.models import Match, Ply, Round, Seat
from games.matches.selectors.access import get_match
from games.matches.selectors.log import decks_of
from tests.api.calls import get, new_match, post, read, refused
from tests.matches import scenes

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
