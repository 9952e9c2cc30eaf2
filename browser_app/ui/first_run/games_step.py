"""The step that asks which games the user plays."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QStyledItemDelegate, QWidget

from browser_app.games.game_registry import GameRegistry
from browser_app.games.steam_games import parse_appid
from browser_app.language import gettext as _
from browser_app.ui.first_run.first_run_step import FirstRunStep
from browser_app.ui.widgets.flow_layout import FlowLayout
from browser_app.ui.widgets.form_fields import CHECK_BOX_HEIGHT, CheckBox, FramedEditor
from browser_app.ui.widgets.page_elements import create_scroll_area
from browser_app.ui.widgets.theme import Theme

_FIELD_WIDTH, _FIELD_HEIGHT = 200, 28
_NAME_STYLE_SHEET = "QListView::item { padding: 4px 6px; }"
_NAME_MARGINS = 40
"""Padding of the listed names and their scroll bar, px."""
_MAX_ROWS = 3
"""Rows of games before they scroll."""


class GamesStep(FirstRunStep):
    """Check boxes of the games found on this computer, and a field that adds others.

    Signals:
        games_chosen: the ids of the games that the user plays, after the button was pressed.
    """

    games_chosen = Signal(object)

    def __init__(self, theme: Theme, games: GameRegistry) -> None:
        super().__init__(theme, "list", _("Which games do you play?"), "")
        self._theme, self._games = theme, games
        self._installed: frozenset[str] | None = None
        self.boxes: dict[str, CheckBox] = {}
        """By game id, in the order shown."""
        self._ids = {profile.name: game for game, profile in games.items()}
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText(_("Add another game"))
        self.search_field.setAccessibleName(_("Name or Steam app ID of a game to add"))
        self.search_field.setToolTip(_("Its name or, for any game on Steam, its app ID"))
        self._search_frame = FramedEditor(theme, self.search_field, _FIELD_HEIGHT)
        self._set_up_completer()
        self._box_area = QWidget()
        self._flow = FlowLayout(self._box_area)
        self._scroll_area = create_scroll_area(theme, self._box_area, "window")
        self._build_layout()
        self.action_button.clicked.connect(lambda: self.games_chosen.emit(self.chosen_games))
        self.search_field.returnPressed.connect(self._add_typed_game)
        self._update()

    def _set_up_completer(self) -> None:
        completer = QCompleter(sorted(self._ids, key=str.casefold), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        # Queued: the completer writes the name into the field after this signal.
        completer.activated.connect(self._add_named_game, Qt.ConnectionType.QueuedConnection)
        self.search_field.setCompleter(completer)
        popup = completer.popup()
        assert popup is not None  # noqa: S101 (the completion mode has one)
        popup.setItemDelegate(QStyledItemDelegate(popup))  # its own one ignores the style sheet
        popup.setStyleSheet(_NAME_STYLE_SHEET)
        popup.setMinimumWidth(max(map(popup.fontMetrics().horizontalAdvance, self._ids)) + _NAME_MARGINS)

    def _build_layout(self) -> None:
        self._search_frame.setFixedWidth(_FIELD_WIDTH)
        self.content_layout.addWidget(self._scroll_area)
        self.button_row.insertWidget(0, self._search_frame)

    @property
    def chosen_games(self) -> tuple[str, ...]:
        """The ids of the checked games."""
        return tuple(game for game, box in self.boxes.items() if box.isChecked())

    def focus_widgets(self) -> Sequence[QWidget]:
        """Return the controls in tab order."""
        return (self.search_field, *self.boxes.values(), *super().focus_widgets())

    def show_installed(self, installed: Collection[str] | None, chosen: Collection[str]) -> None:
        """Tick the chosen games, else the installed ones with a profile.

        `installed` is None while these are not known. Boxes that are shown already stay as they are.
        """
        if installed is None:
            return
        found = frozenset(game for game in self._games.keys() & installed if not self._games[game].is_made_from_appid)
        if found == self._installed:
            return
        self._installed = found
        for game in sorted(self._games.keys() & {*found, *chosen}, key=lambda game: self._games[game].name):
            self._add_box(game, checked=game in (chosen or found))
        self._update()

    def show_choice(self, chosen: Collection[str]) -> None:
        """Tick only these games."""
        for game in sorted(self._games.keys() & chosen, key=lambda game: self._games[game].name):
            self._add_box(game, checked=True)
        for game, box in self.boxes.items():
            box.setChecked(game in chosen)

    def _add_box(self, game: str, *, checked: bool) -> None:
        if game in self.boxes:
            return
        box = self.boxes[game] = CheckBox(self._theme, self._games[game].name)
        box.setChecked(checked)
        box.toggled.connect(self._update)
        self._flow.addWidget(box)
        box.show()  # at once: the height of the rows is needed below
        for before, after in pairwise(self.focus_widgets()):
            QWidget.setTabOrder(before, after)

    def _add_named_game(self, name: str) -> None:
        game = self._ids.get(name)
        if game is not None:
            self._add_box(game, checked=True)
            self.boxes[game].setChecked(True)
            self.search_field.clear()
            self._update()

    def _add_typed_game(self) -> None:
        """Add the first game with the text in its name, else Steam's by app ID."""
        typed = self.search_field.text().strip().casefold()
        names = sorted((name for name in self._ids if typed in name.casefold()), key=len)
        if typed and names:
            self._add_named_game(names[0])
        elif (appid := parse_appid(typed)) is not None:
            self._games.add_steam_games({appid: ""})
            if (game := self._games.identify(appid=appid)) is not None:
                self._ids[game.name] = game.id
                self._add_named_game(game.name)

    def _update(self) -> None:
        if self._installed is None:
            why = _("Looking for installed games…")
        elif self._installed:
            why = _("The installed ones are checked. Only servers of checked games are listed, and chosen by Play Now.")
        else:
            why = _("No installed game was found. Add yours to see only their servers.")
        self.reason_label.setText(why)
        self.action_button.setText(_("Show only these games") if self.chosen_games else _("Show all games"))
        self.action_button.updateGeometry()
        self._fit_height()

    def _fit_height(self) -> None:
        """Show up to `_MAX_ROWS` rows of games."""
        height = self._flow.heightForWidth(self._scroll_area.width()) if self.boxes else 0
        self._scroll_area.setFixedHeight(min(height, _MAX_ROWS * CHECK_BOX_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the games at the new width."""
        super().resizeEvent(event)
        self._fit_height()
