"""What the page of a tournament shows: standings with a crosstable, and boards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.competitions.files.table import PARTS, crosstable_cells, rounds_shown
from games.competitions.models import Board, Entrant, Tournament
from games.competitions.names import plain_name
from games.competitions.rules.standings import ARENA, KNOCKOUT, TIES, Line
from games.competitions.selectors import Sheet
from games.language import words
from games.web.parts.options_form import preset_name

FORM_NAMES: Final = {
    "swiss": _("Swiss"),
    "round_robin": _("Everybody against everybody"),
    "knockout": _("Knockout"),
    "arena": _("Arena"),
}
TIE_NAMES: Final = {
    "buchholz": _("Buchholz"),
    "sonneborn_berger": _("Sonneborn–Berger"),
    "direct": _("Direct encounter"),
    "wins": _("Wins"),
}
NEWEST: Final = 12  # boards of an arena


@dataclass(frozen=True)
class Summary:
    """A tournament in a line of the list."""

    row: Tournament
    players: int

    @property
    def terms(self) -> str:
        game = self.row.rules
        preset = preset_name(game, self.row.preset) if self.row.preset else ""
        form = str(FORM_NAMES[self.row.form])
        pace = words(self.row.named_pace.name)
        named = (words(game.name), preset, form, pace, _mirrored(self.row.pairs))
        return " · ".join(each for each in named if each)


def _mirrored(pairs: int | None) -> str:
    if pairs is None:
        return ""
    deals = ngettext(
        "mirrored: {n} deal, played twice", "mirrored: {n} deals, each played twice", pairs
    )
    return deals.format(n=pairs)


@dataclass(frozen=True)
class StandingRow:
    line: Line
    name: str
    entrant: Entrant
    points: str
    ties: list[str]
    cells: list[str]
    is_you: bool


@dataclass(frozen=True)
class BoardRow:
    """``match`` is the last one, if the reader may see it: one of a set that runs is private."""

    board: Board
    names: list[str]
    points: list[str]
    match: UUID | None
    is_yours: bool

    @property
    def is_played(self) -> bool:
        """By others, unseen."""
        return self.match is None and not self.board.result and bool(self.board.matches.all())


def halves(points: int) -> str:
    """Half points as people write them: 2½."""
    whole, half = divmod(points, 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


def standing_rows(sheet: Sheet, reader: UUID | None) -> list[StandingRow]:
    tournament = sheet.tournament
    whole = tournament.form in (ARENA, KNOCKOUT)
    return [
        StandingRow(
            line=line,
            name=plain_name(tournament, sheet.numbered[line.entrant]),
            entrant=sheet.numbered[line.entrant],
            points=str(line.points) if whole else halves(line.points),
            ties=[f"{line.ties[tie] / PARTS.get(tie, 1):g}" for tie in TIES[tournament.form]],
            cells=crosstable_cells(sheet, line.entrant),
            is_you=_is(sheet.numbered[line.entrant], reader),
        )
        for line in sheet.lines
    ]


def tie_names(tournament: Tournament) -> list[str]:
    return [str(TIE_NAMES[tie]) for tie in TIES[tournament.form]]


def board_rows(sheet: Sheet, boards: Sequence[Board], reader: UUID | None) -> Iterator[BoardRow]:
    for board in boards:
        entrants = [sheet.by_id[place.entrant_id] for place in board.places.all()]
        matches = [one.match_id for one in board.matches.all()]
        points = [place.points for place in board.places.all() if place.points is not None]
        is_yours = any(_is(one, reader) for one in entrants)
        is_seen = board.result or is_yours or sheet.tournament.pairs is None
        yield BoardRow(
            board=board,
            names=[plain_name(sheet.tournament, one) for one in entrants],
            points=[halves(each) for each in points],
            match=matches[-1] if matches and is_seen else None,
            is_yours=is_yours,
        )


def shown_boards(sheet: Sheet, number: int | None) -> list[Board]:
    """Those of a round; of an arena those that are played, and the newest."""
    if sheet.tournament.is_arena:
        decided = [board for board in sheet.boards if board.result]
        return [*reversed(sheet.undecided), *decided[: -NEWEST - 1 : -1]]
    wanted = number if number in rounds_shown(sheet) else sheet.tournament.round
    return [board for board in sheet.boards if board.round == wanted]


def joined_names(sheet: Sheet, reader: UUID | None) -> list[tuple[str, bool]]:
    return [(plain_name(sheet.tournament, one), _is(one, reader)) for one in sheet.joined]


def _is(entrant: Entrant, reader: UUID | None) -> bool:
    return reader is not None and entrant.account_id == reader
