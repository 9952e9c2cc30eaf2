"""Databases as a power failure may leave them.

A copy of the files during a write, cut off somewhere. When it is opened again, it is readable and has everything from
before the last start, or it was set aside with a notice; of the transactions since, a number of the first ones are
there and no later one.
"""

import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from browser_app.storage.database import DATABASE_FILE_NAME, Database, open_database

OLD, NEW = 400, 60
"""Notes from before the last start, and the transactions after it."""
WAL_NAME = f"{DATABASE_FILE_NAME}-wal"


@dataclass(frozen=True)
class TruncationResult:
    """What was found in a database that had been cut off."""

    kept: int
    """Transactions after the last start that are there."""
    set_aside: bool
    """Whether it was set aside, and the user is notified."""
    wrong: str
    """What is wrong; empty if nothing is."""


def make_database(folder: Path) -> Path:
    """Create the files of a killed program.

    Most rows are in the database, the last writes only in its log.
    """
    made, copy = folder / "made", folder / "killed"
    first = open_database(made)
    first.write(lambda connection: connection.executemany("INSERT INTO notes VALUES (?, 1, ?)", _notes("old", OLD)))
    first.close()
    second = open_database(made)
    for number in range(NEW):
        _add(second, number)
    copy.mkdir()
    for name in (DATABASE_FILE_NAME, WAL_NAME):
        shutil.copyfile(made / name, copy / name)
    second.close()
    return copy


def _notes(kind: str, count: int) -> Iterable[tuple[str, str]]:
    return ((f"{kind} {number}", f"{kind} note {number} " * 8) for number in range(count))


def _add(database: Database, number: int) -> None:
    """Add two rows in one transaction, so that a half one is noticed."""
    rows = [(f"new {number}", 1, "first half"), (f"new {number}", 2, "second half")]
    database.write(lambda connection: connection.executemany("INSERT INTO notes VALUES (?, ?, ?)", rows)).result()


def offsets(path: Path, step: int) -> Iterator[int]:
    """Return where to cut a file.

    Everywhere in its first and last 64 bytes, every `step` bytes, and around every page.
    """
    size = path.stat().st_size
    near = {at + by for at in range(0, size, 4096) for by in (-1, 0, 1, 24)}
    yield from sorted({*range(64), *range(size - 64, size), *range(0, size, step), *near} & set(range(size)))


def open_truncated(killed: Path, folder: Path, name: str, at: int) -> TruncationResult:
    """Cut one of the files off at a byte and open the database."""
    shutil.copytree(killed, folder)
    with (folder / name).open("r+b") as file:
        file.truncate(at)
    database = open_database(folder)
    try:
        return _check(database, folder)
    finally:
        database.close()
        shutil.rmtree(folder)


def _hosts(connection: sqlite3.Connection) -> list[str]:
    return [host for (host,) in connection.execute("SELECT host FROM notes ORDER BY rowid")]


def _check(database: Database, folder: Path) -> TruncationResult:
    hosts = database.read(_hosts)
    set_aside = any(folder.glob(f"{DATABASE_FILE_NAME}.broken-*"))
    old = sum(host.startswith("old") for host in hosts)
    kept = [host for host in hosts if host.startswith("new")]
    whole = [f"new {number}" for number in range(len(kept) // 2) for _ in range(2)]
    wrong = ""
    if set_aside:
        wrong = "" if database.notice and "damaged" in database.notice else "set aside without a notice"
    elif old != OLD:
        wrong = f"{OLD - old} old notes lost without a notice"
    elif kept != whole:
        wrong = "half a transaction, or one without those before it"
    database.write(lambda connection: connection.execute("INSERT INTO notes VALUES ('after', 3, '')")).result()
    return TruncationResult(len(kept) // 2, set_aside, wrong)
