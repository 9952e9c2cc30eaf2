"""The controller that keeps the expected change up to date."""

from PySide6.QtCore import QObject, QTimer

from browser_app.bridge.server_list_controller import ServerListController
from browser_app.player.game_prediction import GamePrediction
from browser_app.ui.skill.fair_games.expected_change_panel import ExpectedChangePanel
from browser_app.ui.skill.fair_games.game_predictor import GamePredictor

_DELAY_MS = 200
"""Predict only when the selection rests, not while the user moves through the list."""


class ExpectedChangeController(QObject):
    """Requests the prediction for the selected server, and again when its players change."""

    def __init__(
        self, widget: ExpectedChangePanel, server_list: ServerListController, predictor: GamePredictor
    ) -> None:
        super().__init__(widget)
        self._widget, self._server_list, self._predictor = widget, server_list, predictor
        self._last_players: object = None
        self._delay_timer = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._delay_timer.timeout.connect(self._request_prediction)
        predictor.outdated.connect(self._restart)
        predictor.known_players_changed.connect(self._restart)
        predictor.server_selected.connect(self._on_server_selected)
        server_list.changed.connect(self._on_list_changed)

    def _on_server_selected(self) -> None:
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
        server = self._predictor.selected_server
        if server >= 0 and self._server_list.catalogue.player_lists.get(server) != self._last_players:
            self._delay_timer.start()

    def _request_prediction(self) -> None:
        server = self._predictor.selected_server
        if not self._predictor.is_relevant(server):
            return
        self._predictor.prepare()
        players = self._server_list.catalogue.player_lists.get(server)
        if players and self._server_list.catalogue.game[server] == self._predictor.game:
            self._last_players = players
            self._predictor.predict([server], lambda found: self._show_prediction(server, found.get(server)))

    def _show_prediction(self, server: int, prediction: GamePrediction | None) -> None:
        if server == self._predictor.selected_server:
            self._widget.show_prediction(prediction, self._predictor.system)
