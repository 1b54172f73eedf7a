"""Faults of play: turns, moves, cards, endings, what a game says of itself."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace as changed

from cardroom.rules.bot import RANDOM
from cardroom.rules.cards import CARD, RANK, pack, texts
from cardroom.rules.encoding import Actions, numbered
from cardroom.rules.text import say
from cardroom.rules.values import (
    BadOptions,
    Event,
    IllegalMove,
    MalformedMove,
    MoveRefused,
    NotYourTurn,
    Options,
    Outcome,
    Seat,
)
from tests.fifth_game.events import HighCardEvent, TrickTaken
from tests.fifth_game.view import HighCardView, view
from tests.rules.mutants.mutant import GAME, HIGHEST, LAYOUT, Mutant, fields, mutated, narrate


def refuses_five(options):
    if options.players == 5:
        raise BadOptions(players="Four are enough.")


class Undescribed(Options, frozen=True, kw_only=True):
    players: Annotated[int, Meta(ge=2, le=5)] = 2


def last_seat_first(state):
    return GAME.to_act(state) and tuple(range(len(state.hands)))[::-1]


def shows_moves_of_others(state, seat):
    return changed(view(state, seat), legal_moves=GAME.legal_moves(state, GAME.to_act(state)[0])
                   if GAME.to_act(state) else ())  # fmt: skip


def over_too_soon(state):
    if sum(state.tricks) == 2:
        return Outcome((0,), state.tricks, "tricks", (1, *(2,) * (len(state.hands) - 1)))
    return GAME.outcome(state)


def spelled_otherwise(state, seat, move, shuffle):
    return changed(GAME.play(state, seat, move, shuffle), move=f"lay {move}")


def no_aces_second(state, seat, move, shuffle):
    if state.laid and move[0] == "A":
        raise IllegalMove("no_aces", "An ace may only be led.")
    return GAME.play(state, seat, move, shuffle)


def lists_the_best_rank_only(state, seat):
    """Suits must be followed, the author thinks; ``play`` does not know it."""
    legal = GAME.legal_moves(state, seat)
    best = max((RANK[CARD[move]] for move in legal), default=0)
    return tuple(move for move in legal if RANK[CARD[move]] == best)


def lays_from_the_stock(state, seat, move, shuffle):
    """A card that nobody holds is exchanged for the first of the hand, unasked."""
    if move in CARD and CARD[move] in state.stock and seat in GAME.to_act(state):
        given, taken = state.hands[seat][0], CARD[move]
        hands = tuple(
            tuple(taken if card == given else card for card in hand) for hand in state.hands
        )
        stock = tuple(given if card == taken else card for card in state.stock)
        state = changed(state, hands=hands, stock=stock)
    return GAME.play(state, seat, move, shuffle)


def crashes_on_nonsense(state, seat, move, shuffle):
    if seat in GAME.to_act(state) and CARD[move] not in state.hands[seat]:
        raise IllegalMove("not_in_hand", "You do not hold this card.")
    return GAME.play(state, seat, move, shuffle)


def refuses_without_a_sentence(state, seat, move, shuffle):
    if move not in CARD:
        raise MalformedMove("not_a_card", "no")
    return GAME.play(state, seat, move, shuffle)


class Impolite(MoveRefused):
    reason = "never"


def refuses_by_a_cause_of_its_own(state, seat, move, shuffle):
    try:
        return GAME.play(state, seat, move, shuffle)
    except IllegalMove:
        raise Impolite("never", "Certainly not.") from None


def loses_equal_cards(state, seat, move, shuffle):
    step = GAME.play(state, seat, move, shuffle)
    gone = step.state.gone
    if len(gone) > len(state.gone) and RANK[gone[-1]] == RANK[gone[-2]]:
        return changed(step, state=changed(step.state, gone=gone[:-1]))
    return step


def doubles_the_card_laid(state, seat, move, shuffle):
    step = GAME.play(state, seat, move, shuffle)
    return changed(step, state=changed(step.state, hands=state.hands))


def shuffles_the_low_half(options, setups, shuffle):
    whole = pack(36)
    low = [card for card in whole if RANK[card] < 9]
    high = [card for card in whole if RANK[card] >= 9]
    return GAME.start(options, setups, lambda _: [*shuffle(low), *high])


class AnyView(HighCardView, frozen=True, kw_only=True):
    pairs: object = ()


def view_with_untyped_pairs(state, seat) -> AnyView:
    return AnyView(pairs=tuple(enumerate(state.tricks)), **fields(view(state, seat)))


class Answered(Event, frozen=True):
    seat: Seat
    by: Seat


def opens_each_trick(state, seat, move, shuffle):
    step = GAME.play(state, seat, move, shuffle)
    if any(isinstance(event, TrickTaken) for event in step.events):
        opening = GAME.opening(tuple(map(texts, step.state.hands)))
        return changed(step, events=(*step.events, opening))
    return step


def silent_about_tricks(event, names):
    return "" if isinstance(event, TrickTaken) else narrate(event, names)


def goes_on_for_ever(seats):
    def play(state, seat, move, shuffle):
        step = GAME.play(state, seat, move, shuffle)
        if len(state.hands) not in seats or any(step.state.hands):
            return step
        again = GAME.start(state.options, (), shuffle).state
        return changed(step, state=again, scores=None)

    return play


def wins_by_fewest(state):
    outcome = GAME.outcome(state)
    return outcome and changed(outcome, winners=(outcome.places.index(max(outcome.places)),))


def points_forgotten(state, seat, move, shuffle):
    step = GAME.play(state, seat, move, shuffle)
    return step if step.scores is None else changed(step, scores=(0,) * len(step.scores))


def turn_before_sense(state, seat, move, shuffle):
    if seat not in GAME.to_act(state):
        raise NotYourTurn
    return GAME.play(state, seat, move, shuffle)


def one_number_short(legal):
    numbers = {card: number for number, card in enumerate(texts(pack(36)))}
    return {numbers[move]: move for move in legal if move != "AS"}


def beyond_its_bounds(seen):
    out = GAME.observe(seen)
    out[LAYOUT.starts["hand"]] = len(seen.gone)
    return out


MUTANTS = (
    Mutant("a phrase that is a speech", mutated(GAME, phrases={"speech": "On and on. " * 20}),
           "phrases_are_short", "is no short sentence"),
    Mutant("a preset that its own check refuses", mutated(GAME, check_options=refuses_five),
           "presets_are_what_they_say", "BadOptions"),
    Mutant("an option without a description", mutated(GAME, options=Undescribed, presets={}),
           "options_are_described", "without a description: players"),
    Mutant("teams that forget the fifth seat",
           mutated(GAME, sides=lambda o: tuple((s,) for s in range(min(o.players, 4)))),
           "any_options_seat_their_sides", r"the seats of all sides"),
    Mutant("two bots of one name", mutated(GAME, bots=(RANDOM, HIGHEST, HIGHEST)),
           "bots_say_what_they_are", "two bots have one name"),
    Mutant("a stand-in that there is not", mutated(GAME, stand_in="master"),
           "bots_say_what_they_are", "'master' is no bot"),
    Mutant("two actions of one text",
           mutated(GAME, actions=Actions(("6C",) * 36, GAME.actions.among)),
           "numbers_are_named_once", "two actions have one text"),
    Mutant("seats to act that do not ascend", mutated(GAME, to_act=last_seat_first),
           "moves_are_there_exactly_for_who_is_to_act", "to_act is not ascending"),
    Mutant("a view with the moves of another", mutated(GAME, view=shows_moves_of_others,
           view_type=HighCardView), "moves_are_there_exactly_for_who_is_to_act", "view of"),
    Mutant("an outcome while seats are to act", mutated(GAME, outcome=over_too_soon),
           "moves_are_there_exactly_for_who_is_to_act", "the match is over: True"),
    Mutant("a move recorded in another spelling", mutated(GAME, play=spelled_otherwise),
           "every_listed_move_is_accepted_in_its_own_spelling", "is recorded as 'lay "),
    Mutant("a listed move that is refused", mutated(GAME, play=no_aces_second),
           "every_listed_move_is_accepted_in_its_own_spelling", "IllegalMove: An ace"),
    Mutant("a legal move that is not listed", mutated(GAME, legal_moves=lists_the_best_rank_only,
           view=lambda s, seat: changed(view(s, seat), legal_moves=() if seat is None else
           lists_the_best_rank_only(s, seat)), view_type=HighCardView),
           "legal_is_listed", "seat . may play '..', which is not listed"),
    Mutant("a card of the stock may be laid", mutated(GAME, play=lays_from_the_stock),
           "legal_is_listed", "seat . may play '..', which is not listed"),
    Mutant("a move that nobody wrote crashes", mutated(GAME, play=crashes_on_nonsense),
           "nothing_else_is_accepted", "KeyError"),
    Mutant("a refusal without a sentence", mutated(GAME, play=refuses_without_a_sentence),
           "nothing_else_is_accepted", "is no sentence"),
    Mutant("a refusal of a new kind", mutated(GAME, play=refuses_by_a_cause_of_its_own),
           "nothing_else_is_accepted", "refused with Impolite"),
    Mutant("a card is lost in a rare case", mutated(GAME, play=loses_equal_cards),
           "cards_are_conserved", "these cards are lost: ..", times=25),
    Mutant("a card that was laid stays in the hand", mutated(GAME, play=doubles_the_card_laid),
           "cards_are_conserved", "these cards lie in two places: .."),
    Mutant("half of the pack is shuffled", mutated(GAME, start=shuffles_the_low_half),
           "cards_are_conserved", "in no shuffled deck"),
    Mutant("a view that its bytes do not give back", mutated(GAME, view=view_with_untyped_pairs),
           "values_come_back", "not equal to what was written"),
    Mutant("an event with a field of the envelope", mutated(GAME, events=HighCardEvent | Answered),
           "no_field_is_one_of_the_envelope", r"Answered\.by"),
    Mutant("a round that opens at each trick", mutated(GAME, play=opens_each_trick),
           "a_round_begins_with_its_opening", "Dealt is told 1 times, not 0"),
    Mutant("an event without words", mutated(GAME, narrate=silent_about_tricks),
           "everything_has_its_words", "has no words"),
    Mutant("a move without words", mutated(GAME, label=lambda move: ""),
           "everything_has_its_words", "the move '..' has no words"),
    Mutant("a note on an option that there is not",
           mutated(GAME, preset_words={"joker": say("Jokers win.")}),
           "words_stand_for_something", "preset_words speaks of joker"),
    Mutant("the default match never ends", mutated(GAME, play=goes_on_for_ever({2})),
           "the_default_match_and_every_preset_end", "is not over after"),
    Mutant("a match of four seats never ends", mutated(GAME, play=goes_on_for_ever({4})),
           "a_match_of_any_number_of_seats_ends", r"players=4\) and seed \d+ is not over after"),
    Mutant("the last one wins", mutated(GAME, outcome=wins_by_fewest),
           "an_outcome_adds_up", "winners, and the seats in the first place"),
    Mutant("points that no round scored", mutated(GAME, play=points_forgotten),
           "an_outcome_adds_up", "points, and the sum"),
    Mutant("whose turn it is comes before what was meant", mutated(GAME, play=turn_before_sense),
           "nothing_is_played_after_the_end", "NotYourTurn, not MalformedMove"),
    Mutant("a card without a number",
           mutated(GAME, actions=Actions(texts(pack(36)), one_number_short)),
           "every_move_has_a_number", "without a number are AS", times=25),
    Mutant("a number for no action", mutated(GAME, actions=Actions(texts(pack(36))[:20],
           numbered(texts(pack(36))).among)), "every_move_has_a_number", "are no actions"),
    Mutant("an observation beyond its bounds", mutated(GAME, observe=beyond_its_bounds),
           "observations_keep_their_bounds", "0: . is not 0 to 1"),
)  # fmt: skip
