"""Points by cause, points that are certain, a word to a beginner, the best of a match."""

from random import Random

from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.events import DealScored
from cardroom.rules.pisti.narration import causes, hint, moments, sure_points
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Setup
from tests.rules.pisti.scene import NAMES, scene


def played_deals(count, choose=min):
    """The options and every event as a spectator sees it, of the first deals of a fixed match."""
    options, shuffle = PISTI.choose_options(), seeded(Random(7))
    step = PISTI.start(options, [Setup(name) for name in NAMES[:2]], shuffle)
    events, seen = list(step.events), []
    while sum(isinstance(event, DealScored) for event in events) < count:
        state = step.state
        seat = PISTI.to_act(state)[0]
        seen.append((PISTI.view(state, None), list(events)))
        step = PISTI.play(state, seat, choose(PISTI.legal_moves(state, seat)), shuffle)
        events += [event.seen_by(None) for event in step.events]
    return options, events, seen


def test_causes_add_up_to_the_points_of_the_deal():  # pisti R23
    options, events, _ = played_deals(3)
    scored = [side for event in events if isinstance(event, DealScored) for side in event.sides]
    assert any(side.deal_points for side in scored)
    for side in scored:
        assert sum(cause.points for cause in causes(side, options)) == side.deal_points


def test_what_is_sure_is_never_more_than_what_is_scored():  # pisti R24: the majority comes last
    _, events, seen = played_deals(1)
    scored = next(event for event in events if isinstance(event, DealScored))
    for view, told in seen:
        sure = sure_points(view, told)
        assert all(mine <= side.deal_points for mine, side in zip(sure, scored.sides, strict=True))
    assert any(any(sure_points(view, told)) for view, told in seen)


def hint_of(**position):
    return str(hint(PISTI.view(scene(**position), 0)))


def test_a_card_that_takes_is_pointed_out():  # pisti R12
    assert hint_of(pile="9C TD 6C 6D", hands=("6H 4S", "2C")) == "6♥ would take 4 cards."
    assert hint_of(pile="6D", hands=("JH 6H", "2C")) == "6♥ would be a pişti!"
    assert hint_of(pile="9C 6D", hands=("4S", "2C")).startswith("No card of yours takes 6♦")


def test_nothing_is_said_to_who_is_not_to_play():
    assert hint(PISTI.view(scene(pile="6D", hands=("6H", "2C"), to_play=1), 0)) is None


def test_the_best_of_a_match_tells_who_took_most():
    _, events, _ = played_deals(2)
    told = [str(words) for words in moments(events, NAMES[:2])]
    assert any(words.startswith("The largest capture: ") for words in told)


def test_what_the_reader_does_is_told_to_them():
    _, events, _ = played_deals(1)
    for event in events:
        seat = getattr(event, "seat", None)
        about, told = PISTI.sentence(event, NAMES[:2]), PISTI.sentence(event, NAMES[:2], seat)
        assert (str(about) != str(told)) == (seat is not None)
