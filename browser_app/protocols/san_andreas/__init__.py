"""Queries and lists of multiplayer modifications of GTA games."""
