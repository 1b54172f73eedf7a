"""Shithead's table by forms alone: seats, the exchange, choosing cards, blind slots, the shed."""

import re
from random import Random

import pytest

from cardroom.rules.cards import CARD
from cardroom.rules.shithead.narration import why_refused
from tests.matches.scenes import move, now, opened, played, resigned, short
from tests.web.browsing import signed_in
from tests.web.test_table import let_bots_move, shown_cards


def fresh(ada, seats="me, bot lowest", **options):
    """A match past the exchange, Ada to play."""
    match = opened(ada, seats, "shithead", options={"exchange": False} | options)
    assert 0 in match.to_act
    return match


def boxes(browser):
    """The cards that may be ticked."""
    return re.findall(r'type="checkbox"[^>]* value="(\w\w)"', browser.page)


def tick(browser, cards, says="Play the chosen"):
    """Sends the form with these cards ticked, in the order in which they stand on the page."""
    form = next(form for form in browser.forms if form.id == "felt")
    sent = {}
    for name, value in [*form.fields, *[("move", c) for c in boxes(browser) if c in cards]]:
        sent.setdefault(name, []).append(value)
    answer = browser.client.post(form.action, sent, follow=True)
    return browser._show(answer, form.action)


def equal_cards(view):
    """Cards of the lowest rank that the viewer may play, all of them."""
    rank = next(card[0] for card in view.hand if why_refused(view, card) is None)
    return [card for card in view.hand if card[0] == rank]


class TestSeats:
    @pytest.mark.parametrize("players", [2, 5, 18])
    def test_every_seat_shows_its_top_cards_and_counts(self, ada, at_home, players):
        seats = ", ".join(["me"] + ["bot lowest"] * (players - 1))
        match = fresh(ada, seats, players=players)
        at_home.open(f"/matches/{match.id}")
        tiles = at_home.page.split('<li class="sh-seat')[1:]
        assert len(tiles) == players - 1
        view = match.rules.view(match.state, 0)
        for seat, tile in enumerate(tiles, start=1):
            assert match.names[seat] in tile
            assert tile.count('role="img"') >= len(view.tops[seat])
            assert f"<b>{view.hand_counts[seat]}</b>" in tile
            assert f"<b>+{len(view.hidden[seat])}</b>" in tile

    def test_equal_computers_have_different_names(self, ada, at_home):
        match = fresh(ada, "me, bot lowest, bot lowest", players=3)
        assert match.names == ["Ada", "Lowest", "Lowest 2"]
        assert "Lowest 2" in at_home.open(f"/matches/{match.id}").text

    @pytest.mark.parametrize(("jokers", "way"), [(0, "clockwise"), (1, "anticlockwise")])
    def test_says_which_way_play_goes_and_who_is_next(self, ada, stranger, jokers, way):
        match = self._after_jokers(ada, jokers)
        text = stranger.open(f"/matches/{match.id}").text
        view = match.rules.view(match.state, None)
        assert re.search(rf"\W{way}\W", text)
        assert f"next: {match.names[view.next_seat]}" in text

    @staticmethod
    def _after_jokers(ada, jokers):
        rng = Random(7)
        for _ in range(60):
            match = fresh(ada, "me, bot lowest, bot lowest, bot lowest", players=4)
            match = played(match, 1 + 3 * bool(jokers), rng)
            for _ in range(40):
                if match.is_over or (match.state.direction == -1) == bool(jokers):
                    break
                match = played(match, match.version + 1, rng)
            if not match.is_over and (match.state.direction == -1) == bool(jokers):
                return match
        raise AssertionError("No joker was ever played.")

    def test_a_seat_that_resigned_is_marked(self, ada, ben, stranger):
        match = opened(ada, "me, local Bob, bot lowest", "shithead", options={"players": 3})
        resigned(match, 1)
        assert "resigned : the computer plays on" in stranger.open(f"/matches/{match.id}").text


