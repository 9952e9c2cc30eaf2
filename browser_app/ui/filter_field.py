"""The filter field: a line of the filter language, its error marked in place with the reason."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from browser_app.catalogue.filter_parser import FilterError
from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.ui.completion_list import CompletionList
from browser_app.ui.controls import draw_box, draw_focus, draw_icon, placed
from browser_app.ui.field_note import FieldNote
from browser_app.ui.filter_completion import Completion
from browser_app.ui.texts import tool_tip
from browser_app.ui.theme import Theme

HEIGHT, WIDTH, LEAST_WIDTH = 32, 288, 120
_PAUSE_MS = 120
_HINT = later("Ctrl F")
_T = TypeVar("_T")


class _Line(QLineEdit):
    """Qt's line with what is wrong underlined."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.wrong: tuple[int, int] | None = None
        """The places from which and up to which."""
        self.setFrame(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line, then what is wrong: only then it is known how far the text is scrolled."""
        super().paintEvent(event)
        if self.wrong is None:
            return
        metrics, text = self.fontMetrics(), self.text() + " "
        begins = self.cursorRect().center().x() - metrics.horizontalAdvance(text[: self.cursorPosition()])
        left, right = (begins + metrics.horizontalAdvance(text[:place]) for place in self.wrong)
        painter = QPainter(self)
        painter.setPen(QPen(self._theme.palette.color("warning"), 2))
        painter.drawLine(left, self.height() - 3, max(right, left + 6), self.height() - 3)


class FilterField(QWidget):
    """A field with a magnifier and its key.

    Signals:
        edited: the text, shortly after the last key.
        left: Enter, Down, or Esc in an empty field: the user wants back to the list.
    """

    edited = Signal(str)
    left = Signal()

    def __init__(self, theme: Theme, placeholder: str = "", *, key: str = _HINT) -> None:
        """`placeholder` says by examples what may stand here. `key` leads here; empty: none does."""
        super().__init__()
        self._theme, self._key = theme, key
        self.error: tuple[int, int, str] | None = None
        """First and last place of what is wrong with the text, and the reason."""
        self._edit = _Line(theme)
        self._edit.setPlaceholderText(placeholder or _("Filter, e.g. map:veil ping<80"))
        self._edit.setAccessibleName(_("Filter"))
        self._edit.installEventFilter(self)
        self.completion: CompletionList | None = None
        self.note = FieldNote(theme, self)
        """The reason, in sight while the field has the focus."""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(lambda: self.edited.emit(self.text()))
        self._edit.textChanged.connect(self._text_changed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 2)
        row.setSpacing(0)
        row.addSpacing(28)  # margins would not turn with the direction
        row.addWidget(self._edit)
        row.addSpacing(56 if key else 28)
        self.setFixedHeight(HEIGHT)
        self.setMinimumWidth(LEAST_WIDTH)
        self.setMaximumWidth(WIDTH)
        self.setFocusProxy(self._edit)
        self._recolor()
        theme.changed.connect(self._recolor)

    def offer(self, completion: Completion) -> None:
        """Offer what may stand there from now on."""
        self.completion = CompletionList(self._theme, self._edit, completion)

    def text(self) -> str:
        """What stands in the field."""
        return self._edit.text()

    def set_text(self, text: str) -> None:
        """Put a filter into the field."""
        self._edit.setText(text)

    def focus(self) -> None:
        """Go into the field with its text selected."""
        self._edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._edit.selectAll()

    def read(self, text: str, parse: Callable[[str], _T]) -> _T | None:
        """What `parse` makes of a text of this field; None where that is no filter, and the reason is shown."""
        try:
            made = parse(text)
        except FilterError as error:
            self.show_error(error.message, error.start, error.end)
            return None
        self.clear_error()
        return made

    def show_error(self, message: str, start: int, end: int) -> None:
        """Underline the characters from `start` to `end` and tell why."""
        self.error = (start, max(end, start + 1), message)
        self._edit.wrong = self.error[:2]
        self._edit.setToolTip(tool_tip(message))
        self._edit.setAccessibleDescription(message)
        self._tell_reason()
        self._edit.update()
        self.update()

    def clear_error(self) -> None:
        """The text is a valid filter."""
        self.error = self._edit.wrong = None
        self._edit.setToolTip("")
        self._edit.setAccessibleDescription("")
        self._tell_reason()
        self._edit.update()
        self.update()

    def escape(self) -> bool:
        """Esc: take the text away, or leave the empty field; False where the focus is elsewhere."""
        if not self._edit.hasFocus():
            return False
        if self.text():
            self._edit.clear()
        else:
            self.left.emit()
        return True

    def _tell_reason(self) -> None:
        offered = self.completion is not None and self.completion.offers
        self.note.tell(self.error[2] if self.error and self._edit.hasFocus() and not offered else "")

    def _text_changed(self) -> None:
        self.error = self._edit.wrong = None
        self._tell_reason()
        self._pause.start()
        self.update()

    def _recolor(self) -> None:
        palette = self._edit.palette()
        palette.setColor(palette.ColorRole.Base, QColor(self._theme.palette.raised))
        self._edit.setPalette(palette)
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter and Down leave, and what was written holds by then; focus repaints the ring."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            QTimer.singleShot(0, self, self._tell_reason)  # the focus has changed when this is over
            self.update()
        pressed = event.key() if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress else None
        if pressed in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._pause.isActive():
                self._pause.stop()
                self.edited.emit(self.text())
            self.left.emit()
            return True
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the box, the magnifier, the key or the error mark."""
        colors = self._theme.palette
        painter = QPainter(self)
        draw_box(painter, self.rect(), QColor(colors.raised), QColor(colors.warning if self.error else colors.border))
        draw_icon(painter, "search", colors.text2, placed(self, QRect(8, 0, 16, HEIGHT)))
        if self.error:
            draw_icon(painter, "doubt", colors.warning, placed(self, QRect(self.width() - 28, 0, 16, HEIGHT)))
        elif self._key and not self._edit.hasFocus():
            self._paint_key(painter)
        if self._edit.hasFocus():
            draw_focus(painter, self.rect(), colors.color("accent"))

    def _paint_key(self, painter: QPainter) -> None:
        font = self._theme.font(11)
        width = QFontMetrics(font).horizontalAdvance(_(self._key)) + 8
        box = placed(self, QRect(self.width() - width - 8, (HEIGHT - 17) // 2, width, 17))
        draw_box(painter, box, None, self._theme.palette.color("border"))
        painter.setFont(font)
        painter.setPen(self._theme.palette.color("text2"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), _(self._key))
