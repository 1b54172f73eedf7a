"""An option is declared once: its words stand beside its bounds, everybody reads them there."""

from random import Random
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta

from cardroom.rules import catalog
from cardroom.rules.course import Streak, match_shape
from cardroom.rules.option import option, words_of
from cardroom.rules.text import CardName, named_for, say, say_n
from cardroom.rules.values import MATCH_OVER, BadOptions, IllegalMove, NotYourTurn, Options
from tests.rules.playing import Sitting
from tests.rules.short import short_options


class TableOptions(Options, frozen=True, kw_only=True):
    deck: Annotated[
        Literal[36, 52],
        option(say("Cards"), choices={36: say("six to ace"), 52: say("two to ace")}),
    ] = 36
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=9)] | None,
        option(say("Tricks at most"), say("Left empty, no limit."), note=say("Then it is a draw.")),
    ] = None
    quick_start: bool = False


def test_the_words_are_read_from_the_declaration():
    words = words_of(TableOptions)
    assert list(words) == ["deck", "limit", "quick_start"]
    assert str(words["deck"].choices[52]) == "two to ace"
    assert (str(words["limit"].sentence), str(words["limit"].note)) == (
        "Left empty, no limit.",
        "Then it is a draw.",
    )


def test_without_words_it_is_called_by_its_field():
    assert words_of(TableOptions)["quick_start"].label == "Quick start"


def test_programs_read_the_same_words_as_its_description():
    schema = msgspec.json.schema(TableOptions)["$defs"]["TableOptions"]["properties"]
    assert schema["deck"]["description"] == "Cards. `36`: six to ace. `52`: two to ace."
    assert schema["limit"]["description"] == (
        "Tricks at most. Left empty, no limit. Then it is a draw."
    )


def test_words_leave_the_bounds_as_they_are():
    with pytest.raises(msgspec.ValidationError, match="<= 9"):
        msgspec.convert({"limit": 10}, TableOptions)


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_an_option_repeats_no_sentence_and_has_words_for_each_of_its_values(game):
    for field in msgspec.structs.fields(game.options):
        words = game.option_words[field.name]
        texts = [*map(str, (words.label, words.sentence, words.note)), *words.choices.values()]
        said = [str(text) for text in texts if str(text)]
        assert len(said) == len(set(said)), field.name
        literal = msgspec.inspect.type_info(field.type)
        while isinstance(literal, msgspec.inspect.Metadata):
            literal = literal.type
        if isinstance(literal, msgspec.inspect.LiteralType):
            assert set(words.choices) == set(literal.values), field.name


# Refusals carry phrases for the doors and read as English sentences.


def test_a_refusal_keeps_its_phrase():
    phrase = say("You do not hold {card}.", card=CardName("TD"))
    refusal = IllegalMove("not_in_hand", phrase)
    assert str(refusal) == "You do not hold 10♦."
    assert (refusal.reason, refusal.sentence) == ("not_in_hand", phrase)


def test_faults_are_told_one_after_the_other():
    refusal = BadOptions(say("Teams need {n} players.", n=4), "There is no deck of 40 cards.")
    assert str(refusal) == "Teams need 4 players. There is no deck of 40 cards."
    assert list(map(str, refusal.faults)) == [
        "Teams need 4 players.",
        "There is no deck of 40 cards.",
    ]


def test_a_turn_that_is_not_ones_own():
    assert str(NotYourTurn()) == "It is not your turn."
    assert str(NotYourTurn(MATCH_OVER)) == "The match is over."
    assert NotYourTurn(MATCH_OVER).reason == "not_your_turn"


# A phrase about a seat and the same phrase for the person who sits there.


def test_the_second_person_has_the_same_values():
    played = say("{seat} plays {card}.", you="You play {card}.", seat="Ada", card=CardName("7H"))
    assert str(played) == "Ada plays 7♥."
    assert str(played.to_you()) == "You play 7♥."


def test_the_second_person_counts_too():
    for n, about, to_you in (
        (1, "Ada takes one card.", "You take one card."),
        (3, "Ada takes 3 cards.", "You take 3 cards."),
    ):
        taken = say_n(
            "{seat} takes one card.",
            "{seat} takes {n} cards.",
            n,
            you=("You take one card.", "You take {n} cards."),
            seat="Ada",
        )
        assert (str(taken), str(taken.to_you())) == (about, to_you)


def test_the_readers_own_name_becomes_you_also_inside_another_phrase():
    names = named_for(1, ["Ada", "Ben"])
    starts = [say("{seat} starts", you="you start", seat=name) for name in names]
    assert [str(say("Deal 2: {starts}.", starts=each)) for each in starts] == [
        "Deal 2: Ada starts.",
        "Deal 2: you start.",
    ]
    assert str(say("{first} and {other} play.", first=names[0], other=names[1])) == (
        "Ada and Ben play."
    )


