"""The audit log: what staff did and looked at, and why. Nobody can change it (migration 0001)."""
