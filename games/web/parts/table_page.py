"""A table page as one viewer sees it: names, view, moves, the last events in words."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from itertools import chain, islice, repeat
from math import ceil
from typing import Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import User
from accounts.notifications.choices import choices_of
from accounts.social.selectors import usernames_seen_by
from cardroom.rules.text import Words, named_for
from cardroom.rules.values import Event, View
from games.guests import name_for
from games.language import speaker, words
from games.matches import time_bank
from games.matches.models import Notice, Round
from games.matches.resting import SeatResting, resting_at
from games.matches.seats import is_free_for, is_kept_away
from games.matches.selectors.lists import notices_of, rounds_of
from games.matches.selectors.log import LogEntry, events_for, log_entries
from games.matches.selectors.secrecy import is_only_person, may_sit
from games.matches.snapshot import MatchSnapshot, SeatSnapshot
from games.matches.time_bank import clock_pace

# Parts of a table page: the buttons of the moves, and each seat with its bank of time.


@dataclass(frozen=True)
class MoveButton:
    """A legal move, what its button says, and the key that presses it."""

    move: str
    label: str
    key: str = ""


@dataclass(frozen=True)
class SeatBank:
    """Time left in a seat's bank, in seconds; where it runs, when it is empty."""

    seconds: float
    until: datetime | None
    shown: str

    @property
    def whole(self) -> int:
        """The seconds that the ring around the face counts as full."""
        return ceil(self.seconds)


@dataclass(frozen=True)
class SeatPanel:
    """A seat as the page shows it; ``team`` counts from 1 where several seats win together."""

    seat: SeatSnapshot
    name: str
    is_you: bool
    is_acting: bool
    is_winner: bool
    bank: SeatBank | None = None
    is_free_for_reader: bool = False
    team: int | None = None
    is_partner: bool = False

    @cached_property
    def index(self) -> int:
        return self.seat.index

    @property
    def bot(self) -> str | None:
        """The strategy whose face the seat has; ``None`` for a person, also while a bot plays."""
        return self.seat.bot if self.seat.kind == "bot" else None


def bank_of(match: MatchSnapshot, seat: int) -> SeatBank | None:
    banks = match.banks
    left = banks.left[seat] if banks and banks.left else None
    if banks is None or left is None:
        return None
    if match.deadline_at is None:
        banks = banks.stopped()
    text = time_bank.shown(banks.seconds_left(seat, timezone.now()) or 0)
    return SeatBank(left / 1000, banks.until[seat], text)


# A match as one viewer sees it: whose knowledge is shown, whose turn it is, how long it lasts.

PLIES_READ: Final = 12


