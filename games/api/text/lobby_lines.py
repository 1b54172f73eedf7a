"""What people find each other by, in lines: games, seeks, challenges, tournaments, profiles."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext, ngettext
from msgspec import UnsetType

from games.api.schemas.catalog import GameJson
from games.api.schemas.match_requests import ClockTerms
from games.api.schemas.people import ScoreJson, UserProfile
from games.api.schemas.programs.challenges import Challenge, ChallengeList
from games.api.schemas.rematches import RematchJson
from games.api.schemas.seeks import SeekJson, SeekList
from games.api.schemas.tournaments import TournamentJson, TournamentList, TournamentResults
from games.api.text.lines import lines_of
from games.language import words
from games.lobby.paces import clock_pace, find_pace, is_pace


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


def _tournament_line(row: TournamentJson) -> str:
    at = row.starts_at.strftime("%Y-%m-%d %H:%M UTC")
    pace = _pace_words(row.pace, row.clock)
    form = row.form.replace("_", " ") + (", mirrored" if row.mirrored else "")
    facts = f"{row.game}, {form}, {pace}, {row.players}/{row.most}, {at}"
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
