"""Parts for Pazaak alone: the batched environment, a game small enough for exact solvers, and the
training of its ``professor``."""
