"""One setting in the dialog: its label, its field, what is wrong, what it is for, and the way back to the default."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QWidget

from browser_app.bridge.live_settings import LiveSettings
from browser_app.language import gettext as _
from browser_app.storage.setting import Kind, Setting
from browser_app.ui.controls import Text
from browser_app.ui.dialogs.settings_editors import Games, make_editor
from browser_app.ui.link_button import LinkButton
from browser_app.ui.theme import Theme

LABEL_WIDTH = 150
_WIDE = (Kind.TEXTS, Kind.NUMBERS_BY_NAME, Kind.TEXTS_BY_NAME)


class SettingRow(QWidget):
    """Shows the value that holds, and changes it at once."""

    def __init__(self, theme: Theme, setting: Setting[Any], settings: LiveSettings, games: Games) -> None:
        super().__init__()
        self.setting = setting
        self.setting_key = setting.key
        self._settings = settings
        self._editor = make_editor(setting, games, self._put)
        self.field = self._editor.widget
        self.label = Text(theme, _(setting.label), weight=QFont.Weight.Medium)
        self.label.setWordWrap(True)
        self.label.setBuddy(self.field)
        self.help = Text(theme, _(setting.help), role="text2", size=12)
        self.help.setWordWrap(True)
        self.problem = Text(theme, role="warning", size=12)
        self.problem.setWordWrap(True)
        self.reset = LinkButton(theme, _("Reset"))
        self.reset.setAccessibleName(_("Reset {setting}").format(setting=_(setting.label)))
        self.reset.clicked.connect(self._reset)
        self._lay_out()
        settings.changed.connect(self._changed)
        self.show_value()

    def show_value(self) -> None:
        """Show what holds."""
        value = self._settings.get(self.setting)
        self._editor.show(value)
        self._mark(value)

    def matches(self, words: str) -> bool:
        """Every one of the words is in its label, its help, its choices or its key."""
        texts = (self.setting.label, self.setting.help, *self.setting.words)
        inside = " ".join((self.setting.key, *map(_, texts))).casefold()
        return all(word in inside for word in words.casefold().split())

    def _lay_out(self) -> None:
        top = Qt.AlignmentFlag.AlignTop
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 8, 0, 8)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        grid.setColumnStretch(1, 1)
        self.label.setFixedWidth(LABEL_WIDTH)
        grid.addWidget(self.label, 0, 0, top)
        grid.addWidget(self.field, 0, 1)
        grid.addWidget(self.reset, 0, 2, top)
        grid.addWidget(self.problem, 1, 1)
        grid.addWidget(self.help, 2, 1, 1, 2)
        kept = self.reset.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(kept)

    def _put(self, value: Any) -> None:
        try:
            self._settings.set(self.setting, value)
        except ValueError as error:
            self._say(str(error))
        else:
            self._mark(self._settings.get(self.setting))

    def _reset(self) -> None:
        self._settings.set(self.setting, self.setting.default)
        self.show_value()
        self.field.setFocus()

    def _changed(self, key: str) -> None:
        if key == self.setting.key and not self.field.hasFocus():
            self.show_value()

    def _mark(self, value: Any) -> None:
        self._say("")
        self.reset.setVisible(value != self.setting.default)

    def _say(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.field.setAccessibleDescription(problem or _(self.setting.help))
