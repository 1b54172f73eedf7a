"""``games_ply`` by months, for houses with many millions of plies.

The id of a match begins with its time (`config.uuid7`), so the matches of a month are a range of
ids. ``manage.py partition_plies`` makes a partitioned table of the plies, once and for good: what
is there becomes its first partition as it stands, read once and written not at all. A duty then
makes the partitions of the next months, and drops those of the past of which nothing is left. What
belongs to none goes into the rest: plies of a match that is unfolded after its month was dropped,
or of a month that no duty made in time. So no move is refused for want of a partition.

Each partition has a primary key of its own, because one of the whole would need ``match_id``: no
statement may group by ``id`` alone, and an index is added to each partition by itself.

What needs the tables alone takes milliseconds, and waits for others for less time than Postgres
waits before it looks for a deadlock: a move never fails for it.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from operator import attrgetter
from time import sleep
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID

import structlog
from django.db import OperationalError, connection, transaction
from django.utils import timezone
from psycopg.errors import DeadlockDetected, LockNotAvailable

from config.tasks.duties import Duty
from config.tasks.rows import each
from config.uuid7 import least_uuid7
from games.matches.models import Match

# ruff: noqa: S608 - the names in the statements are our own

NAME: Final = "partitions"  # of the duty
MONTHS_AHEAD: Final = 3
REST: Final = "games_ply_rest"
BOUND: Final = "games_ply_ends"  # until the table is a partition: no match of it is later
DAYS_LEFT: Final = 7  # at least, until a match would be later than that
PATIENCE: Final = "300ms"  # for a lock that moves wait behind
PAUSES: Final = (1, 2)  # seconds, of a duty, which tries again in an hour
LONG_PAUSES: Final = (*PAUSES, 4, 8, 15, 30, 30, 30)

Result = TypeVar("Result")
log = structlog.get_logger(__name__)


class CannotPartition(Exception):
    """The sentence says why, and nothing was changed."""


class Part(NamedTuple):
    """A partition with its range; the rest has none, and the first one no beginning."""

    name: str
    since: UUID | None
    until: UUID | None
    size: int  # bytes, without its indexes


def is_partitioned() -> bool:
    return bool(_value("SELECT relkind = 'p' FROM pg_class WHERE oid = 'games_ply'::regclass"))


def parts() -> list[Part]:
    return [Part(*row) for row in _rows(_PARTS)]


_PARTS: Final = r"""
SELECT c.relname, substring(bound FROM $$FROM \('([-0-9a-f]{36})'$$)::uuid,
    substring(bound FROM $$TO \('([-0-9a-f]{36})'$$)::uuid AS until, pg_relation_size(c.oid)
FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid, pg_get_expr(c.relpartbound, c.oid) bound
WHERE inhparent = 'games_ply'::regclass ORDER BY until
"""


def month_after(at: datetime, months: int) -> datetime:
    """The beginning of the month that comes so many months later, in UTC."""
    years, month = divmod(at.astimezone(UTC).month - 1 + months, 12)
    return datetime(at.astimezone(UTC).year + years, month + 1, 1, tzinfo=UTC)


def _time(bound: UUID) -> datetime:
    return datetime.fromtimestamp((bound.int >> 80) / 1000, UTC)


def _rows(sql: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return [*cursor.fetchall()]


def _value(sql: str) -> Any:
    return next((row[0] for row in _rows(sql)), None)


def _execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _for_long(*statements: str) -> None:
    """Without the limit that statements have in the service."""
    with transaction.atomic():
        _execute("SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = 0", *statements)


def _alone(act: Callable[[], Result], pauses: Sequence[int] = PAUSES) -> Result:
    """Acts in a transaction that has both tables for itself.

    A vacuum by Postgres itself is called off first, while moves go on; then moves wait. Raises
    ``CannotPartition`` where others, such as a backup, hold a table all the time.
    """
    owner = _value("SELECT relowner::regrole::text FROM pg_class WHERE oid = 'games_ply'::regclass")
    for pause in (*pauses, None):
        try:
            with transaction.atomic():
                _execute(
                    f"SET LOCAL ROLE {owner}",
                    "SET LOCAL lock_timeout = '5s'",
                    "LOCK TABLE ONLY games_match, ONLY games_ply IN SHARE UPDATE EXCLUSIVE MODE",
                    f"SET LOCAL lock_timeout = '{PATIENCE}'",
                    "LOCK TABLE ONLY games_match, ONLY games_ply IN ACCESS EXCLUSIVE MODE",
                )
                return act()
        except OperationalError as error:
            if not isinstance(error.__cause__, (LockNotAvailable, DeadlockDetected)):
                raise
        if pause is not None:
            sleep(pause)
    raise CannotPartition(
        "Something holds games_ply or games_match for long, perhaps a backup. Try again later."
    )


# --- Once: a partitioned table of the one that is there


def partition() -> Iterator[str]:
    """Names each step when it is done. Begun again it goes on where it stopped.

    Raises ``CannotPartition``.
    """
    if not is_partitioned():
        _refuse_the_unforeseen()
        until = _bound()
        if until is None:
            until = least_uuid7(month_after(timezone.now(), 2))
            if Match.objects.filter(id__gte=until).exists():
                raise CannotPartition("There are matches of the time to come: a clock was wrong.")
            _alone(lambda: _execute(_ADD_BOUND.format(until=until)), LONG_PAUSES)
            yield f"Every ply is to be of a match before {_time(until):%Y-%m-%d}"
        if not _value(f"SELECT convalidated FROM pg_constraint WHERE {_IS_BOUND}"):
            _for_long(f"ALTER TABLE games_ply VALIDATE CONSTRAINT {BOUND}")
            yield "Every ply is"
        _alone(lambda: _swap(until), LONG_PAUSES)
        yield "The table is a partition"
        _for_long("ANALYZE games_ply")
        yield "Its statistics are there"
    yield from turned()


_IS_BOUND: Final = f"conname = '{BOUND}' AND conrelid = 'games_ply'::regclass"
_ADD_BOUND: Final = f"""
ALTER TABLE games_ply DROP CONSTRAINT IF EXISTS {BOUND},
    ADD CONSTRAINT {BOUND} CHECK (match_id < '{{until}}') NOT VALID
"""


def _bound() -> UUID | None:
    """The bound of a command that was interrupted. One that moves would soon reach is removed."""
    text = "substring(pg_get_constraintdef(oid) FROM '[-0-9a-f]{36}')::uuid"
    until: UUID | None = _value(f"SELECT {text} FROM pg_constraint WHERE {_IS_BOUND}")
    if until is not None and _time(until) < timezone.now() + timedelta(days=DAYS_LEFT):
        _alone(lambda: _execute(f"ALTER TABLE games_ply DROP CONSTRAINT IF EXISTS {BOUND}"))
        return None
    return until


def _refuse_the_unforeseen() -> None:
    ((owner, may_act, may_create, *_),) = facts = _rows(_RIGHTS)
    if not may_act:
        raise CannotPartition(f"The table belongs to {owner}: run the command as that role.")
    if not may_create:
        raise CannotPartition(f"The role {owner} may not create tables in this schema.")
    if not all(facts[0]):
        raise CannotPartition(
            "games_ply is not as the migrations made it: another owner than that of games_match, "
            "another schema, a tablespace of its own or inheritance."
        )
    if dependents := ", ".join(name for (name,) in _rows(_DEPENDENTS)):
        raise CannotPartition(f"games_ply has what would stay with the old table: {dependents}.")


_RIGHTS: Final = """
SELECT c.relowner::regrole::text, pg_has_role(c.relowner, 'MEMBER'),
    has_schema_privilege(c.relowner, c.relnamespace, 'CREATE'), m.relowner = c.relowner,
    c.relnamespace = current_schema()::regnamespace, c.reltablespace = 0, c.relkind = 'r',
    NOT c.relrowsecurity, NOT EXISTS (SELECT FROM pg_inherits WHERE c.oid IN (inhrelid, inhparent))
FROM pg_class c, pg_class m WHERE c.oid = 'games_ply'::regclass AND m.oid = 'games_match'::regclass
"""
# Views, triggers, policies, publications, statistics, keys of other tables; what is half made.
_DEPENDENTS: Final = """
SELECT DISTINCT pg_describe_object(d.classid, d.objid, 0) FROM pg_depend d
LEFT JOIN pg_constraint k ON d.classid = 'pg_constraint'::regclass AND k.oid = d.objid
WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = 'games_ply'::regclass
    AND d.classid <> ALL ('{pg_class,pg_type,pg_attrdef}'::regclass[])
    AND k.conrelid IS DISTINCT FROM 'games_ply'::regclass
UNION ALL SELECT 'privileges of the column ' || attname FROM pg_attribute
WHERE attrelid = 'games_ply'::regclass AND attacl IS NOT NULL
UNION ALL SELECT 'the invalid index ' || indexrelid::regclass FROM pg_index
WHERE indrelid = 'games_ply'::regclass AND NOT indisvalid
UNION ALL SELECT 'the constraint ' || conname || ', which is not validated' FROM pg_constraint
WHERE conrelid = 'games_ply'::regclass AND NOT convalidated AND conname <> 'games_ply_ends'
"""


def _swap(until: UUID) -> None:
    """The table becomes the first partition of one that has its name, its columns and its keys."""
    if is_partitioned():
        return
    old = f"games_ply_before_{_time(until):%Y_%m}"
    sequence = _value("SELECT pg_get_serial_sequence('games_ply', 'id')")
    following = _value(f"SELECT last_value + is_called::int FROM {sequence}")
    grants = [*_grants("games_ply", "TABLE"), *_grants(sequence, "SEQUENCE")]
    keys, renamed = zip(*_rows(_KEYS.format(old=old)), strict=True)
    foreign = [sql for (sql,) in _rows(_FOREIGN)]
    _execute(
        "ALTER TABLE games_ply ALTER id DROP IDENTITY",
        *renamed,
        f"ALTER TABLE games_ply RENAME TO {old}",
        f"CREATE TABLE games_ply (LIKE {old} INCLUDING DEFAULTS INCLUDING CONSTRAINTS"
        " INCLUDING STORAGE INCLUDING COMPRESSION) PARTITION BY RANGE (match_id)",
        f"ALTER TABLE games_ply DROP CONSTRAINT {BOUND}",
        "ALTER TABLE games_ply ALTER id ADD GENERATED BY DEFAULT AS IDENTITY"
        f" (SEQUENCE NAME {sequence} START {following})",
        *filter(None, keys),
        *foreign,
        f"ALTER TABLE games_ply ATTACH PARTITION {old} FOR VALUES FROM (MINVALUE) TO ('{until}')",
        f"ALTER TABLE {old} DROP CONSTRAINT {BOUND}",
        *grants,
    )
    _make(REST, "DEFAULT", old)


# The indexes: how the new table gets the same, the primary key excepted; their names are free then.
_KEYS: Final = """
SELECT CASE WHEN x.indisprimary THEN '' WHEN k.oid IS NULL THEN pg_get_indexdef(x.indexrelid)
    ELSE format('ALTER TABLE games_ply ADD CONSTRAINT %I %s', k.conname,
        pg_get_constraintdef(k.oid)) END,
    format('ALTER INDEX %I RENAME TO %I', i.relname, '{old}_' || i.relname)
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid LEFT JOIN pg_constraint k
    ON k.conindid = x.indexrelid AND k.conrelid = x.indrelid AND k.contype IN ('p', 'u', 'x')
WHERE x.indrelid = 'games_ply'::regclass
"""
_FOREIGN: Final = """
SELECT format('ALTER TABLE games_ply ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid))
FROM pg_constraint WHERE conrelid = 'games_ply'::regclass AND contype = 'f'
"""


def _grants(of: str, kind: str, to: str = "") -> list[str]:
    """Statements that give the same people the same rights."""
    return [sql for (sql,) in _rows(_GRANTS.format(of=of, kind=kind, to=to or of))]


_GRANTS: Final = """
SELECT format('GRANT %s ON {kind} {to} TO %s%s', a.privilege_type,
    CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END,
    CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
FROM pg_class c, aclexplode(c.relacl) a
WHERE c.oid = '{of}'::regclass AND a.grantee <> c.relowner
"""


def _make(name: str, bounds: str, like: str) -> None:
    """A partition with the storage parameters and rights of another one."""
    options = _value(_OPTIONS.format(like=like))
    _execute(
        f"CREATE TABLE IF NOT EXISTS {name} PARTITION OF games_ply (PRIMARY KEY (id)) {bounds}"
        f"{f' WITH ({options})' if options else ''}",
        *_grants(like, "TABLE", name),
    )


_OPTIONS: Final = """
SELECT string_agg(one, ', ') FROM (
    SELECT unnest(reloptions) FROM pg_class WHERE oid = '{like}'::regclass
    UNION ALL SELECT 'toast.' || unnest(t.reloptions) FROM pg_class c JOIN pg_class t
        ON t.oid = c.reltoastrelid WHERE c.oid = '{like}'::regclass
) options (one)
"""


# --- Each month


def turn() -> None:
    """The duty. Where the table is not partitioned, no bound stays that would refuse moves."""
    try:
        if is_partitioned():
            for sentence in turned():
                log.info("plies_partitioned", what=sentence)
        else:
            _bound()
    except CannotPartition as busy:
        log.info("partitions_wait", cause=str(busy))


def turned() -> list[str]:
    """Makes the partitions of the next months and drops what is over; says what was done."""
    done = list(_made())
    dropped = each(NAME, _past(), _dropped, key=attrgetter("name"), durable=True)
    if done := [*done, *filter(None, dropped)]:
        _execute("ANALYZE games_ply")  # Postgres does it by itself for the partitions only
    return done


def _made() -> Iterator[str]:
    """A month of which plies stand in the rest is left there: moving them would stop the moves."""
    now = timezone.now()
    ends = (_time(part.until) for part in parts() if part.until)
    at = max(ends, default=month_after(now, 0))
    while at < month_after(now, MONTHS_AHEAD + 1):
        name, begin = f"games_ply_{at:%Y_%m}", least_uuid7(at)
        end = least_uuid7(at := month_after(at, 1))
        there = f"match_id >= '{begin}' AND match_id < '{end}'"
        if _value(f"SELECT true FROM {REST} WHERE {there} LIMIT 1"):
            continue
        bounds = f"FOR VALUES FROM ('{begin}') TO ('{end}')"
        _alone(partial(_make, name, bounds, REST))
        yield f"{name} is made"


def _past() -> list[Part]:
    return [part for part in parts() if part.until and _time(part.until) <= timezone.now()]


def _dropped(part: Part) -> str:
    """A sentence if it was: one in which no match can be played and no ply stands.

    A vacuum takes away the pages that no reader needs any more, however old its snapshot is. Only
    of a partition that has no page left, which is seen at once, nothing can be lost.
    """
    if _is_used(part):
        return ""
    if part.size:
        _execute(f"VACUUM (SKIP_LOCKED, INDEX_CLEANUP ON, TRUNCATE ON) {part.name}")
    return f"{part.name} is dropped" if _alone(lambda: _drop_without_pages(part.name)) else ""


def _is_used(part: Part) -> bool:
    if _value(f"SELECT true FROM {part.name} ORDER BY match_id DESC LIMIT 1"):
        return True
    playable = Match.objects.filter(status__in=[Match.Status.OPEN, Match.Status.ACTIVE])
    return playable.filter(id__gte=part.since or UUID(int=0), id__lt=part.until).exists()


def _drop_without_pages(name: str) -> bool:
    if _value(f"SELECT to_regclass('{name}')") is None:
        return False  # another worker was quicker
    _execute(f"LOCK TABLE {name} IN ACCESS EXCLUSIVE MODE")
    if _value(f"SELECT pg_relation_size('{name}')"):
        return False
    _execute(f"DROP TABLE {name}")
    return True


PARTITIONS: Final = Duty(name=NAME, kind="long", piece=turn, every=3600)
