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
"""So many questions a host is asked in so many seconds."""
BACKOFF_S = 3600.0
"""So long a host is left alone that says it was asked too often."""
TOO_MANY_REQUESTS = 429


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """What is to be got."""

    url: str
    """Without a query."""
    query: Mapping[str, str]
    """Not yet percent-encoded."""
    purpose: str
    """What is asked, in a few words for the user."""
    secret: Mapping[str, str] = field(default_factory=dict, repr=False)
    """More of the query, which nobody but that host may see: no log, no error, no other host."""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        """Who is asked."""
        return urlsplit(self.url).hostname or ""


class FetchError(Exception):
    """No answer came; `str()` tells the user why, without any part of a query.

    Attributes:
        status: the HTTP status, None where there was none.
        body: the beginning of what came with it.
    """

    def __init__(self, reason: str, status: int | None = None, body: bytes = b"") -> None:
        super().__init__(reason)
        self.status, self.body = status, body


FetchFunction = Callable[[FetchRequest], bytes]
"""Gets a document; raises FetchError. May be called by several threads."""


class SkillSourceError(Exception):
    """A source told nothing; `str()` tells the user why."""


@dataclass(frozen=True, slots=True)
class FetchLogEntry:
    """One question that was asked, as the user is told of it."""

    time: float
    """Unix time, s."""
    host: str
    purpose: str
    result_text: str
    """In a few words: what came, or why nothing did."""


class RateLimitedFetcher:
    """The one way to web services. Kept true: nothing is asked that is not noted, and no host is asked too often.

    Any thread may ask.
    """

    def __init__(
        self, fetch: FetchFunction, log: Callable[[FetchLogEntry], object], clock: Callable[[], float] = time.time
    ) -> None:
        """`log` is told of each question when it is over, in the thread that asked."""
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
        """Ask, and read the answer.

        Args:
            request: what is asked.
            parse: from the document to what it tells; raises `SkillSourceError` for one that tells nothing.
            format_result: the same in a few words, for the note.
            format_error: what to tell the user where no document came.

        Raises:
            SourceError: nothing was told, or the host may not be asked yet, which is not noted.
        """
        self._check_rate_limit(request.host)
        told = ""
        try:
            answer = parse(self._fetch(request))
            told = format_result(answer)
        except FetchError as error:
            if error.status == TOO_MANY_REQUESTS:
                with self._lock:
                    self._blocked_until[request.host] = self._clock() + BACKOFF_S
            told = format_error(error)
            raise SkillSourceError(told) from None
        except SkillSourceError as error:
            told = str(error)
            raise
        finally:
            self._log(FetchLogEntry(self._clock(), request.host, request.purpose, told or _("no answer")))
        return answer

    def _check_rate_limit(self, host: str) -> None:
        now = self._clock()
        with self._lock:
            recent = self._recent[host]
            free = max(recent[0] + WINDOW_S if len(recent) == MAX_REQUESTS else 0.0, self._blocked_until.get(host, 0.0))
            # A clock that was set back must not make anybody wait for years.
            if now < free <= now + max(WINDOW_S, BACKOFF_S):
                raise SkillSourceError(_rate_limit_text(free - now))
            recent.append(now)


def _rate_limit_text(wait_s: float) -> str:
    minutes = max(1, round(wait_s / 60))
    words = ngettext(
        "Too many requests; try again in {n} minute.", "Too many requests; try again in {n} minutes.", minutes
    )
    return words.format(n=minutes)
