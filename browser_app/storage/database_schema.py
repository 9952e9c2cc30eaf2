"""Tables of the database.

SQLite's `user_version` holds `SCHEMA_VERSION`; it is 0 in a new file.
"""

import sqlite3

from browser_app.language import gettext as _
from browser_app.storage.storage_errors import StorageError

SCHEMA_VERSION = 6

_TABLES = (
    """CREATE TABLE saved_servers (
        host TEXT NOT NULL, port INTEGER NOT NULL, protocol TEXT NOT NULL, game TEXT,
        ping_ms REAL, last_answer REAL NOT NULL, info TEXT NOT NULL,
        PRIMARY KEY (host, port)) WITHOUT ROWID""",
    """CREATE TABLE favourites (
        host TEXT NOT NULL, port INTEGER NOT NULL, protocol TEXT, game TEXT, stable_key TEXT,
        name TEXT NOT NULL, added_at REAL NOT NULL, host_name TEXT,
        PRIMARY KEY (host, port)) WITHOUT ROWID""",
    """CREATE TABLE visits (
        id INTEGER PRIMARY KEY, joined_at REAL NOT NULL, left_at REAL,
        host TEXT NOT NULL, port INTEGER NOT NULL, protocol TEXT, game TEXT, name TEXT NOT NULL, map TEXT NOT NULL,
        players INTEGER, ping_ms REAL, score REAL, play_now_reason TEXT NOT NULL)""",
    "CREATE INDEX visits_by_address ON visits (host, port, joined_at)",
    """CREATE TABLE blocked (
        kind TEXT NOT NULL, value TEXT NOT NULL, added_at REAL NOT NULL,
        PRIMARY KEY (kind, value))""",
    """CREATE TABLE saved_passwords (
        host TEXT NOT NULL, port INTEGER NOT NULL,
        game TEXT, stable_key TEXT, connect_host TEXT, connect_port INTEGER, PRIMARY KEY (host, port))""",
    "CREATE TABLE notes (host TEXT NOT NULL, port INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (host, port))",
    """CREATE TABLE corrected_countries (
        host TEXT NOT NULL, port INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (host, port))""",
    """CREATE TABLE launch_arguments (
        host TEXT NOT NULL, port INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (host, port))""",
    """CREATE TABLE friends (
        kind TEXT NOT NULL, value TEXT NOT NULL, friend_group TEXT NOT NULL, added_at REAL NOT NULL,
        PRIMARY KEY (kind, value))""",
    """CREATE TABLE alerts (
        host TEXT NOT NULL, port INTEGER NOT NULL, kind TEXT NOT NULL, players INTEGER NOT NULL,
        name TEXT NOT NULL, added_at REAL NOT NULL, PRIMARY KEY (host, port, kind))""",
    """CREATE TABLE search_alerts (
        kind TEXT NOT NULL, value TEXT NOT NULL, added_at REAL NOT NULL,
        PRIMARY KEY (kind, value)) WITHOUT ROWID""",
    """CREATE TABLE sampled_servers (
        id INTEGER PRIMARY KEY, host TEXT NOT NULL, port INTEGER NOT NULL, UNIQUE (host, port))""",
    """CREATE TABLE samples (
        span INTEGER NOT NULL, server INTEGER NOT NULL, time INTEGER NOT NULL,
        queries INTEGER NOT NULL, replies INTEGER NOT NULL,
        players REAL, low INTEGER, high INTEGER, bots REAL, ping_ms REAL,
        PRIMARY KEY (span, server, time)) WITHOUT ROWID""",
    "CREATE TABLE ui_state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE saved_filters (name TEXT PRIMARY KEY, expression TEXT NOT NULL, position INTEGER NOT NULL)",
    # AUTOINCREMENT never reuses a number, so count and highest number identify the state of the rounds.
    """CREATE TABLE rounds (
        number INTEGER PRIMARY KEY AUTOINCREMENT, content BLOB NOT NULL UNIQUE, id TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL, server TEXT, approximate INTEGER NOT NULL, object BLOB NOT NULL,
        map TEXT NOT NULL, started REAL, duration REAL, undated INTEGER NOT NULL, superseded_by INTEGER,
        told_skills BLOB)""",
    "CREATE INDEX rounds_by_game ON rounds (game)",
    "CREATE INDEX rounds_by_start ON rounds (game, started)",
    "CREATE INDEX rounds_by_length ON rounds (undated, game, map, duration)",
    "CREATE INDEX superseded_rounds ON rounds (superseded_by) WHERE superseded_by IS NOT NULL",
    "CREATE INDEX primary_rounds ON rounds (game) WHERE superseded_by IS NULL",
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
        since REAL NOT NULL, until REAL NOT NULL, skill_json TEXT NOT NULL)""",
    "CREATE INDEX skill_samples_by_identity ON skill_samples (source, game, identity, until)",
    "CREATE TABLE watched_folders (folder TEXT PRIMARY KEY, added_at REAL NOT NULL) WITHOUT ROWID",
    """CREATE TABLE watched_files (
        file TEXT PRIMARY KEY, size INTEGER NOT NULL, modified_ns INTEGER NOT NULL, problem TEXT) WITHOUT ROWID""",
    """CREATE TABLE web_queries (
        id INTEGER PRIMARY KEY, time REAL NOT NULL, host TEXT NOT NULL, subject TEXT NOT NULL,
        answer TEXT NOT NULL)""",
)

_ADDED_COLUMNS = (
    ("rounds", "told_skills BLOB"),
    ("saved_passwords", "game TEXT"),
    ("saved_passwords", "stable_key TEXT"),
    ("saved_passwords", "connect_host TEXT"),
    ("saved_passwords", "connect_port INTEGER"),
    ("favourites", "host_name TEXT"),
)
"""Columns that are newer than their tables; some files of version 1 have the first one."""


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables in a new file, or upgrade older ones, all or none.

    Raises:
        StorageError: a newer version of the program, or another program, created the file.
        sqlite3.Error: it cannot be read or written.
    """
    connection.execute("BEGIN")  # one state of the file: another instance may be creating the tables just now
    try:
        if _read_version(connection) == SCHEMA_VERSION:
            return
    finally:
        connection.execute("ROLLBACK")
    connection.execute("BEGIN IMMEDIATE")
    try:
        _read_version(connection)  # another instance may have changed it meanwhile
        _add_tables(connection)
        _add_columns(connection)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _add_tables(connection: sqlite3.Connection) -> None:
    """Create the tables and indices that are missing: all of them in a new file."""
    existing = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    for statement in _TABLES:
        if statement.split()[2] not in existing:
            connection.execute(statement)


def _add_columns(connection: sqlite3.Connection) -> None:
    """Add the columns that tables of older versions lack."""
    for table, column in _ADDED_COLUMNS:
        names = {name for _number, name, *_rest in connection.execute(f"PRAGMA table_info({table})")}
        if column.split()[0] not in names:
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {column}")


def _read_version(connection: sqlite3.Connection) -> int:
    """Return the version of the tables, 0 if there are none; needs a transaction."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if not 0 <= version <= SCHEMA_VERSION:
        message = _("database: created by a newer Ready Room (version {version}), left unchanged")
        raise StorageError(message.format(version=version))
    if version == 0 and connection.execute("SELECT 1 FROM sqlite_master").fetchone() is not None:
        raise StorageError(_("database: created by another program, left unchanged"))
    return version
