"""The end of a round or of the match: what the felt shows when there is nothing more to play."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import msgspec
from django.core.cache import cache
from django.utils.translation import gettext as _

from cardroom.rules.bot import Bot, harder
from cardroom.rules.values import Event
from games.coaching.judging import judge_of
from games.language import speaker, tag_of_language, words
from games.matches.selectors.log import events_for, standing_entries
from games.web.parts.headline import headline, joined, numbered, result, sentence, words_for
from games.web.parts.motions import Clip, Ply, best, clip_of
from games.web.parts.table_page import TablePage
from games.web.tables import GamePage

# The best of a match, from what everybody may know: in words, and one moment to look at.
#
# A match that is over changes no more, so what was chosen is kept for a while, by language.

LONGEST_LOOKED_AT: Final = 3000  # plies; the best moments of a longer match are not looked for
KEPT_SECONDS: Final = 3600


@dataclass(frozen=True)
class BestOfMatch:
    sentences: list[str]
    clip: Clip | None


def best_of_match(page: TablePage, game_page: GamePage) -> BestOfMatch:
    match = page.match
    if match.version > LONGEST_LOOKED_AT:
        return BestOfMatch([], None)
    name = f"best:{match.id}:{match.version}:{page.you_told}{tag_of_language()}"
    kept: Any = cache.get(name)
    if kept is None:
        plies = [
            (entry.version, events_for(match, entry, None))
            for entry in standing_entries(match, until=match.version)
        ]
        kept = (
            _sentences(page, plies, game_page),
            msgspec.to_builtins(_clip(page, plies, game_page)),
        )
        cache.set(name, kept, KEPT_SECONDS)
    sentences, clip = kept
    return BestOfMatch(list(sentences), clip_of(clip))


def _sentences(page: TablePage, plies: Sequence[Ply], game_page: GamePage) -> list[str]:
    if game_page.moments is None:
        return []
    events: Iterable[Event] = (event for _, events in plies for event in events)
    return [*map(speaker(), game_page.moments(events, page.names_told))]


def _clip(page: TablePage, plies: Sequence[Ply], game_page: GamePage) -> Clip | None:
    chosen = best(game_page.candidates(plies)) if game_page.candidates else None
    if chosen is None:
        return None
    return msgspec.structs.replace(chosen.clip, sentence=page.narrated(chosen.event))


# The causes of each side's result of a round, in words, for the ending of the round.
#
# A round that is over changes no more, so what was counted is kept for a while, by language. A
# hidden hand plays no part: everything is counted from what everybody may know.


class SpokenCause(NamedTuple):
    """``points`` is signed where what it belongs to also goes down."""

    what: str
    points: str


Causes = list[list[SpokenCause]]
CausesOf = Sequence[Sequence[Any]]  # a game's own: each with `what` and `points`


def causes_of_round(page: TablePage, game_page: GamePage, number: int, version: int) -> Causes:
    """By side; of the round that ended at ``version``. Empty where the game counts none."""
    after = _opened(page, number)
    if game_page.match_causes is None or version - after > LONGEST_LOOKED_AT:
        return []
    name = f"causes:{page.match.id}:{version}{tag_of_language()}"
    kept: Any = cache.get(name)
    if kept is None:
        kept = _spoken(game_page.match_causes(_events(page, after, version), page.match.options))
        cache.set(name, kept, KEPT_SECONDS)
    return [[SpokenCause(*cause) for cause in side] for side in kept]


def _opened(page: TablePage, number: int) -> int:
    """The version of the ply that tells nothing of the round but its opening; −1 for the first."""
    opened = next((each.opening_version for each in page.rounds if each.number == number), 0)
    return opened or -1


def _events(page: TablePage, after: int, version: int) -> Iterator[Event]:
    for entry in standing_entries(page.match, after=after, until=version):
        yield from events_for(page.match, entry, None)


def _spoken(causes: CausesOf) -> list[list[tuple[str, str]]]:
    render, shows_signs = speaker(), any_lost(causes)
    return [
        [(str(render(each.what)), signed(each.points, shows_signs=shows_signs)) for each in side]
        for side in causes
    ]


def any_lost(causes: CausesOf) -> bool:
    """Some cause of some side is negative, so all are shown with their signs."""
    return any(each.points < 0 for side in causes for each in side)


def signed(points: int, *, shows_signs: bool) -> str:
    return f"{points:+}".replace("-", "−") if shows_signs else str(points)


PLIES_WATCHED: Final = 2  # plies for which a spectator is shown the end of a round
LEAST_MARGIN_TOLD: Final = 10  # smaller margins are told by both totals: "2 : 1"


@dataclass(frozen=True)
class RoundEnding:
    """``body`` is what the game's own ending.html draws."""

    page: TablePage
    game_page: GamePage
    number: int
    version: int
    body: object

    @cached_property
    def causes(self) -> Causes:
        """Causes of each side's result, where the game's ending shows it."""
        return causes_of_round(self.page, self.game_page, self.number, self.version)

    @property
    def is_fresh(self) -> bool:
        """The viewer has not moved since."""
        if self.page.own_seats:
            return self.version >= self.page.moved
        return self.version > self.page.match.version - PLIES_WATCHED

    @property
    def going_on(self) -> str:
        """*Next deal*."""
        return str(words_for(self.page.match.rules).following)

    @property
    def title(self) -> str:
        return numbered(self.page.match.rules, self.number)


