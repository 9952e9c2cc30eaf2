"""Faults and rare states of demo servers."""
