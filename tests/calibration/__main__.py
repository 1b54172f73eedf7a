"""``make calibration``: judges decisions of fresh matches, prints how right the chances are.

With ``--keep`` the figures of each setting are kept in a folder, and what is there is not played
again. With ``--fit`` it prints what the readings of the searches should be, by matches of another
seed; with ``--agree`` how often a search of twenty times the playouts agrees. With ``--write`` the
picture of the documentation is written.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Final

import msgspec

from cardroom.arena import compiled_code
from cardroom.arena.statistics import Interval
from cardroom.rules import catalog
from tests.calibration.agreeing import agreement
from tests.calibration.collecting import Judged, drawn, judged
from tests.calibration.fitting import lines
from tests.calibration.picture import draw
from tests.calibration.settings import FITTED, HELD_OUT, SETTINGS, Setting
from tests.calibration.table import Column, column, table

PICTURE: Final = Path("docs/pictures/calibration.svg")
TRIES: Final = 300  # moves called best that are judged again


def main() -> None:
    parser = ArgumentParser(prog="make calibration", description=__doc__)
    parser.add_argument("games", nargs="*", help='games or settings, such as "Pazaak, kotor1"; all')
    parser.add_argument("--share", type=float, default=1.0, help="of the matches")
    parser.add_argument("--seed", type=int, help=f"{HELD_OUT}; with --fit {FITTED}")
    parser.add_argument("--fit", action="store_true", help="print the readings")
    parser.add_argument("--agree", action="store_true", help="search again with 20 times the work")
    parser.add_argument("--keep", type=Path, help="folder for the figures of each setting")
    parser.add_argument("--write", action="store_true", help=f"write {PICTURE}")
    wanted = parser.parse_args()
    named = set(wanted.games)
    settings = [each for each in SETTINGS if not named or {each.game, each.name} & named]
    for game in dict.fromkeys(each.game for each in settings):
        compiled_code.warm_searches(game)
    if wanted.fit:
        _fit(settings, wanted)
    elif wanted.agree:
        _agree(settings, wanted)
    else:
        _judge(settings, wanted)


def _fit(settings: Sequence[Setting], wanted: Namespace) -> None:
    for game in dict.fromkeys(each.game for each in settings):
        found: list[Judged] = []
        for setting in (each for each in settings if each.game == game):
            found += _judged(setting, wanted, FITTED, as_weighed=True)
        print(f"{catalog.find(game).name}, {len(found):,} decisions:", flush=True)
        for stage, line in lines(found).items():
            print(f'        "{stage}": Line({line.shift}, {line.stretch}),', flush=True)


def _judge(settings: Sequence[Setting], wanted: Namespace) -> None:
    columns = [_column(setting, wanted) for setting in settings]
    print(table(columns))
    for one in columns:
        print(f"{one.name}: at most {one.furthest:.1%} off", flush=True)
    if wanted.write:
        PICTURE.write_text(draw({one.name: one.tenths for one in columns}))
        print(f"wrote {PICTURE}")


def _column(setting: Setting, wanted: Namespace) -> Column:
    kept = None if wanted.keep is None else wanted.keep / f"{setting.name}.json"
    if kept is not None and kept.exists():
        return msgspec.json.decode(kept.read_bytes(), type=Column)
    found = column(setting.name, list(_judged(setting, wanted, HELD_OUT)))
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(msgspec.json.encode(found))
    return found


def _judged(
    setting: Setting, wanted: Namespace, seed: int, *, as_weighed: bool = False
) -> Iterator[Judged]:
    matches, begun = _matches(setting, wanted), process_time()
    for each in drawn(setting, wanted.seed or seed, 0, matches):
        one = judged(setting, each, as_weighed=as_weighed)
        if one is not None:
            yield one
    print(f"{setting.name}: {matches:,} matches in {process_time() - begun:.0f} s", flush=True)


def _agree(settings: Sequence[Setting], wanted: Namespace) -> None:
    for setting in settings:
        begun = process_time()
        matches = drawn(setting, wanted.seed or HELD_OUT, 0, _matches(setting, wanted))
        found = agreement(setting, matches, round(wanted.share * TRIES))
        print(
            f"{setting.name}: of {found.tried} moves called best {_percents(found.best)} are best "
            f"with 20 times the playouts, {_percents(found.fine)} at least fine "
            f"({process_time() - begun:.0f} s)",
            flush=True,
        )


def _percents(share: Interval) -> str:
    return f"{share.value:.1%} ({share.low:.1%}–{share.high:.1%})"


def _matches(setting: Setting, wanted: Namespace) -> int:
    return max(1, round(wanted.share * setting.matches))


main()
