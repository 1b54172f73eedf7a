"""People who may not play on: suspended for a time or for good, or erased at their own wish.

Opponents do not wait: in running matches a bot takes over, or the seat resigns. Open tables close.
An erased account keeps its row and its matches under a pseudonym, so records stay whole.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from secrets import choice
from string import ascii_lowercase
from typing import Any, Final
from uuid import UUID

import structlog
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, Value
from django.db.models.functions import Replace, Substr
from django.utils import timezone

from accounts import services
from accounts.audit import log as audit_log
from accounts.audit.log import ERASED_NAME, Actor, forget, forget_name
from accounts.audit.models import Entry, PersonNote, PersonNotice, Suspension
from accounts.hours.services import forget as forget_hours
from accounts.locking import closing_account
from accounts.models import Key, Trace, User
from accounts.names import IMPORTED
from accounts.notifications.choices import forget as forget_notifications
from accounts.notifications.outbox import owe
from accounts.programs.services import forget_programs
from accounts.refusals import NotConfirmed, StaffStays, WrongPassword
from accounts.services import forget_sessions
from accounts.social.models import Block, Friendship, Privacy
from config.refusals import Refusal
from config.tasks.duties import Duty
from config.tasks.rows import each
from decks.models import Deck
from games.bot_accounts.models import Program
from games.calendars.calendar import end_address
from games.coaching.models import Analysis
from games.competitions.taking_part import forget as forget_tournaments
from games.daily.models import Entry as DailyEntry
from games.exercises.solving import forget as forget_solver
from games.exports.models import RecordFile
from games.idle.models import Nudge
from games.leagues.models import Membership
from games.lobby import seeking
from games.lobby.models import Challenge, Seek
from games.matches import folding, joining, leaving
from games.matches.models import Match, Notice, Seat
from games.matches.refusals import MatchNotActive, MatchNotOpen, StaleVersion
from games.operations import refereeing
from games.operations.models import Undoable
from games.operations.own_data import data_of
from games.people.models import Meeting, Result, Tally
from games.phrases.models import Mute, Saying, Silence
from games.ratings.models import PersonRating
from games.simulations.models import Simulation

# Matches of people who may not play on are left, so that nobody waits for them.
#
# Their accounts are closed before (``closing_account``): from then on nobody takes another seat
# with one. A match that begins at the same moment is looked at again. ``mend`` finds what was
# missed all the same, as by a process that ended on its way.

_TRIES: Final = 5
_AT_ONCE: Final = 100  # people of one look
_OPEN, _ACTIVE = Match.Status.OPEN, Match.Status.ACTIVE

log = structlog.get_logger(__name__)


def leave_all(user: User, by: Actor, *, resigns: bool) -> int:
    """Leaves the matches and says how many. One that refuses keeps nobody in the others.

    Of running ones a bot takes the seat over, or the seat ``resigns``; open ones are left or called
    off, invitations declined. They wait for no match any more.
    """
    seeking.end_all_of(user.pk)
    return sum([_leave(match_id, user, by, resigns=resigns) for match_id in waiting_for(user)])


def waiting_for(user: User) -> list[UUID]:
    """Running matches in which they sit; open ones that they opened, joined or may join."""
    seated = Q(seats__user=user, seats__resigned_at=None, status__in=[_OPEN, _ACTIVE])
    invited = Q(seats__invited=user, seats__declined="", status=_OPEN)
    matches = Match.objects.filter(seated | invited | Q(creator=user, status=_OPEN))
    return list(matches.order_by().values_list("id", flat=True).distinct())


def _leave(match_id: UUID, user: User, by: Actor, *, resigns: bool) -> bool:
    left = False
    for _ in range(_TRIES):
        try:
            if Match.objects.filter(id=match_id, status=_OPEN).exists():
                joining.leave(match_id=match_id, user=user)
                return True
            for given_up in _give_up_seats(match_id, user, by, resigns=resigns):
                left = left or given_up
            return left
        except (MatchNotOpen, MatchNotActive, StaleVersion):
            continue  # it has just begun, or is over
        except Refusal:
            break
    return left


def _give_up_seats(match_id: UUID, user: User, by: Actor, *, resigns: bool) -> Iterator[bool]:
    """Gives up the seats, also those of others at the same device."""
    own = Seat.objects.filter(match=match_id, match__status=_ACTIVE, user=user, resigned_at=None)
    for seat in list(own.filter(stand_in="") if not resigns else own):
        try:
            _give_up(match_id, seat, by, resigns=resigns)
        except (MatchNotActive, StaleVersion):
            raise
        except Refusal:
            continue  # this seat is out of the match, another may not be
        yield True


def _give_up(match_id: UUID, seat: Seat, by: Actor, *, resigns: bool) -> None:
    if resigns:
        leaving.resign_as_operator(match_id=match_id, seat=seat.index)
        refereeing.notify_players(match_id, f"{seat.name} cannot play on and has left the match.")
    else:
        refereeing.hand_to_bot(match_id=match_id, by=by, seat=seat.index)


def mend() -> int:
    """Leaves matches that were missed and says how many. Called every minute.

    A person who is suspended for some time gets the seats back, as if it had been done at once.
    """
    return sum(each("seats left behind", _left_behind(), _mend, key=lambda user: user.pk))


def _left_behind() -> list[User]:
    """People who may not play and still keep somebody waiting."""
    seats = Seat.objects.filter(user=OuterRef("pk"))
    plays = Q(match__status=_OPEN) | Q(match__status=_ACTIVE, stand_in="")
    sits = Exists(seats.filter(plays, resigned_at=None))
    kept_for = Seat.objects.filter(invited=OuterRef("pk"), declined="")
    invited = Exists(kept_for.filter(match__status=_OPEN))
    opened = Exists(Match.objects.filter(creator=OuterRef("pk"), status=_OPEN))
    closed = User.objects.filter(is_active=False, is_house=False)
    known_here = closed.exclude(username__startswith=IMPORTED)
    return list(known_here.filter(Q(sits) | Q(invited) | Q(opened))[:_AT_ONCE])


def _mend(user: User) -> int:
    running = Suspension.objects.filter(user=user, lifted_at=None).first()
    by = Actor(user.pk, "cardroom", "The account may not play; its seats were left behind.")
    left = leave_all(user, by, resigns=running is None or running.until is None)
    if left:
        log.warning("seats_left_behind", user=str(user.pk), matches=left)
    return left


LEFT_BEHIND: Final = Duty(name="seats left behind", piece=mend, every=60, idle=600)

ORPHANED: Final = "The owner of this bot account may not play."
LEFT_UNFINISHED: Final = timedelta(minutes=1)


class CannotSuspend(Refusal, status=409):
    """This person is suspended already."""


class WrongName(Refusal, status=422):
    """This is not the person's username."""


