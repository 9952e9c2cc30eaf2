"""The page Systems: comparison of rating systems and their parameters."""

from PySide6.QtGui import QFont, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from browser_app.application.own_skill.skill_state import SkillState
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.rating.evaluation.system_comparison import ROLLING_ROUNDS, SystemComparison
from browser_app.ui.skill.rating_format import format_points, system_title
from browser_app.ui.skill.systems.calibration_plot import CalibrationPlot
from browser_app.ui.skill.systems.rating_parameters_panel import RatingParametersPanel
from browser_app.ui.skill.systems.rolling_loss_plot import RollingLossPlot
from browser_app.ui.skill.systems.skill_task_progress import SkillTaskProgress
from browser_app.ui.skill.systems.systems_comparison_table import SystemComparisonTable
from browser_app.ui.skill.systems.systems_comparison_text import comparison_details, comparison_headline
from browser_app.ui.widgets.basic_widgets import Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.buttons import LinkButton, MenuButton
from browser_app.ui.widgets.page_elements import PageSection, create_scroll_area, create_wrapping_label, make_selectable
from browser_app.ui.widgets.theme import Theme

ALL_ROUNDS, OWN_ROUNDS = "all", "mine"
_COLUMN_GAP, _TWO_COLUMN_WIDTH = 32, 980
_WIDE_STRETCH, _NARROW_STRETCH = (2, 3), (1, 0)
"""Stretch of plots and comparison; in a narrow page free space is below the plots."""


