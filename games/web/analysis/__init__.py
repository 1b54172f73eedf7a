"""The analysis of a finished match: asked for, waited for, read decision by decision."""
