"""Dialog with all master servers and their state."""

import time
from collections.abc import Mapping
from typing import NamedTuple

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
from browser_app.ui.widgets.form_fields import CheckBox
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import age_text, plain_tool_tip, thousands_text

GAME_COLUMN, ADDRESS_COLUMN, ANSWER_COLUMN, SERVERS_COLUMN, STATE_COLUMN = range(5)
_COLUMN_WIDTHS = {GAME_COLUMN: 190, ADDRESS_COLUMN: 310, ANSWER_COLUMN: 100, SERVERS_COLUMN: 60}
_EXAMPLE_URL = "json+https://example.org/servers.json"


class _MasterRow(NamedTuple):
    """A master server and what it is for; rows are sorted by their fields."""

    group: int
    game: str
    """Names of its games, or who added it."""
    url: str
    can_be_disabled: bool = True


class MastersDialog(SavedSizeDialog):
    """One row per master server, sorted by game.

    Whether to use it, its game, address, last list and state.
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
        super().__init__(theme, parent, ui_state, "masters", _("Master servers"), QSize(1040, 580))
        self._settings, self._health, self._games = settings, health, games
        self._rows: list[_MasterRow] = []
        self.table = QTableWidget(0, 5)
        self.search_field = QLineEdit()
        self.failed_box = CheckBox(theme, _("Failed only"))
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
        self._rows = self._known_masters()
        self.table.blockSignals(True)
        self.table.setRowCount(len(self._rows))
        for place, row in enumerate(self._rows):
            self._fill_row(place, row)
        self.table.blockSignals(False)
        self._filter_rows()
        if not current or self.current_url() != current:
            self._select_url(current)
        self._update_buttons()

    def current_url(self) -> str:
        """Return the URL in the current row; empty for none."""
        place = self.table.currentRow()
        return self._rows[place].url if 0 <= place < len(self._rows) else ""

    def _known_masters(self) -> list[_MasterRow]:
        """Return those of the command line, the user's own, those of the games, and those left out."""
        by_game, own = self._games_by_url(), self._settings.get(EXTRA_MASTERS)
        other = [url for url in own if url not in by_game]
        shown = {redact_url(url) for url in (*other, *by_game)}
        named = [url for url in self._health.polled_masters() if url not in shown]
        return sorted(
            (
                *(_MasterRow(0, _("From command line"), url, can_be_disabled=False) for url in named),
                *(_MasterRow(1, _("Added by you"), url) for url in other),
                *(_MasterRow(3 if self._is_unasked(url) else 2, games, url) for url, games in by_game.items()),
            ),
            key=lambda row: (row.group, row.game.casefold(), row.url),
        )

    def _games_by_url(self) -> dict[str, str]:
        played = self._settings.get(PLAYED_GAMES) or tuple(self._games)
        names: dict[str, list[str]] = {}
        for game in played:
            for url in self._games[game].masters if game in self._games else ():
                names.setdefault(url, []).append(self._games[game].name)
        return {url: ", ".join(sorted(each, key=str.casefold)) for url, each in names.items()}

    def _fill_row(self, place: int, row: _MasterRow) -> None:
        """Fill a row; one named on the command line has no check box."""
        health = self._health.health(row.url)
        answered = health.answered_at if health else None
        servers = thousands_text(health.servers) if health is not None and answered is not None else "–"
        texts = (row.game, _short_address(row.url), _time_text(answered) or _("never"), servers, self._state_text(row))
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            item.setToolTip(plain_tool_tip(redact_url(row.url) if column == ADDRESS_COLUMN else text))
            if column == SERVERS_COLUMN:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if column == STATE_COLUMN and health is not None and health.error and not self._is_unasked(row.url):
                item.setForeground(QBrush(self._theme.palette.color("warning")))
            self.table.setItem(place, column, item)
        first = self.table.item(place, GAME_COLUMN)
        if first is not None and row.can_be_disabled:
            first.setFlags(first.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            on = row.url not in self._settings.get(DISABLED_MASTERS) and not self._is_unasked(row.url)
            first.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

    def _is_unasked(self, url: str) -> bool:
        """Return whether a master is left out because of its games."""
        return url in self._health.unasked_masters() and url not in self._settings.get(EXTRA_MASTERS)

    def _state_text(self, row: _MasterRow) -> str:
        """Return the last error and when it came, or why the master is not queried."""
        health, url = self._health.health(row.url), redact_url(row.url)
        if self._health.is_querying(url):
            return _("querying…")
        if row.url in self._settings.get(DISABLED_MASTERS):
            return _("switched off")
        if self._is_unasked(row.url):
            return _("not asked: the game is neither installed nor chosen")
        if health is not None and health.error:
            when = _time_text(health.asked_at)
            return f"{_(health.error)}, {when}" if when else _(health.error)
        polled = self._health.polled_masters()
        return _("not asked in this window") if polled and url not in polled else ""

    def _filter_rows(self) -> None:
        """Show the rows that contain all typed words, and that failed if only these are wanted."""
        words = self.search_field.text().casefold().split()
        for place, row in enumerate(self._rows):
            health = self._health.health(row.url)
            failed = health is not None and bool(health.error)
            text = f"{row.game} {redact_url(row.url)} {health.error if health else ''}".casefold()
            fits = all(word in text for word in words) and (failed or not self.failed_box.isChecked())
            self.table.setRowHidden(place, not fits)

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
        table.setHorizontalHeaderLabels([_("Game"), _("Address"), _("Last list"), _("Servers"), _("State")])
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
        column.addLayout(fill_box(QHBoxLayout(), Stretch(self.search_field), self.failed_box))
        column.addWidget(self.table, 1)
        column.addLayout(adding)
        column.addWidget(self.message_label)
        column.addLayout(make_button_row((self.retry_button, self.remove_button), (self.close_button,)))

    def _connect(self) -> None:
        self.table.itemChanged.connect(self._on_item_changed)
        self.table.currentCellChanged.connect(self._show_current_state)
        self.search_field.textChanged.connect(self._on_search_changed)
        self.failed_box.toggled.connect(self._on_search_changed)
        self.url_field.textChanged.connect(self._check_url)
        self.url_field.returnPressed.connect(self._add)
        self.add_button.clicked.connect(self._add)
        self.remove_button.clicked.connect(self._remove)
        self.retry_button.clicked.connect(self._query)
        self.close_button.clicked.connect(self.accept)
        self._health.changed.connect(self.refresh_rows)
        self._health.master_queried.connect(self._show_result)
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
            self._enable_master(url, on=True)  # it may have been disabled before it was removed
            self.url_field.clear()
            self.search_field.clear()
            self.failed_box.setChecked(False)
            self.refresh_rows()
            self._select_url(url)
            self._query()

    def _remove(self) -> None:
        own = self._settings.get(EXTRA_MASTERS)
        self._settings.set(EXTRA_MASTERS, tuple(url for url in own if url != self.current_url()))
        self.refresh_rows()

    def _query(self) -> None:
        url = self.current_url()
        self._show_message(_("Contacting {master}…").format(master=redact_url(url)))
        self._health.query_master(url)
        self.refresh_rows()

    def _show_result(self, url: str) -> None:
        health = self._health.health(url)
        if health is not None and health.error:
            self._show_message(f"{url}: {_(health.error)}", warning=True)
        elif health is not None:
            text = ngettext("{master} listed {n} server.", "{master} listed {n} servers.", health.servers)
            self._show_message(text.format(master=url, n=thousands_text(health.servers)))
        self._update_buttons()

    def _on_item_changed(self, item: QTableWidgetItem) -> None:
        if item.column() == GAME_COLUMN:
            self._enable_master(self._rows[item.row()].url, on=item.checkState() == Qt.CheckState.Checked)

    def _enable_master(self, url: str, *, on: bool) -> None:
        """Query a master from now on, or no longer.

        One that is left out because of its games becomes one of the user's own.
        """
        others = tuple(each for each in self._settings.get(DISABLED_MASTERS) if each != url)
        self._settings.set(DISABLED_MASTERS, others if on else (*others, url))
        if on and self._is_unasked(url):
            self._settings.set(EXTRA_MASTERS, (*self._settings.get(EXTRA_MASTERS), url))

    def _show_current_state(self) -> None:
        """Show the whole state of the current row, for which its cell may be too narrow."""
        row = next((row for row in self._rows if row.url == self.current_url()), None)
        state = self._state_text(row) if row is not None else ""
        health = self._health.health(row.url) if row is not None else None
        failed = health is not None and bool(health.error)
        self._show_message(f"{redact_url(row.url)}: {state}" if row is not None and state else "", warning=failed)
        self._update_buttons()

    def _update_buttons(self) -> None:
        url = self.current_url()
        self.retry_button.setEnabled(bool(url) and not self._health.is_querying(redact_url(url)))
        self.remove_button.setEnabled(url in self._settings.get(EXTRA_MASTERS))

    def _show_message(self, text: str, *, warning: bool = False) -> None:
        self.message_label.set_color_role("warning" if warning else "text2")
        self.message_label.setText(text)


def _short_address(url: str) -> str:
    """Return a master's address without its scheme and key; a file's as it is."""
    shown = redact_url(url)
    return shown.partition("://")[2] or shown


def _time_text(moment: float | None) -> str:
    """Return how long ago a Unix time was; empty for None."""
    if moment is None:
        return ""
    seconds = max(0.0, time.time() - moment)
    return _("just now") if seconds < 60 else _("{age} ago").format(age=age_text(seconds))
