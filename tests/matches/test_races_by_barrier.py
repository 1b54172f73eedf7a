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
from games.idle import ending
from games.idle.ending import NotAbsent
from games.matches import joining, moves, overdue, records, rolling_back, verification
from games.matches.models import Ply, Round
from games.matches.moves import AppliedMove
from games.matches.refusals import (
    MatchNotActive,
    NoWishToTakeBack,
    SeatHandedOver,
    StaleVersion,
    TimeIsUp,
    WantedAlready,
)
from games.matches.selectors.access import Caller
from games.matches.snapshot import MatchSnapshot
from games.matches.time_bank import Clock
from games.operations import refereeing
from tests.matches.scenes import called_off, move, now, opened, played
from tests.rules.short import short_options
from tests.security.test_presses import at_once

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
    """The results of two calls, the one or the other a little ahead."""
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
    """End the turn as the sweep does, at the first moment at which it may."""
    while timezone.now() < match.deadline_at:
        sleep(0.0002)
    overdue.time_out(match_id=match.id)


# Agreements of people, begun at the same moment as their opposite: one winner.
#
# A few rounds here; ``make races`` plays a thousand of each and says who won how often.

A_MATCH = 8  # rounds


def pair(game: str = "pisti", **more) -> MatchSnapshot:
    ada, ben = services.open_guest(), services.open_guest()
    match = opened(ada, "me, open", game, **{"rated": False} | more)
    return joining.join(match_id=match.id, user=ben)


def person(match: MatchSnapshot, seat: int):
    return services.User.objects.get(pk=match.seats[seat].user_id)


def act(service, match: MatchSnapshot, seat: int, **more):
    user, version = person(match, seat), match.version
    return partial(service, match_id=match.id, user=user, version=version, **more)


def rolled_back(match: MatchSnapshot) -> int:
    return Ply.objects.filter(match_id=match.id, move__startswith="rollback").count()


def rounds_of(counts: Counter[str], play) -> None:
    """The rounds in matches of a few each, and every match is sound afterwards."""
    rng = Random(5)
    while counts.total() < ROUNDS:
        match = played(pair(), 2, rng)
        for _ in range(A_MATCH):
            if match.status == "active" and counts.total() < ROUNDS:
                counts[play(match, rng)] += 1
                match = move(now(match)) if now(match).status == "active" else now(match)
        check_match(now(match))


def test_asking_against_a_move():
    counts: Counter[str] = Counter()
    rounds_of(counts, asked_at_once)
    told("Asking against a move", counts)
    assert len(counts) == 2 or ROUNDS < MANY


def asked_at_once(match: MatchSnapshot, rng: Random) -> str:
    mover = Mover(match, rng)
    move_, wish = raced(rng, mover, act(rolling_back.ask_to_take_back, match, 1 - mover.seat))
    after = now(match)
    assert isinstance(move_, AppliedMove)  # asking never keeps a move back
    assert len(mover.plies()) == 1
    if isinstance(wish, StaleVersion | MatchNotActive):
        return "times the move came first"
    assert wish.take_back.version == match.version
    assert after.take_back is None or after.status != "active"  # over with the move
    return "times asking came first"


def test_accepting_against_withdrawing():
    counts: Counter[str] = Counter()
    rounds_of(counts, withdrawn_at_once)
    told("Accepting against withdrawing", counts)
    assert len(counts) == 2 or ROUNDS < MANY


def withdrawn_at_once(match: MatchSnapshot, rng: Random) -> str:
    act(rolling_back.ask_to_take_back, match, 0)()
    before = rolled_back(match)
    accepted, withdrawn = raced(
        rng,
        act(rolling_back.answer_take_back, match, 1, accept=True),
        act(rolling_back.withdraw_take_back, match, 0),
    )
    after = now(match)
    if isinstance(withdrawn, NoWishToTakeBack):
        assert (after.version, after.take_back.status) == (match.version + 1, "accepted")
        assert rolled_back(match) == before + 1
        return "times accepting came first"
    assert isinstance(accepted, NoWishToTakeBack), accepted
    assert (after.version, after.take_back.status) == (match.version, "withdrawn")
    assert rolled_back(match) == before
    return "times withdrawing came first"


def test_accepting_against_a_move():
    counts: Counter[str] = Counter()
    rounds_of(counts, accepted_at_once)
    told("Accepting against a move", counts)
    assert len(counts) == 2 or ROUNDS < MANY


