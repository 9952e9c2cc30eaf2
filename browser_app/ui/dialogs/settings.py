"""The settings: all that are declared, by group, found by any of their words, in force at once."""

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QScrollArea, QVBoxLayout, QWidget

from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.steam_key import SteamKeyBox
from browser_app.language import gettext as _
from browser_app.storage.declared import GROUPS, SETTINGS
from browser_app.storage.kept import Kept
from browser_app.ui.controls import Button, ElidedText, Hairline, Surface, Text
from browser_app.ui.dialogs.dialog import SizedDialog
from browser_app.ui.dialogs.settings_editors import settle
from browser_app.ui.dialogs.settings_key import SteamKeyRow
from browser_app.ui.dialogs.settings_row import SettingRow
from browser_app.ui.scroll_bar import ScrollBar
from browser_app.ui.theme import Theme

KEY_GROUP = "games"
"""Where the Steam key stands, which is a secret and no setting."""
_LEAST = QSize(480, 320)
_GROUPS_FROM = 660
"""In a narrower dialog the groups make room for the settings."""
_GROUPS_WIDTH, _GROUP_HEIGHT, _FIELD_HEIGHT = 176, 26, 32

Row = SettingRow | SteamKeyRow


class SettingsDialog(SizedDialog):
    """Every setting has one row; the key has one too.

    Signals:
        masters_wanted: the user wants the page of the master servers.
    """

    masters_wanted = Signal()

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        settings: LiveSettings,
        steam_key: SteamKeyBox,
        games: Mapping[str, str],
        kept: Kept,
    ) -> None:
        super().__init__(theme, parent, kept, "settings", _("Settings"), QSize(780, 620))
        self.setMinimumSize(_LEAST)
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Search the settings"))
        self.search.setAccessibleName(_("Search the settings"))
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumHeight(_FIELD_HEIGHT)
        self.groups = QListWidget()
        self.groups.setAccessibleName(_("Groups"))
        self.groups.setFixedWidth(_GROUPS_WIDTH)
        self.groups.setFrameShape(QListWidget.Shape.NoFrame)
        self.groups.setFont(theme.font(13))
        self.rows: dict[str, list[Row]] = {group: [] for group in GROUPS}
        for setting in SETTINGS:
            self.rows[setting.group].append(SettingRow(theme, setting, settings, games))
        self.key_row = SteamKeyRow(theme, steam_key)
        self.rows[KEY_GROUP].insert(0, self.key_row)
        self._titles = {group: Text(theme, _(GROUPS[group]), size=15, weight=QFont.Weight.DemiBold) for group in GROUPS}
        self.nothing = Text(theme, _("No setting has these words."), role="text2")
        self.masters = Button(theme, _("Master servers…"), "list")
        self.close_button = Button(theme, _("Close"))
        self._lay_out_rows()
        self._join(ElidedText(theme, _("Kept in {file}").format(file=settings.path), role="text3", size=11))
        self._connect()
        self._search("")
        self.search.setFocus()

    def _lay_out_rows(self) -> None:
        self._page = Surface(self._theme, "raised")
        column = QVBoxLayout(self._page)
        column.setContentsMargins(16, 4, 16, 16)
        column.setSpacing(0)
        self._lines: dict[str, list[Hairline]] = {}
        for group, rows in self.rows.items():
            self._titles[group].setContentsMargins(0, 0 if group == next(iter(self.rows)) else 16, 0, 0)
            column.addWidget(self._titles[group])
            self._lines[group] = [Hairline(self._theme) for _row in rows]
            for row, line in zip(rows, self._lines[group], strict=True):
                column.addWidget(row)
                column.addWidget(line)
        column.addWidget(self.nothing)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setVerticalScrollBar(ScrollBar(self._theme, "raised"))
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self._page)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def _join(self, place: Text) -> None:
        place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        middle = QHBoxLayout()
        middle.setSpacing(8)
        middle.addWidget(self.groups)
        middle.addWidget(self.area, 1)
        bottom = QHBoxLayout()
        bottom.setSpacing(8)
        bottom.addWidget(place, 1)
        bottom.addWidget(self.masters)
        bottom.addWidget(self.close_button)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 16, 16, 16)
        outer.setSpacing(12)
        outer.addWidget(self.search)
        outer.addLayout(middle, 1)
        outer.addLayout(bottom)

    def _connect(self) -> None:
        self.search.textChanged.connect(self._search)
        self.groups.currentTextChanged.connect(self._go_to)
        self.masters.clicked.connect(self.masters_wanted)
        self.close_button.clicked.connect(self.accept)
        QShortcut(QKeySequence.StandardKey.Find, self).activated.connect(self.search.setFocus)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The groups go when room is short."""
        super().resizeEvent(event)
        self.groups.setVisible(self.width() >= _GROUPS_FROM)

    def done(self, result: int) -> None:
        """What was just written holds too."""
        settle(self)
        super().done(result)

    def show_row(self, key: str) -> None:
        """Bring one setting into sight and go into its field."""
        for rows in self.rows.values():
            for row in rows:
                if row.setting_key == key:
                    row.field.setFocus()
                    QTimer.singleShot(0, row, lambda shown=row: self.area.ensureWidgetVisible(shown))

    def shown_keys(self) -> list[str]:
        """The keys of the rows that the search leaves."""
        return [row.setting_key for rows in self.rows.values() for row in rows if not row.isHidden()]

    def _search(self, words: str) -> None:
        self.groups.blockSignals(True)
        self.groups.clear()
        for group, rows in self.rows.items():
            title = _(GROUPS[group])
            whole = bool(words.strip()) and words.strip().casefold() in title.casefold()
            for row, line in zip(rows, self._lines[group], strict=True):
                shown = whole or row.matches(words)
                row.setVisible(shown)
                line.setVisible(shown)
            some = any(not row.isHidden() for row in rows)
            self._titles[group].setVisible(some)
            if some:
                item = QListWidgetItem(title, self.groups)
                item.setSizeHint(QSize(0, _GROUP_HEIGHT))
        self.groups.blockSignals(False)
        self.nothing.setVisible(self.groups.count() == 0)
        self.area.verticalScrollBar().setValue(0)

    def _go_to(self, title: str) -> None:
        for group, text in self._titles.items():
            if text.text() == title:
                self.area.verticalScrollBar().setValue(self._titles[group].y() - 4)