class TestExchange:
    def test_two_ticked_cards_change_places(self, ada, at_home):
        match = opened(ada, "me, bot lowest", "shithead")
        view = match.rules.view(match.state, 0)
        at_home.open(f"/matches/{match.id}")
        assert sorted(boxes(at_home)) == sorted([*view.hand, *view.tops[0]])
        given, taken = view.hand[0], view.tops[0][-1]
        tick(at_home, {given, taken}, "Swap")
        after = now(match).rules.view(now(match).state, 0)
        assert given in after.tops[0]
        assert taken in after.hand

    def test_when_all_swaps_are_made_the_page_says_so(self, ada, at_home):  # shithead R5
        match = opened(ada, "me, bot lowest", "shithead", options={"players": 2, "deal": "three"})
        for _ in range(9):
            match = move(match, match.rules.legal_moves(match.state, 0)[1], 0)
        at_home.open(f"/matches/{match.id}")
        assert "you have made all swaps" in at_home.text
        assert (boxes(at_home), "Swap the two chosen" in at_home.page) == ([], False)
        at_home.press("I am ready")
        assert now(match).state.ready[0]

    def test_two_swap_at_the_same_moment(self, ada, ben):
        """Both pages show the same version; neither is told that the match went on."""
        match = opened(ada, "me, user ben", "shithead")
        signed_in(ben).open(f"/matches/{match.id}").press("Sit down here")
        people = [signed_in(ada).open(f"/matches/{match.id}") for _ in range(1)]
        people.append(signed_in(ben).open(f"/matches/{match.id}"))
        for seat, person in enumerate(people):
            view = now(match).rules.view(now(match).state, seat)
            tick(person, {view.hand[0], view.tops[seat][0]}, "Swap")
            assert "went on in the meantime" not in person.text
            assert person.alerts == []
        assert now(match).version == 2

    def test_an_old_page_of_my_own_is_told_kindly(self, ada, at_home):
        match = opened(ada, "me, local Bob", "shithead")
        at_home.open(f"/matches/{match.id}").press("show my cards")
        move(match, seat=0)
        at_home.press("ready")
        assert "went on in the meantime" in at_home.text
        assert now(match).version == 1

    def test_ready_is_one_press(self, ada, at_home):
        match = opened(ada, "me, bot lowest", "shithead")
        at_home.open(f"/matches/{match.id}").press("I am ready")
        assert now(match).state.ready[0]


