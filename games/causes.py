"""Facts of matches and tournaments that people are notified of, as causes of notifications.

Nothing here is on the way of a move. That somebody is to act is a fact of the match's row, written
by the statement of the move, so the row is the outbox (design): a beat reads it and writes the
cause *match M, version V, seat S*. The key is unique, so a fact that is read again, or by two at
once, is due once; a process that dies has forgotten nothing, as the row still says it. The same
holds for invitations and boards. Only accounts with a channel are looked at, from their seats to
their matches by the index of unfinished seats: without channels the beat reads one empty list.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.notifications.models import MATCH, Endpoint, Kind, Progress
from accounts.notifications.outbox import Owed, keys_not_owed, owe_all, wanting
from config.tasks.duties import Duty
from config.tasks.rows import each, to_try_again
from games.absent import of_installed_games, rules_of
from games.competitions.models import Place, Tournament
from games.matches.models import InvitationNews, Match, Notice, Seat
from games.matches.selectors.access import SERVICE, find_match, get_match, matches_by_id
from games.matches.selectors.history import as_watched
from games.matches.selectors.log import log_entries, plain_events
from games.matches.selectors.secrecy import may_tell_all
from games.matches.snapshot import MatchSnapshot
from games.matches.time_bank import DAY
from games.people.counting import sides_of

# Whose turn it is in slow matches, and in those without a clock: the others are sat through.
#
# A turn of the last week counts: a person who turns a channel on is told of what waits, and not
# of what was given up long ago. Between computers and one person nobody waits.

Row = tuple[UUID, UUID, int, int, str, int, Any]
_WAITING: Final = """
SELECT s.user_id, m.id, m.version, s.index, m.game, m.rules_version, m.deadline_at
FROM games_seat s JOIN games_match m ON m.id = s.match_id
WHERE s.user_id = ANY(%s) AND s.place IS NULL AND s.kind = 'user' AND s.stand_in = ''
    AND m.status = 'active' AND s.index = ANY(m.to_act)
    AND (m.turn_seconds >= %s OR m.turn_seconds IS NULL AND m.clock IS NULL)
    AND m.updated_at > now() - interval '7 days'
    AND EXISTS (SELECT 1 FROM games_seat o
        WHERE o.match_id = m.id AND o.kind = 'user' AND o.user_id <> s.user_id)
