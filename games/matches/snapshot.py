"""A match as a value: its seats, clocks and proposals to take back.

Values only. A field is a column: ``columns`` names them for every SELECT, INSERT and UPDATE.
``selectors`` fill a snapshot from one SELECT, ``services`` make the next one from a transition, so
that an answer needs no second read.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache, cached_property
from typing import Any, Literal
from uuid import UUID

import msgspec
from msgspec.structs import astuple

from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import SECRET
from cardroom.rules.values import Options, Outcome, Setup, State
from games.absent import is_absent, rules_of
from games.matches import time_bank
from games.matches.time_bank import DAY, Banks

# A seat of a match as one read gives it, and who moves it: a person or a bot. Values only.

ALONE_EVERY = timedelta(seconds=1)  # a run of moves in a match without a person


class SeatProgress(msgspec.Struct, frozen=True, array_like=True):
    """The columns of a seat that a commit writes, and its index."""

    index: int
    points: int
    place: int | None
    resigned_at: int | None
    timed_out: bool
    extra_seconds: int
    extra_version: int | None
    awaited: bool  # its person has not moved yet, and has a time for that (``first_moves``)


class SeatSnapshot(SeatProgress, frozen=True, array_like=True):
    kind: str
    user_id: UUID | None
    invited_id: UUID | None
    bot: str
    name: str
    side_deck: tuple[str, ...] | None
    stand_in: str = ""
    handed_by_clock: bool = False
    declined: str = ""
    for_friends: bool = False

    @property
    def is_reserved(self) -> bool:
        """It is free, but not for everybody: for an invited person, or as its host says."""
        return self.kind == "open" and self.invited_id is not None

    def awaits(self, user: UUID | None) -> bool:
        """Whether it waits for this person's answer to an invitation."""
        return user is not None and self.invited_id == user and not self.declined

    def extra_at(self, since: int, version: int) -> int:
        """Seconds beyond the limit for the choice that it has at ``version`` and that began then.

        They were given while it had that choice, or by the moves that gave it.
        """
        given = self.extra_version
        return self.extra_seconds if given is not None and since <= given <= version else 0

    @property
    def may_be_reclaimed(self) -> bool:
        """Its person may take it back from the bot that plays since the time was up."""
        return self.handed_by_clock and bool(self.stand_in) and self.resigned_at is None

    @property
    def setup(self) -> Setup:
        """The seat for the rules."""
        return Setup(self.name, self.bot or None, self.side_deck)


def resigned(seats: Sequence[SeatSnapshot]) -> tuple[int, ...]:
    """The seats that resigned, the first to resign first."""
    gone = [seat for seat in seats if seat.resigned_at is not None]
    return tuple(seat.index for seat in sorted(gone, key=lambda seat: seat.resigned_at or 0))


def has_people(seats: Iterable[SeatSnapshot]) -> bool:
    """Whether a person holds one of the seats, has not resigned it and moves it."""
    return any(
        seat.user_id is not None and seat.resigned_at is None and not seat.stand_in
        for seat in seats
    )


def bots_due_at(
    to_act: Sequence[int], people: Sequence[int], seats: Sequence[SeatSnapshot], at: datetime
) -> datetime | None:
    """The time of the bots' turn: at once where a person waits, paced where none holds a seat."""
    if len(people) == len(to_act):
        return None
    return at if has_people(seats) else at + ALONE_EVERY


def people_among(
    to_act: Sequence[int], game: AnyGame, seats: Sequence[SeatSnapshot], state: State
) -> list[int]:
    """The seats to act that a person moves."""
    return [seat for seat in to_act if not bot_in_control(game, seats[seat], state)]


def bot_in_control(game: AnyGame, seat: SeatSnapshot, state: State) -> str | None:
    """The bot that moves for a seat in this state, ``None`` for a person.

    Besides the bots' own seats the service moves for seats that were handed to a bot, that resigned
    (the game's stand-in plays them on) and that have nothing to choose (``Game.autoplays``). A bot
    that is no longer installed is replaced by one that stands in.
    """
    if seat.stand_in:
        return seat.stand_in
    if seat.kind == "bot":
        return seat.bot
    if seat.resigned_at is not None or game.autoplays(state, seat.index):
        return game.stand_in
    return None


