"""The user's Steam Web API key, requested once per poll."""

import threading
from collections.abc import Callable
from concurrent.futures import Future

from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.masters.target_sink import MasterTimeoutError
from browser_app.language import N_, gettext

SteamKeyGetter = Callable[[], str | None]

SECRET_STORE_TIMEOUT_TEXT = N_("the keyring did not respond")


class SteamKeyRequest:
    """Asks the store at most once, in a thread of its own: nothing can interrupt a store that waits to be unlocked.

    That thread ends when the store answers; it holds nothing and keeps nothing from ending.
    """

    def __init__(self, get_key: SteamKeyGetter) -> None:
        self._get_key = get_key
        self._lock = threading.Lock()
        self._future: Future[str | None] | None = None

    def get(self, cancel_token: CancelToken) -> str | None:
        """The key, or None where there is none.

        Raises:
            MasterLate: `cancel_token` was set before the store answered.
        """
        answer = self._request_once()
        woken = threading.Event()
        answer.add_done_callback(lambda _: woken.set())
        with cancel_token.calling_on_cancel(woken.set):
            woken.wait()
        if not answer.done():
            raise MasterTimeoutError(gettext(SECRET_STORE_TIMEOUT_TEXT))
        return answer.result()

    def _request_once(self) -> Future[str | None]:
        with self._lock:
            if self._future is None:
                self._future = Future()
                threading.Thread(target=self._request, args=(self._future,), name="secret store", daemon=True).start()
            return self._future

    def _request(self, answer: Future[str | None]) -> None:
        try:
            answer.set_result(self._get_key())
        except Exception as error:  # noqa: BLE001 - it is raised again in the threads that wait for the key
            answer.set_exception(error)
