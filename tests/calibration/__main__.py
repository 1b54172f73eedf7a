"""``make calibration``: judges decisions of fresh matches, prints how right the chances are.

With ``--write`` the table and the picture of the documentation are written.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Final

from games.arena import compiled_code
from games.rules import catalog
from tests.calibration.collecting import SETTINGS, Judged, collect
from tests.calibration.picture import draw
from tests.calibration.table import Tenth, agreement, tenths

PICTURE: Final = Path("docs/pictures/calibration.svg")
SHARES: Final = {"pisti": 0.45, "pazaak": 0.2, "shithead": 0.35}  # of the time


def main() -> None:
    parser = ArgumentParser(prog="make calibration", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="of one core, for all games")
    parser.add_argument("--seed", type=int, default=20261123)
    parser.add_argument("--deep-every", type=int, default=40, help="decisions judged 20 times over")
    parser.add_argument("--write", action="store_true", help=f"write {PICTURE}")
    wanted = parser.parse_args()
    drawn: dict[str, list[Tenth]] = {}
    everything: list[Judged] = []
    for setting in SETTINGS:
        compiled_code.warm_searches(setting.game)
        seconds = wanted.seconds * SHARES[setting.game]
        judged = list(collect(setting, wanted.seed, seconds, wanted.deep_every))
        name = catalog.find(setting.game).name
        drawn[name] = tenths(judged)
        everything += judged
        _print(f"{name} ({setting.bots[0]})", judged)
    if wanted.write:
        PICTURE.write_text(draw(drawn))
        print(f"wrote {PICTURE}")


def _print(name: str, judged: list[Judged]) -> None:
    matches = len({one.match for one in judged})
    print(f"{name}: {len(judged):,} decisions of {matches:,} matches", flush=True)
    for row in tenths(judged):
        off = row.came - row.stated
        print(
            f"  {10 * row.tenth:3d}–{10 * row.tenth + 10:3d} %  {row.decisions:6,} decisions  "
            f"stated {row.stated:6.1%}  came {row.came:6.1%} ± {2 * row.error:5.1%}  {off:+6.1%}"
        )
    same = agreement(judged)
    print(f"  best with 20 times the playouts, too: {same.share:.1%} of {same.tried}", flush=True)


main()
