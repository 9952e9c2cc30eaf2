"""A locked server's password: from the secret store, or from the user; kept when a join with it has worked."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from browser_app.language import gettext as _
from browser_app.ui.dialogs.password import PasswordDialog
from browser_app.ui.joining.services import JoinServices
from browser_app.ui.theme import Theme

Then = Callable[[str | None], object]
"""Called with the password, or None where the user gives none."""


class Passwords(QObject):
    """Gets one password at a time. What was typed is in memory only, until it worked."""

    def __init__(self, theme: Theme, window: QWidget, services: JoinServices, kept: Callable[[int], object]) -> None:
        """`kept`: called with a server whose password was saved."""
        super().__init__(window)
        self._theme, self._window, self._services, self._kept = theme, window, services, kept
        self._to_keep: dict[int, str] = {}
        self._told: dict[int, str] = {}
        self._wanted: object | None = None
        self.dialog: PasswordDialog | None = None
        """The one that is open."""

    def get(self, server: int, name: str, *, saved: bool, show: Callable[[str], object], then: Then) -> None:
        """What was named with its address; else, where one is `saved`, what the secret store gives; else ask the user.

        `show` is told what is being waited for. Nothing is called any more after `close`.
        """
        self.close()
        self._wanted = wanted = object()

        def ask_user(password: str | None = None) -> None:
            if self._wanted is not wanted:  # let go while the store asked its user
                return
            if password is None:
                show(_("It needs a password."))
                self._ask_user(server, name, then)
            else:
                then(password)

        told = self.take_told(server)
        if told is not None:
            then(told)
        elif saved:
            show(_("Waiting for the secret store to give its password."))
            self._services.background.run(lambda: self._services.launcher.password(server), ask_user)
        else:
            ask_user()

    def tell(self, server: int, password: str) -> None:
        """The user named it with the server's address: the next join uses it, and nobody keeps it."""
        self._told[server] = password

    def take_told(self, server: int) -> str | None:
        """What was named with its address, once."""
        return self._told.pop(server, None)

    def to_keep(self, server: int) -> bool:
        """The user wants its password kept, and whether it worked is not known yet."""
        return server in self._to_keep

    def worked(self, server: int) -> None:
        """The last join of this server worked."""
        password = self._to_keep.pop(server, None)
        if password is not None:
            self._services.background.run(
                lambda: self._services.launcher.keep_password(server, password),
                lambda saved: self._kept(server) if saved else None,
            )

    def did_not_work(self, server: int) -> None:
        """Forget what was typed for it."""
        self._to_keep.pop(server, None)

    def close(self) -> None:
        """Nobody is asked any more."""
        self._wanted = None
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.blockSignals(True)
            dialog.close()

    def _ask_user(self, server: int, name: str, then: Then) -> None:
        dialog = self.dialog = PasswordDialog(self._theme, self._window, name)
        dialog.given.connect(lambda password, keep: self._given(server, password, then, keep=keep))
        dialog.rejected.connect(lambda: self._refused(then))
        dialog.open()
        self._services.background.run(
            self._services.launcher.can_keep_passwords,
            lambda there: dialog.show_store(there=there) if self.dialog is dialog else None,
        )

    def _given(self, server: int, password: str, then: Then, *, keep: bool) -> None:
        self.dialog = None
        self._to_keep.pop(server, None)
        if keep:
            self._to_keep[server] = password
        then(password)

    def _refused(self, then: Then) -> None:
        self.dialog = None
        then(None)
