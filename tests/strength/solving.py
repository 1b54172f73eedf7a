"""`make solve`: counterfactual regret minimisation of the small games, by OpenSpiel.

Prints how exploitable the average strategy is after more and more rounds: the mean of what either
player would gain by a best response, in the game's own unit (points at Pişti, wins at Pazaak).
"""

import sys

from open_spiel.python.algorithms import cfr, exploitability

from cardroom.research.pazaak import last_round
from cardroom.research.pisti import last_hand
from cardroom.research.spiel import listed_game

GAMES = ((last_hand.SLUG, {"cards": 3}), (last_round.SLUG, {"values": 2}))
ROUNDS = 200


def exploitable(slug: str, sizes: dict[str, int], rounds: list[int]) -> list[tuple[int, float]]:
    """After each of these numbers of rounds."""
    game = listed_game(slug, **sizes)
    solver, found, done = cfr.CFRPlusSolver(game), list[tuple[int, float]](), 0
    for wanted in rounds:
        for _ in range(wanted - done):
            solver.evaluate_and_update_policy()
        done = wanted
        gain = exploitability.exploitability(game, solver.average_policy())
        found.append((wanted, gain))
    return found


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    rounds = sorted({max(1, most // part) for part in (50, 10, 4, 2, 1)})
    for slug, sizes in GAMES:
        print(slug, sizes)
        for done, gain in exploitable(slug, sizes, rounds):
            print(f"  {done:>5} rounds   {gain:.5f}", flush=True)


if __name__ == "__main__":
    main()
