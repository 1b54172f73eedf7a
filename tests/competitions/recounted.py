"""Standings counted again from what everybody can read: results as JSON, and records of matches.

It imports nothing of the service and follows the words of its documentation:

    python tests/competitions/recounted.py results.json records.jsonl

``records.jsonl`` may be a public archive: a record a line. Prints every difference, fails for one.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

HALF = Fraction(1, 2)
FORMS = {
    "swiss": ("buchholz", "sonneborn_berger", "direct", "wins"),
    "round_robin": ("direct", "sonneborn_berger", "wins"),
    "knockout": (),
    "arena": ("wins",),
}


def differences(results: Mapping[str, Any], records: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each thing that is not as the matches say."""
    yield from _pairings(results)
    games = []
    for board in sorted(results["boards"], key=_moment):
        points = _points(results, board, records)
        written = None if board["points"] is None else [Fraction(p) for p in board["points"]]
        if points != written:
            yield f"board {board['round']}.{board['board']}: {written}, its matches say {points}"
        if points is not None:
            games.append((board, dict(zip(_two(board), points, strict=False))))
    counted = _standings(results, games)
    for line in results["standings"]:
        place, points, ties = counted[line["number"]]
        stands = (
            line["place"],
            Fraction(line["points"]),
            {k: Fraction(v) for k, v in line["ties"].items()},
        )
        if stands != (place, points, ties):
            yield f"number {line['number']}: {stands}, counted {(place, points, ties)}"


def _moment(board: Mapping[str, Any]) -> tuple[bool, str, int]:
    return board["decided_at"] is None, board["decided_at"] or "", board["round"]


def _two(board: Mapping[str, Any]) -> list[int]:
    return [number for number in (board["first"], board["second"]) if number is not None]


def _pairings(results: Mapping[str, Any]) -> Iterator[str]:
    """Nobody twice in a round, no rematch in a Swiss or a round robin, one bye at most there."""
    seen: defaultdict[int, list[int]] = defaultdict(list)
    met, byes = [], []
    for board in results["boards"]:
        seen[board["round"]] += _two(board)
        (met if board["second"] else byes).append(frozenset(_two(board)))
    for number, entrants in seen.items():
        if len(set(entrants)) < len(entrants):
            yield f"round {number}: somebody is at two boards"
    if results["form"] in ("swiss", "round_robin"):
        if len(set(met)) < len(met):
            yield "two have met twice"
        if len(set(byes)) < len(byes):
            yield "somebody had two byes"


def _points(
    results: Mapping[str, Any], board: Mapping[str, Any], records: Mapping[str, Any]
) -> list[Fraction] | None:
    """The points by its last match; walkovers and byes have no match."""
    if board["result"] is None:
        return None
    if board["result"] == "bye":
        return [Fraction(results["form"] != "round_robin")]
    if board["result"] == "called_off":
        return [HALF, HALF]
    if board["result"] == "walkover":
        return [Fraction(p) for p in board["points"]] if _walked(board) else [Fraction(-1)]
    if "pairs" in results:
        return _points_of_set(results, board, records)
    number = len(board["matches"])
    winners = records[board["matches"][-1]]["outcome"]["winners"]
    share = Fraction(1, len(winners))
    seats = [(place + number - 1) % 2 for place in (0, 1)]
    return [share if seat in winners else Fraction(0) for seat in seats]


def _points_of_set(
    results: Mapping[str, Any], board: Mapping[str, Any], records: Mapping[str, Any]
) -> list[Fraction]:
    """Pairs have one secret, the first half of their seeds; who gave one match up lost its pair."""
    names = {player["number"]: player["name"] for player in results["players"]}
    pairs = defaultdict(list)
    for match in board["matches"][-2 * results["pairs"] :]:
        pairs[records[match]["seed"][:64]].append(_margin(records[match], names[board["first"]]))
    won, ahead = 0, 0
    for pair in pairs.values():
        if len(pair) != 2:
            return [Fraction(-1)]
        skill = sum(margin for margin, _ in pair)
        quitters = {side for _, side in pair if side}
        won += _sign(sum(quitters) * -1 if quitters else skill)
        ahead += skill
    share = Fraction(1 + _sign(won or ahead), 2)
    return [share, 1 - share]


def _margin(record: Mapping[str, Any], first: str) -> tuple[int, int]:
    """Of the first; and who gave up: 1 the first, -1 the second, 0 nobody."""
    own = next(n for n, seat in enumerate(record["seats"]) if seat["name"] == first)
    outcome = record["outcome"]
    margin = outcome["points"][own] - outcome["points"][1 - own]
    if outcome["reason"] not in ("resigned", "timeout"):
        return margin, 0
    return margin, -1 if own in outcome["winners"] else 1


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _walked(board: Mapping[str, Any]) -> bool:
    return sorted(board["points"]) in ([0, 1], [0, 0])


def _standings(
    results: Mapping[str, Any], games: list[tuple[Mapping[str, Any], dict[int, Fraction]]]
) -> dict[int, tuple[int, Fraction, dict[str, Fraction]]]:
    numbers = [player["number"] for player in results["players"]]
    total = {n: sum((g.get(n, Fraction(0)) for _, g in games), Fraction(0)) for n in numbers}
    first = {n: _first(results["form"], n, games, total) for n in numbers}
    ties = {n: _ties(results["form"], n, games, total) for n in numbers}
    order = {n: (first[n], *ties[n].values()) for n in numbers}
    return {
        n: (1 + sum(order[other] > order[n] for other in numbers), first[n], ties[n])
        for n in numbers
    }


def _first(form: str, n: int, games: Any, total: Mapping[int, Fraction]) -> Fraction:
    own = [(board, game) for board, game in games if n in game]
    if form == "knockout":
        return Fraction(sum(_goes_on(game) == n for _, game in own))
    if form != "arena":
        return total[n]
    points, row = 0, 0
    for _, game in own:
        points += 2 * game[n] * (2 if row >= 2 else 1)
        row = row + 1 if game[n] == 1 else 0
    return Fraction(points)


def _goes_on(game: Mapping[int, Fraction]) -> int:
    return max(game, key=lambda n: (game[n], -n))


def _ties(form: str, n: int, games: Any, total: Mapping[int, Fraction]) -> dict[str, Fraction]:
    own = [(board, game) for board, game in games if n in game]
    against = [(_opponent(n, board, game), game[n]) for board, game in own]
    level = [other for other in total if total[other] == total[n]]
    among = [game for board, game in games if len(game) == 2 and set(game) <= set(level)]
    all_met = len({frozenset(game) for game in among}) == len(level) * (len(level) - 1) // 2
    values = {
        "buchholz": sum((total[other] for other, _ in against), Fraction(0)),
        "sonneborn_berger": sum((total[other] * points for other, points in against), Fraction(0)),
        "direct": sum((game.get(n, Fraction(0)) for game in among), Fraction(0)) * all_met,
        "wins": Fraction(sum(board["result"] == "played" and g[n] == 1 for board, g in own)),
    }
    return {name: values[name] for name in FORMS[form]}


def _opponent(n: int, board: Mapping[str, Any], game: Mapping[int, Fraction]) -> int:
    """Of an unplayed board oneself."""
    return next((o for o in game if o != n), n) if board["result"] == "played" else n


def main() -> int:
    results = json.loads(Path(sys.argv[1]).read_text())
    lines = Path(sys.argv[2]).read_text().splitlines()
    records = {record["match"]: record for record in map(json.loads, lines)}
    faults = list(differences(results, records))
    print("\n".join(faults) or f"{len(results['boards'])} boards, as their matches say.")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
