"""A match as a line of the lobby."""

from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext

from games.language import words
from games.matches.models import Match
from games.matches.services.invitations import awaits
from games.web.round_words import numbered


@dataclass(frozen=True)
class MatchListing:
    match: Match
    game: str
    names: list[str]
    free: int
    is_your_turn: bool

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
        names=[seat.name or gettext("open") for seat in seats],
        free=sum(
            seat.kind == "open" and (seat.invited_id is None or awaits(seat, user))
            for seat in seats
        ),
        is_your_turn=bool(own & set(match.to_act)),
    )
