"""Every match ends, with any number of seats and any options, and adds up."""

from random import Random
from typing import Final

from cardroom.contract.playing.luck import Luck, any_options, seed
from cardroom.contract.playing.sitting import Sitting, begun, scratch
from cardroom.contract.reporting.check import Broken, check, require, same
from cardroom.rules.errors import MalformedMove, MoveRefused, NotYourTurn
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Move, Options, Seat

MOST_PLIES: Final = 200_000
FEW_SEATS: Final = 6


def played_out(game: AnyGame, options: Options, number: int) -> Sitting:
    """A random match by this seed; fails when it does not end."""
    sitting = Sitting.begun(game, options, number).play_on(Random(number), MOST_PLIES)
    over = game.outcome(sitting.state) is not None
    what = f"{game.name} with {options} and seed {number}"
    require(over, f"{what} is not over after {MOST_PLIES:,} plies")
    same(game.to_act(sitting.state), (), "who is to act after the end")
    return sitting


@check("The default match and every preset end.")
def the_default_match_and_every_preset_end(game: AnyGame, _luck: Luck) -> None:
    for number, options in enumerate([game.options(), *game.presets.values()]):
        played_out(game, options, number)


@check("A match ends with every number of seats.", examples=3, shrinks=False)
def a_match_of_any_number_of_seats_ends(game: AnyGame, luck: Luck) -> None:
    few = range(game.min_seats, min(game.max_seats, FEW_SEATS) + 1)
    more = luck.number(game.min_seats, game.max_seats)
    for seats in sorted({*few, more, game.max_seats}):
        options = any_options(game, luck, players=seats) if _has_players(game) else None
        played_out(game, options or any_options(game, luck), seed(luck))


def _has_players(game: AnyGame) -> bool:
    return "players" in game.options.__struct_fields__


@check("An outcome adds up: points are the sums of the rounds, the first place wins.", examples=12)
def an_outcome_adds_up(game: AnyGame, luck: Luck) -> None:
    sitting = begun(game, luck).play_on(Random(seed(luck)), 4000)
    outcome = game.outcome(sitting.state)
    if outcome is None:
        return
    points = [sum(column) for column in zip(*sitting.scores, strict=True)]
    same(list(outcome.points), points, "points, and the sum of the rounds' scores")
    require(len(outcome.places) == len(sitting.setups), f"places {outcome.places}: not one a seat")
    first = tuple(s for s, place in enumerate(outcome.places) if place == 1)
    same(outcome.winners, first, "winners, and the seats in the first place")
    require(first, f"nobody has the first place: {outcome.places}")
    for side in sitting.sides:
        apart = {outcome.places[seat] for seat in side}
        require(len(apart) == 1, f"the side {side} has the places {sorted(apart)}")


@check("A malformed move is refused as such before the turn is asked for; no move follows the end.")
def nothing_is_played_after_the_end(game: AnyGame, _luck: Luck) -> None:
    sitting = played_out(game, game.options(), 3)
    _, last = sitting.rounds[-1]["moves"][-1].split(" ", 1)
    for seat in range(len(sitting.setups)):
        _is_refused(game, sitting, seat, "no such move", MalformedMove)
        _is_refused(game, sitting, seat, last, NotYourTurn)


def _is_refused(
    game: AnyGame, sitting: Sitting, seat: Seat, move: Move, cause: type[MoveRefused]
) -> None:
    try:
        game.play(sitting.state, seat, move, scratch())
    except cause:
        return
    except MoveRefused as other:
        raise Broken(
            f"{move!r} of seat {seat}: {type(other).__name__}, not {cause.__name__}"
        ) from other
    raise Broken(f"{move!r} of seat {seat} is accepted after the end")
