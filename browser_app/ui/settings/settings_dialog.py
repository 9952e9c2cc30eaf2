"""The settings dialog."""

from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from browser_app.bridge.live_settings import LiveSettings, SteamKeyController
from browser_app.language import gettext as _
from browser_app.storage.setting_declarations import SETTING_GROUPS, SETTINGS
from browser_app.storage.ui_state import UiState
from browser_app.ui.settings.setting_editors import EditorNames, apply_pending_edits
from browser_app.ui.settings.setting_rows import SettingRow, SteamKeyRow
from browser_app.ui.widgets.basic_widgets import Button, ElidedLabel, Label, Separator
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.dialogs import SavedSizeDialog
from browser_app.ui.widgets.page_elements import create_scroll_area
from browser_app.ui.widgets.text_direction import left_to_right
from browser_app.ui.widgets.theme import Theme

KEY_GROUP = "games"
"""Group of the Steam key, which is a secret and not a setting."""
_MIN_SIZE = QSize(560, 320)
_GROUPS_MIN_WINDOW_WIDTH = 660
"""In a narrower dialog the list of groups is hidden."""
_GROUPS_WIDTH, _GROUP_HEIGHT, _FIELD_HEIGHT = 188, 26, 32

SettingsDialogRow = SettingRow | SteamKeyRow


class SettingsDialog(SavedSizeDialog):
    """One row per setting, and one for the Steam key.

    Signals:
        masters_requested: open the master servers.
    """

    masters_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        settings: LiveSettings,
        steam_key: SteamKeyController,
        names: EditorNames,
        ui_state: UiState,
    ) -> None:
        super().__init__(theme, parent, ui_state, "settings", _("Settings"), QSize(780, 620))
        self.setMinimumSize(_MIN_SIZE)
        self.search_field, self.group_list = _create_search_field(), _create_group_list(theme)
        self.rows: dict[str, list[SettingsDialogRow]] = {group: [] for group in SETTING_GROUPS}
        for setting in SETTINGS:
            self.rows[setting.group].append(SettingRow(theme, setting, settings, names))
        self.key_row = SteamKeyRow(theme, steam_key)
        self.rows[KEY_GROUP].insert(0, self.key_row)
        self._titles = {
            group: Label(theme, _(SETTING_GROUPS[group]), size=15, weight=QFont.Weight.DemiBold)
            for group in SETTING_GROUPS
        }
        self.nothing_found_label = Label(theme, _("No matching settings."), role="text2")
        self.masters_button = Button(theme, _("Master servers…"), "list")
        self.close_button = Button(theme, _("Close"))
        self._build_rows()
        stored = _("Stored in {file}").format(file=left_to_right(str(settings.path)))
        self._lay_out_dialog(ElidedLabel(theme, stored, role="text3", size=11))
        self._connect()
        self._filter_rows("")
        self.search_field.setFocus()

    def _build_rows(self) -> None:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 4, 16, 16)
        column.setSpacing(0)
        self._separators: dict[str, list[Separator]] = {}
        for group, rows in self.rows.items():
            self._titles[group].setContentsMargins(0, 0 if group == next(iter(self.rows)) else 16, 0, 0)
            column.addWidget(self._titles[group])
            self._separators[group] = [Separator(self._theme) for _row in rows]
            for row, line in zip(rows, self._separators[group], strict=True):
                column.addWidget(row)
                column.addWidget(line)
        column.addWidget(self.nothing_found_label)
        column.addStretch(1)
        self.scroll_area = create_scroll_area(self._theme, page)

    def _lay_out_dialog(self, path_label: Label) -> None:
        path_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        middle = fill_box(QHBoxLayout(), self.group_list, Stretch(self.scroll_area))
        bottom = fill_box(QHBoxLayout(), Stretch(path_label), self.masters_button, self.close_button)
        fill_box(QVBoxLayout(self), self.search_field, Stretch(middle), bottom, spacing=12, margins=(16, 16, 16, 16))

    def _connect(self) -> None:
        self.search_field.textChanged.connect(self._filter_rows)
        self.group_list.currentTextChanged.connect(self._scroll_to_group)
        self.scroll_area.verticalScrollBar().valueChanged.connect(self._mark_group_in_sight)
        self.masters_button.clicked.connect(self.masters_requested)
        self.close_button.clicked.connect(self.accept)
        QShortcut(QKeySequence.StandardKey.Find, self).activated.connect(self.search_field.setFocus)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the list of groups where space is short."""
        super().resizeEvent(event)
        self.group_list.setVisible(self.width() >= _GROUPS_MIN_WINDOW_WIDTH)

    def done(self, result: int) -> None:
        """Apply pending edits and close."""
        apply_pending_edits(self)
        super().done(result)

    def show_row(self, key: str) -> None:
        """Scroll to a setting and focus its field."""
        for group, rows in self.rows.items():
            for row in rows:
                if row.setting_key == key:
                    row.editor_widget.setFocus()
                    QTimer.singleShot(0, row, partial(self._scroll_to_row, group, row))

    def _scroll_to_row(self, group: str, row: SettingsDialogRow) -> None:
        """Show a row below the title of its group, if both fit."""
        self._scroll_to_group(self._titles[group].text())
        self.scroll_area.ensureWidgetVisible(row)

    def _filter_rows(self, query: str) -> None:
        self.group_list.blockSignals(True)
        self.group_list.clear()
        for group, rows in self.rows.items():
            title = _(SETTING_GROUPS[group])
            whole = bool(query.strip()) and query.strip().casefold() in title.casefold()
            for row, line in zip(rows, self._separators[group], strict=True):
                shown = whole or row.matches(query)
                row.setVisible(shown)
                line.setVisible(shown)
            some = any(not row.isHidden() for row in rows)
            self._titles[group].setVisible(some)
            if some:
                item = QListWidgetItem(title, self.group_list)
                item.setSizeHint(QSize(0, _GROUP_HEIGHT))
        self.group_list.blockSignals(False)
        self.nothing_found_label.setVisible(self.group_list.count() == 0)
        self.scroll_area.verticalScrollBar().setValue(0)
        self._mark_group_in_sight()

    def _scroll_to_group(self, title: str) -> None:
        for text in self._titles.values():
            if text.text() == title:
                self.scroll_area.verticalScrollBar().setValue(text.y() - 4)
                self._mark_group(title)  # the last ones cannot be at the top

    def _mark_group_in_sight(self) -> None:
        """Mark the group at the top of the page; at its end, the last one."""
        bar = self.scroll_area.verticalScrollBar()
        shown = [text for text in self._titles.values() if not text.isHidden()]
        is_end = bar.value() == bar.maximum() > 0
        passed = [text for text in shown if is_end or text.y() - 4 <= bar.value()]
        if shown:
            self._mark_group((passed or shown[:1])[-1].text())

    def _mark_group(self, title: str) -> None:
        with QSignalBlocker(self.group_list):
            for item in self.group_list.findItems(title, Qt.MatchFlag.MatchExactly):
                self.group_list.setCurrentItem(item)


def _create_search_field() -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(_("Search settings"))
    field.setAccessibleName(_("Search settings"))
    field.setClearButtonEnabled(True)
    field.setMinimumHeight(_FIELD_HEIGHT)
    return field


def _create_group_list(theme: Theme) -> QListWidget:
    groups = QListWidget()
    groups.setAccessibleName(_("Categories"))
    groups.setFixedWidth(_GROUPS_WIDTH)
    groups.setFrameShape(QListWidget.Shape.NoFrame)
    groups.setFont(theme.font(13))
    return groups
