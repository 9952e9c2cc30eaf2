"""Painted plots, their descriptions for screen readers, and axis steps."""
