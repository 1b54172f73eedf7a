"""Who plays in a simulation: seats that answer events, entrants by name, best responses."""
