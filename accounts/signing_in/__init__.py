"""Signing in: lockout, second factor, one's own password, being signed in."""
