"""Refusals of the match services: a class for each cause, with its API code and a sentence."""

from uuid import UUID

from cardroom.rules import values
from cardroom.rules.text import phrase_of
from config.api.errors import KeyReused, Unavailable
from config.refusals import NotAllowed, NotFound, Refusal, TooManyRequests
from games.absent import GameNotInstalled
from games.matches.snapshot import MatchSnapshot

__all__ = ["GameNotInstalled"]


class NoSuchMatch(NotFound):
    """There is no such match, or it is not yours to see."""


class NotYourSeat(Refusal, status=403):
    """This seat is not yours."""


class NotTheHost(NotAllowed):
    """Only the person who opened the match says what becomes of its seats."""


class UnknownCode(NotFound):
    """No table waits under this code. Look at the screen: it may have a new one."""


class NoMoreCodes(Refusal, status=503):
    """There is no free code just now. Send the address of the table instead."""


class TooManyCodes(TooManyRequests):
    """Too many wrong codes came from your address. Try again later, or open the table's address."""


class MatchNotActive(Refusal, status=409):
    """The match is not running."""


class MatchNotOpen(Refusal, status=409):
    """The match has started already."""


class MatchNotOver(Refusal, status=409):
    """The match is still running."""


class ParentStillRunning(Refusal, status=409):
    """This would show cards of a match that still runs. It is there when that match is over."""


class CannotBeRated(Refusal, status=422):
    """Such a match is not rated."""


class DealIsSealed(Refusal, status=409):
    """Others are dealt these cards too. This is there when all who play them are done."""


class TimeIsUp(Refusal, status=409):
    """Your time for this move is up."""


class NobodyToGiveTime(Refusal, status=409):
    """Nobody else is to act against a clock."""


class TooMuchTime(Refusal, status=422):
    """Nobody can have more than 14 days for a move."""


class NotKnown(Unavailable):
    """The database was lost while it wrote. Read the match to see whether the move was played."""


class BrokeInTheWrite(NotKnown):
    """Something broke here. Read the match to see whether the move was played."""


class SeatTaken(Refusal, status=409):
    """This seat is taken."""


class AlreadySeated(Refusal, status=409):
    """You already have a seat in this match."""


class SeatIsOut(Refusal, status=409):
    """This seat is out already and cannot resign."""


class SeatHandedOver(Refusal, status=409):
    """An operator handed this seat to a bot, which plays it until you get it back."""


class KeyOfAnotherMove(KeyReused):
    """This idempotency key belongs to another move or seat; use a new key for each move."""


class TooManyOpenMatches(Refusal, status=409, members={"limit": int}):
    """You have as many open matches as one account may have. Leave one first."""


class TooManyLobbyTables(Refusal, status=409, members={"limit": int}):
    """You or others at your address have as many tables in the lobby as a host may. Close one."""


class TooManyActiveMatches(Refusal, status=409, members={"limit": int}):
    """You have as many running matches as one account may have. Finish one first."""


class TooManyBotMatches(Refusal, status=409, members={"limit": int}):
    """You have as many matches of bots alone as allowed. Stop one first, or run a simulation."""


class CannotPlan(Refusal, status=409):
    """Moves are planned in matches with days for a move, or without a limit."""


class YourTurnNow(Refusal, status=409):
    """It is your turn: play. A plan is for the turns to come."""


class TooManyOpenings(Refusal, status=409, members={"limit": int}):
    """A bot account opens no more matches than so many an hour. Wait a while."""


class ProgramDeclines(Refusal, status=409):
    """This bot account does not play this match."""


class TooManyInvitations(Refusal, status=409, members={"limit": int}):
    """You have as many invitations waiting as one account may have. Leave a match first."""


class NoMoreInvitations(Refusal, status=409):
    """This player takes no more invitations now. Try again later, or open the seat to anybody."""


class InvitedIsBlocked(Refusal, status=409):
    """You have blocked this player. Unblock them before you invite them."""


class CannotAbort(NotAllowed):
    """Only who opened a match that nobody else ever sat in can stop it, before the second round."""

    status = 409  # with this match, not with this caller


class UnknownGame(Refusal, status=422):
    """There is no such game."""


class UnknownBot(Refusal, status=422):
    """The game has no such bot."""


class UnknownUser(Refusal, status=422):
    """There is no player of this name."""


class UnknownDeck(Refusal, status=422):
    """You have no such side deck."""


OPTION_FAULTS = {"faults": list[str], "fields": dict[str, list[str]]}


class BadOptions(Refusal, status=422, members=OPTION_FAULTS):
    """The options contradict the rules."""


class BadSeats(Refusal, status=422):
    """The seats do not fit the game."""


class BadDeck(Refusal, status=422, members={"faults": list[str]}):
    """The side deck is not allowed here."""


class BadSave(Refusal, status=422):
    """There is no such saved point to play on from."""


class MatchIsRated(Refusal, status=409):
    """Nothing is taken back in a rated match."""


class NobodyToAsk(Refusal, status=409):
    """Nobody else plays in this match. Load an earlier point of it instead."""


class WantedAlready(Refusal, status=409):
    """You have asked for that at this point already. Ask again when somebody has moved."""


class NoWishToTakeBack(Refusal, status=409):
    """Nobody asks for that any more."""


class CannotTakeBack(Refusal, status=409):
    """This round cannot be taken back."""


class TooManyLoads(TooManyRequests):
    """You have loaded many saved points. Try again in an hour."""


class StaleVersion(Refusal, status=409, members={"version": int, "match": "Match"}):
    """The match has moved on since the version you named."""

    def __init__(self, match: MatchSnapshot, user: UUID) -> None:
        super().__init__(version=match.version)
        self.match = match
        self.user = user


class MalformedMove(Refusal, status=400):
    """The move is not in the notation of the game."""


class NotYourTurn(Refusal, status=409):
    """It is not your turn."""


class IllegalMove(Refusal, status=422, members={"reason": str, "legal_moves": ["LegalMove"]}):
    """The rules do not allow this move here and now."""


def refused_by_rules(error: values.MoveRefused, match: MatchSnapshot, seat: int) -> Refusal:
    """The refusal for an error of the rules; an illegal move brings the legal ones."""
    if isinstance(error, values.IllegalMove):
        label, moves = match.rules.label, match.rules.legal_moves(match.state, seat)
        legal = [{"move": move, "label": phrase_of(label(move))} for move in moves]
        return IllegalMove(error.sentence, reason=error.reason, legal_moves=legal)
    malformed = isinstance(error, values.MalformedMove)
    return MalformedMove(error.sentence) if malformed else NotYourTurn(error.sentence)
