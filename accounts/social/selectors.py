"""Reads of blocks and friends, and of who is here."""

from collections.abc import Collection, Iterable
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

from django.core.cache import cache
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Value

from accounts.models import User
from accounts.social.models import Block, Friendship, Privacy
from config.postgres.together import Part, once, read, rows_of
from config.refusals import NotFound, Refusal

# The accounts that are online: those that have a stream open, the site's pages included.
#
# It is kept in the cache for seconds and nowhere else. Only friends are shown it, and nobody
# where the person hides it.

SECONDS: Final = 15  # streams are looked at every five


def note_presence(accounts: Collection[UUID]) -> None:
    if accounts:
        cache.set_many(dict.fromkeys(map(_key, accounts), 1), timeout=SECONDS)


def online(accounts: Collection[UUID]) -> set[UUID]:
    """The accounts among these that are there and do not hide it."""
    keys = {_key(account): account for account in accounts}
    there = {keys[key] for key in cache.get_many(keys)} if keys else set()
    if not there:
        return there
    hidden = Privacy.objects.filter(account__in=there, hides_presence=True)
    return there - set(hidden.values_list("account_id", flat=True))


def _key(account: UUID) -> str:
    return f"online:{account}"


# Why a block or a friendship is refused.


class CannotBlockYourself(Refusal, status=422):
    """You cannot block yourself."""


class TooManyBlocks(Refusal, status=409):
    """You have blocked as many accounts as one account may. Unblock one first."""


class NoSuchAccount(NotFound):
    """There is no account of this name."""


class NotBlocked(NotFound):
    """You have not blocked this account."""


class CannotBefriendYourself(Refusal, status=422):
    """You cannot be your own friend."""


class GuestsHaveNoFriends(Refusal, status=403):
    """Sign up to have friends."""


class YouBlockThem(Refusal, status=409):
    """You have blocked this account. Unblock it first."""


class TooManyFriends(Refusal, status=409):
    """You have as many friends and requests as one account may. End one first."""


def blocks_of(user: User) -> QuerySet[Block]:
    """The blocks of a user, newest first."""
    return Block.objects.filter(owner=user).select_related("blocked").order_by("-id")


def blocked_by(user_id: UUID) -> QuerySet[Block, UUID]:
    """The ids of the accounts that the user has blocked, for a subquery."""
    return Block.objects.filter(owner=user_id).values_list("blocked_id", flat=True)


def who_blocked(user_id: UUID, among: Collection[UUID]) -> set[UUID]:
    """The accounts ``among`` these that have blocked the user."""
    blocks = Block.objects.filter(owner__in=among, blocked=user_id)
    return set(blocks.values_list("owner_id", flat=True))


def blocked_either_way(user_id: UUID) -> set[UUID]:
    """The accounts that the user has blocked or that have blocked the user."""
    rows = Block.objects.filter(Q(owner=user_id) | Q(blocked=user_id))
    return {id_ for pair in rows.values_list("owner_id", "blocked_id") for id_ in pair} - {user_id}


class Circle(NamedTuple):
    """The friends of an account, those whom it has blocked, and all that a block keeps from it."""

    friends: frozenset[UUID] = frozenset()
    blocked: frozenset[UUID] = frozenset()
    blocked_either_way: frozenset[UUID] = frozenset()


def circle_of(user_id: UUID) -> Circle:
    """In one statement."""
    pairs = [(kind, a, b if a == user_id else a) for kind, a, b in rows_of(_circle(user_id))]
    return Circle(
        frozenset(id_ for kind, _, id_ in pairs if kind == "friend"),
        frozenset(id_ for kind, one, id_ in pairs if kind == "block" and one == user_id),
        frozenset(id_ for kind, _, id_ in pairs if kind == "block"),
    )


@once
def _circle(user_id: UUID) -> QuerySet[Friendship, Any]:
    friends = friendships_of(user_id).filter(state="accepted").order_by()
    blocks = Block.objects.filter(Q(owner=user_id) | Q(blocked=user_id)).order_by()
    rows = friends.annotate(kind=Value("friend")).values_list("kind", "sender_id", "recipient_id")
    return rows.union(
        blocks.annotate(kind=Value("block")).values_list("kind", "owner_id", "blocked_id"), all=True
    )


def friendships_of(user_id: UUID) -> QuerySet[Friendship]:
    """The friendships and requests that the user may know of, newest first."""
    sent = Q(sender=user_id, state__in=["requested", "declined", "accepted"])
    received = Q(recipient=user_id, state__in=["requested", "accepted"])
    rows = Friendship.objects.filter(
        sent | received, sender__is_active=True, recipient__is_active=True
    )
    return rows.select_related("sender", "recipient").order_by("-id")


def friendship_between(one: UUID, other: UUID) -> Friendship | None:
    pair = Q(sender=one, recipient=other) | Q(sender=other, recipient=one)
    return Friendship.objects.filter(pair).first()


def are_friends(one: UUID, other: UUID) -> bool:
    row = friendship_between(one, other)
    return row is not None and row.state == Friendship.State.ACCEPTED


def friends_of(user_id: UUID) -> list[UUID]:
    """The ids of the user's friends whose accounts are open."""
    rows = friendships_of(user_id).filter(state="accepted").order_by()
    pairs = rows.values_list("sender_id", "recipient_id")
    return [recipient if sender == user_id else sender for sender, recipient in pairs]


def privacy_of(user_id: UUID) -> Privacy:
    """The privacy of the user; unsaved where nothing was ever chosen."""
    return Privacy.objects.filter(account=user_id).first() or Privacy(account_id=user_id)


def hidden_profiles() -> QuerySet[Privacy, UUID]:
    """The ids of accounts that no list of strangers shows, for a subquery."""
    return Privacy.objects.filter(hides_profile=True).values_list("account_id", flat=True)


