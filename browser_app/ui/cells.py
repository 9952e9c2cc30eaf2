"""How the table's cells are drawn: bars, dots and text by the house's rules, with nothing dearer than `fillRect`.

A `CellPainter` lives for one paint event. Text is elided through a cache, since measuring is the dearest step.
"""

from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle

from browser_app.language import gettext as _
from browser_app.ui import icons
from browser_app.ui.palette import Palette
from browser_app.ui.row import Row
from browser_app.ui.texts import UNKNOWN, ping_text, players_text, points_text, score_text, signed
from browser_app.ui.theme import Theme

PADDING = 6
SCORE_BAR, PLAYERS_BAR, BAR_HEIGHT = 34, 44, 8
PLAYERS_NUMBER = 38
"""Room for `24/24`."""
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


@lru_cache(maxsize=1024)
def _colors(palette: Palette) -> dict[str, QColor]:
    return {role: palette.color(role) for role in palette.__slots__}


class CellPainter:
    """Draws the cells of one paint event with the theme's fonts and colours."""

    def __init__(self, painter: QPainter, theme: Theme) -> None:
        self.painter = painter
        self.palette = theme.palette
        self.colors = _colors(theme.palette)
        self.plain = theme.font()
        self.medium = theme.font(weight=QFont.Weight.Medium)
        self.bold = theme.font(weight=QFont.Weight.DemiBold)
        self.small = theme.font(12)
        self.note = theme.font(11)
        self.note_bold = theme.font(11, QFont.Weight.DemiBold)
        self._metrics = {id(font): QFontMetrics(font) for font in (self.plain, self.bold, self.small, self.note)}
        self._ratio = painter.device().devicePixelRatioF()
        self._cell = QRect()
        self._mirrored = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # numbers and signs keep their order

    def begin(self, cell: QRect) -> None:
        """The next cell: what follows is mirrored in it where the layout runs from right to left."""
        self._cell = cell

    def placed(self, inner: QRect) -> QRect:
        """A rectangle of the cell, where it is to be."""
        return QStyle.visualRect(Qt.LayoutDirection.RightToLeft, self._cell, inner) if self._mirrored else inner

    def text(self, box: QRect, text: str, role: str, font: QFont, right: bool = False) -> None:
        """One line of text in a role's colour; whoever may overflow elides it first."""
        self.painter.setFont(font)
        self.painter.setPen(self.colors[role])
        self.painter.drawText(self.placed(box), _RIGHT if right != self._mirrored else _LEFT, text)

    def elided(self, box: QRect, text: str, role: str, font: QFont) -> int:
        """Draw text cut to the box; its width in pixels."""
        metrics = self._metrics[id(font)]
        width = metrics.horizontalAdvance(text)
        if width > box.width():
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
            width = min(width, box.width())
        self.text(box, text, role, font)
        return width

    def icon(self, left: int, box: QRect, name: str, role: str, size: int = 14, filled: bool = False) -> None:
        """An icon at `left`, centred vertically in the box."""
        pixmap = icons.pixmap(name, getattr(self.palette, role), size, self._ratio, filled)
        place = QRect(left, box.y() + (box.height() - size) // 2, size, size)
        self.painter.drawPixmap(self.placed(place).topLeft(), pixmap)

    def frame(self, box: QRect, left: int, width: int, role: str) -> QRect:
        """An empty bar's frame; its rectangle."""
        bar = QRect(left, box.y() + (box.height() - BAR_HEIGHT) // 2, width, BAR_HEIGHT)
        self.painter.setPen(self.colors[role])
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.drawRect(self.placed(bar).adjusted(0, 0, -1, -1))
        return bar

    def fill(self, bar: QRect, width: float, role: str) -> None:
        """Fill a bar from where it begins."""
        self.painter.fillRect(self.placed(QRect(bar.x(), bar.y(), round(width), bar.height())), self.colors[role])


def paint_lead(cells: CellPainter, box: QRect, row: Row, *, chosen: bool) -> None:
    """The leading cell: favourite's star, or the mark of Play Now's choice."""
    if row.favourite:
        cells.icon(box.x() + 9, box, "star", "favourite", filled=True)
    elif chosen:
        cells.icon(box.x() + 9, box, "play", "accent", 12, filled=True)


def paint_score(cells: CellPainter, box: QRect, row: Row) -> None:
    """A bar of the score without boosts, what a boost adds as an outline, and the number."""
    if row.silent:
        cells.text(box.adjusted(PADDING, 0, 0, 0), _("no answer"), "text3", cells.small)
        return
    if row.score is None:
        return
    bar = cells.frame(box, box.x() + PADDING, SCORE_BAR, "hairline")
    step = "border" if row.remembered else score_role(row.score)
    plain = min(1.0, row.score / row.boost) * SCORE_BAR
    cells.fill(bar, max(1.5, plain), step)
    if row.boost > 1:
        boosted = QRect(bar.x() + round(plain), bar.y(), round(min(1.0, row.score) * SCORE_BAR - plain), BAR_HEIGHT)
        if boosted.width() > 2:
            boosted = cells.placed(boosted)
            cells.painter.fillRect(boosted, cells.colors["surface"])
            cells.painter.setPen(cells.colors[step])
            cells.painter.drawRect(boosted.adjusted(0, 0, -1, -1))
    role = "text3" if row.remembered else "text1"
    cells.text(box.adjusted(0, 0, -PADDING, 0), score_text(row.score), role, cells.medium, right=True)


def score_role(score: float) -> str:
    """The score's step of the one hue."""
    return "score_high" if score >= 0.4 else "score_mid" if score >= 0.15 else "score_low"


def ping_dots(row: Row) -> tuple[int, str]:
    """How many of three dots are filled, and their role: by the game's own ping factor."""
    if row.ping_factor is None or row.silent or row.ping_doubted:
        return 0, "ping_unknown"
    if row.ping_factor >= 0.7:
        return 3, "ping_good"
    return (2, "ping_fair") if row.ping_factor >= 0.4 else (1, "ping_bad")


def row_ping_text(row: Row) -> str:
    """The ping as written: `47`, `~118` estimated, `118*` measured while this machine was busy, `3?` not to be
    believed, a dash without an answer."""
    if row.silent:
        return UNKNOWN
    mark = "?" if row.ping_doubted else "*" if row.ping_loaded else ""
    return ping_text(row.ping_ms, row.ping_estimated) + mark


def paint_ping(cells: CellPainter, box: QRect, row: Row) -> None:
    """The number, then three dots; only a bad ping's number is coloured."""
    filled, role = ping_dots(row)
    dimmed = row.silent or row.remembered
    number = row_ping_text(row)
    text_role = "text3" if dimmed else "ping_bad" if filled == 1 else "text1"
    cells.text(box.adjusted(0, 0, -PADDING - 22, 0), number, text_role, cells.plain, right=True)
    painter = cells.painter
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    centre = box.y() + box.height() / 2
    left = box.right() - PADDING - 16
    dot = cells.colors["border" if row.remembered else role]
    for index in range(3):
        place = cells.placed(QRect(left + 6 * index, box.y(), 5, box.height())).x() + 2.5
        if index < filled:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(dot)
            painter.drawEllipse(QPointF(place, centre), 2.2, 2.2)
        else:
            painter.setPen(QPen(cells.colors["border"], 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(place, centre), 1.7, 1.7)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def paint_name(cells: CellPainter, box: QRect, row: Row, *, selected: bool) -> None:
    """The name, bold when selected; behind it marks: needs a password, a friend is there, is doubted."""
    marks = [
        (icon, role)
        for icon, role, so in (
            ("lock", "locked", row.locked),
            ("friend", "friend", row.friends),
            ("doubt", "warning", row.doubts),
        )
        if so
    ]
    room = box.adjusted(PADDING, 0, -PADDING - 18 * len(marks), 0)
    role = "text3" if row.silent or row.remembered else "text1"
    left = room.x() + cells.elided(room, row.name, role, cells.bold if selected else cells.plain) + 5
    for place, (icon, role) in enumerate(marks):
        cells.icon(left + 18 * place, box, icon, role)


def paint_players(cells: CellPainter, box: QRect, row: Row) -> None:
    """A bar over the usable slots (humans solid, bots hatched), `8/20`, then `+2` bots or the word full."""
    dimmed = row.silent or row.remembered
    role = "border" if dimmed else "full" if row.full else "ping_unknown"
    bar = cells.frame(box, box.x() + PADDING, PLAYERS_BAR, "border")
    if row.players is not None and row.usable_slots:
        unit = PLAYERS_BAR / row.usable_slots
        humans = min(PLAYERS_BAR, round(row.players * unit))
        cells.fill(bar, humans, role)
        cells.painter.setPen(cells.colors[role])
        for left in range(humans + 1, min(PLAYERS_BAR - 1, humans + round((row.bots or 0) * unit)), 3):
            line = cells.placed(QRect(bar.x() + left, bar.y() + 1, 1, bar.height() - 2))
            cells.painter.drawLine(line.topLeft(), line.bottomLeft())
    number = QRect(bar.right() + PADDING, box.y(), PLAYERS_NUMBER, box.height())
    cells.text(
        number, players_text(row.players, row.usable_slots), "text3" if dimmed else "text1", cells.plain, right=True
    )
    rest = QRect(number.right() + 5, box.y(), box.right() - number.right() - 5, box.height())
    if row.full and not dimmed:
        cells.text(rest, _("full"), "full", cells.note_bold)
    elif row.bots:
        cells.text(rest, f"+{row.bots}", "text3" if dimmed else "text2", cells.note)


def paint_skill(cells: CellPainter, box: QRect, row: Row) -> None:
    """The server's mean, then the signed distance to mine."""
    role = "text3" if row.silent or row.remembered or row.skill is None else "text1"
    left = QRect(box.x(), box.y(), box.width() - 40, box.height())
    cells.text(left, points_text(row.skill), role, cells.plain, right=True)
    if row.skill_distance is not None:
        cells.text(box.adjusted(0, 0, -PADDING, 0), signed(row.skill_distance), "text2", cells.note, right=True)


def paint_number(cells: CellPainter, box: QRect, row: Row, text: str) -> None:
    """A secondary column's number, at the right."""
    role = "text3" if row.silent or row.remembered else "text2"
    cells.text(box.adjusted(0, 0, -PADDING, 0), text, role, cells.small, right=True)


def paint_icon(cells: CellPainter, box: QRect, icon: str, role: str) -> None:
    """One small icon in the middle."""
    cells.icon(box.x() + (box.width() - 14) // 2, box, icon, role)


def paint_text(cells: CellPainter, box: QRect, row: Row, text: str) -> None:
    """A secondary column's plain text."""
    role = "text3" if row.silent or row.remembered else "text2"
    cells.elided(box.adjusted(PADDING, 0, -PADDING, 0), text, role, cells.small)
