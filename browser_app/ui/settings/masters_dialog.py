"""Dialog with all master servers and their state."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.master_health import MasterHealthMonitor
from browser_app.engine.masters.master_kinds import master_url_problem
from browser_app.engine.network.url_redaction import redact_url
from browser_app.games.game_profile import GameProfile
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.storage.setting_declarations import DISABLED_MASTERS, EXTRA_MASTERS
from browser_app.storage.ui_state import UiState
from browser_app.ui.settings.master_rows import MasterRow, MasterRows
from browser_app.ui.widgets.accessibility import announce, row_texts
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.dialogs import SavedSizeDialog, create_button_row
from browser_app.ui.widgets.form_fields import CheckBox
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import plain_tool_tip

GAME_COLUMN, ADDRESS_COLUMN, ANSWER_COLUMN, SERVERS_COLUMN, STATE_COLUMN = range(5)
_COLUMN_WIDTHS = {GAME_COLUMN: 230, ADDRESS_COLUMN: 310, ANSWER_COLUMN: 90, SERVERS_COLUMN: 60}
_EXAMPLE_URL = "json+https://example.org/servers.json"


class _RowContent(NamedTuple):
    """What a row shows."""

    url: str
    texts: tuple[str, ...]
    state_color: QColor | None
    is_enabled: bool | None
    """None: it has no check box."""


class MastersDialog(SavedSizeDialog):
    """One row per master server, sorted by game.

    Its columns are whether to use it, its game, address, last list and state.

    Signals:
        change_reported: text about a change, and a function that undoes it.
    """

    change_reported = Signal(str, object)

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        settings: LiveSettings,
        health: MasterHealthMonitor,
        games: Mapping[str, GameProfile],
        ui_state: UiState,
    ) -> None:
        super().__init__(theme, parent, ui_state, "masters", _("Master servers"), QSize(1040, 580))
        self._settings, self._health = settings, health
        self._source = MasterRows(settings, health, games)
        self._rows: list[MasterRow] = []
        self._contents: list[_RowContent] = []
        self.table = QTableWidget(0, 5)
        self.search_field = QLineEdit()
        self.failed_box = CheckBox(theme, _("Failed only"))
        self.check_button = LinkButton(theme, _("Check all shown"))
        self.uncheck_button = LinkButton(theme, _("Uncheck all shown"))
        self.url_field = QLineEdit()
        self.add_button = Button(theme, _("Add"))
        self.remove_button = Button(theme, _("Remove"))
        self.retry_button = Button(theme, _("Query now"))
        self.close_button = Button(theme, _("Close"))
        self.message_label = Label(theme, role="text2", size=12, wraps=True)
        self._set_up_table()
        self._build_layout()
        self._connect()
        self.refresh_rows()
        self.search_field.setFocus()

    def refresh_rows(self) -> None:
        """Update all rows."""
        current = self.current_url()
        self._rows = self._source.rows()
        self.table.blockSignals(True)
        self.table.setRowCount(len(self._rows))
        # A screen reader hears of each cell: of changed ones only, and of none before the dialog opens.
        was_blocked = self.table.model().blockSignals(not self.isVisible())
        contents = [self._row_content(row) for row in self._rows]
        for place, content in enumerate(contents):
            if self._contents[place : place + 1] != [content]:
                self._fill_row(place, content)
        self._contents = contents
        self.table.model().blockSignals(was_blocked)
        self.table.blockSignals(False)
        self._filter_rows()
        if not current or self.current_url() != current:
            self._select_url(current)
        self._update_buttons()

    def current_url(self) -> str:
        """Return the URL in the current row; empty for none."""
        place = self.table.currentRow()
        return self._rows[place].url if 0 <= place < len(self._rows) else ""

    def _row_content(self, row: MasterRow) -> _RowContent:
        color = self._theme.palette.color("warning") if self._source.has_failed(row) else None
        is_enabled = self._is_enabled(row) if row.can_be_disabled else None
        return _RowContent(row.url, self._source.texts(row), color, is_enabled)

    def _fill_row(self, place: int, content: _RowContent) -> None:
        """Fill a row; one named on the command line has no check box."""
        texts = content.texts
        for column, (text, spoken) in enumerate(zip(texts, row_texts(_column_titles(), texts), strict=True)):
            item = QTableWidgetItem(text)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            item.setToolTip(plain_tool_tip(redact_url(content.url) if column == ADDRESS_COLUMN else text))
            if column == SERVERS_COLUMN:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if column == STATE_COLUMN and content.state_color is not None:
                item.setForeground(QBrush(content.state_color))
            if column == GAME_COLUMN and content.is_enabled is not None:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked if content.is_enabled else Qt.CheckState.Unchecked)
            self.table.setItem(place, column, item)

    def _is_enabled(self, row: MasterRow) -> bool:
        return row.url not in self._settings.get(DISABLED_MASTERS) and not self._source.is_unpolled(row.url)

    def _filter_rows(self) -> None:
        """Show the rows that contain all typed words and, if wanted, have failed."""
        words = self.search_field.text().casefold().split()
        for place, row in enumerate(self._rows):
            wanted = self._source.has_failed(row) or not self.failed_box.isChecked()
            self.table.setRowHidden(place, not (wanted and self._source.contains(row, words)))
        for on, button in ((True, self.check_button), (False, self.uncheck_button)):
            button.setEnabled(bool(self._shown_urls(enabled=not on)))

    def _shown_urls(self, *, enabled: bool) -> list[str]:
        """Return the masters in sight that are enabled, or those that are not but can be."""
        return [
            row.url
            for place, row in enumerate(self._rows)
            if row.can_be_disabled and not self.table.isRowHidden(place) and self._is_enabled(row) is enabled
        ]

    def _select_url(self, url: str) -> None:
        """Select a master's row, or the first that is shown."""
        shown = [place for place in range(len(self._rows)) if not self.table.isRowHidden(place)]
        same = [place for place in shown if self._rows[place].url == url]
        if shown:
            self.table.setCurrentCell((same or shown)[0], GAME_COLUMN)
        else:
            self.table.setCurrentCell(-1, -1)

    def _set_up_table(self) -> None:
        table = self.table
        table.setHorizontalHeaderLabels(_column_titles())
        title = table.horizontalHeaderItem(SERVERS_COLUMN)
        if title is not None:
            title.setToolTip(plain_tool_tip(_("Servers in its last list; other lists may name the same ones")))
        table.setAccessibleName(_("Master servers"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(26)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column, width in _COLUMN_WIDTHS.items():
            header.resizeSection(column, width)
        header.setSectionResizeMode(STATE_COLUMN, QHeaderView.ResizeMode.Stretch)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # addresses differ at their ends
        self.search_field.setPlaceholderText(_("Search for a game, an address or an error"))
        self.search_field.setAccessibleName(_("Search the master servers"))
        self.search_field.setClearButtonEnabled(True)
        self.url_field.setPlaceholderText(_("Address of another one, such as {example}").format(example=_EXAMPLE_URL))
        self.url_field.setAccessibleName(_("Address of a master server to add"))

    def _build_layout(self) -> None:
        adding = fill_box(QHBoxLayout(), Stretch(self.url_field), self.add_button)
        about = _(
            "Checked ones are queried on the next refresh. Unchecking one removes the servers that only it lists."
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(Label(self._theme, about, role="text2", size=12))
        choosing = fill_box(QHBoxLayout(), Stretch(self.search_field), self.failed_box)
        column.addLayout(fill_box(choosing, self.check_button, self.uncheck_button))
        column.addWidget(self.table, 1)
        column.addLayout(adding)
        column.addWidget(self.message_label)
        column.addLayout(create_button_row((self.retry_button, self.remove_button), (self.close_button,)))

    def _connect(self) -> None:
        self.table.itemChanged.connect(self._on_item_changed)
        self.table.currentCellChanged.connect(self._show_current_state)
        self.search_field.textChanged.connect(self._on_search_changed)
        self.failed_box.toggled.connect(self._on_search_changed)
        self.check_button.clicked.connect(lambda: self._enable_shown(on=True))
        self.uncheck_button.clicked.connect(lambda: self._enable_shown(on=False))
        self.url_field.textChanged.connect(self._check_url)
        self.url_field.returnPressed.connect(self._add)
        self.add_button.clicked.connect(self._add)
        self.remove_button.clicked.connect(self._remove)
        self._settings.changed.connect(self._on_setting_changed, Qt.ConnectionType.QueuedConnection)
        self.retry_button.clicked.connect(self._query)
        self.close_button.clicked.connect(self.accept)
        self._health.changed.connect(self.refresh_rows)
        self._health.master_polled.connect(self._show_result)
        self._check_url("")

    def _on_search_changed(self) -> None:
        self._filter_rows()
        self._select_url(self.current_url())

    def _check_url(self, text: str) -> None:
        wrong = master_url_problem(text.strip()) if text.strip() else None
        self.add_button.setEnabled(bool(text.strip()) and wrong is None)
        self._show_message(wrong or "", warning=True)

    def _add(self) -> None:
        url = self.url_field.text().strip()
        if self.add_button.isEnabled():
            own = self._settings.get(EXTRA_MASTERS)
            if url not in own:
                self._settings.set(EXTRA_MASTERS, (*own, url))
            self._enable_masters([url], on=True)  # it may have been disabled before it was removed
            self.url_field.clear()
            self.search_field.clear()
            self.failed_box.setChecked(False)
            self.refresh_rows()
            self._select_url(url)
            self._query()

    def _remove(self) -> None:
        settings, removed = self._settings, self.current_url()
        settings.set(EXTRA_MASTERS, tuple(url for url in settings.get(EXTRA_MASTERS) if url != removed))
        self.refresh_rows()

        def undo() -> None:
            if removed not in settings.get(EXTRA_MASTERS):
                settings.set(EXTRA_MASTERS, (*settings.get(EXTRA_MASTERS), removed))

        self.change_reported.emit(_("{master} removed").format(master=redact_url(removed)), undo)

    def _on_setting_changed(self, key: str) -> None:
        """Show masters that an undone removal brings back."""
        if key == EXTRA_MASTERS.key:
            self.refresh_rows()

    def _query(self) -> None:
        url = self.current_url()
        self._show_message(_("Contacting {master}…").format(master=redact_url(url)))
        self._health.poll_master(url)
        self.refresh_rows()

    def _show_result(self, url: str) -> None:
        health = self._health.health(url)
        if health is not None and health.error:
            self._show_message(f"{url}: {_(health.error)}", warning=True)
        elif health is not None:
            text = ngettext("{master} listed {n} server.", "{master} listed {n} servers.", health.servers)
            self._show_message(text.format(master=url, n=integer_text(health.servers)))
        announce(self.message_label, self.message_label.text())
        self._update_buttons()

    def _on_item_changed(self, item: QTableWidgetItem) -> None:
        if item.column() == GAME_COLUMN:
            self._enable_masters([self._rows[item.row()].url], on=item.checkState() == Qt.CheckState.Checked)

    def _enable_shown(self, *, on: bool) -> None:
        self._enable_masters(self._shown_urls(enabled=not on), on=on)
        self.refresh_rows()
        self._show_current_state()

    def _enable_masters(self, urls: Sequence[str], *, on: bool) -> None:
        """Query masters from now on, or no longer.

        Those that are left out because of their games become the user's own.
        """
        others = tuple(each for each in self._settings.get(DISABLED_MASTERS) if each not in urls)
        self._settings.set(DISABLED_MASTERS, others if on else (*others, *urls))
        if on and (unpolled := [url for url in urls if self._source.is_unpolled(url)]):
            self._settings.set(EXTRA_MASTERS, (*self._settings.get(EXTRA_MASTERS), *unpolled))

    def _show_current_state(self) -> None:
        """Show the whole state of the current row, for which its cell may be too narrow."""
        place = self.table.currentRow()
        row = self._rows[place] if 0 <= place < len(self._rows) else None
        state = self._source.state_text(row) if row is not None else ""
        text = f"{redact_url(row.url)}: {state}" if row is not None and state else ""
        self._show_message(text, warning=row is not None and self._source.has_failed(row))
        self._update_buttons()

    def _update_buttons(self) -> None:
        url = self.current_url()
        self.retry_button.setEnabled(bool(url) and not self._health.is_polling(redact_url(url)))
        self.remove_button.setEnabled(url in self._settings.get(EXTRA_MASTERS))

    def _show_message(self, text: str, *, warning: bool = False) -> None:
        self.message_label.set_color_role("warning" if warning else "text2")
        self.message_label.setText(text)


def _column_titles() -> list[str]:
    return [_("Game"), _("Address"), _("Last list"), _("Servers"), _("State")]
