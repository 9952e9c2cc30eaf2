"""Installed games, and the start of a game: a validated argument list or URL."""
