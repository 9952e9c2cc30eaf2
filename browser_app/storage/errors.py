"""Errors of storage, sorted into what the user must be told and what is our own mistake."""

import sqlite3


class StorageError(Exception):
    """Something outside the program is wrong (disk full, file broken, no right to write); `str()` is for the user."""


_KNOWN = {
    sqlite3.SQLITE_BUSY: "the file is in use by another program",
    sqlite3.SQLITE_LOCKED: "the file is in use by another program",
    sqlite3.SQLITE_READONLY: "it may not be written",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
    sqlite3.SQLITE_NOTADB: "the file is no database",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
    sqlite3.SQLITE_PERM: "it may not be read",
    sqlite3.SQLITE_NOMEM: "memory is short",
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
    reason = _KNOWN.get(primary_code(error) or -1)
    return None if reason is None else StorageError(f"database: {reason}")
