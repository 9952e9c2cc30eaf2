"""Notices by the icon in the system's tray: the way of Windows and macOS, and of desktops without the D-Bus service."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from browser_app.bridge.notice import ITSELF, Notice


class TrayNotices(QObject):
    """Kept true: there is no icon in the tray before the first notice, and none after `close`.

    Signals:
        acted: the key of a notice and `ITSELF`. A tray tells only that the newest one was pressed, and has no buttons.
    """

    acted = Signal(int, str)

    def __init__(self) -> None:
        super().__init__()
        self._icon: QSystemTrayIcon | None = None
        self._newest = 0

    def show(self, notice: Notice) -> bool:
        """Show it; False where there is no tray that could."""
        if not (QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()):
            return False
        if self._icon is None:
            self._icon = QSystemTrayIcon(QApplication.windowIcon(), self)
            self._icon.setToolTip(QApplication.applicationDisplayName())
            self._icon.messageClicked.connect(self._pressed)
            self._icon.activated.connect(self._pressed)
            self._icon.show()
        self._newest = notice.key
        self._icon.showMessage(notice.title, notice.text, self._icon.icon())
        return True

    def close(self) -> None:
        """Take the icon away."""
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    def _pressed(self) -> None:
        self.acted.emit(self._newest, ITSELF)