# Somebody wants to take a round back: what the row of a match keeps of it, and nothing secret.

Status = Literal["waiting", "accepted", "declined", "withdrawn"]


class TakeBack(msgspec.Struct, frozen=True, omit_defaults=True):
    """The seat that wants it, the round, and the version at which it was wanted.

    ``at`` is when it was wanted, or settled. With the next move it is over, by its version: nothing
    has to be written for that. ``agreed`` are the seats of the others who accepted. ``tried`` are
    those that wanted it at this version, so that nobody is pressed again and again.
    """

    seat: int
    round: int
    version: int
    at: datetime
    status: Status = "waiting"
    agreed: tuple[int, ...] = ()
    tried: tuple[int, ...] = ()
    declined_by: int | None = None

    def encode(self) -> bytes:
        return msgspec.json.encode(self)

    def stands_at(self, version: int) -> bool:
        """Whether it says something about a match at this version.

        Once everybody accepted, the roll-back has made the next version.
        """
        return version == self.version + (self.status == "accepted")


def decoded(text: bytes | None) -> TakeBack | None:
    return None if text is None else msgspec.json.decode(text, type=TakeBack)


@cache
def columns(struct: type[msgspec.Struct]) -> list[str]:
    """The columns that a struct's fields stand for, in their order.

    ``_json`` marks bytes that are decoded elsewhere; facts of other rows are no columns.
    """
    names = [name for name in struct.__struct_fields__ if name not in ("has_loads", "seats")]
    return [name.removesuffix("_json") for name in names]


class LoadOrigin(msgspec.Struct, frozen=True, omit_defaults=True):
    """The load of a match: what FORMAT.md ``loaded_from`` needs beyond parent and version.

    ``seats`` are the loading player's, ``state`` is the state (as JSON text) right after loading,
    ``shuffles`` counts the shuffles of the past; ``moved`` names the decks and positions re-dealt.
    ``past_in_parent``: the parent's rows are read for what was before (``selectors.lineage``), but
    those from version ``retold_since`` on that the re-deal changed. Without it they were copied.
    """

    cards: Literal["same", "reshuffled"]
    shuffles: int
    seats: tuple[int, ...]
    state: str
    moved: tuple[tuple[int, tuple[int, ...]], ...] = ()
    past_in_parent: bool = False
    retold_since: int | None = None

    @property
    def reshuffled(self) -> bool:
        return self.cards == "reshuffled"


class Progress(msgspec.Struct, frozen=True):
    """The columns of a match that a commit writes; all others stay from its start to its end."""

    version: int
    round: int
    to_act: list[int]
    state_json: bytes | None
    shuffles_used: int
    status: str
    outcome_json: bytes | None
    bot_due_at: datetime | None
    deadline_at: datetime | None
    updated_at: datetime
    finished_at: datetime | None
    clock_json: bytes | None