class TestPlaying:
    def test_the_hand_lies_sorted_and_may_be_ticked(self, ada, at_home):
        match = fresh(ada)
        view = match.rules.view(match.state, 0)
        at_home.open(f"/matches/{match.id}")
        assert boxes(at_home) == list(view.hand)

    def test_equal_cards_are_played_together(self, ada, at_home):
        match = fresh(ada)
        for _ in range(12):  # until a hand has two of the lowest
            if len(equal_cards(match.rules.view(match.state, 0))) > 1:
                break
            match = fresh(ada)
        cards = equal_cards(match.rules.view(match.state, 0))
        tick(at_home.open(f"/matches/{match.id}"), cards)
        assert not {CARD[card] for card in cards} & set(now(match).state.hands[0])
        assert now(match).version == 1

    def test_two_ranks_are_refused_with_everything_as_it_was(self, ada, at_home):
        match = fresh(ada)
        hand = match.rules.view(match.state, 0).hand
        tick(at_home.open(f"/matches/{match.id}"), {hand[0], hand[-1]})
        assert "must be of the same rank" in at_home.text
        assert now(match).version == 0

    def test_nothing_ticked_is_refused(self, ada, at_home):
        match = fresh(ada)
        tick(at_home.open(f"/matches/{match.id}"), set())
        assert at_home.alerts
        assert now(match).version == 0

    def test_what_may_not_be_played_says_why(self, ada, at_home):
        match = self._with_barred_cards(ada)
        view = match.rules.view(match.state, 0)
        at_home.open(f"/matches/{match.id}")
        for card in view.hand:
            why = why_refused(view, card)
            assert (f'value="{card}"' in at_home.page) == (card in boxes(at_home))
            if why:
                assert str(why) in at_home.text or str(why) in at_home.page
        assert set(view.legal_moves) <= set(at_home.moves)

    @staticmethod
    def _with_barred_cards(ada):
        rng = Random(3)
        match = fresh(ada)
        while True:
            match = played(match, match.version + 1, rng)
            view = match.rules.view(match.state, 0)
            if match.to_act == [0] and any(why_refused(view, card) for card in view.hand):
                return match
            if match.is_over:
                match = fresh(ada)

    def test_picking_up_goes_without_the_ticked_cards(self, ada, at_home):
        rng = Random(4)
        match = fresh(ada, pickup="voluntary")
        while "pickup" not in match.rules.legal_moves(match.state, 0):
            match = played(match, match.version + 1, rng)
        pile = len(match.state.pile)
        at_home.open(f"/matches/{match.id}").press(f"Pick up the pile ({pile})")
        assert "no move of Shithead" not in at_home.text
        assert now(match).state.pile == ()

    def test_top_cards_go_with_the_last_hand_cards(self, ada, at_home):
        """R9: a hand of one rank and a top card of this rank are one play."""
        match = self._with_combined_play(ada)
        view = match.rules.view(match.state, 0)
        combined = next(m for m in view.legal_moves if len(m.split()) > len(view.hand))
        at_home.open(f"/matches/{match.id}")
        assert set(combined.split()) <= set(boxes(at_home))
        tick(at_home, set(combined.split()))
        assert at_home.alerts == []
        gone = {CARD[card] for card in combined.split()}
        assert not gone & set(now(match).state.tops[0])

    @staticmethod
    def _with_combined_play(ada):
        rng = Random(11)
        for _ in range(60):
            match = fresh(ada, "me, bot lowest, bot lowest, bot lowest, bot lowest", players=5)
            while not match.is_over:
                match = played(match, match.version + 1, rng)
                view = match.rules.view(match.state, 0)
                longest = max((len(m.split()) for m in view.legal_moves if m[0] != "b"), default=0)
                if match.to_act == [0] and view.hand and longest > len(view.hand):
                    return match
        raise AssertionError("No hand was ever finished together with a top card.")

    def test_hidden_cards_are_turned_up_by_their_slots(self, ada, at_home):
        rng = Random(2)
        match = fresh(ada)
        while not any(m.startswith("blind") for m in match.rules.legal_moves(match.state, 0)):
            match = played(match, match.version + 1, rng)
            match = fresh(ada) if match.is_over else match
        hidden = {match.rules.card_text(c) for c in match.state.hidden[0] if c is not None}
        at_home.open(f"/matches/{match.id}")
        slots = [m for m in at_home.moves if m.startswith("blind")]
        assert slots == list(match.rules.legal_moves(match.state, 0))
        pile = {match.rules.card_text(c) for c in match.state.pile}
        assert not hidden & (shown_cards(at_home) - pile)
        before = match.version
        at_home.press(slots[0])
        assert now(match).version == before + 1


class TestEnd:
    def test_names_the_shed_and_what_it_was_left_with(self, ada, stranger):
        match = played(short(ada, "shithead"))
        view = match.rules.view(match.state, None)
        stranger.open(f"/matches/{match.id}")
        for seat in view.last_shed:
            assert f"{match.names[seat]} was left with" in stranger.text
        assert ("is the shed" in stranger.text) == (len(view.last_shed) == 1)

    def test_a_later_game_names_the_shed_of_the_one_before(self, ada, stranger):
        match, rng = fresh(ada, "me, local Bob", games=3, max_turns=30), Random(1)
        while match.round < 2:
            match = played(match, match.version + 1, rng)
        view = match.rules.view(match.state, None)
        text = stranger.open(f"/matches/{match.id}").text
        sheds = ", ".join(match.names[seat] for seat in view.last_shed)
        assert f"last shed: {sheds}" in text
        assert "game 2 of 3" in text
        assert text.count("shed ×1") == len(view.last_shed)


def test_a_whole_game_with_the_buttons_of_single_moves(ada, at_home):
    match, rng = short(ada, "shithead", "me, bot lowest"), Random(1)
    while not now(match).is_over:
        let_bots_move(match)
        at_home.open(f"/matches/{match.id}")
        if at_home.moves:
            at_home.press(rng.choice([m for m in at_home.moves if m != "swap"]))
            assert at_home.alerts == []
    assert "the shed" in at_home.text