def accepted_at_once(match: MatchSnapshot, rng: Random) -> str:
    mover = Mover(match, rng)
    act(rolling_back.ask_to_take_back, match, mover.seat)()
    before = rolled_back(match)
    move_, accepted = raced(
        rng, mover, act(rolling_back.answer_take_back, match, 1 - mover.seat, accept=True)
    )
    if isinstance(move_, AppliedMove):
        assert isinstance(accepted, NoWishToTakeBack), accepted
        assert (len(mover.plies()), rolled_back(match)) == (1, before)
        return "times the move came first"
    assert isinstance(move_, StaleVersion), move_
    assert (mover.plies(), rolled_back(match)) == ([], before + 1)
    return "times accepting came first"


def test_two_ask_at_once_and_both_answer():
    """They agree once, whoever was first; every round is there once."""
    for number in range(ROUNDS):
        match = played(pair(), 2 + number % 5, Random(number))
        both = at_once(*[act(rolling_back.ask_to_take_back, match, seat) for seat in (0, 1)])
        again = at_once(
            *[act(rolling_back.answer_take_back, match, seat, accept=True) for seat in (0, 1)]
        )
        assert not [one for one in both if isinstance(one, Exception)], both
        assert all(isinstance(one, MatchSnapshot | NoWishToTakeBack) for one in again), again
        assert (rolled_back(match), now(match).version) == (1, match.version + 1)
        assert Round.objects.filter(match_id=match.id, undone_at=None).count() == 1
        check_log(now(match))


def test_claiming_against_coming_back():
    rng, counts = Random(5), Counter()
    for number in range(ROUNDS):
        match = played(pair(rated=bool(number % 2)), number % 4, rng)
        mover = Mover(match, rng)
        other = person(match, 1 - mover.seat)
        end = rng.choice([ending.claim, ending.call_off])
        with time_machine.travel(match.updated_at + timedelta(days=3)):
            move_, ended = raced(rng, mover, partial(end, match_id=match.id, user=other))
        after = now(match)
        if isinstance(move_, AppliedMove):
            assert isinstance(ended, NotAbsent), ended
            assert (after.version, after.status) == (match.version + 1, "active")
            counts["times the person came back first"] += 1
        else:
            assert isinstance(move_, StaleVersion | MatchNotActive), move_
            assert (mover.plies(), after.is_over) == ([], True)
            counts["times the match was ended first"] += 1
        check_match(after)
    told("Claiming against coming back", counts)
    assert len(counts) == 2 or ROUNDS < MANY


def test_claiming_against_calling_off():
    rng, counts = Random(5), Counter()
    for _ in range(ROUNDS):
        match = pair()
        ends = [
            partial(end, match_id=match.id, user=person(match, 1))
            for end in (ending.claim, ending.call_off)
        ]
        with time_machine.travel(match.updated_at + timedelta(days=3)):
            results = raced(rng, *ends)
        refused = [one for one in results if isinstance(one, Exception)]
        assert [type(one) for one in refused] == [MatchNotActive], results
        counts[f"times {now(match).outcome.reason}"] += 1
        check_match(now(match))
    told("Claiming against calling off", counts)
    assert len(counts) == 2 or ROUNDS < MANY


def test_a_move_against_an_empty_bank():
    rng, counts = Random(5), Counter()
    for _ in range(ROUNDS):
        match = played(pair(clock=Clock(60, 2)), rng.randint(0, 6), rng)
        mover, soon = Mover(match, rng), timedelta(seconds=rng.uniform(0, AHEAD))
        with time_machine.travel(match.deadline_at - soon):
            move_, clock = at_once(mover, partial(timed_out, match))
        after = now(match)
        assert clock is None
        if isinstance(move_, AppliedMove):
            assert (len(mover.plies()), after.status) == (1, "active")
            assert after.updated_at < match.deadline_at  # never later than the bank allows
            assert after.banks.left[mover.seat] >= 2000
            counts["times the move came first"] += 1
        else:
            assert isinstance(move_, StaleVersion | MatchNotActive | TimeIsUp), move_
            reason = "aborted" if mover.seat in match.awaited else "timeout"  # a first move
            assert (mover.plies(), after.outcome.reason) == ([], reason)
            counts["times the clock came first"] += 1
        check_match(after)
    told("A move against an empty bank", counts)
    assert len(counts) == 2 or ROUNDS < MANY


def test_asking_again_and_again_at_once():
    """One wish, however often the button is pressed."""
    match = played(pair(), 3)
    results = at_once(*[act(rolling_back.ask_to_take_back, match, 0)] * 4)
    assert not [one for one in results if isinstance(one, WantedAlready | StaleVersion)], results
    assert {one.take_back.at for one in results} == {now(match).take_back.at}
