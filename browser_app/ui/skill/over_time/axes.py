"""What the axes of the plot are divided by, and how that is written."""

from collections.abc import Sequence
from typing import NamedTuple

from browser_app.ui.skill.over_time.calendar_steps import bar_edges, ticks
from browser_app.ui.skill.over_time.picture import Picture
from browser_app.ui.skill.over_time.scale import Scale, named, round_values, value_range

_TICK_PX, _LEVEL_PX = 88, 52
"""The least distance of names on the axes."""
Names = Sequence[tuple[float, str]]


class Axes(NamedTuple):
    """Of one picture at one scale.

    Attributes:
        values: round ones, for hairlines. left: their names.
        over: the range of an overlay with a scale of its own; right: names of its round values, at values of the left
            axis. None without such an overlay; the range is None also where nothing of it is in sight.
        below: names of moments.
        edges: what rounds are counted between; unit: that in words.
    """

    values: Sequence[float] = ()
    left: Names = ()
    over: tuple[float, float] | None = None
    right: Names | None = None
    below: Names = ()
    edges: Sequence[float] = ()
    unit: str = ""

    def beside(self, scale: Scale) -> Scale:
        """The overlay's."""
        return scale if self.over is None else Scale(scale.first, scale.last, *self.over, scale.box)


def axes_of(picture: Picture, scale: Scale) -> Axes:
    """Divide them so that names do not lie over each other."""
    most = max(2, int(scale.box.height() / _LEVEL_PX))
    values = round_values(scale.low, scale.high, most)
    over, right = None, None
    if picture.overlay is not None and picture.overlay.own_scale:
        over = value_range([picture.overlay.course], scale.first, scale.last)
        right = _beside(scale, over, most) if over is not None else ()
    below = ticks(scale.first, scale.last, max(2, int(scale.box.width() / _TICK_PX)))
    unit, edges = bar_edges(scale.first, scale.last)
    return Axes(values, named(values), over, right, below, edges, unit)


def _beside(scale: Scale, over: tuple[float, float], most: int) -> Names:
    low, high = over
    stretch = (scale.high - scale.low) / (high - low)
    return [(scale.low + (value - low) * stretch, words) for value, words in named(round_values(low, high, most))]
