"""What ten cards can do, by looking at them."""

from decks.draft import repertoire


def test_what_cards_can_do():
    known = repertoire(["P6", "M3", "PM2", "PM12", "F24", "D", "T", "M6", "P1", "P1"])
    assert {each.total: each.cards for each in known.totals} == {
        14: 1, 15: 0, 16: 0, 17: 0, 18: 2, 19: 4,
        21: 5, 22: 4, 23: 2, 24: 1, 25: 1, 26: 1,
    }  # fmt: skip
    assert (known.lifts, known.repairs) == ([14, 18, 19], [21, 22, 23, 24, 25, 26])
    assert known.signs_to_choose == 3
    assert known.by_board == ("Flip 2 & 4", "Double")
