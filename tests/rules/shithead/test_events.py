"""What each seat may know of an event (shithead §4)."""

from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead import events as happened
from cardroom.rules.shithead.events import Dealt, Drew
from tests.rules.shithead.scene import in_new_order, one, play, position, setups


def test_only_the_own_hand_is_dealt_to_a_seat():  # shithead §4
    options = SHITHEAD.choose_options({"players": 3})
    events = SHITHEAD.start(options, setups(3), in_new_order).events
    for viewer in (0, 1, 2, None):
        for dealt in (event.seen_by(viewer) for event in events if type(event) is Dealt):
            assert (dealt.hand is None) == (dealt.seat != viewer)
            assert len(dealt.top) == 6


def test_a_drawn_card_is_known_to_its_seat_alone():  # shithead §4
    drew = one(play(position(["5C 6C", "7C"], stock="KC KD"), "5C"), Drew)
    assert drew.seen_by(0).card == "KC"
    assert (drew.seen_by(1), drew.seen_by(None)) == (Drew(0, 1, None), Drew(0, 1, None))


def test_the_fields_of_an_event_have_the_names_of_the_rules():  # shithead §4
    events = SHITHEAD.decode_events(
        b'[{"type":"played","seat":0,"cards":["5C"],"from":"hand"},'
        b'{"type":"hidden_failed","seat":0,"slot":1,"card":"5C"},{"type":"match_over","standings":[]}]'
    )
    assert events[0] == happened.Played(0, ("5C",), "hand")
    assert events[1:] == (happened.HiddenFailed(0, 1, "5C"), happened.MatchOver(()))
