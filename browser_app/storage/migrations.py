"""The database's tables: numbered steps from an empty file to the present form.

A file's version is major.minor, kept in SQLite's `user_version` as `major << 16 | minor`. The minor number counts the
steps; older programs can read and write files of a newer minor version, because steps only add. A change that they
could not live with raises the major number, and older programs leave such a file alone.
"""

import sqlite3

from browser_app.storage.errors import StorageError

MAJOR = 1

STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE known_servers (
            host TEXT NOT NULL, port INTEGER NOT NULL, protocol TEXT NOT NULL, game TEXT,
            ping_ms REAL, last_answer REAL NOT NULL, facts TEXT NOT NULL,
            PRIMARY KEY (host, port)) WITHOUT ROWID""",
        """CREATE TABLE favourites (
            host TEXT NOT NULL, port INTEGER NOT NULL, protocol TEXT, game TEXT, stable_key TEXT,
            name TEXT NOT NULL, added_at REAL NOT NULL,
            PRIMARY KEY (host, port)) WITHOUT ROWID""",
        """CREATE TABLE joins (
            id INTEGER PRIMARY KEY, joined_at REAL NOT NULL, left_at REAL,
            host TEXT NOT NULL, port INTEGER NOT NULL, protocol TEXT, game TEXT, name TEXT NOT NULL, map TEXT NOT NULL,
            players INTEGER, ping_ms REAL, score REAL, why TEXT NOT NULL)""",
        "CREATE INDEX joins_by_address ON joins (host, port, joined_at)",
        """CREATE TABLE blocked (
            kind TEXT NOT NULL, value TEXT NOT NULL, added_at REAL NOT NULL,
            PRIMARY KEY (kind, value))""",
        "CREATE TABLE passwords_saved (host TEXT NOT NULL, port INTEGER NOT NULL, PRIMARY KEY (host, port))",
        "CREATE TABLE notes (host TEXT NOT NULL, port INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (host, port))",
    ),
    (
        """CREATE TABLE sampled (
            id INTEGER PRIMARY KEY, host TEXT NOT NULL, port INTEGER NOT NULL, UNIQUE (host, port))""",
        """CREATE TABLE samples (
            span INTEGER NOT NULL, server INTEGER NOT NULL, time INTEGER NOT NULL,
            asked INTEGER NOT NULL, answered INTEGER NOT NULL,
            players REAL, low INTEGER, high INTEGER, bots REAL, ping_ms REAL,
            PRIMARY KEY (span, server, time)) WITHOUT ROWID""",
    ),
    (
        "CREATE TABLE kept (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE saved_filters (name TEXT PRIMARY KEY, expression TEXT NOT NULL, place INTEGER NOT NULL)",
    ),
    (
        """CREATE TABLE launch_settings (
            host TEXT NOT NULL, port INTEGER NOT NULL, arguments TEXT NOT NULL, PRIMARY KEY (host, port))""",
    ),
    (
        """CREATE TABLE friends (
            kind TEXT NOT NULL, value TEXT NOT NULL, team TEXT NOT NULL, added_at REAL NOT NULL,
            PRIMARY KEY (kind, value))""",
        """CREATE TABLE alerts (
            host TEXT NOT NULL, port INTEGER NOT NULL, kind TEXT NOT NULL, players INTEGER NOT NULL,
            name TEXT NOT NULL, added_at REAL NOT NULL, PRIMARY KEY (host, port, kind))""",
    ),
)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to the present version, each step whole or not at all.

    Raises:
        StorageError: the file was made by a newer program.
        sqlite3.Error: it cannot be read or written.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    major, minor = version >> 16, version & 0xFFFF
    if version and major != MAJOR:
        raise StorageError(f"database: made by a newer Ready Room (version {major}.{minor}), left as it is")
    for number, step in enumerate(STEPS[minor:], minor + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            (now,) = connection.execute("PRAGMA user_version").fetchone()
            if now & 0xFFFF >= number:  # another program that started with us has done it meanwhile
                connection.execute("ROLLBACK")
                continue
            for statement in step:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {MAJOR << 16 | number}")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
