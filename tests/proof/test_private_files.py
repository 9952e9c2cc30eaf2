"""The program's files can be read by their user only.

That holds where an older version or a lax umask left them open.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser_app.paths import UserPaths
from browser_app.protocols.address import Address
from browser_app.storage.setting_declarations import EXTRA_MASTERS
from browser_app.storage.user_storage import UserStorage

pytestmark = pytest.mark.posix


@pytest.fixture(autouse=True)
def zero_umask() -> Iterator[None]:
    previous = os.umask(0)
    yield
    os.umask(previous)


def use(home: Path) -> None:
    """One run of the program that keeps something in every file."""
    with UserStorage(UserPaths(home / "settings", home / "data", home / "cache")) as storage:
        storage.notes.set(Address("192.0.2.7", 27015), "a note")
        storage.settings.set(EXTRA_MASTERS, ("Ann",))
        storage.database.flush()
        check(home)
    check(home)


def check(home: Path) -> None:
    for path in home.rglob("*"):
        open_to_others = stat.S_IMODE(path.stat().st_mode) & 0o077
        assert not open_to_others, (path, oct(open_to_others))


def test_all_files_are_private(home: Path) -> None:
    home.mkdir()
    use(home)
    assert {path.name for path in home.rglob("*")} >= {"settings.toml", "ready-room.sqlite"}


def test_what_was_open_is_shut(home: Path) -> None:
    home.mkdir()
    use(home)
    for path in home.rglob("*"):
        if path.suffix != ".lock":  # nothing is in these
            path.chmod(0o777 if path.is_dir() else 0o666)
    use(home)


def test_database_link_stays_private(home: Path, tmp_path: Path) -> None:
    """Whoever can write into the folder could have a user's file closed to others.

    The file is never opened or emptied.
    """
    other = tmp_path / "other"
    other.write_text("somebody's letter")
    other.chmod(0o600)
    (home / "data").mkdir(parents=True)
    (home / "data" / "ready-room.sqlite").symlink_to(other)
    with UserStorage(UserPaths(home / "settings", home / "data", home / "cache")):
        pass
    assert other.read_text() == "somebody's letter"
    assert stat.S_IMODE(other.stat().st_mode) == 0o600
