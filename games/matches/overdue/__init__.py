"""Overdue: passed deadlines, and due turns that nobody played. The beat looks for them."""
