"""Dealing again what the loading player cannot know (FORMAT.md §2, loaded matches).

The cards at the positions nobody at the loading player's seats can know are taken out of each
deck in deck order, shuffled, and laid back on these positions. Where every card of the pack is
different this is a permutation of cards, which a game applies to its state card by card.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from cardroom.rules.cards import TEXT
from cardroom.rules.field_types import texts_of
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.values import AnyCard, Deck, Event, HistoryStep

RedealtPositions = tuple[tuple[int, tuple[int, ...]], ...]


def this_round(history: Sequence[HistoryStep]) -> list[Event]:
    """What happened in the current round, preceded by the end of the one before it."""
    return [event for step in history if step.round == history[-1].round for event in step.events]


def lay_back(deck: Deck, positions: Sequence[int], cards: Sequence[AnyCard]) -> Deck:
    """The deck with ``cards`` at ``positions`` and all others where they were."""
    laid = list(deck)
    for position, card in zip(positions, cards, strict=True):
        laid[position] = card
    return tuple(laid)


def redeal_decks(
    decks: Sequence[Deck], moved: RedealtPositions, shuffle: Shuffle
) -> tuple[tuple[Deck, ...], dict[AnyCard, AnyCard]]:
    """Re-deals decks of unlike cards; gives the decks as they now lie and old card → new card.

    A later deck made of cards that an earlier one dealt (a recycled pile) follows the exchange.
    """
    now = [tuple(deck) for deck in decks]
    became: dict[AnyCard, AnyCard] = {}
    for index, positions in moved:
        taken = [now[index][position] for position in positions]
        laid = shuffle(taken)
        swap = dict(zip(taken, laid, strict=True))
        now[index] = lay_back(now[index], positions, laid)
        for later in range(index + 1, len(now)):
            now[later] = tuple(swap.get(card, card) for card in now[later])
        became = {old: swap.get(new, new) for old, new in became.items()} | {
            old: new for old, new in swap.items() if old not in became
        }
    return tuple(now), became


def undo_redeal(
    decks: Sequence[Deck], moved: RedealtPositions, shuffle: Shuffle, *, follow: bool
) -> tuple[Deck, ...]:
    """The decks as they lay before ``moved`` was dealt again with this ``shuffle``.

    ``follow``: later decks followed the exchange (:func:`redeal_decks`); else each lay for itself.
    """
    positions_of = dict(moved)
    was: dict[AnyCard, AnyCard] = {}  # a card as it is called now → as it was called before
    before = []
    for index, deck in enumerate(decks):
        positions = positions_of.get(index, ())
        laid = [deck[position] for position in positions]
        taken = _unshuffled(laid, shuffle) if positions else []
        original = lay_back(deck, positions, taken)
        before.append(tuple([was.get(card, card) for card in original]))
        if follow and positions:
            was |= {now: was.get(old, old) for now, old in zip(laid, taken, strict=True)}
    return tuple(before)


def _unshuffled(laid: Sequence[AnyCard], shuffle: Shuffle) -> list[AnyCard]:
    """The cards in the order that ``shuffle`` brought into the order ``laid``."""
    taken = list(laid)
    for card, position in zip(laid, shuffle(range(len(laid))), strict=True):
        taken[position] = card
    return taken


def retold(
    history: Sequence[HistoryStep], became: Mapping[AnyCard, AnyCard], *since: type[Event]
) -> tuple[tuple[Event, ...], ...]:
    """The events of a history after an exchange, from the last one of a type ``since`` on."""
    events = [step.events for step in history]
    for at in reversed(range(len(events))):
        ply = events[at]
        first = max((k for k, event in enumerate(ply) if isinstance(event, since)), default=0)
        events[at] = (*ply[:first], *retell(ply[first:], became, TEXT.__getitem__))
        if ply and isinstance(ply[first], since):
            break
    return tuple(events)


def retell(
    events: Iterable[Event], became: Mapping[Any, Any], card_text: Callable[[Any], str]
) -> Iterator[Event]:
    """The events with what they showed to single seats exchanged.

    What everybody saw has not moved: a field that a spectator may read stays as it is.
    """
    texts = {card_text(old): card_text(new) for old, new in became.items()}
    for event in events:
        yield retold_event(event, texts)


def retold_event(event: Event, texts: Mapping[str, str]) -> Event:
    """The event with the texts of other cards, in the fields that not everybody reads."""
    public = event.seen_by(None)
    if public is event:
        return event
    private = {
        name: _exchanged(getattr(event, name), texts)
        for name in texts_of(type(event))
        if getattr(event, name) != getattr(public, name)
    }
    return replace(event, **private) if private else event


def _exchanged(value: Any, texts: Mapping[str, str]) -> Any:
    if isinstance(value, tuple):
        return tuple([_exchanged(item, texts) for item in value])
    return texts.get(value, value)
