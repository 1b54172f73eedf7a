"""What is played and by whom, chosen by the names people write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardroom.arena.errors import BadRequest
from cardroom.arena.players.names import choose_options, find_bot, find_game
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options, Seat, Setup


@dataclass(frozen=True, eq=False)
class Lineup:
    """A game with its options; ``bots`` play some of the seats, learners the others."""

    game: AnyGame
    options: Options
    setups: tuple[Setup, ...]
    bots: Mapping[Seat, Bot[Any]]

    @property
    def learners(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in range(len(self.setups)) if seat not in self.bots)

    def without_bots(self) -> "Lineup":
        """The same match with a learner on every seat."""
        return Lineup(self.game, self.options, self.setups, {})

    def __deepcopy__(self, _memo: Any) -> "Lineup":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Games and bots are made of functions, so they are found again by their names."""
        bots = {seat: bot.slug for seat, bot in self.bots.items()}
        return _by_names, (self.game.slug, self.options, self.setups, bots)


def _by_names(
    slug: str, options: Options, setups: tuple[Setup, ...], bots: Mapping[Seat, str]
) -> Lineup:
    game = find_game(slug)
    playing = {seat: find_bot(game, name, custom=True) for seat, name in bots.items()}
    return Lineup(game, options, setups, playing)


def lineup(
    game: str,
    *,
    preset: str | None = None,
    options: Mapping[str, Any] | None = None,
    bots: Mapping[Seat, str] | None = None,
    side_decks: Sequence[Sequence[str]] = (),
    **named: Any,
) -> Lineup:
    """A checked lineup; ``BadRequest`` says what is wrong and what is allowed.

    Options may be ``named`` by themselves: ``players=4``.
    """
    rules = find_game(game)
    if rules.actions is None or rules.observation is None or rules.observe is None:
        raise BadRequest(f"{rules.name} has no action numbers and observations to learn from.")
    chosen = choose_options(rules, {**(options or {}), **named}, preset)
    seats = rules.seats(chosen)
    for seat in bots or {}:
        if seat not in range(seats):
            raise BadRequest(f"There is no seat {seat!r}; seats are 0 to {seats - 1}.")
    playing = {seat: find_bot(rules, name, custom=True) for seat, name in (bots or {}).items()}
    if len(playing) == seats:
        raise BadRequest("Bots play every seat; leave at least one to learn.")
    if side_decks and len(side_decks) != seats:
        raise BadRequest(f"{len(side_decks)} side decks are given for {seats} seats.")
    setups = (_setup(seat, playing.get(seat), side_decks) for seat in range(seats))
    completed = tuple(rules.complete_setup(chosen, setup) for setup in setups)
    return Lineup(rules, chosen, completed, playing)


def _setup(seat: Seat, bot: Bot[Any] | None, side_decks: Sequence[Sequence[str]]) -> Setup:
    return Setup(
        name=f"seat {seat}",
        bot=None if bot is None else bot.slug,
        side_deck=tuple(side_decks[seat]) if side_decks else None,
    )
