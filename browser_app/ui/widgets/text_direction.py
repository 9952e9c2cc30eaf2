"""The direction of single texts, which may differ from the window's."""

import unicodedata

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

_RIGHT_TO_LEFT = ("R", "AL")
_FORCE_RTL, _FORCE_LTR = int(Qt.TextFlag.TextForceRightToLeft), int(Qt.TextFlag.TextForceLeftToRight)
_RTL_MARK, _LTR_ISOLATE, _END_OF_ISOLATE = "\u200f", "\u2066", "\u2069"


def is_right_to_left(text: str) -> bool:
    """Return whether the first letter of a text is of a right-to-left script."""
    if text.isascii():
        return False
    strong = (unicodedata.bidirectional(letter) for letter in text)
    return next((kind for kind in strong if kind in ("L", *_RIGHT_TO_LEFT)), "L") in _RIGHT_TO_LEFT


def direction_flag(text: str) -> int:
    """Return the flag that paints a text in its own direction.

    So a name that was cut has its ellipsis at its end, and a number its sign at its start.
    """
    return _FORCE_RTL if is_right_to_left(text) else _FORCE_LTR


def is_window_mirrored() -> bool:
    """Return whether windows run from right to left."""
    return QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft


def with_arrow(text: str) -> str:
    """Return a text with an arrow to what follows it in the window."""
    return f"← {text}" if is_window_mirrored() else f"{text} →"


def left_to_right(text: str) -> str:
    """Return an address or a path so that its parts keep their order in any text."""
    return f"{_RTL_MARK}{_LTR_ISOLATE}{text}{_END_OF_ISOLATE}" if is_window_mirrored() else text
