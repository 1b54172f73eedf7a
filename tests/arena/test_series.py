from cardroom.arena.series import Clock, Series, generator
from cardroom.rules.bot import Bot
from tests.arena.toy import HIGH, LOW, RANDOM, TOY, ToyOptions


def watching(bot, hands):
    """``bot``, noting the hands it is dealt."""

    def choose(view, events, rng):
        hands.append((view.seat, view.hand))
        return bot.choose(view, events, rng)

    return Bot(bot.slug, bot.name, "", 1, choose)


def test_a_match_depends_on_the_seed_and_its_number_alone():
    series = Series(TOY, ToyOptions(), (RANDOM, RANDOM), seed=1)
    alone = Series(TOY, ToyOptions(), (RANDOM, RANDOM), seed=1)
    series.figures(range(9))
    assert series.play(9) == alone.play(9)


def test_another_seed_is_another_series():
    one, other = (Series(TOY, ToyOptions(), (RANDOM, LOW), seed) for seed in (1, 2))
    assert one.figures(range(50)) != other.figures(range(50))


def test_every_rotation_plays_on_equal_decks():
    hands = []
    bots = tuple(watching(bot, hands) for bot in (HIGH, LOW))
    series = Series(TOY, ToyOptions(target=None, max_rounds=4), bots, seed=1, swap=True)
    series.play(6)
    first, hands[:] = list(hands), []
    series.play(7)
    assert hands == first
    hands.clear()
    series.play(8)
    assert hands != first


def test_without_swap_every_match_has_decks_of_its_own():
    hands = []
    bots = (watching(HIGH, hands), LOW)
    series = Series(TOY, ToyOptions(target=None, max_rounds=4), bots, seed=1)
    series.play(0)
    first, hands[:] = list(hands), []
    series.play(1)
    assert hands != first


def test_swapped_seats_take_the_luck_out():
    series = Series(TOY, ToyOptions(target=1), (HIGH, LOW), seed=1, swap=True)
    seats = series.figures(range(400)).seats
    mirrored = Series(TOY, ToyOptions(target=1), (LOW, HIGH), seed=1, swap=True)
    assert [seat.won for seat in mirrored.figures(range(400)).seats] == [s.won for s in seats]


def test_generators_of_other_purposes_are_others():
    draws = {generator(1, purpose, number).random() for purpose in "ab" for number in range(3)}
    assert len(draws) == 6


def test_clocks_count_the_choices_of_each_bot_and_change_nothing():
    clocks = {"high": Clock(), "random": Clock()}
    series = Series(TOY, ToyOptions(), (HIGH, RANDOM), seed=1, swap=True)
    figures = series.figures(range(20), clocks)
    assert clocks["high"].moves + clocks["random"].moves == figures.events["card_laid"]
    assert all(clock.microseconds_a_move > 0 for clock in clocks.values())
    assert figures == series.figures(range(20))
    assert Clock().microseconds_a_move == 0
