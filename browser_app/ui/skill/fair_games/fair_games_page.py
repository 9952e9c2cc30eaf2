"""The page Fair games: predictions for servers, and team balancing."""

from collections.abc import Mapping
from itertools import zip_longest
from math import isnan

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFont, QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.application.own_skill.skill_state import SkillState
from browser_app.catalogue.game_servers import busiest_servers
from browser_app.catalogue.server_value_text import server_players_text
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.player.game_prediction import GamePrediction, SidePrediction
from browser_app.ui.skill.fair_games.balance_dialog import BalanceDialog
from browser_app.ui.skill.fair_games.fair_games_text import (
    known_players_text,
    prediction_text,
    side_text,
    side_title,
    win_loss_change_text,
)
from browser_app.ui.skill.fair_games.fair_server_list import FairServerItem, FairServerListView
from browser_app.ui.skill.rating_format import format_chance
from browser_app.ui.skill.skill_pages import SkillServices
from browser_app.ui.widgets.basic_widgets import Button, Label, Separator
from browser_app.ui.widgets.box_layouts import Aligned, Stretch, create_grid, fill_box
from browser_app.ui.widgets.page_elements import create_wrapping_label, make_selectable
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_bars import DivergingBar
from browser_app.ui.widgets.value_text import join_sentences

_BAR_WIDTH, _HEADING_HEIGHT = 90, 16


