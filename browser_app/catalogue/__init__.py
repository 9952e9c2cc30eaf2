"""Catalogue of all known servers as numpy columns; filters and sort orders."""
