"""Bad decks and what is told of each: the API and the pages must say the very same."""

from cardroom.rules.pazaak.side_cards import STARTER

NINE = STARTER[:9]
CASES = {
    "nine cards": (NINE, ["A side deck has exactly 10 cards; this one has 9."]),
    "none": ((), ["A side deck has exactly 10 cards; this one has 0."]),
    "eleven": ((*STARTER, "P6"), ["A side deck has exactly 10 cards; this one has 11."]),
    "an unknown card": (
        (*NINE, "X9"),
        ["'X9' is not a side card; they are written like P3, M3, PM3, PM12, F24, D and T."],
    ),
    "several faults": (
        (*STARTER[:7], "P7", "F44"),
        [
            "A side deck has exactly 10 cards; this one has 9.",
            "'P7' is not a side card; they are written like P3, M3, PM3, PM12, F24, D and T.",
            "'F44' is not a side card; they are written like P3, M3, PM3, PM12, F24, D and T.",
        ],
    ),
}
NAMES = {
    "": "A deck needs a name.",
    "   ": "A deck needs a name.",
    "x" * 41: "A deck's name has at most 40 characters; this one has 41.",
    "Ada\u202e": "A deck's name has printable characters only.",
}
