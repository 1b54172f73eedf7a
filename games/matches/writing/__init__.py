"""What a move changes in memory, and the one statement that writes it."""
