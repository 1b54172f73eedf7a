"""A match as a line of the lobby."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.utils.translation import gettext

from games.guests import name_for
from games.language import words
from games.matches.models import Match, Seat
from games.matches.seating.friends import is_anybodys
from games.matches.seating.invitations import awaits
from games.web.parts.round_words import numbered

FACES_SHOWN: Final = 3


@dataclass(frozen=True)
class MatchListing:
    match: Match
    game: str
    names: list[str]
    free: int
    is_your_turn: bool
    awaited: list[str]  # who is invited and has not answered
    host: str
    others: list[str]  # the names of the seats that are not the reader's
    faces: list["SeatFace"]  # some of theirs

    @property
    def round_said(self) -> str:
        """*deal 3*; empty where a match has one round only."""
        return numbered(self.match.game, self.match.round)


@dataclass(frozen=True)
class SeatFace:
    """Whose face a line shows."""

    name: str
    bot: str | None
    index: int


def listing_of(match: Match, user: UUID | None, friends: Collection[UUID] = ()) -> MatchListing:
    """``friends`` are the reader's; their hosts' seats are free for them."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    own = {seat.index for seat in seats if user is not None and seat.user_id == user}
    names = [name_for(seat, seat.name or gettext("open"), seats, user) for seat in seats]
    return MatchListing(
        match=match,
        game=words(match.rules.name),
        names=names,
        free=sum(
            awaits(seat, user) or is_anybodys(seat) or _is_for_friends(seat, match, user, friends)
            for seat in seats
        ),
        is_your_turn=bool(own & set(match.to_act)),
        awaited=[seat.name for seat in seats if seat.kind == "open" and seat.invited_id],
        host=_host(match, seats),
        others=[name for seat, name in zip(seats, names, strict=True) if seat.index not in own],
        faces=[
            SeatFace(seat.name, seat.bot if seat.kind == "bot" else None, seat.index)
            for seat in seats
            if seat.name and seat.index not in own
        ][:FACES_SHOWN],
    )


def _is_for_friends(seat: Seat, match: Match, user: UUID | None, friends: Collection[UUID]) -> bool:
    may = match.creator_id == user or match.creator_id in friends
    return seat.kind == "open" and seat.invited_id is None and may


def _host(match: Match, seats: Iterable[Seat]) -> str:
    """A guest at the host's device goes by any name and is not the host."""
    own = [seat.name for seat in seats if seat.kind == "user" and seat.user_id == match.creator_id]
    return own[0] if own else match.creator.display_name
