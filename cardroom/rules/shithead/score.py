"""How a game ends and what follows: places, the shed, the next game, the ranking (R3, R18, R19)."""

from collections.abc import Sequence

from msgspec.structs import replace

from cardroom.rules.cards import texts
from cardroom.rules.seats import next_seat
from cardroom.rules.seats import places as places_of
from cardroom.rules.shithead.deal import open_game
from cardroom.rules.shithead.events import GameOver, MatchOver, Remaining, Standing
from cardroom.rules.shithead.state import ShitheadState
from cardroom.rules.steps import StepBuilder
from cardroom.rules.values import Seat


def is_over(state: ShitheadState) -> bool:
    """R18, R19: one seat is left, or the game has reached its limit of turns."""
    limit = state.options.max_turns
    return state.places.count(0) == 1 or (limit is not None and state.turns >= limit)


def finish(state: ShitheadState, step: StepBuilder) -> ShitheadState:
    """Scores a game that is over and deals the next one, or ends the match."""
    shed = sheds(state)
    places = final_places(state, shed)
    remaining = tuple(_remaining(state, seat) for seat in shed)
    step.emit(GameOver(shed=shed, places=places, remaining=remaining))
    scored = replace(
        state,
        phase="over",
        turn=None,
        places=places,
        times_shed=tuple(n + (seat in shed) for seat, n in enumerate(state.times_shed)),
        points=tuple(map(sum, zip(state.points, places, strict=True))),
        last_shed=shed,
    )
    if state.game_no == state.options.games:
        step.emit(MatchOver(standings=standings(scored)))
        return scored
    left = next_seat(shed[0], len(state.hands))
    return open_game(scored, shed[0] if state.options.next_starter == "shed" else left, step)


def cards_left(state: ShitheadState, seat: Seat) -> int:
    slots = state.hidden[seat]
    return len(state.hands[seat]) + len(state.tops[seat]) + len(slots) - slots.count(None)


def sheds(state: ShitheadState) -> tuple[Seat, ...]:
    """R18: the last active seat; R19: the active seats with most cards."""
    active = [seat for seat, place in enumerate(state.places) if not place]
    most = max(cards_left(state, seat) for seat in active)
    return tuple(seat for seat in active if cards_left(state, seat) == most)


def final_places(state: ShitheadState, shed: Sequence[Seat]) -> tuple[int, ...]:
    """R19: those out keep their place, the other active ones follow by fewest cards, sheds last."""
    players = len(state.places)
    gone = players - state.places.count(0)
    active = [seat for seat, place in enumerate(state.places) if not place]

    def place(seat: Seat) -> int:
        if state.places[seat]:
            return state.places[seat]
        if seat in shed:
            return players
        mine = cards_left(state, seat)
        return 1 + gone + sum(1 for other in active if cards_left(state, other) < mine)

    return tuple(map(place, range(players)))


def _remaining(state: ShitheadState, seat: Seat) -> Remaining:
    hidden = [card for card in state.hidden[seat] if card is not None]
    return Remaining(
        seat=seat,
        hand=texts(state.hands[seat]),
        top=texts(state.tops[seat]),
        hidden=texts(hidden),
    )


def match_places(state: ShitheadState) -> tuple[int, ...]:
    """§2 ``games``: fewest times shed, then the lowest sum of places, then shared."""
    return places_of(tuple(zip(state.times_shed, state.points, strict=True)))


def standings(state: ShitheadState) -> tuple[Standing, ...]:
    """The ranking of the match, best first."""
    places = match_places(state)
    return tuple(
        Standing(
            seat=seat,
            place=places[seat],
            times_shed=state.times_shed[seat],
            points=state.points[seat],
        )
        for seat in sorted(range(len(places)), key=places.__getitem__)
    )
