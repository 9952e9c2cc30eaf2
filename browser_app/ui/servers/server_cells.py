"""Painting of the server table's cells."""

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPen

from browser_app.catalogue.server_value_text import UNKNOWN_VALUE, ping_text, players_text, points_text, score_text
from browser_app.language import gettext as _
from browser_app.ui.servers.server_row import ServerRow
from browser_app.ui.widgets.basic_widgets import draw_frame
from browser_app.ui.widgets.tables.cell_painter import BAR_HEIGHT, CELL_PADDING, CellPainter
from browser_app.ui.widgets.value_text import signed_text

SCORE_BAR_WIDTH, PLAYERS_BAR_WIDTH = 30, 44
PLAYERS_NUMBER_WIDTH = 52
"""Space for `24/24`, px."""
_SAFE_NUMBER_LENGTH = len("64/64")
"""Numbers of players up to this length fit in every font; longer ones may take space from the bar."""
SKILL_DISTANCE_WIDTH = 50
"""Space for `−1016` and a gap before it, px."""


def paint_favourite_cell(cells: CellPainter, box: QRect, row: ServerRow, *, play_now_choice: bool) -> None:
    """Paint the favourite's star, and the mark of Play Now's choice."""
    star_left = box.x() + (12 if play_now_choice else 9)
    if row.is_favourite:
        cells.draw_icon(star_left, box, "star", "favourite", filled=True)
    if play_now_choice:
        cells.draw_icon(
            box.x() + (3 if row.is_favourite else 9), box, "play", "accent", 10 if row.is_favourite else 12, filled=True
        )


def paint_score_cell(cells: CellPainter, box: QRect, row: ServerRow) -> None:
    """Paint the score as a number and a bar.

    What boosts add to the bar is only outlined.
    """
    if row.is_unresponsive:
        cells.draw_text(box.adjusted(CELL_PADDING, 0, 0, 0), _("no answer"), "text3", cells.small_font)
        return
    if row.score is None:
        return
    bar = cells.draw_bar_frame(box, box.x() + CELL_PADDING, SCORE_BAR_WIDTH, "hairline")
    step = "border" if row.is_unconfirmed else score_color_role(row.score)
    plain = min(1.0, row.score / row.boost) * SCORE_BAR_WIDTH
    cells.fill_bar(bar, max(1.5, plain), step)
    if row.boost > 1:
        boosted = QRect(
            bar.x() + round(plain), bar.y(), round(min(1.0, row.score) * SCORE_BAR_WIDTH - plain), BAR_HEIGHT
        )
        if boosted.width() > 2:
            boosted = cells.mirrored(boosted)
            cells.painter.fillRect(boosted, cells.colors["surface"])
            draw_frame(cells.painter, boosted, cells.colors[step])
    role = "text3" if row.is_unconfirmed else "text1"
    cells.draw_text(box.adjusted(0, 0, -CELL_PADDING, 0), score_text(row.score), role, cells.medium_font, right=True)


def score_color_role(score: float) -> str:
    """Return the colour role of a score's step."""
    return "score_high" if score >= 0.4 else "score_mid" if score >= 0.15 else "score_low"


def ping_dot_style(row: ServerRow) -> tuple[int, str]:
    """Return how many of three dots are filled, and their colour role.

    Both follow the game's ping factor.
    """
    if row.ping_factor is None or row.is_unresponsive or row.ping_suspicious:
        return 0, "ping_unknown"
    if row.ping_factor >= 0.7:
        return 3, "ping_good"
    return (2, "ping_fair") if row.ping_factor >= 0.4 else (1, "ping_bad")


def server_ping_text(row: ServerRow) -> str:
    """Return the ping as a text.

    `47`, `~118` estimated, `118*` measured under load, `3?` implausible, or a dash.
    """
    if row.is_unresponsive:
        return UNKNOWN_VALUE
    mark = "?" if row.ping_suspicious else "*" if row.ping_under_load else ""
    return ping_text(row.ping_ms, row.ping_estimated) + mark


