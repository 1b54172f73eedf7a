"""Secrets of a game: hidden cards, by name or by a difference, and worlds dealt again.

No card of another hand or of the stock is named to a seat before it is public.

Twins: two matches that differ only in cards that one seat has never learned of.

The cards whose codes no view and no event named to the seat, in this round up to its last step,
change places among themselves in every state of the round. Then the seat, and a spectator, must be
sent the same: by views, events, sentences, labels, moves and numbers. Neither ``seen_by`` nor
``redeal`` is asked what is secret. A card that is public afterwards does not change places.

Worlds that fit what a seat knows: dealt again for a load, imagined by a bot.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from cardroom.contract.playing import (
    Luck,
    Sitting,
    account,
    begun,
    counted,
    options_that_meet,
    positions,
    scratch,
    seed,
    somewhere,
)
from cardroom.contract.reporting import Broken, check, require, same
from cardroom.rules.defaults import default_redeal, pinned
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import RecordingShuffle, Stacked, UnexpectedShuffle, seeded
from cardroom.rules.state_fields import exchange
from cardroom.rules.values import (
    Event,
    HistoryStep,
    Move,
    MoveRefused,
    Options,
    Redealt,
    Seat,
    Step,
    View,
)
from cardroom.rules.witnesses import Witnesses, texts_in

PLIES: Final = 120  # of a match in which leaks are looked for


@check("No seat is told a card that another holds or that nobody sees.", examples=12)
def no_card_is_told_too_early(game: AnyGame, luck: Luck) -> None:
    for leaks in judged(game, positions(game, luck, PLIES)):
        require(not leaks, "\n".join(leaks))


@check("Nor under any two of its options that meet.")
def no_two_options_tell_a_card_too_early(game: AnyGame, luck: Luck) -> None:  # noqa: ARG001
    """Leaks under rare combinations of options, which random draws would seldom find."""
    for number, options in enumerate(options_that_meet(game)):
        for leaks in leaks_of(game, options, number, PLIES):
            require(not leaks, "\n".join(leaks))


def leaks_of(game: AnyGame, options: Options, number: int, plies: int) -> Iterator[list[str]]:
    """The leaks of each step of one random match."""
    sitting = Sitting.begun(game, options, number)
    return judged(game, sitting.so_far_and(sitting.plies(Random(number), plies)))


def judged(game: AnyGame, steps: Iterable[tuple[Sitting, Step[Any]]]) -> Iterator[list[str]]:
    witnesses = None
    for sitting, step in steps:
        witnesses = witnesses or Witnesses(game, sitting.setups)
        if game.outcome(step.state) is not None:
            return  # what was hidden may be shown at the end
        events = {
            reader: [msgspec.to_builtins(event.seen_by(reader)) for event in step.events]
            for reader in witnesses.readers
        }
        views = {r: msgspec.to_builtins(game.view(step.state, r)) for r in witnesses.readers}
        decks = sitting.history[-1].decks
        yield witnesses.leaks(step.state, step.move, events, views, decks)


Tell: TypeAlias = Callable[[AnyGame, View, Seat | None, Sequence[Event]], Any]


class Taken(NamedTuple):
    """A step of a match: who moved how (nobody at the start), what came of it, what it dealt."""

    seat: Seat | None
    move: Move
    opens: bool  # a round
    state: Any
    events: tuple[Event, ...]
    decks: tuple[tuple[Any, ...], ...]
    history: tuple[HistoryStep, ...]


def taken_by(sitting: Sitting, rng: Random, plies: int) -> Iterator[Taken]:
    """The steps of so many random plies, the start first, up to the end of the match."""
    yield _taken(sitting, None)
    for _ in range(plies):
        seat = rng.choice(sitting.game.to_act(sitting.state))
        sitting.play(seat, rng.choice(sitting.game.legal_moves(sitting.state, seat)))
        if sitting.outcome is not None:
            return
        yield _taken(sitting, seat)


def _taken(sitting: Sitting, seat: Seat | None) -> Taken:
    assert sitting.last is not None  # noqa: S101 - it has begun
    last, history = sitting.last, tuple(sitting.history)
    opens = seat is None or last.scores is not None
    decks = history[-1].decks
    return Taken(seat, last.move, opens, last.state, last.events, decks, history)


def exchanged(
    game: AnyGame, steps: Sequence[Taken], seat: Seat | None, rng: Random
) -> dict[Any, Any]:
    """Each card that was never named to the seat, and the one that lies there in the twin."""
    known = named_to(game, steps, seat) | set(pinned_cards(game, steps[0]))
    unseen = [card for card in game.cards(steps[0].state) if game.card_text(card) not in known]
    return dict(zip(unseen, seeded(rng)(unseen), strict=True))


def named_to(game: AnyGame, steps: Sequence[Taken], seat: Seat | None) -> set[str]:
    """Every text that was named to the seat in these steps."""
    named: set[str] = set()
    for taken in steps:
        named.update(game.public_move(taken.move).split(" "))
        named.update(texts_in(msgspec.to_builtins(game.view(taken.state, seat))))
        for event in taken.events:
            named.update(texts_in(msgspec.to_builtins(event.seen_by(seat))))
    return named


def pinned_cards(game: AnyGame, opening: Taken) -> Iterator[str]:
    decks = [deck for step in opening.history for deck in step.decks]
    for pin in game.pinned(opening.state, opening.history):
        for deck, at in pin.places():
            yield game.card_text(decks[deck][at])


@check("Who cannot see a difference is told none, by no view, event, sentence, label or number.",
       examples=12, applies=lambda game: game.distinct_cards)  # fmt: skip
def twins_are_told_alike(game: AnyGame, luck: Luck) -> None:
    compare_twins(game, luck, account)


def compare_twins(game: AnyGame, luck: Luck, tell: Tell) -> None:
    """Fails where what ``tell`` makes of a view and events differs between twins."""
    sitting = begun(game, luck)
    steps = list(taken_by(sitting, Random(seed(luck)), luck.number(0, 40 * luck.reach)))
    opened = max(at for at, one in enumerate(steps) if one.opens)
    seat = luck.one_of((*range(len(sitting.setups)), None))
    became = exchanged(game, steps[opened:], seat, Random(seed(luck)))
    before = steps[opened - 1] if opened else None
    for reader in {seat, None}:
        who = f"told to {_name(reader)} though it never saw the difference"
        pairs = _side_by_side(game, sitting, before, steps[opened:], became, reader, tell)
        for ours, theirs, at in pairs:
            same(theirs, ours, f"{at}, {who}")


def _side_by_side(
    game: AnyGame,
    sitting: Sitting,
    last: Taken | None,
    steps: Sequence[Taken],
    became: dict[Any, Any],
    reader: Seat | None,
    tell: Tell,
) -> Iterator[tuple[Any, Any, str]]:
    """The reader's account of each step in both matches, from the deal of the round on."""
    for before, taken in zip((last, *steps), steps, strict=False):
        here: Any = before and before.state
        there = here if taken.opens else game.arrange(exchange(here, became))
        mine = _played(game, sitting, here, taken, {})
        if mine is None:
            return
        ours = tell(game, game.view(mine.state, reader), reader, mine.events)
        step = _played(game, sitting, there, taken, became)
        if step is None:
            return  # in the twin's hands this move cannot be made
        if decided_by_hidden_cards(game, step.state, mine.state):
            continue
        theirs = tell(game, game.view(step.state, reader), reader, step.events)
        yield ours, theirs, f"after {taken.seat} {taken.move}" if taken.move else "at the start"


