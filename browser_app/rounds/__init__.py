"""Readers of rounds: the program's own round file and the logs and reports of games."""
