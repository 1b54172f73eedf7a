"""What a finished match is worth to every seat: three ways to count it, each with sum zero."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, TypeAlias, get_args

from cardroom.arena.errors import BadRequest
from cardroom.research.lineup import Lineup
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Outcome

Reward: TypeAlias = Literal["winners", "places", "margin"]
REWARDS: Final[tuple[Reward, ...]] = get_args(Reward)


def rewards(game: AnyGame, outcome: Outcome, seats: int) -> tuple[float, ...]:
    """From -1 to 1, by who won.

    A single winner has 1 and every other seat an equal part of -1; winners share what they win, and
    a match that all win is worth nothing to anybody. Where points are places, which is where there
    may be a loser only, every place counts.
    """
    if game.points_are_places:
        return by_place(outcome.places)
    share, fair = 1 / len(outcome.winners), 1 / seats
    scale = seats / (seats - 1)
    return tuple(
        ((share if seat in outcome.winners else 0.0) - fair) * scale for seat in range(seats)
    )


def by_place(places: Sequence[int]) -> tuple[float, ...]:
    """1 for each seat that one is ahead of and -1 for each that one is behind, shared by all."""
    others = len(places) - 1
    return tuple(
        sum((mine < place) - (place < mine) for place in places) / others for mine in places
    )


def by_margin(
    game: AnyGame, outcome: Outcome, sides: Sequence[Sequence[int]], seats: int
) -> tuple[float, ...]:
    """The points of the own side less the mean of the others'; fewer are better where points are
    places. Not scaled: a margin has the unit of the game's points.
    """
    sign = -1.0 if game.points_are_places else 1.0
    total = sum(outcome.points)
    of_side = [
        sign * (mine - (total - mine) / (len(outcome.points) - 1)) for mine in outcome.points
    ]
    side_of = {seat: side for side, members in enumerate(sides) for seat in members}
    return tuple(of_side[side_of[seat]] for seat in range(seats))


def worth(lineup: Lineup, outcome: Outcome, reward: Reward) -> tuple[float, ...]:
    """What the match was worth to every seat of the lineup."""
    return _WAYS[reward](lineup, outcome)


def check_reward(reward: str) -> Reward:
    """``BadRequest`` if there is no such way to count."""
    for known in REWARDS:
        if reward == known:
            return known
    raise BadRequest(f"There is no reward {reward!r}; there are: {', '.join(REWARDS)}.")


def _winners(lineup: Lineup, outcome: Outcome) -> tuple[float, ...]:
    return rewards(lineup.game, outcome, len(lineup.setups))


def _places(_lineup: Lineup, outcome: Outcome) -> tuple[float, ...]:
    return by_place(outcome.places)


def _margin(lineup: Lineup, outcome: Outcome) -> tuple[float, ...]:
    sides = lineup.game.sides_of(lineup.options)
    return by_margin(lineup.game, outcome, sides, len(lineup.setups))


_WAYS: Final[Mapping[Reward, Callable[[Lineup, Outcome], tuple[float, ...]]]] = {
    "winners": _winners,
    "places": _places,
    "margin": _margin,
}