def decided_by_hidden_cards(game: AnyGame, state: Any, other: Any) -> bool:
    """Whether hidden cards choose who acts (the lowest one leads); ``play_past`` admits that."""
    return game.play_past is not game.play and game.to_act(state) != game.to_act(other)


def _played(
    game: AnyGame, sitting: Sitting, state: Any, taken: Taken, became: Mapping[Any, Any]
) -> Step[Any] | None:
    decks = [[game.card_text(became.get(card, card)) for card in deck] for deck in taken.decks]
    if taken.seat is None:
        return game.start(sitting.options, sitting.setups, Stacked(decks, game.card_text))
    for play in (game.play, game.play_past):
        try:
            return play(state, taken.seat, taken.move, Stacked(decks, game.card_text))
        except (MoveRefused, UnexpectedShuffle):
            continue
    return None


def _name(reader: Seat | None) -> str:
    return "a spectator" if reader is None else f"seat {reader}"


@check("Who cannot see a difference at a position is told none there, nor by the next move.",
       examples=25)  # fmt: skip
def a_re_deal_is_told_to_nobody(game: AnyGame, luck: Luck) -> None:
    compare_with_a_re_deal(game, luck, account)


def compare_with_a_re_deal(game: AnyGame, luck: Luck, tell: Tell) -> None:
    """The twin is the re-deal's own, so equal cards may be in play."""
    sitting = somewhere(game, luck)
    seat = luck.one_of(range(len(sitting.setups)))
    shuffle = seeded(Random(seed(luck)))
    state = sitting.state
    twin = game.redeal(state, tuple(sitting.history), frozenset({seat}), shuffle).state
    same(game.to_act(twin), game.to_act(state), "who is to act")
    for reader in (seat, None):
        ours = tell(game, game.view(state, reader), reader, ())
        same(tell(game, game.view(twin, reader), reader, ()), ours, f"told to {_name(reader)}")
    for actor in game.to_act(state):
        both = set(game.legal_moves(state, actor)) & set(game.legal_moves(twin, actor))
        for move in sorted(both)[:3]:
            one = game.play(state, actor, move, scratch())
            other = game.play(twin, actor, move, scratch())
            _told_alike(one.events, other.events, seat)


