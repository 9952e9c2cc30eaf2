"""Dialog with all master servers and their state."""

import time
from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QBrush
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
from browser_app.storage.setting_declarations import DISABLED_MASTERS, EXTRA_MASTERS, PLAYED_GAMES
from browser_app.storage.ui_state import UiState
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.dialogs import SavedSizeDialog, make_button_row
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import age_text, plain_tool_tip, thousands_text

NAME_COLUMN, GAMES_COLUMN, ANSWER_COLUMN, SERVERS_COLUMN, ERROR_COLUMN = range(5)
_COLUMN_WIDTHS = {NAME_COLUMN: 320, GAMES_COLUMN: 160, ANSWER_COLUMN: 110, SERVERS_COLUMN: 64}
_EXAMPLE_URL = "json+https://example.org/servers.json"


class MastersDialog(SavedSizeDialog):
    """One row per master server.

    Whether to use it, address, games and the last result.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        settings: LiveSettings,
        health: MasterHealthMonitor,
        games: Mapping[str, GameProfile],
        ui_state: UiState,
    ) -> None:
        super().__init__(theme, parent, ui_state, "masters", _("Master servers"), QSize(960, 520))
        self._settings, self._health, self._games = settings, health, games
        self._urls: list[str] = []
        self.table = QTableWidget(0, 5)
        self.url_field = QLineEdit()
        self.add_button = Button(theme, _("Add"))
        self.remove_button = Button(theme, _("Remove"))
        self.test_button = Button(theme, _("Test"))
        self.close_button = Button(theme, _("Close"))
        self.message_label = Label(theme, role="text2", size=12, wraps=True)
        self._set_up_table()
        self._build_layout()
        self._connect()
        self.refresh_rows()

    def refresh_rows(self) -> None:
        """Update all rows."""
        current = self.current_url()
        games = self._games_by_url()
        own = self._settings.get(EXTRA_MASTERS)
        known = [*own, *(url for url in games if url not in own)]
        shown = set(map(redact_url, known))
        started_with = {url: _("From command line") for url in self._health.polled_masters() if url not in shown}
        games = {**dict.fromkeys(own, _("Added by you")), **games, **started_with}
        self._urls = [*started_with, *known]
        self.table.blockSignals(True)
        self.table.setRowCount(len(self._urls))
        for row, url in enumerate(self._urls):
            self._fill_row(row, url, games[url], from_command_line=url in started_with)
        self.table.blockSignals(False)
        if self._urls:
            self.table.setCurrentCell(self._urls.index(current) if current in self._urls else 0, NAME_COLUMN)
        self._update_buttons()

    def current_url(self) -> str:
        """Return the URL in the current row; empty for none."""
        row = self.table.currentRow()
        return self._urls[row] if 0 <= row < len(self._urls) else ""

    def _games_by_url(self) -> dict[str, str]:
        shown = self._settings.get(PLAYED_GAMES) or tuple(self._games)
        names: dict[str, list[str]] = {}
        for game in shown:
            for url in self._games[game].masters if game in self._games else ():
                names.setdefault(url, []).append(self._games[game].name)
        return {url: ", ".join(each) for url, each in names.items()}

    def _fill_row(self, row: int, url: str, games: str, *, from_command_line: bool) -> None:
        """Fill a row; one named on the command line has no check box."""
        health = self._health.health(url)
        answered = health.answered_at if health else None
        age = _("never") if answered is None else _answer_age_text(max(0.0, time.time() - answered))
        known = health is not None and answered is not None
        error = _(health.error) if health else ""
        texts = (url, games, age, thousands_text(health.servers) if known and health else "–", error)
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            item.setToolTip(plain_tool_tip(text))
            if column == SERVERS_COLUMN:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if column == ERROR_COLUMN:
                item.setForeground(QBrush(self._theme.palette.color("warning")))
            self.table.setItem(row, column, item)
        first = self.table.item(row, NAME_COLUMN)
        if first is not None and not from_command_line:
            first.setFlags(first.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            on = url not in self._settings.get(DISABLED_MASTERS)
            first.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

    def _set_up_table(self) -> None:
        table = self.table
        table.setHorizontalHeaderLabels([_("Address"), _("Games"), _("Last updated"), _("Servers"), _("Error")])
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
        header.setSectionResizeMode(ERROR_COLUMN, QHeaderView.ResizeMode.Stretch)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # addresses differ at their ends
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
        column.addWidget(self.table, 1)
        column.addLayout(adding)
        column.addWidget(self.message_label)
        column.addLayout(make_button_row((self.test_button, self.remove_button), (self.close_button,)))

    def _connect(self) -> None:
        self.table.itemChanged.connect(self._on_item_changed)
        self.table.currentCellChanged.connect(self._update_buttons)
        self.url_field.textChanged.connect(self._check_url)
        self.url_field.returnPressed.connect(self._add)
        self.add_button.clicked.connect(self._add)
        self.remove_button.clicked.connect(self._remove)
        self.test_button.clicked.connect(self._test)
        self.close_button.clicked.connect(self.accept)
        self._health.changed.connect(self.refresh_rows)
        self._health.master_tested.connect(self._show_test_result)
        self._check_url("")

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
            self._enable_master(url, on=True)  # it may have been disabled before it was removed
            self.url_field.clear()
            self.refresh_rows()
            self.table.setCurrentCell(self._urls.index(url), NAME_COLUMN)
            self._test()

    def _remove(self) -> None:
        own = self._settings.get(EXTRA_MASTERS)
        self._settings.set(EXTRA_MASTERS, tuple(url for url in own if url != self.current_url()))
        self.refresh_rows()

    def _test(self) -> None:
        url = self.current_url()
        self._show_message(_("Contacting {master}…").format(master=url))
        self.test_button.setEnabled(False)
        self._health.test_master(url)

    def _show_test_result(self, url: str) -> None:
        health = self._health.health(url)
        if health is not None and health.error:
            self._show_message(f"{url}: {_(health.error)}", warning=True)
        elif health is not None:
            text = ngettext("{master} listed {n} server.", "{master} listed {n} servers.", health.servers)
            self._show_message(text.format(master=url, n=thousands_text(health.servers)))
        self._update_buttons()

    def _on_item_changed(self, item: QTableWidgetItem) -> None:
        self._enable_master(self._urls[item.row()], on=item.checkState() == Qt.CheckState.Checked)

    def _enable_master(self, url: str, *, on: bool) -> None:
        others = tuple(each for each in self._settings.get(DISABLED_MASTERS) if each != url)
        self._settings.set(DISABLED_MASTERS, others if on else (*others, url))

    def _update_buttons(self) -> None:
        url = self.current_url()
        self.test_button.setEnabled(bool(url))
        self.remove_button.setEnabled(url in self._settings.get(EXTRA_MASTERS))

    def _show_message(self, text: str, *, warning: bool = False) -> None:
        self.message_label.set_color_role("warning" if warning else "text2")
        self.message_label.setText(text)


def _answer_age_text(seconds: float) -> str:
    return _("just now") if seconds < 60 else _("{age} ago").format(age=age_text(seconds))
