"""What a game may not tell: hidden cards, by name or by a difference, and worlds dealt again."""
