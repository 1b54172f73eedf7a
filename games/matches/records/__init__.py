"""The record of a match: told, checked, exported, imported."""
