"""Readers of round files, and of the logs and match reports of games."""
