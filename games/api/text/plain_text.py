"""Answers as plain text, for people with a terminal or a screen reader: ``Accept: text/plain``.

A match is described in full: the seats, what the reader may know of the table, and the legal moves
with the token that ``POST matches/<id>/moves`` takes. Cards in a row stand in brackets.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import singledispatch
from typing import Any, Final

import msgspec
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from msgspec import UnsetType
from rest_framework.renderers import BaseRenderer

from games.api.schemas.catalog import GameJson
from games.api.schemas.match_requests import ClockTerms
from games.api.schemas.matches import Match, MatchList, SeatJson
from games.api.schemas.moves import Events
from games.api.schemas.people import ScoreJson, UserProfile
from games.api.schemas.programs.challenges import Challenge, ChallengeList
from games.api.schemas.rematches import RematchJson
from games.api.schemas.seeks import SeekJson, SeekList
from games.api.schemas.tournaments import TournamentJson, TournamentList, TournamentResults
from games.api.text.table_drawing import CARD, drawing
from games.language import card_text, words
from games.lobby.paces import clock_pace, find_pace, is_pace
from games.matches import time_bank
from games.rules import catalog
from games.rules.game import AnyGame
from games.rules.values import Resigned, RolledBack

SHOWN_ELSEWHERE: Final = frozenset({"seat", "to_act", "legal_moves", "options", "phase"})
Answer = (
    Match
    | MatchList
    | Events
    | Challenge
    | ChallengeList
    | RematchJson
    | SeekJson
    | SeekList
    | TournamentJson
    | TournamentList
    | TournamentResults
    | UserProfile
    | list[GameJson]
)


class PlainText(BaseRenderer):
    """Renders the answers for which ``lines_of`` is registered."""

    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"

    def render(
        self,
        data: Any,
        _accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> str:
        names = getattr((renderer_context or {}).get("view"), "names", ())
        return "\n".join((*lines_of(data, names), ""))


@singledispatch
def lines_of(data: Any, _names: Sequence[str]) -> Iterable[str]:
    raise TypeError(f"{type(data).__name__} has no plain text.")


@lines_of.register
def _(match: Match, _names: Sequence[str]) -> Iterator[str]:
    game = catalog.find(match.game)
    headline = gettext("{game}, round {round}, version {version}, {status}")
    yield headline.format(
        game=gettext(game.name),
        round=match.round,
        version=match.version,
        status=gettext(match.status),
    )
    yield gettext("Match {id}").format(id=match.id)
    yield ""
    yield from (_seat_line(seat, match) for seat in match.seats)
    if match.view is not None:
        yield ""
        yield from drawing(match)
        yield ""
        yield from _fact_lines(match.view)
    yield ""
    yield from _wish_lines(match)
    yield from _ending_lines(match) if match.outcome else _move_lines(match)


@lines_of.register
def _(page: MatchList, _names: Sequence[str]) -> Iterator[str]:
    for match in page.results:
        names = ", ".join(seat.name or gettext("(open)") for seat in match.seats)
        yours = " " + gettext("Your turn.") if {*match.your_seats} & {*match.to_act} else ""
        yield f"{match.id}  {match.game}, {gettext(match.status)}: {names}.{yours}"
    if not page.results:
        yield gettext("No matches.")
    if page.next:
        yield gettext("More: {address}").format(address=page.next)


@lines_of.register
def _(page: Events, names: Sequence[str]) -> Iterator[str]:
    game = catalog.find(page.game)
    for event in page.events:
        yield f"{event['version']:>4}  {_sentence(game, event, names)}"
    yield gettext("The match is at version {version}.").format(version=page.version)


@lines_of.register
def _(seek: SeekJson, _names: Sequence[str]) -> Iterator[str]:
    yield _seek_line(seek)


@lines_of.register
def _(challenge: Challenge, _names: Sequence[str]) -> Iterator[str]:
    yield _challenge_line(challenge)


@lines_of.register
def _(challenges: ChallengeList, _names: Sequence[str]) -> Iterator[str]:
    yield from map(_challenge_line, [*challenges.received, *challenges.sent])
    if not challenges.received and not challenges.sent:
        yield gettext("No challenges.")


@lines_of.register
def _(tournament: TournamentJson, _names: Sequence[str]) -> Iterator[str]:
    yield _tournament_line(tournament)
    if tournament.your_match is not None:
        yield gettext("Match {id}").format(id=tournament.your_match)


@lines_of.register
def _(tournament_list: TournamentList, _names: Sequence[str]) -> Iterator[str]:
    yield from map(_tournament_line, tournament_list.results)
    if not tournament_list.results:
        yield gettext("No tournaments.")


@lines_of.register
def _(results: TournamentResults, _names: Sequence[str]) -> Iterator[str]:
    names = {player.number: player.name for player in results.players}
    yield f"{results.tournament}  {results.name}: {gettext(results.status)}."
    for line in results.standings:
        yield f"{line.place}. {names[line.number]}: {line.points:g}"
    for board in results.boards:
        other = "-" if board.second is None else names[board.second]
        points = "" if board.points is None else ":".join(f"{each:g}" for each in board.points)
        yield f"{board.round}.{board.board}  {names[board.first]} - {other}  {points}".rstrip()


@lines_of.register
def _(seek_list: SeekList, _names: Sequence[str]) -> Iterator[str]:
    yield from map(_seek_line, seek_list.results)
    if not seek_list.results:
        yield gettext("No seeks.")
    for queue in seek_list.queues:
        pace = _pace_words(queue.pace, queue.clock)
        yield f"  {queue.game}, {pace}: {_waiting_words(queue.waiting, queue.seconds)}"


@lines_of.register
def _(profile: UserProfile, _names: Sequence[str]) -> Iterator[str]:
    since = gettext("here since {day}").format(day=profile.member_since)
    yield f"{profile.display_name} ({profile.username}), {since}"
    for game in profile.results:
        yield f"  {game.game}, {gettext('Against people')}: {_score(game.people)}"
        yield f"  {game.game}, {gettext('Against computers')}: {_score(game.computers)}"
    for curve in profile.ratings:
        yield f"  {curve.game}, {gettext('rating {n}').format(n=round(curve.points[-1].rating))}"
    against = gettext("You against {name}").format(name=profile.display_name)
    for met in profile.against_you:
        yield f"  {met.game}, {against}: {_score(met.score)}"
    for series in profile.series:
        yield f"  {series.game}, {series.opponent}: {series.own} : {series.other}"


def _score(score: ScoreJson) -> str:
    counts = [
        ngettext("{n} won", "{n} won", score.won).format(n=score.won),
        ngettext("{n} drawn", "{n} drawn", score.drawn).format(n=score.drawn),
        ngettext("{n} lost", "{n} lost", score.lost).format(n=score.lost),
    ]
    return ", ".join(counts)


@lines_of.register
def _(rematch: RematchJson, names: Sequence[str]) -> Iterator[str]:
    if rematch.match is None:
        yield gettext("Nobody wants a rematch.")
    else:
        yield gettext("Rematch {id}: {status}").format(
            id=rematch.match, status=gettext(rematch.status or "")
        )
    for label, seats in (
        (gettext("want it"), rematch.wants),
        (gettext("not answered"), rematch.awaited),
        (gettext("said no"), rematch.declined),
    ):
        if seats:
            yield f"  {label:<14} {', '.join(names[seat] for seat in seats)}"
    if rematch.series is not None:
        wins = zip(names, rematch.series.wins, strict=True)
        score = ", ".join(f"{name} {won}" for name, won in wins)
        yield gettext("Series: {score}").format(score=score)


@lines_of.register(list)
def _(games: list[GameJson], _names: Sequence[str]) -> Iterator[str]:
    for game in games:
        seats = gettext("{least} to {most}").format(least=game.seats.min, most=game.seats.max)
        bots = ", ".join(bot.slug for bot in game.bots)
        yield f"{game.slug}: {gettext(game.name)}. {gettext(game.summary)}"
        yield f"  {gettext('seats'):<10} {seats}"
        yield f"  {gettext('presets'):<10} {', '.join(game.presets) or gettext('none')}"
        yield f"  {gettext('bots'):<10} {bots}"
        yield f"  {gettext('rules'):<10} {game.rules_url}"


def _wish_lines(match: Match) -> Iterator[str]:
    """What became of the wish to take a round back."""
    wish = match.take_back
    if wish is None:
        return
    values = {"name": match.seats[wish.seat].name, "round": wish.round, "version": wish.version}
    if wish.status == "waiting":
        line = gettext("{name} asks to take round {round} back, at version {version}.")
    elif wish.status == "accepted":
        line = gettext("Round {round} was taken back.")
    elif wish.status == "declined":
        line = gettext("{name} asked to take round {round} back; that was declined.")
    else:
        return
    yield line.format(**values)


def _tournament_line(row: TournamentJson) -> str:
    at = row.starts_at.strftime("%Y-%m-%d %H:%M UTC")
    pace = _pace_words(row.pace, row.clock)
    facts = f"{row.game}, {row.form.replace('_', ' ')}, {pace}, {row.players}/{row.most}, {at}"
    return f"{row.id}  {row.name} ({facts}): {gettext(row.status)}."


def _challenge_line(challenge: Challenge) -> str:
    line = gettext("{challenger} challenges {challenged}").format(
        challenger=challenge.challenger.name, challenged=challenge.challenged.name
    )
    return f"{challenge.id}  {line}: {challenge.game}, {gettext(challenge.status)}."


def _seek_line(seek: SeekJson) -> str:
    pace = _pace_words(seek.pace, seek.clock)
    line = f"{seek.id}  {seek.game}, {pace}: {gettext(seek.ending or seek.status)}."
    if seek.match is not None:
        return f"{line} " + gettext("Match {id}").format(id=seek.match)
    return f"{line} " + _waiting_words(seek.waiting, seek.seconds)


def _pace_words(pace: str, clock: ClockTerms | UnsetType) -> str:
    if clock:
        return words(clock_pace(clock.clock).name)
    return words(find_pace(pace).name) if is_pace(pace) else pace


def _waiting_words(waiting: int, seconds: int | None) -> str:
    line = ngettext("{n} waits.", "{n} wait.", waiting).format(n=waiting)
    if seconds is None:
        return line
    return f"{line} " + gettext("Lately it took {n} s.").format(n=seconds)


def _seat_line(seat: SeatJson, match: Match) -> str:
    notes = [
        note
        for note, holds in (
            (gettext("you"), seat.is_you),
            (gettext("to move"), seat.index in match.to_act),
            (gettext("resigned"), seat.resigned),
            (gettext("place {n}").format(n=seat.place), seat.place is not None),
        )
        if holds
    ] + _clock_notes(seat, match)
    name = seat.name or gettext("(open)")
    place = gettext("seat {n}").format(n=seat.index)
    return f"  {place}  {name:<16} {seat.points:>4}  {', '.join(notes)}".rstrip()


def _clock_notes(seat: SeatJson, match: Match) -> list[str]:
    """What is left in the seat's bank of time."""
    if match.clock is None or not match.clock.seats:
        return []
    bank = match.clock.seats[seat.index]
    if bank is None:
        return []
    left = (bank.until - timezone.now()).total_seconds() if bank.until else bank.seconds
    return [gettext("{left} left").format(left=time_bank.shown(max(0, left)))]


