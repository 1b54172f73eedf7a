"""Sets of cards as the bits of one number."""

from cardroom.fast.compiling import inner


@inner
def count_bits(cards: int) -> int:
    """How many of up to 63 cards: sums of two bits, of four, of eight, then of all bytes."""
    cards -= (cards >> 1) & 0x5555555555555555
    cards = (cards & 0x3333333333333333) + ((cards >> 2) & 0x3333333333333333)
    cards = (cards + (cards >> 4)) & 0x0F0F0F0F0F0F0F0F
    cards += cards >> 32
    cards += cards >> 16
    return (cards + (cards >> 8)) & 255
