"""Running the card room: acts on many matches at a time, reports of players, figures over time."""
