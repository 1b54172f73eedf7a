"""A match as a line of the lobby."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext

from games.guests import name_for
from games.language import words
from games.matches.models import Match, Seat
from games.matches.seating.invitations import awaits
from games.web.parts.round_words import numbered


@dataclass(frozen=True)
class MatchListing:
    match: Match
    game: str
    names: list[str]
    free: int
    is_your_turn: bool
    awaited: list[str]  # who is invited and has not answered
    host: str

    @property
    def round_said(self) -> str:
        """*deal 3*; empty where a match has one round only."""
        return numbered(self.match.game, self.match.round)


def listing_of(match: Match, user: UUID | None) -> MatchListing:
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    own = {seat.index for seat in seats if user is not None and seat.user_id == user}
    return MatchListing(
        match=match,
        game=words(match.rules.name),
        names=[name_for(seat, seat.name or gettext("open"), seats, user) for seat in seats],
        free=sum(
            seat.kind == "open" and (seat.invited_id is None or awaits(seat, user))
            for seat in seats
        ),
        is_your_turn=bool(own & set(match.to_act)),
        awaited=[seat.name for seat in seats if seat.kind == "open" and seat.invited_id],
        host=_host(match, seats),
    )


def _host(match: Match, seats: Iterable[Seat]) -> str:
    own = [seat.name for seat in seats if seat.user_id == match.creator_id]
    return own[0] if own else match.creator.display_name
