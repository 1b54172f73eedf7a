"""Leagues as pages."""
