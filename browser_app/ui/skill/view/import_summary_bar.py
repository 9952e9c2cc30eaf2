"""The bar with the result of an import, and whether the user is in it."""

from collections.abc import Iterable

from browser_app.application.own_skill.skill_state import GameRecord
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.ui.skill.view.skill_message_bars import MessageBar
from browser_app.ui.widgets.accessibility import announce
from browser_app.ui.widgets.basic_widgets import Button
from browser_app.ui.widgets.theme import Theme


class ImportSummaryBar(MessageBar):
    """Shows the result of the last import that the user asked for, until it is closed.

    Games that got new rounds are listed with the number of the user's; these counts follow later.
    """

    def __init__(self, theme: Theme) -> None:
        self.identity_button = Button(theme, _("Identities…"))
        super().__init__(theme, "check", "accent", "text1", self.identity_button)
        self._games_before: dict[str, GameRecord] = {}
        self._games: tuple[GameRecord, ...] = ()
        self._is_expected = False
        self._summary = ""
        self.close_button.clicked.connect(self._close)

    def expect_import(self) -> None:
        """Show the summary of the import that starts now."""
        self._close()
        self._is_expected = True
        self._games_before = {game.id: game for game in self._games}

    def show_summary(self, text: str) -> None:
        """Show the numbers of an import, if the user asked for it."""
        if self._is_expected:
            self._is_expected = False
            self._summary = text
            self._update_text()
            announce(self, self.text())

    def show_games(self, games: Iterable[GameRecord]) -> None:
        """Set the games with rounds."""
        self._games = tuple(games)
        self._update_text()

    def _close(self) -> None:
        self._summary, self._is_expected = "", False
        self._update_text()

    def _update_text(self) -> None:
        pairs = [(game, self._games_before.get(game.id, GameRecord(game.id, game.title, 0, 0))) for game in self._games]
        grown = [(game, before) for game, before in pairs if game.rounds > before.rounds]
        sentences = [self._summary + ".", *(_game_sentence(game, before) for game, before in grown)]
        self._label.setText(" ".join(sentences))
        self.identity_button.setVisible(any(_is_user_missing(game, before) for game, before in grown))
        self.setVisible(bool(self._summary))


def _is_user_missing(game: GameRecord, before: GameRecord) -> bool:
    """Return whether the user was found in none of a game's new rounds."""
    are_counted = game.is_counted and before.is_counted and game.own_rounds is not None
    return are_counted and game.own_rounds == before.own_rounds


def _game_sentence(game: GameRecord, before: GameRecord) -> str:
    """Return how many of a game's rounds are the user's, and whether any new one is."""
    if game.own_rounds is None:
        words = ngettext("{game}: {n} round now.", "{game}: {n} rounds now.", game.rounds)
    elif not game.own_rounds:
        words = ngettext(
            "{game}: {n} round now; you were not found in it.",
            "{game}: {n} rounds now; you were not found in any.",
            game.rounds,
        )
    else:
        words = ngettext("{game}: {n} round now, yours.", "{game}: {n} rounds now, {own} of them yours.", game.rounds)
        if _is_user_missing(game, before):
            words = " ".join((words, _("You were not found in the new ones.")))
    return words.format(game=game.title, n=integer_text(game.rounds), own=integer_text(game.own_rounds or 0))
