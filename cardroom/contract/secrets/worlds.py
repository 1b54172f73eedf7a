"""Worlds that fit what a seat knows: dealt again for a load, imagined by a bot."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from cardroom.contract.playing.luck import Luck, seed
from cardroom.contract.playing.sitting import Sitting, counted, somewhere
from cardroom.contract.playing.telling import texts_in
from cardroom.contract.reporting.check import Broken, check, require, same
from cardroom.contract.secrets.twins import decided_by_hidden_cards
from cardroom.rules.defaults import default_redeal, pinned
from cardroom.rules.errors import MoveRefused
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import RecordingShuffle, Stacked, seeded
from cardroom.rules.values import Redealt, Seat


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
    """Where cards are equal they are counted: all but those that the view names or pins hold."""
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
    """One of many matches in which the pinned cards lie elsewhere must be told otherwise.

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
    """Whether this reader is told otherwise where the pinned cards are dealt like all others."""
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