class MatchSnapshot(Progress, frozen=True, dict=True):
    """A match at one version. Secrets are in here: doors show only what ``view`` gives."""

    id: UUID
    game: str
    rules_version: int
    options_json: bytes
    visibility: str
    creator_id: UUID
    rated: bool
    seed: bytes
    commitment: str
    turn_seconds: int | None
    on_timeout: str
    parent_id: UUID | None
    parent_version: int | None
    loaded_json: bytes | None
    previous_id: UUID | None
    created_at: datetime
    started_at: datetime | None
    take_back_json: bytes | None
    watch_delay: int = 0
    coached: bool = False  # its player was given hints
    deal_id: UUID | None = None  # other matches are dealt from the same seed
    plans: int = 0  # of its seats (games.matches.plans)
    has_loads: bool = False  # another match was loaded from this one, or may have been
    seats: tuple[SeatSnapshot, ...] = ()

    def __repr__(self) -> str:
        """Without state and seed, which are secret."""
        return f"<MatchSnapshot {self.game} {self.id} version {self.version}>"

    @cached_property
    def is_mirrored(self) -> bool:
        """Whether another match is dealt from the same shuffles with the sides swapped.

        An imported one is not: nothing is known of the other one here.
        """
        return self.deal_id is not None and len(self.seed) > SECRET

    @cached_property
    def rules(self) -> AnyGame:
        return rules_of(self.game, self.rules_version)

    @cached_property
    def is_playable(self) -> bool:
        """Whether its game is installed here."""
        return not is_absent(self.rules)

    @cached_property
    def options(self) -> Options:
        options: Options = self.rules.decode_options(self.options_json)
        return options

    @cached_property
    def state(self) -> State:
        if self.state_json is None:
            raise LookupError("Nothing was dealt yet.")
        state: State = self.rules.decode_state(self.state_json)
        return state

    @cached_property
    def outcome(self) -> Outcome | None:
        if self.outcome_json is None:
            return None
        return msgspec.json.decode(self.outcome_json, type=Outcome)

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return self.rules.sides_of(self.options)

    @cached_property
    def loaded(self) -> LoadOrigin | None:
        if self.loaded_json is None:
            return None
        return msgspec.json.decode(self.loaded_json, type=LoadOrigin)

    @cached_property
    def banks(self) -> Banks | None:
        """The banks of time, where the match has such a clock."""
        return time_bank.decoded(self.clock_json)

    @cached_property
    def has_limit(self) -> bool:
        """Whether people have only so much time: for a move, or for the whole match."""
        return self.turn_seconds is not None or self.clock_json is not None

    @property
    def awaited(self) -> list[int]:
        """The seats whose first move is awaited, or did not come in a match that was called off."""
        return [seat.index for seat in self.seats if seat.awaited]

    @property
    def first_move_until(self) -> datetime | None:
        """The time at which the match is called off without a first move of the people to act."""
        acting = set(self.awaited) & set(self.people_to_act)
        if not acting or self.deadline_at is None or self.banks is None:
            return self.deadline_at if acting else None
        return min(self.banks.ends_of(acting, acting).values(), default=None)

    @property
    def counts_days(self) -> bool:
        """Whether people have days for a move: then their quiet hours and holidays count."""
        return self.turn_seconds is not None and self.turn_seconds >= DAY

    @cached_property
    def take_back(self) -> TakeBack | None:
        """The last wish to take a round back, as long as nobody has moved since."""
        wish = decoded(self.take_back_json)
        return wish if wish is not None and wish.stands_at(self.version) else None

    @cached_property
    def answers(self) -> dict[object, Any]:
        """The answers that a door keeps at this version, by reader."""
        return {}

    @cached_property
    def is_over(self) -> bool:
        return self.status in ("finished", "aborted")

    @cached_property
    def names(self) -> list[str]:
        """The name of every seat; of equal names the later ones are numbered."""
        names: list[str] = []
        before = Counter[str]()
        for seat in self.seats:
            alike = before[seat.name] if seat.name else 0
            name = seat.name or f"Seat {seat.index + 1}"
            names.append(f"{name} {alike + 1}" if alike else name)
            before[seat.name] += 1
        return names

    @property
    def setups(self) -> list[Setup]:
        return [seat.setup for seat in self.seats]

    def seats_of(self, user: UUID | None) -> tuple[int, ...]:
        """The seats that this user moves: their own and those at the same device."""
        return tuple([seat.index for seat in self.seats if seat.user_id == user]) if user else ()

    def is_played_by(self, user: UUID | None) -> bool:
        """Whether it runs and this user holds a seat and has not resigned."""
        own = [seat for seat in self.seats if user and seat.user_id == user]
        return self.status == "active" and any(seat.resigned_at is None for seat in own)

    def concerns(self, user: UUID | None) -> bool:
        """Whether this user sits in it, is invited to it or opened it, and so knows who does."""
        people = (one for seat in self.seats for one in (seat.user_id, seat.invited_id))
        return user is not None and (user == self.creator_id or user in people)

    def has_strangers_to(self, user: UUID | None) -> bool:
        """Whether this user looks on at people, who may hide."""
        return not self.concerns(user) and any(s.user_id or s.invited_id for s in self.seats)

    @cached_property
    def withholds(self) -> bool:
        """Whether somebody's name is kept from the reader (``selectors.withheld``)."""
        return False

    def is_delayed_for(self, user: UUID | None) -> bool:
        """Whether this user looks on, and sees what happened some plies ago."""
        return bool(self.watch_delay) and self.status == "active" and not self.seats_of(user)

    def acting_seat(self, user: UUID | None) -> int | None:
        """The seat that an answer to a user is for, and a move without a seat.

        The first of the user's seats that is to act, before those for which a bot is; if none is
        the user's first. ``None`` for a spectator.
        """
        own = self.seats_of(user)
        acting = [seat for seat in own if seat in self.to_act]
        in_person = [seat for seat in acting if not self.bot_in_control(seat)]
        return next(iter(in_person or acting or own), None)

    def is_invited(self, user: UUID | None) -> bool:
        """Whether an invitation waits for this person's answer."""
        return any(seat.awaits(user) for seat in self.seats)

    def is_visible_to(self, user: UUID | None) -> bool:
        return (
            self.visibility != "private"
            or (self.creator_id == user and not self._is_kept_from_its_host)
            or bool(self.seats_of(user))
            or self.is_invited(user)
        )

    @property
    def _is_kept_from_its_host(self) -> bool:
        """A host without a seat may play the same deal at another table."""
        return self.is_mirrored and self.started_at is not None

    def bot_in_control(self, seat: int) -> str | None:
        """The bot that moves for a seat now, ``None`` for a person."""
        if not self.is_playable:
            return self.seats[seat].stand_in or self.seats[seat].bot or None
        return bot_in_control(self.rules, self.seats[seat], self.state)

    @property
    def people_to_act(self) -> list[int]:
        """The seats to act that a person moves."""
        return [seat for seat in self.to_act if not self.bot_in_control(seat)]

    @property
    def awaits_bot(self) -> bool:
        return len(self.people_to_act) < len(self.to_act)

    def may_be_aborted_by(self, user: UUID | None) -> bool:
        """Whether this user opened a match that is still on and that no other person sat in.

        Bots alone, or the creator alone against bots before the second round.
        """
        if self.is_over or self.creator_id != user:
            return False
        if self.is_mirrored and self.started_at is not None:
            return False  # it would undo the others that are mirrored with it
        own = [seat.user_id == user and seat.kind == "user" for seat in self.seats if seat.user_id]
        return all(own) and (not own or self.round < 2)

    @property
    def has_people(self) -> bool:
        """Whether a person holds a seat: somebody waits for the bots of this match."""
        return has_people(self.seats)

    def next_deadline(self, since: Iterable[datetime]) -> datetime | None:
        """The first deadline of some people, by the times at which their choices began."""
        first = min(since, default=None)
        return first + timedelta(seconds=self.turn_seconds) if first and self.turn_seconds else None

    def advanced(
        self,
        progress: Progress,
        seats: Sequence[SeatSnapshot],
        *,
        state: State,
        outcome: Outcome | None = None,
        plans: int = 0,
    ) -> "MatchSnapshot":
        """The match after this progress; ``state`` and ``outcome`` are those of its JSON.

        Events that are decoded already are not decoded again.
        """
        # Where it ends, somebody may have loaded from it since it was read.
        has_loads = self.has_loads or progress.finished_at is not None
        lasting = astuple(self)[_PROGRESS:-3]
        values = [*astuple(progress), *lasting, plans, has_loads, tuple(seats)]
        match = MatchSnapshot(*values)
        decoded, before = match.__dict__, self.__dict__
        decoded.update((name, before[name]) for name in _LASTING if name in before)
        decoded["state"], decoded["outcome"] = state, outcome
        return match


_PROGRESS = len(Progress.__struct_fields__)
_LASTING = ("rules", "options", "sides", "loaded", "names", "withholds")
