"""The window program: its parts put together, from the stored list to the running event loop."""

from browser_app.window_app.picture import draw_window
from browser_app.window_app.program import WindowProgram
from browser_app.window_app.start import open_window

__all__ = ["WindowProgram", "draw_window", "open_window"]