def _fact_lines(view: msgspec.Struct) -> Iterator[str]:
    for name in view.__struct_fields__:
        if name not in SHOWN_ELSEWHERE:
            value = msgspec.to_builtins(getattr(view, name))
            yield f"  {_in_words(name):<20} {_text(value)}"


def _in_words(name: str) -> str:
    return gettext(name.replace("_", " "))


def _text(value: Any) -> str:
    match value:
        case None:
            return gettext("none")
        case bool():
            return gettext("yes") if value else gettext("no")
        case str():
            return f"[{card_text(value)}]" if CARD.fullmatch(value) else value
        case dict():
            return "; ".join(
                f"{gettext(key.replace('_', ' '))} {_text(one)}" for key, one in value.items()
            )
        case list() | tuple() if any(isinstance(one, dict | list | tuple) for one in value):
            return " | ".join(map(_text, value))
        case list() | tuple():
            return " ".join(map(_text, value)) or gettext("none")
    return str(value)


def _move_lines(match: Match) -> Iterator[str]:
    if not match.legal_moves:
        yield gettext("It is not your turn.")
        return
    yield gettext("Your moves at version {version}:").format(version=match.version)
    for legal in match.legal_moves:
        yield f"  {legal.move:<12} {legal.label}"


def _ending_lines(match: Match) -> Iterator[str]:
    if match.outcome is not None:
        winners = [match.seats[seat].name for seat in match.outcome.winners]
        ending = gettext("Over ({reason}). Won by {winners}.")
        yield ending.format(
            reason=_in_words(match.outcome.reason),
            winners=", ".join(winners) or gettext("nobody"),
        )


def _sentence(game: AnyGame, event: Mapping[str, Any], names: Sequence[str]) -> str:
    own = {name: value for name, value in event.items() if name not in ("version", "by", "move")}
    return words(game.sentence(msgspec.convert(own, game.events | Resigned | RolledBack), names))
