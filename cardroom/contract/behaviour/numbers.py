"""The numbers of moves and views that a game promises to programs that learn."""

from cardroom.contract.behaviour.facts import has_numbers
from cardroom.contract.playing.luck import Luck
from cardroom.contract.playing.sitting import positions, scratch
from cardroom.contract.reporting.check import Broken, check, require
from cardroom.rules.errors import MoveRefused
from cardroom.rules.game import AnyGame


@check("Every legal move has a number, and every number that is legal is a move.",
       examples=8, applies=has_numbers)  # fmt: skip
def every_move_has_a_number(game: AnyGame, luck: Luck) -> None:
    assert game.actions is not None  # noqa: S101 - ``applies``
    for sitting, _ in positions(game, luck, 60):
        for seat in game.to_act(sitting.state):
            legal = game.legal_moves(sitting.state, seat)
            numbered = game.actions.among(legal)
            unknown = sorted(set(numbered) - set(range(len(game.actions.texts))))
            require(not unknown, f"seat {seat}: the numbers {unknown} are no actions")
            lost = sorted(set(legal) - set(numbered.values()))
            require(not lost, f"seat {seat}: without a number are {', '.join(lost)}")
            for number, move in numbered.items():
                try:
                    game.play(sitting.state, seat, move, scratch())
                except MoveRefused as refusal:
                    raise Broken(f"action {number}, {move!r}, is refused: {refusal}") from refusal


@check("An observation has the size and the bounds that are published.",
       examples=8, applies=has_numbers)  # fmt: skip
def observations_keep_their_bounds(game: AnyGame, luck: Luck) -> None:
    assert game.observation is not None  # noqa: S101 - ``numbers_are_named_once``
    assert game.observe is not None  # noqa: S101
    least, most = game.observation.bounds()
    for sitting, _ in positions(game, luck, 60):
        for seat in (*range(len(sitting.setups)), None):
            observed = game.observe(game.view(sitting.state, seat))
            require(len(observed) == game.observation.size, f"{len(observed)} numbers for {seat}")
            outside = [
                f"{at}: {number} is not {least[at]} to {most[at]}"
                for at, number in enumerate(observed)
                if not least[at] <= number <= most[at]
            ]
            require(not outside, f"the observation of {seat}: {'; '.join(outside[:5])}")
