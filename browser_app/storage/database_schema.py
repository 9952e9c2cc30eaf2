"""Tables of the database and their migrations.

A file's version is major.minor, kept in SQLite's `user_version` as `major << 16 | minor`. The minor number counts the
steps; older programs can read and write files of a newer minor version, because steps only add. A change that they
could not live with raises the major number, and older programs leave such a file alone.
"""

import sqlite3

from browser_app.language import gettext as _
from browser_app.storage.storage_errors import StorageError

SCHEMA_MAJOR = 1

MIGRATIONS: tuple[tuple[str, ...], ...] = (
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
    (
        # A number is never given twice, so that the last one tells what a record holds.
        """CREATE TABLE rounds (
            number INTEGER PRIMARY KEY AUTOINCREMENT, content BLOB NOT NULL UNIQUE, id TEXT NOT NULL UNIQUE,
            game TEXT NOT NULL, server TEXT, approximate INTEGER NOT NULL, object BLOB NOT NULL)""",
        "CREATE INDEX rounds_by_game ON rounds (game)",
        """CREATE TABLE round_files (
            number INTEGER PRIMARY KEY, file TEXT NOT NULL UNIQUE, format TEXT NOT NULL, read_at REAL NOT NULL)""",
        """CREATE TABLE rounds_of_files (
            round INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (round, file)) WITHOUT ROWID""",
        "CREATE INDEX rounds_by_file ON rounds_of_files (file)",
        "CREATE TABLE ratings_cache (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
        """CREATE TABLE identities (
            game TEXT NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL, added_at REAL NOT NULL,
            PRIMARY KEY (game, kind, value))""",
        """CREATE TABLE skill_samples (
            id INTEGER PRIMARY KEY, source TEXT NOT NULL, game TEXT NOT NULL, identity TEXT NOT NULL,
            since REAL NOT NULL, until REAL NOT NULL, told TEXT NOT NULL)""",
        "CREATE INDEX skill_samples_by_identity ON skill_samples (source, game, identity, until)",
        "CREATE TABLE watched_folders (folder TEXT PRIMARY KEY, added_at REAL NOT NULL) WITHOUT ROWID",
        """CREATE TABLE watched_files (
            file TEXT PRIMARY KEY, size INTEGER NOT NULL, modified_ns INTEGER NOT NULL, problem TEXT) WITHOUT ROWID""",
        """CREATE TABLE asked (
            id INTEGER PRIMARY KEY, time REAL NOT NULL, host TEXT NOT NULL, what TEXT NOT NULL,
            answer TEXT NOT NULL)""",
    ),
    (
        # What tellings of one round are found by; a telling that is not read names the better one.
        "ALTER TABLE rounds ADD COLUMN map TEXT",
        "ALTER TABLE rounds ADD COLUMN started REAL",
        "ALTER TABLE rounds ADD COLUMN duration REAL",
        "ALTER TABLE rounds ADD COLUMN undated INTEGER",
        "ALTER TABLE rounds ADD COLUMN better INTEGER",
        "CREATE INDEX rounds_by_start ON rounds (game, started)",
        "CREATE INDEX rounds_by_length ON rounds (undated, game, map, duration)",
        "CREATE INDEX rounds_told_better ON rounds (better) WHERE better IS NOT NULL",
        "CREATE INDEX rounds_read ON rounds (game) WHERE better IS NULL",
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
    if version and major != SCHEMA_MAJOR:
        words = _("database: created by a newer Ready Room (version {major}.{minor}), left unchanged")
        raise StorageError(words.format(major=major, minor=minor))
    for number, step in enumerate(MIGRATIONS[minor:], minor + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            (now,) = connection.execute("PRAGMA user_version").fetchone()
            if now & 0xFFFF >= number:  # another program that started with us has done it meanwhile
                connection.execute("ROLLBACK")
                continue
            for statement in step:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {SCHEMA_MAJOR << 16 | number}")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
