"""Rate-limited and logged requests to web services."""

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlsplit

from browser_app.language import gettext as _
from browser_app.language import ngettext

_T = TypeVar("_T")

MAX_REQUESTS, WINDOW_S = 6, 600.0
"""Maximum number of requests to a host within a time."""
BACKOFF_S = 3600.0
"""Pause after a host has answered "too many requests"."""
TOO_MANY_REQUESTS = 429


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """One request."""

    url: str
    """Without the query."""
    query: Mapping[str, str]
    """Not percent-encoded."""
    subject: str
    """What is asked for, in a few words for the user."""
    secret: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Further query values for that host only: never logged, shown in errors, or sent to another host."""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        """Host of the URL."""
        return urlsplit(self.url).hostname or ""


class FetchError(Exception):
    """There was no usable response.

    `str()` says why, for the user, without any part of a query.

    Attributes:
        status: the HTTP status, None if there was none.
        body: the beginning of the response.
    """

    def __init__(self, reason: str, status: int | None = None, body: bytes = b"") -> None:
        super().__init__(reason)
        self.status, self.body = status, body


FetchFunction = Callable[[FetchRequest], bytes]
"""Downloads a document; raises FetchError. May be called by several threads."""


class SkillSourceError(Exception):
    """A source returned no skill; `str()` says why, for the user."""


class RateLimitError(SkillSourceError):
    """The host's limit is reached, so nothing was sent.

    Attributes:
        wait_s: time until the host may be queried again.
    """

    def __init__(self, wait_s: float) -> None:
        super().__init__(_format_rate_limit(wait_s))
        self.wait_s = wait_s


RequestLogger = Callable[[float, str, str, str], object]
"""Logs a finished request: its time (Unix time, s), host and subject, and the answer in a few words, or its error."""


class RateLimitedFetcher:
    """The only access to web services, for use in any thread.

    Every request is logged, and no host gets too many.
    """

    def __init__(self, fetch: FetchFunction, log: RequestLogger, clock: Callable[[], float] = time.time) -> None:
        """`log` is called for each finished request, in the thread that made it."""
        self._fetch, self._log, self._clock = fetch, log, clock
        self._lock = threading.Lock()
        self._recent: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=MAX_REQUESTS))
        self._blocked_until: dict[str, float] = {}

    def fetch(
        self,
        request: FetchRequest,
        parse: Callable[[bytes], _T],
        format_result: Callable[[_T], str],
        format_error: Callable[[FetchError], str] = str,
    ) -> _T:
        """Send a request and parse the response.

        Raises:
            RateLimitError: the host's limit is reached, which is not logged.
            SkillSourceError: there is no result.
        """
        self._check_rate_limit(request.host)
        answer = ""
        try:
            result = parse(self._fetch(request))
            answer = format_result(result)
        except FetchError as error:
            if error.status == TOO_MANY_REQUESTS:
                with self._lock:
                    self._blocked_until[request.host] = self._clock() + BACKOFF_S
            answer = format_error(error)
            raise SkillSourceError(answer) from None
        except SkillSourceError as error:
            answer = str(error)
            raise
        finally:
            self._log(self._clock(), request.host, request.subject, answer or _("no answer"))
        return result

    def _check_rate_limit(self, host: str) -> None:
        now = self._clock()
        with self._lock:
            recent_times = self._recent[host]
            free_at = max(
                recent_times[0] + WINDOW_S if len(recent_times) == MAX_REQUESTS else 0.0,
                self._blocked_until.get(host, 0.0),
            )
            # The second bound keeps a clock that was set back from blocking requests for years.
            if now < free_at <= now + max(WINDOW_S, BACKOFF_S):
                raise RateLimitError(free_at - now)
            recent_times.append(now)


def _format_rate_limit(wait_s: float) -> str:
    minutes = max(1, round(wait_s / 60))
    message = ngettext(
        "Too many requests; try again in {n} minute.", "Too many requests; try again in {n} minutes.", minutes
    )
    return message.format(n=minutes)
