"""Whether there is a newer version: asked of one web page when the user has named it, and only ever told."""

import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from browser_app import __version__
from browser_app.bridge.background import Background
from browser_app.bridge.live_settings import LiveSettings
from browser_app.engine.delivery import MasterError
from browser_app.engine.http_get import get
from browser_app.engine.stop import Stop
from browser_app.language import gettext as _
from browser_app.protocols.releases import MAX_BYTES, newest_version, version_numbers
from browser_app.storage.declared import RELEASES
from browser_app.storage.kept import Kept

SOON_MS = 10_000
"""After the start, which it must not slow down, and after a change, which may not be the last."""
LATER_MS = 3_600_000
LIMIT_MS = 20_000
DAY_S = 86_400.0
_KEPT = "releases"


class UpdateCheck(QObject):
    """Kept true: without an address nobody is asked, with one at most once a day, whatever came of it.

    Signals:
        changed: `news` is another.
        failed: the page does not say what the newest version is, and why.
    """

    changed = Signal()
    failed = Signal(str)

    def __init__(
        self, settings: LiveSettings, kept: Kept, background: Background, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__()
        self._settings, self._kept, self._background, self._clock = settings, kept, background, clock
        self._stop = Stop()
        self._limit = QTimer(self, singleShot=True, interval=LIMIT_MS)
        self._limit.timeout.connect(self._break_off)
        self._next = QTimer(self, singleShot=True)
        self._next.timeout.connect(self.look)
        self.news = ""
        """That there is a newer version, in a sentence; empty while none is known."""

    def start(self) -> None:
        """Tell what is known and, where an address is named, look soon and go on looking."""
        self._settings.changed.connect(self._changed)
        self._begin()

    def look(self) -> None:
        """Ask if that is due."""
        address = self._settings.get(RELEASES)
        if not address:
            return
        self._next.start(LATER_MS)
        if 0 <= self._clock() - self._last(address)[0] < DAY_S:
            return
        self._keep(address, "")
        self._break_off()  # another address may be asked still
        self._stop = Stop()
        self._limit.start()
        self._background.run(partial(_ask, address, self._stop), partial(self._answered, address))

    def close(self) -> None:
        """Nobody is asked any more."""
        self._break_off()
        self._limit.stop()
        self._next.stop()

    def _break_off(self) -> None:
        self._stop.set()

    def _changed(self, key: str) -> None:
        if key == RELEASES.key:
            self._begin()

    def _begin(self) -> None:
        self._tell()
        if self._settings.get(RELEASES):
            self._next.start(SOON_MS)
        else:
            self._next.stop()

    def _answered(self, address: str, answer: tuple[str, str]) -> None:
        if address != self._settings.get(RELEASES):
            return
        self._limit.stop()
        newest, problem = answer
        if newest:
            self._keep(address, newest)
            self._tell()
        else:
            self.failed.emit(problem)

    def _tell(self) -> None:
        newest = self._last(self._settings.get(RELEASES))[1]
        numbers, own = version_numbers(newest), version_numbers(__version__)
        newer = numbers is not None and own is not None and numbers > own
        words = _("Version {newest} is there; this is {own}")
        news = words.format(newest=newest, own=__version__) if newer else ""
        if news != self.news:
            self.news = news
            self.changed.emit()

    def _last(self, address: str) -> tuple[float, str]:
        """When this address was asked last and the newest version it named; another program may have written it."""
        match self._kept.get(_KEPT):
            case {"address": str(asked), "at": int() | float() as at, "newest": str(newest)} if (
                address and asked == address
            ):
                return float(at), newest
        return -DAY_S, ""

    def _keep(self, address: str, newest: str) -> None:
        newest = newest or self._last(address)[1]
        self._kept.put(_KEPT, {"address": address, "at": self._clock(), "newest": newest})


def _ask(address: str, stop: Stop) -> tuple[str, str]:
    """The newest version, or why that is not known."""
    try:
        newest = newest_version(get(address, stop, max_bytes=MAX_BYTES).body)
    except MasterError as error:
        return "", str(error) if not stop.is_set else _("no answer")
    return newest or "", _("the page names no version")
