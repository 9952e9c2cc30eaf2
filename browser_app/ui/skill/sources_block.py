"""Where the shown skill comes from, a line each source."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from browser_app.language import gettext as _
from browser_app.language import pgettext
from browser_app.player.sources import SourceState
from browser_app.ui.controls import ElidedText, Hairline, Text
from browser_app.ui.link_button import LinkButton
from browser_app.ui.skill.section import Section
from browser_app.ui.skill.selectable import selectable, sentence
from browser_app.ui.skill.source_words import ago_words, kept_words, source_line, source_title, why_they_differ
from browser_app.ui.status_line import IconMark
from browser_app.ui.theme import Theme

ROW, TITLE = 27, 120


class SourcesBlock(Section):
    """Built anew when a source says something else.

    Signals:
        change_wanted: switch sources on or off.
    """

    change_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Where this comes from"))
        self._theme = theme
        self._rows = QWidget()
        self._grid = QGridLayout(self._rows)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnMinimumWidth(1, TITLE)
        self._grid.setColumnStretch(2, 1)
        self._why = sentence(theme)
        self.change = LinkButton(theme, pgettext("what to do", "Change"))
        self.change.setAccessibleName(_("Change where my skill comes from"))
        self.change.clicked.connect(self.change_wanted)
        self.head.addWidget(self.change)
        self.column.addWidget(self._rows)
        self.column.addWidget(self._why)
        self.lines: tuple[tuple[str, str, str], ...] = ()
        """Title, words, and of each source since when values are kept and when it was read."""

    def show_sources(self, states: Sequence[SourceState], own: float | None, system: str) -> None:
        """Show these; `own` is the rating by the own record under a system."""
        lines = tuple(
            (source_title(state.kind), source_line(state, own, system), _read_words(state)) for state in states
        )
        self._why.setText(why_they_differ(states, own, system))
        self._why.setVisible(bool(self._why.text()))
        if lines != self.lines:
            self.lines = lines
            self._build(states)

    def _build(self, states: Sequence[SourceState]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for place, (state, (title, words, age)) in enumerate(zip(states, self.lines, strict=True)):
            line = 2 * place
            self._grid.addWidget(Hairline(self._theme, "rowline"), line, 0, 1, 4)
            self._grid.setRowMinimumHeight(line + 1, ROW)
            self._grid.addWidget(IconMark(self._theme, *_icon(state)), line + 1, 0)
            self._grid.addWidget(Text(self._theme, title), line + 1, 1)
            role = "warning" if state.error else "text2"
            self._grid.addWidget(selectable(ElidedText(self._theme, words, role=role)), line + 1, 2)
            read = Text(self._theme, age, role="text2", size=12)
            self._grid.addWidget(read, line + 1, 3, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


def _read_words(state: SourceState) -> str:
    return " · ".join(filter(None, (kept_words(state), ago_words(state.read_at if state.on else None))))


def _icon(state: SourceState) -> tuple[str, str]:
    if state.error:
        return "doubt", "warning"
    return ("check", "accent") if state.on else ("close", "text3")