@dataclass(frozen=True)
class ViewedMatch:
    """``seat`` is the viewer's seat whose hand lies open, ``None`` for a spectator.

    ``hidden`` is set at a shared device until its player confirms to be there: only what a
    spectator sees is shown. ``plies_read``: how many of the last plies the page looks at.
    ``wants_hints``: the viewer has not sent away the lines for beginners. ``unseen``: how many of
    the plies read came after the page that the viewer looks at, if it is only brought up to date.
    """

    match: MatchSnapshot
    user: UUID | None
    seat: int | None
    hidden: bool = False
    plies_read: int = PLIES_READ
    wants_hints: bool = False
    unseen: int = 0

    @cached_property
    def reader(self) -> int | None:
        """The seat whose knowledge the page shows, ``None`` for what everybody may know."""
        return None if self.hidden else self.seat

    @property
    def is_opening(self) -> bool:
        """Nothing of the match was seen yet: the first deal is shown, too."""
        return self.unseen > self.match.version

    @cached_property
    def own_seats(self) -> tuple[int, ...]:
        return self.match.seats_of(self.user)

    @cached_property
    def is_shared(self) -> bool:
        """Several people play at this device, so hands are hidden between turns."""
        return len(self.own_seats) > 1

    @cached_property
    def is_host(self) -> bool:
        return self.user is not None and self.user == self.match.creator_id

    @property
    def may_be_kept(self) -> bool:
        """Whether the reader's browser may show it without a connection: it is one person's."""
        return self.seat is not None and len(self.own_seats) == 1

    @cached_property
    def view(self) -> View | None:
        if self.match.state_json is None or self.match.status == "open":
            return None
        view: View = self.match.rules.view(self.match.state, self.reader)
        return view

    @cached_property
    def is_your_turn(self) -> bool:
        """The viewer is to act in person: no bot moves for the seat, and its hand is open."""
        if self.hidden or self.seat is None or self.seat not in self.match.to_act:
            return False
        return self.match.bot_in_control(self.seat) is None

    @cached_property
    def move_buttons(self) -> list[MoveButton]:
        if self.view is None or not self.is_your_turn:
            return []
        render, label = speaker(), self.match.rules.label
        keys = chain("123456789", repeat(""))
        pairs = zip(self.view.legal_moves, keys, strict=False)
        return [MoveButton(move, render(label(move)), key) for move, key in pairs]

    @property
    def waits_for_bots(self) -> bool:
        return self.match.bot_due_at is not None

    @cached_property
    def waits_for(self) -> str:
        """The movers that the page watches for: ``bots``, ``others``, ``you``; empty when over."""
        if self.match.is_over:
            return ""
        if self.waits_for_bots:
            return "bots"
        only_you = self.is_your_turn and len(self.match.to_act) == 1
        return "you" if only_you or self.hidden else "others"

    @cached_property
    def on_timeout(self) -> str | None:
        """The consequence of time that is up; ``None`` where moves have no limit."""
        return self.match.on_timeout if self.match.has_limit else None

    @property
    def limit_words(self) -> str:
        """The clock, or how long one has for a move; empty where nothing limits it."""
        match = self.match
        if match.banks is not None:
            return words(clock_pace(match.banks.terms).name)
        if match.turn_seconds is None:
            return ""
        seconds = match.turn_seconds
        return ngettext("{n} second a move", "{n} seconds a move", seconds).format(n=seconds)

    @cached_property
    def is_solo(self) -> bool:
        """No other person plays, so the same cards may be played on."""
        return is_only_person(self.match, self.user)

    @cached_property
    def changed(self) -> int:
        """The match's last change, in microseconds; joining, which is no move, changes it."""
        return int(self.match.updated_at.timestamp() * 1_000_000)

    def name_of(self, user: UUID) -> str:
        """The name of a person at this table."""
        seats = self.match.seats_of(user)
        return self.match.names[seats[0]] if seats else User.objects.get(id=user).display_name

    @property
    def host(self) -> str | None:
        """The person who invited the viewer to this match."""
        invited = self.match.status == "open" and self.match.is_invited(self.user)
        return self.name_of(self.match.creator_id) if invited else None


# Events of the last plies, as the viewer may know it, in words.

SENTENCES_SHOWN: Final = 12


