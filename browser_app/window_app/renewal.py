"""Settings that Qt and all texts are started with: soon after a change the window is set up anew, where it stood."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from browser_app.bridge.live_settings import LiveSettings
from browser_app.storage.declared import LANGUAGE, SCALE
from browser_app.ui.window import MainWindow
from browser_app.ui.window_stand import stand_of

REST_MS = 800
"""So long after the last change: whoever types or scrolls has come to an end by then."""


class Renewal(QObject):
    """Watches language and size.

    Kept true: nothing is broken off that the user waits for.

    Signals:
        wanted: the `WindowStand` at which a new window is to go on.
    """

    wanted = Signal(object)

    def __init__(self, settings: LiveSettings, window: MainWindow, busy: Callable[[], bool]) -> None:
        """`busy`: something is in hand that a new window would not take up."""
        super().__init__(window)
        self._window, self._key, self.busy = window, "", busy
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._want)
        settings.changed.connect(self._changed)

    def _changed(self, key: str) -> None:
        if key in (LANGUAGE.key, SCALE.key):
            self._key = key
            self._rest.start()

    def _want(self) -> None:
        if self.busy():
            self._rest.start()
        else:
            self.wanted.emit(stand_of(self._window, self._key))
