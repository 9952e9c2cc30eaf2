"""The user's Steam key for all masters of a poll, from a store that may wait for its user."""

import threading
from collections.abc import Callable
from concurrent.futures import Future

from browser_app.engine.delivery import MasterLate
from browser_app.engine.stop import Stop
from browser_app.language import gettext, later

SteamKey = Callable[[], str | None]

NO_ANSWER = later("the secret store did not answer")


class KeyOnce:
    """Asks the store at most once, in a thread of its own: nothing can interrupt a store that waits to be unlocked.

    That thread ends when the store answers; it holds nothing and keeps nothing from ending.
    """

    def __init__(self, ask: SteamKey) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._answer: Future[str | None] | None = None

    def get(self, stop: Stop) -> str | None:
        """The key, or None where there is none.

        Raises:
            MasterLate: `stop` was set before the store answered.
        """
        answer = self._asked()
        woken = threading.Event()
        answer.add_done_callback(lambda _: woken.set())
        with stop.waking(woken.set):
            woken.wait()
        if not answer.done():
            raise MasterLate(gettext(NO_ANSWER))
        return answer.result()

    def _asked(self) -> Future[str | None]:
        with self._lock:
            if self._answer is None:
                self._answer = Future()
                threading.Thread(target=self._run, args=(self._answer,), name="secret store", daemon=True).start()
            return self._answer

    def _run(self, answer: Future[str | None]) -> None:
        try:
            answer.set_result(self._ask())
        except Exception as error:  # noqa: BLE001 - it is raised again in the threads that wait for the key
            answer.set_exception(error)
