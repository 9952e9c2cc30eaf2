"""Power failures, kills between two steps, and full disks.

Earlier work is kept, or its loss is reported.
"""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from truncated_database import NEW, WAL_NAME, TruncationResult, make_database, offsets, open_truncated

from browser_app.paths import SETTINGS_FILE_NAME as SETTINGS
from browser_app.storage.database import DATABASE_FILE_NAME, open_database
from browser_app.storage.setting_declarations import EXTRA_MASTERS, SCAN_PACE
from browser_app.storage.settings_store import Settings

EVERY = 30
"""Only each 30th place is cut here; `packaging/dev.py proof storage` cuts at all of them."""


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_database(tmp_path_factory.mktemp("database"))


def results(killed: Path, folder: Path, name: str) -> list[TruncationResult]:
    places = [*range(4), *list(offsets(killed / name, 40_000))[::EVERY]]
    return [open_truncated(killed, folder / "cut", name, at) for at in places]


def test_truncated_log_loses_last_writes_only(killed: Path, tmp_path: Path) -> None:
    found = results(killed, tmp_path, WAL_NAME)
    assert {each.wrong for each in found} == {""}
    assert not any(each.set_aside for each in found)
    assert [each.kept for each in found] == sorted(each.kept for each in found)
    assert found[0].kept == 0
    assert found[-1].kept >= NEW // 2


def test_truncated_database_is_repaired_or_renamed(killed: Path, tmp_path: Path) -> None:
    found = results(killed, tmp_path, DATABASE_FILE_NAME)
    assert {each.wrong for each in found} == {""}
    assert {each.set_aside for each in found} == {True, False}


_KILLED_AT = """
import os, signal, sys
from pathlib import Path
from browser_app.storage import safe_files
from browser_app.storage.setting_declarations import EXTRA_MASTERS
from browser_app.storage.settings_store import Settings

left = int(sys.argv[2])

def step(real):
    def stepping(*given, **named):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*given, **named)
    return stepping

settings = Settings(Path(sys.argv[1]))
for module, name in ((os, "open"), (os, "fdopen"), (os, "fsync"), (os, "replace"), (os, "rename"), (os, "unlink")):
    setattr(module, name, step(getattr(module, name)))
settings.set(EXTRA_MASTERS, tuple(f"new {n}" for n in range(300)))
print("written", flush=True)
"""


@pytest.mark.posix
def test_killed_write_leaves_old_or_new_settings(tmp_path: Path) -> None:
    old = tuple(f"old {number}" for number in range(300))
    Settings(tmp_path).set(EXTRA_MASTERS, old)
    seen = set()
    for steps in range(1, 20):
        done = subprocess.run(
            [sys.executable, "-c", _KILLED_AT, str(tmp_path), str(steps)], capture_output=True, check=False
        )
        settings = Settings(tmp_path)
        assert settings.problems == []
        kind = settings.get(EXTRA_MASTERS)[0].split()[0]
        assert len(settings.get(EXTRA_MASTERS)) == 300
        seen.add((done.returncode, kind))
        if done.returncode == 0:
            break
        assert kind == "old"
    assert seen == {(-signal.SIGKILL, "old"), (0, "new")}
    assert sorted(path.name for path in tmp_path.iterdir()) == [SETTINGS, f"{SETTINGS}.lock"]


def test_truncated_settings_are_read_or_kept(tmp_path: Path) -> None:
    """A power failure cannot do this to an atomically replaced file.

    A careless copy can.
    """
    path = tmp_path / SETTINGS
    Settings(tmp_path).set(EXTRA_MASTERS, ("Ann", "Bob"))
    Settings(tmp_path).set(SCAN_PACE, "fast")
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at])
        settings = Settings(tmp_path)
        if settings.problems:
            settings.set(SCAN_PACE, "gentle")
            (set_aside,) = tmp_path.glob(f"{SETTINGS}.broken-*")
            assert set_aside.read_bytes() == whole[:at]
            set_aside.unlink()


_ON_A_FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from browser_app.storage.database import open_database
from browser_app.storage.setting_declarations import EXTRA_MASTERS
from browser_app.storage.storage_errors import StorageError
from browser_app.storage.settings_store import Settings

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
folder = Path(sys.argv[1])
database, settings = open_database(folder), Settings(folder)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

def put(connection, number):
    connection.execute("INSERT INTO notes VALUES (?, 2, ?)", (f"new {number}", "x" * 1000))

for number in range(2000):
    try:
        database.write(lambda connection, number=number: put(connection, number)).result()
    except StorageError as error:
        print(f"full after {number}: {error}", flush=True)
        break
try:
    settings.set(EXTRA_MASTERS, tuple("x" * 1000 + str(n) for n in range(300)))
except StorageError as error:
    print(f"settings: {error}", flush=True)
database.close()
"""


@pytest.mark.posix
def test_full_disk_loses_nothing(tmp_path: Path) -> None:
    first = Settings(tmp_path)
    first.set(EXTRA_MASTERS, ("Ann",))
    script = [sys.executable, "-c", _ON_A_FULL_DISK, str(tmp_path)]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    full, settings = done.stdout.splitlines()
    kept = int(full.split()[2].rstrip(":"))
    assert kept > 10
    assert settings.startswith("settings: ")
    assert Settings(tmp_path).get(EXTRA_MASTERS) == ("Ann",)
    assert not list(tmp_path.glob(".settings.toml.*"))
    assert _count_notes(tmp_path) == kept


def _count_notes(folder: Path) -> int:
    database = open_database(folder)
    try:
        assert database.notice is None
        found: int = database.read(lambda connection: connection.execute("SELECT count(*) FROM notes").fetchone()[0])
    finally:
        database.close()
    return found
