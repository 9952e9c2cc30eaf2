"""Questions to web services about the user: few of them, each noted, none to anybody else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


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
"""Gets a document; raises FetchError."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question that was asked, as the user is told of it."""

    time: float
    """Unix time, s."""
    host: str
    what: str
    answer: str
    """In a few words: what came, or why nothing did."""
