"""Shithead for programs that learn: batches of compiled matches."""
