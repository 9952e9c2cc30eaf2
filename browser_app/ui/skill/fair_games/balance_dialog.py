"""The dialog that balances two teams."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.player.balanced_teams import BalancedTeams, balance_lineup
from browser_app.player.team_lineup import (
    BalanceLineup,
    BalanceOptions,
    KnownPlayers,
    LineupPlayer,
    find_lineup_player,
    format_team_title,
    parse_player_list,
)
from browser_app.rating.rating_errors import InvalidRoundError
from browser_app.storage.ui_state import UiState
from browser_app.ui.skill.fair_games import balance_team_view
from browser_app.ui.skill.fair_games.balance_team_view import BalanceTeamView, create_team_items
from browser_app.ui.skill.fair_games.fair_games_text import (
    balance_note_text,
    chances_text,
    player_count_text,
    swap_chance_text,
    swap_text,
    swaps_summary_text,
    team_mean_text,
    teams_as_text,
)
from browser_app.ui.skill.fair_games.paste_players_dialog import PastePlayersDialog
from browser_app.ui.skill.fair_games.win_chance_scale import WinChanceScale
from browser_app.ui.widgets.basic_widgets import Button, CentredParagraph, ElidedLabel, IconLabel, Label, Separator
from browser_app.ui.widgets.box_layouts import Aligned, Stretch, create_grid, fill_box
from browser_app.ui.widgets.dialogs import SavedSizeDialog, create_button_row
from browser_app.ui.widgets.form_fields import CheckBox
from browser_app.ui.widgets.page_elements import clear_layout, create_wrapping_label, make_selectable
from browser_app.ui.widgets.theme import Theme

MAX_SHOWN_SWAPS, SWAP_ROW_HEIGHT = 4, 22


class SwapListWidget(QWidget):
    """Lists the suggested swaps, best first."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._grid = create_grid(self, spacing=(10, 0), stretch=4)
        self._grid.setColumnMinimumWidth(2, 210)

    def show_swaps(self, result: BalancedTeams) -> None:
        """Show the swaps of a balance result."""
        clear_layout(self._grid)
        for row, swap in enumerate(result.swaps[:MAX_SHOWN_SWAPS]):
            number = Label(self._theme, _("swap {n}").format(n=row + 1), role="text2", size=12)
            words = ElidedLabel(self._theme, swap_text(swap, result.lineup), weight=QFont.Weight.Medium)
            steps = make_selectable(Label(self._theme, swap_chance_text(swap), role="text2"))
            for column, widget in enumerate((number, IconLabel(self._theme, "swap", "accent"), words, steps)):
                self._grid.addWidget(widget, row, column, Qt.AlignmentFlag.AlignVCenter)
            self._grid.setRowMinimumHeight(row, SWAP_ROW_HEIGHT)
        more = len(result.swaps) - MAX_SHOWN_SWAPS
        if more > 0:
            rest = ngettext("and {n} more", "and {n} more", more).format(n=more)
            self._grid.addWidget(Label(self._theme, rest, role="text2", size=12), MAX_SHOWN_SWAPS, 2)


_DIALOG_SIZE = QSize(820, 600)
_HINT_WIDTH = 360
_BOLD = QFont.Weight.DemiBold
_PLAYER_CHANGES: Mapping[str, Callable[[LineupPlayer, int], LineupPlayer]] = {
    balance_team_view.MOVE: lambda player, team: replace(player, team=1 - team, is_locked=True),
    balance_team_view.LOCK: lambda player, team: replace(player, team=team, is_locked=not player.is_locked),
    balance_team_view.COMMAND: lambda player, team: replace(player, team=team, is_commander=not player.is_commander),
    balance_team_view.PREFER: lambda player, team: replace(
        player, preferred_team=None if player.preferred_team == team else team
    ),
}
"""How each action changes a player who is shown on a team."""


