"""Tournaments from values: rounds with results by chance, or as a string says."""

from random import Random

from games.competitions.pairing import Position, next_round, rounds_of
from games.competitions.rules import LOSS, WIN, Board, Pairing

RESULTS = [(2, 0), (1, 1), (0, 2)]


def decided(pairing: Pairing, number: int, points: tuple[int, int] | None = None) -> Board:
    if pairing.second is None:
        return Board(pairing.first, None, number, (WIN, LOSS), played=False)
    return Board(pairing.first, pairing.second, number, points)


def play(form: str, entrants: int, chance: Random, wanted: int | None = None, leave: int = 0):
    """The boards of each round; now and then one of ``leave`` people goes home."""
    rounds = rounds_of(form, entrants, wanted)
    there, boards = set(range(1, entrants + 1)), []
    for number in range(1, rounds + 1):
        position = Position(form, number, rounds, entrants, tuple(sorted(there)), tuple(boards))
        new = [decided(each, number, chance.choice(RESULTS)) for each in next_round(position)]
        boards += new
        yield new, tuple(sorted(there)), tuple(boards)
        if leave and len(there) > 4 and chance.random() < 0.5:
            there.discard(chance.choice(sorted(there)))
            leave -= 1


def board(text: str, number: int = 1) -> Board:
    """``1-2 1:0``, ``3-4 =`` or ``5 bye``."""
    names, result = text.split()
    if result == "bye":
        return Board(int(names), None, number, (WIN, LOSS), played=False)
    one, other = map(int, names.split("-"))
    points = {"1:0": (2, 0), "0:1": (0, 2), "=": (1, 1)}[result]
    return Board(one, other, number, points)


def boards(*rounds: str) -> list[Board]:
    return [
        board(each.strip(), number)
        for number, text in enumerate(rounds, start=1)
        for each in text.split(",")
    ]
