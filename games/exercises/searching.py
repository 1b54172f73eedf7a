"""Plain functions of records and of what seats know: what is an exercise, and what is not."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import Any, Final

import msgspec
from msgspec import structs

from cardroom.arena import compiled_code
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import Sealed
from cardroom.rules.values import Event, Move, Options, Reason, Seat, Setup, View, Weighing
from games.absent import rules_of
from games.coaching import judging
from games.coaching.judging import Choice, Cost, Decision, Grade, Verdict, grade_of, judge_of

# A position as an exercise keeps it: what one seat knew, and what each of its moves is worth.
#
# There is no state in it: a reader of a whole position learns no card that the seat did not see.

SOLVED: Final[tuple[Grade, ...]] = ("best", "fine")


class Position(msgspec.Struct, frozen=True, dict=True):
    """``view`` and ``events`` are those of ``seat``, as JSON; ``events`` what its judge remembers.

    ``choices`` are all moves from the best to the worst, with the chance to win; ``reasons`` say
    what speaks for and against some of them. ``missed`` is the share of the house's easier
    computers that play something else, ``played`` what the person played whose mistake it was.
    """

    game: str
    rules_version: int
    options: msgspec.Raw
    seat: Seat
    round: int
    view: msgspec.Raw
    events: msgspec.Raw
    choices: tuple[Choice, ...]
    reasons: dict[Move, Reason]
    missed: float = 0.0
    played: Move | None = None

    @cached_property
    def rules(self) -> AnyGame:
        return rules_of(self.game, self.rules_version)

    @cached_property
    def seen(self) -> View:
        """The view, decoded."""
        seen: View = msgspec.json.decode(self.view, type=self.rules.view_type)
        return seen

    @cached_property
    def remembered(self) -> tuple[Event, ...]:
        return self.rules.decode_events(bytes(self.events))

    @cached_property
    def rule_choices(self) -> Options:
        options: Options = self.rules.decode_options(bytes(self.options))
        return options

    @property
    def best(self) -> Choice:
        return self.choices[0]

    @property
    def key(self) -> str:
        """The same for the same knowledge; ``choices`` are no part of it."""
        parts = (self.game.encode(), bytes(self.view), bytes(self.events))
        return sha256(b"\n".join(parts)).hexdigest()

    def choice_of(self, move: Move) -> Choice | None:
        """The choice that this move is, or that does the same; ``None`` if it was not weighed."""
        same = self.rules.alike(move)
        exact = (one for one in self.choices if one.move == move)
        alike = (one for one in self.choices if self.rules.alike(one.move) == same)
        return next(exact, None) or next(alike, None)

    def cost_of(self, choice: Choice) -> float:
        return max(0.0, self.best.chance - choice.chance)

    def grade_of(self, choice: Choice) -> Grade:
        return grade_of(Cost(self.cost_of(choice), 0.0))

    def is_solved_by(self, move: Move) -> bool:
        choice = self.choice_of(move)
        return choice is not None and self.grade_of(choice) in SOLVED


class Shipped(msgspec.Struct, frozen=True):
    """An exercise as the files of the software keep it."""

    theme: str
    position: Position


_decoder = msgspec.json.Decoder(Position)


def encoded(position: Position) -> bytes:
    return msgspec.json.encode(position)


def decoded(data: bytes) -> Position:
    return _decoder.decode(data)


def raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))


def without_names(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events as they are of seats without names: who played is nobody's business here."""
    return tuple([_nameless(event) for event in events])


def _nameless(event: Event) -> Event:
    names = getattr(event, "names", None)
    if names is None:
        return event
    return structs.replace(event, names=tuple(str(seat + 1) for seat in range(len(names))))


def reasons_of(reasons: Mapping[Move, Reason], choices: Sequence[Choice]) -> dict[Move, Reason]:
    """In the order of the choices, so that the same reasons are the same bytes."""
    return {one.move: reasons[one.move] for one in choices if one.move in reasons}


# Finding exercises: decisions in which one move is clearly best, by two searches.
#
# A quick search looks at every decision, two longer ones with other worlds have to agree where it
# found something. All of them know what the seat knew, and nothing else.