def paint_ping_cell(cells: CellPainter, box: QRect, row: ServerRow) -> None:
    """Paint the number and three dots; only a bad ping's number is coloured."""
    filled, role = ping_dot_style(row)
    dimmed = row.is_unresponsive or row.is_unconfirmed
    number = server_ping_text(row)
    text_role = "text3" if dimmed else "ping_bad" if filled == 1 else "text1"
    cells.draw_text(box.adjusted(0, 0, -CELL_PADDING - 22, 0), number, text_role, cells.plain_font, right=True)
    painter = cells.painter
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    centre = box.y() + box.height() / 2
    left = box.right() - CELL_PADDING - 16
    dot = cells.colors["border" if row.is_unconfirmed else role]
    for index in range(3):
        x = cells.mirrored(QRect(left + 6 * index, box.y(), 5, box.height())).x() + 2.5
        if index < filled:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(dot)
            painter.drawEllipse(QPointF(x, centre), 2.2, 2.2)
        else:
            painter.setPen(QPen(cells.colors["border"], 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(x, centre), 1.7, 1.7)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def paint_name_cell(cells: CellPainter, box: QRect, row: ServerRow, *, selected: bool) -> None:
    """Paint the name, bold if selected, and icons behind it.

    The icons are for password, friends and suspicions.
    """
    marks = [
        (icon, role)
        for icon, role, applies in (
            ("lock", "locked", row.is_locked),
            ("friend", "friend", row.friends),
            ("warning", "warning", row.suspicions),
        )
        if applies
    ]
    space = box.adjusted(CELL_PADDING, 0, -CELL_PADDING - 18 * len(marks), 0)
    role = "text3" if row.is_unresponsive or row.is_unconfirmed else "text1"
    left = (
        space.x() + cells.draw_elided_text(space, row.name, role, cells.bold_font if selected else cells.plain_font) + 5
    )
    for index, (icon, role) in enumerate(marks):
        cells.draw_icon(left + 18 * index, box, icon, role)


def paint_players_cell(cells: CellPainter, box: QRect, row: ServerRow) -> None:
    """Paint a bar of the usable slots, `8/20`, then `+2` bots or "full".

    Humans are solid in the bar, bots hatched. A closed server has a word in place of the bar.
    """
    dimmed = row.is_unresponsive or row.is_unconfirmed
    text = players_text(row.players, row.usable_slots)
    excess = 0 if len(text) <= _SAFE_NUMBER_LENGTH else max(0, cells.text_width(text) - PLAYERS_NUMBER_WIDTH)
    start = QRect(box.x() + CELL_PADDING, box.y(), max(0, PLAYERS_BAR_WIDTH - excess), box.height())
    if row.is_closed and not row.is_unresponsive:
        cells.draw_elided_text(start, _("closed"), "text3" if dimmed else "full", cells.note_font)
    else:
        _paint_slots_bar(cells, start, row, "border" if dimmed else "full" if row.is_full else "ping_unknown")
    number = QRect(start.right() + CELL_PADDING, box.y(), PLAYERS_NUMBER_WIDTH + excess, box.height())
    cells.draw_text(number, text, "text3" if dimmed else "text1", cells.plain_font, right=True)
    rest = QRect(number.right() + 5, box.y(), box.right() - number.right() - 5, box.height())
    if row.is_full and not row.is_unresponsive:
        cells.draw_text(rest, _("full"), "text3" if dimmed else "full", cells.bold_note_font)
    elif row.bots:
        cells.draw_text(rest, f"+{row.bots}", "text3" if dimmed else "text2", cells.note_font)


def _paint_slots_bar(cells: CellPainter, box: QRect, row: ServerRow, role: str) -> None:
    bar = cells.draw_bar_frame(box, box.x(), box.width(), "border")
    if row.players is None or not row.usable_slots:
        return
    unit = box.width() / row.usable_slots
    humans = min(box.width(), round(row.players * unit))
    cells.fill_bar(bar, humans, role)
    for left in range(humans + 1, min(box.width() - 1, humans + round((row.bots or 0) * unit)), 3):
        line = cells.mirrored(QRect(bar.x() + left, bar.y() + 1, 1, bar.height() - 2))
        cells.painter.fillRect(line, cells.colors[role])


def paint_skill_cell(cells: CellPainter, box: QRect, row: ServerRow) -> None:
    """Paint the server's mean skill and its signed distance to the user's."""
    role = "text3" if row.is_unresponsive or row.is_unconfirmed or row.skill is None else "text1"
    left = QRect(box.x(), box.y(), box.width() - SKILL_DISTANCE_WIDTH, box.height())
    cells.draw_text(left, points_text(row.skill), role, cells.plain_font, right=True)
    if row.skill_distance is not None:
        cells.draw_text(
            box.adjusted(0, 0, -CELL_PADDING, 0), signed_text(row.skill_distance), "text2", cells.note_font, right=True
        )


def paint_number_cell(cells: CellPainter, box: QRect, row: ServerRow, text: str) -> None:
    """Paint the right-aligned number of a secondary column."""
    role = "text3" if row.is_unresponsive or row.is_unconfirmed else "text2"
    cells.draw_text(box.adjusted(0, 0, -CELL_PADDING, 0), text, role, cells.small_font, right=True)


def paint_icon_cell(cells: CellPainter, box: QRect, icon: str, role: str) -> None:
    """Paint one icon in the middle."""
    cells.draw_icon(box.x() + (box.width() - 14) // 2, box, icon, role)


def paint_text_cell(cells: CellPainter, box: QRect, row: ServerRow, text: str) -> None:
    """Paint the text of a secondary column."""
    role = "text3" if row.is_unresponsive or row.is_unconfirmed else "text2"
    cells.draw_elided_text(box.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0), text, role, cells.small_font)