"""


def waiting_turns() -> dict[str, Row]:
    people = wanting("your_turn")
    if not people:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_WAITING, [people, DAY])
        return {_key(*row[1:4]): row for row in cursor.fetchall()}


def turn_holds(account: UUID, payload: Mapping[str, Any]) -> bool:
    """Whether the match still waits for this turn."""
    try:
        match = get_match(UUID(payload["match"]))
    except Match.DoesNotExist:
        return False
    waits = match.status == "active" and match.version == payload["version"]
    seat = payload["seat"]
    return waits and seat in match.people_to_act and match.seats[seat].user_id == account


def _key(match: UUID, version: int, seat: int) -> str:
    return f"turn:{match}:{version}:{seat}"


def cause_of_turn(key: str, row: Row) -> Owed:
    account, match, version, seat, game, rules_version, deadline = row
    payload = {
        "match": str(match),
        "version": version,
        "seat": seat,
        "game": game,
        "game_name": rules_of(game, rules_version).name,
        "deadline_at": deadline.isoformat() if deadline else None,
        "url": f"/matches/{match}",
    }
    return Owed(account, "your_turn", key, payload)


# Seats that are kept for somebody: invitations, those of a rematch, challenges.
#
# Sent again is another invitation.

KINDS: Final[tuple[Kind, ...]] = ("invitation", "challenge")
RECENT: Final = timedelta(days=7)


def waiting_invitations() -> dict[str, Seat]:
    wishes = {kind: set(wanting(kind)) for kind in KINDS}
    people = set[UUID]().union(*wishes.values())
    if not people:
        return {}
    seats = Seat.objects.filter(
        invited__in=people,
        kind=Seat.Kind.OPEN,
        declined="",
        match__status="open",
        match__created_at__gt=timezone.now() - RECENT,
    ).select_related("match__challenge")
    rows = {
        _invitations_key(seat): seat for seat in seats if seat.invited_id in wishes[_kind(seat)]
    }
    sent_again = _times(list(rows.values()))
    return {f"{key}{sent_again.get(key, '')}": seat for key, seat in rows.items()}


def invitation_holds(account: UUID, payload: Mapping[str, Any]) -> bool:
    seats = Seat.objects.filter(match=payload["match"], index=payload["seat"], invited=account)
    return seats.filter(kind=Seat.Kind.OPEN, declined="", match__status="open").exists()


def _times(seats: list[Seat]) -> dict[str, str]:
    """The times of invitations that were sent after the match began to wait, by their keys."""
    news = InvitationNews.objects.filter(
        match__in={seat.match_id for seat in seats}, kind="invited"
    )
    people = {(seat.match_id, seat.index): seat for seat in seats}
    return {
        _invitations_key(people[one.match_id, one.seat]): f":{one.at.timestamp():.3f}"
        for one in news
        if (one.match_id, one.seat) in people
        and people[one.match_id, one.seat].invited_id == one.user_id
    }


def _kind(seat: Seat) -> Kind:
    return "challenge" if hasattr(seat.match, "challenge") else "invitation"


def _invitations_key(seat: Seat) -> str:
    return f"{_kind(seat)}:{seat.match_id}:{seat.index}:{str(seat.invited_id)[-12:]}"


def cause_of_invitation(key: str, seat: Seat) -> Owed:
    match = seat.match
    payload = {
        "match": str(match.pk),
        "seat": seat.index,
        "game": match.game,
        "game_name": rules_of(match.game, match.rules_version).name,
        "person": str(match.creator_id),
        "what": "rematch" if match.previous_id else "match",
        "url": f"/matches/{match.pk}",
    }
    if _kind(seat) == "challenge":
        payload |= {"challenge": str(match.pk), "url": f"/challenges/{match.pk}"}
    assert seat.invited_id is not None  # noqa: S101 - selected by it
    return Owed(seat.invited_id, _kind(seat), key, payload)


# Events of one match, for the webhooks that are told of it alone.
#
# A cause holds two versions and no event: what happened between them is read at the moment of the
# call, through the reader of the account's table. So a call tells what the account sees there and
# nothing else: later where the match is watched with a delay, and nothing where it may not see it
# any more. How far a webhook was told is moved on in the transaction that writes its cause.

MOST_VERSIONS: Final = 100  # of one call; the next one goes on there


def place_in_match(account: UUID, match_id: UUID) -> str | None:
    """How far the account sees that a match has come: none if it does not see it, "" if it is over.

    A version and a status: a match that begins or ends may stay at its version.
    """
    match = _seen(account, match_id)
    if match is None:
        return None
    return "" if match.is_over else _place(_version(match, account), match.status)


@transaction.atomic
def add_match_causes() -> int:
    """The number of new causes."""
    rows = Endpoint.objects.filter(topic__isnull=False, disabled="", account__is_active=True)
    webhooks = list(rows.select_for_update(skip_locked=True, of=("self",)).order_by("pk"))
    if not webhooks:
        return 0
    matches = matches_by_id({one.topic for one in webhooks if one.topic})
    pairs = list(_pairs(webhooks, matches))
    news = each(
        "causes",
        pairs,
        lambda pair: (pair[0], *_news(*pair)),
        key=lambda pair: f"hook {pair[0].pk}",
    )
    changed = [(one, owed, place) for one, owed, place in news if one.topic_at != place]
    for webhook, _, place in changed:
        webhook.topic_at = place
    Endpoint.objects.bulk_update([webhook for webhook, *_ in changed], ["topic_at"])
    return owe_all(owed for _, owed, _ in changed)


def _pairs(
    webhooks: Iterable[Endpoint], matches: Mapping[UUID, MatchSnapshot]
) -> Iterator[tuple[Endpoint, MatchSnapshot]]:
    """Each with its match, where its account may see that now."""
    for webhook in webhooks:
        match = matches.get(webhook.topic) if webhook.topic else None
        if match is not None and _may_see(match, webhook.account_id):
            yield webhook, match


def match_holds(account: UUID, payload: Mapping[str, Any]) -> bool:
    """Whether the account may see the match now."""
    return _seen(account, UUID(payload["match"])) is not None


def facts_of_match(account: UUID, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The status and the events between the two versions, as the account sees them now."""
    match = _seen(account, UUID(payload["match"]))
    if match is None:
        return {"events": []}
    shown = as_watched(match, account)
    until = min(payload["version"], shown.version)
    entries = log_entries(shown, after=payload["after"], until=until)
    shows_all = shown.is_over and may_tell_all(shown, account)
    seat = shown.acting_seat(account)
    events = plain_events(shown, entries, seat, shows_all=shows_all)
    return {"status": shown.status, "events": events}


