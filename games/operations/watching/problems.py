"""The troubles of a running match, in sentences for operators."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec

from games.absent import GameNotInstalled
from games.idle.selectors import absent_seats
from games.matches.snapshot import MatchSnapshot
from games.operations.refereeing.case import bots_not_installed, seats_to_give_back

BOT_IS_LATE = timedelta(seconds=10)
STALLED = timedelta(days=1)


class Trouble(msgspec.Struct, frozen=True):
    """``act`` is the slug of the act that may repair it."""

    sentence: str
    act: str = ""
    is_grave: bool = False


def troubles_of(match: MatchSnapshot, now: datetime) -> Iterator[Trouble]:
    if match.status != "active":
        return
    if not match.is_playable:
        yield Trouble(f"{GameNotInstalled.sentence()} Install it, or abort the match.")
        return
    people = ", ".join(match.names[seat] for seat in match.people_to_act)
    late = f"The time of {people}" if people else "The time"
    quiet = now - match.updated_at
    yield from _of_computers(match, now)
    if match.deadline_at is not None and match.deadline_at < now:
        since = span(now - match.deadline_at)
        yield Trouble(f"{late} ended {since} ago.", "change-deadline", True)
    if people and quiet > STALLED:
        yield Trouble(f"Nobody has moved for {span(quiet)}; {people} is to act.", "hand-to-bot")
    if absent := absent_seats(match, now):
        names = ", ".join(match.names[seat] for seat in absent)
        yield Trouble(f"{names} may be counted as gone: the others may claim or call off.")
    for seat in seats_to_give_back(match):
        sentence = f"{match.seats[seat].stand_in} plays {match.names[seat]}'s seat."
        yield Trouble(sentence, "give-back")


def _of_computers(match: MatchSnapshot, now: datetime) -> Iterator[Trouble]:
    """One that is not installed cannot move before it is, or is replaced."""
    gone = bots_not_installed(match)
    for seat, slug in gone.items():
        sentence = f"The computer {slug!r} of seat {seat} is not installed here."
        yield Trouble(sentence, "hand-to-bot", is_grave=True)
    if gone:
        return
    if match.bot_due_at is not None and now - match.bot_due_at > BOT_IS_LATE:
        bots = [match.names[s] for s in match.to_act if s not in match.people_to_act]
        since = span(now - match.bot_due_at)
        yield Trouble(f"{', '.join(bots)} should have moved {since} ago.", "pay-bot-turn", True)
    elif match.awaits_bot and match.bot_due_at is None:
        yield Trouble("A bot is to act and no turn is scheduled for it.", "pay-bot-turn", True)


def span(time: timedelta) -> str:
    """A time in the one or two largest units: ``3 d 4 h``, ``12 s``."""
    seconds = max(0, int(time.total_seconds()))
    parts = []
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min"), (1, "s")):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2]) or "0 s"
