"""Refereeing: judgements, acts in bulk, conflicts of interest."""
