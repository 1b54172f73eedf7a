"""A move against a roll-back, and against the clock, begun at the same moment by a barrier.

A few rounds here; ``make races`` plays a thousand of each and says who won how often.
"""

import os
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from random import Random
from time import sleep

import pytest
import time_machine
from django.utils import timezone

from accounts import services
from accounts.audit.log import Actor
from cardroom.rules import catalog, course, record
from games.matches import moves, overdue, records, verification
from games.matches.models import Ply, Round
from games.matches.moves import AppliedMove
from games.matches.refusals import MatchNotActive, SeatHandedOver, StaleVersion, TimeIsUp
from games.matches.selectors.access import Caller
from games.matches.snapshot import MatchSnapshot
from games.operations import refereeing
from tests.matches.scenes import called_off, now, opened, played
from tests.rules.short import short_options
from tests.security.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = int(os.environ.get("RACES", "4"))
MANY = 100  # rounds in which each of two comes first at least once
GAMES = [game.slug for game in catalog.GAMES]
ROUNDS_A_MATCH = 6
AHEAD = 0.012  # seconds that one of the two may begin before the other, so that either wins
TIMED_OUT = ("resign", "bot_takes_over", "bot_move")


@dataclass
class Mover:
    """The person's move of a round: for one version, with a key of its own."""

    match: MatchSnapshot
    rng: Random

    def __post_init__(self) -> None:
        match = self.match
        self.seat = self.rng.choice(match.people_to_act)
        self.text = self.rng.choice(match.rules.legal_moves(match.state, self.seat))
        self.key = f"race {match.version}"

    def __call__(self) -> AppliedMove:
        caller = Caller(user=self.match.seats[self.seat].user_id)
        version = self.match.version
        return moves.play(
            match_id=self.match.id,
            caller=caller,
            move=self.text,
            version=version,
            seat=self.seat,
            key=self.key,
        )

    def plies(self) -> list[Ply]:
        return list(Ply.objects.filter(match_id=self.match.id, key=self.key))


def late(call, seconds: float):
    sleep(max(0, seconds))
    return call()


def raced(rng: Random, one, other):
    """What came of each, the one or the other a little ahead."""
    ahead = rng.uniform(-AHEAD, AHEAD)
    return at_once(partial(late, one, ahead), partial(late, other, -ahead))


def check_log(match: MatchSnapshot) -> None:
    """Nothing is lost and nothing is there twice."""
    versions = Ply.objects.filter(match_id=match.id).values_list("version", flat=True)
    assert sorted(versions) == list(range(match.version + 1))


def check_match(match: MatchSnapshot) -> None:
    check_log(match)
    assert list(verification.faults(match)) == []
    over = match if match.is_over else now(called_off(match))
    assert record.verify(record.write(records.of(over))) is None


def told(name: str, counts: Counter[str]) -> None:
    print(f"{name}: {counts.total()} rounds, " + ", ".join(f"{n} {w}" for w, n in counts.items()))


def test_a_move_against_a_roll_back():
    ada, rng, counts = services.open_guest(), Random(5), Counter()
    referee = Actor.of(services.open_guest(), "The table froze.")
    while counts.total() < ROUNDS:
        game = GAMES[counts.total() // ROUNDS_A_MATCH % len(GAMES)]
        options = rng.choice([{}, short_options(catalog.find(game))])
        match = played(opened(ada, "me, local Twin", game, options=options), rng.randint(0, 9), rng)
        for _ in range(ROUNDS_A_MATCH):
            if match.status == "active" and counts.total() < ROUNDS:
                counts[rolled_back_at_once(match, referee, rng)] += 1
                match = played(now(match), now(match).version + rng.randint(0, 3), rng)
        check_match(match)
    told("A move against a roll-back", counts)
    assert len(counts) == 2 or ROUNDS < MANY


def rolled_back_at_once(match: MatchSnapshot, referee: Actor, rng: Random) -> str:
    mover, number = Mover(match, rng), rng.randint(1, match.round)
    back = partial(refereeing.roll_back, match_id=match.id, by=referee, round=number)
    move, rolled = raced(rng, mover, back)
    after, undo = now(match), course.move_of(number)
    if isinstance(rolled, MatchNotActive):  # the move had ended the match
        assert after.is_over
        assert [ply.version for ply in mover.plies()] == [after.version] == [match.version + 1]
        return "times the move came first"
    assert rolled == f"Round {number} was dealt again."
    (ply,) = Ply.objects.filter(match_id=match.id, version__gt=match.version, seat=None)
    assert (ply.move, ply.version) == (undo, after.version)
    opened_again = Round.objects.get(match_id=match.id, number=number, undone_at=None)
    assert opened_again.opening_version == after.version
    if isinstance(move, AppliedMove):  # then it was undone
        assert [ply.version for ply in mover.plies()] == [match.version + 1]
        assert after.version == match.version + 2
        return "times the move came first"
    assert isinstance(move, StaleVersion)
    assert (mover.plies(), after.version) == ([], match.version + 1)
    return "times the roll-back came first"


def test_a_move_against_the_clock():
    ada, rng, counts = services.open_guest(), Random(5), Counter()
    for number in range(ROUNDS):
        game, what = GAMES[number % len(GAMES)], TIMED_OUT[number // len(GAMES) % len(TIMED_OUT)]
        counts[timed_out_at_once(in_time(ada, game, what, rng), rng)] += 1
    told("A move against the clock", counts)
    assert len(counts) == 2 or ROUNDS < MANY


def in_time(ada, game: str, what: str, rng: Random) -> MatchSnapshot:
    """A match with a limit; where all exchange, nobody has new time for a swap (Shithead R5)."""
    options = {"exchange": False} if game == "shithead" else {}
    limit = {"turn_seconds": 60, "on_timeout": what, "options": options}
    return played(opened(ada, "me, local Twin", game, **limit), rng.randint(0, 6), rng)


def timed_out_at_once(match: MatchSnapshot, rng: Random) -> str:
    mover, soon = Mover(match, rng), timedelta(seconds=rng.uniform(0, AHEAD))
    with time_machine.travel(match.deadline_at - soon):
        move, clock = at_once(mover, partial(timed_out, match))
        after = now(match)
        assert clock is None
        made = Ply.objects.filter(match_id=match.id, version__gt=match.version, seat=mover.seat)
        handed = bool(after.seats[mover.seat].stand_in)
        clocked = handed or made.filter(key=None).exists()
        if isinstance(move, AppliedMove):
            assert (len(mover.plies()), made.count(), clocked) == (1, 1, False)
        else:
            assert isinstance(move, StaleVersion | MatchNotActive | SeatHandedOver | TimeIsUp)
            assert (mover.plies(), made.count(), clocked) == ([], not handed, True)
        check_match(after)
    return "times the clock came first" if clocked else "times the move came first"


def timed_out(match: MatchSnapshot) -> None:
    """What the sweep does, at the first moment at which it may."""
    while timezone.now() < match.deadline_at:
        sleep(0.0002)
    overdue.time_out(match_id=match.id)
