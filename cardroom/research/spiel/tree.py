"""The tree of one game: what follows a node, what a seat knows in it, what it is worth.

A tree is made of the parameters of its OpenSpiel game and pickled as them.

How chance acts in a game of OpenSpiel: it makes each deck when the rules ask for it.

Chance acts by numbers that stand in the history, so a history is played again to the same state.

* ``seed``: three numbers below 1024 are the seed of one deck, so there are 2^30 of it.
* ``cards``: every number is a card, dealt from the top of the deck; all decks, each with its true
  chance. Longer histories, and the way for small decks and for exact solvers.

One node of the tree that OpenSpiel walks. Nodes are values: a copy is the node itself.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

import msgspec

from cardroom.research.environment import Lineup, Reward, worth
from cardroom.rules.shuffles import Sealed, Shuffle
from cardroom.rules.values import AnyCard, Deck, Event, Move, Outcome, Seat

Chance: TypeAlias = Literal["seed", "cards"]
CHANCES: Final[tuple[Chance, ...]] = get_args(Chance)
DIGITS: Final = 3
BASE: Final = 1024
MOST_CARDS: Final = 108  # of the largest pack: two of 54


class DeckNeeded(Exception):
    """The rules asked for one more deck than chance has made."""

    def __init__(self, pack: Sequence[AnyCard]) -> None:
        super().__init__(len(pack))
        self.pack = tuple(pack)


def dealt(decks: Sequence[Deck]) -> Shuffle:
    """Gives the rules these decks, one after the other; then raises ``DeckNeeded``."""
    left = iter(decks)

    def shuffle(pack: Sequence[Any], /) -> list[Any]:
        deck = next(left, None)
        if deck is None:
            raise DeckNeeded(pack)
        return list(deck)

    return shuffle


class Dealing(NamedTuple):
    """A step that waits for chance: ``move`` of ``seat``, or the start, where both are None.

    ``decks`` are complete; of the deck of ``pack`` chance has made the ``actions`` so far.
    """

    seat: Seat | None
    move: Move | None
    decks: tuple[Deck, ...]
    pack: Deck = ()
    actions: tuple[int, ...] = ()


def outcomes(dealing: Dealing, chance: Chance) -> list[tuple[int, float]]:
    """The next numbers that chance may bring, each with its probability."""
    return _OUTCOMES[chance](dealing)


def deck_after(dealing: Dealing, chance: Chance) -> Deck | None:
    """The whole deck, once chance has made enough of it."""
    return _DECKS[chance](dealing)


def in_words(dealing: Dealing, action: int, chance: Chance, text: Callable[[Any], str]) -> str:
    if chance == "seed":
        return f"seed {action}"
    return f"deal {text(_kinds(dealing.pack)[action])}"


def most_outcomes(chance: Chance) -> int:
    return BASE if chance == "seed" else MOST_CARDS


def _seeds(_dealing: Dealing) -> list[tuple[int, float]]:
    return [(digit, 1 / BASE) for digit in range(BASE)]


def _deck_of_seed(dealing: Dealing) -> Deck | None:
    if len(dealing.actions) < DIGITS and len(set(dealing.pack)) > 1:
        return None
    seed = b"".join(digit.to_bytes(2, "big") for digit in dealing.actions)
    return tuple(Sealed(seed)(dealing.pack))


def _cards(dealing: Dealing) -> list[tuple[int, float]]:
    left = _left(dealing)
    count = left.total()
    return [(card, left[card] / count) for card in sorted(left)]


def _deck_of_cards(dealing: Dealing) -> Deck | None:
    left = +_left(dealing)
    if len(left) > 1:
        return None
    kinds = _kinds(dealing.pack)
    return tuple([kinds[at] for at in (*dealing.actions, *left.elements())])


def _left(dealing: Dealing) -> Counter[int]:
    numbers = {card: number for number, card in enumerate(_kinds(dealing.pack))}
    return Counter(numbers[card] for card in dealing.pack) - Counter(dealing.actions)


def _kinds(pack: Deck) -> list[AnyCard]:
    """The different cards of a pack; an action is the place of a card among them."""
    return list(dict.fromkeys(pack))


_OUTCOMES: Final[Mapping[Chance, Callable[[Dealing], list[tuple[int, float]]]]] = {
    "seed": _seeds,
    "cards": _cards,
}
_DECKS: Final[Mapping[Chance, Callable[[Dealing], Deck | None]]] = {
    "seed": _deck_of_seed,
    "cards": _deck_of_cards,
}


class Node:
    """A state with what led to it: ``moves`` by seat and text, ``events`` unredacted.

    ``dealing`` is set where chance acts. Of an imagined world ``seen_by`` is the seat that imagined
    it; its events are those that this seat saw. What the rules answer is kept in ``legal`` and
    ``outcome``, for a search asks often. ``children`` are kept where a table remembers them.
    """

    __slots__ = (
        "_facts", "children", "dealing", "events", "legal", "moves", "outcome", "seen_by", "state",
        "to_act",
    )  # fmt: skip

    def __init__(
        self,
        state: Any,
        to_act: tuple[Seat, ...],
        outcome: Outcome | None,
        events: tuple[Event, ...] = (),
        moves: tuple[tuple[Seat, Move], ...] = (),
        dealing: Dealing | None = None,
        seen_by: Seat | None = None,
    ) -> None:
        self._facts = (state, to_act, outcome, events, moves, dealing, seen_by)
        self.state, self.to_act, self.outcome = state, to_act, outcome
        self.events, self.moves, self.dealing, self.seen_by = events, moves, dealing, seen_by
        self.legal: Mapping[int, Move] | None = None
        self.children: dict[int, Node] = {}

    def __deepcopy__(self, _memo: Any) -> "Node":
        return self

    def __reduce__(self) -> tuple[type["Node"], tuple[Any, ...]]:
        return Node, self._facts

    def waiting(self, dealing: Dealing) -> "Node":
        """The node before the step, now with chance to act."""
        return Node(
            self.state, self.to_act, self.outcome, self.events, self.moves, dealing, self.seen_by
        )

    def seen(self, seat: Seat) -> list[Event]:
        """The events so far as a seat saw them; in an imagined world no more than both saw."""
        return [event.seen_by(seat) for event in self.events]


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

    # Knowledge of a seat.

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
