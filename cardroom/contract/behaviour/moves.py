"""Moves: who has some, which are accepted, and how the others are refused."""

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final

from cardroom.contract.playing.luck import Luck, seed
from cardroom.contract.playing.sitting import encoded, positions, scratch, somewhere
from cardroom.contract.reporting.check import Broken, check, require, same
from cardroom.rules.cards import CARD
from cardroom.rules.errors import IllegalMove, MalformedMove, MoveRefused, NotYourTurn
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Move, Seat, Step

CODES: Final = tuple(CARD)
WORDS: Final = ("", "resign", "ready", "stand", "draw", "pass", "end", "flip", "pickup", "blind 0",
                "swap", "take", "done")  # fmt: skip
SIGNS: Final = " abcXYZ019+-*♥é\n\t\0"
MANY: Final = 500  # actions: then fewer positions are tried
WRONG_SEATS: Final = (-2, -1, 20)


@check("A seat has legal moves exactly while it is to act, and its view says so.", examples=10)
def moves_are_there_exactly_for_who_is_to_act(game: AnyGame, luck: Luck) -> None:
    for sitting, _ in positions(game, luck, 80):
        state, seats = sitting.state, len(sitting.setups)
        to_act = game.to_act(state)
        same(list(to_act), sorted(set(to_act)), "to_act is not ascending")
        over = game.outcome(state) is not None
        require(over == (to_act == ()), f"the match is over: {over}, but {to_act} are to act")
        for seat in range(seats):
            legal = game.legal_moves(state, seat)
            acts = seat in to_act
            require(bool(legal) == acts, f"seat {seat} acts: {acts}, but its moves are {legal}")
            require(len(set(legal)) == len(legal), f"seat {seat} has a move twice: {legal}")
            _says_who_acts(game.view(state, seat), seat, to_act, legal, game.view_type)
        _says_who_acts(game.view(state, None), None, to_act, (), game.view_type)


def _says_who_acts(
    view: Any, seat: Seat | None, to_act: Sequence[Seat], legal: Sequence[Move], kind: type
) -> None:
    same((view.seat, view.to_act, view.legal_moves), (seat, to_act, legal), f"view of {seat}")
    require(type(view) is kind, f"the view of {seat} is a {type(view).__name__}")


@check("Every listed move is accepted and recorded in its own spelling.", examples=10)
def every_listed_move_is_accepted_in_its_own_spelling(game: AnyGame, luck: Luck) -> None:
    for sitting, _ in positions(game, luck, 25):
        before = game.decode_state(encoded(sitting.state))
        for seat in game.to_act(sitting.state):
            for move in game.legal_moves(sitting.state, seat):
                sitting.trying = f"{seat} {move}"
                step = game.play(sitting.state, seat, move, scratch())
                require(step.move == move, f"{move!r} is recorded as {step.move!r}")
        same(sitting.state, before, "play changed the state that it was given")


@check("A move is accepted if and only if it is listed, or a listed one stands for it.", examples=8)
def legal_is_listed(game: AnyGame, luck: Luck) -> None:
    """Every action that has a number is tried at every position, and every move seen so far."""
    tried = dict.fromkeys((*game.actions.texts, *CODES) if game.actions else (*CODES, *WORDS))
    sitting = somewhere(game, luck)
    plies = 12 if len(tried) < MANY else 1
    for at, _ in sitting.so_far_and(sitting.plies(Random(seed(luck)), plies)):
        state, seats = at.state, range(len(at.setups))
        lists = {seat: game.legal_moves(state, seat) for seat in seats}
        tried |= dict.fromkeys(move for legal in lists.values() for move in legal)
        for seat in (game.to_act(state) or seats)[:1] if plies == 1 else seats:
            for move in tried:
                at.trying = f"{seat} {move}"
                _is_accepted_if_listed(game, state, seat, move, lists[seat])


def _is_accepted_if_listed(
    game: AnyGame, state: Any, seat: Seat, move: Move, legal: Sequence[Move]
) -> None:
    try:
        accepted = game.play(state, seat, move, scratch()).move
    except MoveRefused:
        if move in legal:
            raise Broken(f"{move!r} of seat {seat} is listed but refused") from None
        return
    if not stands_for(game, legal, accepted):
        raise Broken(f"seat {seat} may play {move!r}, which is not listed: {', '.join(legal)}")


def stands_for(game: AnyGame, legal: Sequence[Move], move: Move) -> bool:
    """Whether a recorded move is listed, alike a listed one, or an order of one for all orders."""
    return move in legal or any(
        game.alike(one) == game.alike(move)
        or (game.represents_others(one) and sorted(one.split(" ")) == sorted(move.split(" ")))
        for one in legal
    )


@check("What is no legal move is refused by its cause, with a sentence, changing nothing.",
       examples=80)  # fmt: skip
def nothing_else_is_accepted(game: AnyGame, luck: Luck) -> None:
    sitting = somewhere(game, luck)
    state, before = sitting.state, encoded(sitting.state)
    acting, seats = game.to_act(state) or (0,), range(len(sitting.setups))
    seat = luck.one_of(acting) if luck.number(0, 1) else luck.one_of((*seats, *WRONG_SEATS))
    legal = game.legal_moves(state, seat) if seat in seats else ()
    move = nearly_a_move(luck, legal)
    sitting.trying = f"{seat} {move}"
    answer = _answer(game, state, seat, move)
    require(encoded(state) == before, f"{move!r} changed the state")
    if isinstance(answer, Step):
        require(stands_for(game, legal, answer.move), f"{move!r} is accepted as {answer.move!r}")
        again = game.play(state, seat, answer.move, scratch())
        same(again.move, answer.move, "the recorded spelling")
        return
    require(move not in legal, f"{move!r} is listed, yet refused: {answer}")
    causes = (MalformedMove, NotYourTurn, IllegalMove)
    require(type(answer) in causes, f"{move!r} is refused with {type(answer).__name__}")
    require(str(answer).endswith((".", "?", "!")), f"{answer!r} is no sentence")
    require(re.fullmatch(r"[a-z]+(_[a-z]+)*", answer.reason), f"{answer.reason!r} is no reason")


def _answer(game: AnyGame, state: Any, seat: Seat, move: Move) -> Step[Any] | MoveRefused:
    try:
        return game.play(state, seat, move, scratch())
    except MoveRefused as refusal:
        return refusal


def nearly_a_move(luck: Luck, legal: Sequence[Move]) -> Move:
    """Anything at all, and what is nearly a move."""
    near = luck.one_of(legal or ("7H",))
    makings: tuple[Callable[[], Move], ...] = (
        lambda: "".join(_some(luck, SIGNS, 8)),
        lambda: luck.one_of(WORDS),
        lambda: " ".join(_some(luck, CODES, 4)),
        lambda: near[: luck.number(0, len(near))],
        lambda: near + "".join(_some(luck, SIGNS, 3)),
        lambda: luck.one_of((f" {near}", f"{near} ", near.replace(" ", "  "), near.swapcase())),
        lambda: " ".join(_shuffled(luck, near.split(" "))),
        lambda: f"{luck.one_of(WORDS)} {' '.join(_some(luck, CODES, 4))}",
    )
    return luck.one_of(makings)()


def _some(luck: Luck, items: Sequence[str], most: int) -> list[str]:
    return [luck.one_of(items) for _ in range(luck.number(0, most))]


def _shuffled(luck: Luck, parts: Sequence[str]) -> Iterator[str]:
    left = list(parts)
    while left:
        yield left.pop(luck.number(0, len(left) - 1))
