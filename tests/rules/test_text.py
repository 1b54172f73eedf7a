"""A phrase about a seat and the same phrase for the person who sits there."""

from cardroom.rules.text import CardName, say, say_n


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


def test_a_phrase_without_second_person_stays_as_it_is():
    drawn = say("The match is drawn.")
    assert drawn.to_you() is drawn
