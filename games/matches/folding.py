"""Folding matches that have long been over into one compressed row each, and back.

Match and seats stay as they are, so lists and searches see no difference. What is folded is read
back and compared before anything is deleted.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import get_args
from uuid import UUID

import msgspec
import structlog
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from config.tasks.rows import each
from games.matches.folded import LEFT_OUT, WINDOW, compressed, rows_of, text_of, unfolded
from games.matches.models import ArchiveDictionary, ArchivedMatch, Match, Ply, Round, Seat
from games.matches.selectors.secrecy import family_runs

SAMPLES = 4  # matches that a game's dictionary is made of

log = structlog.get_logger(__name__)


_RELATED_TO_RUNNING = """
WITH RECURSIVE kin AS (
    SELECT m.id, m.parent_id FROM games_match m
    WHERE (m.status = 'open' OR m.status = 'active') AND (m.parent_id IS NOT NULL
        OR EXISTS (SELECT FROM games_match l WHERE l.parent_id = m.id))
    UNION SELECT m.id, m.parent_id FROM kin
        JOIN LATERAL (
            SELECT id, parent_id FROM games_match WHERE id = kin.parent_id
            UNION ALL SELECT id, parent_id FROM games_match WHERE parent_id = kin.id
        ) m ON true
)
SELECT id FROM kin
"""


def foldable(older_than: timedelta, *, game: str = "", most: int = 10_000) -> list[UUID]:
    """Matches that were over by then, and with them all that they were loaded from or that was
    loaded from one of these: what they may reveal depends on no running match."""
    matches = Match.objects.filter(
        finished_at__lt=timezone.now() - older_than,
        status__in=[Match.Status.FINISHED, Match.Status.ABORTED],
        state__isnull=False,
        archived=None,
    )
    if game:
        matches = matches.filter(game=game)
    kin = _related_to_running()
    ids = matches.order_by("finished_at").values_list("id", flat=True)[: most + len(kin)]
    return [match_id for match_id in ids if match_id not in kin][:most]


def _related_to_running() -> set[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(_RELATED_TO_RUNNING)
        return {match_id for (match_id,) in cursor.fetchall()}


def fold_some(*, older_than: timedelta) -> int:
    """Folds while the budget lasts and says how many; one that cannot be folded is named."""
    return sum(each("folding", foldable(older_than), fold))


@transaction.atomic
def fold(match_id: UUID) -> bool:
    """Whether the match was folded: not if it or a relative runs, or if it could not be read."""
    row = Match.objects.select_for_update().get(id=match_id)
    if row.state is None or family_runs(match_id):
        return False
    if ArchivedMatch.objects.filter(match_id=match_id).exists():
        return False
    plies, rounds = stored_rows(match_id)
    dictionary = _dictionary(row.game)
    data = compressed(text_of(plies, rounds), bytes(dictionary.data))
    if not _same(rows_of(match_id, data, bytes(dictionary.data)), (plies, rounds)):
        log.error("match_not_folded", match=str(match_id))
        return False
    ArchivedMatch.objects.create(match=row, dictionary=dictionary, data=data)
    Ply.objects.filter(match_id=match_id).delete()
    Round.objects.filter(match_id=match_id).delete()
    return True


@transaction.atomic
def unfold(match_id: UUID) -> bool:
    """Puts plies and rounds back; whether they were folded."""
    Match.objects.select_for_update().filter(id=match_id).first()
    row = ArchivedMatch.objects.filter(match_id=match_id).first()
    if row is None:
        return False
    plies, rounds = unfolded(match_id, bytes(row.data), row.dictionary_id)
    Ply.objects.bulk_create(plies)
    Round.objects.bulk_create(rounds)
    row.delete()
    return True


def bytes_of(match_id: UUID) -> int:
    """The size of a match: the rows of its plies and rounds, or its folded row."""
    with connection.cursor() as cursor:
        cursor.execute(_BYTES, [match_id] * 3)
        return int(cursor.fetchone()[0])


_BYTES = """
SELECT coalesce((SELECT sum(pg_column_size(p.*)) FROM games_ply p WHERE p.match_id = %s), 0)
    + coalesce((SELECT sum(pg_column_size(r.*)) FROM games_round r WHERE r.match_id = %s), 0)
    + coalesce((SELECT pg_column_size(a.*) FROM games_archivedmatch a WHERE a.match_id = %s), 0)
