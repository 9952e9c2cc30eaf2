"""The view *My skill*: its frame, and its six pages."""
