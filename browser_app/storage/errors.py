"""Errors of storage, sorted into what the user must be told and what is our own mistake."""

import sqlite3


class StorageError(Exception):
    """Something outside the program is wrong (disk full, file broken, no right to write); `str()` is for the user.

    Attributes:
        remedy: what the user can do about it ("free some space"); empty where nothing is known.
    """

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.remedy = remedy


_KNOWN = {
    sqlite3.SQLITE_BUSY: ("the file is in use by another program", "end that program"),
    sqlite3.SQLITE_LOCKED: ("the file is in use by another program", "end that program"),
    sqlite3.SQLITE_READONLY: ("it may not be written", "allow writing to it"),
    sqlite3.SQLITE_IOERR: ("the disk reports an error", "check the disk"),
    sqlite3.SQLITE_CORRUPT: ("the file is damaged", "start this program again, which begins a new one"),
    sqlite3.SQLITE_NOTADB: ("the file is no database", "start this program again, which begins a new one"),
    sqlite3.SQLITE_FULL: ("the disk is full", "free some space"),
    sqlite3.SQLITE_CANTOPEN: ("it cannot be opened", "allow reading and writing it"),
    sqlite3.SQLITE_PERM: ("it may not be read", "allow reading and writing it"),
    sqlite3.SQLITE_NOMEM: ("memory is short", "end other programs"),
}
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
    told = _KNOWN.get(primary_code(error) or -1)
    return None if told is None else StorageError(f"database: {told[0]}", told[1])
