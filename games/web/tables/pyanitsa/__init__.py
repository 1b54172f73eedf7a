"""The table of Pyanitsa: its scene, the last trick, the curve of cards, its own actions."""
