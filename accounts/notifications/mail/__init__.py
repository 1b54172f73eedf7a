"""Mail to people: one message, or all of a day in one; and the question to an address."""
