"""One round taken apart, in place under its row: why this chance, why this change, who was there."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QVBoxLayout, QWidget

from browser_app.ui.controls import ElidedText, Hairline, Text, placed
from browser_app.ui.skill.rounds.explanation_words import Sheet, TermLine
from browser_app.ui.skill.rounds.team_words import MemberLine, TeamSheet
from browser_app.ui.skill.rounds.term_bar import TermBar
from browser_app.ui.theme import Theme

_BESIDE = 820
"""From this width on the teams stand beside the terms."""
_TEAM, _MARK = 208, 3
_BOLD, _MEDIUM = QFont.Weight.DemiBold, QFont.Weight.Medium
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ExplanationPanel(QWidget):
    """Shows a sheet, or one sentence in its place; its height follows from its width."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setBackgroundRole(QPalette.ColorRole.Window)  # not that of the table: texts take their colour by it
        self.text = ""
        """What it shows, as text."""
        self._halves: QBoxLayout | None = None
        self._inside = QWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(19, 10, 16, 13)
        column.addWidget(self._inside)
        theme.changed.connect(self.update)

    def show_words(self, words: str) -> None:
        """Show one sentence: what is being done, or why nothing can be told."""
        self._halves = None
        inside, column = self._fresh()
        column.addWidget(self._words(words, "text2", 13))
        self._take(inside, words)

    def show_sheet(self, sheet: Sheet) -> None:
        """Show a round taken apart."""
        inside, column = self._fresh()
        column.addWidget(self._words(sheet.headline, "text1", 15, _BOLD))
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._halves.setSpacing(28)
        self._halves.addLayout(self._why(sheet), 1)
        self._halves.addLayout(self._teams(sheet))
        column.addLayout(self._halves)
        self._take(inside, sheet.text())

    def _fresh(self) -> tuple[QWidget, QVBoxLayout]:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        return inside, column

    def _take(self, inside: QWidget, text: str) -> None:
        layout = self.layout()
        if layout is not None:
            layout.replaceWidget(self._inside, inside)
        self._inside.hide()
        self._inside.deleteLater()
        self._inside, self.text = inside, text
        self.setAccessibleName(text)
        inside.show()
        self.updateGeometry()

    def _why(self, sheet: Sheet) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(2)
        if sheet.terms:
            column.addWidget(self._title(sheet.chance))
            column.addLayout(self._terms(sheet))
        for note in sheet.notes:
            column.addWidget(self._words(note, "text2", 12))
        column.addSpacing(6)
        column.addWidget(self._title(sheet.change))
        for product in sheet.products:
            column.addWidget(self._words(product, "text1", 12))
        for note in sheet.change_notes:
            column.addWidget(self._words(note, "text2", 12))
        column.addSpacing(4)
        column.addWidget(self._words(sheet.otherwise, "text1", 12, _MEDIUM))
        column.addStretch(1)
        return column

    def _terms(self, sheet: Sheet) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 2)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        grid.setColumnMinimumWidth(3, 84)
        for row, line in enumerate(sheet.terms):
            self._term(grid, row, line, QFont.Weight.Normal)
            grid.addWidget(TermBar(self._theme, line.bar), row, 1)
        if sheet.total:
            grid.addWidget(Hairline(self._theme), len(sheet.terms), 0, 1, 4)
            self._term(grid, len(sheet.terms) + 1, sheet.total, _BOLD)
        return grid

    def _term(self, grid: QGridLayout, row: int, line: TermLine, weight: QFont.Weight) -> None:
        strong = weight == _BOLD
        amount = _selectable(Text(self._theme, line.amount, weight=max(weight, _MEDIUM)))
        amount.setAlignment(_RIGHT)
        alone = Text(self._theme, line.alone, role="text1" if strong else "text2", size=13 if strong else 12)
        if strong:
            alone.setFont(self._theme.font(13, weight))
        grid.setRowMinimumHeight(row, 24)
        grid.addWidget(_selectable(Text(self._theme, line.title, weight=weight)), row, 0)
        grid.addWidget(amount, row, 2)
        grid.addWidget(_selectable(alone), row, 3)

    def _teams(self, sheet: Sheet) -> QGridLayout:
        """Two beside each other."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(12)
        for place, team in enumerate(sheet.teams):
            grid.addWidget(self._team(team), place // 2, place % 2, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(2, 1)
        grid.setRowStretch(len(sheet.teams), 1)
        return grid

    def _team(self, team: TeamSheet) -> QWidget:
        box = QWidget()
        box.setFixedWidth(_TEAM)
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        title = ElidedText(self._theme, team.title, role="text2", size=12, weight=_BOLD)
        grid.addWidget(title, 0, 0)
        mean = Text(self._theme, team.mean, role="text2", size=12)
        grid.addWidget(mean, 0, 1, 1, 2, _RIGHT)
        row = 1
        for line in team.members:
            if line.commanding and not team.members[row - 2].commanding:
                grid.addWidget(Hairline(self._theme), 99, 0, 1, 3)
            self._member(grid, row if not line.commanding else 100 + row, line)
            row += 1
        return box

    def _member(self, grid: QGridLayout, row: int, line: MemberLine) -> None:
        role, weight = "text2" if line.commanding else "text1", _BOLD if line.me else QFont.Weight.Normal
        value = Text(self._theme, line.value, role=role, size=12)
        share = Text(self._theme, line.share, role="text2", size=12)
        share.setMinimumWidth(36)
        share.setAlignment(_RIGHT)
        grid.addWidget(ElidedText(self._theme, line.name, role=role, size=12, weight=weight), row, 0)
        grid.addWidget(_selectable(value), row, 1, _RIGHT)
        grid.addWidget(_selectable(share), row, 2)

    def _title(self, words: str) -> Text:
        return self._words(words, "text2", 12, _BOLD)

    def _words(self, words: str, role: str, size: int, weight: QFont.Weight = QFont.Weight.Normal) -> Text:
        text = _selectable(Text(self._theme, words, role=role, size=size, weight=weight))
        text.setWordWrap(True)
        return text

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        """Words wrap."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """As high as everything needs at this width."""
        direction = QBoxLayout.Direction
        if self._halves is not None:
            self._halves.setDirection(direction.LeftToRight if width >= _BESIDE else direction.TopToBottom)
        layout = self.layout()
        if layout is None:
            return 0
        return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the ground, the mark that joins it to its row, and the line under it."""
        painter, colors = QPainter(self), self._theme.palette
        painter.fillRect(self.rect(), colors.color("raised"))
        painter.fillRect(placed(self, QRect(0, 0, _MARK, self.height())), colors.color("accent"))
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), colors.color("hairline"))


def _selectable(text: Text) -> Text:
    text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return text
