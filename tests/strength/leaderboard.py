"""`make leaderboard`: every computer against every other one, written into docs/leaderboard.md.

Page and shipped ratings are made of nothing but what this plays, so the same tree writes the same
page on any machine. `LEADERBOARD="pisti pazaak"` plays these games alone and leaves the others'
tables as they are; `LEADERBOARD=--changed` writes nothing and fails for games whose computers
choose otherwise than when they were rated. `JOBS` is the number of processes.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cardroom.arena import compiled_code
from cardroom.arena.figures import Figures, merge
from cardroom.arena.playouts import play_match
from cardroom.arena.ranking import pairings, ranking, ratings
from cardroom.arena.request import describe, parts_of, run_part, run_parts
from cardroom.arena.series import generator
from cardroom.arena.statistics import Interval
from cardroom.rules import catalog
from cardroom.rules.bot import RANDOM, Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Event, Move, Setup
from games.ratings.scale import SHIPPED, ShippedRating, ShippedRatings, shipped_ratings

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

PAGE = Path(__file__).resolve().parents[2] / "docs" / "leaderboard.md"
SEED = 1
# Matches of a pairing: by a kernel, by the rules, and with one that thinks for a while.
COMPILED, QUICK, SLOW = 2_000, 200, 30

# Matches in which choices are compared, of a computer that thinks for a while and of others.
FEW, MANY, FEW_PLAYOUTS = 2, 50, 32

HEAD = """# Leaderboard

Every computer of each game against every other one by the standard rules, two seats, every deal
from both seats, seed {seed}. A score is the share of matches won in percent, a draw counts half.
Ratings are by Bradley and Terry: the mean is 1500, and 400 more are ten wins to one; ranges are
95 % intervals. `make leaderboard` plays all of it again and writes this page. What each computer
must reach stands in [How strong the computers are](../cardroom/research/RESULTS.md).
"""


class Board(NamedTuple):
    """One game and how all pairings of its computers ended."""

    game: AnyGame
    results: Mapping[tuple[str, ...], Figures]

    @property
    def ratings(self) -> Mapping[str, Interval]:
        return ratings(self.results, SEED)

    def matches(self, bot: str) -> int:
        return sum(figures.matches for pair, figures in self.results.items() if bot in pair)


def board(game: AnyGame, jobs: int) -> Board:
    compiled_code.warm_searches(game.slug)  # else they would search in plain Python
    bots = [bot.slug for bot in game.bots]
    sides = len(game.sides_of(game.choose_options()))
    return Board(game, {pair: _played(game, pair, jobs) for pair in pairings(bots, sides)})


def _played(game: AnyGame, pair: tuple[str, ...], jobs: int) -> Figures:
    slow = any(game.bot(name).cost == "slow" for name in pair)
    matches = SLOW if slow else COMPILED if _has_kernel(game, pair) else QUICK
    request = describe(game.slug, bots=pair, games=matches, seed=SEED, swap=True)
    print(f"{game.slug}: {pair[0]} against {pair[1]}, {matches} matches", file=sys.stderr)
    done = run_parts(partial(run_part, request), parts_of(request), jobs)
    return merge(part for _, part in done)


def _has_kernel(game: AnyGame, pair: Sequence[str]) -> bool:
    kernel = compiled_code.kernel_of_game(game.slug)
    return kernel is not None and set(pair) <= set(kernel.policies)


def section(board: Board) -> str:
    """The heading and the table of a game."""
    rated = board.ratings
    by_bot = {row.bot: row for row in ranking(board.results)}
    names = list(rated)
    lines = [
        f"## {board.game.name}",
        "",
        f"| | rating | {' | '.join(f'against `{name}`' for name in names)} |",
        f"| --- | --- |{' --- |' * len(names)}",
    ]
    for name, rating in rated.items():
        met = (by_bot[name].against.get(other) for other in names)
        shares = " | ".join("" if share is None else f"{share.value * 100:.1f}" for share in met)
        interval = f"{rating.value:.0f} ({rating.low:.0f}–{rating.high:.0f})"
        lines.append(f"| `{name}` | {interval} | {shares} |")
    matches = sorted({figures.matches for figures in board.results.values()})
    played = " or ".join(f"{count:,}" for count in matches)
    return "\n".join([*lines, "", f"A pairing played {played} matches.", ""])


def sections(text: str) -> dict[str, str]:
    """The sections of a page by their headings."""
    return {
        part.splitlines()[0].removeprefix("## "): part
        for part in re.split(r"(?m)^(?=## )", text)[1:]
    }


def page(old: str, new: Sequence[Board]) -> str:
    known = sections(old) | {each.game.name: section(each) for each in new}
    named = (known[game.name].rstrip() for game in catalog.GAMES if game.name in known)
    return "\n\n".join([HEAD.format(seed=SEED).rstrip(), *named]) + "\n"


def chosen(names: Sequence[str]) -> Iterator[AnyGame]:
    """Games in which computers differ; where nobody decides anything there is nothing to rank."""
    for game in catalog.GAMES:
        if (not names or game.slug in names) and game.slug != "pyanitsa":
            yield game


def shipped(board: Board, at: datetime) -> ShippedRatings:
    """The ratings of a game's computers as a service shows them."""
    game, rated = board.game, board.ratings
    return ShippedRatings(
        rated_at=at,
        rules_version=game.rules_version,
        choices=choices_of(game),
        computers={
            name: ShippedRating(*map(round, (its.value, its.low, its.high)), board.matches(name))
            for name, its in rated.items()
            if game.bot(name).rated
        },
    )