QUICK: Final = 256  # playouts of each move
LONG: Final = 1024
MARGIN: Final = 0.08  # of chance to win, over the second best move
MISTAKE: Final = 0.05  # what a person's move has to cost in both searches
SURE: Final = 3  # standard errors
OTHER_WORLDS: Final = 1_000_000  # worlds are drawn by the number of the decision


def themes_of(game: AnyGame) -> tuple[str, ...]:
    """The themes of a game's exercises; empty where there are none."""
    return tuple(game.themes.names) if game.themes and judge_of(game) else ()


def finder(game: AnyGame) -> "Finder | None":
    """``None`` where nobody can judge the game, or where it names no themes."""
    judge = judge_of(game)
    if judge is None or game.themes is None:
        return None
    return Finder(game, compiled_code.quick(game, judge))


class Finder:
    """Looks at the decisions of one game."""

    def __init__(self, game: AnyGame, judge: Bot[Any]) -> None:
        self.game = game
        self.judge = judge
        self._easier = [
            bot
            for bot in game.bots
            if bot.rated and bot.suggested and bot.level < judge.level and bot.cost == "quick"
        ]

    def clear(
        self, decision: Decision, options: Options, verdict: Verdict | None = None
    ) -> Position | None:
        """The position if one move is clearly best and some easier computer misses it.

        ``verdict`` is what an analysis said of it: it saves the quick search.
        """
        quick = verdict.choices if verdict else self._quick(decision)
        if not self._all_weighed(decision, quick) or quick[0].chance - quick[1].chance < MARGIN:
            return None
        both = self._both(decision)
        if not all(_leads(each, quick[0].move) for each in both):
            return None
        position = self._position(decision, options, both)
        return position if position.missed and self.theme_of(position) else None

    def mistake(self, decision: Decision, options: Options, verdict: Verdict) -> Position | None:
        """The position if both searches find the move that was played a mistake, too."""
        if not self._all_weighed(decision, verdict.choices):
            return None
        both = self._both(decision)
        if not all(_costs(each, verdict.move) for each in both):
            return None
        return structs.replace(self._position(decision, options, both), played=verdict.move)

    def theme_of(self, position: Position) -> str:
        """Empty for a position that none of the game's themes fits."""
        themes, moves = self.game.themes, [one.move for one in position.choices]
        if themes is None or len(moves) < 2:
            return ""
        return themes.of(position.seen, position.remembered, moves) or ""

    def _all_weighed(self, decision: Decision, choices: Sequence[Choice]) -> bool:
        """Whether nothing that can be answered is without a worth."""
        alike = self.game.alike
        weighed = {alike(one.move) for one in choices}
        legal = {alike(move) for move in decision.view.legal_moves}
        return len(weighed) > 1 and legal <= weighed

    def _quick(self, decision: Decision) -> Sequence[Choice]:
        return judging.choices_of(judging.weigh(self.judge, decision, QUICK))

    def _both(self, decision: Decision) -> tuple[Weighing, Weighing]:
        one, other = (
            judging.weigh(
                self.judge, replace(decision, version=decision.version + n * OTHER_WORLDS), LONG
            )
            for n in (1, 2)
        )
        return one, other

    def _position(
        self, decision: Decision, options: Options, both: tuple[Weighing, Weighing]
    ) -> Position:
        choices = _together(*both)
        moves = [one.move for one in choices]
        reasons: Any = {}
        if self.game.reasons is not None:
            view, events = decision.view, decision.events
            reasons = self.game.reasons.of(view, events, judging.stream_of(decision), moves)
        return Position(
            game=self.game.slug,
            rules_version=self.game.rules_version,
            options=raw(options),
            seat=decision.seat,
            round=decision.round,
            view=raw(decision.view),
            events=raw(without_names(decision.events)),
            choices=choices,
            reasons=reasons_of(reasons, choices),
            missed=self._missed(decision, choices[0].move),
        )

    def _missed(self, decision: Decision, best: Move) -> float:
        """The share of the easier computers that play something else."""
        alike, missing = self.game.alike, 0
        for bot in self._easier:
            known = self.game.recent_events(decision.events, bot.remembers)
            chance = Random(f"{bot.slug} {decision.seat} {decision.version}")
            move = bot.choose(decision.view, known, chance)
            missing += alike(move) != alike(best)
        return missing / len(self._easier) if self._easier else 0.5


