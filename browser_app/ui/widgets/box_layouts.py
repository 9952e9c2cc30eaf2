"""Rows, columns and grids of widgets, built in one call."""

from typing import NamedTuple, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLayout, QWidget

from browser_app.ui.widgets.text_direction import is_window_mirrored

_Box = TypeVar("_Box", bound=QBoxLayout)


class Stretch(NamedTuple):
    """A part that takes free space; without a part, the space stays empty."""

    part: QWidget | QLayout | None = None
    factor: int = 1


class Aligned(NamedTuple):
    """A widget that keeps its preferred size."""

    part: QWidget
    alignment: Qt.AlignmentFlag


def fill_box(
    box: _Box,
    *parts: QWidget | QLayout | Stretch | Aligned | int,
    spacing: int = 8,
    margins: tuple[int, int, int, int] = (0, 0, 0, 0),
) -> _Box:
    """Add parts to a row or a column, and return it.

    A number is extra space in pixels. `margins` are those of a left-to-right window: left, top, right, bottom.
    """
    set_margins(box, *margins)
    box.setSpacing(spacing)
    for part in parts:
        if isinstance(part, int):
            box.addSpacing(part)
        elif isinstance(part, Aligned):
            box.addWidget(part.part, alignment=part.alignment)
        else:
            _add_stretched(box, part if isinstance(part, Stretch) else Stretch(part, 0))
    return box


def set_margins(layout: QLayout, left: int, top: int, right: int, bottom: int) -> None:
    """Set the margins of a layout, mirrored in right-to-left windows.

    Qt mirrors only its parts.
    """
    layout.setContentsMargins(*((right, top, left, bottom) if is_window_mirrored() else (left, top, right, bottom)))


def _add_stretched(box: QBoxLayout, part: Stretch) -> None:
    if part.part is None:
        box.addStretch(part.factor)
    elif isinstance(part.part, QLayout):
        box.addLayout(part.part, part.factor)
    else:
        box.addWidget(part.part, part.factor)


def create_grid(widget: QWidget | None, *, spacing: tuple[int, int], stretch: int | None = None) -> QGridLayout:
    """Return a grid without margins.

    `spacing`: horizontal and vertical, `stretch`: column that takes free space.
    """
    grid = QGridLayout() if widget is None else QGridLayout(widget)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(spacing[0])
    grid.setVerticalSpacing(spacing[1])
    if stretch is not None:
        grid.setColumnStretch(stretch, 1)
    return grid
