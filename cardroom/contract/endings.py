"""Every match ends, with any number of seats and any options, and adds up.

Every bot plays by the rules, with no more than its view, its memory and its generator.

Chance: the same in every process, and fair to every card and place.
"""

import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from random import Random
from typing import Any, Final

import msgspec

from cardroom.contract.playing import (
    Luck,
    Sitting,
    account,
    any_options,
    begun,
    scratch,
    seed,
    setups,
)
from cardroom.contract.reporting import Broken, check, require, same
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame, Game
from cardroom.rules.shuffles import Stacked, seeded
from cardroom.rules.values import MalformedMove, Move, MoveRefused, NotYourTurn, Options, Seat
from cardroom.rules.witnesses import texts_in

MOST_PLIES: Final = 200_000
FEW_SEATS: Final = 6


def played_out(game: AnyGame, options: Options, number: int) -> Sitting:
    """A random match by this seed; fails when it does not end."""
    sitting = Sitting.begun(game, options, number).play_on(Random(number), MOST_PLIES)
    over = game.outcome(sitting.state) is not None
    what = f"{game.name} with {options} and seed {number}"
    require(over, f"{what} is not over after {MOST_PLIES:,} plies")
    same(game.to_act(sitting.state), (), "who is to act after the end")
    return sitting


@check("The default match and every preset end.")
def the_default_match_and_every_preset_end(game: AnyGame, _luck: Luck) -> None:
    for number, options in enumerate([game.options(), *game.presets.values()]):
        played_out(game, options, number)


@check("A match ends with every number of seats.", examples=3, shrinks=False)
def a_match_of_any_number_of_seats_ends(game: AnyGame, luck: Luck) -> None:
    few = range(game.min_seats, min(game.max_seats, FEW_SEATS) + 1)
    more = luck.number(game.min_seats, game.max_seats)
    for seats in sorted({*few, more, game.max_seats}):
        has_players = "players" in game.options.__struct_fields__
        options = any_options(game, luck, players=seats) if has_players else None
        played_out(game, options or any_options(game, luck), seed(luck))


@check("An outcome adds up: points are the sums of the rounds, the first place wins.", examples=12)
def an_outcome_adds_up(game: AnyGame, luck: Luck) -> None:
    sitting = begun(game, luck).play_on(Random(seed(luck)), 4000)
    outcome = game.outcome(sitting.state)
    if outcome is None:
        return
    points = [sum(column) for column in zip(*sitting.scores, strict=True)]
    same(list(outcome.points), points, "points, and the sum of the rounds' scores")
    require(len(outcome.places) == len(sitting.setups), f"places {outcome.places}: not one a seat")
    first = tuple(s for s, place in enumerate(outcome.places) if place == 1)
    same(outcome.winners, first, "winners, and the seats in the first place")
    require(first, f"nobody has the first place: {outcome.places}")
    for side in sitting.sides:
        apart = {outcome.places[seat] for seat in side}
        require(len(apart) == 1, f"the side {side} has the places {sorted(apart)}")


@check("A malformed move is refused as such before the turn is asked for; no move follows the end.")
def nothing_is_played_after_the_end(game: AnyGame, _luck: Luck) -> None:
    sitting = played_out(game, game.options(), 3)
    _, last = sitting.rounds[-1]["moves"][-1].split(" ", 1)
    for seat in range(len(sitting.setups)):
        _is_refused(game, sitting, seat, "no such move", MalformedMove)
        _is_refused(game, sitting, seat, last, NotYourTurn)


def _is_refused(
    game: AnyGame, sitting: Sitting, seat: Seat, move: Move, cause: type[MoveRefused]
) -> None:
    try:
        game.play(sitting.state, seat, move, scratch())
    except cause:
        return
    except MoveRefused as other:
        raise Broken(
            f"{move!r} of seat {seat}: {type(other).__name__}, not {cause.__name__}"
        ) from other
    raise Broken(f"{move!r} of seat {seat} is accepted after the end")


FEW: Final = 12  # playouts of a bot that searches
DECISIONS: Final = 40  # a bot's own in a match, then the stand-in decides, so that slow bots finish
PLIES: Final = (0, 3, 11, 30)  # where choices are compared
WORLDS: Final = 4  # in which a quick bot chooses; one that searches chooses in one


