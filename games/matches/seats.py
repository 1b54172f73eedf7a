"""The holder of each seat, as requested or carried over, and the side deck that it brings."""

from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.utils import timezone
from msgspec import Meta

from accounts.models import DISPLAY_NAME_LENGTH, User
from accounts.names import check_not_reserved, shown_name
from accounts.social.selectors import who_blocked
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.text import one_after_the_other, say
from cardroom.rules.values import BadSideDeck, Options
from config.api.components import drawn
from config.offers import offered
from config.refusals import NotAllowed, Refusal
from config.uuid7 import least_uuid7
from decks import selectors
from games.matches import refusals
from games.matches.models import Match, Seat
from games.matches.selectors.access import seat_snapshot_of
from games.matches.snapshot import SeatSnapshot

# Seats that their host keeps for friends; accounts know who these are (``config.offers``).


def friends_of(account: UUID | None) -> frozenset[UUID]:
    if account is None:
        return frozenset()
    return frozenset(one for friends in offered("friends_of") for one in friends(account))


def are_friends(one: UUID, other: UUID) -> bool:
    return other in friends_of(one)


def is_anybodys(seat: Seat | SeatSnapshot) -> bool:
    """Whether everybody may sit down there."""
    return seat.kind == "open" and seat.invited_id is None and not seat.for_friends


def is_free_for(seat: Seat | SeatSnapshot, host: UUID, user: UUID | None) -> bool:
    """Whether this person may sit down there without an invitation."""
    if seat.kind != "open" or seat.invited_id is not None:
        return False
    return not seat.for_friends or (user is not None and are_friends(host, user))


SeatIndex = Annotated[int, Meta(ge=0, le=99)]
Visibility = Literal["public", "unlisted", "private"]


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to take a seat: an entry of ``seats`` in ``POST matches``."""

    kind: Literal["me", "bot", "open", "user", "local"]
    bot: Annotated[str, Meta(max_length=64)] | None = None
    username: Annotated[str, Meta(max_length=150)] | None = None
    name: (
        Annotated[str, Meta(max_length=64, extra_json_schema=drawn(maxLength=DISPLAY_NAME_LENGTH))]
        | None
    ) = None
    deck: Annotated[str, Meta(max_length=64)] | None = None
    friends: bool = False


def seat_from_request(
    game: AnyGame, options: Options, creator: User, request: SeatRequest, index: int
) -> Seat:
    if request.friends:
        check_has_friends(request.kind, creator)
    match request.kind:
        case "me":
            seat = Seat(index=index, kind="user", user=creator, name=creator.display_name)
        case "local":
            seat = Seat(index=index, kind="local", user=creator, name=_local_name(request, index))
        case "bot":
            bot = find_bot(game, request.bot)
            seat = Seat(index=index, kind="bot", bot=bot.slug, name=bot.name)
        case "user":
            guest = find_invited(creator, request.username)
            seat = Seat(index=index, kind="open", invited=guest, name=guest.display_name)
        case "open":
            seat = Seat(index=index, kind="open", for_friends=request.friends)
    if seat.kind != Seat.Kind.OPEN:
        assign_side_deck(game, options, seat, creator, request.deck)
    return seat


class CannotSit(Exception):
    """Somebody who asked for a match cannot sit down; the refusal is the cause of this."""

    def __init__(self, person: User) -> None:
        super().__init__(person.pk)
        self.person = person


def sit_down(game: AnyGame, options: Options, seat: Seat, person: User) -> None:
    """Gives an open seat to a person who asked for the match; raises CannotSit."""
    seat.kind, seat.user, seat.name = Seat.Kind.USER.value, person, person.display_name
    try:
        assign_side_deck(game, options, seat, person, None)
    except Refusal as refused:
        raise CannotSit(person) from refused


def check_has_friends(kind: str, host: User) -> None:
    """Raises BadSeats where a seat cannot be kept for the friends of its host."""
    if kind != "open":
        raise refusals.BadSeats("Only an open seat can be kept for friends.")
    if host.is_guest:
        raise refusals.BadSeats("Sign up to have friends, or open the seat to anybody.")


def find_bot(game: AnyGame, name: str | None) -> Bot[Any]:
    """The game's bot of this name; raises ``UnknownBot``."""
    try:
        return game.bot(name or "")
    except KeyError:
        known = ", ".join(bot.slug for bot in game.bots)
        raise refusals.UnknownBot(
            say(
                "{game} has no bot {bot}; there are: {known}.",
                game=game.name,
                bot=repr(name),
                known=known,
            )
        ) from None


def offered_bots(game: AnyGame) -> list[Bot[Any]]:
    """Those that operators let play; maybe none."""
    off = settings.CLUB["bots_off"]
    return [bot for bot in game.bots if f"{game.slug}/{bot.slug}" not in off]


def offered_presets(game: AnyGame) -> dict[str, Options]:
    off = settings.CLUB["presets_off"]
    return {n: one for n, one in game.presets.items() if f"{game.slug}/{n}" not in off}


