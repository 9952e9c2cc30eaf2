"""Readers of round files and of the logs and reports of games."""
