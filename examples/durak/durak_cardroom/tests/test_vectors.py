"""The test vectors of RULES.md §6, each under its number."""

from msgspec.structs import replace

from cardroom.rules.cards import CARD, parse, text
from cardroom.rules.shuffles import Stacked
from durak_cardroom.deal import begin_attack
from durak_cardroom.options import DurakOptions
from durak_cardroom.predicates import beats, suit
from durak_cardroom.rules import outcome, play, to_act
from durak_cardroom.state import DurakState

HEARTS, CLUBS = 2, "6C"


def test_what_beats_what() -> None:  # R8
    def beaten(card: str, by: str) -> bool:
        return beats(CARD[by], CARD[card], HEARTS)

    assert suit(CARD["6H"]) == HEARTS
    assert beaten("7C", "9C")  # vector 1
    assert not beaten("9C", "7C")  # vector 2
    assert beaten("AC", "6H")  # vector 3
    assert not beaten("7C", "AD")  # vector 4
    assert not beaten("9H", "AS")  # vector 5
    assert beaten("9H", "TH")  # vector 6


def the_end_of(*hands: str, moves: str) -> DurakState:
    """The last attacks of a game: the talon is empty, clubs are trumps, seat 0 attacks."""
    cards = tuple([parse(hand) for hand in hands])
    state = DurakState(
        options=DurakOptions(players=len(hands)),
        hands=cards,
        talon=(),
        trump=CARD[CLUBS],
        attacker=0,
        defender=0,
        limit=0,
        points=(0,) * len(hands),
        places=(0,) * len(hands),
        passed=(False,) * len(hands),
        attacks_over=1,
    )
    state = begin_attack(state, 0)
    for turn in moves.split(", "):
        seat, move = turn.split(" ", 1)
        state = play(state, int(seat), move, Stacked([], text)).state
    return state


def test_vector_7_the_last_card_is_taken() -> None:  # R17, R21
    state = the_end_of("6D 6S", "7D 9D", moves="0 6D, 1 7D, 0 6S, 1 take")
    assert (state.fool, state.points) == (1, (1, 0))
    assert to_act(state) == ()


def test_vector_8_the_last_cards_go_at_once() -> None:  # R21, R23
    state = the_end_of("6D", "7D", moves="0 6D, 1 7D")
    assert (state.fool, state.points) == (None, (0, 0))
    ended = outcome(state)
    assert ended is not None
    assert ended.winners == (0, 1)


def test_vector_9_the_defender_attacks_next() -> None:  # R16
    state = the_end_of("6D 9S", "7D 8D", moves="0 6D, 1 7D, 0 pass, 1 8D, 0 take")
    assert state.fool == 0


def test_an_attack_is_passed_on_only_where_it_is_so_chosen() -> None:  # R19
    state = the_end_of("6D 9S KS", "6S 8D QD", moves="0 6D")
    assert "transfer 6S" not in _moves(state)
    chosen = replace(state, options=DurakOptions(transfer=True))
    assert "transfer 6S" in _moves(chosen)
    passed_on = play(chosen, 1, "transfer 6S", Stacked([], text)).state
    assert (passed_on.attacker, passed_on.defender, to_act(passed_on)) == (1, 0, (0,))
    short = the_end_of("6D", "6S 8D QD", moves="0 6D")
    assert "transfer 6S" not in _moves(replace(short, options=DurakOptions(transfer=True)))


def _moves(state: DurakState) -> tuple[str, ...]:
    from durak_cardroom.rules import legal_moves

    return legal_moves(state, 1)


def test_only_neighbours_throw_in_where_it_is_so_chosen() -> None:  # R10
    asked = []
    for throwers in ("all", "neighbours"):
        options = DurakOptions(players=4, throwers=throwers)
        state = the_end_of("6D 6H", "7D 8D", "9S TS", "7S 7H", moves="0 6D")
        state = replace(state, options=options)
        state = play(state, 1, "7D", Stacked([], text)).state
        order = []
        while to_act(state) and state.attacks:
            order.append(to_act(state)[0])
            state = play(state, order[-1], "pass", Stacked([], text)).state
        asked.append(order)
    assert asked == [[0, 2, 3], [0, 2]]


def test_the_first_attack_of_a_game_is_shorter() -> None:  # R13
    state = the_end_of("6D", "7D 8D 9D TD JD QD KD", moves="0 6D")
    assert state.limit == 6
    first = begin_attack(replace(state, attacks_over=0), 0)
    assert first.limit == 5
    assert begin_attack(replace(first, hands=(*first.hands[:1], parse("7D 8D"))), 0).limit == 2
