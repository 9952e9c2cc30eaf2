"""Pipes, devices, folders and circular links in place of our files.

They are reported, and never waited for.
"""

import logging
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from browser_app.diagnostics import format_problem_report, start_logging
from browser_app.games.toml_reader import ProfileError, read_toml_table
from browser_app.paths import SETTINGS_FILE_NAME, UserPaths
from browser_app.protocols.address import Address
from browser_app.storage.database import DATABASE_FILE_NAME
from browser_app.storage.safe_files import write_atomically
from browser_app.storage.setting_declarations import SCAN_PACE
from browser_app.storage.storage_errors import StorageError
from browser_app.storage.user_storage import UserStorage

pytestmark = pytest.mark.posix

SPECIAL: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "folder": Path.mkdir,
    "circular link": lambda path: path.symlink_to(path),
}
DATABASE_NAMES = [DATABASE_FILE_NAME + suffix for suffix in ("", "-wal", "-shm", "-journal")]


def remove_path(path: Path) -> None:
    path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


@pytest.mark.parametrize("make", SPECIAL.values(), ids=SPECIAL)
def test_data_files(make: Callable[[Path], None], tmp_path: Path) -> None:
    paths = UserPaths(tmp_path, tmp_path, tmp_path)
    with UserStorage(paths) as storage:
        storage.notes.set(Address("192.0.2.1", 1), "kept").result()
        storage.settings.set(SCAN_PACE, "fast")
    shutil.copytree(tmp_path, tmp_path / "copy")
    for name in (SETTINGS_FILE_NAME, *DATABASE_NAMES):
        special = tmp_path / name
        special.unlink(missing_ok=True)
        make(special)
        with UserStorage(paths) as storage:
            (problem,) = storage.problems
            assert name in problem
            storage.notes.set(Address("192.0.2.2", 2), "works").result()
            if name == SETTINGS_FILE_NAME:
                assert storage.settings.get(SCAN_PACE) == "normal"
                with pytest.raises(StorageError, match=SETTINGS_FILE_NAME):
                    storage.settings.set(SCAN_PACE, "gentle")
        remove_path(special)  # nothing has replaced it
        with suppress(FileNotFoundError):
            shutil.copy(tmp_path / "copy" / name, special)


@pytest.mark.parametrize("make", SPECIAL.values(), ids=SPECIAL)
def test_lock_log_and_profile(make: Callable[[Path], None], tmp_path: Path) -> None:
    lock, log, profile = (tmp_path / name for name in (f"{SETTINGS_FILE_NAME}.lock", "ready-room.log", "x.toml"))
    for path in (lock, log, profile):
        make(path)
    with (
        UserStorage(UserPaths(tmp_path, tmp_path, tmp_path)) as storage,
        pytest.raises(StorageError, match=lock.name),
    ):
        storage.settings.set(SCAN_PACE, "fast")
    root = logging.getLogger("browser_app")
    handlers = list(root.handlers)
    start_logging(tmp_path)
    root.info("not written")
    for handler in root.handlers[len(handlers) :]:
        root.removeHandler(handler)
        handler.close()
    assert "(no log)" in format_problem_report(log)
    with pytest.raises(ProfileError, match="cannot be read"):
        read_toml_table(profile)
    with pytest.raises(OSError, match=r"pipe or device|directory|links"):
        write_atomically(profile, b"")
    remove_path(profile)
