"""The dialog that maps the columns of a table."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFormLayout,
    QFrame,
    QHeaderView,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from browser_app.language import gettext as _
from browser_app.paths import printable_path
from browser_app.rounds.csv_rounds import REQUIRED_KEYS, TABLE_KEYS, TablePreview, guess_columns
from browser_app.rounds.round_source import ColumnMap
from browser_app.storage.ui_state import UiState
from browser_app.ui.skill.sources.column_map_text import (
    column_title,
    missing_columns,
    missing_columns_text,
    sanitize_file_text,
)
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.dialogs import SavedSizeDialog, create_button_row
from browser_app.ui.widgets.form_fields import leave_wheel_to_page
from browser_app.ui.widgets.theme import Theme

_MIN_CONTENT_CHARS = 12
"""Characters of a column's name that stay visible in narrow windows."""


class ColumnMapForm(QScrollArea):
    """Form with a combo box for each key; it scrolls to the focused field.

    Signals:
        changed: `column_map` changed.
    """

    changed = Signal()

    def __init__(self, theme: Theme, columns: Sequence[str], selected: ColumnMap) -> None:
        """Create a field for each key; `selected` is the initial choice."""
        super().__init__()
        self._theme = theme
        self.combo_boxes = {key: self._create_combo_box(key, columns, selected.get(key)) for key in TABLE_KEYS}
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(_("Columns"))
        self._build_layout()

    def column_map(self) -> ColumnMap:
        """Return the column of each key, None for no column."""
        return {key: box.currentData() for key, box in self.combo_boxes.items()}

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Scroll to a field that gets the focus."""
        if isinstance(watched, QComboBox) and event.type() == QEvent.Type.FocusIn:
            self.ensureWidgetVisible(watched)
        return super().eventFilter(watched, event)

    def _create_combo_box(self, key: str, columns: Sequence[str], chosen: str | None) -> QComboBox:
        box = leave_wheel_to_page(QComboBox())
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(_MIN_CONTENT_CHARS)
        box.setAccessibleName(column_title(key))
        box.setAccessibleDescription(_("Required") if key in REQUIRED_KEYS else _("Optional"))
        box.addItem(_("no column"), None)
        for column in columns:
            box.addItem(sanitize_file_text(column), column)
        box.setCurrentIndex(0 if chosen is None else 1 + columns.index(chosen))
        box.currentIndexChanged.connect(self.changed)
        box.installEventFilter(self)
        return box

    def _build_layout(self) -> None:
        inside = QWidget()
        column = fill_box(QVBoxLayout(inside), margins=(0, 0, 8, 0))
        labels = {key: Label(self._theme, column_title(key)) for key in TABLE_KEYS}
        width = max(label.sizeHint().width() for label in labels.values())
        optional = [key for key in TABLE_KEYS if key not in REQUIRED_KEYS]
        for title, keys in ((_("Required"), REQUIRED_KEYS), (_("Optional"), optional)):
            column.addWidget(Label(self._theme, title, role="text2", size=12, weight=QFont.Weight.Bold))
            form = QFormLayout()
            form.setHorizontalSpacing(12)
            form.setVerticalSpacing(4)
            for key in keys:
                labels[key].setMinimumWidth(width)
                labels[key].setBuddy(self.combo_boxes[key])
                form.addRow(labels[key], self.combo_boxes[key])
            column.addLayout(form)
        column.addStretch(1)
        self.setWidget(inside)
        self.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)


_DIALOG_SIZE = QSize(600, 560)
_ROW_HEIGHT = 24
_MAX_COLUMN_WIDTH = 220


class ColumnMapDialog(SavedSizeDialog):
    """Dialog that shows at once which columns are missing.

    Signals:
        columns_chosen: column of each key, None for no column; the dialog stays open until the import has succeeded.
    """

    columns_chosen = Signal(object)

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        ui_state: UiState,
        file_name: str,
        table: TablePreview,
        current_map: ColumnMap | None = None,
    ) -> None:
        """`file_name`: without its folder; `current_map`: an existing map to edit."""
        super().__init__(theme, parent, ui_state, "table columns", _("Assign columns"), _DIALOG_SIZE)
        about = (
            _("Assign the columns of {file} to import its rounds.")
            if current_map is None
            else _("Used for all tables like {file}. Saving a change imports those tables again.")
        )
        about = about.format(file=sanitize_file_text(printable_path(file_name)))
        self.about_label = Label(theme, about, role="text2", wraps=True)
        self.preview = _create_preview(table)
        self.preview.setVisible(bool(table.rows))
        self.form = ColumnMapForm(
            theme, table.columns, guess_columns(table.columns) if current_map is None else current_map
        )
        self.warning_label = Label(theme, role="warning", size=12, wraps=True)
        self.accept_button = Button(theme, _("Import") if current_map is None else _("Save"), accented=True)
        self.cancel_button = Button(theme, _("Cancel"))
        self._is_busy = False
        self._build_layout()
        self.form.changed.connect(self._update_warning)
        self.accept_button.clicked.connect(self._emit_columns)
        self.cancel_button.clicked.connect(self.reject)
        self._update_warning()
        first = next(iter(missing_columns(self.form.column_map())), None)
        (self.accept_button if first is None else self.form.combo_boxes[first]).setFocus()

    def show_problem(self, problem: str) -> None:
        """Show why the import failed; an empty text if the user cancelled it."""
        self._is_busy = False
        self._update_warning()
        if problem:
            self._set_warning(problem)

    def _build_layout(self) -> None:
        buttons = create_button_row((), (self.cancel_button, self.accept_button))
        parts = (self.about_label, self.preview, Stretch(self.form), self.warning_label, buttons)
        fill_box(QVBoxLayout(self), *parts, spacing=12, margins=(16, 16, 16, 16))

    def _update_warning(self) -> None:
        columns = self.form.column_map()
        self._set_warning(missing_columns_text(columns))
        self.accept_button.setEnabled(not self._is_busy and not missing_columns(columns))

    def _set_warning(self, words: str) -> None:
        self.warning_label.setText(words)
        self.accept_button.setAccessibleDescription(words)

    def _emit_columns(self) -> None:
        self._is_busy = True
        self._update_warning()
        self.columns_chosen.emit(self.form.column_map())


def _create_preview(table: TablePreview) -> QTableWidget:
    """Return a read-only table of the first rows that the tab key skips."""
    view = QTableWidget(len(table.rows), len(table.columns))
    view.setHorizontalHeaderLabels([sanitize_file_text(column) for column in table.columns])
    for row, fields in enumerate(table.rows):
        for column, field in enumerate(fields):
            view.setItem(row, column, QTableWidgetItem(sanitize_file_text(field)))
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
    header = view.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
    header.setMaximumSectionSize(_MAX_COLUMN_WIDTH)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setTabKeyNavigation(False)
    view.setAccessibleName(_("First rows"))
    view.setFixedHeight((len(table.rows) + 1) * _ROW_HEIGHT + 24)
    return view
