"""The rounds of a match, those of its past included (``lineage``)."""

from collections import defaultdict
from copy import copy
from uuid import UUID

from games.matches.models import Round
from games.matches.selectors.folded import folded_rounds
from games.matches.selectors.lineage import chapters
from games.matches.snapshot import MatchSnapshot


def rounds_of_match(match: MatchSnapshot, *, with_cards: bool = True) -> list[Round]:
    """Every round, undone ones too, in the order in which they opened."""
    if match.state_json is None:
        return []
    stored, line = defaultdict(list), chapters(match)
    for row in _rows([chapter.match_id for chapter in line], with_cards=with_cards):
        stored[row.match_id].append(row)
    history: list[Round] = []
    for chapter in reversed(line):
        own = stored[chapter.match_id] or folded_rounds(chapter.match_id)
        history = [*_past(history, own, chapter.after), *own]
    return sorted(history, key=lambda one: (one.opening_version, one.number))


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
