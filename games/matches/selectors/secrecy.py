"""Secrecy: whose cards these are, and who may learn them now (FORMAT.md §2).

Cards belong to the match that dealt them. A match that was loaded from it holds the same cards, or
what its own seed made of them, and so do the matches loaded from that one. So all running matches
of its family decide whether a match that is over may reveal its decks, its seed and what single
seats were shown. Every door calls this module.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias
from uuid import UUID

import msgspec
from django.db import connection

from accounts.models import User
from accounts.social.selectors import hidden_from, hidden_profiles
from games.absent import HIDDEN, NEWEST, rules_of
from games.matches.models import Match, Seat, SharedDeal
from games.matches.selectors.lineage import loads, standing_rounds
from games.matches.snapshot import MatchSnapshot, SeatSnapshot

RUNNING = ("open", "active")

_FAMILY = """
WITH RECURSIVE up AS (
    SELECT id, parent_id FROM games_match WHERE id = %s
    UNION ALL SELECT m.id, m.parent_id FROM games_match m JOIN up ON m.id = up.parent_id
), family AS (
    SELECT id, parent_id, false AS runs FROM up WHERE parent_id IS NULL
    UNION ALL SELECT m.id, m.parent_id, m.status IN ('open', 'active')
    FROM games_match m JOIN family ON m.parent_id = family.id
), concerned AS (
    SELECT id, parent_id FROM up
    UNION SELECT id, parent_id FROM family WHERE runs
    UNION SELECT family.id, family.parent_id
    FROM family JOIN concerned ON family.id = concerned.parent_id
)
SELECT m.id, m.parent_id, m.game, m.status, m.round, m.rated, m.created_at, m.finished_at,
    m.past_was_told,
    (SELECT max(r.number) FROM games_round r
        WHERE r.match_id = m.id AND r.opening_version <= m.parent_version),
    ARRAY(SELECT coalesce(s.user_id, s.invited_id) FROM games_seat s
        WHERE s.match_id = m.id ORDER BY s.index),
    ARRAY(SELECT s.user_id FROM games_seat s WHERE s.match_id = m.id AND s.kind <> 'bot')
FROM concerned JOIN games_match m USING (id)
"""

_PAST = """
WITH RECURSIVE up AS (
    SELECT id, parent_id FROM games_match WHERE id = %s
    UNION ALL SELECT m.id, m.parent_id FROM games_match m JOIN up ON m.id = up.parent_id
)
SELECT id FROM games_match WHERE id IN (SELECT id FROM up) ORDER BY id FOR NO KEY UPDATE
"""


@dataclass(frozen=True)
class Relative:
    """A match of a family; ``loaded_in`` is the round it was loaded in.

    ``holders`` are, by seat, those who hold it or are invited to it, ``people`` those on the seats
    that no bot has (``None``: nobody yet).
    """

    id: UUID
    parent_id: UUID | None
    game: str
    status: str
    round: int
    rated: bool
    created_at: datetime
    finished_at: datetime | None
    past_was_told: bool | None
    loaded_in: int | None
    holders: list[UUID | None]
    people: list[UUID | None]

    @property
    def runs(self) -> bool:
        return self.status in RUNNING


@dataclass(frozen=True)
class Stake:
    """A running match whose cards another one could reveal; ``in_use``: also those of its round."""

    match: Relative
    in_use: bool

    def may_know(self, reader: UUID | None) -> bool:
        """Only a person who plays it alone and unrated may know cards that are in use."""
        if reader is None or not is_only(reader, self.match.people):
            return False
        return not (self.match.rated and self.in_use)


def is_only(user: UUID | None, people: Sequence[UUID | None]) -> bool:
    return user is not None and {*people} == {user}


def is_only_person(match: MatchSnapshot, user: UUID | None) -> bool:
    """Whether one person holds every human seat; open and invited seats are another's."""
    return is_only(user, [seat.user_id for seat in match.seats if seat.kind != "bot"])


def may_tell_all(match: MatchSnapshot, reader: UUID | None, family: "Family | None" = None) -> bool:
    """Whether a match that is over may show its reader (``None``: anybody) all it holds."""
    if is_sealed(match):
        return False
    stakes = _stakes(family or relatives(match), match.id)
    return all(stake.may_know(reader) for stake in stakes)