def _told_alike(ours: tuple[Event, ...], theirs: tuple[Event, ...], seat: Seat) -> None:
    """Alike up to what the move turned up; only what the seat sees whole may turn anything up."""
    for one, other in zip(ours, theirs, strict=False):
        if one.seen_by(seat) != other.seen_by(seat):
            whole = one.seen_by(seat) == one
            same(one if whole else other.seen_by(seat), one.seen_by(seat), type(one).__name__)
            return


def _redealt(game: AnyGame, sitting: Sitting, seats: frozenset[Seat], shuffle: Any) -> Redealt[Any]:
    redealt: Redealt[Any] = game.redeal(sitting.state, tuple(sitting.history), seats, shuffle)
    return redealt


@check("What several seats know together is what at least one of them knows.", examples=20)
def several_seats_know_what_one_of_them_knows(game: AnyGame, luck: Luck) -> None:
    sitting = somewhere(game, luck)
    sitters = range(len(sitting.setups))
    seats = {luck.one_of(sitters) for _ in range(luck.number(1, 3))}

    def unknown(who: frozenset[int]) -> dict[int, set[int]]:
        moved = _redealt(game, sitting, who, list).moved
        decks = [index for index, _ in moved]
        same(decks, sorted(set(decks)), "the decks that were dealt again, in order")
        for index, at in moved:
            same(list(at), sorted(set(at)), f"the positions of deck {index}, in order")
            require(at, f"deck {index} is listed with no position")
        return {index: set(at) for index, at in moved}

    each = [unknown(frozenset({seat})) for seat in seats]
    common = {
        index: set.intersection(*(one.get(index, set()) for one in each)) for index in each[0]
    }
    known = {index: sorted(at) for index, at in common.items() if at}
    together = {index: sorted(at) for index, at in unknown(frozenset(seats)).items()}
    same(together, known, f"unknown to the seats {sorted(seats)}")


@check("A re-deal needs no more of the history than the game says.", examples=20)
def a_re_deal_needs_no_more_than_the_game_says(game: AnyGame, luck: Luck) -> None:
    """The running round, or some last steps of it, as if the whole history were there."""
    sitting = somewhere(game, luck, 600)
    history, state = tuple(sitting.history), sitting.state
    opened = next(at for at, step in enumerate(history) if step.round == history[-1].round)
    first = luck.number(opened, len(history) - 1)
    steps = history[first:]
    enough = game.redeal_suffices(state, steps) if first > opened else game.deals_anew
    if sitting.outcome is not None or not enough:
        return
    seats = frozenset({luck.one_of(range(len(sitting.setups)))})
    number = seed(luck)
    whole = game.redeal(state, history, seats, seeded(Random(number)))
    part = game.redeal(state, steps, seats, seeded(Random(number)))
    before = sum(len(step.decks) for step in history[:first])
    same(part.state, whole.state, "the state dealt again from the last steps")
    same([(before + deck, at) for deck, at in part.moved], list(whole.moved), "what was moved")
    same([*history[:first], *part.history(steps)], whole.history(history), "the history")


