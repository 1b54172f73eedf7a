"""The view of a seat (pyanitsa §5): the table, counts, and no card of a pile."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.contract import Broken
from cardroom.contract.playing import Sitting
from cardroom.contract.secrets import judged
from cardroom.rules.cards import CARD, pack
from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa.events import CardLaid, TrickTaken
from cardroom.rules.shuffles import Stacked, seeded
from cardroom.rules.values import HistoryStep
from tests.rules.playing import Sitting as PlayingSitting
from tests.rules.playing import examples
from tests.rules.pyanitsa.playouts import Played, house_rules, steps
from tests.rules.pyanitsa.scene import flip, scene, stacked, toy_match, trick

seeds = st.integers(min_value=0, max_value=2**32)


def test_piles_are_counts():
    state, _ = trick(scene("KC 7C", "9D 8D"))
    view = PYANITSA.view(flip(state).state, 1)
    assert (view.draw_counts, view.won_counts) == ((0, 1), (2, 0))
    assert [(card.seat, card.card) for card in view.table] == [(0, "7C")]
    assert (view.phase, view.to_act, view.legal_moves) == ("lay", (1,), ("flip",))


def test_a_spectator_sees_the_table_and_has_no_moves():
    state = scene("KC 7C", "9D 8D")
    seen = PYANITSA.view(state, None)
    assert (seen.seat, seen.legal_moves, seen.to_act) == (None, (), (0,))


def test_a_card_laid_face_down_is_seen_by_nobody():
    piles = ("8C 7D QD 6C", "8S AH TD 6H")
    state = scene(*piles, dispute="mortgage")
    for _ in range(3):
        state = flip(state).state
    for seat in (0, 1, None):
        table = PYANITSA.view(state, seat).table
        assert [card.card for card in table] == ["8C", "8S", None, "QD"]
        assert [card.face_down for card in table] == [False, False, True, False]


def test_a_taker_that_chooses_the_order_sees_every_card_of_its_trick():
    piles = ("8C 7D QD 6C", "8S AH TD 6H")
    state, _ = trick(scene(*piles, dispute="mortgage", collect_order="arbitrary"))
    of_taker, of_other, of_nobody = (PYANITSA.view(state, seat) for seat in (0, 1, None))
    assert [card.card for card in of_taker.table] == ["8C", "8S", "7D", "QD", "AH", "TD"]
    hidden = ["8C", "8S", None, "QD", None, "TD"]
    assert [card.card for card in of_other.table] == hidden
    assert [card.card for card in of_nobody.table] == hidden
    assert of_other.legal_moves == ()
    assert (of_other.phase, of_other.taker) == ("collect", 0)


def test_the_end():
    state, _ = trick(scene("9C 8C", "7D"))
    view = PYANITSA.view(state, 1)
    assert (view.phase, view.to_act, view.out_in) == ("over", (), (0, 1))


@examples(40)
@given(house_rules(max_tricks=12), seeds)
def test_no_view_names_a_card_that_is_not_open_on_the_table(options, seed):
    for _, step in steps(options, Random(seed)):
        for seat in (*range(options.players), None):
            told = msgspec.json.encode(PYANITSA.view(step.state, seat)).decode()
            may_see = {
                PYANITSA.card_text(laid.card)
                for laid in step.state.table
                if not laid.face_down or (seat is not None and seat == step.state.taker)
            }
            named = {code for code in CARD if f'"{code}"' in told or f" {code}" in told}
            assert named == may_see


# A world behind a view: every card somewhere, none set aside that was shown.


# Cards that `TrickTaken` hides: the cards that lay face down, from everybody but the taker (§5).

ARBITRARY = PYANITSA.choose_options({"dispute": "mortgage", "collect_order": "arbitrary"})


def taken_face_down(options):
    """A match up to a trick of which cards lay face down, and that event."""
    for number in range(100):
        sitting = Sitting.begun(PYANITSA, options, number)
        for step in sitting.plies(Random(number), 200):
            for event in step.events:
                if isinstance(event, TrickTaken) and event.face_down:
                    return sitting, event
    pytest.fail("no trick had cards face down")


def test_nobody_but_the_taker_sees_what_lies_face_down():
    sitting, event = taken_face_down(ARBITRARY)
    for seat in (0, 1, None):
        table = PYANITSA.view(sitting.state, seat).table
        down = tuple(laid.card for laid in table if laid.face_down)
        assert down == (event.face_down if seat == event.seat else (None,) * len(down))
        told = event.seen_by(seat).face_down
        assert told == (event.face_down if seat == event.seat else None)


def test_shown_in_full_it_would_be_a_leak(monkeypatch):
    monkeypatch.setattr(TrickTaken, "seen_by", lambda self, seat: self)
    with pytest.raises(Broken, match=r"was told \w+, which seat \d holds"):
        watch(ARBITRARY)


@pytest.mark.parametrize("order", ["as_laid", "own_first", "random"])
def test_where_nobody_chooses_an_order_it_names_no_card(order):
    options = PYANITSA.choose_options({"dispute": "mortgage", "collect_order": order})
    for number in range(5):
        sitting = Sitting.begun(PYANITSA, options, number)
        for step in sitting.plies(Random(number), 200):
            assert all(e.face_down is None for e in step.events if isinstance(e, TrickTaken))


def watch(options):
    for number in range(20):
        sitting = Sitting.begun(PYANITSA, options, number)
        for found in judged(PYANITSA, sitting.so_far_and(sitting.plies(Random(number), 200))):
            if found:
                raise Broken("\n".join(found))


# Loading with new cards (FORMAT.md §2): what these seats saw stays, all else is dealt again.

MIXING = {"dispute": "mortgage", "recycle": "shuffle", "collect_order": "random"}


def redealt(played, seats, seed):
    return PYANITSA.redeal(played.state, played.history, frozenset(seats), seeded(Random(seed)))


def replayed(played, decks):
    """The last state and all events of the same moves with other decks."""
    texts = [list(map(PYANITSA.card_text, deck)) for deck in decks]
    shuffle = Stacked(texts, PYANITSA.card_text)
    step = PYANITSA.start(played.options, (), shuffle)
    events = [*step.events]
    for seat, move in played.moves:
        step = PYANITSA.play(step.state, seat, move, shuffle)
        events.extend(step.events)
    assert shuffle.used == len(decks)
    return step.state, events


def seen(events, seats):
    return [[event.seen_by(seat) for event in events] for seat in (*sorted(seats), None)]


def assert_same_past(played, seats, seed):
    """The moves of the past, played with the decks dealt again, lead to the state dealt again, and
    nothing that these seats saw on the way is different."""
    new = redealt(played, seats, seed)
    state, events = replayed(played, new.decks)
    assert state == new.state
    past = [event for happened in played.history for event in happened.events]
    assert seen(events, seats) == seen(past, seats)
    for seat in (*seats, None):
        assert PYANITSA.view(new.state, seat) == PYANITSA.view(played.state, seat)
    return new


@examples(80)
@given(house_rules(max_tricks=60), seeds, st.integers(0, 150), st.integers(0, 2**8))
def test_under_every_house_rule_the_past_stays_what_these_seats_saw(options, seed, plies, mask):
    seats = {seat for seat in range(options.players) if mask >> seat & 1}
    played = Played(options, Random(seed), plies)
    new = assert_same_past(played, seats, seed)
    assert sorted(PYANITSA.cards(new.state)) == sorted(pack(options.deck))


@examples(60)
@given(st.integers(2, 8), st.sampled_from([36, 52, 54]), seeds, st.integers(0, 400))
def test_mortgage_with_shuffled_piles_and_tricks(players, deck, seed, plies):
    options = PYANITSA.choose_options({**MIXING, "players": players, "deck": deck})
    played = Played(options, Random(seed), plies)
    assert_same_past(played, {0}, seed)


@examples(40)
@given(st.integers(2, 5), seeds, st.integers(0, 300))
def test_of_each_deck_exactly_the_cards_not_shown_since_are_moved(players, seed, plies):
    """The same said in another way: walking the history backwards, deck by deck."""
    options = PYANITSA.choose_options({**MIXING, "players": players})
    played = Played(options, Random(seed), plies)
    new = redealt(played, {0}, seed)
    shown = set()
    expected = {}
    index = len(played.decks)
    for happened in reversed(played.history):
        decks = len(happened.decks)
        for event in reversed(happened.events):
            if isinstance(event, CardLaid) and event.card:
                shown.add(CARD[event.card])
            if type(event).__name__ in {"TrickTaken", "Recycled", "Dealt"}:
                index, decks = index - 1, decks - 1
                deck = played.decks[index]
                expected[index] = tuple(at for at, c in enumerate(deck) if c not in shown)
        assert decks == 0
    assert dict(new.moved) == {index: at for index, at in expected.items() if at}
    assert [index for index, _ in new.moved] == sorted(dict(new.moved))


def test_before_the_first_card_everything_is_dealt_again():
    played = Played(PYANITSA.choose_options({"players": 5}), Random(1), plies=0)
    new = redealt(played, {0}, seed=2)
    assert new.moved == ((0, tuple(range(36))),)
    assert new.state.draw != played.state.draw
    assert new.state.aside != played.state.aside


def test_when_every_card_was_shown_nothing_moves():
    """With open disputes and piles in order, who remembers everything knows everything."""
    deck = "AC KC QD JD 6H 7H"
    step = toy_match(deck)
    history = [HistoryStep(1, (tuple(CARD[code] for code in deck.split()),), step.events)]
    for _ in range(6):
        step = PYANITSA.play(step.state, PYANITSA.to_act(step.state)[0], "flip", stacked())
        history.append(HistoryStep(1, (), step.events))
    new = PYANITSA.redeal(step.state, history, frozenset({0}), seeded(Random(3)))
    assert new.moved == ()
    assert new.state == step.state


class TestFaceDownUnderArbitrary:
    """A taker that chooses the order looks at what lay face down; the other seats never do."""

    DECK = "8C 8S 7D AH QD TD 6C 6H"

    def history(self, plies):
        options = {"dispute": "mortgage", "collect_order": "arbitrary"}
        step = toy_match(self.DECK, **options)
        cards = tuple(CARD[code] for code in self.DECK.split())
        history = [HistoryStep(1, (cards,), step.events)]
        for move in ["flip"] * 4 + ["collect TD AH QD 7D 8S 8C"][: plies - 4]:
            (seat,) = PYANITSA.to_act(step.state)
            step = PYANITSA.play(step.state, seat, move, stacked())
            history.append(HistoryStep(1, (), step.events))
        return step.state, history

    def moved(self, plies, seats):
        state, history = self.history(plies)
        assert any(isinstance(e, TrickTaken) for happened in history for e in happened.events)
        new = PYANITSA.redeal(state, history, frozenset(seats), seeded(Random(4)))
        ((_, positions),) = new.moved
        return [self.DECK.split()[position] for position in positions]

    def test_the_taker_knows_them_at_once(self):
        assert self.moved(4, {0}) == ["6C", "6H"]

    def test_to_the_others_they_are_unknown_while_the_taker_chooses(self):
        assert self.moved(4, {1}) == ["7D", "AH", "6C", "6H"]

    def test_they_stay_where_they_lay_once_a_move_of_the_past_names_them(self):
        assert self.moved(5, {1}) == ["6C", "6H"]


@pytest.mark.parametrize("collect_order", ["as_laid", "random"])
def test_the_last_tricks_tell_where_every_card_lies(collect_order):
    """Of a match that goes round for ever nothing older is needed."""
    chosen = {"collect_to": "bottom", "collect_order": collect_order, "leader": "fixed"}
    options = PYANITSA.choose_options(chosen)
    played = PlayingSitting.begun(PYANITSA, options, 5).play_on(Random(1), 900)
    history, state = tuple(played.history), played.state
    assert not PYANITSA.redeal_suffices(state, history[-30:])
    suffices = next(n for n in range(30, 900) if PYANITSA.redeal_suffices(state, history[-n:]))
    steps = history[-suffices:]
    whole, part = (
        PYANITSA.redeal(state, past, {0}, seeded(Random(3))) for past in (history, steps)
    )
    before = sum(len(step.decks) for step in history) - sum(len(step.decks) for step in steps)
    assert part.state == whole.state
    assert tuple((before + deck, at) for deck, at in part.moved) == whole.moved
    assert part.history(steps) == whole.history(history)[-suffices:]
    assert suffices <= 200