def test_a_phrase_without_second_person_stays_as_it_is():
    drawn = say("The match is drawn.")
    assert drawn.to_you() is drawn


# The shape of a match from the scores of its rounds: leads, streaks, match point.

PISTI, PAZAAK, SHITHEAD = map(catalog.find, ("pisti", "pazaak", "shithead"))


def shape(game, *scores, **options):
    return match_shape(game, game.options(**options), scores)


class TestLeads:
    def test_nothing_is_said_of_no_round(self):
        empty = shape(PISTI)
        assert (empty.rounds, empty.lead_changes, empty.streak) == ((), 0, None)
        assert (empty.turning_point, empty.match_point, empty.leader) == (None, (), None)

    def test_a_lead_changes_when_another_side_is_in_front(self):
        went = shape(PISTI, (10, 20), (30, 5), (5, 60), (60, 1))
        assert [each.totals for each in went.rounds] == [(10, 20), (40, 25), (45, 85), (105, 86)]
        assert [each.leaders for each in went.rounds] == [(1,), (0,), (1,), (0,)]
        assert (went.lead_changes, went.turning_point) == (3, 4)

    def test_a_tie_changes_nothing(self):
        went = shape(PISTI, (10, 5), (5, 10), (10, 5))
        assert went.rounds[1].leaders == (0, 1)
        assert (went.lead_changes, went.turning_point) == (0, None)

    def test_the_turning_point_is_where_the_lead_was_taken_for_good(self):
        went = shape(PISTI, (10, 20), (10, 0), (10, 5), (10, 5))
        assert [each.leaders for each in went.rounds] == [(1,), (0, 1), (0,), (0,)]
        assert went.turning_point == 3

    def test_who_led_from_beginning_to_end(self):
        assert shape(PISTI, (20, 10), (5, 10), (20, 0)).led_from_the_first
        assert not shape(PISTI, (10, 10), (5, 1)).led_from_the_first

    def test_places_are_better_the_fewer_they_are(self):
        went = shape(SHITHEAD, (1, 2), (2, 1), (1, 2), games=4)
        assert [each.leaders for each in went.rounds] == [(0,), (0, 1), (0,)]
        assert [each.winner for each in went.rounds] == [0, 1, 0]

    def test_shithead_counts_who_was_shed_before_places(self):
        """Shithead §2 `games`: fewest times shed, then the lowest sum of places."""
        went = shape(SHITHEAD, (1, 2, 3), (3, 2, 1), (1, 3, 2), players=3, games=9)
        assert [each.leaders for each in went.rounds] == [(0,), (1,), (0,)]


class TestStreak:
    def test_the_longest_run_of_rounds_won_alone(self):
        went = shape(PISTI, (9, 1), (9, 1), (1, 9), (1, 9), (1, 9), (5, 5), (1, 9))
        assert went.streak == Streak(side=1, first=3, rounds=3)

    def test_one_round_is_no_streak(self):
        assert shape(PISTI, (9, 1), (1, 9), (9, 1)).streak is None


class TestMatchPoint:
    @pytest.mark.parametrize(
        ("totals", "sides"), [((134, 20), ()), ((135, 20), (0,)), ((140, 150), (0, 1))]
    )
    def test_pisti_the_cards_of_one_deal_are_enough(self, totals, sides):
        """R24: 4 jacks, 4 aces, 2 and 3 points, and 3 for the most cards."""
        assert shape(PISTI, totals).match_point == sides

    def test_pisti_one_deal_has_none(self):
        assert shape(PISTI, (20, 20), target_score=None).match_point == ()

    def test_pazaak_one_round_more(self):
        assert shape(PAZAAK, (1, 0), (1, 0), rounds_to_win=3).match_point == (0,)
        assert shape(PAZAAK, (1, 0), rounds_to_win=3).match_point == ()

    def test_pazaak_in_the_last_round_that_is_allowed(self):
        went = shape(PAZAAK, (0, 0), (0, 0), rounds_to_win=3, max_rounds=3)
        assert went.match_point == (0, 1)

    def test_shithead_who_wins_by_being_first_in_the_last_game(self):
        assert shape(SHITHEAD, (1, 2), (1, 2), games=4).match_point == ()
        assert shape(SHITHEAD, (1, 2), (2, 1), games=3).match_point == (0, 1)
        three = shape(SHITHEAD, (1, 2, 3), (1, 2, 3), players=3, games=3)
        assert three.match_point == (0,)


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_who_leads_at_the_end_has_won(game):
    options = game.choose_options(short_options(game))
    sitting = Sitting.begun(game, options, 3).play_on(Random(1), 10**6)
    went = match_shape(game, options, sitting.scores)
    winners = {seat for side in went.rounds[-1].leaders for seat in sitting.sides[side]}
    assert winners == set(sitting.outcome.winners)
