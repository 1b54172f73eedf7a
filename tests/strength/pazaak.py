"""Pazaak: the professor against every level, opponents held out, and with ten side decks.

The plain searches (``opponents.flat_pazaak``) need more time a move than the professor: 200 worlds
ten times as much, 5,000 more than two hundred times. With each deck both seats bring it, and the
professor, which expects what many bring, must win half; with two of them that have few cards or
none to undo a bust it does not (``RESULTS.md``, Two decks), and must not get worse. With one
hand for the whole match (kotor1) four cards must last, and the row asks for 57: what the professor
reached there before its tables were learned anew (``RESULTS.md``, How the professor learns). These
57 and the 60 of kotor2 were set against ``gambler`` as it was then, and still are (``LOW_STAND``).
"""

from cardroom.rules.pazaak.side_cards import READY_MADE, SINGLES, STARTER, reference_deck
from tests.strength.contest import Contest
from tests.strength.opponents.flat_pazaak import flat
from tests.strength.opponents.published_pazaak import EAGER, HIT_FACTOR, LOW_STAND, SIX_RULES
from tests.strength.without_luck import WithoutLuck

FLIPS = ("F12", "F13", "F24", "F35", "F46", "F56", "PM3", "PM4", "PM5", "PM6")
TEN_DECKS = [*[deck.cards for deck in READY_MADE], SINGLES, reference_deck("kotor1"), FLIPS]
KEPT = {STARTER: 36, SINGLES: 42}  # percent

ROWS = [
    Contest("pazaak", "professor", ["gambler"], 2000, 88).row(),
    Contest("pazaak", "professor", ["cheater"], 2000, 80).row(),
    Contest("pazaak", "professor", [LOW_STAND], 12_000, 57, preset="kotor1").row(),
    Contest("pazaak", "professor", [LOW_STAND], 12_000, 60, preset="kotor2").row(),
    Contest("pazaak", "cheater", ["rookie"], 2000, 60).row(),
    Contest("pazaak", "gambler", ["rookie"], 2000, 60).row(),
    Contest("pazaak", "rookie", ["random"], 2000, 60).row(),
    *[
        Contest("pazaak", "professor", ["gambler"], 2000, KEPT.get(deck, 50), side_deck=deck).row()
        for deck in TEN_DECKS
    ],
    Contest("pazaak", "professor", ["gambler"], 40).pace(3, compiled=True),
    Contest("pazaak", "professor", ["gambler"], 10).pace(50, compiled=False),
    Contest("pazaak", "professor", ["gambler"], 40, preset="kotor1").pace(3, compiled=True),
    Contest("pazaak", "professor", ["gambler"], 10, preset="kotor1").pace(50, compiled=False),
    Contest("pazaak", "professor", [flat(200, "random")], 400, 60).row(),
    WithoutLuck("pazaak", "professor", [flat(200)], 400, 55).row(),
    WithoutLuck("pazaak", "professor", [flat(200, knows_decks=False)], 400, 55).row(),
    WithoutLuck("pazaak", "professor", [flat(1000)], 200, 52).row(),
    Contest("pazaak", "professor", [flat(5000)], 60, 50).row(),
    WithoutLuck("pazaak", "professor", [flat(200)], 2400, 50, preset="kotor1").row(),
    WithoutLuck("pazaak", "professor", [flat(200)], 1000, 50, preset="kotor2").row(),
    *[
        Contest("pazaak", "gambler", [rule], 4000, 50).row()
        for rule in (SIX_RULES, EAGER, HIT_FACTOR)
    ],
    *[
        Contest("pazaak", f"beginner:strength={n + 1}", [f"beginner:strength={n}"], 2000, 60).row()
        for n in range(1, 5)
    ],
    WithoutLuck("pazaak", "professor", ["beginner:strength=5"], 2000, 60).row(),
    Contest("pazaak", "professor", ["gambler"], 12_000, 53, preset="kotor1").row(),
    Contest("pazaak", "professor", ["gambler"], 12_000, 55, preset="kotor2").row(),
    Contest("pazaak", "gambler", [LOW_STAND], 4000, 55).row(),
]
