"""What is Pazaak's alone: the batched environment, a game small enough for exact solvers, and what
its ``professor`` learns from."""