@check("A re-deal changes nothing that its seat knows, and the match plays on.", examples=15)
def a_re_deal_changes_nothing_that_is_known(game: AnyGame, luck: Luck) -> None:
    sitting = somewhere(game, luck)
    seat = luck.one_of(range(len(sitting.setups)))
    again = _redealt(game, sitting, frozenset({seat}), list)
    same(again.state, sitting.state, "the state, laid back as it was taken")
    same(again.history(sitting.history), sitting.history, "the history, laid back as it was taken")
    redealt = _redealt(game, sitting, frozenset({seat}), seeded(Random(seed(luck))))
    before, now = game.cards(sitting.state), game.cards(redealt.state)
    same(dict(counted(game, now)), dict(counted(game, before)), "the cards of the state")
    seen = sitting.seen_by(seat)
    sitting.state, sitting.history = redealt.state, redealt.history(sitting.history)
    same(sitting.seen_by(seat), seen, f"what seat {seat} was told")
    sitting.play_on(Random(seed(luck)), 40)


@check("A re-deal moves every card that its seat was not told, unless the game says why it stays.",
       examples=15)  # fmt: skip
def a_re_deal_moves_what_may_move(game: AnyGame, luck: Luck) -> None:
    sitting = somewhere(game, luck)
    if sitting.outcome is not None:
        return
    seat = luck.one_of(range(len(sitting.setups)))
    noted = RecordingShuffle(seeded(Random(seed(luck))))
    redealt = _redealt(game, sitting, frozenset({seat}), noted)
    laid = [[redealt.decks[deck][at] for at in places] for deck, places in redealt.moved]
    same(laid, [list(deck) for deck in noted.decks], "the cards laid back, and those shuffled")
    if game.distinct_cards:
        _all_unknown_move(game, sitting, seat, redealt)
    else:
        _as_many_move(game, sitting, seat, redealt)


def _all_unknown_move(game: AnyGame, sitting: Sitting, seat: Seat, redealt: Redealt[Any]) -> None:
    decks = [deck for step in sitting.history for deck in step.decks]
    moved = set(_places(redealt.moved)) | set(_pinned(game, sitting))
    unknown = default_redeal(game).unknown(sitting.state, sitting.history, (seat,))
    kept = [
        f"deck {deck}, position {at}: {game.card_text(decks[deck][at])}"
        for deck, at in _places(unknown)
        if (deck, at) not in moved
    ]
    require(not kept, f"seat {seat} was not told of these, yet they stay: {'; '.join(kept)}")


def _as_many_move(game: AnyGame, sitting: Sitting, seat: Seat, redealt: Redealt[Any]) -> None:
    """Require that as many cards move as the seat does not see and pins do not hold."""
    view = msgspec.to_builtins(game.view(sitting.state, seat))
    held = counted(game, game.cards(sitting.state))
    unseen = (held - Counter(texts_in(view))).total() - len(set(_pinned(game, sitting)))
    moved = len(list(_places(redealt.moved)))
    require(moved >= unseen, f"seat {seat} does not see {unseen} cards, but only {moved} move")


def _places(positions: Any) -> Iterator[tuple[int, int]]:
    for deck, places in positions:
        for at in places:
            yield deck, at


def _pinned(game: AnyGame, sitting: Sitting) -> Iterator[tuple[int, int]]:
    for pin in game.pinned(sitting.state, sitting.history):
        require(pin.reason.endswith("."), f"a card is pinned without a reason: {pin}")
        yield from pin.places()


@check("A card stays pinned only where moving it would change what was seen.", examples=6,
       applies=lambda game: game.pinned is not pinned)  # fmt: skip
def pins_are_needed(game: AnyGame, luck: Luck) -> None:
    """One of many matches in which the pinned cards lie elsewhere must look different to a reader.

    A pin is the same for everybody who loads. A seat may have seen too much for it to matter, so a
    spectator, who has seen least, is asked as well.
    """
    sitting = somewhere(game, luck)
    stay = set(_pinned(game, sitting))
    if not stay or sitting.outcome is not None:
        return
    seat = luck.one_of(range(len(sitting.setups)))
    if not any(_is_held_by_pins(game, sitting, reader, stay) for reader in (seat, None)):
        raise Broken(f"{len(stay)} cards are pinned, but moving them changes nothing that was seen")


def _is_held_by_pins(
    game: AnyGame, sitting: Sitting, reader: Seat | None, stay: set[tuple[int, int]]
) -> bool:
    """Whether this reader sees a difference where the pinned cards are dealt like all others."""
    noted = _redealt(game, sitting, frozenset() if reader is None else frozenset({reader}), list)
    free = list(dict.fromkeys([*_places(noted.moved), *sorted(stay)]))
    for number in range(40):
        decks = [list(deck) for step in sitting.history for deck in step.decks]
        for deck in {deck for deck, _ in stay}:
            places = [at for index, at in free if index == deck]
            shuffled = seeded(Random(number))([decks[deck][at] for at in places])
            for at, card in zip(places, shuffled, strict=True):
                decks[deck][at] = card
        if _is_told_otherwise(game, sitting, reader, decks):
            return True
    return False


