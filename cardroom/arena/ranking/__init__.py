"""Entrants in order: pairs, contests, ratings, tournaments and their table."""
