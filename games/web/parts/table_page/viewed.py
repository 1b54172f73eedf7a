"""A match as one viewer sees it: whose knowledge is shown, whose turn it is, how long it lasts."""

from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat
from typing import Final
from uuid import UUID

from django.utils.translation import ngettext

from accounts.models import User
from cardroom.rules.values import View
from games.language import speaker, words
from games.lobby.paces import clock_pace
from games.matches.selectors.secrecy import is_only_person
from games.matches.snapshot import MatchSnapshot
from games.web.parts.table_page.panels import MoveButton

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

    @property
    def reader(self) -> int | None:
        """The seat whose knowledge the page shows, ``None`` for what everybody may know."""
        return None if self.hidden else self.seat

    @property
    def is_opening(self) -> bool:
        """Nothing of the match was seen yet: the first deal is shown, too."""
        return self.unseen > self.match.version

    @property
    def own_seats(self) -> tuple[int, ...]:
        return self.match.seats_of(self.user)

    @property
    def is_shared(self) -> bool:
        """Several people play at this device, so hands are hidden between turns."""
        return len(self.own_seats) > 1

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

    @property
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

    @property
    def waits_for(self) -> str:
        """Whose move the page watches for: ``bots``, ``others``, ``you``; empty when over."""
        if self.match.is_over:
            return ""
        if self.waits_for_bots:
            return "bots"
        only_you = self.is_your_turn and len(self.match.to_act) == 1
        return "you" if only_you or self.hidden else "others"

    @property
    def on_timeout(self) -> str | None:
        """What happens when the time for a move is up; ``None`` where moves have no limit."""
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

    @property
    def is_solo(self) -> bool:
        """No other person plays, so the same cards may be played on."""
        return is_only_person(self.match, self.user)

    @property
    def changed(self) -> int:
        """When the match changed last, in microseconds; joining, which is no move, changes it."""
        return int(self.match.updated_at.timestamp() * 1_000_000)

    def name_of(self, user: UUID) -> str:
        """What a person is called at this table."""
        seats = self.match.seats_of(user)
        return self.match.names[seats[0]] if seats else User.objects.get(id=user).display_name

    @property
    def host(self) -> str | None:
        """The person who invited the viewer to this match."""
        invited = self.match.status == "open" and self.match.is_invited(self.user)
        return self.name_of(self.match.creator_id) if invited else None
