"""Pairings and standings as functions of values; nothing here knows Django or a game.

Entrants are their starting numbers, 1 for the strongest. Points are half points, so that they add
up exactly.
"""
