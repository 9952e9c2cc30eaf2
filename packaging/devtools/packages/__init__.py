"""Reproducible packages of a commit."""
