"""Framed text editors, check boxes and radio buttons in the program's style.

Includes the delay before an edit is applied, and fields on pages that scroll.
"""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QCheckBox,
    QLineEdit,
    QRadioButton,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from browser_app.ui.widgets.basic_widgets import draw_box, draw_focus_ring, draw_icon
from browser_app.ui.widgets.palette import Palette
from browser_app.ui.widgets.theme import Theme

CHECK_BOX_PX, CHECK_BOX_RADIUS, CHECK_BOX_GAP, CHECK_BOX_HEIGHT = 16, 2, 8, 26
_RING_PADDING = 4
"""Between a check box's text and its focus ring, px."""
_DOT_MARGINS = 5, 5, -5, -5
"""Of the dot in a radio button's circle, px."""
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
        box = _draw_choice(painter, self, colors, CHECK_BOX_RADIUS)
        if self.isChecked():
            draw_icon(painter, "check", colors.on_accent if self.isEnabled() else colors.text3, box, size=14)

    def sizeHint(self) -> QSize:
        """Return the size of box, text and focus ring."""
        return _choice_size(self)

    def minimumSizeHint(self) -> QSize:
        """Return the preferred size: the text is never cut."""
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:  # noqa: N802 (Qt's name)
        """Accept clicks anywhere on box and text."""
        return QRect(QPoint(0, 0), self.sizeHint()).contains(pos)


class RadioButton(QRadioButton):
    """A radio button painted like `CheckBox`."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(text)
        self._theme = theme
        self.setFont(theme.font())
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint circle, dot, text and focus ring."""
        painter, colors = QPainter(self), self._theme.palette
        box = _draw_choice(painter, self, colors, CHECK_BOX_PX / 2)
        if self.isChecked():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors.color("on_accent" if self.isEnabled() else "text3"))
            painter.drawEllipse(QRectF(box).adjusted(*_DOT_MARGINS))

    def sizeHint(self) -> QSize:
        """Return the size of circle, text and focus ring."""
        return _choice_size(self)


def _draw_choice(painter: QPainter, button: QAbstractButton, colors: Palette, radius: float) -> QRect:
    """Draw a check box or radio button without its mark; return where its box is."""
    box = QRect(0, (button.height() - CHECK_BOX_PX) // 2, CHECK_BOX_PX, CHECK_BOX_PX)
    box = QStyle.visualRect(button.layoutDirection(), button.rect(), box)
    is_accented = button.isChecked() and button.isEnabled()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colors.color("accent" if is_accented else "border"), 1))
    painter.setBrush(colors.color("accent" if is_accented else "raised"))
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(colors.color("text1" if button.isEnabled() else "text3"))
    leading = QStyle.visualAlignment(
        button.layoutDirection(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    )
    painter.drawText(_choice_text_area(button, CHECK_BOX_GAP), int(leading), button.text())
    if button.hasFocus():
        around = _choice_text_area(button, CHECK_BOX_GAP - _RING_PADDING) if button.text() else button.rect()
        draw_focus_ring(painter, around, colors.color("accent"))
    return box


def _choice_text_area(button: QAbstractButton, gap: int) -> QRect:
    """Return the area that begins `gap` px beside the box."""
    area = button.rect().adjusted(CHECK_BOX_PX + gap, 0, 0, 0)
    return QStyle.visualRect(button.layoutDirection(), button.rect(), area)


def _choice_size(button: QAbstractButton) -> QSize:
    text = QFontMetrics(button.font()).horizontalAdvance(button.text())
    return QSize(CHECK_BOX_PX + (CHECK_BOX_GAP + text + _RING_PADDING if text else 0), CHECK_BOX_HEIGHT)


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