@check("Every bot plays by the rules to the end of the match.")
def bots_play_by_the_rules(game: AnyGame, _luck: Luck) -> None:
    for bot in game.bots:
        for number, options in enumerate([game.options(), *game.presets.values()]):
            plays_against_random(game, bot, Sitting.begun(game, options, number), Random(number))


def cheaply(game: AnyGame, bot: Bot[Any]) -> Bot[Any]:
    """The bot, or with a search as short as the suite can pay."""
    return game.bot(f"{bot.slug}:playouts={FEW}") if bot.search else bot


def plays_against_random(game: AnyGame, bot: Bot[Any], sitting: Sitting, rng: Random) -> None:
    """Counts decisions and reads no clock, so every machine plays the same match."""
    decisions = 0
    while game.outcome(sitting.state) is None:
        seat = rng.choice(game.to_act(sitting.state))
        if seat != 0:
            sitting.play(seat, rng.choice(game.legal_moves(sitting.state, seat)))
            continue
        chosen = cheaply(game, bot) if decisions < DECISIONS else game.bot(game.stand_in)
        sitting.trying = f"{bot.slug} as seat {seat}"
        sitting.play(seat, choice(chosen, sitting, seat, rng))
        decisions += 1


def choice(bot: Bot[Any], sitting: Sitting, seat: Seat, rng: Random) -> Move:
    events = sitting.game.recent_events(sitting.seen_by(seat), bot.remembers)
    return bot.choose(sitting.game.view(sitting.state, seat), events, rng)


@check("A bot chooses the same from the same view, events and generator.")
def bots_choose_the_same_from_the_same(game: AnyGame, _luck: Luck) -> None:
    for bot, sitting, seat in _choosing(game):
        moves = {choice(bot, sitting, seat, Random(4)) for _ in range(3)}
        require(len(moves) == 1, f"{bot.slug} chooses each of {', '.join(sorted(moves))}")


@check("A bot chooses the same whatever lies where its seat cannot see.")
def bots_do_not_peek(game: AnyGame, _luck: Luck) -> None:
    """All cards that its seat does not know are dealt again; only its chances are the same."""
    for bot, sitting, seat in _choosing(game):
        chosen = _choice_in(sitting, bot, seat)
        past = tuple(sitting.history)
        for number in range(1 if bot.search else WORLDS):
            shuffle = seeded(Random(number))
            redealt = game.redeal(sitting.state, past, frozenset({seat}), shuffle)
            other = replace(sitting, state=redealt.state, history=redealt.history(past))
            other.rounds = sitting.rounds
            move = _choice_in(other, bot, seat)
            Sitting.latest = sitting
            same(move, chosen, f"{bot.slug} as seat {seat}, where other cards lie unseen")


def _choice_in(sitting: Sitting, bot: Bot[Any], seat: Seat) -> Move:
    """A choice just after the rules have run in this world, so that nothing is left of another.

    A bot that reads what the rules left in a module's global chooses by this world's cards.
    """
    game, state = sitting.game, sitting.state
    decks = [[game.card_text(c) for c in deck] for past in sitting.history for deck in past.decks]
    game.start(sitting.options, sitting.setups, Stacked(decks, game.card_text))
    for reader in (*range(len(sitting.setups)), None):
        game.view(state, reader)
    game.play(state, seat, game.legal_moves(state, seat)[0], scratch())
    return choice(bot, sitting, seat, Random(4))


def _choosing(game: AnyGame) -> Iterator[tuple[Bot[Any], Sitting, Seat]]:
    """Every bot at some positions, in the place of each seat that is to act."""
    for bot in game.bots:
        for plies in PLIES:
            sitting = Sitting.begun(game, game.options(), plies).play_on(Random(plies), plies)
            for seat in game.to_act(sitting.state):
                yield cheaply(game, bot), sitting, seat


MATCHES, CHANCE_PLIES = 3, 40  # that two processes compare
STARTS: Final = 240
UNLIKELY: Final = 8.0  # standard deviations
PATIENCE: Final = 120  # seconds for the other process


