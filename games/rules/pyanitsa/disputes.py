"""Comparing the cards of a level, and what equal ones lead to (R8 to R12, `short_dispute`)."""

from games.rules.pyanitsa.events import Dispute, Events, TakenBy
from games.rules.pyanitsa.options import low_rank
from games.rules.pyanitsa.predicates import highest
from games.rules.pyanitsa.state import PyanitsaState, held
from games.rules.pyanitsa.taking import take
from games.rules.shuffles import Shuffle
from games.rules.values import Seat, Step


def settle(state: PyanitsaState, events: Events, shuffle: Shuffle) -> Step[PyanitsaState]:
    """All have laid at this level: its open cards, and only these, are compared (R8, R11)."""
    level = state.level
    shown = [laid for laid in state.table if laid.level == level and not laid.face_down]
    if not shown:  # short_dispute loses: all have dropped out
        return take(state, state.disputing[0], "no_cards", events, shuffle)
    options = state.options
    best = highest([laid.card for laid in shown], low_rank(options), options.jokers == "ranked")
    if len(best) == 1:
        reason: TakenBy = "dispute_won" if level else "highest"
        return take(state, shown[best[0]].seat, reason, events, shuffle)
    return _dispute(state, tuple([shown[place].seat for place in best]), events, shuffle)


def _dispute(
    state: PyanitsaState, seats: tuple[Seat, ...], events: Events, shuffle: Shuffle
) -> Step[PyanitsaState]:
    """The next level among ``seats``, which are in turn order."""
    level = state.level + 1
    mortgage = _is_mortgage(state, seats)
    events.append(Dispute(level, seats, mortgage))
    short = [seat for seat in seats if not held(state, seat)]
    if short and state.options.short_dispute == "takes_all":
        return take(state, short[0], "no_cards", events, shuffle)  # R10
    to_lay = tuple([seat for seat in seats if seat not in short])
    if not to_lay:  # short_dispute loses: nobody has a card to drop out with
        return take(state, seats[0], "no_cards", events, shuffle)
    opened = PyanitsaState(
        state.options, state.draw, state.won, state.aside, state.leader, state.trick_no,
        state.out_in, to_lay, state.table, level, seats, mortgage,
    )  # fmt: skip
    return Step(opened, tuple(events))


def _is_mortgage(state: PyanitsaState, seats: tuple[Seat, ...]) -> bool:
    """A seat with one card turns mortgage off for all, unless being short of cards loses."""
    if state.options.dispute == "open":
        return False
    return state.options.short_dispute == "loses" or all(held(state, seat) > 1 for seat in seats)
