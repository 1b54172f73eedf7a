"""How a round or a match ended, its best moments, and what comes after it."""
