"""Free pages of the database's file.

SQLite keeps them for later rows, unless `incremental_vacuum` returns them to the file system.
"""

import sqlite3
from collections.abc import Callable

from browser_app.storage.database import Database

MAX_FREE_SHARE = 0.25
"""Share of free pages that a file keeps, so that it does not grow and shrink every hour."""
_PAGES_PER_TRANSACTION = 500
"""Some milliseconds of work."""


def shrink_file(database: Database, should_continue: Callable[[], bool] = lambda: True) -> None:
    """Return free pages to the file system if there are too many.

    Waits for the writer between short transactions, so call it from a worker thread. Has no effect on files that were
    created without `auto_vacuum`.

    Raises:
        StorageError: the file cannot be written.
    """
    pages, free_pages = database.write(_count_pages).result()
    while free_pages > pages * MAX_FREE_SHARE and should_continue():
        before = free_pages
        pages, free_pages = database.write(_release_pages).result()
        if free_pages >= before:
            return


def _release_pages(connection: sqlite3.Connection) -> tuple[int, int]:
    connection.execute(f"PRAGMA incremental_vacuum({_PAGES_PER_TRANSACTION})").fetchall()
    return _count_pages(connection)


def _count_pages(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the number of pages, and how many of them are free."""
    pages, free_pages = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count")
    )
    return pages, free_pages
