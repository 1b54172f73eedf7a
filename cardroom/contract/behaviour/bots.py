"""Every bot plays by the rules, with no more than its view, its memory and its generator."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, Final

from cardroom.contract.playing.luck import Luck
from cardroom.contract.playing.sitting import Sitting, scratch
from cardroom.contract.reporting.check import check, require, same
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import Stacked, seeded
from cardroom.rules.values import Move, Seat

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
