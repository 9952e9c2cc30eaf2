"""Errors of storage, sorted into what the user must be told and what is our own mistake."""

import sqlite3

from browser_app.language import gettext as _
from browser_app.language import later


class StorageError(Exception):
    """Something outside the program is wrong (disk full, file broken, no right to write); `str()` is for the user.

    Attributes:
        remedy: what the user can do about it ("free some space"); empty where nothing is known.
        busy: another program is at the file just now, so that waiting may help.
    """

    def __init__(self, reason: str, remedy: str = "", *, busy: bool = False) -> None:
        super().__init__(reason)
        self.remedy = remedy
        self.busy = busy


_KNOWN = {
    sqlite3.SQLITE_BUSY: (later("the file is in use by another program"), later("end that program")),
    sqlite3.SQLITE_LOCKED: (later("the file is in use by another program"), later("end that program")),
    sqlite3.SQLITE_READONLY: (later("it may not be written"), later("allow writing to it")),
    sqlite3.SQLITE_IOERR: (later("the disk reports an error"), later("check the disk")),
    sqlite3.SQLITE_CORRUPT: (later("the file is damaged"), later("start this program again, which begins a new one")),
    sqlite3.SQLITE_NOTADB: (
        later("the file is no database"),
        later("start this program again, which begins a new one"),
    ),
    sqlite3.SQLITE_FULL: (later("the disk is full"), later("free some space")),
    sqlite3.SQLITE_CANTOPEN: (later("it cannot be opened"), later("allow reading and writing it")),
    sqlite3.SQLITE_PERM: (later("it may not be read"), later("allow reading and writing it")),
    sqlite3.SQLITE_NOMEM: (later("memory is short"), later("end other programs")),
}
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def primary_code(error: sqlite3.Error) -> int | None:
    """SQLite's primary result code, without the bits that tell variants apart."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def is_broken(error: sqlite3.Error) -> bool:
    """The file's content is damaged, so that no further try can help."""
    return primary_code(error) in _BROKEN


def known(error: sqlite3.Error) -> StorageError | None:
    """What to tell the user; None if the error is a mistake of the program (bad SQL, a broken constraint)."""
    code = primary_code(error) or -1
    if code not in _KNOWN:
        return None
    problem, remedy = _KNOWN[code]
    return StorageError(_("database: {problem}").format(problem=_(problem)), _(remedy), busy=code in _BUSY)
