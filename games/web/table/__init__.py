"""The page on which a match is played, its ending, replay and deals."""
