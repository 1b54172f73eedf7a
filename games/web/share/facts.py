"""What the picture of a finished match says: what anybody may know of it, and no more.

Cards belong to the match that dealt them. While another match plays on with the same ones
(`games.matches.selectors.secrecy`), the picture shows none, and no sentence that names any.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from cardroom.rules.text import CardName, Listing, Phrase, Words
from cardroom.rules.values import Event
from games.language import words
from games.matches.selectors.log import events_for, log_entries
from games.matches.snapshot import MatchSnapshot
from games.web.parts.headline import headline
from games.web.parts.table_page import SeatPanel, TablePage
from games.web.share.lettering import drawable
from games.web.table.endings.best_of_match import LONGEST_LOOKED_AT
from games.web.table.endings.causes import any_lost, signed
from games.web.table.endings.ending import MatchEnding
from games.web.tables import page_of

MOST_CARDS: Final = 6


@dataclass(frozen=True)
class PictureSeat:
    """``name`` as everybody reads it; ``face`` is what the face is drawn from."""

    name: str
    face: str
    bot: str | None
    index: int


@dataclass(frozen=True)
class PictureSide:
    seats: list[PictureSeat]
    points: int
    place: int
    has_won: bool
    causes: list[str]

    @property
    def name(self) -> str:
        return " & ".join(seat.name for seat in self.seats)


@dataclass(frozen=True)
class Picture:
    """``cards``: codes of playing cards, or short texts of a game's own.

    They belong to ``moment``, or ``cards_are_last``: they were the last that were played.
    """

    slug: str
    game: str
    day: str
    headline: str
    reason: str
    sides: list[PictureSide]
    points_are_places: bool
    moment: str
    cards: list[str]
    cards_are_last: bool

    @property
    def standing(self) -> str:
        """*Ada 154, Greedy 120*; where places decide *1. Ada, 2. Greedy*."""
        if self.points_are_places:
            return ", ".join(f"{side.place}. {side.name}" for side in self.sides)
        return ", ".join(f"{side.name} {side.points}" for side in self.sides)

    @property
    def description(self) -> str:
        """What the picture says below its headline, in words."""
        return " ".join(filter(None, (self.reason, f"{self.standing}.", self.moment)))


@dataclass(frozen=True)
class _Story:
    """The best of a match in words, its cards, and why each side has its points."""

    moment: str = ""
    cards: list[str] = field(default_factory=list)
    cards_are_last: bool = False
    causes: list[list[str]] = field(default_factory=list)


class _Page(TablePage):
    """The table as a spectator sees it; who has a name that cannot be drawn is called by place."""

    @cached_property
    def seat_panels(self) -> list[SeatPanel]:
        return [
            panel
            if drawable(panel.seat.name)
            else replace(panel, name=_("Player {n}").format(n=panel.index + 1))
            for panel in super().seat_panels
        ]


def picture_of(match: MatchSnapshot, *, with_cards: bool) -> Picture:
    """Of a finished match, as a spectator may know it, in the active language.

    Without cards nothing is said that may name one.
    """
    page = _Page(match, None, None)
    story = _story(page) if with_cards else _Story()
    return Picture(
        slug=match.game,
        game=words(match.rules.name),
        day=date_format(match.finished_at or match.updated_at, "DATE_FORMAT"),
        headline=headline(page),
        reason=MatchEnding(page, page_of(match.game)).reason,
        sides=_sides(page, story.causes),
        points_are_places=match.rules.points_are_places,
        moment=story.moment,
        cards=story.cards,
        cards_are_last=story.cards_are_last,
    )


def _sides(page: TablePage, causes: Sequence[list[str]]) -> list[PictureSide]:
    """The best side first; of equal ones that with the lower seats."""
    match = page.match
    points = match.outcome.points if match.outcome else ()
    sides = [
        PictureSide(
            seats=[_seat(page.seat_panels[seat]) for seat in seats],
            points=points[number],
            place=match.seats[seats[0]].place or 0,
            has_won=any(page.seat_panels[seat].is_winner for seat in seats),
            causes=causes[number] if number < len(causes) else [],
        )
        for number, seats in enumerate(match.sides)
    ]
    return sorted(sides, key=lambda side: side.place)


def _seat(panel: SeatPanel) -> PictureSeat:
    return PictureSeat(panel.name, panel.seat.name, panel.bot, panel.index)


def _story(page: TablePage) -> _Story:
    match, game_page = page.match, page_of(page.match.game)
    if match.version > LONGEST_LOOKED_AT:
        return _Story()
    events = [e for entry in log_entries(match) for e in events_for(match, entry, None)]
    best = _best(page, events)
    cards = [*_cards_in(best)] if best is not None else []
    return _Story(
        words(best) if best is not None else "",
        (cards or game_page.last_cards(events))[-MOST_CARDS:],
        not cards,
        _causes(match, events),
    )


def _best(page: TablePage, events: Sequence[Event]) -> Words | None:
    tell = page_of(page.match.game).moments
    names = [panel.name for panel in page.seat_panels]
    return next(iter(tell(events, names)), None) if tell else None


def _cards_in(sentence: object) -> Iterator[str]:
    match sentence:
        case CardName():
            yield sentence.code
        case Phrase():
            for value in sentence.values.values():
                yield from _cards_in(value)
        case Listing():
            for value in sentence.values:
                yield from _cards_in(value)


def _causes(match: MatchSnapshot, events: Sequence[Event]) -> list[list[str]]:
    causes = page_of(match.game).match_causes
    if causes is None:
        return []
    by_side = causes(events, match.options)
    shows_signs = any_lost(by_side)
    return [
        [f"{words(cause.what)} {signed(cause.points, shows_signs=shows_signs)}" for cause in side]
        for side in by_side
    ]
