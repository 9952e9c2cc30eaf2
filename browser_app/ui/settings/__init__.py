"""Dialogs for settings, master servers, shortcuts and information."""
