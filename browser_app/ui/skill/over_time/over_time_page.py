"""The page Over time: rating plot, time range, overlay and export."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from browser_app.application.own_skill.skill_state import SkillState
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.player.ns2_tiers import SKILL_TIERS
from browser_app.ui.skill.over_time.over_time_text import time_span_text
from browser_app.ui.skill.over_time.rating_curve import DAY_S, create_rating_curve, most_played_mode
from browser_app.ui.skill.over_time.rating_export_controller import EXPORT_FORMATS, RatingExportController
from browser_app.ui.skill.over_time.rating_overlay_controller import RatingOverlayController
from browser_app.ui.skill.over_time.rating_plot_annotations import TierBoundary
from browser_app.ui.skill.over_time.rating_plot_data import RatingPlotData
from browser_app.ui.skill.over_time.rating_plot_legend import (
    RatingLegendEntry,
    RatingPlotLegend,
    outcome_legend_entries,
)
from browser_app.ui.skill.rating_format import system_title
from browser_app.ui.widgets.basic_widgets import ElidedLabel
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.buttons import MenuButton
from browser_app.ui.widgets.tab_widgets import SegmentedSwitch
from browser_app.ui.widgets.theme import Theme

TIME_RANGES: tuple[tuple[str, float | None], ...] = (
    (N_("Day"), DAY_S),
    (N_("Week"), 7 * DAY_S),
    (N_("Month"), 30 * DAY_S),
    (N_("3 months"), 91 * DAY_S),
    (N_("Year"), 365 * DAY_S),
    (N_("All"), None),
)
"""Title and length in seconds, counted back from the newest round; None for all."""


class TimeRangePicker(QWidget):
    """Choice of a time range, as a segmented switch or, if space is short, a menu.

    Signals:
        range_chosen: index in `TIME_RANGES`; also if the current range is chosen again.
    """

    range_chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        titles = [_(title) for title, _span in TIME_RANGES]
        about = _("Time range")
        self.segments, self.menu = SegmentedSwitch(theme, titles, about), MenuButton(theme, about)
        self._choices = [(str(index), title) for index, title in enumerate(titles)]
        for widget in (self.segments, self.menu):
            widget.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.segments.currentChanged.connect(self._on_segment_changed)
        self.segments.tabBarClicked.connect(self._on_segment_clicked)
        self.menu.value_chosen.connect(lambda index: self.select(int(index)))
        self.select(len(TIME_RANGES) - 1)

    def select(self, index: int) -> None:
        """Select a range by its index."""
        self.segments.setCurrentIndex(index)
        self.menu.show_choices(self._choices, str(index))

    def _on_segment_changed(self, index: int) -> None:
        self.menu.show_choices(self._choices, str(index))
        self.range_chosen.emit(index)

    def _on_segment_clicked(self, index: int) -> None:
        if index == self.segments.currentIndex():
            self.range_chosen.emit(index)

    def sizeHint(self) -> QSize:
        """Return the size of the switch."""
        return QSize(self.segments.sizeHint().width(), self.menu.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return the size of the menu."""
        return self.menu.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the switch if it fits, else the menu."""
        super().resizeEvent(event)
        fits = self.width() >= self.segments.sizeHint().width()
        self.segments.setVisible(fits)
        self.menu.setVisible(not fits)
        shown: QWidget = self.segments if fits else self.menu
        hint = shown.sizeHint()
        top = (self.height() - hint.height()) // 2
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        shown.setGeometry(0 if mirrored else self.width() - hint.width(), top, hint.width(), hint.height())


class OverTimePage(QWidget):
    """The page Over time.

    Signals:
        round_requested: id of a round to explain.
        status_reported: text for the status bar.
    """

    round_requested = Signal(str)
    status_reported = Signal(str)

    def __init__(self, theme: Theme, skill_model: SkillModel) -> None:
        from browser_app.ui.skill.over_time.rating_plot import RatingPlot  # pyqtgraph takes 0.3 s to import

        super().__init__()
        self._theme, self._skill_model = theme, skill_model
        self._skill_state: SkillState | None = None
        self._plot_data: RatingPlotData | None = None
        self._mode: str | None = None
        self.plot = RatingPlot(theme)
        self.legend = RatingPlotLegend(theme)
        self.note_label = ElidedLabel(theme, role="text2", size=12)
        self.note_label.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
        self.time_range_picker = TimeRangePicker(theme)
        self.overlay_controller = RatingOverlayController(theme, skill_model)
        self.export_menu = MenuButton(theme, _("Export"))
        self.export_menu.show_choices([(kind, _(words)) for kind, words in EXPORT_FORMATS.items()], "")
        self.export_menu.setText(_("Export"))
        self.export_controller = RatingExportController(self)
        self._header_widget = QWidget()
        self._build_layout()
        self.time_range_picker.range_chosen.connect(lambda index: self.plot.show_last(TIME_RANGES[index][1]))
        self.overlay_controller.overlay_changed.connect(self._update_plot)
        self.export_menu.value_chosen.connect(self.start_export)
        self.export_controller.status_reported.connect(self.status_reported)
        self.plot.round_requested.connect(self.round_requested)
        self.plot.visible_span_changed.connect(self._update_note)

    def _build_layout(self) -> None:
        head = fill_box(QHBoxLayout(), self.legend, Stretch(self.note_label), spacing=16)
        fill_box(QVBoxLayout(self), head, Stretch(self.plot), spacing=4, margins=(0, 8, 0, 8))
        controls = (self.time_range_picker, self.overlay_controller.button, self.export_menu)
        fill_box(QHBoxLayout(self._header_widget), *controls)

    def header_controls(self) -> QWidget:
        """Return the controls for range, overlay and export."""
        return self._header_widget

    def show_data(self, skill_state: SkillState | None) -> None:
        """Show a player's history."""
        self._skill_state = skill_state
        self._mode = _shown_mode(skill_state)
        self.overlay_controller.show_data(skill_state, self._mode)
        self.export_menu.setEnabled(skill_state is not None)
        self._update_plot()

    def show_sources(self) -> None:
        """Update an overlay of sampled values."""
        self.overlay_controller.refresh_samples()

    def start_export(self, kind: str) -> None:
        """Ask for a file and export the plot as `png`, `svg` or `csv`."""
        if self._plot_data is None or self._skill_state is None:
            return
        name = f"{self._skill_state.game.title}, {system_title(self._skill_state.system)}"
        self.export_controller.ask_for_file(kind, name, partial(self._export_content, kind))

    def _export_content(self, kind: str) -> Callable[[], bytes]:
        """Return a function that creates the file's bytes in any thread.

        Widgets are read here, in the GUI thread.
        """
        from browser_app.ui.skill.over_time import rating_plot_export

        plot_data, own = self._plot_data, _("You")
        if plot_data is None:
            return bytes
        if kind == "csv":
            return lambda: rating_plot_export.format_csv(plot_data, own).encode()
        arguments = self.plot, self.legend.entries, self._export_title(), self._theme
        if kind == "svg":
            content = rating_plot_export.render_svg(*arguments)
            return lambda: content
        recording = rating_plot_export.record_picture(*arguments)
        return lambda: rating_plot_export.encode_png(recording)

    def _export_title(self) -> str:
        skill_state = self._skill_state
        names = (skill_state.game.title, system_title(skill_state.system)) if skill_state is not None else ()
        return ", ".join((*names, self._span_text()))

    def _span_text(self) -> str:
        return time_span_text(self._plot_data.curve, self.plot.visible_points) if self._plot_data is not None else ""

    def _update_plot(self) -> None:
        skill_state = self._skill_state
        self._plot_data = None
        if skill_state is not None:
            curve = create_rating_curve(skill_state.history, self._mode)
            if len(curve):
                self._plot_data = RatingPlotData(
                    skill_state.history, curve, _tier_boundaries(skill_state), self.overlay_controller.overlay
                )
        self.legend.show_entries(self._legend_entries())
        self.plot.show_plot_data(self._plot_data)
        self._update_note()

    def _legend_entries(self) -> list[RatingLegendEntry]:
        if self._plot_data is None:
            return []
        title = _("Your rating in {mode}").format(mode=self._mode) if self._mode else _("Your rating")
        if np.isnan(self._plot_data.curve.low).all():
            entries = [RatingLegendEntry("line", title)]
        else:
            is_estimated = self._plot_data.history.sd_from == "gradients"
            words = _("{title}, 90 % range, estimated") if is_estimated else _("{title}, 90 % range")
            entries = [RatingLegendEntry("band", words.format(title=title))]
        if self._plot_data.overlay is not None:
            kind: Literal["overlay", "sampled"] = "overlay" if self._plot_data.sampled_overlay is None else "sampled"
            entries.append(RatingLegendEntry(kind, self._plot_data.overlay.title))
        return entries + outcome_legend_entries()

    def _update_note(self) -> None:
        if self._skill_state is None:
            self.note_label.setText("")
        elif self._plot_data is None:
            self.note_label.set_shorter_texts(())
            self.note_label.setText(_("None of your rounds could be rated."))
        else:
            hint = _("Mouse wheel: zoom. Arrow keys: step through rounds.")
            if self.plot.is_crowded:
                hint = _("Zoom in to see individual rounds.")
            if self._skill_state.full_history and np.ptp(self._plot_data.curve.value) == 0.0:
                hint = _("With hindsight, this system has one rating for all rounds.")
            span = f"{self._span_text()}."
            self.note_label.set_shorter_texts((span,))
            self.note_label.setText(f"{span} {hint}")


def _shown_mode(skill_state: SkillState | None) -> str | None:
    """Return the mode whose rating is shown.

    None if there is one rating for all modes.
    """
    if skill_state is None:
        return None
    modes = [part for part in skill_state.now.parts if part.kind == "mode" and part.rounds]
    if len(modes) < 2 or all(part.mark == "shared" for part in modes):
        return None
    return skill_state.now.mode or most_played_mode(skill_state.history)


def _tier_boundaries(skill_state: SkillState) -> tuple[TierBoundary, ...]:
    """Return the boundaries of the tiers as shown on the rating's axis.

    They are shifted by today's difference between the rating and its tier value.
    """
    now = skill_state.now
    if now.tier is None or now.value is None or now.confident_points is None:
        return ()
    uncertainty = now.value - now.confident_points
    return tuple(
        TierBoundary(
            tier.above + uncertainty, _("{tier} starts here (at today’s uncertainty)").format(tier=_(tier.name))
        )
        for tier in SKILL_TIERS
        if tier.above is not None
    )
