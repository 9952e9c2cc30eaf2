"""Trials of the packages: each is installed where nothing of it was before, started, and removed without a trace."""
