"""Moves and events as a person reads them; never more than the event itself tells."""

from collections.abc import Sequence

from cardroom.rules.text import CardName, Phrase, card_names, joined, say, say_n
from cardroom.rules.values import Event, Move
from durak_cardroom import events as happened
from durak_cardroom.moves import PASS, TAKE, TRANSFER, parsed


def label(move: Move) -> Phrase:
    choice = parsed(move)
    if choice.kind == TAKE:
        return say("Take the cards")
    if choice.kind == PASS:
        return say("Done")
    card = CardName(move.rpartition(" ")[2])
    if choice.kind == TRANSFER:
        return say("Pass the attack on with {card}", card=card)
    return say("Play {card}", card=card)


def narrate(event: Event, names: Sequence[str]) -> Phrase:  # noqa: C901 - one line an event
    match event:
        case happened.Dealt():
            return say("Game {game} is dealt.", game=event.game)
        case happened.TrumpTurned():
            return say("The trump card is {card}.", card=CardName(event.card))
        case happened.FirstAttacker():
            return _first(event, names[event.seat])
        case happened.Attacked():
            return _with_card(
                "{seat} attacks with {card}.", "You attack with {card}.", event, names
            )
        case happened.Beat():
            return _with_card("{seat} beats with {card}.", "You beat with {card}.", event, names)
        case happened.Transferred():
            return _transferred(event, names)
        case happened.GaveUp():
            return say("{seat} will take.", you="You will take.", seat=names[event.seat])
        case happened.Passed():
            return say("{seat} passes.", you="You pass.", seat=names[event.seat])
        case happened.Discarded():
            return say(
                "{seat} has beaten the attack.",
                you="You have beaten the attack.",
                seat=names[event.seat],
            )
        case happened.Took():
            cards = card_names(event.cards)
            return say(
                "{seat} takes {cards}.",
                you="You take {cards}.",
                seat=names[event.seat],
                cards=cards,
            )
        case happened.Drew():
            return _drew(event, names[event.seat])
        case happened.WentOut():
            return say("{seat} is out.", you="You are out.", seat=names[event.seat])
        case happened.GameOver():
            return _over(event, names)
    raise TypeError(f"{type(event).__name__} is not an event of Durak.")


def _with_card(
    message: str, you: str, event: happened.Attacked | happened.Beat, names: Sequence[str]
) -> Phrase:
    return say(message, you=you, seat=names[event.seat], card=CardName(event.card))


def _first(event: happened.FirstAttacker, seat: str) -> Phrase:
    if event.card is None:
        return say("{seat} attacks first.", you="You attack first.", seat=seat)
    return say(
        "{seat} attacks first with the lowest trump, {card}.",
        you="You attack first with the lowest trump, {card}.",
        seat=seat,
        card=CardName(event.card),
    )


def _transferred(event: happened.Transferred, names: Sequence[str]) -> Phrase:
    return say(
        "{seat} passes the attack on to {other} with {card}.",
        you="You pass the attack on to {other} with {card}.",
        seat=names[event.seat],
        other=names[event.to],
        card=CardName(event.card),
    )


def _drew(event: happened.Drew, seat: str) -> Phrase:
    if event.cards is not None:
        cards = card_names(event.cards)
        return say("{seat} draws {cards}.", you="You draw {cards}.", seat=seat, cards=cards)
    if event.trump is not None:
        return say_n(
            "{seat} draws the trump card {card}.",
            "{seat} draws {n} cards, the trump card {card} among them.",
            event.count,
            seat=seat,
            card=CardName(event.trump),
        )
    return say_n("{seat} draws {n} card.", "{seat} draws {n} cards.", event.count, seat=seat)


def _over(event: happened.GameOver, names: Sequence[str]) -> Phrase:
    if event.fool is None:
        return say("Nobody is the fool.")
    safe = [names[seat] for seat, score in enumerate(event.scores) if score]
    return say("{fool} is the fool; {safe} escaped.", fool=names[event.fool], safe=joined(safe))