def round_ending(page: TablePage, game_page: GamePage) -> RoundEnding | None:
    """The end of the last round that is over, while the last plies tell of it."""
    if game_page.closes is None or game_page.ending is None:
        return None
    number = page.match.round if page.match.is_over else page.match.round - 1
    for version, events in reversed(page.recent_plies):
        for event in events:
            if isinstance(event, game_page.closes):
                body = game_page.ending(page, event)
                return RoundEnding(page, game_page, number, version, body)
    return None


@dataclass(frozen=True)
class MatchEnding:
    page: TablePage
    game_page: GamePage

    @property
    def title(self) -> str:
        """*You won by 26*, *You lost, 128 : 154*, *Ada won*."""
        match, outcome = self.page.match, self.page.match.outcome
        if match.status == "aborted" or outcome is None:
            return _("The match was called off.")
        if not self.is_decided_by_points:
            return self._in_words
        own = self._own_side
        return _scored(outcome.points, own) if own is not None else self._in_words

    @property
    def can_be_analysed(self) -> bool:
        """Whether there was something to decide, and somebody of the house can judge it."""
        return self.page.match.version > 0 and judge_of(self.page.match.rules) is not None

    @property
    def is_decided_by_points(self) -> bool:
        match, outcome = self.page.match, self.page.match.outcome
        if outcome is None or match.rules.points_are_places or len(match.sides) != 2:
            return False
        return outcome.reason not in ("resigned", "timeout") and not self._gave_up

    @property
    def _gave_up(self) -> list[str]:
        return [p.name for p in self.page.seat_panels if p.seat.resigned_at is not None]

    @property
    def _own_side(self) -> int | None:
        """The side of the viewer, if one of the sides is theirs alone."""
        if self.page.is_shared or self.page.you is None:
            return None
        seat = self.page.you.index
        return next(n for n, side in enumerate(self.page.match.sides) if seat in side)

    @property
    def _in_words(self) -> str:
        outcome, you = self.page.match.outcome, self.page.you
        many = len(self.page.match.sides) > 2
        if many and outcome and you and self.has_lost:
            place, of = outcome.places[you.index], len(outcome.places)
            return _("You came in place %(place)d of %(of)d") % {"place": place, "of": of}
        return headline(self.page)

    @property
    def reason(self) -> str:
        """The reason why it ended, where the last round does not show it."""
        outcome, panels = self.page.match.outcome, self.page.seat_panels
        late = [each.name for each in panels if each.seat.awaited and each.seat.timed_out]
        if late:
            return _("%(names)s made no first move in time.") % {"names": ", ".join(late)}
        names, you = {"names": ", ".join(self._gave_up)}, self.page.you
        own = you is not None and not self.page.is_shared and self._gave_up == [you.name]
        told_by = {
            "resigned": _("You resigned.") if own else _("%(names)s resigned.") % names,
            "timeout": _("You ran out of time.")
            if own
            else _("%(names)s ran out of time.") % names,
            "limit": _("The match was stopped at its limit."),
        }
        return told_by.get(outcome.reason, "") if outcome else ""

    @cached_property
    def best(self) -> BestOfMatch:
        return best_of_match(self.page, self.game_page)

    @property
    def moments(self) -> list[str]:
        return self.best.sentences

    @property
    def clip(self) -> Clip | None:
        return self.best.clip

    @property
    def shared(self) -> str:
        """One line for those who did not play, without an address: *GAME · Ada 154, Ben 128*."""
        match = self.page.match
        return f"{words(match.rules.name)} · {self._result}"

    @property
    def _result(self) -> str:
        match, outcome = self.page.match, self.page.match.outcome
        if outcome is None or not self.is_decided_by_points:
            return result(self.page)
        sides = zip(match.sides, outcome.points, strict=True)
        ranked = sorted(sides, key=lambda side: -side[1])
        return ", ".join(
            f"{joined([match.names[seat] for seat in side])} {points}" for side, points in ranked
        )

    @property
    def read_aloud(self) -> str:
        """The ending in words, for those who do not see it."""
        clip = self.clip.sentence if self.clip else ""
        spoken = [self.title, self.reason, *self.moments, clip]
        return " ".join(sentence(each) for each in spoken if each)

    @property
    def harder(self) -> Bot[Any] | None:
        """The computer of the next level, after a match against computers of one level."""
        return harder_rival(self.page)

    @property
    def was_short(self) -> bool:
        """Whether it was what *Play now* opens, where a whole match is longer."""
        match, rules = self.page.match, self.page.match.rules
        if not rules.short or not self.page.is_solo:
            return False
        return bool(match.options == rules.choose_options(rules.short, rules.quick_preset))

    @property
    def has_lost(self) -> bool:
        you = self.page.you
        return you is not None and not self.page.is_shared and you.seat.place != 1


def harder_rival(page: TablePage) -> Bot[Any] | None:
    others = [panel.seat for panel in page.others]
    bots = {seat.bot for seat in others if seat.kind == "bot"}
    if page.you is None or page.is_shared or len(bots) != 1 or any(s.kind != "bot" for s in others):
        return None
    return harder(page.match.rules.bots, bots.pop())


def _scored(points: Sequence[int], side: int) -> str:
    own, other = points[side], points[1 - side]
    totals = {"own": own, "other": other, "by": own - other}
    if own == other:
        return _("A draw, %(own)d : %(other)d") % totals
    if own < other:
        return _("You lost, %(own)d : %(other)d") % totals
    if own - other < LEAST_MARGIN_TOLD:
        return _("You won, %(own)d : %(other)d") % totals
    return _("You won by %(by)d") % totals
