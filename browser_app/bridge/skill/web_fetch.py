"""The questions about the user, sent over the network: bounded in time and size, and ended at once when told."""

import threading
from urllib.parse import urlencode

from browser_app.engine.delivery import MasterError
from browser_app.engine.http_get import StatusError, get
from browser_app.engine.stop import Stop
from browser_app.language import gettext as _
from browser_app.player.asking import FetchError, Question

DEADLINE_S = 20.0
MAX_BYTES = 1 << 20


class WebFetch:
    """Fetches answers, in whatever thread. Nothing is sent any more once `stop` is set."""

    def __init__(self, stop: Stop, deadline_s: float = DEADLINE_S) -> None:
        self._stop, self._deadline_s = stop, deadline_s

    def __call__(self, question: Question) -> bytes:
        """The answer.

        Raises:
            FetchError: there is none.
        """
        url = f"{question.url}?{urlencode(question.query)}"
        over = Stop()
        timer = threading.Timer(self._deadline_s, over.set)
        timer.start()
        try:
            with self._stop.waking(over.set):
                return get(url, over, secret=question.secret, headers=question.headers, max_bytes=MAX_BYTES).body
        except StatusError as error:
            raise FetchError(str(error), error.status, error.body) from None
        except MasterError as error:
            late = over.is_set and not self._stop.is_set
            why = _("no answer within {n} s").format(n=f"{self._deadline_s:g}") if late else str(error)
            raise FetchError(why) from None
        finally:
            timer.cancel()
            timer.join()
