"""Writing a new match, and dealing its first round once every seat is taken."""

from collections.abc import Sequence

import msgspec
from django.db import transaction
from django.utils import timezone

from games.matches.announcements import announce
from games.matches.models import Match, Ply, Round, Seat
from games.matches.selectors.access import get_match
from games.matches.snapshot import MatchSnapshot
from games.rules.shuffles import RecordingShuffle, Sealed, commitment
from games.rules.values import Setup


@transaction.atomic
def save_and_start(row: Match, seats: Sequence[Seat]) -> MatchSnapshot:
    write_match(row, seats)
    return start_if_full(row)


def write_match(row: Match, seats: Sequence[Seat]) -> None:
    """Writes a new match with its seats; the seed is sealed before the first card."""
    row.commitment = commitment(bytes(row.seed))
    row.save(force_insert=True)
    for seat in seats:
        seat.match = row
    Seat.objects.bulk_create(seats)


def start_if_full(row: Match) -> MatchSnapshot:
    """Deals the first round once every seat is taken; call it in a transaction."""
    seats = list(row.seats.order_by("index"))
    if row.status == Match.Status.OPEN and all(seat.kind != "open" for seat in seats):
        _activate(row, seats)
    match = get_match(row.id)
    transaction.on_commit(lambda: announce(match))
    return match


def _activate(row: Match, seats: Sequence[Seat]) -> None:
    row.status = Match.Status.ACTIVE
    row.started_at = row.updated_at = timezone.now()
    if row.state is None:
        _deal(row, seats)
    game = row.rules
    row.to_act = list(game.to_act(game.decode_state(bytes(row.state or b""))))
    row.save()
    match = get_match(row.id)
    owes, deadline = (
        match.awaits_bot,
        match.next_deadline(row.started_at for _ in match.people_to_act),
    )
    row.bot_due_at = row.started_at if owes else None
    row.deadline_at = deadline
    row.save(update_fields=["bot_due_at", "deadline_at"])


def _deal(row: Match, seats: Sequence[Seat]) -> None:
    game = row.rules
    setups = [Setup(seat.name, seat.bot or None, _tuple(seat.side_deck)) for seat in seats]
    sealed = Sealed(bytes(row.seed), row.shuffles_used)
    shuffle = RecordingShuffle(sealed)
    step = game.start(game.decode_options(bytes(row.options)), setups, shuffle)
    row.state = msgspec.json.encode(step.state)
    row.round = 1
    row.shuffles_used = sealed.used
    Ply.objects.create(match=row, version=0, events=msgspec.json.encode(step.events))
    Round.objects.create(
        match=row,
        number=1,
        opening_version=0,
        opening_state=row.state,
        decks=msgspec.json.encode(shuffle.decks),
    )


def _tuple(cards: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if cards is None else tuple(cards)
