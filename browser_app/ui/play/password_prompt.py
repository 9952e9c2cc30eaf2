"""Passwords of locked servers, from the keyring or the user."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from browser_app.language import gettext as _
from browser_app.launch.launch_arguments import (
    FORBIDDEN_CHARACTERS,
    MAX_PASSWORD_LENGTH,
    LaunchError,
    validate_password,
)
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.dialogs import FieldDialog
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_services import WindowServices

PASSWORD_DIALOG_WIDTH, PASSWORD_FIELD_HEIGHT = 400, 32


class PasswordDialog(FieldDialog):
    """Asks for one password and whether to save it.

    Signals:
        password_entered: a password that can be passed to the game, and whether to save it once it worked.
    """

    password_entered = Signal(str, bool)

    def __init__(self, theme: Theme, parent: QWidget, server: str) -> None:
        """Create the dialog for a server's name."""
        super().__init__(theme, parent, _("Password"), Button(theme, _("Join"), "play", accented=True))
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(_("Password for “{server}”").format(server=server))
        self.field.setMinimumHeight(PASSWORD_FIELD_HEIGHT)
        self.save_box = QCheckBox(_("Save it to the keyring after a successful join"))
        self.show_secret_store(available=None)
        about = Label(theme, _("“{server}” needs a password.").format(server=server))
        self.build_layout(about, PASSWORD_DIALOG_WIDTH, self.save_box)

    def show_secret_store(self, *, available: bool | None) -> None:
        """Show whether the system has a keyring; None while that is unknown."""
        self.save_box.setEnabled(bool(available))
        self.save_box.setChecked(bool(available))
        if available is False:
            self.save_box.setText(_("No keyring found: you will be asked every time"))

    def check_text(self, text: str) -> None:
        """Show what is wrong with the password."""
        problem = _password_problem(text)
        self.show_message(problem)
        self.message_label.setVisible(bool(problem))
        self.confirm_button.setEnabled(bool(text) and not problem)
        self.adjustSize()

    def emit_result(self) -> None:
        """Emit the password."""
        self.password_entered.emit(self.field.text(), self.save_box.isChecked())


def _password_problem(password: str) -> str:
    try:
        validate_password(password)
    except LaunchError:
        return _("At most {n} letters, digits and symbols; no spaces, no leading -, none of {signs}").format(
            n=MAX_PASSWORD_LENGTH, signs=" ".join(FORBIDDEN_CHARACTERS)
        )
    return ""


PasswordCallback = Callable[[str | None, bool], object]
"""Called with the password, or None if the user cancels, and whether it is the saved one."""


class PasswordPrompt(QObject):
    """Gets one password at a time.

    A typed password is only in memory until it has worked.
    """

    def __init__(
        self, theme: Theme, window: QWidget, services: WindowServices, on_saved: Callable[[int], object]
    ) -> None:
        """`on_saved` is called with a server whose password was saved."""
        super().__init__(window)
        self._theme, self._window, self._services, self._on_saved = theme, window, services, on_saved
        self._passwords_to_save: dict[int, str] = {}
        self._passwords_from_links: dict[int, str] = {}
        self._pending_request: object | None = None
        self.dialog: PasswordDialog | None = None
        """The open dialog."""

    def request_password(
        self, server: int, name: str, *, saved: bool, show: Callable[[str], object], callback: PasswordCallback
    ) -> None:
        """Get a password from the first source that has one.

        The address, else the `saved` one from the keyring, else the user. `show` is called with what is being waited
        for. After `close` nothing is called any more.
        """
        self.close()
        self._pending_request = request = object()

        def ask_user(password: str | None = None) -> None:
            if self._pending_request is not request:  # cancelled while the keyring asked its user
                return
            if password is None:
                show(_("A password is required."))
                self._ask_user(server, name, callback)
            else:
                callback(password, True)

        link_password = self.pop_link_password(server)
        if link_password is not None:
            callback(link_password, False)
        elif saved:
            show(_("Waiting for the password from the keyring."))
            self._services.background.run(lambda: self._services.launcher.saved_password(server), ask_user)
        else:
            ask_user()

    def set_link_password(self, server: int, password: str) -> None:
        """Use a password given with the address for the next join; it is not saved."""
        self._passwords_from_links[server] = password

    def has_link_password(self, server: int) -> bool:
        """Return whether a password was given with the address."""
        return server in self._passwords_from_links

    def pop_link_password(self, server: int) -> str | None:
        """Return and forget the password given with the address."""
        return self._passwords_from_links.pop(server, None)

    def has_unconfirmed_password(self, server: int) -> bool:
        """Return whether a password is to be saved but has not worked yet."""
        return server in self._passwords_to_save

    def confirm_password(self, server: int) -> None:
        """Save the password, because the last join worked."""
        password = self._passwords_to_save.pop(server, None)
        if password is not None:
            self._services.background.run(
                lambda: self._services.launcher.save_password(server, password),
                lambda saved: self._on_saved(server) if saved else None,
            )

    def discard_password(self, server: int) -> None:
        """Forget the password typed for a server."""
        self._passwords_to_save.pop(server, None)

    def close(self) -> None:
        """Cancel the request."""
        self._pending_request = None
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.blockSignals(True)
            dialog.close()

    def _ask_user(self, server: int, name: str, callback: PasswordCallback) -> None:
        dialog = self.dialog = PasswordDialog(self._theme, self._window, name)
        dialog.password_entered.connect(
            lambda password, keep: self._on_password_entered(server, password, callback, keep=keep)
        )
        dialog.rejected.connect(lambda: self._on_dialog_rejected(callback))
        dialog.open()
        self._services.background.run(
            self._services.launcher.has_secret_store,
            lambda available: dialog.show_secret_store(available=available) if self.dialog is dialog else None,
        )

    def _on_password_entered(self, server: int, password: str, callback: PasswordCallback, *, keep: bool) -> None:
        self.dialog = None
        self._passwords_to_save.pop(server, None)
        if keep:
            self._passwords_to_save[server] = password
        callback(password, False)

    def _on_dialog_rejected(self, callback: PasswordCallback) -> None:
        self.dialog = None
        callback(None, False)
