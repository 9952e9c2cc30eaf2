"""The panel that shows the expected rating change on a server."""

from typing import TYPE_CHECKING

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.widgets.basic_widgets import Label
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.page_elements import create_wrapping_label
from browser_app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from browser_app.player.game_prediction import GamePrediction


class ExpectedChangePanel(QWidget):
    """Panel with the prediction for a server; hidden if there is none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._sides_label = create_wrapping_label(theme, "text1")
        self._known_players_label = create_wrapping_label(theme)
        title = Label(theme, _("Rating change if you play here"), role="text2", size=12, weight=QFont.Weight.DemiBold)
        fill_box(
            QVBoxLayout(self), title, self._sides_label, self._known_players_label, spacing=2, margins=(0, 8, 0, 0)
        )
        self.hide()

    def show_prediction(self, prediction: "GamePrediction | None", system: str) -> None:
        """Show a prediction, or nothing."""
        sides, known = _prediction_texts(prediction, system) if prediction is not None else ("", "")
        self._sides_label.setText(sides)
        self._known_players_label.setText(known)
        self.setAccessibleName(f"{sides}\n{known}")
        self.setVisible(bool(sides))


def _prediction_texts(prediction: "GamePrediction", system: str) -> tuple[str, str]:
    """Return a line for each side and the known players; the rating modules are loaded by the first call."""
    from browser_app.ui.skill.fair_games.fair_games_text import known_players_text, side_text

    return "\n".join(side_text(side, system) for side in prediction.sides), known_players_text(prediction)
