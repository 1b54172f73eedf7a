"""The table of Durak: its scene, what is to be done in words, motions, how a game ended."""
