"""The panel that explains one round below its row."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QVBoxLayout, QWidget

from browser_app.ui.skill.rounds.round_explanation_text import (
    ExplainedMember,
    ExplainedTeam,
    ExplanationTermLine,
    ExplanationText,
)
from browser_app.ui.widgets.basic_widgets import ElidedLabel, Label, Separator, mirrored_rect
from browser_app.ui.widgets.box_layouts import create_grid, fill_box
from browser_app.ui.widgets.page_elements import make_selectable
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_bars import DivergingBar

_TWO_COLUMN_WIDTH = 820
"""From this width on, the teams are beside the terms."""
_TEAM_WIDTH, _MARK_WIDTH = 208, 3
_BOLD, _MEDIUM = QFont.Weight.DemiBold, QFont.Weight.Medium
_ALIGN_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RoundExplanationPanel(QWidget):
    """Shows an explanation or a message; its height depends on its width."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setBackgroundRole(QPalette.ColorRole.Window)  # not the table's role: texts take their colour from it
        self.plain_text = ""
        """The content as text."""
        self._columns: QBoxLayout | None = None
        self._content = QWidget()
        fill_box(QVBoxLayout(self), self._content, margins=(19, 10, 16, 13))
        theme.changed.connect(self.update)

    def show_message(self, message: str) -> None:
        """Show one sentence: what is being done, or why there is no explanation."""
        self._columns = None
        inside, column = self._create_content()
        column.addWidget(self._create_label(message, "text2", 13))
        self._replace_content(inside, message)

    def show_explanation(self, explanation: ExplanationText) -> None:
        """Show the explanation of a round."""
        inside, column = self._create_content()
        column.addWidget(self._create_label(explanation.headline, "text1", 15, _BOLD))
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._columns.setSpacing(28)
        self._columns.addLayout(self._create_reasons_column(explanation), 1)
        self._columns.addLayout(self._create_teams_grid(explanation))
        column.addLayout(self._columns)
        self._replace_content(inside, explanation.to_text())

    def _create_content(self) -> tuple[QWidget, QVBoxLayout]:
        inside = QWidget()
        return inside, fill_box(QVBoxLayout(inside))

    def _replace_content(self, content: QWidget, text: str) -> None:
        layout = self.layout()
        if layout is not None:
            layout.replaceWidget(self._content, content)
        self._content.hide()
        self._content.deleteLater()
        self._content, self.plain_text = content, text
        self.setAccessibleName(text)
        content.show()
        self.updateGeometry()

    def _create_reasons_column(self, explanation: ExplanationText) -> QVBoxLayout:
        column = fill_box(QVBoxLayout(), spacing=2)
        if explanation.terms:
            column.addWidget(self._create_title(explanation.chance_title))
            column.addLayout(self._create_terms_grid(explanation))
        for note in explanation.notes:
            column.addWidget(self._create_label(note, "text2", 12))
        column.addSpacing(6)
        column.addWidget(self._create_title(explanation.change_title))
        for product in explanation.products:
            column.addWidget(self._create_label(product, "text1", 12))
        for note in explanation.change_notes:
            column.addWidget(self._create_label(note, "text2", 12))
        column.addSpacing(4)
        column.addWidget(self._create_label(explanation.counterfactual, "text1", 12, _MEDIUM))
        column.addStretch(1)
        return column

    def _create_terms_grid(self, explanation: ExplanationText) -> QGridLayout:
        grid = create_grid(None, spacing=(8, 0), stretch=0)
        grid.setContentsMargins(0, 0, 0, 2)
        grid.setColumnMinimumWidth(3, 84)
        for row, line in enumerate(explanation.terms):
            self._add_term(grid, row, line, QFont.Weight.Normal)
            grid.addWidget(DivergingBar(self._theme, line.bar_value), row, 1)
        if explanation.total:
            grid.addWidget(Separator(self._theme), len(explanation.terms), 0, 1, 4)
            self._add_term(grid, len(explanation.terms) + 1, explanation.total, _BOLD)
        return grid

    def _add_term(self, grid: QGridLayout, row: int, line: ExplanationTermLine, weight: QFont.Weight) -> None:
        strong = weight == _BOLD
        amount = make_selectable(Label(self._theme, line.amount, weight=max(weight, _MEDIUM)))
        amount.setAlignment(_ALIGN_RIGHT)
        alone = Label(self._theme, line.chance_alone, role="text1" if strong else "text2", size=13 if strong else 12)
        if strong:
            alone.setFont(self._theme.font(13, weight))
        grid.setRowMinimumHeight(row, 24)
        grid.addWidget(make_selectable(Label(self._theme, line.title, weight=weight)), row, 0)
        grid.addWidget(amount, row, 2)
        grid.addWidget(make_selectable(alone), row, 3)

    def _create_teams_grid(self, explanation: ExplanationText) -> QGridLayout:
        grid = create_grid(None, spacing=(24, 12), stretch=2)
        for index, team in enumerate(explanation.teams):
            grid.addWidget(self._create_team_box(team), index // 2, index % 2, Qt.AlignmentFlag.AlignTop)
        grid.setRowStretch(len(explanation.teams), 1)
        return grid

    def _create_team_box(self, team: ExplainedTeam) -> QWidget:
        box = QWidget()
        box.setFixedWidth(_TEAM_WIDTH)
        grid = create_grid(box, spacing=(8, 2), stretch=0)
        title = ElidedLabel(self._theme, team.title, role="text2", size=12, weight=_BOLD)
        grid.addWidget(title, 0, 0)
        mean = Label(self._theme, team.mean, role="text2", size=12)
        grid.addWidget(mean, 0, 1, 1, 2, _ALIGN_RIGHT)
        row = 1
        for line in team.members:
            if line.is_commander and not team.members[row - 2].is_commander:
                grid.addWidget(Separator(self._theme), 99, 0, 1, 3)
            self._add_member(grid, row if not line.is_commander else 100 + row, line)
            row += 1
        return box

    def _add_member(self, grid: QGridLayout, row: int, line: ExplainedMember) -> None:
        role, weight = "text2" if line.is_commander else "text1", _BOLD if line.is_own else QFont.Weight.Normal
        value = Label(self._theme, line.value, role=role, size=12)
        share = Label(self._theme, line.share, role="text2", size=12)
        share.setMinimumWidth(36)
        share.setAlignment(_ALIGN_RIGHT)
        grid.addWidget(ElidedLabel(self._theme, line.name, role=role, size=12, weight=weight), row, 0)
        grid.addWidget(make_selectable(value), row, 1, _ALIGN_RIGHT)
        grid.addWidget(make_selectable(share), row, 2)

    def _create_title(self, text: str) -> Label:
        return self._create_label(text, "text2", 12, _BOLD)

    def _create_label(
        self, content_text: str, role: str, size: int, weight: QFont.Weight = QFont.Weight.Normal
    ) -> Label:
        return make_selectable(Label(self._theme, content_text, role=role, size=size, weight=weight, wraps=True))

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        """Return True, because texts wrap."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """Return the height of the content at a width."""
        direction = QBoxLayout.Direction
        if self._columns is not None:
            self._columns.setDirection(direction.LeftToRight if width >= _TWO_COLUMN_WIDTH else direction.TopToBottom)
        layout = self.layout()
        if layout is None:
            return 0
        return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the background, the mark that connects it to its row, and the line below."""
        painter, colors = QPainter(self), self._theme.palette
        painter.fillRect(self.rect(), colors.color("raised"))
        painter.fillRect(mirrored_rect(self, QRect(0, 0, _MARK_WIDTH, self.height())), colors.color("accent"))
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), colors.color("hairline"))
