"""Acts that one button takes back: within the hour, an erasure within a day.

What an act changes is kept before it (``Undoable.before``): status, clocks and seats of a match and
none of its cards, which calling off and deciding leave as they are. Undone, a match stands as it
did, with as much time as was left; its record could be read meanwhile, so it is not rated any more.
What followed from it in ratings, results and leagues is counted again.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.core import serializers
from django.db import IntegrityError, transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.audit.models import Suspension
from accounts.locking import closing_account
from accounts.models import User
from cardroom.rules.course import RESIGN
from config.refusals import Refusal
from decks.models import Deck
from games.competitions import advancing, boards
from games.competitions.models import Tournament
from games.competitions.taking_part import changed
from games.leagues import divisions
from games.matches import joining, overdue
from games.matches.models import Match, Ply, Round, Seat
from games.mirrored.results import matches_of_the_same_sets
from games.operations import people, refereeing
from games.operations.models import Undoable
from games.people import counting
from games.ratings import rating

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
_KEPT: Final[Mapping[type[Model], str]] = {
    Match: "version round to_act status outcome visibility rated bot_due_at deadline_at finished_at"
    " clock",
    Seat: "match points place resigned_at timed_out extra_seconds extra_version awaited",
    Round: "match scores closed_at",
    Tournament: "status paused_at",
    Deck: "owner name cards is_default created_at updated_at",
}
_NAMES: Final = {name for names in _KEPT.values() for name in names.split()}


class TooLate(Refusal, status=409):
    """This cannot be taken back any more."""


def keep(
    act: str,
    by: Actor,
    about: tuple[str, object, str],
    rows: Iterable[Model],
    within: timedelta = HOUR,
) -> None:
    """Keeps what an act is about to change."""
    subject_type, subject_id, subject = about
    Undoable.objects.create(
        act=act,
        subject_type=subject_type,
        subject_id=str(subject_id),
        subject=subject[:120],
        by=by.name,
        reason=by.reason,
        until=timezone.now() + within,
        before=serializers.serialize("json", rows, fields=_NAMES),
    )


def may_undo(user: User, row: Undoable) -> bool:
    """Whether it is not too late, and the person may do the act itself."""
    in_time = row.undone_at is None and row.until > timezone.now()
    return in_time and user.has_perm(RIGHTS[row.act])


def standing(subject_id: object) -> QuerySet[Undoable]:
    """Acts on a subject that can be taken back, the newest first."""
    rows = Undoable.objects.filter(subject_id=str(subject_id), undone_at=None)
    return rows.filter(until__gt=timezone.now())


@transaction.atomic
def undo(*, undo_id: int, user: User) -> str:
    """Takes an act back; raises ``TooLate``, and ``OwnMatter`` as the act itself did."""
    row = Undoable.objects.select_for_update().get(pk=undo_id)
    if row.undone_at is not None or row.until <= timezone.now():
        raise TooLate
    if standing(row.subject_id).filter(pk__gt=row.pk).exists():
        raise TooLate("Take back first what was done later.")
    by = Actor.of(user, f"Taken back: {row.reason}"[: log.REASON_LENGTH])
    if row.subject_type == "match":
        refereeing.check_match(UUID(row.subject_id), by)
    if row.subject_type == "person":
        refereeing.check_person(UUID(row.subject_id), by)
    about = (row.subject_type, row.subject_id, row.subject)
    log.record(by, f"undo_{row.act}".replace("-", "_"), *about)
    kept = [one.object for one in serializers.deserialize("json", row.before)]
    over = _finished([one.pk for one in kept if isinstance(one, Match)])
    outcome = _UNDO[row.act](row, by, kept)
    _count_again(over)
    row.undone_at, row.undone_by, row.before = timezone.now(), by.name, "[]"
    row.save(update_fields=["undone_at", "undone_by", "before"])
    return outcome


# Matches: kept before an act, and put back.


def _rows_of(ids: Iterable[UUID]) -> list[Model]:
    matches = list(Match.objects.filter(id__in=list(ids)))
    rounds = {match.pk: match.round for match in matches}
    standing = Round.objects.filter(match__in=matches, undone_at=None)
    last = [one for one in standing if one.number == rounds[one.match_id]]
    return [*matches, *Seat.objects.filter(match__in=matches), *last]


def _match_act(act: str, run: Callable[..., str]) -> Callable[..., str]:
    """The same act, with all that it changes kept."""

    def acted(*, match_id: UUID, by: Actor, **values: Any) -> str:
        with refereeing.locked(match_id) as case:
            ids = matches_of_the_same_sets([match_id]) if act == ANNUL else [match_id]
            rows, about = _rows_of(ids), ("match", match_id, case.row.rules.name)
            outcome = run(match_id=match_id, by=by, **values)
            keep(act, by, about, rows)
            if act == "close":
                _count_again(_finished([match_id]))
            return outcome

    return acted


ANNUL: Final = "annul-rating"
abort: Final = _match_act("abort", refereeing.abort)
adjudicate: Final = _match_act("adjudicate", refereeing.adjudicate)
annul_rating: Final = _match_act(ANNUL, refereeing.annul_rating)
close_to_spectators: Final = _match_act("close", refereeing.close_to_spectators)


def _undo_end(_row: Undoable, _by: Actor, kept: Sequence[Any]) -> str:
    _bring_back(kept[0], kept)
    return "The match stands as it did before."


def _undo_close(_row: Undoable, _by: Actor, kept: Sequence[Any]) -> str:
    match = kept[0]
    Match.objects.filter(pk=match.pk).update(visibility=match.visibility)
    refereeing.notify_players(match.pk, "An operator opened the match to spectators again.")
    return "Who could see it sees it again."


def _undo_annul(_row: Undoable, _by: Actor, kept: Sequence[Any]) -> str:
    ids = [one.pk for one in kept if isinstance(one, Match) and one.rated]
    Match.objects.filter(id__in=ids, status="finished").update(rated=True)
    for match_id in ids:
        refereeing.notify_players(match_id, "An operator put this match back into the ratings.")
    return "In the ratings again."


def _finished(ids: Sequence[UUID]) -> list[Match]:
    """Those of the matches that may count, the first to end first."""
    return list(Match.objects.filter(id__in=ids, status="finished").order_by("finished_at"))


def _count_again(finished: Sequence[Match]) -> None:
    """Ratings, results and leagues by what these matches are by now."""
    if ids := [match.pk for match in finished]:
        rating.rate_again(ids)
        counting.count_again(ids)
    first = {match.game: match.finished_at for match in reversed(finished) if match.finished_at}
    for game, end in first.items():
        divisions.mend_since(game, end)


def _bring_back(kept: Match, rows: Sequence[Any], owner: UUID | None = None) -> bool:
    """Puts a match back that an act ended or changed; whether there was anything to put back.

    Nothing was played since but resignations by the act: those of ``owner``, if one is named.
    """
    row, _ = joining.locked(kept.pk)
    if (row.status, row.version) == (kept.status, kept.version):
        return bool(Match.objects.filter(pk=row.pk, rated=not kept.rated).update(rated=kept.rated))
    later = Ply.objects.filter(match=row, version__gt=kept.version)
    own = row.seats.filter(user=owner) if owner else row.seats.all()
    by_act = {"move": RESIGN, "seat__in": own.values("index")}
    if row.status == "active" != kept.status or later.exclude(**by_act).exists():
        raise TooLate("The match was played on since.")
    if row.deal_id is not None:
        raise TooLate("Others were dealt the same cards, so this match cannot be put back.")
    boards.reopen(row.pk)
    later.delete()
    ended = row.finished_at
    kept.rated = kept.rated and (ended is None or row.state is None)  # its record could be read
    for one in (kept, *(one for one in rows if getattr(one, "match_id", None) == kept.pk)):
        names = [name for name in _KEPT[type(one)].split() if name != "match"]
        values = {name: getattr(one, name) for name in names}
        type(one).objects.filter(pk=one.pk).update(**values)
    if ended is not None and kept.deadline_at is not None:
        overdue.give_back_time(row.pk, timezone.now() - ended)
    refereeing.notify_players(row.pk, "An operator put the match back: it goes on as it stood.")
    return True


def _bring_all_back(row: Undoable, kept: Sequence[Any]) -> str:
    """One that was played on since, or cannot come back, keeps no other one away."""
    matches, back = [one for one in kept if isinstance(one, Match)], 0
    for match in matches:
        try:
            with transaction.atomic():
                back += _bring_back(match, kept, UUID(row.subject_id))
        except Refusal:
            continue
    return f"Matches put back: {back} of {len(matches)}."


# People: suspended, or to be erased after a day in which this can be taken back.


def suspend(*, user_id: UUID, by: Actor, **how: Any) -> str:
    """As ``people.suspend``; what it ends is kept."""
    user = User.objects.get(pk=user_id)
    rows = _rows_of(people.waiting_for(user))
    outcome = people.suspend(user_id=user_id, by=by, **how)
    keep("suspend", by, ("person", user_id, user.username), rows)
    return outcome


def _undo_suspend(row: Undoable, by: Actor, kept: Sequence[Any]) -> str:
    outcome = people.lift(user_id=UUID(row.subject_id), by=by)
    return f"{outcome} {_bring_all_back(row, kept)}"


def begin_erasure(*, user_id: UUID, by: Actor) -> str:
    """Closes an account now and erases it after a day; until then computers hold the seats."""
    user = User.objects.get(pk=user_id)
    people.check_may_be_erased(user)
    rows = _rows_of(people.waiting_for(user))
    with closing_account(user_id):
        User.objects.filter(pk=user_id).update(erasing_since=timezone.now() + DAY)
        log.record(by, "begin_erasure", "person", user_id, user.username)
        keep("erase", by, ("person", user_id, user.username), rows, DAY)
    people.leave_all(user, by, resigns=False)
    people.close_orphans(user_id)
    return "Closed. It is erased after a day, if nobody takes that back."


def _undo_erase(row: Undoable, by: Actor, kept: Sequence[Any]) -> str:
    user_id = UUID(row.subject_id)
    waiting = User.objects.filter(pk=user_id, erasing_since__gt=timezone.now())
    may_play = not Suspension.objects.filter(user=user_id, lifted_at=None).exists()
    if not waiting.update(erasing_since=None, is_active=may_play):
        raise TooLate
    if may_play:
        people.give_back_all(user_id, by)
    return f"The account is open again. {_bring_all_back(row, kept)}"


# Tournaments that were called off, and decks that were deleted.


@transaction.atomic
def abort_tournament(*, tournament_id: UUID, by: Actor) -> str:
    row = Tournament.objects.select_for_update().get(id=tournament_id)
    outcome = advancing.abort(tournament_id=tournament_id, by=by)
    keep("abort-tournament", by, ("tournament", row.pk, row.name), [row])
    return outcome


def _undo_abort_tournament(_row: Undoable, by: Actor, kept: Sequence[Any]) -> str:
    before = kept[0]
    with changed(before.pk) as row:
        row.status, row.ending = before.status, ""
        row.paused_at, row.ended_at = before.paused_at or row.ended_at, None
    if before.paused_at is None:
        advancing.resume(tournament_id=before.pk, by=by)
    return "The tournament goes on with as much time as it had."


def keep_deleted(user: User, rows: Iterable[Model]) -> None:
    """Decks that staff are about to delete (``config.offers``)."""
    for row in rows:
        if isinstance(row, Deck):
            by = Actor.of(user, "Deleted in the admin.")
            keep("delete-deck", by, ("deck", row.pk, row.name), [row])


def _undo_delete_deck(_row: Undoable, _by: Actor, kept: Sequence[Any]) -> str:
    deck = kept[0]
    has_one = Deck.objects.filter(owner=deck.owner_id, is_default=True).exists()
    deck.is_default = deck.is_default and not has_one
    try:
        with transaction.atomic():
            deck.save(force_insert=True)
    except IntegrityError:
        raise TooLate("Its owner has another deck of this name by now, or is gone.") from None
    return "The deck is there again."


_UNDO: Final[Mapping[str, Callable[[Undoable, Actor, Sequence[Any]], str]]] = {
    "abort": _undo_end,
    "adjudicate": _undo_end,
    ANNUL: _undo_annul,
    "close": _undo_close,
    "suspend": _undo_suspend,
    "erase": _undo_erase,
    "abort-tournament": _undo_abort_tournament,
    "delete-deck": _undo_delete_deck,
}
RIGHTS: Final = {  # of the acts themselves
    "abort": "games.abort_match",
    "adjudicate": "games.adjudicate_match",
    ANNUL: "games.adjudicate_match",
    "close": "games.close_match",
    "suspend": "operations.suspend_person",
    "erase": "operations.erase_person",
    "abort-tournament": "competitions.run_tournament",
    "delete-deck": "decks.delete_deck",
}
