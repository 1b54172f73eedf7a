"""How well a match of the day went: a number, the higher the better."""

import msgspec

from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options, Outcome
from games.matches.selectors.log import standing_entries
from games.matches.snapshot import MatchSnapshot

PERSON = 0  # the seat of the person
NOT_PLAYED_OUT = ("aborted", "resigned", "timeout")


def reason_of(outcome: bytes | memoryview) -> str:
    """Why a match ended, by the column of its outcome."""
    return msgspec.json.decode(bytes(outcome), type=Outcome).reason


def score_of(match: MatchSnapshot) -> int | None:
    """``None`` where the person did not play it to its end."""
    seat, outcome = match.seats[PERSON], match.outcome
    given_up = seat.resigned_at is not None or bool(seat.stand_in)
    if outcome is None or outcome.reason in NOT_PLAYED_OUT or given_up:
        return None
    return score(match.rules, match.options, outcome)


def has_feat(match: MatchSnapshot) -> bool | None:
    """Whether the person did what gives a title; ``None`` in a game without such a thing."""
    daily = match.rules.daily
    if daily is None or daily.feat is None:
        return None
    feat = daily.feat.event
    return any(
        isinstance(event, feat) and getattr(event, "seat", None) == PERSON
        for entry in standing_entries(match)
        for event in entry.events
    )


def score(game: AnyGame, options: Options, outcome: Outcome) -> int:
    """Of the first seat: the margin in points; where points are places, how many were beaten."""
    if game.points_are_places:
        return sum(place > outcome.places[PERSON] for place in outcome.places)
    sides = game.sides_of(options)
    own = next(n for n, side in enumerate(sides) if PERSON in side)
    return outcome.points[own] - max(p for n, p in enumerate(outcome.points) if n != own)
