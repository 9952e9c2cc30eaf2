"""The page *Over time*."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.bridge.skill.panel import SkillPanel
from browser_app.bridge.skill.shown import Shown
from browser_app.language import gettext as _
from browser_app.player.tiers import TIERS
from browser_app.ui.controls import ElidedText
from browser_app.ui.menu_button import MenuButton
from browser_app.ui.skill.over_time.backdrop import Bound
from browser_app.ui.skill.over_time.export_control import KINDS, ExportControl
from browser_app.ui.skill.over_time.legend import Entry, Legend, signs
from browser_app.ui.skill.over_time.overlay_control import OverlayControl
from browser_app.ui.skill.over_time.picture import Picture
from browser_app.ui.skill.over_time.ranges import RANGES, RangeChoice
from browser_app.ui.skill.over_time.trace import trace_of, usual_mode
from browser_app.ui.skill.over_time.words import span_words
from browser_app.ui.skill.system_titles import system_title
from browser_app.ui.theme import Theme


class OverTimePage(QWidget):
    """The rating's course, what is laid over it, and files of both.

    Signals:
        round_wanted: the id of a round that the user wants explained.
        told: a sentence about what was done.
    """

    round_wanted = Signal(str)
    told = Signal(str)

    def __init__(self, theme: Theme, panel: SkillPanel) -> None:
        from browser_app.ui.skill.over_time.plot import RatingPlot  # pyqtgraph: only once a plot is wanted

        super().__init__()
        self._theme, self._panel = theme, panel
        self._shown: Shown | None = None
        self._picture: Picture | None = None
        self._mode: str | None = None
        self.plot = RatingPlot(theme)
        self.legend = Legend(theme)
        self.note = ElidedText(theme, role="text2", size=12)
        self.note.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
        self.ranges = RangeChoice(theme)
        self.overlay = OverlayControl(theme, panel)
        self.export = MenuButton(theme, _("Export"))
        self.export.show_choices([(kind, _(words)) for kind, words in KINDS.items()], "")
        self.export.setText(_("Export"))
        self.exports = ExportControl(self)
        self._lay_out()
        self._controls = self._make_controls()
        self.ranges.chosen.connect(lambda place: self.plot.show_last(RANGES[place][1]))
        self.overlay.changed.connect(self._compose)
        self.export.chosen.connect(self.write)
        self.exports.told.connect(self.told)
        self.plot.round_wanted.connect(self.round_wanted)
        self.plot.seen.connect(self._tell_span)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(self.legend)
        head.addWidget(self.note, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.plot, 1)

    def _make_controls(self) -> QWidget:
        controls = QWidget()
        row = QHBoxLayout(controls)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in (self.ranges, self.overlay.button, self.export):
            row.addWidget(widget)
        return controls

    def header_controls(self) -> QWidget:
        """Range, overlay and export."""
        return self._controls

    def show_data(self, shown: Shown | None) -> None:
        """Show these data."""
        self._shown = shown
        self._mode = _mode_of(shown)
        self.overlay.show_data(shown, self._mode)
        self.export.setEnabled(shown is not None)
        self._compose()

    def show_sources(self) -> None:
        """The sources say something else."""
        self.overlay.read_again()

    def write(self, kind: str) -> None:
        """Ask for a place, and write what is shown there: `png`, `svg` or `csv`."""
        if self._picture is None or self._shown is None:
            return
        self.exports.ask(kind, f"{self._shown.game.id}-{self._shown.system}", partial(self._content, kind))

    def _content(self, kind: str) -> Callable[[], bytes]:
        """What makes a file's bytes beside the window; what is drawn in pictures is told here."""
        from browser_app.ui.skill.over_time import export

        picture, own = self._picture, _("You")
        if picture is None:
            return bytes
        if kind == "csv":
            return lambda: export.csv_text(picture, own).encode()
        drawn = self.plot, self.legend.entries, self._title(), self._theme
        if kind == "svg":
            content = export.svg_bytes(*drawn)
            return lambda: content
        drawing = export.drawing_of(*drawn)
        return lambda: export.png_bytes(drawing)

    def _title(self) -> str:
        shown = self._shown
        names = (shown.game.title, system_title(shown.system)) if shown is not None else ()
        return ", ".join((*names, self._span()))

    def _span(self) -> str:
        return span_words(self._picture.trace, self.plot.points) if self._picture is not None else ""

    def _compose(self) -> None:
        shown = self._shown
        self._picture = None
        if shown is not None:
            trace = trace_of(shown.history, self._mode)
            if len(trace):
                self._picture = Picture(shown.history, trace, _bounds(shown), self.overlay.overlay)
        self.legend.show_entries(self._entries())
        self.plot.show_picture(self._picture)
        self._tell_span()

    def _entries(self) -> list[Entry]:
        if self._picture is None:
            return []
        own = _("You, mode {mode}").format(mode=self._mode) if self._mode else _("You")
        if np.isnan(self._picture.trace.low).all():
            entries = [Entry("line", own)]
        elif self._picture.history.sd_from == "gradients":
            entries = [Entry("band", _("{who}, 9 in 10 band, estimated").format(who=own))]
        else:
            entries = [Entry("band", _("{who}, 9 in 10 band").format(who=own))]
        if self._picture.overlay is not None:
            kind: Literal["overlay", "sampled"] = "overlay" if self._picture.sampled is None else "sampled"
            entries.append(Entry(kind, self._picture.overlay.title))
        return entries + signs()

    def _tell_span(self) -> None:
        if self._shown is None:
            self.note.setText("")
        elif self._picture is None:
            self.note.setText(_("None of your rounds could be rated."))
        else:
            hint = (
                _("Zoom in to see single rounds.")
                if self.plot.crowded
                else _("Wheel zooms, arrow keys go from round to round.")
            )
            self.note.setText(f"{self._span()}. {hint}")


def _mode_of(shown: Shown | None) -> str | None:
    """The mode whose rating is shown; None where there is one rating for all."""
    if shown is None:
        return None
    modes = [part for part in shown.now.parts if part.kind == "mode" and part.rounds]
    if len(modes) < 2 or all(part.mark == "shared" for part in modes):
        return None
    return shown.now.mode or usual_mode(shown.history)


def _bounds(shown: Shown) -> tuple[Bound, ...]:
    """Where tiers begin: the game counts a rating less its doubt for them, so the bounds are moved by that of now."""
    now = shown.now
    if now.tier is None or now.value is None or now.effective is None:
        return ()
    doubt = now.value - now.effective
    return tuple(
        Bound(tier.above + doubt, _("{tier} begins here").format(tier=_(tier.name)))
        for tier in TIERS
        if tier.above is not None
    )
