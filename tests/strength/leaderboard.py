"""`make leaderboard`: every computer against every other one, written into docs/leaderboard.md.

The page is made of nothing but what this plays, so the same tree writes the same page on any
machine. `LEADERBOARD="pisti pazaak"` plays these games alone and leaves the others' tables as they
are; `JOBS` is the number of processes.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from games.arena import compiled_code
from games.arena.figures import Figures, merge
from games.arena.process_pool import run_parts
from games.arena.ranking.ratings import ratings
from games.arena.ranking.tournament import pairings, ranking
from games.arena.request import describe, parts_of, run_part
from games.rules import catalog
from games.rules.game import AnyGame

PAGE = Path(__file__).resolve().parents[2] / "docs" / "leaderboard.md"
SEED = 1
# Matches of a pairing: by a kernel, by the rules, and with one that thinks for a while.
COMPILED, QUICK, SLOW = 2_000, 200, 30

HEAD = """# Leaderboard

Every computer of each game against every other one by the standard rules, two seats, every deal
from both seats, seed {seed}. A score is the share of matches won in percent, a draw counts half.
Ratings are by Bradley and Terry: the mean is 1500, and 400 more are ten wins to one; ranges are
95 % intervals. `make leaderboard` plays all of it again and writes this page. What each computer
must reach stands in [How strong the computers are](../games/research/RESULTS.md).
"""


class Board(NamedTuple):
    """One game and how all pairings of its computers ended."""

    game: AnyGame
    results: Mapping[tuple[str, ...], Figures]


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
    rated, rows = ratings(board.results, SEED), ranking(board.results)
    by_bot = {row.bot: row for row in rows}
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


def main() -> None:
    jobs, names = int(os.environ.get("JOBS", os.cpu_count() or 1)), sys.argv[1:]
    text = PAGE.read_text("utf-8") if names and PAGE.exists() else ""
    for game in chosen(names):
        text = page(text, [board(game, jobs)])
        PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
