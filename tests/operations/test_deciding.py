"""Decide ends the match for the named side, or refuses before it touches anything."""

from random import Random

import pytest
from django.db import transaction

from accounts.audit.log import Actor
from accounts.audit.models import Entry
from cardroom.rules import catalog, record
from games.matches import records, verification
from games.matches.models import Notice, Ply
from games.matches.refusals import MatchNotActive
from games.operations import refereeing
from games.operations.refereeing import CannotReferee
from tests.matches.scenes import called_off, now, opened, played, played_until, resigned

pytestmark = pytest.mark.django_db

MANY = {"pisti": 4, "pazaak": 2, "shithead": 14, "pyanitsa": 6}
SEATS = [
    (game.slug, {"players": players} if game.max_seats > 2 else {})
    for game in catalog.GAMES
    for players in {game.min_seats, 3, MANY.get(game.slug, game.max_seats)}
    if game.min_seats <= players <= game.max_seats
]
TEAMS = ("pisti", {"players": 4, "teams": True})
LATER = ("shithead", {"players": 4, "games": 3})
every_table = pytest.mark.parametrize(
    ("game", "options"),
    [*SEATS, TEAMS, LATER],
    ids=lambda value: value if isinstance(value, str) else "-".join(map(str, value.values())),
)


@pytest.fixture
def referee(cleo) -> Actor:
    return Actor.of(cleo, "Ben wrote that he is in hospital.")


def begun(ada, game, options):
    players = options.get("players", 2)
    seats = ", ".join(["me", *(f"local N{seat}" for seat in range(1, players))])
    return opened(ada, seats, game, options=options)


def out_of(match) -> frozenset[int]:
    return match.rules.retired_seats(match.state)


def played_until_out(match, are_wanted, rng):
    """Until those are out who are wanted."""
    retired_seats = match.rules.retired_seats
    return played_until(match, lambda now: are_wanted(retired_seats(now.state)), rng)


def decide(match, referee, winner):
    """Decide the match and check the result; then the match is again as it was."""
    before = (now(match), Ply.objects.count(), Notice.objects.count(), Entry.objects.count())
    side = next(side for side in match.sides if winner in side)
    held = [seat for seat in out_of(match) - set(side) if match.seats[seat].resigned_at is None]
    with transaction.atomic():
        if held:
            with pytest.raises(CannotReferee, match="cannot resign") as refused:
                refereeing.adjudicate(match_id=match.id, by=referee, winner=winner)
            assert all(match.names[seat] in str(refused.value) for seat in held)
            counts = (Ply.objects.count(), Notice.objects.count(), Entry.objects.count())
            assert (now(match), *counts) == before
        else:
            said = refereeing.adjudicate(match_id=match.id, by=referee, winner=winner)
            assert said == f"{match.names[winner]} wins."
            check_decided(now(match), side)
        transaction.set_rollback(True)
    return not held


def check_decided(over, side) -> None:
    assert (over.status, set(over.outcome.winners)) == ("finished", set(side))
    assert (over.outcome.reason, list(over.to_act)) == ("resigned", [])
    assert list(verification.faults(over)) == []
    assert record.verify(record.write(records.of(over))) is None


@every_table
def test_with_any_number_of_seats_out(game, options, ada, referee):
    wanted, tried = {0}, set()
    if game in ("shithead", "pyanitsa"):
        wanted = set(range(options["players"] - 1))
    for seed in range(6):  # several seats may go out at once
        if tried != wanted:
            match = played(begun(ada, game, options), 2)
            decide_all_along(match, referee, Random(seed), tried, wanted)
    assert tried == wanted


def decide_all_along(match, referee, rng, tried, wanted) -> None:
    """Decides a match for its seats whenever a number of them is out that was not tried yet."""
    while match.status == "active" and tried != wanted:
        out = out_of(match)
        if len(out) not in tried:
            tried.add(len(out))
            inside = [seat for seat in range(len(match.seats)) if seat not in out]
            decisions = [decide(match, referee, seat) for seat in {*inside[-2:], *out}]
            assert any(decisions) == (len(out) < 2)
            assert all(decisions) == (not out)
        match = played_until_out(match, lambda out: len(out) not in tried, rng)


@pytest.mark.parametrize("options", [{"players": 4}, {"players": 4, "teams": True}], ids=str)
def test_after_somebody_resigned(options, ada, referee):
    match = resigned(played(begun(ada, "pisti", options), 5), 1)
    for winner in (0, 2):
        assert decide(match, referee, winner)
    if options.get("teams"):
        return
    with pytest.raises(CannotReferee, match="This side has resigned"):
        refereeing.adjudicate(match_id=match.id, by=referee, winner=1)


def test_who_has_resigned_and_is_out_does_not_hold_it_up(ada, referee):
    """The computer played the seat on until it was out; it had resigned before that."""
    for seed in range(20):
        match = resigned(played(begun(ada, "pyanitsa", {"players": 3}), 2), 2)
        match = played_until_out(match, bool, Random(seed))
        if out_of(match) == {2} and match.status == "active":
            break
    assert out_of(match) == {2}
    assert decide(match, referee, 0)


def test_the_last_places_go_to_the_fewest_points_or_the_most_places(ada, referee):
    match = begun(ada, "shithead", {"players": 4, "games": 2})
    match = played_until(match, lambda now: now.round > 1, Random(1))
    points = [seat.points for seat in match.seats]
    winner = points.index(max(points))
    refereeing.adjudicate(match_id=match.id, by=referee, winner=winner)
    places = now(match).outcome.places
    others = sorted((seat for seat in range(4) if seat != winner), key=points.__getitem__)
    assert [places[seat] for seat in [winner, *others]] == [1, 2, 3, 4]


def test_no_such_seat_and_no_running_match(ada, referee):
    match = begun(ada, "pisti", {})
    for nobody in (-1, 2):
        with pytest.raises(CannotReferee, match="no such seat"):
            refereeing.adjudicate(match_id=match.id, by=referee, winner=nobody)
    called_off(match)
    with pytest.raises(MatchNotActive):
        refereeing.adjudicate(match_id=match.id, by=referee, winner=0)
