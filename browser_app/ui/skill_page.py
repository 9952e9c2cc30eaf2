"""The view *My skill* while there is nothing to show in it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QVBoxLayout

from browser_app.language import gettext as _
from browser_app.ui.controls import Surface, Text
from browser_app.ui.paragraph import Paragraph
from browser_app.ui.status_line import IconMark
from browser_app.ui.theme import Theme

WIDTH = 440


class SkillPage(Surface):
    """Says where a skill comes from."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self.setAccessibleName(_("My skill"))
        head = Text(theme, _("Your skill comes from your own rounds"), size=15, weight=QFont.Weight.DemiBold)
        body = Paragraph(
            theme,
            _(
                "No rounds are known yet, so your skill is unknown and does not count in the score. "
                "It never counts against a server."
            ),
            width=WIDTH,
        )
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addStretch(2)
        column.addWidget(IconMark(theme, "gauge", size=20), alignment=Qt.AlignmentFlag.AlignHCenter)
        for words in (head, body):
            column.addWidget(words, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
