"""What is Pazaak's alone: the batched environment and a game small enough for exact solvers."""
