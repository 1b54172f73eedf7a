"""Blocks, friends and privacy."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType

from accounts.models import User
from accounts.social import selectors, services
from accounts.social.models import Block
from accounts.social.selectors import FriendLine, lines_of
from config.api.components import deprecated
from config.api.json import Pages
from config.api.operations import Api, answer, given

api = Api("accounts")


class BlockLine(Struct):
    """An account that the caller has blocked."""

    username: str
    display_name: str
    created_at: datetime

    @classmethod
    def of(cls, block: Block) -> "BlockLine":
        return cls(block.blocked.username, block.blocked.display_name, block.created_at)


class BlockPage(Struct):
    results: list[BlockLine]
    next: str | None


@api.get("accounts/me/blocks", scope="account")
def blocks(user: User, page: Pages) -> BlockPage:
    """List whom you block

    The accounts that the caller has blocked, newest first.
    """
    rows, following = page(selectors.blocks_of(user))
    return BlockPage([BlockLine.of(row) for row in rows], following)


@api.put(
    "accounts/me/blocks/<str:username>",
    scope="account",
    refuses=[selectors.NoSuchAccount, selectors.CannotBlockYourself, selectors.TooManyBlocks],
)
def block(user: User, username: str) -> BlockLine:
    """Block an account

    Block an account. It cannot invite you, and its invitations are declined.

    It is not told: it gets the answer of an account that takes no more invitations.
    """
    other = selectors.account_by_username(user.pk, username)
    return BlockLine.of(services.block(owner=user, blocked=other.pk))


@api.delete(
    "accounts/me/blocks/<str:username>",
    scope="account",
    refuses=[selectors.NoSuchAccount, selectors.NotBlocked],
)
def unblock(user: User, username: str) -> None:
    """Unblock an account

    Unblock an account. Invitations that were declined do not come back.
    """
    other = selectors.account_by_username(user.pk, username)
    services.unblock(owner=user, blocked=other.pk)


class Friend(Struct):
    """A friend, or an account that asks you or that you asked.

    ``online`` is null unless you are friends; it is also false where the friend hides it.
    """

    username: str
    display_name: str
    status: Literal["friend", "asks_you", "you_asked"]
    state: Annotated[Literal["friend", "asks_you", "you_asked"], deprecated("status")]
    online: bool | None
    since: datetime

    @classmethod
    def of(cls, line: FriendLine) -> "Friend":
        person = line.person
        names = {"username": person.username, "display_name": person.display_name}
        return answer(cls, line, status=line.state, **names)


class FriendPage(Struct):
    results: list[Friend]
    next: str | None


class PrivacyJson(Struct):
    """What you hide of yourself.

    ``hides_profile``: only friends see your profile. To strangers you are ``Hidden player`` where
    they see a match of yours; tournaments name everybody who takes part.
    ``hides_presence``: friends do not see whether you are online. ``hides_titles``: your profile
    shows no titles.
    """

    hides_profile: bool
    hides_presence: bool
    hides_titles: bool


class PrivacyChange(Struct, forbid_unknown_fields=True):
    """A field that is left out stays as it is."""

    hides_profile: bool | UnsetType = UNSET
    hides_presence: bool | UnsetType = UNSET
    hides_titles: bool | UnsetType = UNSET


@api.get("accounts/me/friends", scope="account")
def friends(user: User, page: Pages) -> FriendPage:
    """List your friends

    The caller's friends, and who waits for an answer; newest first.
    """
    rows, following = page(selectors.friendships_of(user.pk))
    return FriendPage([Friend.of(line) for line in lines_of(user.pk, rows)], following)


@api.put(
    "accounts/me/friends/<str:username>",
    scope="account",
    refuses=[
        *(selectors.NoSuchAccount, selectors.CannotBefriendYourself, selectors.GuestsHaveNoFriends),
        *(selectors.YouBlockThem, selectors.TooManyFriends),
    ],
)
def befriend(user: User, username: str) -> Friend:
    """Ask for a friendship, or accept one

    Asks an account to be a friend. If it has asked you, you are friends now.

    Again changes nothing. An account that declines is not named: it looks as if it had not
    answered.
    """
    other = selectors.account_by_username(user.pk, username)
    row = services.befriend(user=user, other=other.pk)
    return Friend.of(lines_of(user.pk, [row])[0])


@api.delete("accounts/me/friends/<str:username>", scope="account")
def unfriend(user: User, username: str) -> None:
    """End a friendship, decline or withdraw a request

    Afterwards there is nothing between the two. The other is not told. Again is no error.
    """
    if (other := selectors.befriended_by_username(user.pk, username)) is not None:
        services.end_friendship(user=user.pk, other=other)


@api.get("accounts/me/privacy", scope="account")
def privacy(user: User) -> PrivacyJson:
    """Read what you hide

    Whether the caller hides the profile, being online, and titles.
    """
    return answer(PrivacyJson, selectors.privacy_of(user.pk))


@api.patch("accounts/me/privacy", scope="account")
def change_privacy(user: User, body: PrivacyChange) -> PrivacyJson:
    """Choose what you hide

    A hidden profile looks like the one of an account that does not exist.
    """
    return answer(PrivacyJson, services.set_privacy(user=user, **given(body)))
