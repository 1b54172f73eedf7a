"""The rounds of a match, those of its past included (``lineage``)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from uuid import UUID

from games.matches.models import Match, Round
from games.matches.selectors.folded import folded_rounds, folded_rounds_of_each
from games.matches.selectors.lineage import NEWEST, Chapter, chapters, chapters_of_each
from games.matches.snapshot import MatchSnapshot


def rounds_of_match(match: MatchSnapshot, *, with_cards: bool = True) -> list[Round]:
    """Every round, undone ones too, in the order in which they opened."""
    if match.state_json is None:
        return []
    line = chapters(match)
    stored = _stored([chapter.match_id for chapter in line], with_cards=with_cards)
    for chapter in line:
        if chapter.match_id not in stored:
            stored[chapter.match_id] = folded_rounds(chapter.match_id)
    return _history(line, stored)


def closed_scores_of_each(matches: Iterable[Match]) -> dict[UUID, list[list[int]]]:
    """The scores of the rounds of many matches that are over, in a handful of statements."""
    loaded = [match.id for match in matches if match.parent_id is not None]
    lines: dict[UUID, tuple[Chapter, ...]]
    lines = {match.id: (Chapter(match.id, -1, NEWEST, None),) for match in matches}
    lines |= chapters_of_each(loaded)
    holders = {chapter.match_id for line in lines.values() for chapter in line}
    stored = _stored(list(holders), with_cards=False)
    stored |= folded_rounds_of_each([holder for holder in holders if holder not in stored])
    return {match: _scores(_history(line, stored)) for match, line in lines.items()}


def _scores(rounds: Iterable[Round]) -> list[list[int]]:
    standing = [one for one in rounds if one.undone_at is None and one.scores is not None]
    return [one.scores or [] for one in sorted(standing, key=lambda one: one.number)]


def _history(line: Sequence[Chapter], stored: Mapping[UUID, list[Round]]) -> list[Round]:
    """The rounds of all chapters, in the order in which they opened."""
    history: list[Round] = []
    for chapter in reversed(line):
        own = stored.get(chapter.match_id, [])
        history = [*_past(history, own, chapter.after), *own]
    return sorted(history, key=lambda one: (one.opening_version, one.number))


def _stored(matches: list[UUID], *, with_cards: bool) -> dict[UUID, list[Round]]:
    """By match, those that are not folded."""
    stored: dict[UUID, list[Round]] = defaultdict(list)
    for row in _rows(matches, with_cards=with_cards):
        stored[row.match_id].append(row)
    return stored


def _rows(matches: list[UUID], *, with_cards: bool) -> list[Round]:
    rounds = Round.objects.filter(match_id__in=matches).order_by("opening_version", "number")
    return list(rounds if with_cards else rounds.defer("opening_state", "decks"))


def _past(history: list[Round], own: list[Round], begun: int) -> list[Round]:
    """What a match that was loaded at a version takes over: rounds that it has no row of.

    What was undone in the parent later stands in this match.
    """
    replaced = {one.number for one in own if one.opening_version <= begun}
    return [
        _standing(one) for one in history if stands_at(one, begun) and one.number not in replaced
    ]


def _standing(round_: Round) -> Round:
    if round_.undone_at is None:
        return round_
    stands = copy(round_)
    stands.undone_at = None
    return stands


def stands_at(round_: Round, version: int) -> bool:
    """Whether it had opened by a version and no roll-back had undone it by then."""
    undone = round_.undone_at is not None and round_.undone_at <= version
    return round_.opening_version <= version and not undone


def standing_rounds(match: MatchSnapshot, version: int, *, with_cards: bool = True) -> list[Round]:
    """The rounds up to a version that no roll-back had undone by then, the running one last."""
    rounds = rounds_of_match(match, with_cards=with_cards)
    return [one for one in rounds if stands_at(one, version)]


def undone_spans(match: MatchSnapshot) -> list[tuple[int, int]]:
    """For each roll-back, those of its past included: the opening it went back to, its version."""
    if match.state_json is None:
        return []
    line = chapters(match)
    stored = _stored([chapter.match_id for chapter in line], with_cards=False)
    spans: dict[int, int] = {}
    for chapter in line:
        until = min(chapter.until, match.version)
        for one in stored.get(chapter.match_id) or folded_rounds(chapter.match_id):
            if one.undone_at is not None and one.undone_at <= until:
                first = spans.get(one.undone_at, one.opening_version)
                spans[one.undone_at] = min(first, one.opening_version)
    return [(first, last) for last, first in spans.items()]
