"""The standings as CSV: a line for each player, a column for each tie-break and each round.

A board is written as the opponent's starting number, the result and the seat: ``5+0`` is a win
against 5 at seat 0, ``=`` a draw, ``-`` a loss, ``*`` not yet decided. A round without an opponent
is ``bye``.
"""

import csv
import io
from typing import Final

from games.competitions.names import plain_name
from games.competitions.rules.standings import ARENA, KNOCKOUT, TIES
from games.competitions.rules.values import Board
from games.competitions.selectors import Sheet

CONTENT_TYPE: Final = "text/csv; charset=utf-8"
SIGNS: Final = {2: "+", 1: "=", 0: "-"}
PARTS: Final = {"buchholz": 2, "direct": 2, "sonneborn_berger": 4}
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")  # begin what a spreadsheet would compute


def table_of(sheet: Sheet) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    ties = TIES[sheet.tournament.form]
    columns = [f"round {number}" for number in rounds_shown(sheet)]
    writer.writerow(["place", "number", "name", "points", "won", "drawn", "lost", *ties, *columns])
    for line in sheet.lines:
        name = plain_name(sheet.tournament, sheet.numbered[line.entrant])
        halves = 1 if sheet.tournament.form in (ARENA, KNOCKOUT) else 2
        values = [line.ties[tie] / PARTS.get(tie, 1) for tie in ties]
        counts = [line.won, line.drawn, line.lost]
        facts = [*counts, *(f"{value:g}" for value in values)]
        points = f"{line.points / halves:g}"
        cells = crosstable_cells(sheet, line.entrant)
        writer.writerow([line.place, line.entrant, _plain(name), points, *facts, *cells])
    return out.getvalue()


def rounds_shown(sheet: Sheet) -> range:
    """An arena has boards and no rounds."""
    return range(1, 1 + (0 if sheet.tournament.is_arena else sheet.tournament.round))


def crosstable_cells(sheet: Sheet, entrant: int) -> list[str]:
    by_round = {board.round: board for board in sheet.values if entrant in board.entrants}
    return [_cell(entrant, by_round.get(number)) for number in rounds_shown(sheet)]


def _cell(entrant: int, board: Board | None) -> str:
    if board is None:
        return ""
    if board.is_bye:
        return "bye"
    sign = "*" if board.points is None else SIGNS[board.points_of(entrant)]
    return f"{board.other(entrant)}{sign}{0 if board.first == entrant else 1}"


def _plain(name: str) -> str:
    return f"'{name}" if name.startswith(FORMULA) else name
