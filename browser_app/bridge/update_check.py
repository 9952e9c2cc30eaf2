"""Check for a newer version of the program."""

import logging
import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from browser_app import __version__
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.live_settings import LiveSettings
from browser_app.diagnostics import internal_errors
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.network.http_client import fetch_document
from browser_app.engine.network.request_errors import INTERNAL_ERROR_TEXT, RequestError
from browser_app.engine.network.url_redaction import redact_url
from browser_app.language import gettext as _
from browser_app.protocols.release_page import MAX_RELEASE_PAGE_BYTES, find_newest_release, parse_release_version
from browser_app.storage.setting_declarations import UPDATE_CHECK_URL
from browser_app.storage.ui_state import UiState

_log = logging.getLogger(__name__)


FIRST_CHECK_DELAY_MS = 10_000
"""Delay after the start, which a check must not slow down, and after a change of the address, which may not be
final.
"""
RECHECK_INTERVAL_MS = 3_600_000
REQUEST_LIMIT_MS = 20_000
DAY_S = 86_400.0
_RELEASES_STATE_KEY = "releases"


class UpdateChecker(QObject):
    """Checks a page for a newer version at most once a day.

    This holds whatever the result; without an address it never checks.

    Signals:
        news_changed: `news` differs.
        check_failed: why the newest version is unknown.
    """

    news_changed = Signal()
    check_failed = Signal(str)

    def __init__(
        self,
        settings: LiveSettings,
        ui_state: UiState,
        background: BackgroundTasks,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self._settings, self._ui_state, self._background, self._clock = settings, ui_state, background, clock
        self._cancel_token = CancelToken()
        self._limit_timer = QTimer(self, singleShot=True, interval=REQUEST_LIMIT_MS)
        self._limit_timer.timeout.connect(self._cancel)
        self._check_timer = QTimer(self, singleShot=True)
        self._check_timer.timeout.connect(self.check)
        self.news = ""
        """A sentence about a newer version; "" while none is known."""

    def start(self) -> None:
        """Show what is known and, where an address is set, check soon and regularly."""
        self._settings.changed.connect(self._on_setting_changed)
        self._schedule_check()

    def check(self) -> None:
        """Check if the last one is a day ago."""
        address = self._settings.get(UPDATE_CHECK_URL)
        if not address:
            return
        self._check_timer.start(RECHECK_INTERVAL_MS)
        if 0 <= self._clock() - self._last_check(address)[0] < DAY_S:
            return
        self._save_check(address, "")
        self._cancel()  # a check of another address may be running
        self._cancel_token = CancelToken()
        self._limit_timer.start()
        fetch = partial(_fetch_newest_version, address, self._cancel_token)
        self._background.run(fetch, partial(self._on_answer, address))

    def close(self) -> None:
        """Cancel the check and the timers."""
        self._cancel()
        self._limit_timer.stop()
        self._check_timer.stop()

    def _cancel(self) -> None:
        self._cancel_token.cancel()

    def _on_setting_changed(self, key: str) -> None:
        if key == UPDATE_CHECK_URL.key:
            self._schedule_check()

    def _schedule_check(self) -> None:
        self._update_news()
        if self._settings.get(UPDATE_CHECK_URL):
            self._check_timer.start(FIRST_CHECK_DELAY_MS)
        else:
            self._check_timer.stop()

    def _on_answer(self, address: str, answer: tuple[str, str]) -> None:
        if address != self._settings.get(UPDATE_CHECK_URL):
            return
        self._limit_timer.stop()
        newest, problem = answer
        if newest:
            self._save_check(address, newest)
            self._update_news()
        else:
            _log.info("Update check: %s", problem)
            self.check_failed.emit(problem)

    def _update_news(self) -> None:
        newest = self._last_check(self._settings.get(UPDATE_CHECK_URL))[1]
        newest_version, own_version = parse_release_version(newest), parse_release_version(__version__)
        is_newer = newest_version is not None and own_version is not None and newest_version > own_version
        sentence = _("Version {newest} is available; you have {own}")
        news = sentence.format(newest=newest, own=__version__) if is_newer else ""
        if news != self.news:
            self.news = news
            self.news_changed.emit()

    def _last_check(self, address: str) -> tuple[float, str]:
        """Return the Unix time (s) of the last check of this address, and its result.

        Another process may have saved them.
        """
        match self._ui_state.get(_RELEASES_STATE_KEY):
            case {"address": str(asked), "at": int() | float() as at, "newest": str(newest)} if (
                address and asked == address
            ):
                return float(at), newest
        return -DAY_S, ""

    def _save_check(self, address: str, newest: str) -> None:
        newest = newest or self._last_check(address)[1]
        self._ui_state.set(_RELEASES_STATE_KEY, {"address": address, "at": self._clock(), "newest": newest})


def _fetch_newest_version(address: str, cancel_token: CancelToken) -> tuple[str, str]:
    """Return the newest version, and why it is unknown; one of them is ""."""
    try:
        newest = find_newest_release(fetch_document(address, cancel_token, max_bytes=MAX_RELEASE_PAGE_BYTES).body)
    except RequestError as error:
        return "", str(error) if not cancel_token.is_cancelled else _("no answer")
    except Exception:  # noqa: BLE001 (our own bug with one page must not end the checks)
        internal_errors.report("checking for a newer version", redact_url(address))
        return "", _(INTERNAL_ERROR_TEXT)
    return newest or "", _("no version found on the page")