class SidePredictionsTable(QWidget):
    """Table of the sides of a prediction; hidden if there are none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._rows = [_SidePredictionRow(theme) for _side in range(2)]
        heading = _("If you join: win chance and rating change")
        title = Label(theme, heading, role="text2", size=12, weight=QFont.Weight.DemiBold)
        title.setMinimumHeight(_HEADING_HEIGHT)
        grid = create_grid(self, spacing=(10, 4), stretch=4)
        grid.addWidget(title, 0, 0, 1, 5)
        for row, line in enumerate(self._rows, 1):
            for column, widget in enumerate(line.widgets):
                grid.addWidget(widget, row, column)
        self.hide()

    def show_prediction(self, prediction: GamePrediction | None, system: str) -> None:
        """Show a prediction, or nothing."""
        sides = prediction.sides if prediction is not None else ()
        for line, side in zip_longest(self._rows, sides):
            line.show_side(side, system)
        self.setAccessibleName(". ".join(side_text(side, system) for side in sides))
        self.setVisible(bool(sides))


class _SidePredictionRow:
    """One side: team, chance as a bar and as a number, and the rating changes."""

    def __init__(self, theme: Theme) -> None:
        self._team = make_selectable(Label(theme, weight=QFont.Weight.Medium))
        self._bar = DivergingBar(theme)
        self._bar.setMaximumWidth(_BAR_WIDTH)
        self._chance = make_selectable(Label(theme))
        self._changes = make_selectable(Label(theme))
        self.widgets: tuple[QWidget, ...] = (self._team, self._bar, self._chance, self._changes)

    def show_side(self, side: SidePrediction | None, system: str) -> None:
        """Show a side, or nothing."""
        for widget in self.widgets:
            widget.setVisible(side is not None)
        if side is not None:
            chance = side.forecast.chance
            self._team.setText(side_title(side))
            self._bar.set_value(0.0 if chance is None else 2.0 * chance - 1.0)
            self._chance.setText(format_chance(chance))
            self._changes.setText(win_loss_change_text(side.forecast, system))


_UPDATE_DELAY_MS = 400
MAX_QUERIED_SERVERS = 12
"""Number of servers whose players are queried at a time."""


class FairGamesPage(QWidget):
    """The page Fair games, which predicts only while it is visible.

    Signals:
        status_reported: text for the status bar.
        server_requested, join_requested: a server to show in the server list, and one to join.
    """

    status_reported = Signal(str)
    server_requested = Signal(int)
    join_requested = Signal(int)

    def __init__(self, theme: Theme, services: SkillServices) -> None:
        super().__init__()
        self._theme, self._services, self._server_list = theme, services, services.server_list
        self._predictor = services.game_predictor
        self._predictions: Mapping[int, GamePrediction] = {}
        self._queried_games = set[str]()
        self._update_timer = QTimer(self, singleShot=True, interval=_UPDATE_DELAY_MS)
        self.message_label = create_wrapping_label(theme, "text2", 13)
        self.sides_table = SidePredictionsTable(theme)
        self.join_button = Button(theme, _("Join"), "play")
        self.balance_button = Button(theme, _("Balance teams…"), "scale")
        self.paste_button = Button(theme, _("Paste players…"))
        self.query_button = Button(theme, _("Query players"), "refresh")
        self.first_query_button = Button(theme, _("Query players"), "refresh", accented=True)
        self.query_button.setToolTip(_("Gets the player lists of this game’s busiest servers"))
        self.server_view = FairServerListView(theme)
        self.empty_label = create_wrapping_label(theme)
        self._build_layout()
        self._connect_signals()

    def _build_layout(self) -> None:
        title = _("Servers with known players: fair chances and few unknown players first, full ones last")
        title_label = Label(self._theme, title, role="text2", size=12, weight=QFont.Weight.DemiBold)
        title_label.setWordWrap(True)
        fill_box(
            QVBoxLayout(self),
            self.message_label,
            self.sides_table,
            fill_box(QHBoxLayout(), self.join_button, self.balance_button, self.paste_button, Stretch()),
            Separator(self._theme, "border"),
            fill_box(QHBoxLayout(), Stretch(title_label), self.query_button, spacing=12),
            self.empty_label,
            Aligned(self.first_query_button, Qt.AlignmentFlag.AlignLeading),
            Stretch(self.server_view),
            Stretch(factor=0),  # takes the space while the list is hidden
            spacing=12,
            margins=(0, 0, 0, 16),
        )

    def _connect_signals(self) -> None:
        self._predictor.known_players_changed.connect(self._update_predictions)
        self._predictor.server_selected.connect(self._on_server_selected)
        self._update_timer.timeout.connect(self._update_predictions)
        for signal in (self._server_list.changed, self._server_list.running_changed):
            signal.connect(self._schedule_update)
        self.join_button.clicked.connect(lambda: self.join_requested.emit(self._predictor.selected_server))
        self.balance_button.clicked.connect(self._open_balance_dialog)
        self.paste_button.clicked.connect(self._open_paste_dialog)
        for button in (self.query_button, self.first_query_button):
            button.clicked.connect(self._query_servers)
        self.server_view.selectionModel().currentChanged.connect(
            lambda now, _before: self._select_server(self.server_view.server_at(now))
        )
        self.server_view.activated.connect(lambda index: self.server_requested.emit(self.server_view.server_at(index)))

    def show_data(self, skill_state: SkillState | None) -> None:  # noqa: ARG002 (the skill model itself provides what a run needs)
        """Prepare predictions for another game, system or record."""
        self._predictor.prepare()
        self._update_predictions()

    def showEvent(self, event: QShowEvent) -> None:
        """Update the predictions."""
        super().showEvent(event)
        self._predictor.prepare()
        self._update_predictions()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop updating while hidden."""
        super().hideEvent(event)
        self._update_timer.stop()

    def _on_server_selected(self) -> None:
        if self.isVisible():
            self._update_predictions()

    def _schedule_update(self) -> None:
        if self.isVisible() and not self._update_timer.isActive():
            self._update_timer.start()

    def _update_predictions(self) -> None:
        """Predict the selected server and those with player lists."""
        self._query_unknown_players()
        servers = self._predictor.servers_with_players()
        selected = self._predictor.selected_server
        if self._predictor.is_relevant(selected) and selected not in servers:
            servers.append(selected)
        for button in (self.balance_button, self.paste_button):
            button.setEnabled(self._predictor.known_players is not None)
        self._show_predictions(self._predictions)
        self._predictor.predict(servers, self._show_predictions)

    def _show_predictions(self, predictions: Mapping[int, GamePrediction]) -> None:
        self._predictions = predictions
        prediction = predictions.get(self._predictor.selected_server)
        self.join_button.setEnabled(prediction is not None)
        self.sides_table.show_prediction(prediction, self._predictor.system)
        predicted = sorted((each for each in predictions.values() if each.sides), key=self._sort_key)
        self.server_view.show_servers([self._server_item(each) for each in predicted], self._predictor.selected_server)
        self.server_view.setVisible(bool(predicted))
        self.message_label.setText(self._message_text(prediction))
        self.message_label.setVisible(bool(self.message_label.text()))
        self.empty_label.setText("" if predicted else self._empty_text())
        self.empty_label.setVisible(not predicted)
        self.query_button.setVisible(bool(predicted))
        self.first_query_button.setVisible(not predicted and self._predictor.known_players is not None)

    def _message_text(self, prediction: GamePrediction | None) -> str:
        if self._predictor.known_players is None:
            return ""
        if prediction is not None:
            return prediction_text(prediction, self._server_name(self._predictor.selected_server))
        if not self._predictor.is_relevant(self._predictor.selected_server):
            return self._no_server_text()
        return _("{server}: players not known yet.").format(server=self._server_name(self._predictor.selected_server))

    def _no_server_text(self) -> str:
        """Return how to choose a server, and which server is listed first."""
        words = _("Select a server of this game here or in the server list, or paste players.")
        if not self.server_view.list_model.items:
            return words
        return join_sentences(
            _("Best choice now: “{server}”.").format(server=self.server_view.list_model.items[0].title), words
        )

    def _empty_text(self) -> str:
        if self._predictor.known_players is None:
            return _("Players are known once your rounds are rated.")
        return _("No known players found. Query players, or refresh the list.")

    def _sort_key(self, prediction: GamePrediction) -> tuple[bool, float]:
        return self._server_list.catalogue.is_unjoinable(prediction.server), prediction.unevenness

    def _server_item(self, prediction: GamePrediction) -> FairServerItem:
        system = self._predictor.system
        side = prediction.fairest_side
        changes = side_text(side, system) if side is not None else ""
        return FairServerItem(
            prediction.server,
            self._server_name(prediction.server),
            self._server_state(prediction.server),
            known_players_text(prediction),
            changes,
        )

    def _server_state(self, server: int) -> str:
        """Return `12/24, 34 ms`, without an unknown ping."""
        catalogue = self._server_list.catalogue
        players, ping = server_players_text(catalogue, server), float(catalogue.ping_ms[server])
        return players if isnan(ping) else f"{players}, {_('{ping} ms').format(ping=round(ping))}"

    def _server_name(self, server: int) -> str:
        catalogue = self._server_list.catalogue
        return catalogue.name[server] or str(catalogue.targets[server].address)

    def _select_server(self, server: int) -> None:
        if server >= 0:
            self._predictor.select_server(server)

    def _query_unknown_players(self) -> None:
        """Query the missing player lists of a game's busiest servers.

        Once per game, after the scan, unless servers are queried on request.
        """
        catalogue, game = self._server_list.catalogue, self._predictor.game
        is_busy = self._server_list.is_running or self._server_list.queries_on_request
        if not self.isVisible() or is_busy or not game or game in self._queried_games:
            return
        busiest = busiest_servers(catalogue, game, MAX_QUERIED_SERVERS)
        if busiest:
            self._queried_games.add(game)
        for row in busiest:
            if not catalogue.player_lists.get(row):
                self._server_list.query(row)

    def _query_servers(self) -> None:
        catalogue, game = self._server_list.catalogue, self._predictor.game or self._services.skill_model.game
        busiest = busiest_servers(catalogue, game, MAX_QUERIED_SERVERS)
        for row in busiest:
            self._server_list.query(row)
        words = ngettext("Querying players on {n} server.", "Querying players on {n} servers.", len(busiest))
        self.status_reported.emit(words.format(n=len(busiest)) if busiest else _("No servers with players."))

    def _open_balance_dialog(self) -> BalanceDialog | None:
        known_players = self._predictor.known_players
        prediction = self._predictions.get(self._predictor.selected_server)
        if known_players is None:
            return None
        lineup = prediction.lineup if prediction is not None else self._predictor.empty_lineup()
        dialog = BalanceDialog(
            self._theme, self, self._services.ui_state, known_players, self._predictor.system, lineup
        )
        dialog.status_reported.connect(self.status_reported)
        dialog.open()
        return dialog

    def _open_paste_dialog(self) -> None:
        dialog = self._open_balance_dialog()
        if dialog is not None:
            dialog.open_paste_dialog()
