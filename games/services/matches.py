"""Opening, joining and leaving matches, up to the first deal; and playing the same again."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from games import announce, selectors
from games.models import Match, Ply, Round, Seat
from games.rules import base, catalog, resigning
from games.rules.base import AnyGame, Options, Setup
from games.rules.shuffles import Noted, Sealed, commitment
from games.services.refusals import (
    AlreadySeated,
    BadDeck,
    BadOptions,
    BadSeats,
    MatchNotOpen,
    MatchNotOver,
    NotAllowed,
    NotFound,
    SeatTaken,
    UnknownGame,
)
from games.services.seating import SeatWish, equip, is_rated, same_player, seated
from games.table import Table

SHORTEST_TURN, LONGEST_TURN = 5, 14 * 24 * 3600


def open_match(
    *,
    creator: User,
    game: str,
    seats: Sequence[SeatWish],
    options: Mapping[str, Any] | None = None,
    preset: str | None = None,
    visibility: str = Match.Visibility.UNLISTED,
    turn_seconds: int | None = None,
) -> Table:
    """Opens a match and starts it if nobody is missing; raises ``Refused`` by cause."""
    rules = _game(game)
    chosen = _options(rules, options, preset)
    _check_turn(turn_seconds)
    _check_count(rules, chosen, seats)
    rows = [seated(rules, chosen, creator, wish, n) for n, wish in enumerate(seats)]
    match = Match(
        game=rules.slug,
        rules_version=rules.rules_version,
        options=msgspec.json.encode(chosen),
        creator=creator,
        visibility=visibility,
        turn_seconds=turn_seconds,
        rated=is_rated(rules, rows),
    )
    return _save_and_start(match, rows)


def _game(slug: str) -> AnyGame:
    try:
        return catalog.find(slug)
    except KeyError:
        known = ", ".join(game.slug for game in catalog.GAMES)
        raise UnknownGame(f"The house does not play {slug!r}; it plays: {known}.") from None


def _options(game: AnyGame, values: Mapping[str, Any] | None, preset: str | None) -> Options:
    try:
        options: Options = game.choose_options(values, preset)
    except base.BadOptions as error:
        raise BadOptions(str(error), faults=list(error.faults)) from None
    return options


def _check_turn(seconds: int | None) -> None:
    if seconds is not None and not SHORTEST_TURN <= seconds <= LONGEST_TURN:
        allowed = f"from {SHORTEST_TURN} to {LONGEST_TURN}, or null for no limit"
        raise BadOptions(f"turn_seconds is {allowed}, not {seconds}.")


def _check_count(game: AnyGame, options: Options, seats: Sequence[SeatWish]) -> None:
    wanted = game.seats(options)
    if len(seats) != wanted:
        raise BadSeats(f"With these options {game.name} has {wanted} seats, not {len(seats)}.")
    if sum(wish.kind == "me" for wish in seats) > 1:
        raise BadSeats("You can take one seat yourself; give others at your device as 'local'.")
    invited = [wish.username.lower() for wish in seats if wish.username]
    if len(set(invited)) < len(invited):
        raise BadSeats("Nobody can be invited to two seats of one match.")


@transaction.atomic
def _save_and_start(match: Match, seats: Sequence[Seat]) -> Table:
    write_match(match, seats)
    return start_if_full(match)


def write_match(match: Match, seats: Sequence[Seat]) -> None:
    """Writes a new match with its seats; the seed is sealed before the first card."""
    match.commitment = commitment(bytes(match.seed))
    match.save(force_insert=True)
    for seat in seats:
        seat.match = match
    Seat.objects.bulk_create(seats)


def start_if_full(match: Match) -> Table:
    """Deals the first round once every seat is taken; call it in a transaction."""
    seats = list(match.seats.order_by("index"))
    if match.status == Match.Status.OPEN and all(seat.kind != "open" for seat in seats):
        _activate(match, seats)
    table = selectors.table(match.id)
    transaction.on_commit(lambda: announce.after_commit(table))
    return table


def _activate(match: Match, seats: Sequence[Seat]) -> None:
    match.status = Match.Status.ACTIVE
    match.started_at = match.updated_at = timezone.now()
    if match.state is None:
        _deal(match, seats)
    game = match.rules
    match.to_act = list(game.to_act(game.decode_state(bytes(match.state or b""))))
    match.save()
    table = selectors.table(match.id)
    owes, deadline = table.owes_a_bot_move, table.first_deadline(match.started_at)
    match.bot_due_at = match.started_at if owes else None
    match.deadline_at = deadline
    match.save(update_fields=["bot_due_at", "deadline_at"])


def _deal(match: Match, seats: Sequence[Seat]) -> None:
    game = match.rules
    setups = [Setup(seat.name, seat.bot or None, _tuple(seat.side_deck)) for seat in seats]
    sealed = Sealed(bytes(match.seed), match.shuffles_used)
    shuffle = Noted(sealed)
    step = game.start(game.decode_options(bytes(match.options)), setups, shuffle)
    match.state = msgspec.json.encode(step.state)
    match.round = 1
    match.shuffles_used = sealed.used
    Ply.objects.create(match=match, version=0, events=msgspec.json.encode(step.events))
    Round.objects.create(
        match=match,
        number=1,
        opening_version=0,
        opening_state=match.state,
        decks=msgspec.json.encode(shuffle.decks),
    )


def _tuple(cards: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if cards is None else tuple(cards)


def join(*, match_id: UUID, user: User, seat: int | None = None, deck: str | None = None) -> Table:
    """Takes an open seat, or the one the user is invited to; starts the match when it is full."""
    try:
        with transaction.atomic():
            match = _locked(match_id, user)
            chosen = _free_seat(match, user, seat)
            chosen.kind, chosen.user, chosen.invited = Seat.Kind.USER, user, None
            chosen.name = user.display_name
            _equip_joining(match, chosen, user, deck)
            chosen.save()
            return _changed(match)
    except IntegrityError:
        raise AlreadySeated from None


def _equip_joining(match: Match, seat: Seat, user: User, deck: str | None) -> None:
    if match.state is None:
        equip(match.rules, match.rules.decode_options(bytes(match.options)), seat, user, deck)
    elif deck is not None:
        raise BadDeck("This match plays on with the side decks that it was begun with.")


def _locked(match_id: UUID, user: User) -> Match:
    match = Match.objects.select_for_update().filter(id=match_id).first()
    if match is None or not selectors.table(match_id).is_visible_to(user.id):
        raise NotFound
    return match


def _free_seat(match: Match, user: User, index: int | None) -> Seat:
    seats = list(match.seats.order_by("index"))
    if any(seat.user_id == user.id for seat in seats):
        raise AlreadySeated
    if match.status != Match.Status.OPEN:
        raise SeatTaken("All seats of this match are taken.")
    mine = [s for s in seats if s.kind == Seat.Kind.OPEN and s.invited_id == user.id]
    free = [s for s in seats if s.kind == Seat.Kind.OPEN and s.invited_id is None]
    if index is None and mine + free:
        return (mine + free)[0]
    chosen = next((s for s in mine + free if s.index == index), None)
    if chosen is None:
        raise SeatTaken("This seat is taken or kept for somebody." if seats else "")
    return chosen


@transaction.atomic
def leave(*, match_id: UUID, user: User) -> Table:
    """Gives the seat back while the match is open; the creator leaving aborts it."""
    match = _locked(match_id, user)
    if match.status != Match.Status.OPEN:
        raise MatchNotOpen("The match has started; you can resign from it instead.")
    if match.creator_id == user.id:
        return abort(match)
    seats = match.seats.filter(user=user) | match.seats.filter(invited=user)
    if match.state is None:
        seats.update(side_deck=None)  # a match that was loaded plays on with its decks
    if not seats.update(kind="open", user=None, invited=None, name=""):
        raise NotAllowed("You have no seat in this match to give back.")
    return _changed(match)


def _changed(match: Match) -> Table:
    """The table after somebody came or left; the version stays, so the time says that it did."""
    match.updated_at = timezone.now()
    match.save(update_fields=["updated_at"])
    return start_if_full(match)


def abort(match: Match) -> Table:
    """Calls a match off; nobody wins. Call it with the match locked."""
    table = selectors.table(match.id)
    outcome = resigning.aborted(table.sides, selectors.closed_scores(table))
    match.status = Match.Status.ABORTED
    match.outcome = msgspec.json.encode(outcome)
    match.to_act, match.bot_due_at, match.deadline_at = [], None, None
    match.finished_at = match.updated_at = timezone.now()
    match.save()
    return start_if_full(match)


def rematch(*, match_id: UUID, user: User) -> Table:
    """The same once more with seats rotated by one: seat 1 becomes seat 0.

    Other people are invited to their seats. Who asks for a rematch that another player of the same
    match has opened already joins that one, so two who press the button meet.
    """
    with transaction.atomic():
        old = _locked(match_id, user)
        if not old.seats.filter(user=user).exists():
            raise NotAllowed("Only who played this match can ask for a rematch.")
        if old.status not in (Match.Status.FINISHED, Match.Status.ABORTED):
            raise MatchNotOver("A rematch can be asked for when the match is over.")
        waiting = old.rematches.filter(status="open", seats__invited=user).first()
        if waiting is None:
            return _rematch(old, user)
    return join(match_id=waiting.id, user=user)


def _rematch(old: Match, user: User) -> Table:
    seats = list(old.seats.order_by("index"))
    rotated = seats[1:] + seats[:1]
    match = Match(
        game=old.game,
        rules_version=old.rules.rules_version,
        options=old.options,
        creator=user,
        visibility=old.visibility,
        turn_seconds=old.turn_seconds,
        rated=is_rated(old.rules, seats),
        previous=old,
    )
    return _save_and_start(match, [same_player(s, n, user) for n, s in enumerate(rotated)])
