"""The filter field, which underlines errors."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from browser_app.catalogue.filters.filter_parser import FilterError
from browser_app.language import gettext as _
from browser_app.ui.filters.filter_completion import FilterCompletion, FilterCompletionList
from browser_app.ui.widgets.accessibility import announce
from browser_app.ui.widgets.basic_widgets import Label, draw_box, draw_focus_ring, draw_icon, mirrored_rect
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import capitalise, plain_tool_tip


class FieldErrorNote(QWidget):
    """A note below the field, hidden while there is no error."""

    def __init__(self, theme: Theme, field: QWidget) -> None:
        super().__init__(field.window())
        self._theme, self._field = theme, field
        self.error_label = Label(theme, role="warning", size=12, wraps=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 8, 6)
        row.addWidget(self.error_label)
        theme.changed.connect(self.update)
        self.hide()

    def show_error(self, text: str) -> None:
        """Show an error; an empty text hides the note."""
        self.error_label.setText(text)
        window = self._field.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        corner = self._field.mapTo(window, QPoint(0, self._field.height() + 2))
        width = self._field.width()
        self.setGeometry(corner.x(), corner.y(), width, self.heightForWidth(width))
        self.setVisible(bool(text))
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the box."""
        colors = self._theme.palette
        draw_box(QPainter(self), self.rect(), QColor(colors.raised), QColor(colors.warning))


FILTER_FIELD_HEIGHT, FILTER_FIELD_WIDTH, MIN_FILTER_FIELD_WIDTH = 32, 288, 120
_EDIT_DELAY_MS = 120
_PLACEHOLDER_MARGIN = 3
"""Of Qt's line edit, in pixels, rounded up."""
_T = TypeVar("_T")


