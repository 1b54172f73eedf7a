"""Pyanitsa for programs that learn: batches of compiled matches."""