def hidden_from(viewer: UUID | None, among: Collection[UUID]) -> set[UUID]:
    """The accounts ``among`` these that hide their profile and are no friends of the viewer."""
    hide = set(hidden_profiles().filter(account__in=among))
    return hide - {viewer, *friends_of(viewer)} if hide and viewer is not None else hide


def people_seen_by(viewer: UUID | None) -> QuerySet[User]:
    """The accounts whose profiles the viewer may see: no guests, nobody who hides or blocks."""
    people = User.objects.filter(is_active=True, is_guest=False, is_house=False)
    hides = Exists(Privacy.objects.filter(account=OuterRef("pk"), hides_profile=True))
    if viewer is None:
        return people.filter(~hides)
    blocks = Exists(Block.objects.filter(owner=OuterRef("pk"), blocked=viewer))
    known = Exists(
        Friendship.objects.filter(
            Q(sender=OuterRef("pk"), recipient=viewer) | Q(sender=viewer, recipient=OuterRef("pk")),
            state="accepted",
        )
    )
    return people.filter(Q(pk=viewer) | (~blocks & (~hides | known)))


def usernames_seen_by(viewer: UUID | None, among: Collection[UUID]) -> dict[UUID, str]:
    """The usernames of those ``among`` these accounts whose profiles the viewer may see."""
    people = people_seen_by(viewer).filter(pk__in=list(among))
    return dict(people.values_list("pk", "username"))


def person_by_username(viewer: UUID | None, username: str) -> User:
    """Raises NoSuchAccount: the same for a name that nobody has and for one who is hidden."""
    (people,) = read(_of_name(viewer, username))
    if not people:
        raise NoSuchAccount
    person: User = people[0]
    return person


@once
def _of_name(viewer: UUID | None, username: str) -> QuerySet[User]:
    """With what the person hides."""
    people = people_seen_by(viewer).filter(username__iexact=username).order_by("pk")[:1]
    hides_profile, hides_titles = F("privacy__hides_profile"), F("privacy__hides_titles")
    return people.annotate(hides_profile=hides_profile, hides_titles=hides_titles)


def account_by_username(viewer: UUID, username: str) -> User:
    """An account that the viewer may name, a guest's too. Raises NoSuchAccount.

    A person who is hidden from the viewer cannot be named, unless the two have to do with each
    other already.
    """
    named = User.objects.filter(username__iexact=username, is_active=True, is_house=False)
    user = named.first()
    if user is None or not (user.is_guest or _may_name(viewer, user)):
        raise NoSuchAccount
    return user


def _may_name(viewer: UUID, user: User) -> bool:
    return (
        people_seen_by(viewer).filter(pk=user.pk).exists()
        or Block.objects.filter(owner=viewer, blocked=user).exists()
        or _shown_friendship(viewer, user.pk)
    )


def _shown_friendship(viewer: UUID, other: UUID) -> bool:
    pair = Q(sender=other) | Q(recipient=other)
    return friendships_of(viewer).filter(pair).exists()


def befriended_by_username(viewer: UUID, username: str) -> UUID | None:
    """The account of this name that the viewer has or had to do with as a friend."""
    to = Q(sender=viewer, recipient__username__iexact=username)
    by = Q(recipient=viewer, sender__username__iexact=username)
    row = Friendship.objects.filter(to | by).first()
    if row is None:
        return None
    return row.recipient_id if row.sender_id == viewer else row.sender_id


# A friendship as one of the two sees it.


class FriendLine(NamedTuple):
    """``online`` is None unless they are friends: nobody else is shown it."""

    person: User
    state: Literal["friend", "asks_you", "you_asked"]
    online: bool | None
    since: datetime


def lines_of(me: UUID, rows: Iterable[Friendship]) -> list[FriendLine]:
    """With the other person of each; one that was declined looks like one that waits."""
    rows = list(rows)
    others = [row.recipient if row.sender_id == me else row.sender for row in rows]
    accepted = [row.state == Friendship.State.ACCEPTED for row in rows]
    there = online([person.pk for person, yes in zip(others, accepted, strict=True) if yes])
    return [
        FriendLine(person, _state(row, me), person.pk in there if is_friend else None, _since(row))
        for row, person, is_friend in zip(rows, others, accepted, strict=True)
    ]


def state_of_list(me: UUID) -> str:
    """Names what the account may see of its friends now; another name, something changed."""
    lines = lines_of(me, friendships_of(me))
    text = " ".join(f"{line.person.pk} {line.state} {line.online}" for line in lines)
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _state(row: Friendship, me: UUID) -> Literal["friend", "asks_you", "you_asked"]:
    if row.state == Friendship.State.ACCEPTED:
        return "friend"
    return "you_asked" if row.sender_id == me else "asks_you"


def _since(row: Friendship) -> datetime:
    return row.accepted_at or row.requested_at


def between(me: UUID, other: User) -> Part:
    """The relation between the two, as the first one may know it, and whether they have blocked."""

    def made(rows: list[Friendship], blocks: list[Block]) -> tuple[FriendLine | None, bool]:
        for row in rows:
            setattr(row, "recipient" if row.sender_id == me else "sender", other)
        return next(iter(lines_of(me, rows)), None), bool(blocks)

    return Part((_friendship(me, other.pk), _block(me, other.pk)), made)


@once
def _friendship(me: UUID, other: UUID) -> QuerySet[Friendship]:
    pair = Q(sender=me, recipient=other) | Q(sender=other, recipient=me)
    return friendships_of(me).filter(pair).select_related(None)


@once
def _block(owner: UUID, blocked: UUID) -> QuerySet[Block]:
    return Block.objects.filter(owner=owner, blocked=blocked)
