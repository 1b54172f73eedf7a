"""Every game of the catalogue as a game of OpenSpiel. Importing this package registers them.

    import pyspiel
    import cardroom.research.spiel

    game = pyspiel.load_game("cardroom_<slug>(preset=<name>)")
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            state.apply_action(state.legal_actions()[0])

``spiel_game(slug, …)`` is the same with the names of ``cardroom.research.environment``. Files:
``chance`` makes decks, ``node`` and ``tree`` are what OpenSpiel walks, ``parameters`` its
parameters, ``game`` what it calls.

Chance is explicit (``chance``), so a history is played again to the same state and there is no
generator whose state OpenSpiel would have to keep (``get_rng_state`` is for sampled chance). A
clone, a pickle and a serialised state go on alike. Information states have perfect recall, as
text; as a tensor they would have no bound, so there is none.

Of several seats that may act at once the lowest acts first. A match of ``max_length`` moves ends
with nothing won or lost: OpenSpiel wants an end.

One rule of OpenSpiel is not kept. ``resample_from_infostate`` deals a world that the seat cannot
tell from the true one (``Game.imagine``), but a world that is imagined has no decks from which it
came. So its ``history()`` is that of the state it was imagined in, and playing this history again
leads to the true one. In the small games of ``listed`` worlds every history is true.
"""

from cardroom.research.spiel.game import (
    SpielGame,
    SpielState,
    listed_game,
    register_listed,
    spiel_game,
)

__all__ = ["SpielGame", "SpielState", "listed_game", "register_listed", "spiel_game"]
