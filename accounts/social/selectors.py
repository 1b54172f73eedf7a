"""Every read of a block, a friendship and of who may see a profile."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from accounts.social.models import Block, Friendship, Privacy
from accounts.social.refusals import NoSuchAccount


def blocks_of(user: User) -> QuerySet[Block]:
    """The blocks of a user, newest first."""
    return Block.objects.filter(owner=user).select_related("blocked").order_by("-id")


def blocked_by(user_id: UUID) -> QuerySet[Block, UUID]:
    """The ids of the accounts that the user has blocked, for a subquery."""
    return Block.objects.filter(owner=user_id).values_list("blocked_id", flat=True)


def who_blocked(user_id: UUID, among: Collection[UUID]) -> set[UUID]:
    """Those ``among`` these accounts who have blocked the user."""
    blocks = Block.objects.filter(owner__in=among, blocked=user_id)
    return set(blocks.values_list("owner_id", flat=True))


def blocked_either_way(user_id: UUID) -> set[UUID]:
    """The accounts that the user has blocked or that have blocked the user."""
    rows = Block.objects.filter(Q(owner=user_id) | Q(blocked=user_id))
    return {id_ for pair in rows.values_list("owner_id", "blocked_id") for id_ in pair} - {user_id}


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
    """What the user hides; unsaved where nothing was ever chosen."""
    return Privacy.objects.filter(account=user_id).first() or Privacy(account_id=user_id)


def hidden_profiles() -> QuerySet[Privacy, UUID]:
    """The ids of accounts that no list of strangers shows, for a subquery."""
    return Privacy.objects.filter(hides_profile=True).values_list("account_id", flat=True)


def hidden_from(viewer: UUID | None, among: Collection[UUID]) -> set[UUID]:
    """Those ``among`` these accounts who hide their profile and are no friends of the viewer."""
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
    person = people_seen_by(viewer).filter(username__iexact=username).first()
    if person is None:
        raise NoSuchAccount
    return person


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


def has_blocked(owner: UUID, other: UUID) -> bool:
    return Block.objects.filter(owner=owner, blocked=other).exists()
