"""Writing a new match, and dealing its first round once every seat is taken."""

from collections.abc import Sequence

import msgspec
from django.db import transaction
from django.utils import timezone

from games.matches.announcements import announce
from games.matches.models import Match, Ply, Round, Seat
from games.matches.selectors.access import get_match
from games.matches.snapshot import Table
from games.rules.shuffles import Noted, Sealed, commitment
from games.rules.values import Setup


@transaction.atomic
def save_and_start(match: Match, seats: Sequence[Seat]) -> Table:
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
    table = get_match(match.id)
    transaction.on_commit(lambda: announce(table))
    return table


def _activate(match: Match, seats: Sequence[Seat]) -> None:
    match.status = Match.Status.ACTIVE
    match.started_at = match.updated_at = timezone.now()
    if match.state is None:
        _deal(match, seats)
    game = match.rules
    match.to_act = list(game.to_act(game.decode_state(bytes(match.state or b""))))
    match.save()
    table = get_match(match.id)
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
