"""Export of the rating plot as PNG, SVG or CSV."""

import csv
import io
import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter, QPicture
from PySide6.QtSvg import QSvgGenerator

from browser_app.player.own_history import OwnHistory
from browser_app.player.skill_sources import SkillSampleSeries
from browser_app.ui.skill.over_time import rating_plot_legend
from browser_app.ui.skill.over_time.rating_plot import RatingPlot
from browser_app.ui.skill.over_time.rating_plot_data import RatingPlotData
from browser_app.ui.widgets.theme import Theme
from browser_app.untrusted_text import escape_formulas

CSV_COLUMNS = (
    "series", "round", "started", "duration_s", "map", "mode", "team", "server", "size_mine", "size_other", "share",
    "commander_share", "chance", "outcome", "before", "after", "sd", "sd_from", "approximate", "unrated", "kind",
)  # fmt: skip
_MARGIN, _TITLE_HEIGHT, _HEAD_HEIGHT = 16, 24, 52
_PIXEL_RATIO = 2
"""Pixels of an exported picture for one in the window."""
_SVG_DPI = 96


def format_csv(plot_data: RatingPlotData, own_title: str) -> str:
    """Return all rounds and then the overlay's.

    Unknown values are empty, with full precision and times in UTC. Samples are rows of kind `sampled` with the times
    between which the value was read.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    writer.writerows(_history_rows(plot_data.history, own_title))
    overlay = plot_data.overlay
    if overlay is not None and isinstance(overlay.curve, SkillSampleSeries):
        writer.writerows(_sampled_rows(overlay.curve, overlay.title))
    elif overlay is not None and overlay.history is not None and overlay.history is not plot_data.history:
        writer.writerows(_history_rows(overlay.history, overlay.title))
    return text.getvalue()


def _history_rows(history: OwnHistory, series: str) -> Iterator[Sequence[str]]:
    names = (history.maps, history.modes, history.teams, history.servers)
    indices = (history.map, history.mode, history.team, history.server)
    numbers = (history.share, history.commander_share, history.probability, history.outcome)
    ratings = (history.before, history.after, history.sd)
    for k in range(len(history)):
        yield (
            escape_formulas(series),
            escape_formulas(history.ids[k]),
            _utc_timestamp(history.started[k]),
            _format_number(history.duration[k]),
            *(
                escape_formulas(of[int(column[k])]) if column[k] >= 0 else ""
                for of, column in zip(names, indices, strict=True)
            ),
            str(int(history.size_mine[k])),
            str(int(history.size_other[k])),
            *(_format_number(column[k]) for column in (*numbers, *ratings)),
            "" if math.isnan(history.sd[k]) else history.sd_from or "system",
            "true" if history.approximate[k] else "false",
            history.skip_reason[k],
            "round",
        )


def _sampled_rows(samples: SkillSampleSeries, series: str) -> Iterator[Sequence[str]]:
    for k in range(len(samples)):
        known = {
            "series": escape_formulas(series),
            "started": _utc_timestamp(samples.first_read[k]),
            "duration_s": _format_number(samples.last_read[k] - samples.first_read[k]),
            "mode": escape_formulas(samples.mode),
            "after": _format_number(samples.points[k]),
            "sd": _format_number(samples.sd[k]),
            "sd_from": "" if math.isnan(samples.sd[k]) else samples.source.value,
            "kind": "sampled",
        }
        yield [known.get(name, "") for name in CSV_COLUMNS]


def _utc_timestamp(time: float) -> str:
    return datetime.fromtimestamp(float(time), UTC).isoformat()


def _format_number(value: float) -> str:
    return "" if math.isnan(value) else repr(float(value))


def record_picture(
    plot: RatingPlot, entries: Sequence[rating_plot_legend.RatingLegendEntry], title: str, theme: Theme
) -> QPicture:
    """Record the plot with title and legend as drawing commands.

    This takes a tenth of the time of rendering.
    """
    size, drawing = _export_size(plot), QPicture()
    painter = QPainter(drawing)
    _draw_export(painter, size, plot, entries, title, theme)
    painter.end()
    drawing.setBoundingRect(QRect(0, 0, size.width(), size.height()))
    return drawing


def encode_png(drawing: QPicture) -> bytes:
    """Render recorded drawing commands at twice the resolution, in any thread."""
    image = QImage(drawing.boundingRect().size() * _PIXEL_RATIO, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_PIXEL_RATIO)
    painter = QPainter(image)
    drawing.play(painter)  # unlike drawPicture it releases the GIL
    painter.end()
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(content.data())


def render_svg(
    plot: RatingPlot, entries: Sequence[rating_plot_legend.RatingLegendEntry], title: str, theme: Theme
) -> bytes:
    """Return the plot with title and legend as SVG."""
    size = _export_size(plot)
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(_SVG_DPI)
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    painter = QPainter(generator)
    _draw_export(painter, size, plot, entries, title, theme)
    painter.end()
    return bytes(content.data())


def _export_size(plot: RatingPlot) -> QSize:
    return QSize(plot.width() + 2 * _MARGIN, plot.height() + _HEAD_HEIGHT + 2 * _MARGIN)


def _draw_export(
    painter: QPainter,
    size: QSize,
    plot: RatingPlot,
    entries: Sequence[rating_plot_legend.RatingLegendEntry],
    title: str,
    theme: Theme,
) -> None:
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), theme.palette.color("surface"))
    width = size.width() - 2 * _MARGIN
    painter.setFont(theme.font(13))
    painter.setPen(theme.palette.color("text1"))
    painter.drawText(QRectF(_MARGIN, _MARGIN, width, _TITLE_HEIGHT), int(Qt.AlignmentFlag.AlignVCenter), title)
    row = QRectF(_MARGIN, _MARGIN + _TITLE_HEIGHT, width, rating_plot_legend.LEGEND_HEIGHT)
    rating_plot_legend.draw_legend(painter, row, entries, theme)
    plot.render_to(painter, QRectF(_MARGIN, _MARGIN + _HEAD_HEIGHT, plot.width(), plot.height()))
