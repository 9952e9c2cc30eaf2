"""Notification bars that ask about a join before it goes on."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_value_text import server_name, server_players_text
from browser_app.language import gettext as _
from browser_app.launch.launch_arguments import GameNotInstalledError
from browser_app.ui.play.join_request import JoinBlocker, differing_own_version
from browser_app.ui.widgets.notification_bar import NotificationBar
from browser_app.ui.widgets.theme import Theme

_ICONS: Mapping[JoinBlocker, tuple[str, str]] = {
    JoinBlocker.FULL: ("clock", "full"),
    JoinBlocker.CHANGED_SERVER: ("key", "warning"),
}
"""Icon and colour role; all others have the warning icon."""


class JoinPrompts:
    """Shows one prompt at a time.

    Attributes:
        blocker: what a join waits for an answer about; None if no join waits.
    """

    def __init__(self, theme: Theme, catalogue: Catalogue, password_warning: Callable[[int], str]) -> None:
        """Create the bar; it is hidden until something is asked.

        `password_warning` returns why a server's saved password may be meant for another one.
        """
        self._catalogue, self._password_warning = catalogue, password_warning
        self.notification_bar = NotificationBar(theme)
        self.blocker: JoinBlocker | None = None
        self._on_continue: Callable[[], object] = self.close
        self._on_cancel: Callable[[], object] = self.close

    @property
    def is_open(self) -> bool:
        """Whether a join waits for an answer."""
        return self.blocker is not None

    def ask_about_blocker(
        self,
        blocker: JoinBlocker,
        server: int,
        own_versions: Mapping[str, str],
        on_continue: Callable[[], object],
        on_alternative: Callable[[], object],
        on_cancel: Callable[[], object],
    ) -> None:
        """Ask about a blocker, and call one of the three callbacks.

        None is called if another prompt or `close` comes first. `on_alternative` waits for a slot or asks for another
        password; most blockers have no alternative. `server` is -1 where it is not chosen yet; then the blocker must be
        `GAME_RUNS`.
        """
        headline, sentence = self._blocker_texts(blocker, server, own_versions)
        self.notification_bar.show_message(headline, sentence, *_ICONS.get(blocker, ("warning", "warning")))
        continue_text = _("Join anyway")
        alternatives = []
        if blocker is JoinBlocker.FULL:
            alternatives = [(_("Wait for a slot"), on_alternative)]
        elif blocker is JoinBlocker.CHANGED_SERVER:
            continue_text, alternatives = _("Send saved password"), [(_("Enter password…"), on_alternative)]
        self.notification_bar.show_buttons(
            *alternatives, (continue_text, on_continue), (_("Cancel"), on_cancel), take_focus=True
        )
        self.blocker, self._on_continue, self._on_cancel = blocker, on_continue, on_cancel

    def show_game_ended(self) -> None:
        """Show in a question about a second game that the first one has ended."""
        if self.blocker is JoinBlocker.GAME_RUNS:
            self.notification_bar.show_message(_("The game has ended"), _("You can join now."), "play")
            self.notification_bar.show_buttons((_("Join"), self._on_continue), (_("Cancel"), self._on_cancel))

    def show_missing_game(self, error: GameNotInstalledError, on_choose_program: Callable[[], object]) -> None:
        """Show where to get a missing game, and offer to choose its program."""
        url = error.game.launch.install_url
        if error.program_problem:
            sentence = _("{problem}.").format(problem=error.program_problem)
        else:
            sentence = _("You can get it from {source}.").format(source=error.source) if error.source else ""
        self.notification_bar.show_message(error.headline, sentence, "warning", "warning")
        website = [(_("Open website"), lambda: QDesktopServices.openUrl(QUrl(url)))] if url else []
        self.notification_bar.show_buttons(
            *website, (_("Choose program…"), on_choose_program), (_("Close"), self.close)
        )

    def ask_to_save_password(self, server: int, on_yes: Callable[[], object], on_no: Callable[[], object]) -> None:
        """Ask whether to save the password of a game whose end cannot be noticed."""

        def answer(callback: Callable[[], object]) -> None:
            self.close()
            callback()

        self.notification_bar.show_message(
            _("Did the password for “{server}” work?").format(server=server_name(self._catalogue, server)),
            _("Only a working password is saved."),
            "key",
        )
        self.notification_bar.show_buttons(
            (_("Yes, save"), lambda: answer(on_yes)),
            (_("No, discard"), lambda: answer(on_no)),
        )

    def close(self) -> None:
        """Close the prompt."""
        self.blocker = None
        self.notification_bar.hide_message()

    def _blocker_texts(self, blocker: JoinBlocker, server: int, own_versions: Mapping[str, str]) -> tuple[str, str]:
        if blocker is JoinBlocker.GAME_RUNS:
            return _("A game is already running"), _("Close it before you join, or start a second one.")
        catalogue = self._catalogue
        name = server_name(catalogue, server)
        match blocker:
            case JoinBlocker.CHANGED_SERVER:
                text = _("“{server}” may not be the server that the password was saved for")
                return text.format(server=name), self._password_warning(server)
            case JoinBlocker.VERSION:
                own_version = differing_own_version(catalogue, server, own_versions)
                text = _("The server runs {its}, you have {mine}. You may not be able to join.")
                text = text.format(its=catalogue.version[server], mine=own_version)
                return _("“{server}” has another version").format(server=name), text
            case JoinBlocker.ROOKIES:
                return (
                    _("“{server}” is for rookies only").format(server=name),
                    _("Experienced players may be rejected."),
                )
            case JoinBlocker.FULL:
                players = server_players_text(catalogue, server)
                closed = catalogue.is_closed(server)
                headline = _("“{server}” accepts no players now") if closed else _("“{server}” is full")
                return headline.format(server=name), _("{players} playing.").format(players=players)
            case JoinBlocker.NO_ANSWER:
                return (
                    _("“{server}” does not answer").format(server=name),
                    _("Checked again just now. The server may be offline or changing its map."),
                )
