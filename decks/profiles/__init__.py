"""What can be said of ten side cards: by looking at them, and by playing them. No database here."""
