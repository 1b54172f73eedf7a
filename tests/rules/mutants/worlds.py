"""Faults of worlds that are dealt again or imagined, and of chance."""

import random
from dataclasses import dataclass, replace

from msgspec.structs import replace as changed

from cardroom.rules import catalog
from cardroom.rules.cards import CARD, RANK
from cardroom.rules.defaults import default_redeal
from cardroom.rules.values import Pinned
from tests.fifth_game.view import HighCardView, view
from tests.rules.mutants.mutant import GAME, Mutant, imagine, mutated

usual = default_redeal(GAME)
PISTI, SHITHEAD, PYANITSA = map(catalog.find, ("pisti", "shithead", "pyanitsa"))


def as_is(state):
    return state


def nothing(state, history):
    return ()


def first_seat_only(state, history, seats, shuffle):
    return usual(state, history, frozenset(sorted(seats)[:1]), shuffle)


def by_the_whole_history(state, history, seats, shuffle):
    """It counts the steps of the match."""
    if len(history) % 2:
        return usual(state, history, seats, shuffle)
    return usual(state, history, seats, lambda pack: shuffle(pack)[::-1])


def moves_the_own_hand(state, history, seats, shuffle):
    return usual(state, history, frozenset(), shuffle)


def sorts_the_stock(state, history, seats, shuffle):
    found = usual(state, history, seats, shuffle)
    return changed(found, state=changed(found.state, stock=tuple(sorted(found.state.stock))))


def hands_stay(state, history, seats, shuffle):
    stay = tuple(Pinned("They are dealt.", tuple(_hands(state, history))) for _ in "1")
    return mutated(GAME, pinned=lambda *_: stay).redeal(state, history, seats, shuffle)


def _hands(state, history):
    deck = history[0].decks[0]
    held = {card for hand in state.hands for card in hand}
    yield 0, tuple(at for at, card in enumerate(deck) if card in held)


def moves_the_list_only(state, history, seats, shuffle):
    """The list names the moved cards; the decks stay."""
    found = usual(state, history, seats, shuffle)
    was = tuple(deck for step in history for deck in step.decks)
    return changed(found, decks=was)


def moves_the_decks_only(state, history, seats, shuffle):
    found = usual(state, history, seats, shuffle)
    return changed(found, state=state, events=tuple(step.events for step in history))


def tells_as_before(state, history, seats, shuffle):
    found = usual(state, history, seats, shuffle)
    return changed(found, events=tuple(step.events for step in history))


def pins_the_stock(state, history):
    first = 3 * len(state.hands)
    return (Pinned("Nobody ever sees them.", ((0, tuple(range(first, 36))),)),)


def pins_without_reason(state, history):
    return (Pinned("", ((0, (35,)),)),)


def imagines_a_shorter_stock(seen, rng, events=()):
    world = imagine(seen, rng, events)
    return changed(world, stock=world.stock[1:])


def imagines_another_hand(seen, rng, events=()):
    world = imagine(seen, rng, events)
    hands, stock = world.hands, world.stock
    if len(seen.hand) < 2 or seen.seat is None:
        return world
    own = (stock[0], *hands[seen.seat][1:])
    hands = (*hands[: seen.seat], own, *hands[seen.seat + 1 :])
    return changed(world, hands=hands, stock=(world.hands[seen.seat][0], *stock[1:]))


def in_the_order_of_a_set(state, seat):
    return tuple(set(GAME.legal_moves(state, seat)))


def view_in_the_order_of_a_set(state, seat) -> HighCardView:
    legal = () if seat is None else in_the_order_of_a_set(state, seat)
    return changed(view(state, seat), legal_moves=legal)


def start_by_a_generator_of_its_own(options, setups, shuffle):
    return GAME.start(options, setups, lambda cards: random.sample(shuffle(cards), len(cards)))


@dataclass(frozen=True)
class Rigged:
    """A deal that lays its deck otherwise than it was shuffled."""

    rig: object

    def __call__(self, options, setups, shuffle):
        return GAME.start(options, setups, lambda cards: self.rig(shuffle(cards)))


def ace_first(deck):
    at = next(at for at, card in enumerate(deck) if RANK[card] == RANK[CARD["AS"]])
    return [deck[at], *deck[:at], *deck[at + 1 :]]


