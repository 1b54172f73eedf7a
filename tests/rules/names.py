"""Who sits down in tests: a name for every seat of the widest game."""

NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hera", "Ivo"]
NAMES += ["Jana", "Kurt", "Lea", "Max", "Nora", "Otto", "Pia", "Quin", "Rosa"]
