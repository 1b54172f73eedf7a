"""How a game ends and what follows: places, the shed, the next game, the ranking (R3, R18, R19)."""

from collections.abc import Sequence

from msgspec.structs import replace

from games.rules.cards import texts
from games.rules.shithead.dealing import open_game
from games.rules.shithead.events import GameOver, MatchOver, Remaining, Standing
from games.rules.shithead.state import ShitheadState
from games.rules.shuffles import Shuffle
from games.rules.values import Event, Outcome, Seat


def is_over(state: ShitheadState) -> bool:
    """R18, R19: one seat is left, or the game has reached its limit of turns."""
    limit = state.options.max_turns
    return state.places.count(0) == 1 or (limit is not None and state.turns >= limit)


def close(state: ShitheadState, shuffle: Shuffle) -> tuple[ShitheadState, list[Event]]:
    """Scores a game that is over and deals the next one, or ends the match."""
    players = len(state.hands)
    shed = sheds(state)
    places = final_places(state, shed)
    remaining = tuple(_remaining(state, seat) for seat in shed)
    events: list[Event] = [GameOver(shed, places, remaining)]
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
        return scored, [*events, MatchOver(standings(scored))]
    first = shed[0] if state.options.next_starter == "shed" else (shed[0] + 1) % players
    opened, opening = open_game(
        state.options,
        shuffle,
        state.game_no + 1,
        first,
        scored.times_shed,
        scored.points,
        shed,
    )
    return opened, events + opening


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
    return Remaining(seat, texts(state.hands[seat]), texts(state.tops[seat]), texts(hidden))


def standings(state: ShitheadState) -> tuple[Standing, ...]:
    """§2 ``games``: fewest times shed, then the lowest sum of places, then shared; best first."""
    merits = list(zip(state.times_shed, state.points, strict=True))
    ranked = sorted(range(len(merits)), key=lambda seat: (merits[seat], seat))
    return tuple(
        Standing(seat, 1 + sum(1 for other in merits if other < merits[seat]), *merits[seat])
        for seat in ranked
    )


def outcome(state: ShitheadState) -> Outcome | None:
    if state.phase != "over":
        return None
    places = [0] * len(state.places)
    for standing in standings(state):
        places[standing.seat] = standing.place
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    return Outcome(winners, state.points, "games", tuple(places))
