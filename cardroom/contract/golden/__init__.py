"""Golden playthroughs: whole matches as text, so that a change of a game shows in a diff.

``python -m cardroom.contract.golden durak`` writes those of one game.
"""
