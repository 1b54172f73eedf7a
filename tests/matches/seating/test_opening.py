"""Opening a match: who sits where, by which rules, and when the first card falls."""

import re
from collections import Counter
from hashlib import sha256

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardroom.rules import catalog
from games.matches import joining, loading
from games.matches.joining import open_rematch
from games.matches.models import Match, Ply, Round
from games.matches.refusals import (
    BadDeck,
    BadOptions,
    BadSeats,
    UnknownBot,
    UnknownDeck,
    UnknownGame,
    UnknownUser,
)
from tests.matches.scenes import now, opened, played, played_to_round, resigned, short


class TestStarting:
    @pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
    def test_with_every_seat_taken_it_starts_at_once(self, ada, game):
        match = short(ada, game)
        assert (match.status, match.version, match.round) == ("active", 0, 1)
        assert list(match.to_act) == list(match.rules.to_act(match.state)) != []
        assert match.started_at
        assert [seat.kind for seat in match.seats] == ["user", "local"]
        assert [seat.name for seat in match.seats] == ["Ada", "Twin"]
        opening = Round.objects.get(match_id=match.id)
        assert bytes(opening.opening_state) == bytes(match.state_json)
        assert Ply.objects.get(match_id=match.id).version == 0

    def test_with_a_seat_free_it_waits_undealt(self, ada):
        match = opened(ada, "me, open")
        assert (match.status, match.round, match.state_json) == ("open", 0, None)
        assert match.shuffles_used == 0
        assert not Ply.objects.filter(match_id=match.id).exists()

    def test_the_seed_is_sealed_before_the_first_card(self, ada):
        match = opened(ada, "me, open")
        assert len(match.seed) == 32
        assert match.commitment == sha256(match.seed).hexdigest()
        assert opened(ada).seed != match.seed

    def test_a_bot_in_front_owes_a_move_from_the_start(self, ada):
        assert opened(ada, "bot greedy, me").bot_due_at
        assert opened(ada, "me, bot greedy").bot_due_at is None

    def test_a_limit_for_turns_counts_from_the_start(self, ada):
        match = opened(ada, turn_seconds=60)
        assert (match.deadline_at - match.started_at).total_seconds() == 60
        assert opened(ada, "bot greedy, me", turn_seconds=60).deadline_at is None

    def test_a_match_with_a_local_player_is_not_rated(self, ada):
        assert not opened(ada).rated
        assert opened(ada, "me, bot greedy").rated

    def test_pazaak_seats_get_a_side_deck_of_their_own(self, ada):
        match = opened(ada, game="pazaak")
        assert all(len(seat.side_deck) == 10 for seat in match.seats)


class TestOptions:
    def test_a_preset_and_what_differs_from_it(self, ada):
        match = opened(ada, preset="single", options={"pisti_points": 5})
        options = msgspec.to_builtins(match.options)
        assert (options["target_score"], options["pisti_points"]) == (None, 5)

    @pytest.mark.parametrize(
        ("rules", "refusal", "named"),
        [
            ({"game": "whist"}, UnknownGame, "pisti, pazaak, shithead, pyanitsa"),
            ({"preset": "quick"}, BadOptions, "classic, single"),
            ({"options": {"target_score": 0}}, BadOptions, "target_score"),
            ({"options": {"target_score": "151"}}, BadOptions, "target_score"),
            ({"options": {"stake": 1}}, BadOptions, "stake"),
            ({"options": {"teams": True}}, BadOptions, "four players"),
            ({"turn_seconds": 9}, BadOptions, "is 10 to"),
            ({"turn_seconds": 10**9}, BadOptions, "to 1209600"),
        ],
    )
    def test_refused_by_cause_and_nothing_is_opened(self, ada, rules, refusal, named):
        with pytest.raises(refusal, match=named):
            opened(ada, **rules)
        assert not Match.objects.exists()


