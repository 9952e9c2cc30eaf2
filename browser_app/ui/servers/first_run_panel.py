"""The panel of suggestions shown at the first start."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.widgets.basic_widgets import Button, Label, Panel
from browser_app.ui.widgets.page_elements import SuggestionBlock
from browser_app.ui.widgets.theme import Theme

FIRST_RUN_WIDTH = 304


class FirstRunPanel(Panel):
    """Suggestions for a new user.

    Shown instead of the inspector until a server is selected.

    Signals:
        key_requested, skill_requested, masters_requested, closed: the buttons.
    """

    key_requested = Signal()
    skill_requested = Signal()
    masters_requested = Signal()
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "raised", "L")
        self.setAccessibleName(_("Ready to play"))
        self._on_import: Callable[[], object] = lambda: None
        self.favourites_block = SuggestionBlock(theme, "star", _("Import"), self._import_favourites)
        self.steam_key_block = SuggestionBlock(theme, "key", _("Add a key…"), self.key_requested.emit)
        self.skill_block = SuggestionBlock(theme, "gauge", _("Set your identity…"), self.skill_requested.emit)
        self.masters_block = SuggestionBlock(theme, "globe", _("View master servers"), self.masters_requested.emit)
        self.close_button = Button(theme, "", "close")
        self.close_button.setAccessibleName(_("Close this page"))
        self.close_button.setToolTip(_("Close this page"))
        self.close_button.clicked.connect(self.closed)
        self._build_layout(theme)
        self.favourites_block.hide()
        self.steam_key_block.hide()
        self.show_skill([])
        self.masters_block.show_texts(
            _("What is sent"),
            _("Only queries to the master servers and game servers listed here."),
        )

    def _build_layout(self, theme: Theme) -> None:
        titles = QVBoxLayout()
        titles.setSpacing(2)
        titles.addWidget(Label(theme, _("Ready to play"), size=15, weight=QFont.Weight.DemiBold))
        wait = Label(theme, _("All of these steps are optional."), role="text2", size=12, wraps=True)
        titles.addWidget(wait)
        head = QHBoxLayout()
        head.addLayout(titles, 1)
        head.addWidget(self.close_button, alignment=Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 14, 12)
        column.setSpacing(12)
        column.addLayout(head)
        for block in (self.favourites_block, self.steam_key_block, self.skill_block, self.masters_block):
            column.addWidget(block)
        column.addStretch(1)
        self.setFixedWidth(FIRST_RUN_WIDTH)

    def _import_favourites(self) -> None:
        self.favourites_block.hide()
        self._on_import()

    def show_skill(self, games: Sequence[str]) -> None:
        """Show in which games the user's skill is known."""
        text = _("Unknown, so skill is not part of the score yet. Your own round files are the best source.")
        if games:
            known = _("Known in {games}: servers with players of similar skill rank higher there.")
            text = known.format(games=", ".join(games))
        self.skill_block.show_texts(_("Your skill"), text)

    def show_found_favourites(self, found: Sequence[tuple[str, int]], on_import: Callable[[], object]) -> None:
        """Offer to import favourites found in the games' own files.

        `found` holds pairs of game and number.
        """
        number = sum(each for _game, each in found)
        self.favourites_block.setVisible(number > 0)
        if number:
            self._on_import = on_import
            what = ngettext("{n} favourite found", "{n} favourites found", number).format(n=number)
            games = ", ".join(f"{game} ({each})" for game, each in found)
            self.favourites_block.show_texts(what, _("In the files of {games}.").format(games=games))

    def show_missing_key(self, games: Sequence[str]) -> None:
        """Show games whose server list requires a key."""
        self.steam_key_block.setVisible(bool(games))
        if games:
            one = _("{game} needs a key").format(game=games[0])
            what = one if len(games) == 1 else _("{n} games need a key").format(n=len(games))
            why = _("Valve’s server list needs a Steam Web API key. The key is free and stays private.")
            self.steam_key_block.show_texts(what, why)
