"""The master servers: the games' own and the user's, how each fares, and which are asked."""

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
from browser_app.bridge.master_health import MasterHealth
from browser_app.engine.sources import without_keys
from browser_app.games.master_url import what_is_wrong
from browser_app.games.profile import GameProfile
from browser_app.language import gettext as _
from browser_app.storage.declared import EXTRA_MASTERS, GAMES, MASTERS_OFF
from browser_app.storage.kept import Kept
from browser_app.ui.controls import Button, Text
from browser_app.ui.dialogs.dialog import SizedDialog, button_row
from browser_app.ui.texts import age_text, thousands, tool_tip
from browser_app.ui.theme import Theme

NAME, GAMES_AT, ANSWER, SERVERS, ERROR = range(5)
_WIDTHS = {NAME: 320, GAMES_AT: 160, ANSWER: 90, SERVERS: 64}
_EXAMPLE = "json+https://example.org/servers.json"


class MastersDialog(SizedDialog):
    """A row a master: a tick to ask it, its address, its games and what came of the last round."""

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        settings: LiveSettings,
        health: MasterHealth,
        games: Mapping[str, GameProfile],
        kept: Kept,
    ) -> None:
        super().__init__(theme, parent, kept, "masters", _("Master servers"), QSize(960, 520))
        self._settings, self._health, self._games = settings, health, games
        self._urls: list[str] = []
        self.table = QTableWidget(0, 5)
        self.field = QLineEdit()
        self.add = Button(theme, _("Add"))
        self.remove = Button(theme, _("Remove"))
        self.test = Button(theme, _("Test"))
        self.close_button = Button(theme, _("Close"))
        self.message = Text(theme, role="text2", size=12)
        self._set_up()
        self._lay_out()
        self._connect()
        self.fill()

    def fill(self) -> None:
        """Show all masters and what is known of them now."""
        current = self.current_url()
        games = self._games_by_url()
        own = self._settings.get(EXTRA_MASTERS)
        known = [*own, *(url for url in games if url not in own)]
        shown = set(map(without_keys, known))
        started_with = {url: _("Named at the start") for url in self._health.asked() if url not in shown}
        games = {**dict.fromkeys(own, _("Added by you")), **games, **started_with}
        self._urls = [*started_with, *known]
        self.table.blockSignals(True)
        self.table.setRowCount(len(self._urls))
        for row, url in enumerate(self._urls):
            self._fill_row(row, url, games[url], fixed=url in started_with)
        self.table.blockSignals(False)
        if self._urls:
            self.table.setCurrentCell(self._urls.index(current) if current in self._urls else 0, NAME)
        self._show_steps()

    def current_url(self) -> str:
        """The master in the current row; empty for none."""
        row = self.table.currentRow()
        return self._urls[row] if 0 <= row < len(self._urls) else ""

    def _games_by_url(self) -> dict[str, str]:
        shown = self._settings.get(GAMES) or tuple(self._games)
        names: dict[str, list[str]] = {}
        for game in shown:
            for url in self._games[game].masters if game in self._games else ():
                names.setdefault(url, []).append(self._games[game].name)
        return {url: ", ".join(each) for url, each in names.items()}

    def _fill_row(self, row: int, url: str, games: str, *, fixed: bool) -> None:
        """`fixed`: it was named on the command line, so that no tick decides."""
        health = self._health.of(url)
        answered = health.answered_at if health else None
        age = _("never") if answered is None else _("{age} ago").format(age=age_text(max(0.0, time.time() - answered)))
        known = health is not None and answered is not None
        error = _(health.error) if health else ""
        texts = (url, games, age, thousands(health.servers) if known and health else "–", error)
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            item.setToolTip(tool_tip(text))
            if column == SERVERS:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if column == ERROR:
                item.setForeground(QBrush(self._theme.palette.color("warning")))
            self.table.setItem(row, column, item)
        first = self.table.item(row, NAME)
        if first is not None and not fixed:
            first.setFlags(first.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            on = url not in self._settings.get(MASTERS_OFF)
            first.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

    def _set_up(self) -> None:
        table = self.table
        table.setHorizontalHeaderLabels([_("Address"), _("Games"), _("Last list"), _("Servers"), _("What went wrong")])
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
        for column, width in _WIDTHS.items():
            header.resizeSection(column, width)
        header.setSectionResizeMode(ERROR, QHeaderView.ResizeMode.Stretch)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # addresses differ at their ends
        self.field.setPlaceholderText(_("Address of another one, as in {example}").format(example=_EXAMPLE))
        self.field.setAccessibleName(_("Address of a master server to add"))
        self.message.setWordWrap(True)

    def _lay_out(self) -> None:
        adding = QHBoxLayout()
        adding.setSpacing(8)
        adding.addWidget(self.field, 1)
        adding.addWidget(self.add)
        about = _("Ticked ones are asked at the next refresh. They say which servers there are, and nothing else.")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(Text(self._theme, about, role="text2", size=12))
        column.addWidget(self.table, 1)
        column.addLayout(adding)
        column.addWidget(self.message)
        column.addLayout(button_row((self.test, self.remove), (self.close_button,)))

    def _connect(self) -> None:
        self.table.itemChanged.connect(self._ticked)
        self.table.currentCellChanged.connect(self._show_steps)
        self.field.textChanged.connect(self._check)
        self.field.returnPressed.connect(self._add)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.test.clicked.connect(self._test)
        self.close_button.clicked.connect(self.accept)
        self._health.changed.connect(self.fill)
        self._health.tried.connect(self._tell)
        self._check("")

    def _check(self, text: str) -> None:
        wrong = what_is_wrong(text.strip()) if text.strip() else None
        self.add.setEnabled(bool(text.strip()) and wrong is None)
        self._say(wrong or "", warning=True)

    def _add(self) -> None:
        url = self.field.text().strip()
        if self.add.isEnabled():
            own = self._settings.get(EXTRA_MASTERS)
            if url not in own:
                self._settings.set(EXTRA_MASTERS, (*own, url))
            self._turn(url, on=True)  # it may have been turned off before it was removed
            self.field.clear()
            self.fill()
            self.table.setCurrentCell(self._urls.index(url), NAME)
            self._test()

    def _remove(self) -> None:
        own = self._settings.get(EXTRA_MASTERS)
        self._settings.set(EXTRA_MASTERS, tuple(url for url in own if url != self.current_url()))
        self.fill()

    def _test(self) -> None:
        url = self.current_url()
        self._say(_("Asking {master}…").format(master=url))
        self.test.setEnabled(False)
        self._health.try_alone(url)

    def _tell(self, url: str) -> None:
        health = self._health.of(url)
        if health is not None and health.error:
            self._say(f"{url}: {_(health.error)}", warning=True)
        elif health is not None:
            self._say(_("{master} named {n} servers.").format(master=url, n=thousands(health.servers)))
        self._show_steps()

    def _ticked(self, item: QTableWidgetItem) -> None:
        self._turn(self._urls[item.row()], on=item.checkState() == Qt.CheckState.Checked)

    def _turn(self, url: str, *, on: bool) -> None:
        others = tuple(each for each in self._settings.get(MASTERS_OFF) if each != url)
        self._settings.set(MASTERS_OFF, others if on else (*others, url))

    def _show_steps(self) -> None:
        url = self.current_url()
        self.test.setEnabled(bool(url))
        self.remove.setEnabled(url in self._settings.get(EXTRA_MASTERS))

    def _say(self, text: str, *, warning: bool = False) -> None:
        self.message.set_role("warning" if warning else "text2")
        self.message.setText(text)
