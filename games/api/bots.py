"""Bot accounts: becoming one, confirming one, and the public list."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from accounts.models import User
from config.api.json import ROOT
from config.api.operations import Api, answer, given
from games.api.bodies import Body
from games.bot_accounts import services
from games.bot_accounts.models import DESCRIPTION_LENGTH
from games.bot_accounts.services import Listed, Manners, PlaysGame, Slug
from games.matches import refusals as matches

api = Api("playing")


Pace = Literal["blitz", "normal", "slow"]
Description = Annotated[str, msgspec.Meta(max_length=DESCRIPTION_LENGTH)]
AtOnce = Annotated[int, msgspec.Meta(ge=1, le=50)]
Paces = Annotated[list[Pace], msgspec.Meta(max_length=3)]

Games = Annotated[list[PlaysGame], msgspec.Meta(max_length=32)]


class NewBot(Body, frozen=True):
    """``owner`` is the username of the person who answers for the program, and who confirms it.

    ``plays``, ``paces``: what it plays, empty for everything; ``at_once``: how many matches.
    ``seeks``: it may seek a match with anybody; people meet it as a computer.
    """

    owner: Annotated[str, msgspec.Meta(max_length=150)]
    description: Description = ""
    plays: Games = msgspec.field(default_factory=list)
    paces: Paces = msgspec.field(default_factory=list)
    at_once: AtOnce = 1
    seeks: bool = False


class BotChange(Body, frozen=True):
    """A field that is left out stays as it is."""

    description: Description | UnsetType = UNSET
    plays: Games | UnsetType = UNSET
    paces: Paces | UnsetType = UNSET
    at_once: AtOnce | UnsetType = UNSET
    seeks: bool | UnsetType = UNSET


class BotAccount(msgspec.Struct, frozen=True):
    """``status``: ``asked`` until the owner confirms. ``running`` are the matches it plays now;
    ``online``: its stream is open.
    """

    username: str
    name: str
    owner: str
    status: Literal["asked", "confirmed"]
    description: str
    plays: list[PlaysGame]
    paces: list[Pace]
    at_once: int
    seeks: bool
    online: bool
    running: int
    asked_at: datetime
    confirmed_at: datetime | None
    links: dict[str, str]


class BotList(msgspec.Struct, frozen=True):
    """Those that are online first."""

    results: list[BotAccount]
    next: str | None = None


class BotsQuery(msgspec.Struct, frozen=True):
    """``game``: those that play it; ``online``: those that are there and have room."""

    game: Slug = ""
    online: bool = False


def bot_response(listed: Listed) -> BotAccount:
    row = listed.program
    return answer(
        BotAccount,
        row,
        username=row.account.username,
        name=row.account.display_name,
        owner=row.owner.username,
        status="asked" if row.confirmed_at is None else "confirmed",
        plays=msgspec.convert(row.plays, list[PlaysGame]),
        online=listed.is_online,
        running=listed.running,
        links={"profile": f"{ROOT}users/{row.account.username}"},
    )


@api.get("bots")
def bots(reader: UUID | None, query: BotsQuery) -> BotList:
    """List bot accounts

    Accounts with which programs play: 200 at most, those that are online first.
    """
    rows = services.bot_accounts(reader, query.game)
    return BotList([bot_response(one) for one in rows if one.is_free or not query.online])


@api.get("accounts/me/bot", tag="accounts", scope="account", refuses=[services.NoSuchBotAccount])
def my_bot(user: User) -> BotAccount:
    """Read your bot account

    What the caller has asked for, and whether the owner has confirmed.
    """
    row = services.program_of(user.pk)
    if row is None:
        raise services.NoSuchBotAccount
    return bot_response(services.listed(row))


@api.post(
    "accounts/me/bot",
    tag="accounts",
    scope="account",
    own_key=True,  # nobody undoes what is confirmed
    creates="accounts/me/bot",
    refuses=[
        *(matches.UnknownUser, services.NotAnOwner, services.HasPlayedRated),
        *(services.AlreadyABotAccount, services.TooManyPrograms, services.BadProgram),
    ],
)
def become_bot(user: User, body: NewBot) -> BotAccount:
    """Become a bot account

    Asks `owner` to answer for the caller's program. Once they confirm, there is no way back.

    A bot account's name ends in BOT, it plays by the API only, and is rated with the computers.
    An account that has played rated matches stays a person's.
    """
    row = services.ask_for_bot(
        account=user, owner=body.owner, manners=msgspec.convert(body, Manners, from_attributes=True)
    )
    return bot_response(services.listed(row))


@api.patch(
    "accounts/me/bot",
    tag="accounts",
    scope="account",
    refuses=[services.NoSuchBotAccount, services.BadProgram],
)
def change_bot(user: User, body: BotChange) -> BotAccount:
    """Change what your program plays

    Its description, games, paces, and how many matches it plays at once.
    """
    row = services.change_bot(account=user, **given(body))
    return bot_response(services.listed(row))


@api.get("accounts/me/bots", tag="accounts", scope="account")
def my_bots(user: User) -> BotList:
    """List the bot accounts that you own

    Those for which the caller answers, and those that ask.
    """
    return BotList([bot_response(one) for one in services.programs_of(user)])


@api.put(
    "accounts/me/bots/<str:username>",
    tag="accounts",
    scope="account",
    own_key=True,
    refuses=[
        *(services.NoSuchBotAccount, services.HasPlayedRated),
        *(services.AlreadyABotAccount, services.BadProgram),
    ],
)
def confirm_bot(user: User, username: str) -> BotAccount:
    """Confirm a bot account

    The caller answers for the program of this account. Again is no error.
    """
    row = services.confirm_bot(owner=user, username=username)
    return bot_response(services.listed(row))


@api.delete(
    "accounts/me/bots/<str:username>",
    tag="accounts",
    scope="account",
    refuses=[services.NoSuchBotAccount, services.AlreadyABotAccount],
)
def refuse_bot(user: User, username: str) -> None:
    """Refuse a bot account

    The caller does not answer for this program; one that is confirmed stays.
    """
    services.refuse_bot(owner=user, username=username)