def stock_sorted(deck):
    return [*deck[:15], *sorted(deck[15:])]


HASHED = mutated(GAME, legal_moves=in_the_order_of_a_set, view=view_in_the_order_of_a_set)
UNSEEDED = mutated(GAME, start=start_by_a_generator_of_its_own)

MUTANTS = (
    Mutant("a re-deal that asks one seat of several", mutated(GAME, redeal=first_seat_only),
           "several_seats_know_what_one_of_them_knows", "unknown to the seats", times=4),
    Mutant("a re-deal that needs the whole history", mutated(GAME, redeal=by_the_whole_history,
           redeal_suffices=lambda *_: True), "a_re_deal_needs_no_more_than_the_game_says",
           "the state dealt again from the last steps"),
    Mutant("a re-deal that moves the own hand", mutated(GAME, redeal=moves_the_own_hand),
           "a_re_deal_is_told_to_nobody", r"view\.hand"),
    Mutant("a re-deal that sorts the stock", mutated(GAME, redeal=sorts_the_stock),
           "a_re_deal_changes_nothing_that_is_known", "laid back as it was taken"),
    Mutant("a re-deal that keeps the other hands", mutated(GAME, redeal=hands_stay),
           "a_re_deal_moves_what_may_move", "seat . was not told of these, yet they stay: deck 0"),
    Mutant("a re-deal that lists what it does not move", mutated(GAME, redeal=moves_the_list_only),
           "a_re_deal_moves_what_may_move", "the cards laid back, and those shuffled"),
    Mutant("a re-deal that keeps the hidden cards", mutated(GAME, redeal=moves_the_decks_only),
           "the_decks_dealt_again_deal_this_match", "and what its decks deal"),
    Mutant("a pin without a reason", mutated(GAME, pinned=pins_without_reason),
           "a_re_deal_moves_what_may_move", "pinned without a reason"),
    Mutant("a pin that nothing needs", mutated(GAME, pinned=pins_the_stock),
           "pins_are_needed", r"\d+ cards are pinned, but moving them changes nothing"),
    Mutant("a re-deal that tells the old hands", mutated(GAME, redeal=tells_as_before),
           "every_seat_remembers_the_cards_it_now_holds", "seat .'s view of the world"),
    Mutant("an imagined stock that is short", mutated(GAME, imagine=imagines_a_shorter_stock),
           "an_imagined_world_looks_the_same", "how many cards"),
    Mutant("an imagined hand that is another", mutated(GAME, imagine=imagines_another_hand),
           "an_imagined_world_looks_the_same", "view of the world it imagines"),
    Mutant("Shithead leaves hands unsorted that were dealt again", mutated(SHITHEAD, arrange=as_is),
           "the_decks_dealt_again_deal_this_match", r"the state dealt again.*hands\[\d\]\[\d\]"),
    Mutant("Pişti moves the jacks below its exposed card", mutated(PISTI, pinned=nothing),
           "the_decks_dealt_again_deal_this_match", "and what its decks deal", times=4),
    Mutant("Pyanitsa moves the cards that were collected by name", mutated(PYANITSA,
           pinned=nothing), "the_decks_dealt_again_deal_this_match",
           "the decks dealt again do not allow what was played", times=25),
    Mutant("a short match that nothing describes", mutated(PISTI, short_words=""),
           "the_short_match_is_one", "the short match has no words"),
    Mutant("a lesson without a step", mutated(PISTI, lesson=replace(PISTI.lesson, steps=())),
           "a_lesson_reaches_its_end", "the lesson has no step"),
    Mutant("moves in the order of a set", HASHED,
           "two_processes_say_the_same", r"legal_moves\[\d\]: .*"),
    Mutant("a deal by a generator of its own", UNSEEDED,
           "two_processes_say_the_same", "in another process"),
    Mutant("an ace for the first seat", mutated(GAME, start=Rigged(ace_first)),
           "every_card_comes_everywhere", "seat 0: A. came .* standard deviations"),
    Mutant("a stock that lies sorted", mutated(GAME, start=Rigged(stock_sorted)),
           "every_card_comes_everywhere", r"place \d+ of the state's cards: .. came"),
)  # fmt: skip
