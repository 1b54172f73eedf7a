"""The facts of a game: presets, options, sides, bots, numbers.

Moves: which seats have some, which are accepted, and how the others are refused.

Cards, events, states and views: nothing is lost, nothing comes back otherwise.

Words: everything has some, and they disclose no more than their subject.

The numbers of moves and views that a game promises to programs that learn.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, get_args

import msgspec

from cardroom.contract.playing import (
    NAMES,
    Luck,
    Sitting,
    any_options,
    counted,
    encoded,
    positions,
    scratch,
    seed,
    setups,
    somewhere,
)
from cardroom.contract.reporting import Broken, check, require, same
from cardroom.rules import position
from cardroom.rules.cards import CARD, pretty
from cardroom.rules.game import AnyGame
from cardroom.rules.lesson import LEARNER, lesson_positions
from cardroom.rules.values import (
    Event,
    IllegalMove,
    MalformedMove,
    Move,
    MoveRefused,
    NotYourTurn,
    Seat,
    Step,
)

REMEMBERED: Final = ("nothing", "round", "match")
LEVELS: Final = range(1, 6)


@check("The defaults and every preset are options that the game itself accepts.")
def presets_are_what_they_say(game: AnyGame, _luck: Luck) -> None:
    for name, options in {"the defaults": game.options(), **game.presets}.items():
        same(game.choose_options(msgspec.to_builtins(options)), options, name)
        seats = game.seats(options)
        within = game.min_seats <= seats <= game.max_seats
        require(within, f"{name}: {seats} seats are not {game.min_seats} to {game.max_seats}")
    for name, options in game.presets.items():
        same(game.choose_options(preset=name), options, name)


@check("Every option has a default and a description.")
def options_are_described(game: AnyGame, _luck: Luck) -> None:
    schema: Any = msgspec.json.schema(game.options)
    described = schema["$defs"][game.options.__name__]["properties"]
    silent = [name for name, one in described.items() if not one.get("description")]
    require(not silent, f"without a description: {', '.join(silent)}")


@check("Any options seat every seat in one side, and a complete setup stays as it is.", examples=20)
def any_options_seat_their_sides(game: AnyGame, luck: Luck) -> None:
    options = any_options(game, luck)
    seats = [seat for side in game.sides_of(options) for seat in side]
    same(sorted(seats), list(range(game.seats(options))), f"{options}: the seats of all sides")
    within = game.min_seats <= len(seats) <= game.max_seats
    require(within, f"{options}: {len(seats)} seats")
    for setup in setups(game, options):
        same(game.complete_setup(options, setup), setup, "a setup completed twice")


@check("Bots are named apart and say what they are; one of them stands in.")
def bots_say_what_they_are(game: AnyGame, _luck: Luck) -> None:
    slugs = [bot.slug for bot in game.bots]
    require(len(set(slugs)) == len(slugs), f"two bots have one name: {', '.join(slugs)}")
    require(game.stand_in in slugs, f"the stand-in {game.stand_in!r} is no bot of the game")
    for bot in game.bots:
        require(bot.level in LEVELS, f"{bot.slug}: the level {bot.level} is not 1 to 5")
        require(bot.summary and bot.name, f"{bot.slug} has no name or no summary")
        require(bot.remembers in REMEMBERED, f"{bot.slug} remembers {bot.remembers!r}")


def has_numbers(game: AnyGame) -> bool:
    return game.actions is not None


@check("Numbers and features are named once.", applies=has_numbers)
def numbers_are_named_once(game: AnyGame, _luck: Luck) -> None:
    assert game.actions is not None  # noqa: S101 - ``applies``
    require(game.observation and game.observe, "actions, observation and observe go together")
    assert game.observation is not None  # noqa: S101
    texts = game.actions.texts
    require(len(set(texts)) == len(texts), "two actions have one text")
    names = [feature.name for feature in game.observation.features]
    require(len(set(names)) == len(names), f"two features have one name: {', '.join(names)}")


@check("A lesson's moves are legal from the deal to its end, and each step has its words.")
def a_lesson_reaches_its_end(game: AnyGame, _luck: Luck) -> None:
    lesson = game.lesson
    if lesson is None:
        return
    require(bool(lesson.steps), "the lesson has no step")
    require(str(lesson.end).strip(), "the lesson has no words for its end")
    for taught, step in zip(lesson_positions(game, lesson), lesson.steps, strict=False):
        at = f"step {taught.number + 1} of the lesson"
        require(LEARNER in game.to_act(taught.state), f"{at}: it is not the learner's turn")
        legal = game.legal_moves(taught.state, LEARNER)
        require(step.move in legal, f"{at}: {step.move!r} is none of {', '.join(legal)}")
        for sentence in (step.words, step.wrong):
            require(str(sentence).strip(), f"{at} has no words")


@check("What is played at once is a match that the game itself accepts.")
def the_short_match_is_one(game: AnyGame, _luck: Luck) -> None:
    game.choose_options(game.short, game.quick_preset)
    require(bool(str(game.short_words)) or not game.short, "the short match has no words")


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


ENVELOPE: Final = {"version", "by", "move", "type"}  # what the log and the API write beside fields


@check("No card is lost, doubled or made up.", examples=15)
def cards_are_conserved(game: AnyGame, luck: Luck) -> None:
    conserves(game, positions(game, luck, 150))


def conserves(game: AnyGame, steps: Iterable[tuple[Sitting, Step[Any]]]) -> None:
    before: Counter[str] = Counter()
    for sitting, step in steps:
        now = counted(game, game.cards(step.state))
        if game.distinct_cards:
            _every_card_is_once(game, step, before, now)
            _is_as_dealt(game, sitting, now, opens=game.opening in map(type, step.events))
        elif game.opening not in map(type, step.events):
            gone, come = before - now, now - before
            require(not come, f"{step.move}: from nowhere came {', '.join(come)}")
            spent = [card for card in gone if step.move.startswith(card)]
            require(len(spent) == gone.total() <= 1, f"{step.move}: lost is {', '.join(gone)}")
        before = now


def _every_card_is_once(
    game: AnyGame, step: Step[Any], before: Counter[str], now: Counter[str]
) -> None:
    require(now, "the state holds no card")
    twice = [card for card, times in now.items() if times > 1]
    require(not twice, f"{step.move}: these cards lie in two places: {', '.join(twice)}")
    if game.opening not in map(type, step.events):
        gone, come = sorted(before - now), sorted(now - before)
        require(not gone, f"{step.move}: these cards are lost: {', '.join(gone)}")
        require(not come, f"{step.move}: these cards came from nowhere: {', '.join(come)}")


def _is_as_dealt(game: AnyGame, sitting: Sitting, now: Counter[str], *, opens: bool) -> None:
    decks = sitting.history[-1].decks
    lost = {game.card_text(card) for deck in decks[-1:] for card in deck} - now.keys()
    require(not lost, f"dealt, but not in the state: {', '.join(sorted(lost))}")
    if opens:
        unshuffled = now.keys() - {game.card_text(card) for deck in decks for card in deck}
        require(not unshuffled, f"in no shuffled deck: {', '.join(sorted(unshuffled))}")


def comes_back(value: Any, decode: Callable[[bytes], Any], what: str) -> None:
    data = encoded(value)
    same(decode(data), value, what)
    require(decode(data) == value, f"{what}: what is read is not equal to what was written")
    require(encoded(decode(data)) == data, f"{what}: other bytes are written again")


@check("States, events, options and views come back from their bytes and from their text.",
       examples=10)  # fmt: skip
def values_come_back(game: AnyGame, luck: Luck) -> None:
    decode_view = msgspec.json.Decoder(game.view_type).decode
    for sitting, step in positions(game, luck, 60):
        comes_back(step.state, game.decode_state, "state")
        comes_back(step.events, game.decode_events, "events")
        comes_back(sitting.options, game.decode_options, "options")
        line = position.write(game, step.state)
        same(position.read(game, line), step.state, "the state read from its line of text")
        for seat in (*range(len(sitting.setups)), None):
            comes_back(game.view(step.state, seat), decode_view, f"the view of {seat}")
            for event in step.events:
                seen = event.seen_by(seat)
                kind = type(seen).__name__
                require(type(seen) is type(event), f"{seat} sees another event: {kind}")
                same(seen.seen_by(seat), seen, f"{kind} seen by {seat}, and once more")


@check("No field of an event has the name of one of its envelope's.")
def no_field_is_one_of_the_envelope(game: AnyGame, _luck: Luck) -> None:
    events: tuple[type[Event], ...] = get_args(game.events) or (game.events,)
    taken = [
        f"{event.__name__}.{name}"
        for event in events
        for name in event.__struct_encode_fields__
        if name in ENVELOPE
    ]
    names = ", ".join(sorted(ENVELOPE))
    require(not taken, f"{', '.join(taken)}: an event may not have a field named {names}")


@check("The opening event is told once at the beginning of each round, and only there.",
       examples=10)  # fmt: skip
def a_round_begins_with_its_opening(game: AnyGame, luck: Luck) -> None:
    for _, step in positions(game, luck, 400):
        opened = [type(event) for event in step.events].count(game.opening)
        begins = step.move == "" or (step.scores is not None and game.outcome(step.state) is None)
        name = game.opening.__name__
        require(opened == begins, f"{step.move!r}: {name} is told {opened} times, not {begins:d}")


LONGEST_PHRASE = 40


@check("Every event and every move has its words, and they name no card that is hidden.",
       examples=10)  # fmt: skip
def everything_has_its_words(game: AnyGame, luck: Luck) -> None:
    for sitting, step in positions(game, luck, 80):
        for seat in (*range(len(sitting.setups)), None):
            for event in step.events:
                _hides_what_is_hidden(game, event, event.seen_by(seat))
        for seat in game.to_act(step.state):
            moves = game.legal_moves(step.state, seat)
            for move in moves:
                for spelled in {move, game.public_move(move)}:
                    require(str(game.label(spelled)).strip(), f"the move {spelled!r} has no words")


def _hides_what_is_hidden(game: AnyGame, event: Event, seen: Event) -> None:
    sentence = str(game.sentence(seen, NAMES))
    require(sentence.strip(), f"{seen} has no words")
    leaked = set(re.findall(r"[\w♣♦♥♠]+", sentence)) & hidden_words(event, seen)
    require(not leaked, f"{sentence!r} names {', '.join(sorted(leaked))}, which {seen} hides")


def hidden_words(event: Event, seen: Event) -> set[str]:
    """The cards, as code and as people write them, that the event has and ``seen`` has not."""
    if event == seen:
        return set()
    codes, shown = (set(re.findall(r'"(\w{2,5})"', encoded(e).decode())) for e in (event, seen))
    hidden = codes - shown
    return hidden | {pretty(code) for code in hidden if code in CARD}


@check("What players say is short, and its slug can be sent.")
def phrases_are_short(game: AnyGame, _luck: Luck) -> None:
    for slug, words in game.phrases.items():
        require(
            re.fullmatch(r"[a-z][a-z0-9_]{0,31}", slug), f"the phrase {slug!r} has no plain slug"
        )
        is_short = 0 < len(str(words)) <= LONGEST_PHRASE
        require(is_short, f"the phrase {slug!r} is no short sentence")


@check("A preset's words stand for a preset.")
def words_stand_for_something(game: AnyGame, _luck: Luck) -> None:
    presets = set(game.presets)
    _known("preset_words", game.preset_words, presets)
    _known("preset_names", game.preset_names, presets)


def _known(fact: str, words: Mapping[str, Any], known: set[str]) -> None:
    unknown = sorted(set(words) - known)
    require(not unknown, f"{fact} speaks of {', '.join(unknown)}, which the game has not")


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
