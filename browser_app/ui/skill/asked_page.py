"""What was asked of whom: every question about the user that went to a service."""

from collections.abc import Sequence

from PySide6.QtWidgets import QAbstractItemView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.storage.asked import KeptQuestion
from browser_app.ui.controls import Text
from browser_app.ui.plots.moments import clock_time, date_text
from browser_app.ui.texts import tool_tip
from browser_app.ui.theme import Theme

_WIDTHS = (140, 170, 230)


class AskedPage(QWidget):
    """A line each question, the newest first."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.about = Text(theme, role="text2", size=12)
        self.about.setWordWrap(True)
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels([_("When"), _("Who was asked"), _("What was asked"), _("Answer")])
        self.tree.setAccessibleName(_("What was asked of whom"))
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        for place, width in enumerate(_WIDTHS):
            self.tree.setColumnWidth(place, width)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.about)
        column.addWidget(self.tree, 1)
        self.show_questions(())

    def show_questions(self, questions: Sequence[KeptQuestion]) -> None:
        """Show these."""
        self.tree.clear()
        for question in questions:
            when = f"{date_text(question.time)}, {clock_time(question.time)}"
            texts = [when, question.host, question.what, question.answer]
            item = QTreeWidgetItem(self.tree, texts)
            for place, text in enumerate(texts):
                item.setToolTip(place, tool_tip(text))
        self.about.setText(
            _("These questions about you were asked, and no others.")
            if questions
            else _("Nothing was asked of anybody.")
        )
