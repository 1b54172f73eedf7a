"""What a game does and says: its facts, moves, values, words, numbers, endings, bots and chance."""
