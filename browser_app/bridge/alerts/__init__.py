"""Alerts: what is watched, and desktop notifications."""
