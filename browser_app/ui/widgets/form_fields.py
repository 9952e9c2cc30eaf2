"""Framed text editors and check boxes in the program's style.

Includes the delay before an edit is applied, and fields on pages that scroll.
"""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QCheckBox,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from browser_app.ui.widgets.basic_widgets import draw_box, draw_focus_ring, draw_icon
from browser_app.ui.widgets.theme import Theme

CHECK_BOX_PX, CHECK_BOX_RADIUS, CHECK_BOX_GAP, CHECK_BOX_HEIGHT = 16, 2, 8, 26
_RING_PADDING = 4
"""Between a check box's text and its focus ring, px."""
MIN_TEXT_FIELD_WIDTH = 120
"""Of a field in a line with other controls."""


class CheckBox(QCheckBox):
    """A check box painted in the program's style.

    Its box is at the edge, in line with texts and fields above it. Keys, accessibility and signals are Qt's.
    """

    def __init__(self, theme: Theme, text: str = "") -> None:
        super().__init__(text)
        self._theme = theme
        self.setFont(theme.font())
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint box, tick, text and focus ring."""
        painter, colors = QPainter(self), self._theme.palette
        box = QRect(0, (self.height() - CHECK_BOX_PX) // 2, CHECK_BOX_PX, CHECK_BOX_PX)
        box = QStyle.visualRect(self.layoutDirection(), self.rect(), box)
        is_checked, is_enabled = self.isChecked(), self.isEnabled()
        is_accented = is_checked and is_enabled
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colors.color("accent" if is_accented else "border"), 1))
        painter.setBrush(colors.color("accent" if is_accented else "raised"))
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), CHECK_BOX_RADIUS, CHECK_BOX_RADIUS)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if is_checked:
            draw_icon(painter, "check", colors.on_accent if is_enabled else colors.text3, box, size=14)
        painter.setPen(colors.color("text1" if is_enabled else "text3"))
        leading = QStyle.visualAlignment(
            self.layoutDirection(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        painter.drawText(self._text_area(CHECK_BOX_GAP), int(leading), self.text())
        if self.hasFocus():
            around = self._text_area(CHECK_BOX_GAP - _RING_PADDING) if self.text() else self.rect()
            draw_focus_ring(painter, around, colors.color("accent"))

    def _text_area(self, gap: int) -> QRect:
        """Return the area that begins so far beside the box."""
        area = self.rect().adjusted(CHECK_BOX_PX + gap, 0, 0, 0)
        return QStyle.visualRect(self.layoutDirection(), self.rect(), area)

    def sizeHint(self) -> QSize:
        """Return the size of box, text and focus ring."""
        text = QFontMetrics(self.font()).horizontalAdvance(self.text())
        return QSize(CHECK_BOX_PX + (CHECK_BOX_GAP + text + _RING_PADDING if text else 0), CHECK_BOX_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Return the preferred size: the text is never cut."""
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:  # noqa: N802 (Qt's name)
        """Accept clicks anywhere on box and text."""
        return QRect(QPoint(0, 0), self.sizeHint()).contains(pos)


class FramedEditor(QWidget):
    """A box with border and focus ring around an editor, whose own frame is removed."""

    def __init__(self, theme: Theme, editor: QLineEdit | QAbstractScrollArea, height: int) -> None:
        """Frame an editor in a box of `height` px."""
        super().__init__()
        self._theme, self._editor = theme, editor
        if isinstance(editor, QLineEdit):
            editor.setFrame(False)
        else:
            editor.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        editor.setFont(theme.font())
        editor.installEventFilter(self)
        self.setFocusProxy(editor)
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(6, 3, 6, 3)
        inside.addWidget(editor)
        theme.changed.connect(self._recolor)
        self._recolor()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Repaint the ring when the editor gains or loses the focus."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint box and focus ring."""
        painter, colors = QPainter(self), self._theme.palette
        draw_box(painter, self.rect(), colors.color("raised"), colors.color("border"))
        if self._editor.hasFocus():
            draw_focus_ring(painter, self.rect(), colors.color("accent"))

    def _recolor(self) -> None:
        palette = QPalette(self._editor.palette())
        palette.setColor(QPalette.ColorRole.Base, self._theme.palette.color("raised"))
        palette.setColor(QPalette.ColorRole.Text, self._theme.palette.color("text1"))
        palette.setColor(QPalette.ColorRole.PlaceholderText, self._theme.palette.color("text3"))
        self._editor.setPalette(palette)
        self.update()


class DelayedCall(QTimer):
    """Calls a function after a pause since the last `start`.

    `stop` discards a pending call.
    """

    def __init__(self, parent: QObject, delay_ms: int, work: Callable[[], object]) -> None:
        super().__init__(parent, singleShot=True, interval=delay_ms)
        self._work = work
        self.timeout.connect(work)

    def flush(self) -> None:
        """Call the function now if a call is pending."""
        if self.isActive():
            self.stop()
            self._work()


class SpinBox(QSpinBox):
    """A field for whole numbers.

    Its text is as far from the frame as that of other fields.
    """

    def __init__(self, low: int, high: int, value: int) -> None:
        super().__init__(minimum=low, maximum=high, value=value)
        indent_number(self)
        leave_wheel_to_page(self)


def indent_number(box: QAbstractSpinBox) -> None:
    """Move a number away from the frame; Qt ignores the padding of style sheets there."""
    box.lineEdit().setTextMargins(_NUMBER_INDENT, 0, _NUMBER_INDENT, 0)


_NUMBER_INDENT = 5


class _WheelFilter(QObject):
    """Ignores the wheel over a field, so that the page below it scrolls.

    A list or text scrolls itself while it has the focus.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel:
            return super().eventFilter(watched, event)
        field = self.parent()
        if isinstance(field, QAbstractScrollArea) and _has_focus_inside(field):
            return super().eventFilter(watched, event)
        event.ignore()
        return True


def _has_focus_inside(area: QAbstractScrollArea) -> bool:
    focused = area.window().focusWidget()
    return focused is not None and (focused is area or area.isAncestorOf(focused))


_Field = TypeVar("_Field", bound=QWidget)


def leave_wheel_to_page(field: _Field) -> _Field:
    """Keep the wheel from changing or scrolling a field on its way; return the field."""
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # Qt's default includes the wheel
    wheel_filter = _WheelFilter(field)
    (field.viewport() if isinstance(field, QAbstractScrollArea) else field).installEventFilter(wheel_filter)
    return field
