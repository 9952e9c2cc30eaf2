"""Trials of the packages: each is installed, started and removed without a trace."""
