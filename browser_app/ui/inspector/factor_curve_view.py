"""The curve of a factor over its input, with the server on it."""

from collections.abc import Iterator
from math import ceil, inf

from PySide6.QtWidgets import QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.number_text import decimal_text, integer_text
from browser_app.ranking.factor_curve import FactorCurve
from browser_app.ranking.score_text import format_factor
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.page_elements import create_wrapping_label
from browser_app.ui.widgets.plots.line_plot import LinePlot, PlotCurve, PlotDot
from browser_app.ui.widgets.plots.painted_plot import PlotPanel
from browser_app.ui.widgets.plots.tick_steps import nice_tick_step
from browser_app.ui.widgets.theme import Theme

_PLOT_HEIGHT, _TICK_COUNT = 84, 5


class FactorCurveView(QWidget):
    """A plot, and a sentence on what one more player would change."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.plot = LinePlot(theme, "", _PLOT_HEIGHT)
        self._panel = PlotPanel(theme, self.plot)
        self.change_label = create_wrapping_label(theme)
        self._shown_values: tuple[object, ...] = ()
        fill_box(QVBoxLayout(self), self._panel, self.change_label, spacing=4, margins=(0, 4, 0, 2))

    def show_curve(self, curve: FactorCurve) -> None:
        """Show the curve of a factor.

        The same one again changes nothing, so that screen readers stay silent.
        """
        values = (curve.input_label, curve.own_index, curve.score, curve.one_more, curve.x.tobytes(), curve.y.tobytes())
        if values == self._shown_values:
            return
        self._shown_values = values
        self._panel.set_title(_("Factor by {input}").format(input=_(curve.input_label)))
        self.plot.show_curve(create_plot_curve(curve))
        self.change_label.setText(one_more_player_text(curve))
        self.change_label.setVisible(curve.one_more is not None)


def create_plot_curve(curve: FactorCurve) -> PlotCurve:
    """Return a factor's curve with a dot for the server.

    A ring marks the same with one more player.
    """
    own_dot = PlotDot(float(curve.x[curve.own_index]), float(curve.y[curve.own_index]))
    dots = [own_dot]
    if curve.one_more is not None and curve.is_over_players and curve.one_more.players <= curve.x[-1]:
        dots.append(PlotDot(curve.one_more.players, curve.one_more.factor, is_filled=False))

    def point_text(place: int) -> str:
        words = _("{input} {x}: factor {y}") if place != curve.own_index else _("Now {input} {x}: factor {y}")
        x, y = integer_text(float(curve.x[place])), format_factor(float(curve.y[place]))
        return words.format(input=_(curve.input_label), x=x, y=y)

    def values_row(place: int) -> str:
        return f"{curve.x[place]:g}\t{curve.y[place]:g}"

    top = max(1.0, float(curve.y.max()))
    return PlotCurve(
        float(curve.x[0]),
        float(curve.x[-1]),
        top,
        x=curve.x,
        y=curve.y,
        max_gap=inf,
        labels=(0.0, 0.5, 1.0),
        label_text=decimal_text,
        ticks=tuple(_ticks(curve)),
        centres_ticks=True,
        dots=dots,
        focus_point=curve.own_index,
        point_text=point_text,
        heading=f"{_(curve.input_label)}\t{_('Factor')}",
        values_row=values_row,
    )


def _ticks(curve: FactorCurve) -> Iterator[tuple[float, str]]:
    """Yield round values of the input with their texts."""
    first, last = float(curve.x[0]), float(curve.x[-1])
    step = max(1.0, nice_tick_step((last - first) / _TICK_COUNT))
    value = ceil(first / step) * step
    while value < last:
        yield value, integer_text(value)
        value += step


def one_more_player_text(curve: FactorCurve) -> str:
    """Return the effect of one more player on factor and score, empty if none."""
    more = curve.one_more
    if more is None:
        return ""
    before, after, score_before, score_after = (
        decimal_text(value, 3) for value in (curve.factor, more.factor, curve.score, more.score)
    )
    if (before, score_before) == (after, score_after):
        return _("With one more player ({n}), factor and score stay the same.").format(n=more.players)
    words = _("With one more player ({n}): factor {before} → {after}, score {score_before} → {score_after}.")
    return words.format(n=more.players, before=before, after=after, score_before=score_before, score_after=score_after)