class _FilterLineEdit(QLineEdit):
    """Line edit that underlines the error and shows the first placeholder that fits."""

    def __init__(self, theme: Theme, placeholders: Sequence[str]) -> None:
        super().__init__()
        self._theme, self._placeholders = theme, placeholders
        self.error_range: tuple[int, int] | None = None
        """First character of the error, and the one after its last."""
        self.setFrame(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose the placeholder."""
        super().resizeEvent(event)
        space = self.contentsRect().width() - 2 * _PLACEHOLDER_MARGIN
        fitting = (text for text in self._placeholders if self.fontMetrics().horizontalAdvance(text) <= space)
        self.setPlaceholderText(next(fitting, self._placeholders[-1]))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text, then the error.

        The scroll position of the text is known only after it is painted.
        """
        super().paintEvent(event)
        if self.error_range is None:
            return
        metrics, text = self.fontMetrics(), self.text() + " "
        text_left = self.cursorRect().center().x() - metrics.horizontalAdvance(text[: self.cursorPosition()])
        left, right = (text_left + metrics.horizontalAdvance(text[:end]) for end in self.error_range)
        painter = QPainter(self)
        painter.setPen(QPen(self._theme.palette.color("warning"), 2))
        painter.drawLine(left, self.height() - 3, max(right, left + 6), self.height() - 3)


class FilterField(QWidget):
    """A filter field with a search icon and its shortcut.

    Signals:
        filter_edited: the text, shortly after the last key.
        field_left: Enter, Down, or Esc in the empty field.
    """

    filter_edited = Signal(str)
    field_left = Signal()

    def __init__(self, theme: Theme, placeholder: str = "", *, key: str = "") -> None:
        """Create the field.

        Args:
            theme: colours and fonts.
            placeholder: example of an expression.
            key: name of the shortcut that focuses the field, empty for none.
        """
        super().__init__()
        self._theme, self._shortcut_hint = theme, key
        self.error: tuple[int, int, str] | None = None
        """Start, end and message of the error."""
        examples = (_("Filter, e.g. map:veil ping<80"), _("Filter, e.g. map:veil"), _("Filter"))
        self._edit = _FilterLineEdit(theme, (placeholder,) if placeholder else examples)
        self._edit.setAccessibleName(_("Filter"))
        self._edit.installEventFilter(self)
        self.completion: FilterCompletionList | None = None
        self.error_note = FieldErrorNote(theme, self)
        """Shows the message while the field has the focus."""
        self._edit_timer = QTimer(self, singleShot=True, interval=_EDIT_DELAY_MS)
        self._edit_timer.timeout.connect(lambda: self.filter_edited.emit(self.text()))
        self._edit.textChanged.connect(self._on_text_changed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 2)
        row.setSpacing(0)
        row.addSpacing(28)  # a margin would not be mirrored
        row.addWidget(self._edit)
        row.addSpacing(56 if key else 28)
        self.setFixedHeight(FILTER_FIELD_HEIGHT)
        self.setMinimumWidth(MIN_FILTER_FIELD_WIDTH)
        self.setMaximumWidth(FILTER_FIELD_WIDTH)
        self.setFocusProxy(self._edit)
        self._recolor()
        theme.changed.connect(self._recolor)

    def set_completion(self, completion: FilterCompletion) -> None:
        """Offer completions from now on."""
        self.completion = FilterCompletionList(self._theme, self._edit, completion)

    def text(self) -> str:
        """Return the field's text."""
        return self._edit.text()

    def set_text(self, text: str) -> None:
        """Replace the field's text."""
        self._edit.setText(text)

    def focus_field(self) -> None:
        """Move the focus to the field and select its text."""
        self._edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._edit.selectAll()

    def parse_text(self, text: str, parse: Callable[[str], _T]) -> _T | None:
        """Return the parsed text; if it is invalid, show the error and return None."""
        try:
            parsed = parse(text)
        except FilterError as error:
            self.show_error(error.message, error.start, error.end)
            return None
        self.clear_error()
        return parsed

    def show_error(self, message: str, start: int, end: int) -> None:
        """Underline characters `start` to `end` and show the message as a sentence."""
        message = capitalise(message)
        is_new = message != self._edit.accessibleDescription()
        self.error = (start, max(end, start + 1), message)
        self._edit.error_range = self.error[:2]
        self._edit.setToolTip(plain_tool_tip(message))
        self._edit.setAccessibleDescription(message)
        if is_new:
            announce(self._edit, message)
        self._show_reason()
        self._edit.update()
        self.update()

    def clear_error(self) -> None:
        """Remove the error."""
        self.error = self._edit.error_range = None
        self._edit.setToolTip("")
        self._edit.setAccessibleDescription("")
        self._show_reason()
        self._edit.update()
        self.update()

    def handle_escape(self) -> bool:
        """Clear the text, or leave the empty field.

        Returns False if the focus is elsewhere.
        """
        if not self._edit.hasFocus():
            return False
        if self.text():
            self._edit.clear()
        else:
            self.field_left.emit()
        return True

    def _show_reason(self) -> None:
        offered = self.completion is not None and self.completion.suggestions
        self.error_note.show_error(self.error[2] if self.error and self._edit.hasFocus() and not offered else "")

    def _on_text_changed(self) -> None:
        self.error = self._edit.error_range = None
        self._show_reason()
        self._edit_timer.start()
        self.update()

    def _recolor(self) -> None:
        palette = self._edit.palette()
        palette.setColor(QPalette.ColorRole.Base, self._theme.palette.color("raised"))
        palette.setColor(QPalette.ColorRole.Text, self._theme.palette.color("text1"))
        palette.setColor(QPalette.ColorRole.PlaceholderText, self._theme.palette.color("text3"))
        self._edit.setPalette(palette)
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report pending edits and leave the field on Enter and Down.

        Ring and error follow the focus.
        """
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            QTimer.singleShot(0, self, self._show_reason)  # after the focus has changed
            self.update()
        pressed = event.key() if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress else None
        if pressed in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._report_pending_edit()
            self.field_left.emit()
            return True
        return super().eventFilter(watched, event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Report a pending edit, since the window may be closed next."""
        self._report_pending_edit()
        super().hideEvent(event)

    def _report_pending_edit(self) -> None:
        if self._edit_timer.isActive():
            self._edit_timer.stop()
            self.filter_edited.emit(self.text())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint box, search icon, shortcut or error icon."""
        colors = self._theme.palette
        painter = QPainter(self)
        draw_box(painter, self.rect(), QColor(colors.raised), QColor(colors.warning if self.error else colors.border))
        draw_icon(painter, "search", colors.text2, mirrored_rect(self, QRect(8, 0, 16, FILTER_FIELD_HEIGHT)))
        if self.error:
            draw_icon(
                painter,
                "warning",
                colors.warning,
                mirrored_rect(self, QRect(self.width() - 28, 0, 16, FILTER_FIELD_HEIGHT)),
            )
        elif self._shortcut_hint and not self._edit.hasFocus():
            self._paint_shortcut(painter)
        if self._edit.hasFocus():
            draw_focus_ring(painter, self.rect(), colors.color("accent"))

    def _paint_shortcut(self, painter: QPainter) -> None:
        font = self._theme.font(11)
        width = QFontMetrics(font).horizontalAdvance(self._shortcut_hint) + 8
        box = mirrored_rect(self, QRect(self.width() - width - 8, (FILTER_FIELD_HEIGHT - 17) // 2, width, 17))
        draw_box(painter, box, None, self._theme.palette.color("border"))
        painter.setFont(font)
        painter.setPen(self._theme.palette.color("text2"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self._shortcut_hint)