def suspend(
    *,
    user_id: UUID,
    by: Actor,
    until: datetime | None,
    resigns: bool,
    words: str = "",
    now: datetime | None = None,
) -> str:
    """Suspends a person until a time or for good; keys and sessions stop at once.

    ``resigns``: running matches are given up, else a bot takes the seat over. ``words``: what the
    person reads in place of the reason.
    """
    if until is not None and until <= (now or timezone.now()):
        raise CannotSuspend("The end lies in the past.")
    check_not_the_house(user_id)
    with closing_account(user_id) as user:
        if Suspension.objects.filter(user=user, lifted_at=None).exists():
            raise CannotSuspend
        suspension = Suspension.objects.create(
            user=user, until=until, reason=words or by.reason, by=by.name
        )
        audit_log.record(by, "suspend", "person", user_id, user.username, until=str(suspension))
        services.disconnect_all(user=user)
    left = leave_all(user, by, resigns=resigns)
    programs = close_orphans(user.pk)
    also = f" Its owner's bot accounts suspended too: {programs}." if programs else ""
    return f"Suspended {suspension}. Matches left: {left}.{also}"


def check_not_the_house(user_id: UUID) -> None:
    if User.objects.filter(pk=user_id, is_house=True).exists():
        raise CannotSuspend("This account opens the matches of tournaments; it is nobody's.")


def lift(*, user_id: UUID, by: Actor) -> str:
    """Lets a person sign in again; seats that a bot took over are given back."""
    with transaction.atomic():
        running = Suspension.objects.filter(user_id=user_id, lifted_at=None)
        if not running.update(lifted_at=timezone.now()):
            raise CannotSuspend("This person is not suspended.")
        may_play = User.objects.filter(pk=user_id, erasing_since=None).update(is_active=True)
        name = User.objects.values_list("username", flat=True).get(pk=user_id)
        audit_log.record(by, "lift_suspension", "person", user_id, name)
    if may_play:
        give_back_all(user_id, by)
    return "The suspension is lifted."