def _leads(weighed: Weighing, move: Move) -> bool:
    """Whether the move is best by the margin, and by more than chance would make of it."""
    choices = judging.choices_of(weighed)
    if not choices or choices[0].move != move:
        return False
    cost = judging.cost_of(weighed, choices[1].move)
    return cost.loss >= MARGIN and cost.loss >= SURE * cost.error


def _costs(weighed: Weighing, move: Move) -> bool:
    if move not in weighed.moves:
        return False
    cost = judging.cost_of(weighed, move)
    return cost.loss >= MISTAKE and cost.loss >= SURE * cost.error


def _together(one: Weighing, other: Weighing) -> tuple[Choice, ...]:
    """The results of both searches, as if they were one."""
    by_move = dict(zip(other.moves, other.means, strict=True))
    joined = Weighing(
        one.moves,
        tuple(
            (*means, *by_move.get(move, means))
            for move, means in zip(one.moves, one.means, strict=True)
        ),
    )
    return tuple(
        Choice(each.move, round(each.chance, 4), round(each.error, 4))
        for each in judging.choices_of(joined)
    )


# Matches that the house's computers play for nobody, and the exercises in them.

MOST_OF_A_MATCH: Final = 2  # so that no match fills a theme


def house_exercises(slug: str, number: int, seed: int, most_matches: int = 400) -> list[Shipped]:
    """About so many exercises, as many of each theme; the same for the same seed."""
    game = catalog.find(slug)
    searching = finder(game)
    if searching is None or game.themes is None:
        raise ValueError(f"There are no themes of {slug}.")
    of_a_theme = -(-number // len(game.themes.names))
    by_theme: dict[str, list[Shipped]] = {theme: [] for theme in game.themes.names}
    for at in range(most_matches):
        for position in _positions(game, searching, seed + at):
            theme = searching.theme_of(position)
            if len(by_theme[theme]) < of_a_theme:
                by_theme[theme].append(Shipped(theme, position))
        if all(len(each) >= of_a_theme for each in by_theme.values()):
            break
    return [each for listed in by_theme.values() for each in listed]


def _positions(game: AnyGame, searching: Finder, seed: int) -> Iterator[Position]:
    number, options = 0, _options(game, seed)
    for decision in house_decisions(game, options, searching.judge, seed):
        position = searching.clear(decision, options)
        if position is not None:
            yield position
            number += 1
        if number == MOST_OF_A_MATCH:
            return


def _options(game: AnyGame, seed: int) -> Options:
    """The usual ones and those of a quick match in turn."""
    preset = game.quick_preset if seed % 2 else None
    options: Options = game.choose_options(preset=preset)
    return options


def house_decisions(
    game: AnyGame, options: Options, judge: Bot[Any], seed: int
) -> Iterator[Decision]:
    """Positions of a match of easier computers, as their seats see them."""
    chance = Random(f"exercises {game.slug} {seed}")
    shuffle = Sealed(chance.randbytes(32))
    easier = [bot for bot in game.bots if bot.rated and bot.suggested and bot.cost == "quick"]
    bots = [compiled_code.quick(game, chance.choice(easier)) for _ in range(game.seats(options))]
    setups = [game.complete_setup(options, Setup(bot.name, bot.slug)) for bot in bots]
    step = game.start(options, setups, shuffle)
    events: list[Event] = list(step.events)
    version = 0
    while acting := game.to_act(step.state):
        seat = chance.choice(acting)
        view = game.view(step.state, seat)
        seen = tuple(event.seen_by(seat) for event in events)
        if len(view.legal_moves) > 1:
            known = game.recent_events(seen, judge.remembers)
            yield Decision(version, 0, seat, view, known, "")
        bot = bots[seat]
        move = bot.choose(view, game.recent_events(seen, bot.remembers), chance)
        step = game.play(step.state, seat, move, shuffle)
        events += step.events
        version += 1