def _is_told_otherwise(
    game: AnyGame, sitting: Sitting, seat: Seat | None, decks: list[list[Any]]
) -> bool:
    try:
        other = replayed(game, sitting, decks)
    except (MoveRefused, ValueError, LookupError):
        return True
    return other.seen_by(seat) != sitting.seen_by(seat) or game.view(
        other.state, seat
    ) != game.view(sitting.state, seat)


def replayed(game: AnyGame, sitting: Sitting, decks: Any) -> Sitting:
    """The match as these decks deal it, by the moves that were made."""
    codes = [[game.card_text(card) for card in deck] for deck in decks]
    again = Sitting(game, sitting.options, sitting.seed)
    again.sealed = Stacked(codes, game.card_text)
    again.begin()
    for entry in (entry for line in sitting.rounds for entry in line["moves"]):
        seat, move = entry.split(" ", 1)
        try:
            again.play(int(seat), move)
        except MoveRefused:
            again.play(int(seat), move, past=True)
    Sitting.latest = sitting
    return again


@check("Where a match was dealt again, its decks and moves lead to the state it is in.",
       examples=10)  # fmt: skip
def the_decks_dealt_again_deal_this_match(game: AnyGame, luck: Luck) -> None:
    sitting = somewhere(game, luck, luck.one_of((0, 30, 150)))
    if sitting.outcome is not None:
        return
    seats = frozenset({luck.one_of(range(len(sitting.setups)))})
    redealt = _redealt(game, sitting, seats, seeded(Random(seed(luck))))
    try:
        again = replayed(game, sitting, redealt.decks)
    except MoveRefused as refusal:
        raise Broken(f"the decks dealt again do not allow what was played: {refusal}") from refusal
    if not decided_by_hidden_cards(game, redealt.state, again.state):
        same(redealt.state, again.state, "the state dealt again, and what its decks deal")


@check("After a re-deal every seat remembers the cards that it now holds.", examples=15)
def every_seat_remembers_the_cards_it_now_holds(game: AnyGame, luck: Luck) -> None:
    first = somewhere(game, luck)
    seats = list(range(len(first.setups)))
    loader = luck.one_of(seats)
    other = luck.one_of([seat for seat in seats if seat != loader])
    sitting, rng = first.loaded(2, frozenset({loader})), Random(seed(luck))
    view = game.view(sitting.state, other)
    for remembers in ("round", "match") if game.imagine else ():
        assert game.imagine is not None  # noqa: S101 - as the loop says
        world = game.imagine(view, rng, game.recent_events(sitting.seen_by(other), remembers))
        same(game.view(world, other), view, f"seat {other}'s view of the world it imagines")
    again = game.redeal(sitting.state, sitting.history, frozenset({other}), seeded(rng))
    same(game.view(again.state, other), view, f"seat {other}'s view after another re-deal")


@check("An imagined world looks the same to its seat, holds the same cards and plays on.",
       examples=15, applies=lambda game: game.imagine is not None)  # fmt: skip
def an_imagined_world_looks_the_same(game: AnyGame, luck: Luck) -> None:
    sitting = somewhere(game, luck)
    assert game.imagine is not None  # noqa: S101 - ``applies``
    for seat in game.to_act(sitting.state):
        view, rng = game.view(sitting.state, seat), Random(seed(luck))
        for events in ((), game.recent_events(sitting.seen_by(seat), "match")):
            world = game.imagine(view, rng, events)
            same(game.view(world, seat), view, f"seat {seat}'s view of the world it imagines")
            _holds_the_same(game, world, sitting.state)
            _plays_on(game, world, rng)


def _holds_the_same(game: AnyGame, world: Any, state: Any) -> None:
    imagined, cards = game.cards(world), game.cards(state)
    same(len(imagined), len(cards), "how many cards the imagined world has")
    if game.distinct_cards:  # else a rival may have brought cards that no view tells
        same(dict(counted(game, imagined)), dict(counted(game, cards)), "the imagined cards")


def _plays_on(game: AnyGame, world: Any, rng: Random) -> None:
    for _ in range(30):
        if game.outcome(world) is not None:
            return
        actor = rng.choice(game.to_act(world))
        move = rng.choice(game.legal_moves(world, actor))
        world = game.play(world, actor, move, seeded(rng)).state
