"""The window program: composition of the components and start."""

from browser_app.window_app.window_program import WindowProgram
from browser_app.window_app.window_start import open_window, save_window_screenshot

__all__ = ["WindowProgram", "open_window", "save_window_screenshot"]
