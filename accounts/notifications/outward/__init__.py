"""Calls to addresses that a stranger chose, so that nobody reaches this network through them."""