class MatchEvents(ViewedMatch):
    """The log of the match for this viewer."""

    @cached_property
    def recent_entries(self) -> list[LogEntry]:
        """The log of the last plies, oldest first."""
        return self._read_log(after=self.match.version - self.plies_read)

    @cached_property
    def recent_plies(self) -> list[tuple[int, list[Event]]]:
        """The versions of the last plies, oldest first, with what the viewer may know of each."""
        match, reader = self.match, self.reader
        return [(entry.version, events_for(match, entry, reader)) for entry in self.recent_entries]

    @cached_property
    def recent_events(self) -> list[Event]:
        """The events of the last plies, oldest first, as the viewer may know them."""
        return [event for _, events in self.recent_plies for event in events]

    def entries_after(self, version: int) -> list[LogEntry]:
        """The log of the plies after ``version``; read only if it is not among the last plies."""
        if self.recent_entries and self.recent_entries[0].version <= version + 1:
            return [entry for entry in self.recent_entries if entry.version > version]
        return self._read_log(after=version)

    def _read_log(self, *, after: int) -> list[LogEntry]:
        return list(log_entries(self.match, after=max(-1, after), until=self.match.version))

    @cached_property
    def news(self) -> list[str]:
        """The last events in words, newest first."""
        sentences = map(self.narrated, reversed(self.recent_events))
        return list(islice(filter(None, sentences), SENTENCES_SHOWN))

    @cached_property
    def read_aloud(self) -> str:
        """Sentences of the last ply in which something mattered."""
        quiet = self.match.rules.quiet_events
        for _, events in reversed(self.recent_plies):
            loud = [event for event in events if not isinstance(event, quiet)]
            if loud:
                return " ".join(filter(None, map(self.narrated, loud)))
        return self.news[0] if self.news else ""

    def narrated(self, event: Event) -> str:
        """The event in the reader's language; their own acts are in the second person."""
        speak, sentences = self._telling
        if id(event) not in sentences:
            words = self.match.rules.sentence(event, self.match.names, self.you_told)
            sentences[id(event)] = speak(words)
        return sentences[id(event)]

    @cached_property
    def you_told(self) -> int | None:
        """The seat that sentences call *you*."""
        return None if self.is_shared else self.reader

    @cached_property
    def names_told(self) -> list[str]:
        return named_for(self.you_told, self.match.names)

    @cached_property
    def _telling(self) -> tuple[Callable[[Words], str], dict[int, str]]:
        """The renderer, and the sentences made."""
        return speaker(), {}

    @cached_property
    def notices(self) -> list[Notice]:
        """Notices of operators to the players, newest first."""
        return list(notices_of(self.match))

    @cached_property
    def rounds(self) -> list[Round]:
        """Rounds that were opened up to this version; others may be there by now."""
        return [r for r in rounds_of(self.match) if r.opening_version <= self.match.version]

    @cached_property
    def moved(self) -> int:
        """The version that the viewer's own move led to, as far as the last plies tell; else 0.

        Giving up is no move, by the player, the clock or an operator.
        """
        own = self.own_seats
        if any(self.match.bot_in_control(seat) for seat in own if self.match.status == "active"):
            return 0
        given_up = {seat.resigned_at for seat in self.match.seats}
        moved = [entry.version for entry in self.recent_entries if entry.seat in own]
        return max({*moved} - given_up, default=0)

    @property
    def moved_in_person(self) -> int:
        """The same where it is certain: the clock may have moved for the viewer instead."""
        return 0 if self.on_timeout == "bot_move" else self.moved


# The seats of the match, in the order in which the viewer sees them, and who sits there.


