"""The strip that says what stands in the way of a join, and offers what can be done about it."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from browser_app.catalogue.catalogue import Catalogue
from browser_app.language import gettext as _
from browser_app.launch.arguments import LaunchError, NotInstalled
from browser_app.ui.joining.checks import Hurdle, own_version
from browser_app.ui.joining.strip import Choice, Strip
from browser_app.ui.joining.wording import name_of, players_of
from browser_app.ui.theme import Theme


class Questions:
    """One at a time. `open`: a join waits for an answer."""

    def __init__(self, theme: Theme, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self.strip = Strip(theme)
        self.open = False

    def ask(
        self,
        hurdle: Hurdle,
        server: int,
        own_versions: Mapping[str, str],
        go_on: Callable[[], object],
        wait: Callable[[], object],
        cancel: Callable[[], object],
    ) -> None:
        """Ask about a hurdle; one of the three is called, unless another question or `close` comes first."""
        headline, sentence = self._words(hurdle, server, own_versions)
        self.strip.tell(headline, sentence, *(("clock", "full") if hurdle is Hurdle.FULL else ("doubt", "warning")))
        waiting = [Choice(_("Wait for a slot"), wait)] if hurdle is Hurdle.FULL else []
        self.strip.offer([*waiting, Choice(_("Join anyway"), go_on), Choice(_("Cancel"), cancel)], ask=True)
        self.open = True

    def tell_failure(self, error: LaunchError) -> bool:
        """Say what could be done about a game that cannot be started; False where nothing can."""
        if not isinstance(error, NotInstalled) or not error.url:
            return False
        url = error.url
        self.strip.tell(
            _("{game} is not installed here").format(game=error.name),
            _("It comes from {url}.").format(url=url),
            "doubt",
            "warning",
        )
        self.strip.offer(
            [
                Choice(_("Open the page"), lambda: QDesktopServices.openUrl(QUrl(url))),
                Choice(_("Close"), self.close),
            ]
        )
        return True

    def ask_whether_it_worked(self, server: int, yes: Callable[[], object], no: Callable[[], object]) -> None:
        """For a game whose end cannot be seen: ask whether its password is to be kept."""

        def answer(do: Callable[[], object]) -> None:
            self.close()
            do()

        self.strip.tell(
            _("Did the password of {server} let you in?").format(server=name_of(self._catalogue, server)),
            _("It is kept only when it works."),
            "key",
        )
        self.strip.offer([Choice(_("Keep it"), lambda: answer(yes)), Choice(_("Forget it"), lambda: answer(no))])

    def close(self) -> None:
        """Nothing is asked any more."""
        self.open = False
        self.strip.clear()

    def _words(self, hurdle: Hurdle, server: int, own: Mapping[str, str]) -> tuple[str, str]:
        catalogue = self._catalogue
        name = name_of(catalogue, server)
        match hurdle:
            case Hurdle.VERSION:
                mine, its = own_version(catalogue, server, own), catalogue.version[server]
                words = _("It runs {its}, your game is {mine}. It may refuse you.").format(its=its, mine=mine)
                return _("{server} has another version").format(server=name), words
            case Hurdle.ROOKIES:
                return (
                    _("{server} is for rookies").format(server=name),
                    _("Players with experience may be sent away."),
                )
            case Hurdle.FULL:
                players = players_of(catalogue, server)
                return _("{server} is full").format(server=name), _("{players} playing.").format(players=players)
            case Hurdle.SILENT:
                return (
                    _("{server} does not answer").format(server=name),
                    _("It was asked again just now. It may be gone, or changing its map."),
                )
