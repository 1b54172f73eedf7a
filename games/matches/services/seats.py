"""Who sits where: seats from wishes, from another match, and what each brings to the table."""

from collections.abc import Sequence
from typing import Literal

import msgspec
from django.contrib.auth import get_user_model

from accounts.models import User
from decks import selectors as decks
from games.matches.models import Seat
from games.matches.refusals import BadDeck, BadSeats, UnknownBot, UnknownDeck, UnknownUser
from games.rules.errors import BadSideDeck
from games.rules.game import AnyGame
from games.rules.values import Options, Setup


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who shall sit down: one of ``seats`` in ``POST matches``."""

    kind: Literal["me", "bot", "open", "user", "local"]
    bot: str | None = None
    username: str | None = None
    name: str | None = None
    deck: str | None = None


def seat_from_request(
    game: AnyGame, options: Options, creator: User, wish: SeatRequest, index: int
) -> Seat:
    match wish.kind:
        case "me":
            seat = Seat(index=index, kind="user", user=creator, name=creator.display_name)
        case "local":
            name = (wish.name or "").strip() or f"Player {index + 1}"
            seat = Seat(index=index, kind="local", user=creator, name=name[:64])
        case "bot":
            seat = _bot_seat(game, wish, index)
        case "user":
            seat = _invitation(creator, wish, index)
        case "open":
            seat = Seat(index=index, kind="open")
    if seat.kind != Seat.Kind.OPEN:
        assign_side_deck(game, options, seat, creator, wish.deck)
    return seat


def _bot_seat(game: AnyGame, wish: SeatRequest, index: int) -> Seat:
    try:
        bot = game.bot(wish.bot or "")
    except KeyError:
        known = ", ".join(bot.slug for bot in game.bots)
        raise UnknownBot(f"{game.name} has no bot {wish.bot!r}; there are: {known}.") from None
    return Seat(index=index, kind="bot", bot=bot.slug, name=bot.name)


def _invitation(creator: User, wish: SeatRequest, index: int) -> Seat:
    found: User | None = (
        get_user_model().objects.filter(username__iexact=wish.username or "", is_active=True)
    ).first()
    if found is None:
        raise UnknownUser(f"There is no player called {wish.username!r}.")
    if found == creator:
        raise BadSeats("You cannot invite yourself; take a seat with kind 'me'.")
    return Seat(index=index, kind="open", invited=found, name=found.display_name)


def assign_side_deck(
    game: AnyGame, options: Options, seat: Seat, user: User, deck: str | None
) -> None:
    """Gives a seat what its game wants it to bring: a frozen copy (pazaak R2).

    A person who names no deck keeps the one that lies there already (a rematch), else the default.
    """
    brought = seat.side_deck
    if seat.kind in ("user", "local") and (deck is not None or brought is None):
        chosen = decks.cards(owner=user.id, deck=deck)
        if deck is not None and chosen is None:
            raise UnknownDeck(f"You have no side deck {deck!r}.")
        brought = list(chosen) if chosen is not None else brought
    setup = Setup(seat.name, seat.bot or None, tuple(brought) if brought else None)
    try:
        outfitted = game.complete_setup(options, setup)
    except BadSideDeck as error:
        raise BadDeck(str(error), faults=list(map(str, error.faults))) from None
    seat.side_deck = list(outfitted.side_deck) if outfitted.side_deck else None


def is_rated(game: AnyGame, seats: Sequence[Seat]) -> bool:
    return all(
        game.bot(seat.bot).rated if seat.bot else seat.kind != Seat.Kind.LOCAL for seat in seats
    )


def carry_over_seat(seat: Seat, index: int, user: User) -> Seat:
    """A seat of a new match for who holds ``seat``; people other than ``user`` are invited."""
    kept = Seat(index=index, name=seat.name, side_deck=seat.side_deck, bot=seat.bot)
    if seat.kind == Seat.Kind.BOT or seat.user_id == user.id:
        kept.kind, kept.user = seat.kind, seat.user
    else:
        kept.kind, kept.invited = Seat.Kind.OPEN, seat.user or seat.invited
    return kept
