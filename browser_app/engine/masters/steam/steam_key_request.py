"""The user's Steam Web API key, requested once per poll."""

import threading
from collections.abc import Callable
from concurrent.futures import Future

from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.network.request_errors import RequestError, RequestTimeoutError
from browser_app.language import N_, gettext

SteamKeyGetter = Callable[[], str | None]

SECRET_STORE_TIMEOUT_TEXT = N_("the keyring did not respond")


class SteamKeyMissingError(RequestError):
    """A master needs a Steam Web API key and the user has none."""


class SteamKeyRequest:
    """Requests the key at most once, in its own thread.

    A keyring that waits to be unlocked cannot be interrupted. The thread ends when the keyring responds; it holds no
    resources and does not block exit.
    """

    def __init__(self, get_key: SteamKeyGetter) -> None:
        self._get_key = get_key
        self._lock = threading.Lock()
        self._future: Future[str | None] | None = None

    def get(self, cancel_token: CancelToken) -> str | None:
        """Return the key, None if there is none.

        Raises:
            RequestTimeoutError: `cancel_token` was cancelled before the keyring responded.
        """
        future = self._request_once()
        woken = threading.Event()
        future.add_done_callback(lambda _: woken.set())
        with cancel_token.calling_on_cancel(woken.set):
            woken.wait()
        if not future.done():
            raise RequestTimeoutError(gettext(SECRET_STORE_TIMEOUT_TEXT))
        return future.result()

    def _request_once(self) -> Future[str | None]:
        with self._lock:
            if self._future is None:
                self._future = Future()
                threading.Thread(target=self._request, args=(self._future,), name="secret store", daemon=True).start()
            return self._future

    def _request(self, future: Future[str | None]) -> None:
        try:
            future.set_result(self._get_key())
        except Exception as error:  # noqa: BLE001 - raised again in the threads that wait for the key
            future.set_exception(error)
