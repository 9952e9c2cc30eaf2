"""Dialogs: window-modal, opened with `open()`, complete by keys."""