def choices_of(game: AnyGame) -> str:
    """A hash of what a game's computers choose in some matches, and of how long they search.

    It stays as long as they play the same, wherever their code stands. Searches make few playouts
    here, in plain Python, so it takes seconds and is the same on any machine.
    """
    options, whole = game.choose_options(), sha256()
    setups = [Setup(f"Seat {n + 1}") for n in range(game.seats(options))]
    for bot in game.bots:
        search = bot.search
        whole.update(f"{bot.slug} {search.playouts if search else 0}\n".encode())
        quick = search.tuned(bot, bot.slug, FEW_PLAYOUTS) if search else bot
        for number in range(FEW if bot.cost == "slow" else MANY):
            other = RANDOM if number % 2 else _noted(quick, whole)
            bots = [_noted(quick, whole), *[other] * (len(setups) - 1)]
            cards, chances = (generator(SEED, kind, number) for kind in ("cards", "bots"))
            play_match(game, options, bots, setups, seeded(cards), chances)
    return whole.hexdigest()[:16]


def _noted(bot: Bot[Any], whole: "Hash") -> Bot[Any]:
    """The bot, whose choices go into a hash."""

    def choose(view: Any, events: Sequence[Event], rng: Random) -> Move:
        move = bot.choose(view, events, rng)
        whole.update(f"{move}\n".encode())
        return move

    return replace(bot, choose=choose)


def changed() -> list[str]:
    """The games whose computers play otherwise than when they were rated."""
    known = shipped_ratings()
    return [
        game.slug
        for game in chosen(())
        if game.slug not in known or known[game.slug].choices != choices_of(game)
    ]


def write(each: Board, text: str) -> str:
    text = page(text, [each])
    PAGE.write_text(text, "utf-8")
    at = datetime.now(UTC).replace(microsecond=0)
    known = shipped_ratings() | {each.game.slug: shipped(each, at)}
    SHIPPED.write_bytes(msgspec.json.format(msgspec.json.encode(known)) + b"\n")
    return text


def main() -> None:
    jobs, names = int(os.environ.get("JOBS", os.cpu_count() or 1)), sys.argv[1:]
    if names == ["--changed"]:
        sys.exit("\n".join(f"{slug} has changed since it was rated" for slug in changed()) or 0)
    text = PAGE.read_text("utf-8") if names and PAGE.exists() else ""
    for game in chosen(names):
        text = write(board(game, jobs), text)


if __name__ == "__main__":
    main()
