"""What happened in the last plies, as the viewer may know it, in words."""

from functools import cached_property
from itertools import islice
from typing import Final

from cardroom.rules.values import Event
from games.language import speaker
from games.matches.models import Notice, Round
from games.matches.selectors.lists import notices_of, rounds_of
from games.matches.selectors.log import LogEntry, events_for, log_entries
from games.web.parts.table_page.viewed import ViewedMatch

SENTENCES_SHOWN: Final = 12


class MatchEvents(ViewedMatch):
    """The log of the match for this viewer."""

    @cached_property
    def recent_entries(self) -> list[LogEntry]:
        """The log of the last plies, oldest first."""
        return self._read_log(after=self.match.version - self.plies_read)

    @cached_property
    def recent_events(self) -> list[Event]:
        """The events of the last plies, oldest first, as the viewer may know them."""
        match, reader = self.match, self.reader
        return [
            event for entry in self.recent_entries for event in events_for(match, entry, reader)
        ]

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
        sentences = map(self._sentence, reversed(self.recent_events))
        return list(islice(filter(None, sentences), SENTENCES_SHOWN))

    @cached_property
    def read_aloud(self) -> str:
        """What mattered in the last ply in which something did."""
        match, reader = self.match, self.reader
        for entry in reversed(self.recent_entries):
            events = events_for(match, entry, reader)
            loud = [event for event in events if not isinstance(event, match.rules.quiet_events)]
            if loud:
                return " ".join(filter(None, map(self._sentence, loud)))
        return self.news[0] if self.news else ""

    def _sentence(self, event: Event) -> str:
        """In the reader's language; what they did themselves is told to them."""
        you = None if self.is_shared else self.reader
        return speaker()(self.match.rules.sentence(event, self.match.names, you))

    @cached_property
    def notices(self) -> list[Notice]:
        """What operators told the players, newest first."""
        return list(notices_of(self.match))

    @cached_property
    def rounds(self) -> list[Round]:
        """Those that were opened up to this version; others may be there by now."""
        return [r for r in rounds_of(self.match) if r.opening_version <= self.match.version]

    @property
    def moved(self) -> int:
        """The version that the viewer's own move led to, as far as the last plies tell; else 0.

        Giving up is no move, by the player, the clock or an operator.
        """
        own = self.own_seats
        if any(self.match.bot_in_control(seat) for seat in own if self.match.status == "active"):
            return 0
        given_up = {seat.resigned_at for seat in self.match.seats}
        versions = (entry.version for entry in self.recent_entries if entry.seat in own)
        return max((version for version in versions if version not in given_up), default=0)

    @property
    def moved_in_person(self) -> int:
        """The same where it is certain: the clock may have moved for the viewer instead."""
        return 0 if self.on_timeout == "bot_move" else self.moved
