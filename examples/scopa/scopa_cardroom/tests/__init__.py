"""What only this game can be tested for; the contract tests every game."""
