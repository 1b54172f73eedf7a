"""What the checks play: matches with everything noted, what is drawn, what a reader is told."""
