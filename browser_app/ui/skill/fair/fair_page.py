"""The page *Fair games*: what the selected server's game would be for me, where a fairer one is, and a balance."""

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFont, QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.bridge.skill.shown import Shown
from browser_app.language import gettext as _
from browser_app.ui.controls import Button, Hairline, Text
from browser_app.ui.skill.fair.balance_dialog import BalanceDialog
from browser_app.ui.skill.fair.fair_words import known_words, outlook_sentence, side_words
from browser_app.ui.skill.fair.outlook import Outlook
from browser_app.ui.skill.fair.server_lines import ServerLine, ServerList
from browser_app.ui.skill.fair.sides_table import SidesTable
from browser_app.ui.skill.selectable import sentence
from browser_app.ui.skill.services import SkillServices
from browser_app.ui.theme import Theme

_REST_MS = 400
ASK_AT_ONCE = 12
"""So many servers are asked who plays there."""


class FairPage(QWidget):
    """Works while it is in sight.

    Signals:
        told: news for the status line.
        server_wanted: a server that is to be shown in the list.
    """

    told = Signal(str)
    server_wanted = Signal(int)

    def __init__(self, theme: Theme, services: SkillServices) -> None:
        super().__init__()
        self._theme, self._services, self._live = theme, services, services.live
        self._outlooks = services.outlooks
        self._found: Mapping[int, Outlook] = {}
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self.words = sentence(theme, "text2", 13)
        self.expected = SidesTable(theme)
        self.balance = Button(theme, _("Balance…"), "scale")
        self.paste = Button(theme, _("Paste players…"))
        self.ask = Button(theme, _("Ask who plays"), "refresh")
        self.ask_first = Button(theme, _("Ask who plays"), "refresh", accented=True)
        self.ask.setToolTip(_("Asks the fullest servers of this game for their players"))
        self.list = ServerList(theme)
        self.none = sentence(theme)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.balance)
        buttons.addWidget(self.paste)
        buttons.addStretch(1)
        head = QHBoxLayout()
        title = _("Servers with people you know, the fairest first")
        head.addWidget(Text(self._theme, title, role="text2", size=12, weight=QFont.Weight.DemiBold), 1)
        head.addWidget(self.ask)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 16)
        column.setSpacing(12)
        column.addWidget(self.words)
        column.addWidget(self.expected)
        column.addLayout(buttons)
        column.addWidget(Hairline(self._theme, "border"))
        column.addLayout(head)
        column.addWidget(self.none)
        column.addWidget(self.ask_first, 0, Qt.AlignmentFlag.AlignLeading)
        column.addWidget(self.list, 1)
        column.addStretch()  # takes the room where there is no list

    def _connect(self) -> None:
        self._outlooks.ready.connect(self._look)
        self._outlooks.selected.connect(self._selected)
        self._rest.timeout.connect(self._look)
        self._live.changed.connect(self._rest_a_while)
        self.balance.clicked.connect(self._open_balance)
        self.paste.clicked.connect(self._open_paste)
        for button in (self.ask, self.ask_first):
            button.clicked.connect(self._ask_servers)
        self.list.selectionModel().currentChanged.connect(lambda now, _before: self._chosen(self.list.server_at(now)))
        self.list.activated.connect(lambda index: self.server_wanted.emit(self.list.server_at(index)))

    def show_data(self, shown: Shown | None) -> None:  # noqa: ARG002 (the panel itself tells what a run needs)
        """Another game, system or record."""
        self._outlooks.prepare()
        self._look()

    def showEvent(self, event: QShowEvent) -> None:
        """Be up to date."""
        super().showEvent(event)
        self._outlooks.prepare()
        self._look()

    def hideEvent(self, event: QHideEvent) -> None:
        """Work for nobody."""
        super().hideEvent(event)
        self._rest.stop()

    def _selected(self) -> None:
        if self.isVisible():
            self._look()

    def _rest_a_while(self) -> None:
        if self.isVisible() and not self._rest.isActive():
            self._rest.start()

    def _look(self) -> None:
        """Work out anew what is in sight."""
        servers = self._outlooks.servers()
        if self._outlooks.concerns(self._outlooks.server) and self._outlooks.server not in servers:
            servers.append(self._outlooks.server)
        for button in (self.balance, self.paste):
            button.setEnabled(self._outlooks.roster is not None)
        self._show(self._found)
        self._outlooks.ask(servers, self._show)

    def _show(self, found: Mapping[int, Outlook]) -> None:
        self._found = found
        outlook = found.get(self._outlooks.server)
        self.words.setText(self._sentence(outlook))
        self.expected.show_outlook(outlook, self._outlooks.system)
        told = sorted((each for each in found.values() if each.sides), key=lambda each: each.unevenness)
        self.list.show_lines([self._line(each) for each in told], self._outlooks.server)
        self.list.setVisible(bool(told))
        self.none.setText("" if told else self._nobody())
        self.none.setVisible(not told)
        self.ask.setVisible(bool(told))
        self.ask_first.setVisible(not told and self._outlooks.roster is not None)

    def _sentence(self, outlook: Outlook | None) -> str:
        if outlook is not None:
            return outlook_sentence(outlook, self._name(self._outlooks.server))
        if not self._outlooks.concerns(self._outlooks.server):
            return _("Select a server of this game, here or in the list. Or paste the players.")
        return _("{server}: who plays there is not known yet.").format(server=self._name(self._outlooks.server))

    def _nobody(self) -> str:
        if self._outlooks.roster is None:
            return _("Nothing is known of other players yet: import rounds in which you met them.")
        return _("Nobody from your record was seen on a server. Ask who plays, or refresh the list.")

    def _line(self, outlook: Outlook) -> ServerLine:
        system = self._outlooks.system
        side = outlook.fairest
        changes = side_words(side, system) if side is not None else ""
        return ServerLine(outlook.server, self._name(outlook.server), known_words(outlook), changes)

    def _name(self, server: int) -> str:
        catalogue = self._live.catalogue
        return catalogue.name[server] or str(catalogue.targets[server].address)

    def _chosen(self, server: int) -> None:
        if server >= 0:
            self._outlooks.select(server)

    def _ask_servers(self) -> None:
        catalogue, game = self._live.catalogue, self._outlooks.game or self._services.panel.game
        rows = [row for row in range(len(catalogue)) if catalogue.game[row] == game and catalogue.players[row] > 0]
        fullest = sorted(rows, key=lambda row: -float(np.nan_to_num(catalogue.players[row])))[:ASK_AT_ONCE]
        for row in fullest:
            self._live.ask(row)
        self.told.emit(_("Asking {n} servers who plays there.").format(n=len(fullest)))

    def _open_balance(self) -> BalanceDialog | None:
        roster, outlook = self._outlooks.roster, self._found.get(self._outlooks.server)
        if roster is None:
            return None
        line_up = outlook.line_up if outlook is not None else self._outlooks.line_up()
        dialog = BalanceDialog(self._theme, self, self._services.kept, roster, self._outlooks.system, line_up)
        dialog.told.connect(self.told)
        dialog.open()
        return dialog

    def _open_paste(self) -> None:
        dialog = self._open_balance()
        if dialog is not None:
            dialog.open_paste()