class SystemsPage(QWidget):
    """The page Systems, which compares when it becomes visible: that takes seconds."""

    def __init__(self, theme: Theme, skill_model: SkillModel) -> None:
        super().__init__()
        self._theme, self._skill_model = theme, skill_model
        self._requested_comparison: tuple[object, ...] = ()
        self._is_settled = False
        """Whether the comparison arrived or was cancelled; the skill model drops requests when it changes game or
        system.
        """
        self._seen_parameters: dict[tuple[str, str], object] = {}
        self._parameter_changes = 0
        self.rounds_menu = MenuButton(theme, _("Compared rounds"))
        self.table = SystemComparisonTable(theme)
        self.comparison_progress = SkillTaskProgress(theme, "compare", skill_model)
        self.compare_link = LinkButton(theme, _("Compare"))
        self.compare_link.hide()
        self.headline_label = make_selectable(Label(theme, weight=QFont.Weight.DemiBold, wraps=True))
        self.details_label = create_wrapping_label(theme, size=13)
        self.parameters_panel = RatingParametersPanel(theme, skill_model)
        self.calibration_plot, self.rolling_plot = CalibrationPlot(theme), RollingLossPlot(theme)
        self.point_label = create_wrapping_label(theme)
        self._build_layout()
        self.rounds_menu.value_chosen.connect(self._choose_rounds)
        self.table.plotted_changed.connect(self._update_plots)
        self.comparison_progress.cancel_button.clicked.connect(self._on_cancelled)
        self.compare_link.clicked.connect(self._compare_again)
        for plot in (self.calibration_plot, self.rolling_plot):
            plot.point_text_changed.connect(self._show_point_text)
        self._show_point_text("")

    # Layout

    def _build_layout(self) -> None:
        inner = QWidget()
        self._columns = fill_box(
            QBoxLayout(QBoxLayout.Direction.LeftToRight, inner),
            self._plots_column(),
            self._comparison_column(),
            spacing=_COLUMN_GAP,
            margins=(0, 0, 0, 8),
        )
        fill_box(QVBoxLayout(self), create_scroll_area(self._theme, inner, "surface"))

    def _plots_column(self) -> QVBoxLayout:
        calibration = PageSection(self._theme, _("Calibration: predicted and actual"))
        calibration.content_layout.addWidget(self.calibration_plot)
        calibration.content_layout.addWidget(self.point_label)
        rolling = PageSection(self._theme, _("Log loss, last {n} rounds (lower is better)").format(n=ROLLING_ROUNDS))
        rolling.content_layout.addWidget(self.rolling_plot)
        return fill_box(QVBoxLayout(), calibration, rolling, Stretch())

    def _comparison_column(self) -> QVBoxLayout:
        comparison = PageSection(self._theme, _("Same rounds for all systems, each predicted in advance"))
        comparison.header_layout.addWidget(self.comparison_progress)
        comparison.header_layout.addWidget(self.compare_link)
        for widget in (self.table, self.headline_label, self.details_label):
            comparison.content_layout.addWidget(widget)
        return fill_box(QVBoxLayout(), comparison, self.parameters_panel, Stretch())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the comparison above the plots if the page is narrow."""
        super().resizeEvent(event)
        wide = self.width() >= _TWO_COLUMN_WIDTH
        self._columns.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.BottomToTop)
        for column, stretch in enumerate(_WIDE_STRETCH if wide else _NARROW_STRETCH):
            self._columns.setStretch(column, stretch)

    def header_controls(self) -> QWidget:
        """Return the menu for the compared rounds."""
        return self.rounds_menu

    # Data

    def show_data(self, skill_state: SkillState | None) -> None:  # noqa: ARG002 (systems are compared without rounds of one's own)
        """Show systems and parameters; compare again if rounds or parameters changed."""
        self._update_rounds_menu()
        self._mark_active_system()
        if self._skill_model.game and self._skill_model.system:
            self.parameters_panel.show_parameters(self._skill_model.system, self._skill_model.parameters)
        self.parameters_panel.setVisible(bool(self._skill_model.game))
        if self.isVisible():
            self._update_comparison()

    def showEvent(self, event: QShowEvent) -> None:
        """Compare if needed."""
        super().showEvent(event)
        self._update_comparison()

    def _update_comparison(self) -> None:
        skill_model = self._skill_model
        rounds = next(
            ((game.rounds, game.own_rounds) for game in skill_model.games if game.id == skill_model.game), None
        )
        if rounds is None:
            self._show_comparison(None)
            return
        mine = self.rounds_menu.current_value == OWN_ROUNDS
        request = (skill_model.game, rounds, mine, self._count_parameter_changes())
        if request == self._requested_comparison and (self._is_settled or self.comparison_progress.is_busy):
            return
        if self._requested_comparison[:1] != request[:1]:
            self._show_comparison(None)
        self._requested_comparison, self._is_settled = request, False
        self.compare_link.hide()
        skill_model.queries.compare_systems(
            lambda comparison: self._on_compared(request, comparison), own_rounds_only=mine
        )

    def _compare_again(self) -> None:
        self._is_settled = False
        self._update_comparison()

    def _on_cancelled(self) -> None:
        """Keep what is shown after a comparison was cancelled.

        The next one starts when the user asks for it or something else changes.
        """
        self._is_settled = True
        self.compare_link.show()

    def _count_parameter_changes(self) -> int:
        """Count changes of the active system's parameters.

        Choosing another system is no change.
        """
        key, now = (self._skill_model.game, self._skill_model.system), self._skill_model.parameters
        if self._seen_parameters.setdefault(key, now) != now:
            self._seen_parameters[key] = now
            self._parameter_changes += 1
        return self._parameter_changes

    def _on_compared(self, request: tuple[object, ...], comparison: SystemComparison) -> None:
        if request == self._requested_comparison:
            self._is_settled = True
            self._show_comparison(comparison)

    def _show_comparison(self, comparison: SystemComparison | None) -> None:
        self.table.table_model.show_comparison(comparison, self._skill_model.system)
        self.headline_label.setText(comparison_headline(comparison) if comparison is not None else "")
        self.details_label.setText(comparison_details(comparison) if comparison is not None else "")
        self._mark_active_system()
        self._update_plots()

    def _update_plots(self) -> None:
        comparison, plotted = self.table.table_model.comparison, self.table.table_model.plotted_series
        if comparison is None:
            self.calibration_plot.show_bins({}, {}, "")
            return
        bins = {row.name: row.calibration for row in comparison.systems}
        self.calibration_plot.show_bins(bins, plotted, self.table.current_system)
        self.rolling_plot.show_losses(comparison.rolling_round, comparison.rolling, plotted)
        self._show_point_text("")

    # Texts and menus

    def _choose_rounds(self, value: str) -> None:
        self._update_rounds_menu(value)
        self._update_comparison()

    def _update_rounds_menu(self, value: str = "") -> None:
        game = next((game for game in self._skill_model.games if game.id == self._skill_model.game), None)
        choices: list[tuple[str, str]] = []
        if game is not None:
            rounds, mine = format_points(game.rounds), format_points(game.own_rounds)
            words = ngettext("{n} round, {mine} of them yours", "{n} rounds, {mine} of them yours", game.rounds)
            choices = [(ALL_ROUNDS, words.format(n=rounds, mine=mine))]
            if game.own_rounds:
                own = ngettext("{n} round of yours", "{n} rounds of yours", game.own_rounds)
                choices.append((OWN_ROUNDS, own.format(n=mine)))
        value = value or self.rounds_menu.current_value
        self.rounds_menu.show_choices(choices, value if value in dict(choices) else ALL_ROUNDS)

    def _mark_active_system(self) -> None:
        if self.table.table_model.active_system != self._skill_model.system:
            self.table.table_model.set_active_system(self._skill_model.system)

    def _show_point_text(self, words: str) -> None:
        if not words:
            words = _("On the dashed line, a predicted 70 % is won 7 times in 10. The bars show the 95 % range.")
            if name := self.table.current_system:
                words += " " + _("Bars and counts: {system}.").format(system=system_title(name))
        self.point_label.setText(words)
