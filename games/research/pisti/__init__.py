"""Pişti for programs that learn: batches of compiled matches, one seat, a worked training."""