def give_back_all(user_id: UUID, by: Actor) -> None:
    """The seats that bots took over, and the bot accounts that were closed with the account."""
    for match_id, index in _handed_over(user_id):
        try:
            refereeing.give_back(match_id=match_id, by=by, seat=index)
        except Refusal:
            continue  # the match is over meanwhile
    for suspension in Suspension.objects.filter(
        user__program__owner=user_id, lifted_at=None, reason=ORPHANED
    ):
        with suppress(CannotSuspend):  # its time has just ended, too
            lift(user_id=suspension.user_id, by=by)


def close_orphans(owner: UUID | None = None) -> int:
    """Suspends bot accounts whose owner may not play, for as long; how many.

    While they are suspended a computer plays in their seats, what waits for them is
    cancelled, and their keys and webhooks do not work. Called every minute for what was missed.
    """
    orphans = Program.objects.filter(
        confirmed_at__isnull=False, account__is_active=True, owner__is_active=False
    )
    rows = orphans.filter(owner=owner) if owner else orphans
    in_order = rows.order_by("account")
    return sum(each("orphans", in_order, _close, key=lambda row: row.account_id, durable=True))


def _close(program: Program) -> bool:
    of_owner = Suspension.objects.filter(user=program.owner_id, lifted_at=None).first()
    until = of_owner.until if of_owner else None
    by = Actor(program.owner_id, "cardroom", ORPHANED)
    with suppress(CannotSuspend):  # an operator was quicker, or the owner's time has just ended
        suspend(user_id=program.account_id, by=by, until=until, resigns=False)
        return True
    return False


def _handed_over(user_id: UUID) -> list[tuple[UUID, int]]:
    seats = Seat.objects.filter(user_id=user_id, match__status="active").exclude(stand_in="")
    return list(seats.values_list("match_id", "index"))


def lift_what_has_ended() -> None:
    """Lifts suspensions whose time has ended. Called every minute."""
    ended = Suspension.objects.filter(lifted_at=None, until__lte=timezone.now())
    each("suspensions", ended, _lift, key=lambda suspension: suspension.pk)


def _lift(suspension: Suspension) -> None:
    by = Actor(suspension.user_id, "cardroom", "The time of the suspension has ended.")
    with suppress(CannotSuspend):  # an operator has just lifted it
        lift(user_id=suspension.user_id, by=by)


def note(*, user_id: UUID, by: Actor) -> str:
    """Keeps the reason as a note for other operators."""
    user = User.objects.get(pk=user_id)
    with transaction.atomic():
        PersonNote.objects.create(user=user, author=by.name, text=by.reason[:1000])
        audit_log.record(by, "note", "person", user_id, user.username)
    return "Noted."


def message(*, user_id: UUID, by: Actor, text: str, action: str = "message_person") -> str:
    """Sends a message that stands on every page until the person has confirmed it.

    With the action ``warn`` it counts (``reports.Earlier``).
    """
    user = User.objects.get(pk=user_id)
    with transaction.atomic():
        notice = audit_log.send_notice(user=user, by=by, text=text, action=action)
        owe(user_id, "operator", f"operator:{notice.pk}", {"notice": str(notice.pk)})
    return "The person is told on the next page."


def personal_data(*, user_id: UUID, by: Actor) -> dict[str, Any]:
    """Everything that is kept of a person, handed out by an operator."""
    user = User.objects.get(pk=user_id)
    audit_log.record(by, "export_person", "person", user_id, user.username)
    return data_of(user)


def erase(*, user_id: UUID, by: Actor) -> str:
    """Removes what names the person. Matches stay under a pseudonym; this cannot be undone."""
    user = User.objects.get(pk=user_id)
    check_may_be_erased(user)
    with closing_account(user_id):
        User.objects.filter(pk=user_id).update(erasing_since=timezone.now())
    return f"Erased; the matches stay under {_finish_erasure(user, by)}."


def check_may_be_erased(user: User) -> None:
    check_not_the_house(user.pk)
    if user.is_staff:
        raise CannotSuspend("Take the person off the staff first.")


def finish_erasures() -> None:
    """Finishes those whose day is over, or whose process ended on its way. Called every minute."""
    begun = timezone.now() - LEFT_UNFINISHED
    users = User.objects.filter(is_active=False, erasing_since__lt=begun)
    by = "The erasure had begun."
    each(
        "erasures",
        users,
        lambda user: _finish_erasure(user, Actor(user.pk, "cardroom", by)),
        key=lambda user: user.pk,
    )


def _finish_erasure(user: User, by: Actor) -> str:
    """Each step can be done again; the process that ends first names the account."""
    leave_all(user, by, resigns=True)
    close_orphans(user.pk)
    _rename_at_the_tables(user)
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        if user.erasing_since is None:
            return user.username
        pseudonym = "deleted-" + "".join(choice(ascii_lowercase) for _ in range(10))
        audit_log.record(by, "erase", "person", user.pk, pseudonym)
        forget(user)
        _forget(user, pseudonym)
    return pseudonym


