"""Resigning, and handing a seat to a bot."""
