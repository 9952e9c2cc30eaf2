"""Errors of requests to network services.

Includes texts for network errors of the operating system.
"""

import errno
from typing import Final

from browser_app.language import N_, gettext

INTERNAL_ERROR_TEXT: Final = N_("stopped by an internal error")
"""Reason given to the user where the cause is an exception that `internal_errors` has logged."""

_ERROR_TEXTS: Final = {
    errno.ENETUNREACH: N_("network unreachable"),
    errno.ENETDOWN: N_("network down"),
    errno.EHOSTUNREACH: N_("no route to host"),
    errno.EACCES: N_("permission denied"),
    errno.EPERM: N_("operation not permitted"),
    errno.ECONNREFUSED: N_("connection refused"),
    errno.ETIMEDOUT: N_("no answer"),
    errno.EADDRNOTAVAIL: N_("cannot assign requested address"),
}
"""Network errors; any other is shown with the system's message."""


class RequestError(Exception):
    """A request to a network service failed; `str()` is a message for the user."""


class UnknownHostError(RequestError):
    """A host name cannot be resolved.

    There is no such host, or no name server answers.
    """

    def __init__(self, host: str) -> None:
        super().__init__(gettext("host name {host} cannot be resolved").format(host=host))


class RequestTimeoutError(RequestError):
    """A request timed out; `str()` names what did not respond."""


def os_error_text(error: OSError, default: str) -> str:
    """Return the text of an error; `default` if the system has none."""
    words = _ERROR_TEXTS.get(error.errno or 0)
    return gettext(words) if words else (error.strerror or default).lower()
