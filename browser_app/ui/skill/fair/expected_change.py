"""What a server's game would do to my rating, in the words of a narrow panel: `Marines 44 %: win +9, lose −14`."""

from typing import TYPE_CHECKING

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.controls import Text
from browser_app.ui.skill.selectable import sentence
from browser_app.ui.theme import Theme

if TYPE_CHECKING:
    from browser_app.ui.skill.fair.outlook import Outlook

_BOLD = QFont.Weight.DemiBold


class ExpectedChange(QWidget):
    """Shows an outlook; hidden where nothing can be said."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._sides, self._known = sentence(theme, "text1"), sentence(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(2)
        column.addWidget(Text(theme, _("Your rating, if you play here"), role="text2", size=12, weight=_BOLD))
        column.addWidget(self._sides)
        column.addWidget(self._known)
        self.hide()

    def show_outlook(self, outlook: "Outlook | None", system: str) -> None:
        """Show one, or nothing."""
        sides, known = _words(outlook, system) if outlook is not None else ("", "")
        self._sides.setText(sides)
        self._known.setText(known)
        self.setAccessibleName(f"{sides}\n{known}")
        self.setVisible(bool(sides))


def _words(outlook: "Outlook", system: str) -> tuple[str, str]:
    """A line a side, and of whom something is known; the ratings are loaded with the first of them."""
    from browser_app.ui.skill.fair.fair_words import known_words, side_words

    return "\n".join(side_words(side, system) for side in outlook.sides), known_words(outlook)
