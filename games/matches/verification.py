"""State, log and round openings prove each other: a match played again, compared byte for byte."""

from collections.abc import Iterator

import msgspec

from cardroom.rules.course import RESIGN, target_of
from cardroom.rules.shuffles import RecordingShuffle, Sealed
from cardroom.rules.values import Resigned, RulesError
from games.matches.folded import folded_plies
from games.matches.models import Ply, Round
from games.matches.selectors.history import history_until, round_and_points_at, seat_at
from games.matches.selectors.lineage import NEWEST, rounds_of_match, standing_rounds
from games.matches.snapshot import MatchSnapshot, Progress
from games.matches.transition import Opening, RoundChange, Transition

_TIMES = {
    "clock_json",
    "bot_due_at",
    "deadline_at",
    "updated_at",
    "finished_at",
}  # they follow from a clock, not from moves
_NOT_PLAYED = {
    "open": {"status", "to_act"},  # it was loaded and waits for its other players
    "aborted": {"status", "to_act", "outcome_json"},  # calling a match off is no move
}


def faults(match: MatchSnapshot) -> Iterator[str]:
    """Faults: what is stored but does not follow from the seed and the moves."""
    if match.state_json is None:
        return
    transition = Transition(_beginning(match))
    if match.loaded is None:
        yield from _deal_faults(match)
    for ply in _plies(match):
        if ply.version != transition.version + 1:
            yield f"Ply {transition.version + 1} is missing."
            return
        if ply.seat is None:
            yield from _undone_faults(transition, ply.version)
        try:
            _replay(transition, ply)
        except RulesError as error:
            yield f"Ply {ply.version} is refused by the rules: {error}"
            return
        again = transition.plies[-1]
        if again.events_json != bytes(ply.events):
            yield f"Ply {ply.version} has other events than the rules give."
        if _plain(again.decks_json) != _plain(ply.decks):
            yield f"Ply {ply.version} has other decks than the seed gives."
    yield from _end_faults(match, transition)


def _beginning(match: MatchSnapshot) -> MatchSnapshot:
    """The match when its own cards were dealt: at its start, or where it was loaded."""
    version = match.parent_version or 0
    if match.loaded is not None:
        state = match.rules.decode_state(match.loaded.state.encode())
        number, points = round_and_points_at(match, version)
        used = len(match.loaded.moved)
    else:
        sealed = Sealed(match.seed)
        state = match.rules.start(match.options, match.setups, sealed).state
        number, points, used = 1, [0] * len(match.sides), sealed.used
    progress = Progress(
        version=version,
        round=number,
        to_act=list(match.rules.to_act(state)),
        state_json=msgspec.json.encode(state),
        shuffles_used=used,
        status="active",
        outcome_json=None,
        bot_due_at=None,
        deadline_at=None,
        updated_at=match.started_at or match.created_at,
        finished_at=None,
        clock_json=None,
    )
    seats = [seat_at(match, seat, version, points) for seat in match.seats]
    return match.advanced(progress, seats, state=state)


def _plies(match: MatchSnapshot) -> Iterator[Ply]:
    since = match.parent_version or 0
    plies = Ply.objects.filter(match_id=match.id, version__gt=since).order_by("version")
    yield from plies.iterator(chunk_size=1000)
    yield from folded_plies(match.id, since, NEWEST)


def _replay(transition: Transition, ply: Ply) -> None:
    if ply.seat is None:
        _roll_back(transition, ply)
        return
    if ply.move == RESIGN:
        transition.resign(ply.seat, timed_out=_is_timed_out(transition.match, ply))
    else:
        transition.play(ply.seat, ply.move)


def _roll_back(transition: Transition, ply: Ply) -> None:
    number, match = target_of(ply.move), transition.match
    undone = (one for one in rounds_of_match(match) if one.undone_at == ply.version)
    was = next((one for one in undone if number and one.number == number), None)
    if was is None:
        raise RulesError("nobody made it.")
    transition.roll_back(opening_of(match, was))


def _undone_faults(transition: Transition, version: int) -> Iterator[str]:
    """Faults of the rounds that a roll-back undid, which nothing else looks at."""
    for kept in rounds_of_match(transition.match):
        if kept.undone_at != version:
            continue
        again = transition.rounds.get(kept.number)
        if again is not None and again.opening_state_json is not None:
            yield from _opening_faults(kept, again)
        if again is not None and kept.scores != again.scores:
            yield f"Round {kept.number}, undone since, has other scores than the rules give."


def opening_of(match: MatchSnapshot, round_: Round) -> Opening:
    """A stored opening to roll back to."""
    version = round_.opening_version
    return Opening(
        number=round_.number,
        version=version,
        state=match.rules.decode_state(bytes(round_.opening_state)),
        past=history_until(match, version),
        points=round_and_points_at(match, version)[1],
    )


def _is_timed_out(match: MatchSnapshot, ply: Ply) -> bool:
    events = match.rules.decode_events(bytes(ply.events))
    return any(isinstance(event, Resigned) and event.timed_out for event in events)


def _deal_faults(match: MatchSnapshot) -> Iterator[str]:
    shuffle = RecordingShuffle(Sealed(match.seed))
    step = match.rules.start(match.options, match.setups, shuffle)
    stored = Ply.objects.filter(match_id=match.id, version=0).first()
    first = stored or next(iter(folded_plies(match.id, -1, 0)), None)
    if first is None or bytes(first.events) != msgspec.json.encode(step.events):
        yield "The first deal is not the one that the seed gives."
    opening = next((one for one in rounds_of_match(match) if one.opening_version == 0), None)
    if opening is None or bytes(opening.opening_state) != msgspec.json.encode(step.state):
        yield "Round 1 did not open with the state that the seed gives."
    elif bytes(opening.decks) != msgspec.json.encode(shuffle.decks):
        yield "Round 1 has other decks than the seed gives."


def _end_faults(match: MatchSnapshot, transition: Transition) -> Iterator[str]:
    after = transition.progress(match.updated_at)
    not_played = _TIMES | _NOT_PLAYED.get(match.status, set())
    for name in [name for name in Progress.__struct_fields__ if name not in not_played]:
        if _plain(getattr(after, name)) != _plain(getattr(match, name)):
            yield f"The match's {name.removesuffix('_json')} does not follow from its moves."
    if match.status != "aborted" and tuple(transition.seats) != match.seats:
        yield "The match's seats do not follow from its moves."
    yield from _round_faults(match, transition)


def _round_faults(match: MatchSnapshot, transition: Transition) -> Iterator[str]:
    stored = {r.number: r for r in standing_rounds(match, match.version)}
    if sorted(stored) != list(range(1, match.round + 1)):
        yield f"The rounds stored are {sorted(stored)}, not 1 to {match.round}."
    for number, again in transition.rounds.items():
        kept = stored.get(number)
        if kept is None:
            continue
        if again.opening_state_json is not None:
            yield from _opening_faults(kept, again)
        if kept.scores != again.scores:
            yield f"Round {number} has other scores than the rules give."


def _opening_faults(kept: Round, again: RoundChange) -> Iterator[str]:
    if bytes(kept.opening_state) != again.opening_state_json:
        yield f"Round {kept.number} did not open with the state that follows from the moves."
    if bytes(kept.decks) != again.decks_json:
        yield f"Round {kept.number} has other decks than the seed gives."
    if kept.opening_version != again.opening_version:
        yield f"Round {kept.number} began at version {again.opening_version}."


def _plain(value: object) -> object:
    if isinstance(value, memoryview):
        return bytes(value)
    return list(value) if isinstance(value, tuple) else value