"""


def stored_rows(match_id: UUID) -> tuple[list[Ply], list[Round]]:
    plies = list(Ply.objects.filter(match_id=match_id).order_by("version"))
    rounds = Round.objects.filter(match_id=match_id).order_by("opening_version", "number")
    return plies, list(rounds)


def _dictionary(game: str) -> ArchiveDictionary:
    """The game's newest dictionary; the first match to be folded makes one of some that will be."""
    newest = ArchiveDictionary.objects.filter(game=game).order_by("-id").first()
    if newest is not None:
        return newest
    ids = foldable(timedelta(0), game=game, most=SAMPLES)
    texts = b"".join(text_of(*stored_rows(match_id)) for match_id in ids)
    return ArchiveDictionary.objects.create(game=game, data=texts[-WINDOW:])


Rows = tuple[list[Ply], list[Round]]


def _same(one: Rows, other: Rows) -> bool:
    return [[*map(_values, rows)] for rows in one] == [[*map(_values, rows)] for rows in other]


def _values(row: Ply | Round) -> list[object]:
    names = (field.attname for field in row._meta.concrete_fields)  # noqa: SLF001
    values = [getattr(row, name) for name in names if name not in LEFT_OUT]
    return [bytes(value) if isinstance(value, memoryview) else value for value in values]


# A person's name leaves the matches that they sat in or were invited to.
#
# It stands at the seats and, in some games, in the events of the first deal. Both change
# together, so that the events still follow from the seats and the seed. A folded match is folded
# again. A match that was loaded with other cards has the first deal of its own, with the names of
# those who sat there at first, not those who have their seats now.


def rename(user: User, name: str) -> None:
    """Gives the person this name in all their matches. Doing it again changes nothing."""
    own = Seat.objects.filter(Q(user=user) | Q(invited=user)).exclude(name__in=["", name])
    games = [game.slug for game in catalog.GAMES if _has_names_in_events(game)]
    matches = own.filter(match__game__in=games).order_by().values_list("match_id", flat=True)
    for match_id in set(matches):
        _rename_in_loads(match_id, user, name)
        _rename_in(match_id, user, name)
    own.update(name=name)


def _has_names_in_events(game: AnyGame) -> bool:
    events = get_args(game.events) or (game.events,)
    return any("names" in event.__struct_fields__ for event in events)


def _rename_in_loads(match_id: UUID, user: User, name: str) -> None:
    """In the first deals that were dealt again of this match, at seats that are others' now."""
    seats = Seat.objects.filter(Q(user=user) | Q(invited=user), match=match_id)
    held = dict(seats.values_list("index", "name"))
    loads = [match_id]
    while loads:
        loads = list(Match.objects.filter(parent__in=loads).values_list("id", flat=True))
        for load in loads:
            _rename_in(load, user, name, held)


@transaction.atomic
def _rename_in(
    match_id: UUID, user: User, name: str, held: Mapping[int, str] | None = None
) -> None:
    row = Match.objects.select_for_update().get(id=match_id)
    was_folded = unfold(match_id)
    row.seats.filter(Q(user=user) | Q(invited=user)).update(name=name)
    if held is None:
        names = row.seats.order_by("index").values_list("name", flat=True)
        _rename_in_deal(row, lambda _: tuple(names))
    else:
        _rename_in_deal(row, partial(_without, held=held, name=name))
    if was_folded:
        fold(match_id)


def _without(names: Sequence[str], held: Mapping[int, str], name: str) -> tuple[str, ...]:
    return tuple(name if held.get(at) == was else was for at, was in enumerate(names))


def _rename_in_deal(row: Match, renamed: Callable[[Sequence[str]], tuple[str, ...]]) -> None:
    first = Ply.objects.filter(match=row, version=0).first()
    if first is None:
        return  # not begun yet, or stored with its parent
    events = [
        msgspec.structs.replace(event, names=renamed(names))
        if (names := getattr(event, "names", None)) is not None
        else event
        for event in row.rules.decode_events(bytes(first.events))
    ]
    Ply.objects.filter(pk=first.pk).update(events=msgspec.json.encode(events))
