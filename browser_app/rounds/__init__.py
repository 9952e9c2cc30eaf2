"""Readers of round files and of games' logs and reports."""