class MatchSeats(ViewedMatch):
    """The people at the table, and what the viewer may do about a seat."""

    @cached_property
    def seat_panels(self) -> list[SeatPanel]:
        outcome = self.match.outcome
        winners = outcome.winners if outcome else ()
        if len(winners) == len(self.match.seats):  # a draw, which nobody has won
            winners = ()
        teams = {seat: team for team, side in enumerate(self.match.sides, 1) for seat in side}
        if len(self.match.sides) == len(self.match.seats):
            teams = {}
        own = teams.get(self.seat) if self.seat is not None else None
        return [
            SeatPanel(
                seat=seat,
                name=name_for(seat, self.match.names[seat.index], self.match.seats, self.user),
                is_you=seat.index == self.seat,
                is_acting=seat.index in self.match.to_act,
                is_winner=seat.index in winners,
                bank=bank_of(self.match, seat.index),
                is_free_for_reader=seat.kind == "open" and self.is_free_for_reader(seat),
                team=(team := teams.get(seat.index)),
                is_partner=team is not None and team == own and seat.index != self.seat,
            )
            for seat in self.match.seats
        ]

    @cached_property
    def you(self) -> SeatPanel | None:
        return None if self.seat is None else self.seat_panels[self.seat]

    @cached_property
    def others(self) -> list[SeatPanel]:
        """The other seats in order of play, the one after the viewer's first."""
        first = 0 if self.seat is None else self.seat + 1
        ordered = self.seat_panels[first:] + self.seat_panels[:first]
        return [panel for panel in ordered if not panel.is_you]

    def is_free_for_reader(self, seat: SeatSnapshot) -> bool:
        """Whether it is anybody's, kept for the reader, or for friends and the reader is one."""
        if seat.awaits(self.user):
            return True
        is_free = is_free_for(seat, self.match.creator_id, self.user)
        return is_free and not self._is_kept_away

    @cached_property
    def _is_kept_away(self) -> bool:
        match = self.match
        return self.user is not None and is_kept_away(self.user, match.creator_id, match.seats)

    @cached_property
    def profiles(self) -> dict[int, str]:
        """The usernames, by seat, of the other people whose profiles the viewer may see.

        Of a guest and of a person who hides there is none, whatever the reason.
        """
        people = {seat.index: seat.user_id for seat in self.match.seats if seat.kind == "user"}
        others = {seat: id_ for seat, id_ in people.items() if id_ not in (None, self.user)}
        names = usernames_seen_by(self.user, others.values()) if others else {}
        return {seat: names[id_] for seat, id_ in others.items() if id_ in names}

    @cached_property
    def people_to_block(self) -> list[tuple[int | None, str]]:
        """Seat and name of every other person; the one who opened the match may have no seat."""
        user, match = self.user, self.match
        if user is None:
            return []
        people: dict[UUID, tuple[int | None, str]] = {}
        if match.creator_id != user and match.is_invited(user):
            people[match.creator_id] = (None, gettext("Who invited you"))
        for panel in self.seat_panels:
            if panel.seat.kind == "user" and panel.seat.user_id not in (None, user):
                people[panel.seat.user_id] = (panel.index, panel.name)
        return list(people.values())

    @property
    def seats_to_reclaim(self) -> list[SeatPanel]:
        """The viewer's seats that a bot plays since the time was up."""
        if self.match.status != "active":
            return []
        mine = (self.seat_panels[seat] for seat in self.own_seats)
        return [panel for panel in mine if panel.seat.may_be_reclaimed]

    @property
    def can_join(self) -> bool:
        if self.match.status != "open" or self.own_seats:
            return False
        free = [s for s in self.match.seats if s.kind == "open"]
        return any(self.is_free_for_reader(s) and self._may_sit(s.index) for s in free)

    def _may_sit(self, seat: int) -> bool:
        loaded = self.match.parent_id is not None
        return not loaded or may_sit(self.match.id, seat, self.user)

    @cached_property
    def rests(self) -> list[SeatResting]:
        """Seats whose clock stands still, as far as the viewer may know."""
        return resting_at(self.match, self.user)

    @cached_property
    def zone(self) -> str:
        """The viewer's time zone, where moments are shown."""
        return choices_of(self.user).time_zone if self.user else settings.CLUB["time_zone"]

    @property
    def can_give_time(self) -> bool:
        """Somebody else is to act against the clock."""
        waits = set(self.match.people_to_act) - set(self.own_seats) if self.own_seats else set()
        return bool(waits) and self.match.deadline_at is not None and self.on_timeout is not None

    @property
    def can_resign(self) -> bool:
        if self.match.status != "active" or self.hidden or self.seat is None:
            return False
        gone = self.match.rules.retired_seats(self.match.state)
        return self.seat not in gone and self.match.seats[self.seat].resigned_at is None

    @property
    def can_abort(self) -> bool:
        """A running match; an open one has a button of its own (leaving)."""
        return self.match.status == "active" and self.match.may_be_aborted_by(self.user)


class TablePage(MatchEvents, MatchSeats):
    """All that the page and its scene show of a match: the view, the events and the seats."""


def table_page(
    match: MatchSnapshot,
    user: UUID | None,
    *,
    present_seat: int | None = None,
    plies_read: int = PLIES_READ,
    wants_hints: bool = False,
    unseen: int = 0,
) -> TablePage:
    """The page of a viewer; at a shared device ``present_seat`` holds it now."""
    page = partial(TablePage, match, user, plies_read=max(plies_read, unseen), unseen=unseen)
    own = match.seats_of(user)
    seat = match.acting_seat(user)
    if len(own) > 1 and match.status == "active" and _has_secrets(match, own):
        if present_seat in own and (present_seat in match.to_act or seat not in match.to_act):
            return page(present_seat)
        return page(seat, hidden=True)
    return page(seat, wants_hints=wants_hints)


def _has_secrets(match: MatchSnapshot, own: tuple[int, ...]) -> bool:
    """Whether one of these seats sees more than a spectator does."""
    watched = match.rules.view(match.state, None)
    return any(_plain(match.rules.view(match.state, seat)) != _plain(watched) for seat in own)


def _plain(view: View) -> View:
    return msgspec.structs.replace(view, seat=None, legal_moves=())
