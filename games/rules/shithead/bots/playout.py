"""Keepers play a kernel world on: ``keeper.policy`` and ``World`` turn by turn, in one loop.

Searches spend nearly all their time here, so the loop keeps the world in local names and calls
nothing. A test plays it beside the policy and the kernel that it repeats.
"""

from typing import Final

from games.rules.shithead.bots.kernel import World
from games.rules.shithead.bots.rank_counts import ANYTHING, JOKER, KING, ONE, TEN, THREE, count
from games.rules.values import Seat

_SINGLE: Final = frozenset(ONE)


def play_on(  # noqa: C901
    world: World, seat: Seat, most: int, *, to_a_choice: bool = False
) -> int:
    """Plays until ``seat`` is out or left alone, for at most so many turns; how many are left.

    With ``to_a_choice`` it also stops before the first turn of ``seat`` with several legal moves.
    """
    masks, through, transparent, again_of_two, three, voluntary = world.rules
    hands, tops, hidden = world.hands, world.tops, world.hidden
    stock, places, active = world.stock, world.places, world.active
    turn, direction = world.turn, world.direction
    pile, t, last, run = world.pile, world.t, world.last, world.run
    solid, solid_run = world.solid, world.solid_run
    due, due_run = (solid, solid_run) if through else (last, run)  # what may become four
    players = len(places)
    if active == 1 or places[seat]:
        return most
    while most:
        hand, top = hands[turn], tops[turn]
        may = (hand or top) & masks[t]
        if may:
            extra = 0
            if (
                to_a_choice
                and turn == seat
                and (may not in _SINGLE or (hand == may and top & 15 * may) or (voluntary and pile))
            ):
                break
            cards = may >> 4 * due & 15 if due_run else 0
            if cards and due_run + cards >= 4:
                rank = due
            else:
                rank = (may & -may).bit_length() - 1 >> 2
                if rank >= KING:
                    cards = 1
                else:
                    cards = may >> 4 * rank & 15
                    if hand == cards << 4 * rank:
                        extra = top >> 4 * rank & 15
            if hand:
                hands[turn] = hand = hand - (cards << 4 * rank)
                if extra:
                    tops[turn] = top = top - (extra << 4 * rank)
                    cards += extra
            else:
                tops[turn] = top = top - (cards << 4 * rank)
        elif hand or top:
            hands[turn] = hand = hand + pile
            cards = 0
        else:
            rank = hidden[turn].pop()
            cards = 1
            if not masks[t] & ONE[rank]:
                hands[turn] = hand = pile + ONE[rank]
                cards = 0
        most -= 1
        again = False
        if cards:
            pile += cards << 4 * rank
            if rank != THREE and not (transparent and rank == JOKER):
                t = rank
            if through and rank == THREE:
                burning = run = run + cards if rank == last else cards
            else:
                if rank == due:
                    due_run += cards
                else:
                    due, due_run = rank, cards
                burning = due_run
                if through:
                    run = run + cards if rank == last else cards
            last = rank
            if rank == JOKER:
                if cards & 1:
                    direction = -direction
                    again = again_of_two and active == 2
                burns = burning >= 2
            else:
                burns = rank == TEN or burning >= 4
            if burns:
                again, cards = True, 0
        if not cards:
            pile = run = due_run = 0
            t = last = due = ANYTHING
        if stock:
            wanted = 3 - count(hand) if three else 1
            while wanted > 0 and stock:
                hand += ONE[stock.pop()]
                wanted -= 1
            hands[turn] = hand
        if not (hand or top or hidden[turn]):
            active -= 1
            places[turn] = players - active
            if active == 1:
                break
        elif again:
            continue
        turn = (turn + direction) % players
        while places[turn]:
            turn = (turn + direction) % players
        if places[seat]:
            break
    world.active, world.turn, world.direction = active, turn, direction
    world.pile, world.t, world.last = pile, t, last
    if through:
        world.run, world.solid, world.solid_run = run, due, due_run
    else:
        world.run = due_run
    return most
