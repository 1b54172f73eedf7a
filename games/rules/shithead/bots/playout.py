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
    players = len(places)
    while most and active > 1 and not places[seat]:
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
            rank, cards = (solid, solid_run) if through else (last, run)
            same = may >> 4 * rank & 15 if rank >= 0 else 0
            if same and cards + same >= 4:
                cards = same
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
            if rank == last:
                run += cards
            else:
                last, run = rank, cards
            burning = run
            if through and rank != THREE:
                solid_run = solid_run + cards if rank == solid else cards
                solid, burning = rank, solid_run
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
            pile = run = solid_run = 0
            t = last = solid = ANYTHING
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
    world.active, world.turn, world.direction = active, turn, direction
    world.pile, world.t, world.last, world.run = pile, t, last, run
    world.solid, world.solid_run = solid, solid_run
    return most
