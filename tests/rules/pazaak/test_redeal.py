"""Loading with new cards (FORMAT.md §2): what these seats saw stays, all else is dealt again."""

from collections import Counter
from random import Random

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.predicates import MAIN_PACK
from cardroom.rules.shuffles import RecordingShuffle, Stacked, seeded
from cardroom.rules.values import HistoryStep, Setup
from tests.rules.pazaak.scene import deck

ANN = ["P1", "P2", "P3", "P4", "P5", "P6", "M1", "M2", "M3", "M4"]
BOB = ["F12", "F13", "F14", "F15", "F16", "F23", "F24", "F25", "F26", "F34"]
ONE = deck("2 3 4", bottom="9 6")
TWO = deck("4 5 6", bottom="8 6")


class Played:
    """A match with the history that a service would keep."""

    def __init__(self, decks, moves, bots=(None, None), **options):
        self.options = PAZAAK.choose_options(options)
        self.setups = tuple(
            Setup(name, bot, tuple(side))
            for name, bot, side in zip(("Ann", "Bob"), bots, (ANN, BOB), strict=True)
        )
        self.moves = moves
        self.history = []
        noted = RecordingShuffle(Stacked([[str(card) for card in deck] for deck in decks], str))
        step = PAZAAK.start(self.options, self.setups, noted)
        self._keep(step, noted)
        for move in moves:
            step = PAZAAK.play(self.state, self.state.to_act, move, noted)
            self._keep(step, noted)

    def _keep(self, step, noted):
        self.state = step.state
        self.history.append(HistoryStep(step.state.round_no, tuple(noted.decks), step.events))
        noted.decks = []

    def redealt(self, seats, seed=1):
        return PAZAAK.redeal(self.state, self.history, frozenset(seats), seeded(Random(seed)))

    def replayed(self, decks):
        shuffle = Stacked([[str(card) for card in deck] for deck in decks], str)
        step = PAZAAK.start(self.options, self.setups, shuffle)
        for move in self.moves:
            step = PAZAAK.play(step.state, step.state.to_act, move, shuffle)
        return step.state


def two_draws(**how):
    return Played([ANN, BOB, ONE, TWO], ["draw", "P2", "draw", "F14"], **how)


def test_the_positions_dealt_again_are_those_the_seat_cannot_know():
    moved = dict(two_draws().redealt({0}).moved)
    assert moved[0] == tuple(range(4, 10))  # the own rest
    assert moved[1] == (0, 1, *range(3, 10))  # F14 at position 2 was played
    assert moved[2] == moved[3] == tuple(range(1, 38))  # one drawn; 38 opened, 39 were equal


def test_who_sits_on_both_sides_knows_both_hands():
    moved = dict(two_draws().redealt({0, 1}).moved)
    assert moved[0] == moved[1] == tuple(range(4, 10))


def test_the_own_hand_stays_and_the_rivals_is_new():
    played = two_draws()
    states = [played.redealt({0}, seed).state for seed in range(8)]
    for state in states:
        assert PAZAAK.view(state, 0) == PAZAAK.view(played.state, 0)
        assert sorted(state.halves[1].hand + state.halves[1].side) == sorted(set(BOB) - {"F14"})
    assert len({state.halves[1].hand for state in states}) > 4
    assert len({state.halves[0].side for state in states}) > 4


def test_the_same_moves_with_the_new_decks_lead_to_the_new_state():
    played = two_draws()
    for seats in ((), (0,), (1,), (0, 1)):
        for seed in range(5):
            redealt = played.redealt(seats, seed)
            assert played.replayed(redealt.decks) == redealt.state
            assert sorted((*redealt.state.halves[1].main, 4)) == sorted(MAIN_PACK)


def test_in_later_rounds_the_opening_is_over_and_old_decks_stay():
    played = Played([ANN, BOB, ONE, TWO, TWO, ONE], ["stand", "stand", "draw", "pass"])
    assert played.state.round_no == 2
    redealt = played.redealt({0})
    assert [index for index, _ in redealt.moved] == [0, 1, 4, 5]
    assert redealt.decks[2:4] == (tuple(ONE), tuple(TWO))
    moved = dict(redealt.moved)
    assert moved[4] == tuple(range(40))
    assert moved[5] == tuple(range(1, 40))
    assert moved[0] == (8, 9)
    assert played.replayed(redealt.decks) == redealt.state


def test_a_cheaters_rest_is_dealt_again_without_changing_what_it_has():
    brought = ["PM1", "PM2", "PM3", "PM4", "PM5", "PM6", "PM12", "T", "PM2", "PM3"]
    decks = [ANN, brought, ONE, TWO]
    played = Played(decks, ["draw", "P2", "draw", "PM2+"], bots=(None, "cheater"))
    for seed in range(20):
        redealt = played.redealt({0}, seed)
        assert played.replayed(redealt.decks) == redealt.state
        rest = Counter(redealt.state.halves[1].side)
        assert rest == Counter(brought) - Counter(["PM2"])


def test_a_fixed_starter_leaves_the_bottom_cards_unknown():
    moved = dict(two_draws(first_starter="seat0").redealt({0}).moved)
    assert moved[2] == tuple(range(1, 40))
