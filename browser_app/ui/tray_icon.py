"""Icon in the desktop's tray, with a menu, for a window that may be closed."""

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction, Qt
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon, QWidget

from browser_app.bridge.alerts.desktop_notifications import DesktopNotifier
from browser_app.bridge.live_settings import LiveSettings
from browser_app.language import gettext as _
from browser_app.storage.setting_declarations import TRAY_ICON
from browser_app.ui.play.running_game_bar import RunningGameBar

CHECK_INTERVAL_MS = 30_000
"""How often a hidden window checks that the tray is still there: its icon is the way back."""


class TrayIcon(QObject):
    """Shows the icon according to the setting.

    Signals:
        open_requested, play_requested, alerts_requested, quit_requested: wishes of the user.
        tray_lost: the tray has gone while the window was hidden.
    """

    open_requested = Signal()
    play_requested = Signal()
    alerts_requested = Signal()
    quit_requested = Signal()
    tray_lost = Signal()

    def __init__(
        self, window: QWidget, settings: LiveSettings, notifications: DesktopNotifier, running_game_bar: RunningGameBar
    ) -> None:
        super().__init__(window)
        self._window, self._settings, self._notifications = window, settings, notifications
        self._running_game_bar = running_game_bar
        self._icon: QSystemTrayIcon | None = None
        self.menu = QMenu(window)
        self.rejoin_action = QAction(self.menu)
        self.rejoin_action.triggered.connect(self._rejoin)
        self._fill_menu()
        self._check_timer = QTimer(self, interval=CHECK_INTERVAL_MS)
        self._check_timer.timeout.connect(self._check_tray)
        running_game_bar.game_changed.connect(self._show_playing)
        settings.changed.connect(self._on_setting_changed)
        self._on_setting_changed(TRAY_ICON.key)

    @property
    def keeps_running(self) -> bool:
        """Whether closing the window only hides it.

        It does if the setting is on, there is a tray, and the user is not logging out.
        """
        app = QApplication.instance()
        is_logging_out = isinstance(app, QApplication) and app.isSavingSession()
        wanted = self._settings.get(TRAY_ICON) == "background" and not is_logging_out
        return wanted and QSystemTrayIcon.isSystemTrayAvailable()

    def hide_window(self) -> None:
        """Hide the window until the user opens it again, or the tray has gone."""
        self._window.hide()
        self._check_timer.start()

    def close(self) -> None:
        """Remove the icon."""
        self._check_timer.stop()
        if self._icon is not None:
            self._notifications.use_tray_icon(None)
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    def _fill_menu(self) -> None:
        self.menu.addAction(_("Open Ready Room"), self.open_requested.emit)
        self.menu.addSeparator()
        self.menu.addAction(_("Play Now"), self.play_requested.emit)
        self.menu.addAction(self.rejoin_action)
        self.menu.addAction(_("Alerts…"), self.alerts_requested.emit)
        self.menu.addSeparator()
        self.menu.addAction(_("Quit"), self.quit_requested.emit)

    def _on_setting_changed(self, key: str) -> None:
        if key != TRAY_ICON.key:
            return
        if self._settings.get(TRAY_ICON) == "off":
            self.close()
        elif self._icon is None:
            self._icon = QSystemTrayIcon(QApplication.windowIcon(), self)
            self._icon.setContextMenu(self.menu)
            self._icon.activated.connect(self._on_activated)
            self._notifications.use_tray_icon(self._icon)
            self._show_playing()
            self._icon.show()

    def _show_playing(self) -> None:
        bar = self._running_game_bar
        self.rejoin_action.setText(_("Rejoin “{server}”").format(server=bar.server_name.replace("&", "&&")))
        self.rejoin_action.setVisible(bar.can_rejoin)
        if self._icon is not None:
            name = QApplication.applicationDisplayName()
            # Some desktops show markup there; escaped, others would show the escapes.
            is_plain = bool(bar.text) and not Qt.mightBeRichText(bar.text)
            self._icon.setToolTip(f"{name} · {bar.text}" if is_plain else name)

    def _rejoin(self) -> None:
        self.open_requested.emit()  # questions about the join are in the window
        self._running_game_bar.rejoin()

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is not QSystemTrayIcon.ActivationReason.Context:
            self.open_requested.emit()

    def _check_tray(self) -> None:
        if self._window.isVisible():
            self._check_timer.stop()
        elif not QSystemTrayIcon.isSystemTrayAvailable():
            self._check_timer.stop()
            self.tray_lost.emit()