def lines_of(game: AnyGame) -> Iterator[str]:
    """Lines of everything that each reader gets in a few matches, in the order of the game."""
    for number, options in enumerate(_some_options(game)):
        sitting = Sitting.begun(game, options, number)
        steps = sitting.so_far_and(sitting.plies(Random(number), CHANCE_PLIES))
        for ply, (at, step) in enumerate(steps):
            for seat in (*range(len(at.setups)), None):
                facts = account(game, game.view(step.state, seat), seat, step.events)
                yield f"match {number}, ply {ply}, {seat}: {msgspec.json.encode(facts).decode()}"
            yield f"match {number}, ply {ply}: {msgspec.json.encode(step.state).decode()}"


def _some_options(game: AnyGame) -> list[Any]:
    chosen = [game.options(), *game.presets.values()]
    return (chosen * MATCHES)[:MATCHES]


@check("Two processes say the same: nothing hangs on the order of a set or on the clock.")
def two_processes_say_the_same(game: AnyGame, _luck: Luck) -> None:
    theirs = _in_another_process(reference_of(game)).splitlines()
    for mine, other in zip_longest(lines_of(game), theirs, fillvalue="nothing: null"):
        if mine != other:
            where, here = mine.split(": ", 1)
            there = other.split(": ", 1)[1]
            same(_decoded(there), _decoded(here), f"{where}, in another process")
            raise Broken(f"{where} has its fields in another order in another process")


def _decoded(line: str) -> Any:
    return msgspec.json.decode(line)


def reference_of(game: AnyGame) -> str:
    """``module:NAME`` of a game that some module holds."""
    for name, module in list(sys.modules.items()):
        for attribute, value in list(getattr(module, "__dict__", {}).items()):
            if value is game and isinstance(value, Game):
                return f"{name}:{attribute}"
    raise Broken("No module holds this game under a name, so no other process can import it.")


_ELSEWHERE: Final = """
import sys
from cardroom.contract.endings import lines_of
from cardroom.contract.reporting import find
print(*lines_of(find(sys.argv[1])), sep="\\n")
"""


def _in_another_process(reference: str) -> str:
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    variables = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(
        [sys.executable, "-c", _ELSEWHERE, reference],
        env=variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if ran.returncode:
        raise Broken(f"In another process the game fails:\n{ran.stderr[-1500:]}")
    return ran.stdout


@check("Every card comes to every hidden place, and to every seat, as often as any other.")
def every_card_comes_everywhere(game: AnyGame, _luck: Luck) -> None:
    """Counts over many starts, without what everybody sees: the rules may choose that."""
    places: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    hands: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    shown: set[int] = set()
    options = game.options()
    for number in range(STARTS):
        state = game.start(options, setups(game, options), seeded(Random(number))).state
        views = [game.view(state, seat) for seat in (*range(game.seats(options)), None)]
        named = [set(texts_in(msgspec.to_builtins(view))) for view in views]
        cards = [game.card_text(card) for card in game.cards(state)]
        shown.update(at for at, card in enumerate(cards) if any(card in seen for seen in named))
        for at, card in enumerate(game.cards(state)):
            places[type(card).__name__, at][cards[at]] += 1
        for seat, seen in enumerate(named[:-1]):
            hands["seat", seat].update(seen.intersection(cards) - named[-1])
    hidden = {place: tally for place, tally in places.items() if place[1] not in shown}
    _are_alike(hidden, "place {1} of the state's cards")
    _are_alike(hands, "seat {1}")


def _are_alike(counts: Mapping[tuple[str, int], Counter[str]], name: str) -> None:
    """No place is far from what all places of its kind have together."""
    for kind in {kind for kind, _ in counts}:
        alike = {place: tally for place, tally in counts.items() if place[0] == kind}
        together = sum(alike.values(), Counter[str]())
        for place, tally in alike.items():
            far = _deviations(tally, together)
            most, times = tally.most_common(1)[0] if tally else ("", 0)
            require(
                far < UNLIKELY,
                f"{name.format(*place)}: {most} came {times} times of {tally.total()}, "
                f"{far:.0f} standard deviations from what chance gives",
            )


def _deviations(tally: Counter[str], together: Counter[str]) -> float:
    """How far a chi-square of this place is above its mean, in standard deviations."""
    share = tally.total() / together.total() if together else 0.0
    kinds = len(together) - 1
    if not share or kinds < 1:
        return 0.0
    terms: Iterable[float] = (
        (tally[card] - share * n) ** 2 / (share * n) for card, n in together.items()
    )
    return float((sum(terms) - kinds) / (2 * kinds) ** 0.5)
