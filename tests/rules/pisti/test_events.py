"""What of an event the other seats get to see (rules §4)."""

from cardroom.rules.pisti.events import Captured, HandDealt
from tests.rules.pisti.scene import last_play, play, scores


def test_a_hand_is_told_to_its_seat_alone():
    dealt = HandDealt(1, 4, ("2C", "3C", "4C", "5C"))
    assert dealt.seen_by(1) == dealt
    assert dealt.seen_by(0) == dealt.seen_by(None) == HandDealt(1, 4, None)


def test_the_first_centre_is_told_to_its_capturer_alone():
    taken = Captured(0, 5, ("JS", "5C", "JD"))
    assert taken.seen_by(0) == taken
    assert taken.seen_by(1) == taken.seen_by(None) == Captured(0, 5, None)


def test_a_capture_of_seen_cards_is_public():
    taken = Captured(0, 2)
    assert taken.seen_by(1) == taken


def test_heaps_are_public_with_the_score():
    step = play(last_play("6H", "4D", ["AC KD", ""], last_capturer=0), "1 4D")
    assert [side.heap for side in scores(step).sides] == [("AC", "4D", "KD", "6H"), ()]
    assert scores(step).seen_by(None) == scores(step)