def relatives(match: MatchSnapshot) -> "Family":
    """The match and those that share its cards by loads."""
    if match.parent_id is not None or match.has_loads:
        return _family(match.id)
    alone = Relative(
        id=match.id,
        parent_id=None,
        game=match.game,
        status=match.status,
        round=match.round,
        rated=match.rated,
        created_at=match.created_at,
        finished_at=match.finished_at,
        past_was_told=None,
        loaded_in=None,
        holders=[seat.user_id or seat.invited_id for seat in match.seats],
        people=[seat.user_id for seat in match.seats if seat.kind != "bot"],
    )
    return {match.id: alone}


def is_sealed(match: MatchSnapshot) -> bool:
    """Whether others may still be dealt the cards of this match, or play with them.

    Then nobody learns more of it than its own seats saw: not by its end either.
    """
    if match.deal_id is None:
        return False
    return SharedDeal.objects.filter(id=match.deal_id, revealed_at=None).exists()


def lock_past(match_id: UUID) -> None:
    """Until the transaction ends, a match and those that it was loaded from stay as they are."""
    with connection.cursor() as cursor:
        cursor.execute(_PAST, [match_id])


def is_revealed(match_id: UUID) -> bool:
    """Whether anybody may learn all of a match and of those that it was loaded from."""
    family = _family(match_id)
    over = not any(match.runs for match in _line(family, match_id))
    return over and not any(_stakes(family, match_id))


def family_runs(match_id: UUID) -> bool:
    """Whether a match runs, or one that holds the same cards or what was made of them."""
    return any(match.runs for match in _family(match_id).values())


def keeps_back_alone(parent_id: UUID) -> bool:
    """Whether only matches that nobody has begun keep this one's record back."""
    stakes = _stakes(_family(parent_id), parent_id)
    return all(stake.match.status == "open" for stake in stakes)


def may_sit(match_id: UUID, seat: int, user: UUID | None) -> bool:
    """Whether nobody else holds this seat in a running match of the same cards.

    A person who sits down sees what this seat holds, its side deck too.
    """
    stakes = _stakes(_family(match_id), match_id)
    return all(stake.match.holders[seat] in (None, user) for stake in stakes)


def uses_decks_of(match: MatchSnapshot, version: int) -> bool:
    """Whether a match still uses the decks that one of its versions was played with."""
    opened = standing_rounds(match, version, with_cards=False)
    return match.rules.needs_side_deck or opened[-1].number == match.round


def reading_seat(match: MatchSnapshot, version: int, seat: int | None) -> int | None:
    """The seat (``None``: a spectator) as which a seat reads what happened at a version.

    Before a re-dealing load only the loading player's seats know what they were dealt: the others'
    cards of that time were dealt again, so they read the past as spectators do.
    """
    if match.parent_version is None or version > match.parent_version or seat is None:
        return seat
    hidden = (
        version <= load.version and load.origin.reshuffled and seat not in load.origin.seats
        for load in loads(match)
    )
    return None if any(hidden) else seat


Family = dict[UUID, Relative]


def _family(match_id: UUID) -> Family:
    """The matches that this one was loaded from, every running one that was loaded from one of
    these, and what that was loaded from."""
    with connection.cursor() as cursor:
        cursor.execute(_FAMILY, [match_id])
        relatives = [Relative(*row) for row in cursor.fetchall()]
    return {one.id: one for one in relatives}


def _line(family: Family, match_id: UUID) -> list[Relative]:
    """A match, its parent, and so on."""
    line = [family[match_id]]
    while line[-1].parent_id is not None:
        line.append(family[line[-1].parent_id])
    return line


def _stakes(family: Family, match_id: UUID) -> Iterator[Stake]:
    """The running matches whose cards this one's decks and seed reveal, itself left out."""
    own = _line(family, match_id)
    for one in family.values():
        if not one.runs or one.id == match_id:
            continue
        if one in own:  # its whole past is in the record
            yield Stake(one, in_use=_still_in_use(one, own[own.index(one) - 1]))
            continue
        line = _line(family, one.id)
        at = next(at for at, ancestor in enumerate(line) if ancestor in own)
        if _still_in_use(one, line[at - 1]) and not _was_revealed(line, at):
            yield Stake(one, in_use=True)


def _still_in_use(match: Relative, load: Relative) -> bool:
    """Whether a match is in the round of this load: its decks lay there then, and still do."""
    return rules_of(match.game, NEWEST).needs_side_deck or match.round == load.loaded_in


def _was_revealed(line: Sequence[Relative], at: int) -> bool:
    """Whether the cards of ``line[at]`` lay open when ``line[0]`` came by them.

    They did if anybody could read them at one of the loads that led here. A load from such a match
    makes nothing secret that others could read before.
    """
    return any(_past_was_revealed(line[k - 1], line[k:]) for k in range(1, at + 1))


