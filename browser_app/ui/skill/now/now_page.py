"""The page Now: current rating, breakdown, recent rounds and sources."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.application.own_skill.skill_state import SkillState
from browser_app.catalogue.game_servers import count_servers_reporting_skill
from browser_app.catalogue.server_value_text import UNKNOWN_VALUE
from browser_app.language import gettext as _
from browser_app.player.skill_summary import SkillSummary
from browser_app.ui.skill.now.now_sections import NowSourcesSection, NowUsageSection
from browser_app.ui.skill.now.now_text import (
    basis_text,
    expected_wins_text,
    range_source_text,
    tier_texts,
    trend_text,
    uncertainty_text,
)
from browser_app.ui.skill.now.rating_breakdown_table import RatingBreakdownTable
from browser_app.ui.skill.now.rating_scale import RatingScaleBar, create_rating_scale
from browser_app.ui.skill.now.recent_rounds_plot import RecentRoundsPlot
from browser_app.ui.skill.outcome_marker import DRAWN, LOST, WON, OutcomeMarker, outcome_text
from browser_app.ui.skill.rating_format import format_change, format_points, rating_decimals
from browser_app.ui.skill.skill_pages import SkillServices
from browser_app.ui.widgets.basic_widgets import Button, Label, Separator
from browser_app.ui.widgets.box_layouts import Stretch, create_grid, fill_box
from browser_app.ui.widgets.page_elements import PageSection, ScrollPage, create_wrapping_label, make_selectable
from browser_app.ui.widgets.theme import Theme

WIDE_MIN_WIDTH = 720
"""In narrower pages the uncertainty goes below the rating."""
_BOTTOM_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom


class NowSummary(QWidget):
    """Rating, tier and uncertainty as text, with the scale below."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._is_wide: bool | None = None
        self.rating_label = make_selectable(Label(theme, size=40, weight=QFont.Weight.DemiBold))
        self.rating_label.setAccessibleDescription(_("Rating"))
        self.tier_label = make_selectable(Label(theme, size=15, weight=QFont.Weight.DemiBold))
        self.next_tier_label = create_wrapping_label(theme, size=13)
        self.uncertainty_label = create_wrapping_label(theme, size=13)
        self.basis_label, self.range_source_label = create_wrapping_label(theme), create_wrapping_label(theme)
        self._uncertainty_labels = self.uncertainty_label, self.basis_label, self.range_source_label
        self.rating_scale = RatingScaleBar(theme)
        self._grid = create_grid(None, spacing=(14, 4))
        self._build_layout(theme)
        self.arrange(wide=True)

    def _build_layout(self, theme: Theme) -> None:
        tier_column = fill_box(QVBoxLayout(), Stretch(), self.tier_label, self.next_tier_label, 4, spacing=2)
        self._uncertainty_box = QWidget()
        fill_box(
            QVBoxLayout(self._uncertainty_box), Stretch(), *self._uncertainty_labels, spacing=2, margins=(0, 0, 0, 4)
        )
        self._grid.addWidget(self.rating_label, 0, 0, Qt.AlignmentFlag.AlignBottom)
        self._grid.addLayout(tier_column, 0, 1)
        fill_box(QVBoxLayout(self), Separator(theme, "border"), 12, self._grid, 8, self.rating_scale, spacing=0)

    def arrange(self, *, wide: bool) -> None:
        """Put the uncertainty beside the rating or below it."""
        if wide == self._is_wide:
            return
        self._is_wide = wide
        self._grid.removeWidget(self._uncertainty_box)
        cell = (0, 2, 1, 1) if wide else (1, 0, 1, 3)
        self._grid.addWidget(self._uncertainty_box, *cell)
        self._grid.setColumnStretch(1, 2 if wide else 1)
        self._grid.setColumnStretch(2, 3 if wide else 0)
        for words in self._uncertainty_labels:
            words.setAlignment(_BOTTOM_RIGHT if wide else Qt.AlignmentFlag.AlignLeft)

    def show_rating(self, now: SkillSummary, system: str) -> None:
        """Show a rating."""
        self.rating_label.setText(format_points(now.value, rating_decimals(system)))
        tier, next_tier = tier_texts(now, system)
        for label, words in (
            (self.tier_label, tier),
            (self.next_tier_label, next_tier),
            (self.uncertainty_label, uncertainty_text(now, system)),
            (self.basis_label, basis_text(now)),
            (self.range_source_label, range_source_text(now)),
        ):
            label.setText(words)
            label.setVisible(bool(words))
        self.rating_scale.show_scale(create_rating_scale(now, system))


SIDE_COLUMN_WIDTH = 320
SIDE_COLUMN_GAP = 16


