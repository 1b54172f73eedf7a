"""Names of the view's fields on the generic table (``games/web/tables/__init__.py`` lists what else
may stand here: a scene of its own, motions, hints, the best moments)."""

from games.web.tables.any_game import Fields

FIELDS = Fields(
    labels={"laid": "Trick", "gone": "Gone", "tricks": "Tricks", "totals": "Points"},
    hidden=frozenset({"hand_sizes"}),
)
