"""Make, change, copy and delete decks. No match changes with them (pazaak R2)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from accounts.models import User
from accounts.services.neighbours import counted_with
from cardroom.rules.pazaak.side_cards import READY_MADE, in_order
from decks import selectors
from decks.models import NAME_LENGTH, Deck
from decks.refusals import DeckNameTaken, NoSuchDeck, TooManyDecks
from decks.services.legality import check, shown_name

MOST_DECKS = 100


def create(*, owner: UUID, name: str, cards: Sequence[str], is_default: bool | None = None) -> Deck:
    """A new deck; an owner's first is the default one unless `is_default` is given.

    Raises BadDeck, DeckNameTaken, TooManyDecks.
    """
    name = shown_name(name)
    check(name=name, cards=cards)
    with _locked_owner(owner):
        decks, owners = selectors.of(owner), counted_with(owner)
        most = owners.most(MOST_DECKS)
        if Deck.objects.filter(owner__in=owners.ids).count() >= most:
            raise TooManyDecks(limit=most)
        if is_default is None:
            is_default = not decks.exists()
        deck = Deck(owner_id=owner, name=name, cards=list(in_order(cards)), is_default=is_default)
        _clear_other_default(deck)
        deck.save(force_insert=True)
    return deck


def update(
    *,
    owner: UUID,
    deck_id: UUID,
    name: str | None = None,
    cards: Sequence[str] | None = None,
    is_default: bool | None = None,
) -> Deck:
    """Changes a deck; None leaves a field as it is. Raises NoSuchDeck, BadDeck, DeckNameTaken."""
    with _locked_owner(owner):
        deck = get_deck(owner=owner, deck_id=deck_id)
        name = deck.name if name is None else shown_name(name)
        cards = deck.cards if cards is None else cards
        check(name=name, cards=cards)
        deck.name, deck.cards = name, list(in_order(cards))
        deck.is_default = deck.is_default if is_default is None else is_default
        _clear_other_default(deck)
        deck.updated_at = Now()
        deck.save(force_update=True)
        deck.refresh_from_db(fields=["updated_at"])
    return deck


def delete(*, owner: UUID, deck_id: UUID) -> None:
    """Deletes a deck. Raises NoSuchDeck."""
    with _locked_owner(owner):
        deleted, _ = selectors.of(owner).filter(pk=deck_id).delete()
    if not deleted:
        raise NoSuchDeck


def copy(*, owner: UUID, deck_id: UUID, name: str = "") -> Deck:
    """The same cards under this name, with a number if it is taken.

    Raises NoSuchDeck, TooManyDecks.
    """
    deck = get_deck(owner=owner, deck_id=deck_id)
    return create(owner=owner, name=free_name(owner, name or f"{deck.name} copy"), cards=deck.cards)


def copy_ready_made(*, owner: UUID, slug: str) -> Deck:
    """A ready-made deck as the owner's own. Raises NoSuchDeck, TooManyDecks."""
    ready = next((deck for deck in READY_MADE if deck.slug == slug), None)
    if ready is None:
        raise NoSuchDeck("There is no such ready-made deck.")
    return create(owner=owner, name=free_name(owner, ready.name), cards=ready.cards)


def get_deck(*, owner: UUID, deck_id: UUID) -> Deck:
    """The owner's deck. Raises NoSuchDeck."""
    deck = selectors.of(owner).filter(pk=deck_id).first()
    if deck is None:
        raise NoSuchDeck
    return deck


def free_name(owner: UUID, name: str) -> str:
    """``name`` or, if the owner has a deck of that name, the name with the next free number."""
    taken = {each.upper() for each in selectors.of(owner).values_list("name", flat=True)}
    return next(each for each in _numbered(name) if each.upper() not in taken)


def _numbered(name: str) -> Iterator[str]:
    yield name[:NAME_LENGTH]
    for number in count(2):
        ending = f" {number}"
        yield name[: NAME_LENGTH - len(ending)] + ending


def _clear_other_default(deck: Deck) -> None:
    """An owner has one default deck at most."""
    if deck.is_default:
        others = selectors.of(deck.owner_id).filter(is_default=True).exclude(pk=deck.pk)
        others.update(is_default=False)


@contextmanager
def _locked_owner(owner: UUID) -> Iterator[None]:
    """Serializes the writes of one owner. Raises DeckNameTaken."""
    try:
        with transaction.atomic():
            User.objects.select_for_update(no_key=True).get(pk=owner)
            yield
    except IntegrityError as error:
        if "deck_name_is_unique_regardless_of_case" in str(error):
            raise DeckNameTaken from error
        raise
