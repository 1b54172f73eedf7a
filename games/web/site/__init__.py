"""Pages that are no table: landing, lobby, new match, simulations, the own account, files."""