def _rename_at_the_tables(user: User) -> None:
    """Renames the seats that they held or were invited to, also in the notices there."""
    own = Seat.objects.filter(Q(user=user) | Q(invited=user))
    for name in set(own.values_list("name", flat=True)) - {"", ERASED_NAME}:
        ids = own.filter(name=name).values("match_id")
        notices_there = Notice.objects.filter(match_id__in=ids, text__contains=name)
        notices_there.update(text=Substr(Replace("text", Value(name), Value(ERASED_NAME)), 1, 500))
        matches = [str(match_id) for match_id in ids.values_list("match_id", flat=True)]
        forget_name(name, Entry.objects.filter(subject_type="match", subject_id__in=matches))
    folding.rename(user, ERASED_NAME)


def _forget_sign_ins(username: str) -> None:
    """Deletes the log of their sign-ins with its addresses."""
    for model in (AccessAttempt, AccessLog, AccessFailureLog):
        model.objects.filter(username__iexact=username).delete()


def _forget(user: User, pseudonym: str) -> None:
    services.revoke_keys(user=user)
    forget_programs(user)
    forget_sessions(user)
    end_address(user.pk)
    _forget_sign_ins(user.username)
    for model in (Key, EmailAddress, Authenticator, SocialAccount, Nudge, PersonNote, PersonNotice):
        model.objects.filter(user=user).delete()
    for owned in (Deck, Block, RecordFile, Mute):
        owned.objects.filter(owner=user).delete()
    of_person = (
        *(Seek, Privacy, Result, Tally, Meeting, Saying, Silence, PersonRating, DailyEntry),
        *(Membership, Trace),
    )
    for of_account in of_person:
        of_account.objects.filter(account=user).delete()
    Meeting.objects.filter(opponent=user).delete()
    Program.objects.filter(account=user).delete()
    for program in Program.objects.filter(owner=user, confirmed_at__isnull=False):
        services.revoke_keys(user=program.account)
    Program.objects.filter(owner=user, confirmed_at=None).delete()
    Challenge.objects.filter(Q(challenger=user) | Q(challenged=user)).delete()
    forget_tournaments(user.pk)
    forget_notifications(user.pk)
    forget_hours(user.pk)
    Mute.objects.filter(muted=user).delete()
    Friendship.objects.filter(Q(sender=user) | Q(recipient=user)).delete()
    Simulation.objects.filter(owner=user).update(owner=None)
    Analysis.objects.filter(requester=user).update(requester=None)
    forget_solver(user.pk)
    Suspension.objects.filter(user=user, lifted_at=None).update(lifted_at=timezone.now())
    Undoable.objects.filter(subject_id=str(user.pk)).delete()
    Undoable.objects.filter(act="delete-deck", before__contains=str(user.pk)).delete()
    user.groups.clear()
    user.username, user.display_name, user.email = pseudonym, ERASED_NAME, ""
    user.joined_from = ""
    user.is_active = user.is_guest = False
    user.name_skeleton = user.erasing_since = None
    user.set_unusable_password()
    user.save()


SUSPENSIONS: Final = Duty(
    name="suspensions",
    piece=lift_what_has_ended,
    due="""
SELECT until, id::text FROM audit_suspension WHERE lifted_at IS NULL AND until <= %(now)s""",
    every=2,
)
ERASURES: Final = Duty(name="erasures", piece=finish_erasures, every=60, idle=600)
ORPHANS: Final = Duty(name="orphans", piece=close_orphans, every=60, idle=600)

# People, guests too, delete their own account: it is erased.


def delete(*, user: User, typed: str, knows_password: Callable[[], bool]) -> None:
    """Erases an account at its own wish; this cannot be undone.

    ``typed`` has to be the username, and the password is asked for after that; a guest has none and
    may type the display name. Nobody of the staff leaves like this, so the last administrator does
    not either. Raises ``StaffStays``, ``NotConfirmed`` or ``WrongPassword``.
    """
    if user.is_staff or user.is_superuser:
        raise StaffStays
    names = {user.username, user.display_name} if user.is_guest else {user.username}
    if typed.strip().casefold() not in {name.casefold() for name in names}:
        raise NotConfirmed
    if not user.is_guest and not knows_password():
        raise WrongPassword
    erase(user_id=user.pk, by=Actor(user.pk, "the person", "At their own wish."))