def _seen(account: UUID, match_id: UUID) -> MatchSnapshot | None:
    """A match whose game is installed, if the account may see it."""
    access = find_match(match_id, SERVICE)
    return access.match if access is not None and _may_see(access.match, account) else None


def _may_see(match: MatchSnapshot, account: UUID) -> bool:
    return match.is_playable and match.is_visible_to(account)


def _news(webhook: Endpoint, match: MatchSnapshot) -> tuple[Owed, str]:
    """The cause of the news that a webhook has not received yet, and the place after it."""
    after = int(webhook.topic_at.partition(":")[0])
    version = _version(match, webhook.account_id)
    until = max(min(version, after + MOST_VERSIONS), -1)
    place = _place(until, match.status if until == version else "")
    payload = {
        "match": str(match.id),
        "webhook": str(webhook.pk),
        "after": min(after, until),
        "version": until,
        "game": match.game,
        "game_name": match.rules.name,
        "url": f"/matches/{match.id}",
    }
    key = f"{MATCH}:{webhook.pk}:{place}"
    return Owed(webhook.account_id, "match", key, payload), place


def _version(match: MatchSnapshot, account: UUID) -> int:
    """The last ply that the account sees, -1 before the cards are dealt."""
    if match.state_json is None:
        return -1
    if not match.is_delayed_for(account):
        return match.version
    return max(match.parent_version or 0, match.version - match.watch_delay)


def _place(version: int, status: str) -> str:
    return f"{version}:{status}"


# How matches ended, for the people who played them.
#
# Their seats say it, so matches are looked at in the order of their ends; how far that has gone
# is a row, moved on in the transaction that writes the causes.

NAME: Final = "results"
DUTY: Final = "causes"
RESULT_OF: Final = "result "  # before the id, as the name of a row
LAG: Final = timedelta(seconds=60)  # then the cursor is written though nothing moved
LATEST_COMMIT: Final = timedelta(seconds=60)  # a match may become visible so long after its end
AT_ONCE: Final = 500


@transaction.atomic
def add_result_causes() -> int:
    """The number of new ones; none the first time, as a subscription begins with what comes."""
    begun, people = timezone.now(), wanting("result")
    Progress.objects.get_or_create(name=NAME, defaults={"until": begun})
    locked = Progress.objects.select_for_update(skip_locked=True).filter(name=NAME).first()
    if locked is None:
        return 0  # another process looks
    until, causes = begun, []
    if people:
        ended = _all_ended_since(locked).filter(of_installed_games())
        matches = list(ended.order_by("finished_at").prefetch_related("seats")[:AT_ONCE])
        rows = {match.pk: match for match in [*_failed(), *matches]}
        seats = set(people)
        by_match = each(
            DUTY, rows.values(), lambda match: list(_owed(match)), key=_name, whole=True
        )
        causes = [owed for some in by_match for owed in some if owed.account_id in seats]
        if len(matches) == AT_ONCE:
            until = max(locked.until, matches[-1].finished_at or begun)
    new = owe_all(causes)
    if new or (until - locked.until >= LAG and _all_ended_since(locked).exists()):
        locked.until = until
        locked.save(update_fields=["until"])
    return new


def _all_ended_since(progress: Progress) -> QuerySet[Match]:
    return Match.objects.filter(status="finished", finished_at__gt=progress.until - LATEST_COMMIT)


def _name(match: Match) -> str:
    return f"{RESULT_OF}{match.pk}"


def _failed() -> list[Match]:
    """Matches that could not be announced and whose pause is over, however long ago they ended."""
    ids = [row.removeprefix(RESULT_OF) for row in to_try_again(DUTY) if row.startswith(RESULT_OF)]
    return list(Match.objects.filter(id__in=ids).prefetch_related("seats")) if ids else []


def _owed(match: Match) -> Iterator[Owed]:
    seats = list(match.seats.all())
    sides = sides_of(match.game, match.rules_version, bytes(match.options))
    for seat in seats:
        if seat.user_id is None or seat.kind != Seat.Kind.USER or seat.place is None:
            continue
        others = [one.place for one in seats if sides[one.index] != sides[seat.index]]
        payload = {
            "match": str(match.pk),
            "version": match.version,
            "seat": seat.index,
            "game": match.game,
            "game_name": rules_of(match.game, match.rules_version).name,
            "what": "lost" if seat.place != 1 else "drawn" if 1 in others else "won",
            "url": f"/matches/{match.pk}",
        }
        yield Owed(seat.user_id, "result", f"result:{match.pk}:{seat.index}", payload)