class NowPage(ScrollPage):
    """The page Now; it scrolls if it is higher than the view.

    Signals:
        server_list_requested: show the servers by their distance to the user's skill.
        sources_requested: open the dialog of skill sources.

    `import_button` is for the view's header.
    """

    server_list_requested = Signal()
    sources_requested = Signal()

    def __init__(self, theme: Theme, services: SkillServices) -> None:
        super().__init__(theme, _("Now"))
        self._services = services
        self.import_button = Button(theme, _("Import…"))
        self.summary = NowSummary(theme)
        self.breakdown = RatingBreakdownTable(theme)
        self.change_label = make_selectable(Label(theme, size=22, weight=QFont.Weight.DemiBold))
        self.trend_label, self.expected_label = Label(theme, role="text2"), create_wrapping_label(theme)
        self.plot = RecentRoundsPlot(theme)
        self.round_label = create_wrapping_label(theme)
        self.sources_section = NowSourcesSection(theme)
        self.usage_section = NowUsageSection(theme)
        self._breakdown_section = PageSection(theme)
        self._trend_section = PageSection(theme, self.plot.accessibleName())
        self._legend = QWidget()
        self._grid = create_grid(None, spacing=(SIDE_COLUMN_GAP, 14))
        self._has_two_columns: bool | None = None
        self._fill_sections(theme)
        self._build_layout()
        self._arrange(two_columns=True)
        self.sources_section.change_requested.connect(self.sources_requested)
        self.usage_section.server_list_requested.connect(self.server_list_requested)
        self.plot.point_text_changed.connect(self._show_round_text)
        services.server_list.rescored.connect(self._update_usage)
        services.skill_model.own_skill_changed.connect(self._update_usage)

    def _fill_sections(self, theme: Theme) -> None:
        self._breakdown_section.content_layout.addWidget(self.breakdown)
        line = fill_box(QHBoxLayout(), self.change_label, Stretch(self.trend_label), spacing=10)
        legend = fill_box(QHBoxLayout(self._legend), spacing=6)
        for outcome in (WON, LOST, DRAWN):
            legend.addWidget(OutcomeMarker(theme, outcome))
            legend.addWidget(Label(theme, outcome_text(outcome), role="text2", size=12))
            legend.addSpacing(6)
        legend.addStretch(1)
        content = self._trend_section.content_layout
        fill_box(content, line, self.plot, self._legend, self.round_label, spacing=content.spacing())

    def _build_layout(self) -> None:
        fill_box(self.content_layout, self.summary, self._grid, Stretch(), spacing=10, margins=(0, 0, 0, 12))

    def _arrange(self, *, two_columns: bool) -> None:
        if two_columns == self._has_two_columns:
            return
        self._has_two_columns = two_columns
        sections = (self._breakdown_section, self._trend_section, self.sources_section, self.usage_section)
        for index, section in enumerate(sections):
            self._grid.removeWidget(section)
            self._grid.addWidget(section, *(divmod(index, 2) if two_columns else (index, 0)))
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnMinimumWidth(1, SIDE_COLUMN_WIDTH if two_columns else 0)

    def show_data(self, skill_state: SkillState | None) -> None:
        """Show the current rating."""
        if skill_state is None:
            return
        now, system = skill_state.now, skill_state.system
        self.summary.show_rating(now, system)
        self.breakdown.show_rating(now, system, skill_state.history.player)
        rated = now.recent_trend.rounds > 0
        self.change_label.setText(
            format_change(now.recent_trend.change, rating_decimals(system)) if rated else UNKNOWN_VALUE
        )
        self.trend_label.setText(trend_text(now.recent_trend))
        self.expected_label.setText(expected_wins_text(now.recent_trend))
        for widget in (self.plot, self._legend):
            widget.setVisible(rated)
        self.plot.show_history(skill_state.history)
        self._show_round_text("")
        self.usage_section.show_rank(now, int(skill_state.history.approximate.sum()))
        self.show_sources()
        self._update_usage()

    def show_sources(self) -> None:
        """Show the current state and age of the sources."""
        skill_model = self._services.skill_model
        if skill_model.state is not None:
            own = None if skill_model.state.full_history else skill_model.state.now.value
            self.sources_section.show_sources(self._services.source_states(skill_model.game), own, skill_model.system)

    def _update_usage(self) -> None:
        """Update how the list uses the rating: servers come and go."""
        if self.isVisible():
            skill_model = self._services.skill_model
            game = skill_model.game
            profile = self._services.games.get(game)
            servers = count_servers_reporting_skill(self._services.server_list.catalogue, game)
            server_system = profile.rating_system if profile is not None and profile.reports_skill else ""
            game_name = profile.name if profile is not None else game
            self.usage_section.show_usage(
                skill_model.own_skill(game),
                servers,
                game_name,
                server_system=server_system,
                system=skill_model.system,
            )

    def _show_round_text(self, words: str) -> None:
        self.round_label.setText(words or self.expected_label.text())

    def showEvent(self, event: QShowEvent) -> None:
        """Update what depends on the server list."""
        super().showEvent(event)
        self._update_usage()

    def fit_height(self) -> None:
        """Move the side column below the main one if the page is narrow."""
        width = self.viewport().width()
        self._arrange(
            two_columns=self._breakdown_section.minimumSizeHint().width() + SIDE_COLUMN_GAP + SIDE_COLUMN_WIDTH <= width
        )
        self.summary.arrange(wide=width >= WIDE_MIN_WIDTH)
        super().fit_height()
