"""The players of a simulation: seats that answer events, entrants by name, best responses."""
