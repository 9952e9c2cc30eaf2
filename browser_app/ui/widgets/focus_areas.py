"""Movement of the focus between the areas of a window, and away from hidden ones."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

FocusArea = tuple[QWidget, QWidget]
"""An area and the widget in it that gets the focus."""


def move_to_area(window: QWidget, areas: Sequence[FocusArea], step: int) -> None:
    """Focus the next visible area (`step` 1) or the previous (-1), wrapping around."""
    shown = [(area, target) for area, target in areas if area.isVisible() and target.isEnabled()]
    if not shown:
        return
    focused = window.focusWidget()
    inside = [area is focused or area.isAncestorOf(focused) for area, _target in shown] if focused is not None else []
    here = inside.index(True) if True in inside else -1 if step > 0 else 0
    shown[(here + step) % len(shown)][1].setFocus(Qt.FocusReason.ShortcutFocusReason)


def hide_area(area: QWidget, successor: QWidget) -> None:
    """Hide an area; if it had the focus, `successor` gets it.

    Qt would focus whatever comes next in tab order.
    """
    focused = area.window().focusWidget()
    has_focus = focused is not None and (focused is area or area.isAncestorOf(focused))
    area.hide()
    if has_focus:
        successor.setFocus()