def check_offered(game: AnyGame, options: Options, bots: Iterable[str | None] = ()) -> None:
    """Raises ``NotAllowed`` for rules and computers that operators switched off."""
    by_name = [name for name, preset in game.presets.items() if preset == options]
    if by_name and not offered_presets(game).keys() & set(by_name):
        raise NotAllowed(say("These rules are not played here at the moment."))
    if {bot.partition("@")[0] for bot in bots if bot} - {bot.slug for bot in offered_bots(game)}:
        raise NotAllowed(say("This computer does not play here at the moment."))


def bot_slugs() -> list[str]:
    return [f"{game.slug}/{bot.slug}" for game in catalog.GAMES for bot in game.bots]


def preset_slugs() -> list[str]:
    return [f"{game.slug}/{preset}" for game in catalog.GAMES for preset in game.presets]


def _local_name(request: SeatRequest, index: int) -> str:
    """The name of a person at the creator's device, by the rules of every name that others see.

    It may be like an account's, as others read whose guest this is, but not like the house's.
    """
    if not request.name:
        return f"Player {index + 1}"
    try:
        name = shown_name(request.name)
        check_not_reserved(name)
    except ValidationError as error:
        raise refusals.BadSeats(" ".join(error.messages)) from None
    return name


def find_invited(creator: User, username: str | None) -> User:
    """The account to invite; raises ``UnknownUser``, or ``BadSeats`` for the creator's own."""
    name = (username or "").strip()
    guest: User | None = (
        get_user_model()
        .objects.filter(username__iexact=name, is_active=True, is_house=False)
        .first()
    )
    if guest is None or _is_hidden(creator, guest):
        raise refusals.UnknownUser(say("There is no player called {name}.", name=repr(name)))
    if guest == creator:
        raise refusals.BadSeats("You cannot invite yourself; choose “Me” for your own seat.")
    return guest


def _is_hidden(creator: User, guest: User) -> bool:
    """Whether others may not learn that this account exists; friends may (``config.offers``)."""
    if are_friends(creator.pk, guest.pk):
        return False
    return any(hidden(creator.pk, {guest.pk}) for hidden in offered("hidden_from"))


def assign_side_deck(
    game: AnyGame, options: Options, seat: Seat, user: User, deck: str | None
) -> None:
    """Gives a seat the side deck that its game wants: a frozen copy.

    A person who names no deck keeps the one of the seat (a rematch), else brings the default deck.
    To a game that is played without side decks nobody brings one: its record would tell it. Then
    only a deck that was named is looked for.
    """
    looked_for = deck is not None or (game.needs_side_deck and seat.side_deck is None)
    if seat.kind in ("user", "local") and looked_for:
        chosen = selectors.cards(owner=user.id, deck=deck)
        if deck is not None and chosen is None:
            raise refusals.UnknownDeck(say("You have no side deck {deck}.", deck=repr(deck)))
        brought = chosen or selectors.for_newcomer(options)
        seat.side_deck = list(brought) if brought else None
    if not game.needs_side_deck:
        seat.side_deck = None
    try:
        setup = game.complete_setup(options, seat_snapshot_of(seat).setup)
    except BadSideDeck as error:
        raise refusals.BadDeck(
            one_after_the_other(error.faults), faults=list(error.faults)
        ) from None
    seat.side_deck = list(setup.side_deck) if setup.side_deck else None


def carry_over_seat(game: AnyGame, seat: SeatSnapshot, index: int, user: User) -> Seat:
    """A seat of a new match for the holder of ``seat``; people other than ``user`` are invited.

    A side deck that the game does not need stays behind: older matches of such games have some.
    """
    deck = list(seat.side_deck) if seat.side_deck and game.needs_side_deck else None
    kept = Seat(index=index, name=seat.name, side_deck=deck, bot=seat.bot)
    if seat.kind == Seat.Kind.BOT or seat.user_id == user.id:
        kept.kind, kept.user_id = seat.kind, seat.user_id
    else:
        kept.kind, kept.invited_id = Seat.Kind.OPEN.value, seat.user_id or seat.invited_id
    return kept


# Company at a table: nobody comes to a table of people who have blocked them.


def is_kept_away(user: UUID, host: UUID, seats: Iterable[Seat | SeatSnapshot]) -> bool:
    """Whether the host or somebody at the table has blocked the user.

    They are not told so: to them the free seats look like seats that are kept for somebody.
    """
    people = {host, *(seat.user_id for seat in seats if seat.user_id is not None)} - {user}
    return bool(who_blocked(user, people))


# Bot accounts at a table: whether one takes a seat, and how many matches it opens.
#
# The games of a bot account are known to an app above (``config.offers``: ``refuses_seat``).

AN_HOUR: Final = timedelta(hours=1)


def check_seats(row: Match, people: Collection[UUID], *, by_pairing: bool = False) -> None:
    """Raises ProgramDeclines if one of these bot accounts does not play this match."""
    for account in User.objects.filter(pk__in=people) if people else ():
        for refuses in offered("refuses_seat"):
            if sentence := refuses(account, row, by_pairing=by_pairing):
                raise refusals.ProgramDeclines(sentence)


def check_openings(row: Match) -> None:
    """Fair use: a bot account opens so many matches an hour, challenges included."""
    since = least_uuid7(timezone.now() - AN_HOUR)
    lately = Match.objects.filter(creator=row.creator_id, id__gt=since)
    if lately.count() >= (most := settings.LIMITS["program_openings"]):
        raise refusals.TooManyOpenings(limit=most)
