"""The panel that shows the expected rating change on a server, and its controller."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QVBoxLayout, QWidget

from browser_app.bridge.server_list_controller import ServerListController
from browser_app.language import gettext as _
from browser_app.ui.widgets.accessibility import update_texts
from browser_app.ui.widgets.basic_widgets import Label
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.page_elements import create_wrapping_label
from browser_app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from browser_app.player.game_prediction import GamePrediction
    from browser_app.ui.skill.fair_games.game_predictor import GamePredictor


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
        update_texts(self, name=f"{sides}\n{known}")
        self.setVisible(bool(sides))


def _prediction_texts(prediction: "GamePrediction", system: str) -> tuple[str, str]:
    """Return a line for each side and the known players.

    The rating modules are loaded by the first call.
    """
    from browser_app.ui.skill.fair_games.fair_games_text import known_players_text, side_text

    return "\n".join(side_text(side, system) for side in prediction.sides), known_players_text(prediction)


_DELAY_MS = 200
"""Predict only when the selection rests, not while the user moves through the list."""


class ExpectedChangeController(QObject):
    """Requests the prediction for the server in the inspector.

    Does so again when its players change. The predictor's own selection may be another one, made on a page.
    """

    def __init__(
        self, widget: ExpectedChangePanel, server_list: ServerListController, predictor: "GamePredictor"
    ) -> None:
        super().__init__(widget)
        self._widget, self._server_list, self._predictor = widget, server_list, predictor
        self._server = -1
        self._last_players: object = None
        self._delay_timer = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._delay_timer.timeout.connect(self._request_prediction)
        predictor.known_players_outdated.connect(self._restart)
        predictor.known_players_changed.connect(self._restart)
        server_list.changed.connect(self._on_list_changed)

    def show_server(self, server: int) -> None:
        """Predict the game of another server, -1 for none."""
        self._server = server
        self._widget.show_prediction(None, "")
        self._restart()

    def close(self) -> None:
        """Stop requesting predictions."""
        self._delay_timer.stop()
        self._predictor.close()

    def _restart(self) -> None:
        self._last_players = None
        self._delay_timer.start()

    def _on_list_changed(self) -> None:
        server = self._server
        if server >= 0 and self._server_list.catalogue.player_lists.get(server) != self._last_players:
            self._delay_timer.start()

    def _request_prediction(self) -> None:
        server = self._server
        if not self._predictor.is_relevant(server):
            self._widget.show_prediction(None, "")
            return
        self._predictor.prepare()
        players = self._server_list.catalogue.player_lists.get(server)
        if players and self._server_list.catalogue.game[server] == self._predictor.game:
            self._last_players = players
            self._predictor.predict([server], lambda found: self._show_prediction(server, found.get(server)))

    def _show_prediction(self, server: int, prediction: "GamePrediction | None") -> None:
        if server == self._server and self._predictor.is_relevant(server):
            self._widget.show_prediction(prediction, self._predictor.system)
