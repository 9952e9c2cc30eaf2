"""Inspector page with the user's note, alerts and visits."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from itertools import zip_longest

from PySide6.QtCore import QDate, QLocale, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from browser_app.catalogue.server_value_text import UNKNOWN_VALUE
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.storage.user_lists.alert_store import AlertKind
from browser_app.storage.user_lists.visit_history_store import ServerVisit
from browser_app.ui.inspector.alert_check_boxes import AlertCheckBoxes
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Aligned, Stretch, fill_box
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.form_fields import DelayedCall, FramedEditor
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import clock_time_text, hours_text

MAX_SHOWN_VISITS = 3
"""Number of recent visits that are listed."""


def visit_lines(visits: Sequence[ServerVisit], today: date) -> list[tuple[str, str, str]]:
    """Return day, time and duration of the last visits, newest first."""
    lines = []
    for visit in visits[:MAX_SHOWN_VISITS]:
        at = datetime.fromtimestamp(visit.joined_at).astimezone()
        seconds = _visit_seconds(visit)
        lines.append(
            (
                _day_label(at.date(), today),
                clock_time_text(visit.joined_at),
                UNKNOWN_VALUE if seconds is None else hours_text(seconds),
            )
        )
    return lines


def visits_summary(visits: Sequence[ServerVisit]) -> str:
    """Return the number of visits and their total time.

    Visits without a known end only count in the number.
    """
    if not visits:
        return _("None yet.")
    seconds = [each for visit in visits if (each := _visit_seconds(visit)) is not None]
    if not seconds:
        return ngettext("{n} visit.", "{n} visits.", len(visits)).format(n=len(visits))
    text = ngettext("{n} visit, {time} in total.", "{n} visits, {time} in total.", len(visits))
    return text.format(n=len(visits), time=hours_text(sum(seconds)))


def _visit_seconds(visit: ServerVisit) -> float | None:
    return None if visit.left_at is None else max(0.0, visit.left_at - visit.joined_at)


def _day_label(day: date, today: date) -> str:
    ago = (today - day).days
    if ago in (0, 1):
        return _("Yesterday") if ago else _("Today")
    form = "ddd d MMM" if day.year == today.year else "d MMM yyyy"
    return QLocale().toString(QDate(day.year, day.month, day.day), form)


NOTE_SAVE_DELAY_MS = 400
"""Time after the last key before edits are saved."""
NOTE_HEIGHT = 132
MAX_NOTE_LENGTH = 10_000


class NotesPage(QWidget):
    """The page of the note, alerts, visits, password, extra arguments and blocking.

    Signals:
        note_edited, arguments_edited: the whole text, shortly after the last key or by `flush_edits`.
        forget_password_requested: delete the saved password.
        block_requested: block the server or servers like it, or unblock it.
    """

    note_edited = Signal(str)
    arguments_edited = Signal(str)
    forget_password_requested = Signal()
    block_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.note_field = QPlainTextEdit()
        self.note_field.setTabChangesFocus(True)
        self.note_field.setPlaceholderText(_("Your notes about this server"))
        self.note_field.setAccessibleName(_("Note"))
        self.alert_boxes = AlertCheckBoxes(theme)
        self._visit_labels = [
            [Label(theme, role=role) for role in ("text1", "text2", "text2")] for _row in range(MAX_SHOWN_VISITS)
        ]
        self._visits_summary_label = Label(theme, role="text2", size=12)
        self._password_label = Label(theme)
        self._forget_button = LinkButton(theme, _("Forget"))
        self._forget_button.setAccessibleName(_("Forget the saved password"))
        self.arguments_field = QLineEdit()
        self.arguments_field.setPlaceholderText(_("none"))
        self.arguments_field.setAccessibleName(_("Extra arguments"))
        self._problem_label = Label(theme, role="warning", size=12, wraps=True)
        self.block_button = Button(theme, _("Block…"), "block")
        self._block_hint = self._create_hint(_("this server, its address range or its name"))
        self._max_note_length = MAX_NOTE_LENGTH
        """Characters; an imported note may be longer than what can be typed and is not cut."""
        self._note_save = DelayedCall(
            self, NOTE_SAVE_DELAY_MS, lambda: self.note_edited.emit(self.note_field.toPlainText())
        )
        self._arguments_save = DelayedCall(
            self, NOTE_SAVE_DELAY_MS, lambda: self.arguments_edited.emit(self.arguments_field.text())
        )
        self._build_layout()
        self._connect()

    def _connect(self) -> None:
        self.note_field.textChanged.connect(self._on_note_changed)
        self.arguments_field.textEdited.connect(self._arguments_save.start)
        self._forget_button.clicked.connect(self.forget_password_requested)
        self.block_button.clicked.connect(self.block_requested)

    def _build_layout(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 12)
        column.setSpacing(4)
        column.addWidget(FramedEditor(self._theme, self.note_field, NOTE_HEIGHT))
        column.addWidget(self._create_hint(_("Saved as you type. Notes stay on this computer. Filter: note:word")))
        column.addSpacing(8)
        column.addWidget(self._create_title(_("Notify me")))
        column.addWidget(self.alert_boxes)
        column.addSpacing(8)
        column.addWidget(self._create_title(_("Your visits")))
        column.addLayout(self._create_visit_rows())
        column.addWidget(self._visits_summary_label)
        column.addSpacing(8)
        column.addWidget(self._create_title(_("Join")))
        column.addLayout(self._create_join_rows())
        column.addWidget(self._problem_label)
        column.addSpacing(8)
        block_button = Aligned(self.block_button, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        column.addLayout(fill_box(QHBoxLayout(), block_button, Stretch(self._block_hint)))
        column.addStretch(1)

    def _create_visit_rows(self) -> QGridLayout:
        rows = QGridLayout()
        rows.setColumnStretch(2, 1)
        rows.setHorizontalSpacing(16)
        rows.setVerticalSpacing(8)
        for row, cells in enumerate(self._visit_labels):
            cells[-1].setAlignment(Qt.AlignmentFlag.AlignRight)
            for place, cell in enumerate(cells):
                rows.addWidget(cell, row, place)
        return rows

    def _create_join_rows(self) -> QGridLayout:
        rows = QGridLayout()
        rows.setColumnStretch(1, 1)
        rows.setHorizontalSpacing(12)
        rows.addWidget(Label(self._theme, _("Password"), role="text2"), 0, 0)
        password = QHBoxLayout()
        password.addWidget(self._password_label)
        password.addWidget(self._forget_button)
        password.addStretch(1)
        rows.addLayout(password, 0, 1)
        rows.addWidget(Label(self._theme, _("Extra arguments"), role="text2"), 1, 0)
        rows.addWidget(FramedEditor(self._theme, self.arguments_field, 28), 1, 1)
        return rows

    def _create_hint(self, words: str) -> Label:
        return Label(self._theme, words, role="text2", size=12, wraps=True)

    def _create_title(self, text: str) -> Label:
        return Label(self._theme, text, role="text2", size=12, weight=QFont.Weight.DemiBold)

    # Content

    def show_note(self, note: str) -> None:
        """Show another server's note; pending edits of the last one are discarded."""
        self._note_save.stop()
        self._max_note_length = max(MAX_NOTE_LENGTH, len(note))
        self._set_note(note)

    def _set_note(self, note: str) -> None:
        self.note_field.blockSignals(True)
        self.note_field.setPlainText(note)
        self.note_field.blockSignals(False)

    def show_alerts(self, alerts: Mapping[AlertKind, int]) -> None:
        """Check the alerts that are set; values are their numbers of players."""
        self.alert_boxes.show_alerts(alerts)

    def show_visits(self, visits: Sequence[tuple[str, str, str]], summary: str) -> None:
        """Show the last visits (day, time, duration) and their summary."""
        for cells, visit in zip_longest(self._visit_labels, visits):
            for cell, text in zip_longest(cells, visit or ()):
                cell.setText(text)
                cell.setVisible(visit is not None)
        self._visits_summary_label.setText(summary)

    def show_password(self, text: str, *, saved: bool) -> None:
        """Show whether a password is needed; `saved` if one can be forgotten."""
        self._password_label.setText(text)
        self._forget_button.setVisible(saved)

    def show_blocked(self, *, blocked: bool) -> None:
        """Offer to block the server, or to unblock it."""
        self.block_button.setText(_("Unblock") if blocked else _("Block…"))
        self.block_button.updateGeometry()
        self._block_hint.setVisible(not blocked)

    def show_arguments(self, arguments: str) -> None:
        """Show the extra arguments of the game for this server."""
        self._arguments_save.stop()
        self.arguments_field.setText(arguments)
        self.show_problem("")

    def show_problem(self, problem: str) -> None:
        """Show why the extra arguments are not saved; empty for no problem."""
        self._problem_label.setText(problem)
        self._problem_label.setVisible(bool(problem))
        self.arguments_field.setAccessibleDescription(problem)

    def focus_note(self) -> None:
        """Move the cursor to the end of the note."""
        self.note_field.setFocus()
        self.note_field.moveCursor(self.note_field.textCursor().MoveOperation.End)

    def flush_edits(self) -> None:
        """Report pending edits now."""
        self._note_save.flush()
        self._arguments_save.flush()

    def _on_note_changed(self) -> None:
        text = self.note_field.toPlainText()
        if len(text) > self._max_note_length:
            self._set_note(text[: self._max_note_length])
            self.note_field.moveCursor(self.note_field.textCursor().MoveOperation.End)
        self._note_save.start()
