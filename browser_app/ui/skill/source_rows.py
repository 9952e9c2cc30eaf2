"""The sources of the user's skill: what each gives and cannot know, its switch, when it was read, what went wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QTableWidget, QVBoxLayout, QWidget

from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.skill.web_sources import WEB_SOURCES
from browser_app.language import gettext as _
from browser_app.player.sources import SourceKind, SourceState
from browser_app.storage.declared import MY_SKILL
from browser_app.storage.setting import Setting
from browser_app.ui.check_box import CheckBox
from browser_app.ui.controls import Hairline, Text
from browser_app.ui.dialogs.settings_row import SettingRow
from browser_app.ui.scroll_bar import ScrollBar
from browser_app.ui.skill.scrolled import Scrolled
from browser_app.ui.skill.source_details import details_words
from browser_app.ui.skill.source_words import ago_words, source_title, source_words
from browser_app.ui.theme import Theme

_SWITCHES: Mapping[SourceKind, Setting[bool]] = {source.kind: source.setting for source in WEB_SOURCES}
_INDENT = 28
"""Behind a tick."""


def _about(kind: SourceKind) -> tuple[str, str]:
    """What a source gives, and what it cannot know."""
    return {
        SourceKind.RECORD: (
            _(
                "Gives every rating system and your whole history: from files that you bring in,"
                " and from watched folders."
            ),
            _("Cannot know rounds of which there is no file."),
        ),
        SourceKind.STEAM: (
            _("Gives the skill that NS2 itself keeps of you, for the field and for the chair, once an hour."),
            _(
                "Cannot know how it came about: a history grows only while this program runs."
                " Steam is told your Steam id."
            ),
        ),
        SourceKind.XONSTAT: (
            _("Gives your skill and its doubt in every game type of Xonotic, once an hour."),
            _(
                "Cannot know games on servers that do not report. stats.xonotic.org is told the fingerprint of your"
                " public key; the secret one is never read."
            ),
        ),
        SourceKind.TYPED: (
            _("A number that you know, for games that tell nobody. It counts before all others."),
            _("Cannot know when it is out of date."),
        ),
    }[kind]


class SourceRow(QWidget):
    """One source."""

    def __init__(self, theme: Theme, kind: SourceKind, settings: LiveSettings) -> None:
        super().__init__()
        self.kind = kind
        title, setting = source_title(kind), _SWITCHES.get(kind)
        self.switch = None if setting is None else CheckBox(theme, title)
        gives, cannot = _about(kind)
        self.about = Text(theme, f"{gives}\n{cannot}", role="text2", size=12)
        self.about.setWordWrap(True)
        self.state = Text(theme, size=12)
        self.details = Text(theme, size=12)
        for words in (self.state, self.details):
            words.setWordWrap(True)
        self._lay_out(self.switch or Text(theme, title, weight=QFont.Weight.DemiBold))
        if self.switch is not None and setting is not None:
            self.switch.setAccessibleDescription(self.about.text())
            self.switch.setChecked(settings.get(setting))
            self.switch.toggled.connect(lambda on: settings.set(setting, on))

    def show_state(self, state: SourceState | None) -> None:
        """Show how it stands."""
        if self.switch is not None and state is not None:
            with QSignalBlocker(self.switch):
                self.switch.setChecked(state.on)
        self.state.set_role("warning" if state is not None and state.error else "text1")
        self.state.setText("" if state is None else _state_words(state))
        self.details.setText("" if state is None else details_words(state))
        for shown in (self.state, self.details):
            shown.setVisible(bool(shown.text()))

    def _lay_out(self, heading: QWidget) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(4)
        column.addWidget(heading)
        inside = QVBoxLayout()
        inside.setContentsMargins(_INDENT if self.switch is not None else 0, 0, 0, 0)
        inside.setSpacing(4)
        for text in (self.state, self.details, self.about):
            inside.addWidget(text)
        column.addLayout(inside)


def _state_words(state: SourceState) -> str:
    """What it says or what went wrong, and when it said something; after a failure what it said before holds."""
    words = [source_words(state, None)]
    if state.error and state.on and state.points is not None:
        words.append(source_words(replace(state, error=""), None))
    return " · ".join(filter(None, [*words, ago_words(state.read_at if state.on else None)]))


class SourceRows(Scrolled):
    """All sources, one below the other; the numbers that are typed in stand at the end."""

    def __init__(self, theme: Theme, settings: LiveSettings, games: Mapping[str, str]) -> None:
        """`games`: names by id."""
        super().__init__(theme, _("Sources"))
        self.setVerticalScrollBar(ScrollBar(theme, "raised"))
        self.rows = tuple(SourceRow(theme, kind, settings) for kind in SourceKind)
        self.typed = SettingRow(theme, MY_SKILL, settings, games)
        self.column.setContentsMargins(0, 0, 12, 0)
        self.column.setSpacing(0)
        for place, row in enumerate(self.rows):
            if place:
                self.column.addWidget(Hairline(theme, "hairline"))
            self.column.addWidget(row)
        self.column.addWidget(self.typed)
        self.column.addStretch(1)

    def show_game(self, name: str) -> None:
        """Have a game in sight among the numbers that are typed in."""
        table = self.typed.field
        if isinstance(table, QTableWidget):
            for item in table.findItems(name, Qt.MatchFlag.MatchExactly):
                table.scrollToItem(item, QTableWidget.ScrollHint.PositionAtTop)

    def show_states(self, states: Sequence[SourceState]) -> None:
        """Show how the sources stand, each in the game that it knows of."""
        by_kind = {state.kind: state for state in states}
        for row in self.rows:
            row.show_state(by_kind.get(row.kind))
