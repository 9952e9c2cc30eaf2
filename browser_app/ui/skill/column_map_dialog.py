"""Asks which column of a table is which: its first rows stand above the choices."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.paths import printable
from browser_app.rounds.column_guesses import guessed
from browser_app.rounds.source import ColumnMap
from browser_app.rounds.table_head import TableHead
from browser_app.storage.kept import Kept
from browser_app.ui.controls import Button, Text
from browser_app.ui.dialogs.dialog import SizedDialog, button_row
from browser_app.ui.skill.column_choices import ColumnChoices
from browser_app.ui.skill.column_words import file_words, lack_words, lacking
from browser_app.ui.theme import Theme

_SIZE = QSize(600, 560)
_ROW_HEIGHT = 24
_COLUMN_WIDTH = 110


class ColumnMapDialog(SizedDialog):
    """Says at once what still lacks.

    Signals:
        chosen: the column of each key, None where it has none; the dialog stays until it is known whether that fits.
    """

    chosen = Signal(object)

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        kept: Kept,
        name: str,
        table: TableHead,
        changed: ColumnMap | None = None,
    ) -> None:
        """`name`: the file's, without its folder; `changed`: what was said before, where that is to be changed."""
        super().__init__(theme, parent, kept, "table columns", _("Columns of a table"), _SIZE)
        about = (
            _("Rounds are read from {file} once it is known which of its columns is which.")
            if changed is None
            else _("Tables like {file} are read like this. Those in your record are read again when you change it.")
        )
        self.about = Text(theme, about.format(file=file_words(printable(name))), role="text2")
        self.about.setWordWrap(True)
        self.preview = _preview(table)
        self.preview.setVisible(bool(table.rows))
        self.choices = ColumnChoices(theme, table.columns, guessed(table.columns) if changed is None else changed)
        self.words = Text(theme, role="warning", size=12)
        self.words.setWordWrap(True)
        self.take = Button(theme, _("Import") if changed is None else _("Save"), accented=True)
        self.cancel = Button(theme, _("Cancel"))
        self._busy = False
        self._lay_out()
        self.choices.changed.connect(self._check)
        self.take.clicked.connect(self._take)
        self.cancel.clicked.connect(self.reject)
        self._check()
        first = next(iter(lacking(self.choices.column_map())), None)
        (self.take if first is None else self.choices.boxes[first]).setFocus()

    def show_problem(self, problem: str) -> None:
        """The table could not be taken like this; without a problem it was the user who stopped it."""
        self._busy = False
        self._check()
        if problem:
            self._say(problem)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(self.about)
        column.addWidget(self.preview)
        column.addWidget(self.choices, 1)
        column.addWidget(self.words)
        column.addLayout(button_row((), (self.cancel, self.take)))

    def _check(self) -> None:
        columns = self.choices.column_map()
        self._say(lack_words(columns))
        self.take.setEnabled(not self._busy and not lacking(columns))

    def _say(self, words: str) -> None:
        self.words.setText(words)
        self.take.setAccessibleDescription(words)

    def _take(self) -> None:
        self._busy = True
        self._check()
        self.chosen.emit(self.choices.column_map())


def _preview(table: TableHead) -> QTableWidget:
    """The first rows, to be looked at; the tab key leaves them."""
    view = QTableWidget(len(table.rows), len(table.columns))
    view.setHorizontalHeaderLabels([file_words(column) for column in table.columns])
    for row, fields in enumerate(table.rows):
        for column, field in enumerate(fields):
            view.setItem(row, column, QTableWidgetItem(file_words(field)))
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
    view.horizontalHeader().setDefaultSectionSize(_COLUMN_WIDTH)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setTabKeyNavigation(False)
    view.setAccessibleName(_("First rows"))
    view.setFixedHeight((len(table.rows) + 1) * _ROW_HEIGHT + 24)
    return view
