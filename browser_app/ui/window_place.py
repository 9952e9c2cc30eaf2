"""Where the window stands on the screen, and how large: kept from run to run."""

from PySide6.QtCore import QByteArray, QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from browser_app.storage.kept import Kept

_KEPT = "window"
_REST_MS = 700


class WindowPlace(QObject):
    """Watches one window."""

    def __init__(self, window: QWidget, kept: Kept) -> None:
        super().__init__(window)
        self._window, self._kept = window, kept
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self.save)
        window.installEventFilter(self)

    def restore(self) -> None:
        """Where it was last time; Qt keeps it on a screen that is there."""
        kept = self._kept.get(_KEPT)
        if isinstance(kept, str):
            self._window.restoreGeometry(QByteArray.fromBase64(kept.encode("ascii", "replace")))

    def save(self) -> None:
        """Keep the place it has now."""
        self._rest.stop()
        self._kept.put(_KEPT, self._window.saveGeometry().toBase64().toStdString())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """It moved: keep that when it rests."""
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize) and self._window.isVisible():
            self._rest.start()
        return super().eventFilter(watched, event)
