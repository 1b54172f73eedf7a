"""Creating a tournament: its terms are judged once and fixed.

Anybody who signed up may have so many that are not over; operators have no limits.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.utils import timezone

from accounts.models import User
from accounts.services.locking import locked_accounts
from accounts.suspensions import refusal_of
from cardroom.rules.game import AnyGame
from cardroom.rules.text import Phrase, Words, say
from cardroom.rules.values import Options
from config import club
from games.competitions.models import Tournament
from games.competitions.names import checked_name
from games.competitions.refusals import (
    BadTournament,
    GuestsHoldNoTournaments,
    KeyOfAnotherTournament,
    TooManyTournaments,
)
from games.competitions.rules.standings import ARENA, FORMS, ROUND_ROBIN, SWISS
from games.competitions.selectors import OPEN, RIGHT
from games.lobby.paces import Pace, find_pace
from games.matches.seating import opening
from games.mirrored import terms as mirrored
from games.mirrored.order import LEAST_PAIRS

SEATS: Final = 2
MOST_PLAYERS: Final = 64
MOST_OF_OPERATORS: Final = 1024
MOST_ALL_AGAINST_ALL: Final = 16
MOST_ROUNDS: Final = 15
MOST_COMPUTERS: Final = 16
ARENA_MINUTES: Final = (10, 180)
MOST_ROUND_MINUTES: Final = 60 * 24 * 60
LATEST: Final = timedelta(days=90)
BY_HAND_WAITS: Final = timedelta(days=1)
TERMS: Final = (
    *("name", "form", "visibility", "game", "preset", "options", "pace", "rated", "pairs"),
    *("rounds", "minutes", "most", "fill_to", "by_hand", "starts_at"),
)


@dataclass(frozen=True)
class Terms:
    """What a tournament is to be. ``starts_at``: none is now, or with ``by_hand`` the host's word.

    ``round_minutes``: none is as long as matches of this pace may take. ``mirrored``: each board is
    a set of so many ``pairs``, of the fewest without.
    """

    name: str
    form: str
    game: str
    pace: str
    preset: str | None = None
    options: Mapping[str, Any] | None = None
    visibility: str = Tournament.Visibility.PUBLIC.value
    rated: bool = True
    mirrored: bool = False
    pairs: int | None = None
    rounds: int | None = None
    minutes: int | None = None
    round_minutes: int | None = None
    most: int = MOST_ALL_AGAINST_ALL
    fill_to: int = 0
    starts_at: datetime | None = None
    by_hand: bool = False


def create(*, creator: User, terms: Terms, key: str | None = None) -> Tournament:
    """The tournament; the same ``key`` again gives the one that it made."""
    if creator.is_guest:
        raise GuestsHoldNoTournaments
    club.check_who("tournaments", creator)
    free = creator.has_perm(RIGHT)
    made = _row(creator, terms, key, free=free)
    with locked_accounts(creator.pk) as active:
        if creator.pk not in active:
            raise refusal_of(creator.pk)
        if before := _answered(made):
            return before
        _judge_limit(creator.pk, free=free)
        made.save(force_insert=True)
    return made


def _answered(made: Tournament) -> Tournament | None:
    if made.key is None:
        return None
    before = Tournament.objects.filter(creator=made.creator_id, key=made.key).first()
    if before is not None and _terms(before) != _terms(made):
        raise KeyOfAnotherTournament
    return before


def _terms(row: Tournament) -> list[object]:
    """Without the moment where one that begins at once was asked for."""
    values = [getattr(row, name) for name in TERMS if name != "starts_at"]
    return [bytes(one) if isinstance(one, memoryview) else one for one in values]


def _judge_limit(creator: UUID, *, free: bool) -> None:
    most = settings.LIMITS["tournaments"]
    if not free and Tournament.objects.filter(creator=creator, status__in=OPEN).count() >= most:
        raise TooManyTournaments(limit=most)


def _row(creator: User, terms: Terms, key: str | None, *, free: bool) -> Tournament:
    pace = _pace(terms.pace)
    game, options = opening.find_terms(terms.game, terms.options, terms.preset, pace.clock)
    faults = list(_faults(terms, seats=game.seats(options), free=free))
    name = checked_name(terms.name)
    if faults:
        raise BadTournament(faults[0], faults=faults)
    pairs = _pairs(terms, game, options)
    return Tournament(
        name=name,
        creator=creator,
        form=terms.form,
        visibility=terms.visibility,
        game=game.slug,
        rules_version=game.rules_version,
        preset=terms.preset or "",
        options=msgspec.json.encode(options),
        pace=pace.slug,
        rated=terms.rated and pairs is None,  # whoever remembers a deal knows the cards of its twin
        pairs=pairs,
        rounds=terms.rounds if terms.form == SWISS else None,
        minutes=(terms.minutes or 60) if terms.form == ARENA else None,
        round_minutes=terms.round_minutes or longest(pace, 2 * (pairs or 0) or 1),
        most=terms.most,
        fill_to=terms.fill_to,
        starts_at=terms.starts_at
        or timezone.now() + (BY_HAND_WAITS if terms.by_hand else timedelta()),
        by_hand=terms.by_hand,
        key=key,
    )


def _pace(slug: str) -> Pace:
    try:
        return find_pace(slug)
    except KeyError:
        raise BadTournament(say("There is no pace {pace}.", pace=repr(slug))) from None


def _pairs(terms: Terms, game: AnyGame, options: Options) -> int | None:
    """Raises CannotBeMirrored."""
    if not terms.mirrored:
        return None
    pairs = LEAST_PAIRS if terms.pairs is None else terms.pairs
    mirrored.judge(game, options, ())
    mirrored.judge_pairs(pairs)
    return pairs


def longest(pace: Pace, matches: int = 1) -> int:
    """Minutes after which a round is decided: enough for its matches, and for some absence."""
    if pace.clock is not None:
        one = 2 * pace.clock.bank // 60 + 30
    else:
        one = 60 if pace.is_live else 7 * (pace.turn_seconds or 60) // 60
    return one if matches == 1 else min(one * matches, MOST_ROUND_MINUTES)


def _faults(terms: Terms, *, seats: int, free: bool) -> Iterator[Words]:
    if seats != SEATS:
        yield say("Tournaments are played by two at a table.")
    if terms.form not in FORMS or terms.visibility not in Tournament.Visibility.values:
        yield say("There is no such form of tournament.")
    if terms.form == ARENA and not _pace(terms.pace).is_live:
        yield say("An arena is played at one sitting.")
    if terms.form == ARENA and terms.mirrored:
        yield say(
            "An arena is not mirrored: it pairs the players who are free, and a set takes long."
        )
    if terms.pairs is not None and not terms.mirrored:
        yield say("Only a mirrored tournament has pairs of matches.")
    yield from _faults_of_numbers(terms, free=free)
    now = timezone.now()
    if terms.starts_at and not now - timedelta(minutes=5) <= terms.starts_at <= now + LATEST:
        yield say("A tournament begins within the next {days} days.", days=LATEST.days)


def _faults_of_numbers(terms: Terms, *, free: bool) -> Iterator[Phrase]:
    most = MOST_OF_OPERATORS if free else MOST_PLAYERS
    if terms.form == ROUND_ROBIN and not free:
        most = MOST_ALL_AGAINST_ALL
    if not 2 <= terms.most <= most:
        yield say("It has places for {least} to {most} players.", least=2, most=most)
    computers = MOST_OF_OPERATORS if free else MOST_COMPUTERS
    if not 0 <= terms.fill_to <= min(terms.most, computers):
        bound = min(max(terms.most, 0), computers)
        yield say("Computers fill it up to {most} players at most.", most=bound)
    if terms.rounds is not None and not 1 <= terms.rounds <= MOST_ROUNDS:
        yield say("It has {least} to {most} rounds.", least=1, most=MOST_ROUNDS)
    shortest, longest_arena = ARENA_MINUTES
    shortest = 1 if free else shortest
    if terms.minutes is not None and not shortest <= terms.minutes <= longest_arena:
        yield say("An arena takes {least} to {most} minutes.", least=shortest, most=longest_arena)
    if terms.round_minutes is not None and not 1 <= terms.round_minutes <= MOST_ROUND_MINUTES:
        yield say("A round takes a minute to 60 days.")
