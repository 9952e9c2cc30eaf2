"""The sections of the page Now on usage in the list and on skill sources."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QWidget

from browser_app.application.own_skill.skill_state import OwnSkill
from browser_app.language import gettext as _
from browser_app.language import pgettext
from browser_app.player.skill_sources import SkillSourceState
from browser_app.player.skill_summary import SkillSummary
from browser_app.ui.skill.now.now_text import rank_text, rounds_played_text, usage_texts
from browser_app.ui.skill.sources.skill_source_text import (
    ago_text,
    difference_reason,
    samples_text,
    source_summary,
    source_title,
)
from browser_app.ui.widgets.basic_widgets import IconLabel, Label, Separator
from browser_app.ui.widgets.box_layouts import create_grid
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.page_elements import PageSection, clear_layout, create_wrapping_label
from browser_app.ui.widgets.theme import Theme

SOURCE_ROW_HEIGHT, SOURCE_TITLE_WIDTH = 27, 120


class NowSourcesSection(PageSection):
    """Section with the skill sources, rebuilt when a source changes.

    Signals:
        change_requested: open the dialog of skill sources.
    """

    change_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Where this comes from"))
        self._theme = theme
        self._rows_widget = QWidget()
        self._grid = create_grid(self._rows_widget, spacing=(8, 0), stretch=2)
        self._grid.setColumnMinimumWidth(1, SOURCE_TITLE_WIDTH)
        self._reason_label = create_wrapping_label(theme)
        self.change_link = LinkButton(theme, pgettext("what to do", "Change"))
        self.change_link.setAccessibleName(_("Change skill sources"))
        self.change_link.clicked.connect(self.change_requested)
        self.header_layout.addWidget(self.change_link)
        self.content_layout.addWidget(self._rows_widget)
        self.content_layout.addWidget(self._reason_label)
        self.row_texts: tuple[tuple[str, str, str], ...] = ()
        """Title, value, first sample and age of each source."""

    def show_sources(self, states: Sequence[SkillSourceState], own: float | None, system: str) -> None:
        """Show these sources.

        `own` is the rating under a system to compare with, None if none.
        """
        lines = tuple(
            (source_title(state.kind), source_summary(state, own, system), _read_text(state)) for state in states
        )
        self._reason_label.setText(difference_reason(states, own, system))
        self._reason_label.setVisible(bool(self._reason_label.text()))
        if lines != self.row_texts:
            self.row_texts = lines
            self._rebuild(states)

    def _rebuild(self, states: Sequence[SkillSourceState]) -> None:
        clear_layout(self._grid)
        for index, (state, (title, words, age)) in enumerate(zip(states, self.row_texts, strict=True)):
            line = 2 * index
            self._grid.addWidget(Separator(self._theme, "rowline"), line, 0, 1, 4)
            self._grid.setRowMinimumHeight(line + 1, SOURCE_ROW_HEIGHT)
            self._grid.addWidget(IconLabel(self._theme, *_state_icon(state)), line + 1, 0)
            self._grid.addWidget(Label(self._theme, title), line + 1, 1)
            summary = create_wrapping_label(self._theme, "warning" if state.error else "text2", 13)
            summary.setText(words)
            self._grid.addWidget(summary, line + 1, 2)
            read = Label(self._theme, age, role="text2", size=12)
            self._grid.addWidget(read, line + 1, 3, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


def _read_text(state: SkillSourceState) -> str:
    return " · ".join(filter(None, (samples_text(state), ago_text(state.read_at if state.is_enabled else None))))


def _state_icon(state: SkillSourceState) -> tuple[str, str]:
    if state.error:
        return "warning", "warning"
    return ("check", "accent") if state.is_enabled else ("close", "text3")


class NowUsageSection(PageSection):
    """Section on how the server list uses the rating.

    Signals:
        server_list_requested: show the servers by their distance to the user's skill.
    """

    server_list_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Used for"))
        self._usage_label, self._reason_label = create_wrapping_label(theme, "text1", 13), create_wrapping_label(theme)
        self.list_link = LinkButton(theme, _("Show servers closest to your skill"), flush=True)
        self.list_link.clicked.connect(self.server_list_requested)
        rank_title = Label(theme, _("Your rank"), role="text2", size=12, weight=QFont.Weight.DemiBold)
        self._rank_label = create_wrapping_label(theme, "text1", 13)
        self._rounds_played_label = create_wrapping_label(theme)
        usage = (self._usage_label, self._reason_label, self.list_link)
        for widget in (*usage, rank_title, self._rank_label, self._rounds_played_label):
            self.content_layout.addWidget(widget)

    def show_usage(self, points: OwnSkill | None, servers: int, game: str, *, server_system: str, system: str) -> None:
        """Show the number that the list uses.

        The other arguments are those of `usage_texts`.
        """
        use, why = usage_texts(points, servers, game, server_system=server_system, system=system)
        self._usage_label.setText(use)
        self._reason_label.setText(why)
        self._reason_label.setVisible(bool(why))
        self.list_link.setVisible(points is not None and servers > 0)

    def show_rank(self, now: SkillSummary, approximate: int) -> None:
        """Show rank and rounds; `approximate` rounds have estimated join times."""
        self._rank_label.setText(rank_text(now))
        self._rounds_played_label.setText(rounds_played_text(now, approximate))

    def texts(self) -> tuple[str, str, str, str]:
        """Return the shown texts: usage, reason, rank and rounds."""
        usage, rank = self._usage_label.text(), self._rank_label.text()
        return usage, self._reason_label.text(), rank, self._rounds_played_label.text()
