"""Why the system would not do something, in words for the user."""

import errno
from typing import Final

from browser_app.language import gettext, later

NOBODY_LISTENS: Final = later("nobody listens there")
_WORDS: Final = {
    errno.ENETUNREACH: later("network is unreachable"),
    errno.ENETDOWN: later("network is down"),
    errno.EHOSTUNREACH: later("no route to host"),
    errno.EACCES: later("permission denied"),
    errno.EPERM: later("operation not permitted"),
    errno.ECONNREFUSED: NOBODY_LISTENS,
    errno.ETIMEDOUT: later("no answer"),
    errno.EADDRNOTAVAIL: later("cannot assign requested address"),
}
"""Those that a network has; any other is told in the system's own words."""


def in_words(error: OSError, otherwise: str) -> str:
    """What went wrong; `otherwise`, where the system has no words for it."""
    words = _WORDS.get(error.errno or 0)
    return gettext(words) if words else (error.strerror or otherwise).lower()
