"""Questions to web services about the user: few of them, each noted, none to anybody else."""

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

MOST, WITHIN_S = 6, 600.0
"""So many questions a host is asked in so many seconds."""
REST_S = 3600.0
"""So long a host is left alone that says it was asked too often."""
TOO_MANY_REQUESTS = 429


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be got."""

    url: str
    """Without a query."""
    query: Mapping[str, str]
    """Not yet percent-encoded."""
    what: str
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


Fetch = Callable[[Question], bytes]
"""Gets a document; raises FetchError. May be called by several threads."""


class SourceError(Exception):
    """A source told nothing; `str()` tells the user why."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question that was asked, as the user is told of it."""

    time: float
    """Unix time, s."""
    host: str
    what: str
    answer: str
    """In a few words: what came, or why nothing did."""


class Asking:
    """The one way to web services. Kept true: nothing is asked that is not noted, and no host is asked too often.

    Any thread may ask.
    """

    def __init__(self, fetch: Fetch, note: Callable[[Asked], object], clock: Callable[[], float] = time.time) -> None:
        """`note` is told of each question when it is over, in the thread that asked."""
        self._fetch, self._note, self._clock = fetch, note, clock
        self._lock = threading.Lock()
        self._recent: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=MOST))
        self._rests_until: dict[str, float] = {}

    def ask(
        self,
        question: Question,
        read: Callable[[bytes], _T],
        in_words: Callable[[_T], str],
        why: Callable[[FetchError], str] = str,
    ) -> _T:
        """Ask, and read the answer.

        Args:
            question: what is asked.
            read: from the document to what it tells; raises `SourceError` for one that tells nothing.
            in_words: the same in a few words, for the note.
            why: what to tell the user where no document came.

        Raises:
            SourceError: nothing was told, or the host may not be asked yet, which is not noted.
        """
        self._admit(question.host)
        told = ""
        try:
            answer = read(self._fetch(question))
            told = in_words(answer)
        except FetchError as error:
            if error.status == TOO_MANY_REQUESTS:
                with self._lock:
                    self._rests_until[question.host] = self._clock() + REST_S
            told = why(error)
            raise SourceError(told) from None
        except SourceError as error:
            told = str(error)
            raise
        finally:
            self._note(Asked(self._clock(), question.host, question.what, told or _("no answer")))
        return answer

    def _admit(self, host: str) -> None:
        now = self._clock()
        with self._lock:
            recent = self._recent[host]
            free = max(recent[0] + WITHIN_S if len(recent) == MOST else 0.0, self._rests_until.get(host, 0.0))
            # A clock that was set back must not make anybody wait for years.
            if now < free <= now + max(WITHIN_S, REST_S):
                raise SourceError(_too_soon(free - now))
            recent.append(now)


def _too_soon(wait_s: float) -> str:
    minutes = max(1, round(wait_s / 60))
    words = ngettext("Asked often enough; again in {n} minute.", "Asked often enough; again in {n} minutes.", minutes)
    return words.format(n=minutes)
