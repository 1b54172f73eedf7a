"""Opening a match: game, options, seats and limits are checked, then it is written and started."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from accounts.models import User
from cardroom.rules import catalog
from cardroom.rules import values as errors
from cardroom.rules.game import AnyGame
from cardroom.rules.text import Words, one_after_the_other, say
from cardroom.rules.values import Options
from config import club
from games.matches.models import Match, Seat, SharedDeal
from games.matches.refusals import BadOptions, BadSeats, CannotBeRated, UnknownGame
from games.matches.seating.rating import confirm, settle
from games.matches.seating.seats import SeatRequest, seat_from_request, sit_down
from games.matches.seating.starting import write_new
from games.matches.snapshot import MatchSnapshot
from games.matches.time_bank import (
    LEAST_BANK,
    MOST_BANK,
    MOST_INCREMENT,
    Clock,
    is_in_bounds,
)

LONGEST_DELAY = 20  # plies
SHORTEST_TURN = 10
LONGEST_TURN = 14 * 24 * 3600


def open_match(
    *,
    creator: User,
    game: str,
    seats: Sequence[SeatRequest],
    options: Mapping[str, Any] | None = None,
    preset: str | None = None,
    visibility: str = Match.Visibility.UNLISTED,
    turn_seconds: int | None = None,
    clock: Clock | None = None,
    on_timeout: str | None = None,
    together: Sequence[User] = (),
    rated: bool = True,
    only_rated: bool = False,
    watch_delay: int = 0,
    arranged: bool = False,
    answer_by: datetime | None = None,
    deal: SharedDeal | None = None,
) -> MatchSnapshot:
    """Opens a match and starts it if nobody is missing; raises ``Refusal`` by cause.

    ``turn_seconds`` limits each move, ``clock`` gives everybody a bank for the whole match.
    ``on_timeout`` says what happens when the time is up: a late player resigns, unless a
    bot plays on instead; then the match is not rated. ``together`` are people who asked for this
    match as the creator did; they take the open seats in order, or raise ``CannotSit``. Those who
    look on see it ``watch_delay`` plies later. ``rated``: where it can be;
    ``only_rated``: else nobody opens or joins it (``CannotBeRated``).
    One that is ``arranged`` was asked for by nobody: a tournament opens it, and it counts against
    nobody's limits. With ``answer_by`` it is a challenge: it is called off by a no, or then.
    With a ``deal`` it is mirrored: another match is dealt from it too.
    """
    rules = _game(game)
    chosen = _terms(rules, options, preset, _faults_of_clock(turn_seconds, clock, on_timeout))
    at_zero = on_timeout or Match.OnTimeout.RESIGN.value
    _check_count(rules, chosen, seats)
    rows = [seat_from_request(rules, chosen, creator, seat, n) for n, seat in enumerate(seats)]
    free = [seat for seat in rows if seat.kind == Seat.Kind.OPEN and seat.invited_id is None]
    for seat, person in zip(free, together, strict=False):
        sit_down(rules, chosen, seat, person)
    if not arranged and not club.may("rated", creator):
        if only_rated:
            raise CannotBeRated(say("Not everybody may open rated matches here."))
        rated = False
    row = Match(
        game=rules.slug,
        rules_version=rules.rules_version,
        options=msgspec.json.encode(chosen),
        creator=creator,
        visibility=visibility,
        turn_seconds=turn_seconds,
        clock=clock.encode() if clock else None,
        on_timeout=at_zero,
        watch_delay=watch_delay,
        rated_wish=only_rated or (None if rated else False),
        answer_by=answer_by,
        **_sealed_by(deal),
    )
    settle(row, rows)
    return confirm(write_new(row, rows, limited=not arranged))


def _sealed_by(deal: SharedDeal | None) -> dict[str, Any]:
    return {"deal": deal, "seed": deal.salted_seed} if deal else {}


def open_harder(match: MatchSnapshot, user: User, bot: str) -> MatchSnapshot:
    """The same rules once more for the same player, against this bot on every other seat."""
    return open_match(
        creator=user,
        game=match.game,
        seats=[
            SeatRequest("me") if seat.user_id == user.id else SeatRequest("bot", bot=bot)
            for seat in match.seats
        ],
        options=msgspec.to_builtins(match.options),
        visibility=match.visibility,
        turn_seconds=match.turn_seconds,
        clock=match.banks.terms if match.banks else None,
    )


def find_terms(
    game: str,
    options: Mapping[str, Any] | None,
    preset: str | None,
    clock: Clock | None = None,
) -> tuple[AnyGame, Options]:
    """The game of this name and what these options come to; raises UnknownGame, BadOptions."""
    rules = _game(game)
    return rules, _terms(rules, options, preset, _faults_of_clock(None, clock, None))


def _game(slug: str) -> AnyGame:
    try:
        return catalog.find(slug)
    except KeyError:
        known = ", ".join(game.slug for game in catalog.GAMES)
        raise UnknownGame(
            say("There is no game {slug}; there are: {known}.", slug=repr(slug), known=known)
        ) from None


def _terms(
    game: AnyGame,
    values: Mapping[str, Any] | None,
    preset: str | None,
    faults_of_clock: Iterator[tuple[str, Words]],
) -> Options:
    """The options of the game; the refusal names every fault of them and of the clock."""
    faults: Sequence[Words] = ()
    fields = dict(faults_of_clock)
    try:
        options: Options = game.choose_options(values, preset)
    except errors.BadOptions as error:
        faults, fields = error.faults, error.fields | fields
    if not fields and not faults:
        return options
    named = list({str(fault): fault for fault in (*faults, *fields.values())}.values())
    by_field = {name: [fault] for name, fault in fields.items()}
    raise BadOptions(one_after_the_other(named), faults=named, fields=by_field)


def _faults_of_clock(
    seconds: int | None, clock: Clock | None, on_timeout: str | None
) -> Iterator[tuple[str, Words]]:
    if clock is not None:
        yield from _faults_of_banks(seconds, clock, on_timeout)
    elif seconds is None and on_timeout not in (None, Match.OnTimeout.RESIGN):
        yield "on_timeout", say("What happens when the time is up needs a time for a move.")
    if seconds is not None and not SHORTEST_TURN <= seconds <= LONGEST_TURN:
        fault = say(
            "The time for a move is {least} to {most} seconds, not {seconds}.",
            least=SHORTEST_TURN,
            most=LONGEST_TURN,
            seconds=seconds,
        )
        yield "turn_seconds", fault


def _faults_of_banks(
    seconds: int | None, clock: Clock, on_timeout: str | None
) -> Iterator[tuple[str, Words]]:
    if seconds is not None:
        yield "clock", say("A match has a time for each move or a clock for all of them, not both.")
    elif not is_in_bounds(clock):
        fault = say(
            "A clock has a bank of {least} to {most} seconds and adds 0 to {increment} a move.",
            least=LEAST_BANK,
            most=MOST_BANK,
            increment=MOST_INCREMENT,
        )
        yield "clock", fault
    if on_timeout == Match.OnTimeout.BOT_MOVE:
        yield "on_timeout", say("A bank that is empty stays empty: let the computer play on.")


def _check_count(game: AnyGame, options: Options, seats: Sequence[SeatRequest]) -> None:
    wanted = game.seats(options)
    if len(seats) != wanted:
        raise BadSeats(
            say(
                "With these options {game} has {wanted} seats, not {n}.",
                game=game.name,
                wanted=wanted,
                n=len(seats),
            )
        )
    if sum(seat.kind == "me" for seat in seats) > 1:
        raise BadSeats("You can take one seat yourself; name the others who sit at your device.")
    invited = [seat.username.lower() for seat in seats if seat.username]
    if len(set(invited)) < len(invited):
        raise BadSeats("Nobody can be invited to two seats of one match.")
