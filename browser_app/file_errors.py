"""Reasons of errors with files and folders, as texts for the user."""

import errno
import os
from typing import Final

from browser_app.language import N_, gettext

_REASONS: Final = {
    errno.ENOENT: N_("No such file or directory"),
    errno.EACCES: N_("Permission denied"),
    errno.EPERM: N_("Operation not permitted"),
    errno.ENOSPC: N_("No space left on device"),
    errno.EDQUOT: N_("Disk quota exceeded"),
    errno.EROFS: N_("Read-only file system"),
    errno.EIO: N_("Input/output error"),
    errno.EISDIR: N_("Is a directory"),
    errno.ENOTDIR: N_("Not a directory"),
    errno.ENAMETOOLONG: N_("File name too long"),
    errno.EMFILE: N_("Too many open files"),
}
"""The C library's messages (`strerror`) for common errors; Python gets them in English, whatever the language."""


def file_error_text(error: OSError) -> str:
    """Return why a file or folder could not be used.

    Common reasons are translated.
    """
    reason = error.strerror or str(error)
    if error.errno is not None and reason == os.strerror(error.errno):
        return gettext(_REASONS.get(error.errno, reason))
    return reason
