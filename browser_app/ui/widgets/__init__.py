"""Reusable widgets, theme, painting helpers and plots."""
