"""The lines of the rules' page: a list with keys and speech, one rule a line."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from browser_app.language import gettext as _
from browser_app.ui.controls import draw_focus, placed
from browser_app.ui.line_list import LINE, MARGIN, LineList
from browser_app.ui.side_model import Index
from browser_app.ui.texts import tool_tip
from browser_app.ui.theme import Theme

_GAP = 6

Rule = tuple[str, str]
"""A key and its value, the server's own words."""


def text_of(rule: Rule) -> str:
    """As it is copied and spoken."""
    return f"{rule[0]}: {rule[1]}"


class RulesModel(QAbstractListModel):
    """The rules as a model."""

    def __init__(self) -> None:
        super().__init__()
        self.rules: tuple[Rule, ...] = ()

    def set_rules(self, rules: Sequence[Rule]) -> None:
        """Show these."""
        self.beginResetModel()
        self.rules = tuple(rules)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """All of them."""
        return 0 if parent.isValid() else len(self.rules)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Text, speech and the whole of what was cut."""
        text = text_of(self.rules[index.row()])
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return text
        return tool_tip(text) if role == Qt.ItemDataRole.ToolTipRole else None


class RulesList(LineList):
    """The rules."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(_("Rules"))
        self.rules = RulesModel()
        self.rules.setParent(self)
        self.setModel(self.rules)
        self.setItemDelegate(_RulePainter(theme, self))

    def show_rules(self, rules: Sequence[Rule]) -> None:
        """Show these; the chosen key stays chosen."""
        if self.rules.rules == tuple(rules):
            return
        chosen = self.chosen()
        self.rules.set_rules(rules)
        place = next((place for place, rule in enumerate(rules) if chosen and rule[0] == chosen[0]), -1)
        self.stand_anew(len(rules), place)

    def chosen(self) -> Rule | None:
        """The chosen rule."""
        index = self.currentIndex()
        return self.rules.rules[index.row()] if index.isValid() else None


class _RulePainter(QStyledItemDelegate):
    """Draws a key and its value, both cut to their room."""

    def __init__(self, theme: Theme, parent: RulesList) -> None:
        super().__init__(parent)
        self._theme, self._list = theme, parent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        """All are alike."""
        return QSize(0, LINE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one line."""
        (key, value), box, state = self._list.rules.rules[index.row()], QRect(option.rect), option.state
        colors = self._theme.palette
        if state & QStyle.StateFlag.State_Selected and self._list.hasFocus():
            painter.fillRect(box, colors.color("selected"))
            draw_focus(painter, box.adjusted(2, 0, -2, 0), colors.color("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, colors.color("hover"))
        line = box.adjusted(MARGIN, 0, -MARGIN, 0)
        painter.setPen(colors.color("rowline"))
        painter.drawLine(line.bottomLeft(), line.bottomRight())
        middle = line.width() * 9 // 20
        painter.setFont(self._theme.font())
        self._write(painter, line.adjusted(0, 0, middle - line.width() - _GAP, 0), key, "text2")
        self._write(painter, line.adjusted(middle, 0, 0, 0), value, "text1")

    def _write(self, painter: QPainter, box: QRect, text: str, role: str) -> None:
        painter.setPen(self._theme.palette.color(role))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        side = QStyle.visualAlignment(
            self._list.layoutDirection(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        painter.drawText(placed(self._list.viewport(), box), int(side), shown)
