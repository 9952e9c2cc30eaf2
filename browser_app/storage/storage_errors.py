"""Storage errors, divided into messages for the user and programming errors."""

import sqlite3

from browser_app.language import N_
from browser_app.language import gettext as _


class StorageError(Exception):
    """An error outside the program (disk full, file broken, no permission).

    `str()` is for the user.

    Attributes:
        remedy: what the user can do about it ("free some space"); empty if unknown.
        is_busy: another program is using the file, so waiting may help.
    """

    def __init__(self, reason: str, remedy: str = "", *, is_busy: bool = False) -> None:
        super().__init__(reason)
        self.remedy = remedy
        self.is_busy = is_busy


class DatabaseClosedError(RuntimeError):
    """A write after the database was closed."""


_USER_MESSAGES = {
    sqlite3.SQLITE_BUSY: (N_("the file is in use by another program"), N_("close that program")),
    sqlite3.SQLITE_LOCKED: (N_("the file is in use by another program"), N_("close that program")),
    sqlite3.SQLITE_READONLY: (N_("the file is read-only"), N_("allow write access")),
    sqlite3.SQLITE_IOERR: (N_("the disk reported an error"), N_("check the disk")),
    sqlite3.SQLITE_CORRUPT: (N_("the file is damaged"), N_("restart Ready Room, which creates a new one")),
    sqlite3.SQLITE_NOTADB: (N_("the file is not a database"), N_("restart Ready Room, which creates a new one")),
    sqlite3.SQLITE_FULL: (N_("the disk is full"), N_("free some space")),
    sqlite3.SQLITE_CANTOPEN: (N_("the file cannot be opened"), N_("allow read and write access")),
    sqlite3.SQLITE_PERM: (N_("no permission to read the file"), N_("allow read and write access")),
    sqlite3.SQLITE_NOMEM: (N_("not enough memory"), N_("close other programs")),
}
_BUSY_CODES = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_CORRUPT_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def get_primary_code(error: sqlite3.Error) -> int | None:
    """Return SQLite's primary result code, without the bits of the extended code."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def is_corrupt(error: sqlite3.Error) -> bool:
    """Return True if the file's content is damaged, so that retrying is useless."""
    return get_primary_code(error) in _CORRUPT_CODES


def convert_sqlite_error(error: sqlite3.Error) -> StorageError | None:
    """Return the error for the user, None for a programming error.

    Programming errors are bad SQL and violated constraints.
    """
    code = get_primary_code(error) or -1
    if code not in _USER_MESSAGES:
        return None
    problem, remedy = _USER_MESSAGES[code]
    return StorageError(_("database: {problem}").format(problem=_(problem)), _(remedy), is_busy=code in _BUSY_CODES)
