"""Tests for this game alone; the contract tests every game."""
