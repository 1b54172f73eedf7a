"""How exercises come in: shipped, from public matches, from the mistakes of people."""
