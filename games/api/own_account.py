"""The caller's own account as a whole: all data that is kept about it, and its deletion."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from rest_framework.request import Request

from accounts import refusals as accounts
from accounts.api import Line, Secret
from accounts.models import User
from accounts.signing_in import knows_password
from config.api.json import ROOT
from config.api.operations import Api
from config.api.scopes import Scope
from config.api.throttles import WrongPasswords
from games.operations import people
from games.operations.own_data import data_of

api = Api("accounts")


class OwnFacts(msgspec.Struct):
    id: UUID
    username: str
    display_name: str
    email: str
    language: str
    local_letters: bool
    in_archive: bool
    date_joined: datetime
    last_login: datetime | None


class OwnKey(msgspec.Struct):
    name: str
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime


class OwnBrowser(msgspec.Struct):
    """A browser in which the caller is or was signed in; exact to the hour."""

    device: str
    started_at: datetime
    last_used_at: datetime


class OwnConnection(msgspec.Struct):
    """A program of somebody else's that acts for the caller."""

    name: str
    scopes: list[Scope]
    connected_at: datetime
    last_used_at: datetime
    expires_at: datetime


class OwnProgram(msgspec.Struct):
    """A program that the caller registered."""

    client_id: str
    name: str
    kind: Literal["public", "confidential"]
    redirect_uris: list[str]
    created_at: datetime


class OwnDeck(msgspec.Struct):
    name: str
    cards: list[str]
    created_at: datetime


class OwnMatch(msgspec.Struct):
    id: UUID
    game: str
    seat: int
    name: str
    created_at: datetime


class OwnSimulation(msgspec.Struct):
    id: UUID
    created_at: datetime


class OwnReport(msgspec.Struct):
    """``answer`` is what the operators said to it."""

    match_id: UUID
    reason: str
    text: str
    at: datetime
    answer: str


class OwnSignIn(msgspec.Struct):
    attempt_time: datetime
    ip_address: str | None
    user_agent: str


class OwnChallenge(msgspec.Struct):
    """``sent``: else it was received."""

    match_id: UUID
    sent: bool
    created_at: datetime


class OwnBotAccount(msgspec.Struct):
    """``name`` and ``owner_name`` are usernames; yours is one of them."""

    name: str
    owner_name: str
    description: str
    plays: list[dict[str, Any]]
    paces: list[str]
    at_once: int
    seeks: bool
    asked_at: datetime
    confirmed_at: datetime | None


class OwnBlock(msgspec.Struct):
    username: str
    created_at: datetime


class OwnFriend(msgspec.Struct):
    username: str
    state: Literal["friend", "asks_you", "you_asked"]
    since: datetime


class OwnPrivacy(msgspec.Struct):
    hides_profile: bool
    hides_presence: bool
    hides_titles: bool


class OwnMute(msgspec.Struct):
    """``username`` is null where nobody is read."""

    username: str | None
    at: datetime


class OwnPhrase(msgspec.Struct):
    match_id: UUID
    phrase: str
    at: datetime


class OwnResult(msgspec.Struct):
    """``bot`` is the computer of these matches, ``*`` of several kinds, empty against people."""

    game: str
    bot: str
    won: int
    drawn: int
    lost: int


class OwnMeeting(msgspec.Struct):
    opponent_name: str
    game: str
    won: int
    drawn: int
    lost: int


class OwnRating(msgspec.Struct):
    """What a rated match made of a rating. ``board``: game, pace, sides and opponents."""

    board: str
    at: datetime
    match_id: UUID
    before: float
    after: float
    deviation: float


class OwnSilence(msgspec.Struct):
    at: datetime
    until: datetime | None
    reason: str


class OwnMessage(msgspec.Struct):
    at: datetime
    text: str
    read_at: datetime | None


class OwnSuspension(msgspec.Struct):
    at: datetime
    until: datetime | None
    reason: str


class OwnAppeal(msgspec.Struct):
    """What was said to a suspension, once, and what the operators answered."""

    text: str
    at: datetime
    answer: str


class OwnNote(msgspec.Struct):
    """What an operator noted about the person for other operators."""

    at: datetime
    text: str


class OwnData(msgspec.Struct):
    """All that is kept of the caller. ``links`` name where the records of the matches are."""

    account: OwnFacts
    keys: list[OwnKey]
    browsers: list[OwnBrowser]
    connected_programs: list[OwnConnection]
    programs: list[OwnProgram]
    calendar_since: datetime | None
    decks: list[OwnDeck]
    matches: list[OwnMatch]
    simulations: list[OwnSimulation]
    reports_made: list[OwnReport]
    sign_ins: list[OwnSignIn]
    challenges: list[OwnChallenge]
    bot_accounts: list[OwnBotAccount]
    blocks: list[OwnBlock]
    friends: list[OwnFriend]
    privacy: OwnPrivacy
    mutes: list[OwnMute]
    phrases: list[OwnPhrase]
    results: list[OwnResult]
    meetings: list[OwnMeeting]
    ratings: list[OwnRating]
    silences: list[OwnSilence]
    messages_from_operators: list[OwnMessage]
    suspensions: list[OwnSuspension]
    appeals: list[OwnAppeal]
    notes_of_operators: list[OwnNote]
    links: dict[str, str]


class AccountDeletion(msgspec.Struct, forbid_unknown_fields=True):
    """``username``: your own, to confirm. A guest has no password."""

    username: Line
    password: Annotated[Secret, msgspec.Meta(description="Not for guests.")] = ""


@api.get("accounts/me/data", scope="account")
def my_data(user: User) -> OwnData:
    """Download your data

    All that is kept of you, in one document; no key's secret is kept.

    The records of your matches are files of their own: `exports`.
    """
    links = {"records": f"{ROOT}exports/matches?mine=true", "exports": f"{ROOT}exports"}
    return msgspec.convert(data_of(user) | {"links": links}, OwnData)


@api.post(
    "accounts/me/delete",
    scope="account",
    own_key=True,
    limits=(WrongPasswords,),
    refuses=[
        *(accounts.WrongPassword, accounts.NotConfirmed, accounts.StaffStays, accounts.LockedOut)
    ],
)
def delete_me(request: Request, user: User, body: AccountDeletion) -> None:
    """Delete your account

    Deletes the caller's account with its keys and decks; this cannot be undone.

    Running matches are resigned. Matches stay under a pseudonym, so that their records stay
    whole.
    """
    people.delete(
        user=user,
        typed=body.username,
        knows_password=lambda: knows_password(request._request, user, body.password),  # noqa: SLF001 (django-axes wants Django's own)
    )
