"""The page that lists skill sources with their switches."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QTableWidget, QVBoxLayout, QWidget

from browser_app.application.own_skill.skill_web_services import SKILL_SERVICES
from browser_app.bridge.live_settings import LiveSettings
from browser_app.language import gettext as _
from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.storage.setting_declarations import OWN_SKILL
from browser_app.storage.setting_types import Setting
from browser_app.ui.settings.setting_editors import EditorNames
from browser_app.ui.settings.setting_rows import SettingRow
from browser_app.ui.skill.sources.skill_source_text import ago_text, source_details_text, source_text, source_title
from browser_app.ui.widgets.basic_widgets import Label, ScrollBar, Separator
from browser_app.ui.widgets.box_layouts import fill_box, set_margins
from browser_app.ui.widgets.form_fields import CHECK_BOX_GAP, CHECK_BOX_PX, CheckBox
from browser_app.ui.widgets.page_elements import ScrollPage
from browser_app.ui.widgets.theme import Theme

_SWITCH_SETTINGS: Mapping[SkillSourceKind, Setting[bool]] = {
    service.kind: service.setting for service in SKILL_SERVICES
}
_INDENT = CHECK_BOX_PX + CHECK_BOX_GAP
"""Width of a check box, in pixels."""


def _about_texts(kind: SkillSourceKind) -> tuple[str, str]:
    """Return what a source provides, and its limits."""
    return {
        SkillSourceKind.RECORD: (
            _("All rating systems and your full history, from imported files and watched folders."),
            _("Rounds without a file are missing. Only where they contain your in-game skill is its level known."),
        ),
        SkillSourceKind.STEAM: (
            _("Your NS2 in-game skill, as field player and as commander, updated hourly. The list prefers it."),
            _("Cannot explain changes; history only grows while Ready Room is running. Sends your Steam ID to Steam."),
        ),
        SkillSourceKind.XONSTAT: (
            _("Your skill and its uncertainty in each Xonotic mode, updated hourly."),
            _(
                "Servers that do not report to it are missing. Sends your public key’s fingerprint to "
                "stats.xonotic.org; your private key is never read."
            ),
        ),
        SkillSourceKind.ENTERED: (
            _("A number that you know, for games that do not publish one. Used unless your in-game skill is known."),
            _("Does not update itself."),
        ),
    }[kind]


class SkillSourceRow(QWidget):
    """One source."""

    def __init__(self, theme: Theme, kind: SkillSourceKind, settings: LiveSettings) -> None:
        super().__init__()
        self.kind = kind
        title, setting = source_title(kind), _SWITCH_SETTINGS.get(kind)
        self.checkbox = None if setting is None else CheckBox(theme, title)
        gives, cannot = _about_texts(kind)
        self.about_label = Label(theme, f"{gives}\n{cannot}", role="text2", size=12, wraps=True)
        self.state_label = Label(theme, size=12, wraps=True)
        self.details_label = Label(theme, size=12, wraps=True)
        self._build_layout(self.checkbox or Label(theme, title, weight=QFont.Weight.DemiBold))
        if self.checkbox is not None and setting is not None:
            self.checkbox.setAccessibleDescription(self.about_label.text())
            self.checkbox.setChecked(settings.get(setting))
            self.checkbox.toggled.connect(lambda on: settings.set(setting, on))

    def show_state(self, state: SkillSourceState | None) -> None:
        """Show the state of the source."""
        if self.checkbox is not None and state is not None:
            with QSignalBlocker(self.checkbox):
                self.checkbox.setChecked(state.is_enabled)
        self.state_label.set_color_role("warning" if state is not None and state.error else "text1")
        self.state_label.setText("" if state is None else _state_text(state))
        self.details_label.setText("" if state is None else source_details_text(state))
        for shown in (self.state_label, self.details_label):
            shown.setVisible(bool(shown.text()))

    def _build_layout(self, heading: QWidget) -> None:
        inside = fill_box(QVBoxLayout(), self.state_label, self.details_label, self.about_label, spacing=4)
        set_margins(inside, _INDENT if self.checkbox is not None else 0, 0, 0, 0)
        fill_box(QVBoxLayout(self), heading, inside, spacing=4, margins=(0, 8, 0, 8))


def _state_text(state: SkillSourceState) -> str:
    """Return value or error, and age; after an error the previous value is kept."""
    words = [source_text(state, None)]
    if state.error and state.is_enabled and state.points is not None:
        words.append(source_text(replace(state, error=""), None))
    return " · ".join(filter(None, [*words, ago_text(state.read_at if state.is_enabled else None)]))


class SkillSourcesPage(ScrollPage):
    """All sources, with the entered numbers at the end."""

    def __init__(self, theme: Theme, settings: LiveSettings, games: Mapping[str, str]) -> None:
        """`games`: names by id."""
        super().__init__(theme, _("Sources"))
        self.setVerticalScrollBar(ScrollBar(theme, "raised"))
        self.rows = tuple(SkillSourceRow(theme, kind, settings) for kind in SkillSourceKind)
        self.entered_skill_row = SettingRow(theme, OWN_SKILL, settings, EditorNames(games))
        set_margins(self.content_layout, 0, 0, 12, 0)
        self.content_layout.setSpacing(0)
        for index, row in enumerate(self.rows):
            if index:
                self.content_layout.addWidget(Separator(theme, "hairline"))
            self.content_layout.addWidget(row)
        self.content_layout.addWidget(self.entered_skill_row)
        self.content_layout.addStretch(1)

    def scroll_to_game(self, name: str) -> None:
        """Scroll to a game's entered number."""
        table = self.entered_skill_row.editor_widget
        if isinstance(table, QTableWidget):
            for item in table.findItems(name, Qt.MatchFlag.MatchExactly):
                table.scrollToItem(item, QTableWidget.ScrollHint.PositionAtTop)

    def show_states(self, states: Sequence[SkillSourceState]) -> None:
        """Show the states of the sources, each for its own game."""
        by_kind = {state.kind: state for state in states}
        for row in self.rows:
            row.show_state(by_kind.get(row.kind))
