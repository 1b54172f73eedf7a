"""The tree of one game: what follows a node, what a seat knows in it, what it is worth.

A tree is made of the parameters of its OpenSpiel game and pickled as them.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from cardroom.research.lineup import Lineup
from cardroom.research.rewards import Reward, worth
from cardroom.research.spiel.chance import Chance, Dealing, DeckNeeded, dealt, deck_after
from cardroom.research.spiel.node import Node
from cardroom.rules.values import Deck, Event, Move, Seat

START = Dealing(seat=None, move=None, decks=())


class Tree:
    """``limit`` ends longer matches, with nothing won or lost. ``remembers`` keeps every child of a
    node that is kept: for trees that are walked whole.
    """

    remembers = False

    def __init__(
        self, lineup: Lineup, chance: Chance, reward: Reward, limit: int, made_of: tuple[Any, ...]
    ) -> None:
        self.lineup, self.chance, self.reward, self.limit = lineup, chance, reward, limit
        self.game, self.players = lineup.game, len(lineup.setups)
        self._made_of = made_of
        self.root = self._step(Node(None, (), None), START)

    def __deepcopy__(self, _memo: Any) -> "Tree":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return self._made_of

    # Who acts, and what follows.

    def is_over(self, node: Node) -> bool:
        return node.dealing is None and (not node.to_act or len(node.moves) >= self.limit)

    def moves(self, node: Node) -> Mapping[int, Move]:
        """The legal actions of the seat to act, each with its move."""
        if node.legal is None:
            listed = self.game.legal_moves(node.state, node.to_act[0])
            node.legal = self.game.actions.among(listed)  # type: ignore[union-attr]
        return node.legal

    def child(self, node: Node, action: int) -> Node:
        if (known := node.children.get(action)) is not None:
            return known
        after = self._after(node, action)
        if self.remembers:
            node.children[action] = after
        return after

    def _after(self, node: Node, action: int) -> Node:
        if node.dealing is None:
            move = self.moves(node)[action]
            return self._step(node, Dealing(node.to_act[0], move, decks=()))
        dealing = node.dealing._replace(actions=(*node.dealing.actions, action))
        return self._with_deck(node, dealing)

    def _with_deck(self, node: Node, dealing: Dealing) -> Node:
        deck = deck_after(dealing, self.chance)
        if deck is None:
            return node.waiting(dealing)
        decks = (*dealing.decks, deck)
        return self._step(node, Dealing(dealing.seat, dealing.move, decks))

    def _step(self, node: Node, dealing: Dealing) -> Node:
        """The node after the step, or the same one with chance to act if a deck is missing."""
        try:
            return self._taken(node, dealing)
        except DeckNeeded as needed:
            return self._with_deck(node, dealing._replace(pack=needed.pack, actions=()))

    def _taken(self, node: Node, dealing: Dealing) -> Node:
        seat, move, shuffle = dealing.seat, dealing.move, dealt(dealing.decks)
        moves = node.moves
        if seat is None or move is None:
            step = self.game.start(self.lineup.options, self.lineup.setups, shuffle)
        else:
            step = self.game.play(node.state, seat, move, shuffle)
            moves = (*moves, (seat, move))
        return self.reached(step.state, (*node.events, *step.events), moves, node.seen_by)

    def reached(
        self,
        state: Any,
        events: tuple[Event, ...],
        moves: tuple[tuple[Seat, Move], ...],
        seen_by: Seat | None = None,
    ) -> Node:
        """The node of a state in which nothing waits for chance."""
        game = self.game
        return Node(state, game.to_act(state), game.outcome(state), events, moves, seen_by=seen_by)

    def returns(self, node: Node) -> list[float]:
        if node.dealing is not None or node.outcome is None:
            return [0.0] * self.players
        return list(worth(self.lineup, node.outcome, self.reward))

    # What a seat knows.

    def observed(self, node: Node, seat: Seat) -> Any:
        """``Game.observe`` of the seat's view; None before the first deal."""
        if node.state is None:
            return None
        return self.game.observe(self.game.view(node.state, seat))  # type: ignore[misc]

    def information(self, node: Node, seat: Seat) -> str:
        """All that a seat knows, with all that it saw and did before: perfect recall."""
        if node.state is None:
            return f"{seat}"
        own = [move for mover, move in node.moves if mover == seat]
        facts = (seat, own, node.seen(seat), self.game.view(node.state, seat))
        return msgspec.json.encode(facts).decode()

    def text(self, node: Node) -> str:
        """Everything, hidden cards too."""
        return msgspec.json.encode((len(node.moves), node.state, node.dealing)).decode()

    def imagined(self, node: Node, seat: Seat, rng: Random) -> Node:
        """A world that the seat cannot tell from this one, as computers imagine it."""
        if node.state is None or node.dealing is not None or self.game.imagine is None:
            return node
        seen = tuple(node.seen(seat))
        recent = self.game.recent_events(seen, "round")
        world = self.game.imagine(self.game.view(node.state, seat), rng, recent)
        return self.reached(world, seen, node.moves, seen_by=seat)


class ListedTree(Tree):
    """A tree whose first node deals one of the ``worlds``, states that are equally likely."""

    remembers = True

    def __init__(
        self, lineup: Lineup, worlds: Sequence[Any], reward: Reward, made_of: tuple[Any, ...]
    ) -> None:
        self.worlds = tuple(worlds)
        super().__init__(lineup, "cards", reward, limit=1_000, made_of=made_of)
        numbers: Deck = tuple(range(len(self.worlds)))
        self.root = Node(None, (), None, dealing=Dealing(None, None, decks=(), pack=numbers))

    def _after(self, node: Node, action: int) -> Node:
        if node.state is None:
            return self.reached(self.worlds[action], (), ())
        return super()._after(node, action)

    def _step(self, node: Node, dealing: Dealing) -> Node:
        return self._taken(node, dealing) if dealing.seat is not None else node

    def alike(self, node: Node, seat: Seat, rng: Random) -> list[int]:
        """The history of a world that the seat cannot tell from this one, each equally likely."""
        if node.state is None:
            return []
        known = self.information(node, seat)
        for world in rng.sample(range(len(self.worlds)), len(self.worlds)):
            history = self._replayed(world, node, seat, known)
            if history is not None:
                return history
        raise AssertionError("The true world is one of them.")

    def _replayed(self, world: int, node: Node, seat: Seat, known: str) -> list[int] | None:
        at, history = self.child(self.root, world), [world]
        for mover, move in node.moves:
            acts = [action for action, text in self._moves_of(at, mover).items() if text == move]
            if not acts:
                return None
            history += acts
            at = self.child(at, acts[0])
        return history if self.information(at, seat) == known else None

    def _moves_of(self, node: Node, mover: Seat) -> Mapping[int, Move]:
        return self.moves(node) if node.to_act[:1] == (mover,) else {}