def _past_was_revealed(load: Relative, past: Sequence[Relative]) -> bool:
    if load.past_was_told is None:  # written before this was noted
        at = load.created_at
        return all(one.finished_at is not None and one.finished_at < at for one in past)
    return load.past_was_told


def plays_with_same_cards(match_id: UUID, user: UUID) -> bool:
    """Whether a user sits, or is invited, in this match or a running one that shares its cards."""
    return plays_among(_family(match_id), match_id, user)


def plays_among(family: "Family", match_id: UUID, user: UUID) -> bool:
    among = (one for one in family.values() if one.runs or one.id == match_id)
    return any(user in one.holders for one in among)


# Names that strangers do not get: of people who hide their profile from all but their friends.
#
# Those whom a match concerns, who sit in it, are invited to it or opened it, know each other. To
# all others such a person is ``HIDDEN``, at the table as in every list, feed, picture and record.
# Pages show a copy of the match, or rows that must not be saved.

Call: TypeAlias = Callable[[str], str]
_OF_NAMES: Final = ("names", "answers")


def named_for(match: MatchSnapshot, reader: UUID | None, call: Call = str) -> MatchSnapshot:
    """The match with the names that this reader may know, those of the house as a door says them.

    Of the house are the names of computers and of who is hidden: pages translate them.
    """
    people = set() if match.concerns(reader) else _people(match.seats)
    hidden = hidden_from(reader, people) if people else set()
    seats = tuple([_named(seat, hidden, call) for seat in match.seats])
    if seats == match.seats:
        return match
    shown = msgspec.structs.replace(match, seats=seats)
    kept = {name: value for name, value in match.__dict__.items() if name not in _OF_NAMES}
    shown.__dict__.update(kept)
    if hidden:
        shown.__dict__["withholds"] = True
    return shown


def _named(seat: SeatSnapshot, hidden: Collection[UUID], call: Call) -> SeatSnapshot:
    name = HIDDEN if _person(seat) in hidden else seat.name if seat.kind == "bot" else ""
    called = call(name) if name else seat.name
    return seat if called == seat.name else msgspec.structs.replace(seat, name=called)


def with_somebody_hidden(matches: Iterable[MatchSnapshot]) -> set[UUID]:
    """The matches at which somebody hides: their readers do not all get the same names."""
    return _with_hidden({match.id: _people(match.seats) for match in matches})


def hides_somebody(rows: Iterable[Match]) -> set[UUID]:
    """The same of the rows of a list, which were read with their seats; also by their hosts."""
    return _with_hidden({row.id: _people(row.seats.all()) | {row.creator_id} for row in rows})


def _with_hidden(people: Mapping[UUID, set[UUID]]) -> set[UUID]:
    everybody = set[UUID]().union(*people.values())
    hidden = set(hidden_profiles().filter(account__in=everybody)) if everybody else set()
    return {match_id for match_id, each in people.items() if each & hidden}


def name_rows_for(rows: Sequence[Match], reader: UUID | None, call: Call = str) -> None:
    """The same in the rows of a list, which were read with their seats, and in their hosts."""
    strange = [row for row in rows if not _concerns(row, reader)]
    people = {row.creator_id for row in strange}.union(*(_people(r.seats.all()) for r in strange))
    hidden = hidden_from(reader, people) if people else set()
    for row in strange if hidden else ():
        for seat in row.seats.all():
            if _person(seat) in hidden:
                seat.name = call(HIDDEN)
        if row.creator_id in hidden:
            row.creator = User(pk=row.creator_id, display_name=call(HIDDEN))
    computers = (seat for row in rows for seat in row.seats.all() if seat.kind == Seat.Kind.BOT)
    for seat in computers if call is not str else ():
        seat.name = call(seat.name)


def _concerns(row: Match, reader: UUID | None) -> bool:
    people = {seat.user_id or seat.invited_id for seat in row.seats.all()}
    return reader is not None and reader in people | {row.creator_id}


def _people(seats: Iterable[Seat | SeatSnapshot]) -> set[UUID]:
    return {person for seat in seats if (person := _person(seat)) is not None}


def _person(seat: Seat | SeatSnapshot) -> UUID | None:
    """The person whose name the seat has; a guest at somebody's device has one of their own."""
    return seat.invited_id if seat.kind == "open" else seat.user_id if seat.kind == "user" else None
