"""The inspector's notes: what the user keeps about one server, and what is to be told about it."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.storage.alerts import AlertKind
from browser_app.ui.alert_boxes import AlertBoxes
from browser_app.ui.boxed import Boxed
from browser_app.ui.controls import Button, Text
from browser_app.ui.link_button import LinkButton
from browser_app.ui.people.visits import SHOWN
from browser_app.ui.theme import Theme

SAVE_AFTER_MS = 400
"""So long after the last key what was written is saved."""
NOTE_HEIGHT = 132
MAX_NOTE = 10_000


class NotesPage(QWidget):
    """Shows what it is given; says what the user changed.

    Signals:
        note_written, arguments_written: the whole text, after a short rest, or at once by `hand_over`.
        forget_wanted: the saved password is to go.
        block_wanted: the user wants to block the server, or others like it; or to let it in again.
    """

    note_written = Signal(str)
    arguments_written = Signal(str)
    forget_wanted = Signal()
    block_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.note = QPlainTextEdit()
        self.note.setTabChangesFocus(True)
        self.note.setPlaceholderText(_("What you want to remember about this server"))
        self.note.setAccessibleName(_("Note"))
        self.alerts = AlertBoxes(theme)
        self._visits = [[Text(theme, role=role) for role in ("text1", "text2", "text2")] for _row in range(SHOWN)]
        self._visits_words = Text(theme, role="text2", size=12)
        self._password = Text(theme)
        self._forget = LinkButton(theme, _("Forget"))
        self._forget.setAccessibleName(_("Forget the saved password"))
        self.arguments = QLineEdit()
        self.arguments.setPlaceholderText(_("none"))
        self.arguments.setAccessibleName(_("Extra arguments"))
        self._problem = Text(theme, role="warning", size=12)
        self._problem.setWordWrap(True)
        self.block = Button(theme, _("Block…"), "block")
        self._blocks = self._quiet(_("this server, its address range or its name"))
        self._most = MAX_NOTE
        """Characters; a note that came longer than one can be written is not cut."""
        self._note_rest = QTimer(self, singleShot=True, interval=SAVE_AFTER_MS)
        self._arguments_rest = QTimer(self, singleShot=True, interval=SAVE_AFTER_MS)
        self._lay_out()
        self._connect()

    def _connect(self) -> None:
        self.note.textChanged.connect(self._note_changed)
        self.arguments.textEdited.connect(self._arguments_rest.start)
        self._note_rest.timeout.connect(lambda: self.note_written.emit(self.note.toPlainText()))
        self._arguments_rest.timeout.connect(lambda: self.arguments_written.emit(self.arguments.text()))
        self._forget.clicked.connect(self.forget_wanted)
        self.block.clicked.connect(self.block_wanted)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 12)
        column.setSpacing(4)
        column.addWidget(Boxed(self._theme, self.note, NOTE_HEIGHT))
        column.addWidget(self._quiet(_("Saved as you type. Notes stay on this computer. Filter: note:word")))
        column.addSpacing(8)
        column.addWidget(self._title(_("Tell me when")))
        column.addWidget(self.alerts)
        column.addSpacing(8)
        column.addWidget(self._title(_("Your visits")))
        column.addLayout(self._visit_rows())
        column.addWidget(self._visits_words)
        column.addSpacing(8)
        column.addWidget(self._title(_("Join")))
        column.addLayout(self._join_rows())
        column.addWidget(self._problem)
        column.addSpacing(8)
        column.addLayout(self._block_row())
        column.addStretch(1)

    def _visit_rows(self) -> QGridLayout:
        rows = QGridLayout()
        rows.setColumnStretch(2, 1)
        rows.setHorizontalSpacing(16)
        rows.setVerticalSpacing(8)
        for row, cells in enumerate(self._visits):
            cells[-1].setAlignment(Qt.AlignmentFlag.AlignRight)
            for place, cell in enumerate(cells):
                rows.addWidget(cell, row, place)
        return rows

    def _join_rows(self) -> QGridLayout:
        rows = QGridLayout()
        rows.setColumnStretch(1, 1)
        rows.setHorizontalSpacing(12)
        rows.addWidget(Text(self._theme, _("Password"), role="text2"), 0, 0)
        password = QHBoxLayout()
        password.addWidget(self._password)
        password.addWidget(self._forget)
        password.addStretch(1)
        rows.addLayout(password, 0, 1)
        rows.addWidget(Text(self._theme, _("Extra arguments"), role="text2"), 1, 0)
        rows.addWidget(Boxed(self._theme, self.arguments, 28), 1, 1)
        return rows

    def _block_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.block, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._blocks, 1)
        return row

    def _quiet(self, words: str) -> Text:
        text = Text(self._theme, words, role="text2", size=12)
        text.setWordWrap(True)
        return text

    def _title(self, words: str) -> Text:
        return Text(self._theme, words, role="text2", size=12, weight=QFont.Weight.DemiBold)

    # What is shown

    def show_note(self, note: str) -> None:
        """Show another server's note; what was not handed over of the one before is lost."""
        self._note_rest.stop()
        self._most = max(MAX_NOTE, len(note))
        self._put_note(note)

    def _put_note(self, note: str) -> None:
        self.note.blockSignals(True)
        self.note.setPlainText(note)
        self.note.blockSignals(False)

    def show_alerts(self, alerts: Mapping[AlertKind, int]) -> None:
        """Tick those of the alerts that are set: by kind the number that goes with it."""
        self.alerts.show_alerts(alerts)

    def show_visits(self, visits: Sequence[tuple[str, str, str]], words: str) -> None:
        """The last visits (day, time, length), and all of them in words."""
        for cells, visit in zip_longest(self._visits, visits):
            for cell, text in zip_longest(cells, visit or ()):
                cell.setText(text)
                cell.setVisible(visit is not None)
        self._visits_words.setText(words)

    def visits_text(self) -> list[str]:
        """The visits as text."""
        lines = [" ".join(cell.text() for cell in cells) for cells in self._visits if not cells[0].isHidden()]
        return [line for line in (*lines, self._visits_words.text()) if line]

    def show_password(self, words: str, *, saved: bool) -> None:
        """Whether a password is needed; `saved`: there is one that can be forgotten."""
        self._password.setText(words)
        self._forget.setVisible(saved)

    def show_blocked(self, *, blocked: bool) -> None:
        """What the button does with this server."""
        self.block.setText(_("Let in again") if blocked else _("Block…"))
        self.block.updateGeometry()
        self._blocks.setVisible(not blocked)

    def show_arguments(self, arguments: str) -> None:
        """What the user's game is told besides for this server."""
        self._arguments_rest.stop()
        self.arguments.setText(arguments)
        self.show_problem("")

    def show_problem(self, problem: str) -> None:
        """Why these extra arguments are not kept; empty for nothing."""
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self.arguments.setAccessibleDescription(problem)

    def problem(self) -> str:
        """What is said to be wrong with the extra arguments."""
        return self._problem.text()

    def write_note(self) -> None:
        """Put the cursor behind what is written."""
        self.note.setFocus()
        self.note.moveCursor(self.note.textCursor().MoveOperation.End)

    def hand_over(self) -> None:
        """Say now what was changed a moment ago."""
        for rest in (self._note_rest, self._arguments_rest):
            if rest.isActive():
                rest.stop()
                rest.timeout.emit()

    def _note_changed(self) -> None:
        text = self.note.toPlainText()
        if len(text) > self._most:
            self._put_note(text[: self._most])
            self.note.moveCursor(self.note.textCursor().MoveOperation.End)
        self._note_rest.start()