class TestSeats:
    @pytest.mark.parametrize(
        ("seats", "refusal", "named"),
        [
            ("me", BadSeats, "has 2 seats, not 1"),
            ("me, local, local", BadSeats, "has 2 seats, not 3"),
            ("me, me", BadSeats, "one seat yourself"),
            ("me, user Ada", BadSeats, "cannot invite yourself"),
            ("me, user nobody", UnknownUser, "nobody"),
            ("me, user", UnknownUser, "''"),
            ("me, bot deep", UnknownBot, "beginner, greedy, counter"),
            ("me, bot", UnknownBot, "beginner, greedy, counter"),
            ("me, bot searcher@9000ms", UnknownBot, "beginner, greedy, counter, searcher"),
        ],
    )
    def test_refused_by_cause_and_nothing_is_opened(self, ada, seats, refusal, named):
        with pytest.raises(refusal, match=named):
            opened(ada, seats)
        assert not Match.objects.exists()

    def test_nobody_is_invited_twice(self, ada, ben):
        with pytest.raises(BadSeats, match="two seats"):
            opened(ada, "me, user ben, user BEN", preset="four", options={"players": 3})

    def test_an_invited_seat_waits_for_its_person(self, ada, ben):
        match = opened(ada, "me, user BEN")
        waiting = match.seats[1]
        assert (waiting.kind, waiting.invited_id, waiting.user_id) == ("open", ben.id, None)
        assert match.is_invited(ben.id)

    def test_a_bot_with_a_budget_of_its_own_is_not_rated(self, ada):
        match = opened(ada, "me, bot searcher@20ms")
        assert (match.seats[1].bot, match.seats[1].name) == ("searcher@20ms", "Searcher")
        assert not match.rated

    def test_names_at_one_device(self, ada):
        match = opened(ada, "me, local")
        assert match.seats[1].name == "Player 2"
        assert match.seats_of(ada.id) == (0, 1)

    def test_the_creator_may_watch_only(self, ada):
        match = opened(ada, "bot greedy, bot random")
        assert match.seats_of(ada.id) == ()
        assert match.status == "active"

    def test_a_deck_that_is_not_there(self, ada):
        from games.matches.opening import open_match
        from games.matches.seats import SeatRequest

        seats = [SeatRequest(kind="me", deck="0193"), SeatRequest(kind="local")]
        with pytest.raises(UnknownDeck, match="0193"):
            open_match(creator=ada, game="pazaak", seats=seats)

    @pytest.mark.parametrize("game", [one.slug for one in catalog.GAMES if not one.needs_side_deck])
    def test_no_side_deck_comes_to_a_game_without(self, ada, ben, game):
        """Its record would tell it to everybody while it is played elsewhere."""
        from decks.models import Deck

        for person in (ada, ben):
            Deck.objects.create(owner=person, name="Mine", cards=["P1"] * 10, is_default=True)
        match = joining.join(match_id=opened(ada, "me, open", game).id, user=ben)
        assert [seat.side_deck for seat in match.seats] == [None, None]

    def test_a_deck_against_the_options(self, ada):
        from decks.models import Deck
        from games.matches.opening import open_match
        from games.matches.seats import SeatRequest

        deck = Deck.objects.create(owner=ada, name="Doubles", cards=["P1"] * 10)
        seats = [SeatRequest(kind="me", deck=str(deck.id)), SeatRequest(kind="local")]
        match = open_match(creator=ada, game="pazaak", seats=seats)
        assert match.seats[0].side_deck == ("P1",) * 10
        with pytest.raises(BadDeck) as refused:
            open_match(creator=ada, game="pazaak", seats=seats, options={"max_copies": 2})
        assert refused.value.extras["faults"]
        assert Match.objects.count() == 1


# A match that starts writes each of its rows once, and answers without reading them again.

WRITES = re.compile(r'\s*(INSERT INTO|UPDATE|DELETE FROM) "?(\w+)')
ONE_ROW_EACH = {
    "INSERT INTO games_match": 1,
    "INSERT INTO games_seat": 1,
    "INSERT INTO games_ply": 1,
    "INSERT INTO games_round": 1,
}


def statements(do) -> tuple[dict[str, int], list[str]]:
    """How often which table is written, and what is read after the first write."""
    with CaptureQueriesContext(connection) as captured:
        match = do()
    assert match == now(match)
    texts = [query["sql"] for query in captured]
    written = [found.groups() for found in map(WRITES.match, texts) if found]
    first = next(n for n, text in enumerate(texts) if WRITES.match(text))
    read_again = [text for text in texts[first:] if text.lstrip().startswith("SELECT")]
    return Counter(" ".join(write) for write in written), read_again


@pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
def test_opened_with_every_seat_taken(ada, game):
    assert statements(lambda: opened(ada, "me, bot random", game)) == (ONE_ROW_EACH, [])


def test_opened_and_waiting(ada):
    opens = {"INSERT INTO games_match": 1, "INSERT INTO games_seat": 1}
    assert statements(lambda: opened(ada, "me, open")) == (opens, [])


def test_the_last_seat_is_taken(ada, ben):
    waiting = opened(ada, "me, user ben", turn_seconds=60)
    joins = {
        "UPDATE games_seat": 2,  # the person's, and both whose first move is awaited
        "UPDATE games_match": 1,
        "INSERT INTO games_ply": 1,
        "INSERT INTO games_round": 1,
    }
    assert statements(lambda: joining.join(match_id=waiting.id, user=ben)) == (joins, [])


def test_called_off(ada):
    waiting = opened(ada, "me, open")
    changes = {"UPDATE games_match": 1}
    assert statements(lambda: joining.leave(match_id=waiting.id, user=ada)) == (changes, [])


@pytest.mark.parametrize("cards", ["same", "reshuffled"])
def test_loaded(ada, cards):
    old = played(played_to_round(opened(ada, "me, bot random"), 2), 60)
    saved = {"match_id": old.id, "user": ada, "version": old.version}
    written = dict(ONE_ROW_EACH)
    if cards == "same":  # nothing of the past is told otherwise
        del written["INSERT INTO games_ply"]
        written["UPDATE games_match"] = 1  # ends the rating
    assert statements(lambda: loading.load(**saved, cards=cards)) == (written, [])


def test_a_rematch(ada):
    over = resigned(opened(ada, "me, bot random", "pazaak"), 0)
    again = statements(lambda: open_rematch(match_id=over.id, user=ada))
    assert again == (ONE_ROW_EACH, [])


@pytest.mark.parametrize("seats", ["me, bot random", "bot random, me", "bot random, bot random"])
def test_what_is_owed_at_the_start(ada, seats):
    match = opened(ada, seats, turn_seconds=60)
    owed = [match.bot_due_at, match.deadline_at]
    assert [due is not None for due in owed] == (
        [False, True] if seats.startswith("me") else [True, False]
    )
    assert match.started_at == match.updated_at == match.created_at
