"""What the house's computers make of a deal, on the person's seat, once it is revealed.

Before, nobody plays it: no figure of a running day exists that could be read.

A long duty, in pieces: a match pauses between two moves, and what it has come to is kept in the row
of its computer. A search that is not compiled has as many playouts as a piece has time for, so no
move takes longer; a computer that fails three times at a deal is set aside.
"""

from collections.abc import Iterator
from random import Random
from time import monotonic
from typing import Any, Final

import msgspec

from cardroom.arena import compiled_code
from cardroom.arena.playouts import MatchInPlay, PausedMatch
from cardroom.rules import catalog
from cardroom.rules.bot import RANDOM, Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import Sealed
from cardroom.rules.values import Setup
from config.tasks import rows
from config.tasks.duties import Duty
from games.daily.models import ComputerScores, DailyDeal
from games.daily.scores import score
from games.daily.selectors import ONE_DAY, today

MATCHES: Final = 50  # of each computer
NAME: Final = "daily computers"
SECONDS: Final = 1.0  # of a piece: what else waits in the queue gets its turns
PLAIN_SHARE: Final = 10  # so many times fewer playouts where a search is not compiled
PLAIN_MILLISECONDS: Final = 5  # and no more of a move than compiled code makes in this time
LATELY: Final = 7 * ONE_DAY


def house_levels(game: AnyGame) -> list[Bot[Any]]:
    return [bot for bot in game.bots if bot.rated and bot is not RANDOM]


class Paused(msgspec.Struct, frozen=True):
    """The match in which a computer stopped, between two moves, with its chance as it stands."""

    match: PausedMatch
    used: int  # decks of the deal
    chance: tuple[int, tuple[int, ...], float | None]


def play_revealed(seconds: float = SECONDS) -> int:
    """Plays what is missing for about so long; how many matches came to their end."""
    until = rows.until(seconds)
    return sum(
        rows.each(NAME, list(_missing()), lambda one: _play(*one, until), key=_name, gives_up=True)
    )


def _name(missing: tuple[DailyDeal, Bot[Any]]) -> str:
    return f"{missing[0].pk} {missing[1].slug}"


def _play(daily: DailyDeal, bot: Bot[Any], until: float) -> int:
    """Plays for one computer until then, one move at least; how many matches came to their end."""
    row, _ = ComputerScores.objects.get_or_create(daily=daily, bot=bot.slug)
    before, paused = len(row.scores), _decoded(row.paused)
    while len(row.scores) < MATCHES:
        played = _play_on(daily, bot, len(row.scores), until, paused)
        paused = played if isinstance(played, Paused) else None
        if not isinstance(played, Paused):
            row.scores.append(played)
        if monotonic() > until:
            rows.more()
            break
    # Only where no other process has added to it meanwhile.
    ComputerScores.objects.filter(pk=row.pk, scores__len=before).update(
        scores=row.scores, paused=msgspec.json.encode(paused) if paused else None
    )
    return len(row.scores) - before


def _decoded(data: bytes | memoryview | None) -> Paused | None:
    """None if another release wrote it in another form: the match begins again."""
    try:
        return msgspec.json.decode(bytes(data), type=Paused) if data else None
    except msgspec.ValidationError:
        return None


def _missing() -> Iterator[tuple[DailyDeal, Bot[Any]]]:
    revealed = DailyDeal.objects.filter(
        day__gte=today() - LATELY, deal__revealed_at__isnull=False
    ).select_related("deal")
    for daily in revealed:
        played = {row.bot: len(row.scores) for row in daily.computers.all()}
        for bot in house_levels(catalog.find(daily.game)):
            if played.get(bot.slug, 0) < MATCHES:
                yield daily, bot


def in_time(game: AnyGame, bot: Bot[Any]) -> Bot[Any]:
    """The compiled form, or one that makes a move within a piece in plain Python too."""
    quick = compiled_code.quick(game, bot)
    if quick is bot and bot.search is not None and bot.cost == "slow":
        search = bot.search
        most = min(search.playouts // PLAIN_SHARE, int(search.playouts_a_ms * PLAIN_MILLISECONDS))
        return search.tuned(bot, bot.slug, max(1, most))
    return quick


def _play_on(
    daily: DailyDeal, bot: Bot[Any], number: int, until: float, paused: Paused | None
) -> int | Paused:
    """The same deal again; only the choices of the computers differ. The score, or where it is."""
    game = catalog.find(daily.game)
    options = game.decode_options(bytes(daily.options))
    bots = [in_time(game, each) for each in (bot, *map(game.bot, daily.bots))]
    shuffle = Sealed(bytes(daily.deal.seed), paused.used if paused else 0)
    chance = Random(f"{daily.pk} {bot.slug} {number}")
    match = MatchInPlay(game, bots, shuffle, chance)
    if paused is None:
        setups = [game.complete_setup(options, Setup(one.name, one.slug)) for one in bots]
        match.begin(options, setups)
    else:
        chance.setstate(paused.chance)
        match.resume(paused.match)
    played = match.play(lambda: monotonic() > until)
    if played is None:
        return Paused(match.paused(), shuffle.used, chance.getstate())
    return score(game, options, played.outcome)


COMPUTERS: Final = Duty(
    name=NAME,
    kind="long",
    piece=play_revealed,
    due="""
SELECT NULL::timestamptz, d.id || ' ' || c.bot FROM daily_dailydeal d
JOIN games_shareddeal s ON s.id = d.deal_id
CROSS JOIN unnest(%(daily_games)s::text[], %(daily_bots)s::text[]) AS c(game, bot)
WHERE d.day >= (%(now)s AT TIME ZONE 'UTC')::date - 7 AND s.revealed_at IS NOT NULL
    AND d.game = c.game AND NOT EXISTS (SELECT FROM daily_computerscores x
        WHERE x.daily_id = d.id AND x.bot = c.bot AND cardinality(x.scores) >= 50)""",
)


def duty_values() -> dict[str, Any]:
    """The computers that play deals, for the condition of the duty."""
    pairs = [(game.slug, bot.slug) for game in catalog.GAMES for bot in house_levels(game)]
    return {"daily_games": [game for game, _ in pairs], "daily_bots": [bot for _, bot in pairs]}