class EmptyLineup(QWidget):
    """What the dialog shows with fewer than two players: the next step."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.paste_button = Button(theme, _("Paste players…"), accented=True)
        hint = _("Paste a list of players, or select a server with players you have met.")
        fill_box(
            QVBoxLayout(self),
            Stretch(),
            Aligned(Label(theme, _("No players yet"), size=15, weight=_BOLD), Qt.AlignmentFlag.AlignHCenter),
            Aligned(CentredParagraph(theme, hint, width=_HINT_WIDTH), Qt.AlignmentFlag.AlignHCenter),
            Aligned(self.paste_button, Qt.AlignmentFlag.AlignHCenter),
            Stretch(factor=2),
        )


class BalanceDialog(SavedSizeDialog):
    """Dialog that balances two teams again after every change, in a background thread.

    Signals:
        status_reported: text for the status bar.
    """

    status_reported = Signal(str)

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        ui_state: UiState,
        known_players: KnownPlayers,
        system: str,
        lineup: BalanceLineup,
    ) -> None:
        super().__init__(theme, parent, ui_state, "balance", _("Balance teams"), _DIALOG_SIZE)
        self._known_players, self._system, self._lineup = known_players, system, lineup
        self.shown_result: BalancedTeams | None = None
        self._request_number = 0
        self._background = BackgroundTasks()
        self.count_label = Label(theme, role="text2")
        self.chance_label = make_selectable(Label(theme, size=22, weight=_BOLD))
        self.swaps_label = make_selectable(Label(theme, role="text2"))
        self.chance_scale = WinChanceScale(theme)
        names = [format_team_title(name, index) for index, name in enumerate(lineup.teams)]
        self.team_title_labels = [Label(theme, name, weight=_BOLD) for name in names]
        self.mean_labels = [make_selectable(Label(theme, role="text2", size=12)) for _team in names]
        self.team_lists = [BalanceTeamView(theme, name) for name in names]
        self.swaps_title_label = Label(theme, _("Fewest moves, best first"), role="text2", size=12, weight=_BOLD)
        self.swap_list = SwapListWidget(theme)
        self.note_label = create_wrapping_label(theme)
        self.paste_button = Button(theme, _("Paste players…"))
        self.empty_lineup = EmptyLineup(theme)
        self.option_boxes = [
            CheckBox(theme, words) for words in (_("Friends together"), _("Respect wishes"), _("Keep commanders"))
        ]
        self.copy_button = Button(theme, _("Copy as text"), "copy", accented=True)
        self.close_button = Button(theme, _("Close"))
        self._build_layout()
        self._connect_signals()
        self._start_balancing()
        (self.team_lists[0] if self._has_teams else self.empty_lineup.paste_button).setFocus()

    def _build_layout(self) -> None:
        margins = (24, 12, 24, 12)
        teams = [Stretch(self._create_team_column(team)) for team in (0, 1)]
        self._lineup_widget = QWidget()
        fill_box(
            QVBoxLayout(self._lineup_widget),
            self.count_label,
            fill_box(QHBoxLayout(), self.chance_label, Stretch(self.swaps_label), spacing=10),
            self.chance_scale,
            8,
            Stretch(fill_box(QHBoxLayout(), *teams, spacing=28)),
            6,
            self.swaps_title_label,
            self.swap_list,
            self.note_label,
            spacing=4,
            margins=margins,
        )
        options = fill_box(QHBoxLayout(), *self.option_boxes, Stretch())
        buttons = create_button_row((self.paste_button,), (self.copy_button, self.close_button))
        footer = fill_box(QVBoxLayout(), options, buttons, margins=margins)
        body = (Stretch(self.empty_lineup), Stretch(self._lineup_widget))
        fill_box(QVBoxLayout(self), *body, Separator(self._theme), footer, spacing=0)

    def _create_team_column(self, team: int) -> QVBoxLayout:
        title = fill_box(QHBoxLayout(), Stretch(self.team_title_labels[team]), self.mean_labels[team], spacing=4)
        return fill_box(QVBoxLayout(), title, Stretch(self.team_lists[team]), spacing=4)

    def _connect_signals(self) -> None:
        for team, players in enumerate(self.team_lists):
            players.action_requested.connect(lambda action, player, team=team: self.change_player(action, player, team))
            players.player_dropped.connect(
                lambda player, team=team: self.change_player(balance_team_view.MOVE, player, 1 - team)
            )
        for box in self.option_boxes:
            box.setChecked(True)
            box.toggled.connect(self._start_balancing)
        for button in (self.paste_button, self.empty_lineup.paste_button):
            button.clicked.connect(self.open_paste_dialog)
        self.close_button.clicked.connect(self.reject)
        self.copy_button.clicked.connect(self._copy_teams)

    def change_player(self, action: str, player: str, team: int) -> None:
        """Apply an action to a player who is shown on a team."""
        if action == balance_team_view.REMOVE:
            self._lineup = self._lineup.without_player(player)
        else:
            self._lineup = self._lineup.with_changed_player(player, lambda entry: _PLAYER_CHANGES[action](entry, team))
        self._start_balancing()

    def open_paste_dialog(self) -> None:
        """Open the dialog for pasting a player list."""
        dialog = PastePlayersDialog(
            self._theme, self, self._ui_state, lambda text: player_count_text(self._pasted_lineup(text))
        )
        dialog.text_pasted.connect(self.set_pasted_players)
        dialog.open()

    def set_pasted_players(self, text: str) -> None:
        """Replace the players by those named in a text."""
        self._lineup = self._pasted_lineup(text)
        self._start_balancing()

    def _pasted_lineup(self, text: str) -> BalanceLineup:
        """Return the line-up of the players that a text names.

        "you" in the current language means the user.
        """
        lineup, named = self._lineup, parse_player_list(text, self._lineup.teams)
        if lineup.own_id:
            own_word = _("you").casefold()
            named = [replace(each, name=lineup.own_id) if each.name.casefold() == own_word else each for each in named]
        return lineup.with_players([find_lineup_player(each, self._known_players, lineup.mode) for each in named])

    def _start_balancing(self) -> None:
        """Balance in the background; only the result of the latest request is shown."""
        self._request_number += 1
        request_number, run, lineup = self._request_number, self._known_players.run, self._lineup
        options = BalanceOptions(*(box.isChecked() for box in self.option_boxes))

        def work() -> BalancedTeams | str:
            try:
                return balance_lineup(run, lineup, options)
            except InvalidRoundError as error:
                return str(error)

        self._show_or_hide_lineup()
        self.count_label.setText(player_count_text(lineup))
        self._background.run(
            work, lambda result: self._show_result(result) if request_number == self._request_number else None
        )

    @property
    def _has_teams(self) -> bool:
        return len(self._lineup.players) > 1

    def _show_or_hide_lineup(self) -> None:
        """Show the teams, or the next step with fewer than two players."""
        for widget in (self._lineup_widget, self.paste_button, *self.option_boxes):
            widget.setVisible(self._has_teams)
        if self._has_teams and self.empty_lineup.paste_button.hasFocus():
            self.team_lists[0].setFocus()
        self.empty_lineup.setVisible(not self._has_teams)

    def _show_result(self, result: BalancedTeams | str) -> None:
        if isinstance(result, str):
            self.note_label.setText(result)
            return
        selected = self.team_lists[0].selected_player() or self.team_lists[1].selected_player()
        self.shown_result = result
        self.chance_label.setText(chances_text(result))
        self.swaps_label.setText(swaps_summary_text(result))
        self.chance_scale.show_chances(result.chance_before, result.final_chance)
        for team, players in enumerate(self.team_lists):
            players.list_model.set_items(create_team_items(result, team, self._system))
            self.mean_labels[team].setText(team_mean_text(result, team, self._system))
            players.select_player(selected)
        self.swaps_title_label.setVisible(bool(result.swaps))
        self.swap_list.show_swaps(result)
        self.note_label.setText(balance_note_text(result, self._system))
        self.copy_button.setEnabled(bool(result.lineup.players))

    def _copy_teams(self) -> None:
        if self.shown_result is not None:
            QGuiApplication.clipboard().setText(teams_as_text(self.shown_result, self._system))
            self.status_reported.emit(_("Copied"))

    def done(self, result: int) -> None:
        """Discard the result that is being computed and close."""
        self._background.close()
        super().done(result)
