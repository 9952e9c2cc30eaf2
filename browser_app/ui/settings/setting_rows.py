"""Rows of the settings dialog: one setting each, and the Steam key."""

import re
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractScrollArea, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from browser_app.bridge.live_settings import LiveSettings, SteamKeyController
from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.storage.keyring_store import STEAM_KEY_VARIABLE, SteamKeySource
from browser_app.storage.setting_types import Setting
from browser_app.ui.settings.setting_editors import EditorNames, create_editor
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.theme import Theme

SETTING_LABEL_WIDTH = 150


class SettingRow(QWidget):
    """Shows a setting's value and applies changes at once."""

    def __init__(self, theme: Theme, setting: Setting[Any], settings: LiveSettings, names: EditorNames) -> None:
        super().__init__()
        self.setting = setting
        self.setting_key = setting.key
        self._settings = settings
        self._editor = create_editor(setting, names, self._apply_value)
        self.editor_widget = self._editor.widget
        self.name_label = Label(theme, _(setting.label), weight=QFont.Weight.Medium, wraps=True)
        self.name_label.setBuddy(self.editor_widget)
        self.help_label = Label(theme, _(setting.description), role="text2", size=12, wraps=True)
        self.help_label.setBuddy(self)  # else screen readers read all of them when the dialog opens
        self.problem_label = Label(theme, role="warning", size=12, wraps=True)
        self.reset_button = LinkButton(theme, _("Reset"))
        self.reset_button.setAccessibleName(_("Reset {setting}").format(setting=_(setting.label)))
        self.reset_button.clicked.connect(self._reset)
        self._build_layout()
        settings.changed.connect(self._on_setting_changed)
        self.show_value()

    def show_value(self) -> None:
        """Show the current value."""
        value = self._settings.get(self.setting)
        self._editor.show_value(value)
        self._update_state(value)

    def matches(self, query: str) -> bool:
        """Return whether label, description, choices or key contain all words."""
        texts = (self.setting.label, self.setting.description, *self.setting.choice_labels)
        searched_text = " ".join((self.setting.key, *map(_, texts))).casefold()
        return all(word in searched_text for word in query.casefold().split())

    def _build_layout(self) -> None:
        top = Qt.AlignmentFlag.AlignTop
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 8, 0, 8)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, SETTING_LABEL_WIDTH)
        grid.setColumnStretch(1, 1)
        self.name_label.setFixedWidth(SETTING_LABEL_WIDTH)
        is_wide = isinstance(self.editor_widget, QAbstractScrollArea)  # with names of games, or addresses
        grid.addWidget(self.name_label, 0, 0, top if is_wide else Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(self.editor_widget, 0, 1, 1, 2 if is_wide else 1)
        grid.addWidget(self.problem_label, 1, 1)
        grid.addWidget(self.help_label, 2, 1, 1, 1 if is_wide else 2)
        grid.addWidget(self.reset_button, 2 if is_wide else 0, 2, top)
        policy = self.reset_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset_button.setSizePolicy(policy)

    def _apply_value(self, value: Any) -> None:
        try:
            self._settings.set(self.setting, value)
        except ValueError as error:
            self._show_problem(str(error))
        else:
            self._update_state(self._settings.get(self.setting))

    def _reset(self) -> None:
        self._settings.set(self.setting, self.setting.default)
        self.show_value()
        self.editor_widget.setFocus()

    def _on_setting_changed(self, key: str) -> None:
        if key == self.setting.key and not self.editor_widget.hasFocus():
            self.show_value()

    def _update_state(self, value: Any) -> None:
        self._show_problem(self.setting.find_problem(value))
        self.reset_button.setVisible(value != self.setting.default)

    def _show_problem(self, problem: str) -> None:
        self.problem_label.setText(problem)
        self.problem_label.setVisible(bool(problem))
        self.editor_widget.setAccessibleDescription(problem or _(self.setting.description))


STEAM_KEY_ROW = "steam-key"
"""Name of the row, beside the keys of settings."""
_KEY_PATTERN = re.compile(r"[0-9A-Fa-f]{32}")
_KEY_LABEL = N_("Steam key")
_KEY_HELP = N_(
    "Valve provides the lists of its games only with a Steam Web API key, which is free at "
    "steamcommunity.com/dev/apikey. It is sent only to Valve and never written to a file by "
    "Ready Room."
)
_KEY_PLACE_TEXTS: Mapping[SteamKeySource, str] = {
    SteamKeySource.NOWHERE: N_("No key saved."),
    SteamKeySource.STORE: N_("Saved in the system keyring."),
    SteamKeySource.MEMORY: N_("No usable system keyring: kept until Ready Room is closed."),
    SteamKeySource.ENVIRONMENT: N_("From the environment variable {name}."),
}


class SteamKeyRow(QWidget):
    """A field for a new key, and information about the current one."""

    setting_key = STEAM_KEY_ROW

    def __init__(self, theme: Theme, controller: SteamKeyController) -> None:
        super().__init__()
        self._controller = controller
        self.editor_widget = QLineEdit()
        self.editor_widget.setEchoMode(QLineEdit.EchoMode.Password)
        self.editor_widget.setPlaceholderText(_("32 digits and letters"))
        self.editor_widget.setAccessibleName(_(_KEY_LABEL))
        self.editor_widget.setAccessibleDescription(_(_KEY_HELP))
        self.save_button = Button(theme, _("Save"))
        self.forget_button = Button(theme, _("Forget"))
        self.place_label = Label(theme, _("Checking the keyring…"), role="text1", size=12, wraps=True)
        self.problem_label = Label(theme, role="warning", size=12)
        self._label = Label(theme, _(_KEY_LABEL), weight=QFont.Weight.Medium)
        self._help = Label(theme, _(_KEY_HELP), role="text2", size=12, wraps=True)
        self._label.setBuddy(self.editor_widget)
        for text in (self._help, self.place_label):
            text.setBuddy(self)
        self._build_layout()
        self.editor_widget.textChanged.connect(self._check_key)
        self.editor_widget.returnPressed.connect(self._save_key)
        self.save_button.clicked.connect(self._save_key)
        self.forget_button.clicked.connect(controller.delete_key)
        controller.source_found.connect(self._show_place)
        self.forget_button.setEnabled(False)
        self._check_key("")
        controller.find_key()

    def matches(self, query: str) -> bool:
        """Return whether label or description contain all words."""
        searched_text = f"{_(_KEY_LABEL)} {_(_KEY_HELP)}".casefold()
        return all(word in searched_text for word in query.casefold().split())

    def _build_layout(self) -> None:
        line = fill_box(QHBoxLayout(), self.editor_widget, self.save_button, self.forget_button)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 8, 0, 8)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self._label.setFixedWidth(SETTING_LABEL_WIDTH)
        grid.addWidget(self._label, 0, 0, Qt.AlignmentFlag.AlignVCenter)
        grid.addLayout(line, 0, 1)
        for row, text in enumerate((self.problem_label, self.place_label, self._help), start=1):
            grid.addWidget(text, row, 1)

    def _check_key(self, text: str) -> None:
        good = bool(_KEY_PATTERN.fullmatch(text.strip()))
        self.save_button.setEnabled(good)
        self.problem_label.setText(
            "" if good or not text.strip() else _("A key has 32 characters: digits and letters A to F.")
        )
        self.problem_label.setVisible(bool(self.problem_label.text()))

    def _save_key(self) -> None:
        if self.save_button.isEnabled():
            self.place_label.setText(_("Checking the keyring…"))
            self._controller.save_key(self.editor_widget.text().strip())
            self.editor_widget.clear()

    def _show_place(self, source: SteamKeySource) -> None:
        self.place_label.setText(_(_KEY_PLACE_TEXTS[source]).format(name=STEAM_KEY_VARIABLE))
        self.forget_button.setEnabled(source in (SteamKeySource.STORE, SteamKeySource.MEMORY))
