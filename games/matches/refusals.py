"""Why a match service said no: a class for each cause, its API code, a sentence for a person."""

from uuid import UUID

from config.refusals import Refused
from games.matches.snapshot import MatchSnapshot
from games.rules.errors import IllegalMove, MalformedMove, MoveRefused, NotYourTurn


class NotFound(Refused):
    """There is no such match, or it is not yours to see."""

    code = "not_found"


class NotSignedIn(Refused):
    """Sign in, or send a valid key."""

    code = "not_authenticated"


class NotYourSeat(Refused):
    """This seat is not yours."""

    code = "not_your_seat"


class NotAllowed(Refused):
    """You may not do this."""

    code = "not_allowed"


class MatchNotActive(Refused):
    """The match is not running."""

    code = "match_not_active"


class MatchNotOpen(Refused):
    """The match has started already."""

    code = "match_not_open"


class MatchNotOver(Refused):
    """The match is still running."""

    code = "match_not_over"


class SeatTaken(Refused):
    """This seat is taken."""

    code = "seat_taken"


class AlreadySeated(Refused):
    """You already have a seat in this match."""

    code = "already_seated"


class SeatIsOut(Refused):
    """This seat is out already and cannot resign."""

    code = "seat_is_out"


class UnknownGame(Refused):
    """The house does not play this game."""

    code = "unknown_game"


class UnknownBot(Refused):
    """The game has no such bot."""

    code = "unknown_bot"


class UnknownUser(Refused):
    """There is no player of this name."""

    code = "unknown_user"


class UnknownDeck(Refused):
    """You have no such side deck."""

    code = "unknown_deck"


class BadOptions(Refused):
    """The options contradict the rules."""

    code = "bad_options"


class BadSeats(Refused):
    """The seats do not fit the game."""

    code = "bad_seats"


class BadDeck(Refused):
    """The side deck is not allowed here."""

    code = "bad_deck"


class BadSave(Refused):
    """There is no such saved point to play on from."""

    code = "bad_save"


class StaleVersion(Refused):
    """The match has moved on since the version you named."""

    code = "stale_version"

    def __init__(self, match: MatchSnapshot, user: UUID) -> None:
        super().__init__(version=match.version)
        self.match = match
        self.user = user


class MoveNotAccepted(Refused):
    """The rules refused the move; ``code`` says which way."""

    def __init__(self, refusal: MoveRefused, match: MatchSnapshot, seat: int) -> None:
        super().__init__(str(refusal))
        self.code = _CODES[type(refusal)]  # type: ignore[misc]
        if isinstance(refusal, IllegalMove):
            legal = match.rules.legal_moves(match.state, seat)
            self.extras = {"reason": refusal.reason, "legal_moves": list(legal)}


_CODES = {
    MalformedMove: "malformed_move",
    NotYourTurn: "not_your_turn",
    IllegalMove: "illegal_move",
}
