"""The pairings of the FIDE Dutch system (C.04.3), by ``py4swiss``."""

from collections.abc import Sequence
from typing import Final

from py4swiss.engines.common import PairingError
from py4swiss.engines.dutch.engine import Engine
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.parsed_trf import ParsedTrf
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from games.competitions.rules import LOSS, WIN, Board, Pairing, boards_of, scores

BYE: Final = 0  # as the library names the opponent of a bye
_PLAYED: Final = {0: ResultToken.LOSS, 1: ResultToken.DRAW, 2: ResultToken.WIN}


def pair_dutch(
    entrants: Sequence[int], boards: Sequence[Board], number: int, rounds: int, everybody: int
) -> list[Pairing] | None:
    """The pairings of a round; ``None`` where everybody who is left has met."""
    try:
        paired = Engine.generate_pairings(_report(entrants, boards, number, rounds, everybody))
    except PairingError:
        return None
    return [Pairing(one.white, None if one.black == BYE else one.black) for one in paired]


def _report(
    entrants: Sequence[int], boards: Sequence[Board], number: int, rounds: int, everybody: int
) -> ParsedTrf:
    """The results so far, as the library reads them."""
    points = scores(range(1, everybody + 1), boards)
    sections = [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=entrant,
            points_times_ten=5 * points[entrant],
            rank=entrant,
            results=_results(entrant, boards, number),
        )
        for entrant in range(1, everybody + 1)
    ]
    absent = set(range(1, everybody + 1)) - set(entrants)
    return ParsedTrf(
        player_sections=sections,
        x_section=XSection(number_of_rounds=max(rounds, number), zeroed_ids=absent),
    )


def _results(entrant: int, boards: Sequence[Board], number: int) -> list[RoundResult]:
    by_round = {board.round: board for board in boards_of(entrant, boards)}
    return [_result(entrant, by_round.get(played)) for played in range(1, number)]


def _result(entrant: int, board: Board | None) -> RoundResult:
    """A round in which one was not there gives nothing."""
    other = board.other(entrant) if board else None
    if board is None or other is None:
        bye = ResultToken.PAIRING_ALLOCATED_BYE if board else ResultToken.ZERO_POINT_BYE
        return RoundResult(id=BYE, color=ColorToken.BYE_OR_NOT_PAIRED, result=bye)
    color = ColorToken.WHITE if entrant == board.first else ColorToken.BLACK
    points = board.points_of(entrant)
    if board.played or points not in (WIN, LOSS):
        return RoundResult(id=other, color=color, result=_PLAYED[points])
    token = ResultToken.FORFEIT_WIN if points == WIN else ResultToken.FORFEIT_LOSS
    return RoundResult(id=other, color=color, result=token)
