"""Order of writes, readers, damaged and foreign files, full disks, killed writers."""

import shutil
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from timeouts import LIMIT_S

from browser_app.storage import database as database_module
from browser_app.storage.database import DATABASE_FILE_NAME, Database, open_database
from browser_app.storage.database_schema import SCHEMA_VERSION
from browser_app.storage.storage_errors import StorageError


class _InsertHost:
    """A write that inserts a row."""

    def __init__(self, host: str) -> None:
        self.host = host

    def __call__(self, connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO notes VALUES (?, 1, 'text')", (self.host,))


def _load_hosts(connection: sqlite3.Connection) -> list[str]:
    return [host for (host,) in connection.execute("SELECT host FROM notes ORDER BY rowid")]


def test_writes_run_in_order(database: Database) -> None:
    futures = [database.write(_InsertHost(f"h{number:03}")) for number in range(100)]
    futures[-1].result()
    assert database.read(_load_hosts) == [f"h{number:03}" for number in range(100)]
    assert database.path is not None
    assert database.notice is None


def test_writes_in_writer_thread(database: Database) -> None:
    names = {database.write(lambda _: threading.current_thread().name).result() for _ in range(3)}
    assert names == {"database writer"}


def test_reader_cannot_write(database: Database) -> None:
    with pytest.raises(StorageError, match="read-only"):
        database.read(_InsertHost("x"))


def test_failed_write_rolls_back(database: Database) -> None:
    def fail_halfway(connection: sqlite3.Connection) -> None:
        _InsertHost("lost")(connection)
        raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        database.write(fail_halfway).result()
    database.write(_InsertHost("kept")).result()
    assert database.read(_load_hosts) == ["kept"]


@pytest.mark.expects_log
def test_bad_sql_is_logged(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        database.write(lambda connection: connection.execute("SELECT * FROM nowhere")).result()
    assert "programming error" in caplog.text
    assert database.problem is None


def test_full_disk_until_success(database: Database) -> None:
    (pages,) = database.write(lambda connection: connection.execute("PRAGMA page_count").fetchone()).result()
    database.write(lambda connection: connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()).result()
    with pytest.raises(StorageError, match="disk is full"):
        database.write(_InsertHost("x" * 1_000_000)).result()
    assert database.problem == "database: the disk is full"
    database.write(lambda connection: connection.execute("PRAGMA max_page_count = 1000000").fetchone()).result()
    assert database.problem is None


def test_close_finishes_writes(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    for number in range(50):
        database.write(_InsertHost(str(number)))
    database.close()
    database.close()
    with pytest.raises(RuntimeError, match="closed"):
        database.write(_InsertHost("late"))
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE_NAME)) as connection:
        assert len(_load_hosts(connection)) == 50


@pytest.mark.parametrize("content", [b"this is no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_damaged_file_is_renamed(tmp_path: Path, content: bytes) -> None:
    (tmp_path / DATABASE_FILE_NAME).write_bytes(content)
    database = open_database(tmp_path)
    database.write(_InsertHost("new")).result()
    database.close()
    (aside,) = tmp_path.glob(f"{DATABASE_FILE_NAME}.broken-*")
    assert aside.read_bytes() == content
    assert database.notice is not None
    assert aside.name in database.notice


def test_damage_is_found_at_start(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    for number in range(2000):
        database.write(_InsertHost(f"host number {number}"))
    database.close()
    path = tmp_path / DATABASE_FILE_NAME
    data = bytearray(path.read_bytes())
    data[len(data) // 2 :] = b"\x5a" * (len(data) - len(data) // 2)
    path.write_bytes(data)
    reopened = open_database(tmp_path)
    reopened.close()
    assert reopened.notice is not None
    assert "damaged" in reopened.notice


def test_damaged_names_are_unique(tmp_path: Path) -> None:
    for _ in range(2):
        (tmp_path / DATABASE_FILE_NAME).write_bytes(b"no database " * 200)
        open_database(tmp_path).close()
    assert len(list(tmp_path.glob(f"{DATABASE_FILE_NAME}.broken-*"))) == 2


def test_missing_folder_uses_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    database = open_database(tmp_path / "file" / "folder")
    database.write(_InsertHost("kept for now")).result()
    assert database.read(_load_hosts) == ["kept for now"]
    assert database.path is None
    assert database.notice is not None
    assert "nothing is saved" in database.notice
    database.close()


def test_refused_changes_are_saved_later(database: Database) -> None:
    (pages,) = database.write(lambda connection: connection.execute("PRAGMA page_count").fetchone()).result()
    database.execute(f"PRAGMA max_page_count = {pages}").result()
    insert, long_text = "INSERT INTO notes VALUES (?, 1, ?)", "x" * 100_000
    for host in ("first", "second"):
        with pytest.raises(StorageError, match="full"):
            database.execute(insert, (host, long_text)).result()
    database.write(lambda connection: connection.execute("PRAGMA max_page_count = 1000000").fetchone()).result()
    assert database.problem is not None
    works_again = threading.Event()
    database.on_problem = lambda error: works_again.set() if error is None else None
    database.execute("UPDATE notes SET text = '' WHERE host = 'first'").result()
    assert works_again.wait(LIMIT_S)
    assert database.fetch_all("SELECT host, length(text) FROM notes") == [("first", 0), ("second", 100_000)]


def test_memory_moves_to_file_when_possible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "folder"
    open_database(folder).close()
    folder.rename(tmp_path / "away")
    folder.write_text("in the way")
    database = open_database(folder)
    database.write(_InsertHost("not worth a retry")).result()
    works_again = threading.Event()
    database.on_problem = lambda error: works_again.set() if error is None else None
    folder.unlink()
    (tmp_path / "away").rename(folder)
    monkeypatch.setattr(database_module, "RETRY_INTERVAL_S", 0.0)
    database.execute("INSERT INTO notes VALUES ('kept', 1, '')").result()
    assert works_again.wait(LIMIT_S)
    assert (database.path, database.notice) == (folder / DATABASE_FILE_NAME, None)
    assert database.read(_load_hosts) == ["kept"]
    database.close()


def test_close_saves_refused_changes(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.write_text("in the way")
    database = open_database(folder)
    database.execute("INSERT INTO notes VALUES ('kept', 1, '')").result()
    folder.unlink()
    database.close()
    reopened = open_database(folder)
    assert reopened.read(_load_hosts) == ["kept"]
    reopened.close()


def _set_version(folder: Path, version: int) -> None:
    with closing(sqlite3.connect(folder / DATABASE_FILE_NAME)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
        connection.commit()


def test_newer_version_is_kept(tmp_path: Path) -> None:
    open_database(tmp_path).close()
    _set_version(tmp_path, SCHEMA_VERSION + 1)
    before = (tmp_path / DATABASE_FILE_NAME).read_bytes()
    database = open_database(tmp_path)
    assert database.path is None
    assert database.notice is not None
    assert f"version {SCHEMA_VERSION + 1}" in database.notice
    database.write(_InsertHost("elsewhere")).result()
    database.close()
    assert (tmp_path / DATABASE_FILE_NAME).read_bytes() == before


@pytest.mark.parametrize(
    ("version", "has_told_skills"), [(1, False), (1, True), (2, True), (3, True), (4, True), (5, True)]
)
def test_older_version_is_upgraded(tmp_path: Path, version: int, *, has_told_skills: bool) -> None:
    first = open_database(tmp_path)
    first.write(_InsertHost("kept")).result()
    first.execute("INSERT INTO saved_passwords (host, port) VALUES ('192.0.2.1', 27015)").result()
    if not has_told_skills:
        first.execute("ALTER TABLE rounds DROP COLUMN told_skills").result()
    for column in ("game", "stable_key", "connect_host", "connect_port"):
        first.execute(f"ALTER TABLE saved_passwords DROP COLUMN {column}").result()
    first.execute("ALTER TABLE favourites DROP COLUMN host_name").result()
    for table in ("search_alerts", "corrected_countries"):
        first.execute(f"DROP TABLE {table}").result()
    first.close()
    _set_version(tmp_path, version)
    database = open_database(tmp_path)
    assert database.path is not None
    assert database.read(_load_hosts) == ["kept"]
    assert database.fetch_all("SELECT * FROM search_alerts") == []
    assert database.fetch_all("SELECT host_name FROM favourites") == []
    assert database.fetch_all("SELECT * FROM corrected_countries") == []
    assert database.fetch_all("SELECT told_skills FROM rounds") == []
    assert database.fetch_all("SELECT * FROM saved_passwords") == [("192.0.2.1", 27015, None, None, None, None)]
    assert database.fetch_all("PRAGMA user_version") == [(SCHEMA_VERSION,)]
    database.close()


def test_foreign_database_is_kept(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE_NAME)) as connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
    before = (tmp_path / DATABASE_FILE_NAME).read_bytes()
    database = open_database(tmp_path)
    assert database.path is None
    assert database.notice is not None
    database.write(_InsertHost("elsewhere")).result()
    database.close()
    assert (tmp_path / DATABASE_FILE_NAME).read_bytes() == before


def test_tables_are_created_once(tmp_path: Path) -> None:
    open_database(tmp_path).close()
    database = open_database(tmp_path)
    assert database.notice is None
    assert database.fetch_all("PRAGMA user_version") == [(SCHEMA_VERSION,)]
    database.close()


def test_read_only_uses_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_database(tmp_path)
    first.write(_InsertHost("read me")).result()
    first.close()

    def refuse(_path: Path) -> sqlite3.Connection:  # as root no real file is read-only
        error = sqlite3.OperationalError("attempt to write a readonly database")
        error.sqlite_errorcode = sqlite3.SQLITE_READONLY
        raise error

    monkeypatch.setattr("browser_app.storage.database.open_database_file", refuse)
    database = open_database(tmp_path)
    database.write(_InsertHost("and write me")).result()
    assert database.path is None
    assert database.read(_load_hosts) == ["read me", "and write me"]
    assert database.notice is not None
    assert "read-only" in database.notice
    database.close()


def test_copy_of_read_only_has_last_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a kill, the last changes are in the log.

    SQLite cannot read it where it cannot write.
    """
    first, killed = open_database(tmp_path / "first"), tmp_path / "killed"
    first.write(_InsertHost("in the file")).result()
    first.close()
    first = open_database(tmp_path / "first")
    first.write(_InsertHost("in the log")).result()
    killed.mkdir()
    for suffix in ("", "-wal"):
        name = DATABASE_FILE_NAME + suffix
        shutil.copyfile(tmp_path / "first" / name, killed / name)
    first.close()

    def refuse(_path: Path) -> sqlite3.Connection:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("browser_app.storage.database.open_database_file", refuse)
    for limit, hosts in ((1 << 20, ["in the file", "in the log"]), (0, ["in the file"])):
        monkeypatch.setattr("browser_app.storage.database_file._MAX_COPIED_BYTES", limit)
        database = open_database(killed)
        assert database.read(_load_hosts) == hosts
        assert (f"safe in {DATABASE_FILE_NAME}-wal" in (database.notice or "")) == (limit == 0)
        database.close()
    assert sorted(path.name for path in killed.iterdir()) == [DATABASE_FILE_NAME, f"{DATABASE_FILE_NAME}-wal"]


def test_full_disk_is_named_at_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: Path) -> sqlite3.Connection:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
        raise error

    monkeypatch.setattr("browser_app.storage.database.open_database_file", refuse)
    for free, problem in ((0, "the disk is full"), (1 << 30, "the disk reported an error")):
        monkeypatch.setattr(shutil, "disk_usage", lambda _path, free=free: SimpleNamespace(free=free))
        database = open_database(tmp_path)
        assert problem in (database.notice or "")
        database.close()


def test_two_instances_share_file(database: Database, tmp_path: Path) -> None:
    other = open_database(tmp_path)
    for number in range(20):
        database.write(_InsertHost(f"a{number}"))
        other.write(_InsertHost(f"b{number}"))
    other.close()
    database.flush()
    assert len(database.read(_load_hosts)) == 40


_WRITER = """
import sys
from pathlib import Path
from browser_app.storage.database import open_database
database = open_database(Path(sys.argv[1]))
number = 0
while True:
    number += 1
    def work(connection, number=number):
        connection.execute("INSERT INTO notes VALUES (?, 1, 'a')", (str(number),))
        connection.execute("INSERT INTO notes VALUES (?, 2, 'b')", (str(number),))
    database.write(work).result()
    print(number, flush=True)
"""


@pytest.mark.slow
@pytest.mark.posix
def test_kill_9_keeps_transactions(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        for line in process.stdout:
            if line == "200\n":
                break
        process.kill()
    database = open_database(tmp_path)
    assert database.notice is None
    hosts = database.read(_load_hosts)
    database.close()
    assert len(hosts) % 2 == 0
    assert hosts[:400] == [str(number) for number in range(1, 201) for _ in range(2)]


def test_simultaneous_first_starts(tmp_path: Path) -> None:
    for attempt in range(10):
        folder = tmp_path / str(attempt)
        barrier = threading.Barrier(2)

        def start(folder: Path = folder, barrier: threading.Barrier = barrier) -> str | None:
            barrier.wait()
            database = open_database(folder)
            database.close()
            return database.notice

        with ThreadPoolExecutor(2) as pool:
            notices = [future.result() for future in [pool.submit(start) for _ in range(2)]]
        assert notices == [None, None]