# Boards that wait for people in the round that a tournament plays now. An arena is sat through.


def waiting_rounds() -> dict[str, Place]:
    people = wanting("tournament")
    if not people:
        return {}
    places = Place.objects.filter(
        entrant__account__in=people,
        points=None,
        round=F("tournament__round"),
        tournament__status=Tournament.Status.RUNNING,
    ).exclude(tournament__form=Tournament.Form.ARENA)
    return {_rounds_key(one): one for one in places.select_related("tournament", "entrant")}


def round_holds(account: UUID, payload: Mapping[str, Any]) -> bool:
    places = Place.objects.filter(tournament=payload["tournament"], round=payload["round"])
    return places.filter(entrant__account=account, points=None).exists()


def _rounds_key(place: Place) -> str:
    return f"round:{place.tournament_id}:{place.round}:{place.entrant_id}"


def cause_of_round(key: str, place: Place) -> Owed:
    tournament = place.tournament
    payload = {
        "tournament": str(tournament.pk),
        "tournament_name": tournament.name,
        "round": place.round,
        "game": tournament.game,
        "game_name": rules_of(tournament.game, tournament.rules_version).name,
        "url": f"/tournaments/{tournament.pk}",
    }
    assert place.entrant.account_id is not None  # noqa: S101 - selected by it
    return Owed(place.entrant.account_id, "tournament", key, payload)


# Messages of operators to the players of a match, for those who are told elsewhere, too.


def add_notice_cause(match: MatchSnapshot, notice: Notice) -> int:
    """The causes of a notice, in the transaction that writes it; how many."""
    people = {seat.user_id for seat in match.seats if seat.user_id is not None}
    payload = {
        "match": str(match.id),
        "game": match.game,
        "game_name": match.rules.name,
        "what": "match",
        "table_notice": notice.pk,
        "url": f"/matches/{match.id}",
    }
    key = f"operator:{match.id}:{notice.pk}"
    return owe_all(
        Owed(person, "operator", f"{key}:{str(person)[-12:]}", payload) for person in people
    )


def notice_text(account: UUID, payload: Mapping[str, Any]) -> str:
    """The text as it stands at the table; an erasure has changed it there."""
    if "table_notice" not in payload:
        return ""
    sits = Seat.objects.filter(match=payload["match"], user=account)
    notice = Notice.objects.filter(pk=payload["table_notice"], match__in=sits.values("match"))
    return "".join(notice.values_list("text", flat=True))


# All causes that follow from rows. A row of which none can be made keeps no other one back.

DERIVING_NAME: Final = DUTY
SOURCES: Final[Mapping[str, Callable[[], int]]] = {
    "turns": lambda: _derive(waiting_turns(), cause_of_turn),
    "invitations": lambda: _derive(waiting_invitations(), cause_of_invitation),
    "rounds": lambda: _derive(waiting_rounds(), cause_of_round),
    "results": add_result_causes,
    "matches": add_match_causes,
}


def derive() -> int:
    """The number of new causes."""
    return sum(each(DERIVING_NAME, SOURCES, lambda source: SOURCES[source]()))


def _derive(rows: Mapping[str, Any], cause_of: Callable[[str, Any], Owed]) -> int:
    """Write the causes of rows by their keys, without those that exist; how many."""
    causes = each(DERIVING_NAME, keys_not_owed(rows), lambda key: cause_of(key, rows[key]))
    return owe_all(causes)


CAUSES: Final = Duty(
    name=DERIVING_NAME,
    piece=derive,
    due="""
SELECT NULL::timestamptz, NULL WHERE EXISTS (SELECT FROM notifications_choices
        WHERE mail <> '{}' OR daily <> '{}' OR push <> '{}')
    OR EXISTS (SELECT FROM notifications_endpoint WHERE disabled = '')
UNION ALL SELECT NULL, NULL FROM notifications_progress
WHERE name = 'results' AND until < %(now)s - interval '60 seconds'
    AND EXISTS (SELECT FROM games_match
        WHERE status = 'finished' AND finished_at > until - interval '60 seconds')""",
    every=2,
    idle=60,
)
