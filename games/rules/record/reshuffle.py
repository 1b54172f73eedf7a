"""Dealing anew once more what a loaded match dealt anew at its beginning (FORMAT.md §2).

Which seats were the loading player's is not recorded, but which positions they could not know is:
what several seats know is what one of them knows, so the seats to whom all these positions are
unknown know together no less than the loading player did.
"""

from collections.abc import Sequence
from typing import Any

from games.rules.game import AnyGame
from games.rules.record.ancestry import Ancestor
from games.rules.record.format import RecordedSeat, refuse
from games.rules.redeal import RedealtPositions
from games.rules.shuffles import Sealed
from games.rules.values import Deck, HistoryStep, Redealt

History = Sequence[HistoryStep]


def replay_redeal(
    game: AnyGame,
    seats: Sequence[RecordedSeat],
    era: Ancestor,
    state: Any,
    history: History,
    listed: Sequence[Deck],
) -> tuple[Any, list[HistoryStep]]:
    """The state and the history after the re-deal, which must lay the decks as ``listed``."""
    redealt = _redealt(game, seats, era, state, history)
    if redealt.moved != era.moved:
        refuse("loaded_from.reshuffled does not list what one of the seats could not know.")
    now = [tuple(game.card_text(card) for card in deck) for deck in redealt.decks]
    if now != list(listed):
        refuse("The decks were not dealt anew as the seed gives them.")
    return redealt.state, redealt.history(history)


def _redealt(
    game: AnyGame, seats: Sequence[RecordedSeat], era: Ancestor, state: Any, history: History
) -> Redealt[Any]:
    people = [seat for seat, line in enumerate(seats) if line.kind != "bot"]
    blind = frozenset(
        seat
        for seat in people
        if _covers(game.redeal(state, history, frozenset({seat}), list).moved, era.moved)
    )
    if not blind or era.seed is None:
        refuse("loaded_from.reshuffled does not list what one of the seats could not know.")
    return game.redeal(state, history, blind, Sealed(era.seed))


def _covers(unknown: RedealtPositions, listed: RedealtPositions) -> bool:
    """Whether all listed positions are among the unknown ones of this seat."""
    of = dict(unknown)
    return all(set(positions) <= set(of.get(index, ())) for index, positions in listed)
