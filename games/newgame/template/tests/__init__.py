"""Tests of this game alone; the contract tests every game."""
