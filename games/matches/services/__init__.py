"""Writes. Each is one door: keyword-only, judged here and by the rules, then one write."""
