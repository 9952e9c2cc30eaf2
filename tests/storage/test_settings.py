"""The settings file: defaults, validation, unknown keys, damage, atomic writing."""

import subprocess
import sys
import tomllib
from itertools import groupby
from pathlib import Path

import pytest

from browser_app.games.toml_reader import MAX_KEY_PARTS, MAX_TOML_BYTES
from browser_app.paths import SETTINGS_FILE_NAME
from browser_app.storage import safe_files
from browser_app.storage.setting_declarations import (
    EXTRA_MASTERS,
    OWN_SKILL,
    PLAY_NOW_COUNTDOWN_S,
    PLAY_NOW_SCOPE,
    PLAYED_GAMES,
    SCAN_PACE,
    SETTINGS,
    THEME,
)
from browser_app.storage.settings_store import Settings
from browser_app.storage.storage_errors import StorageError


def test_defaults_without_file(tmp_path: Path) -> None:
    settings = Settings(tmp_path)
    assert settings.get(SCAN_PACE) == "normal"
    assert settings.get(PLAY_NOW_COUNTDOWN_S) == 1.2
    assert settings.problems == []
    assert list(tmp_path.iterdir()) == []


def test_defaults_are_not_saved(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "new" / "folder")
    settings.set(SCAN_PACE, "gentle")
    settings.set(OWN_SKILL, {"ns2": 1640.0})
    settings.set(EXTRA_MASTERS, ("one", "two"))
    again = Settings(tmp_path / "new" / "folder")
    assert (again.get(SCAN_PACE), again.get(OWN_SKILL), again.get(EXTRA_MASTERS)) == (
        "gentle",
        {"ns2": 1640.0},
        ("one", "two"),
    )
    again.set(SCAN_PACE, "normal")
    assert "pace" not in again.path.read_text()


def test_two_instances_keep_each_others_settings(tmp_path: Path) -> None:
    first, second = Settings(tmp_path), Settings(tmp_path)
    first.set(SCAN_PACE, "gentle")
    second.set(THEME, "dark")
    first.set(PLAY_NOW_COUNTDOWN_S, 2.0)
    again = Settings(tmp_path)
    assert (again.get(SCAN_PACE), again.get(THEME), again.get(PLAY_NOW_COUNTDOWN_S)) == ("gentle", "dark", 2.0)


def test_newly_broken_is_renamed(tmp_path: Path) -> None:
    settings = Settings(tmp_path)
    settings.set(SCAN_PACE, "fast")
    settings.path.write_text("[scan")
    settings.set(THEME, "dark")
    assert len(settings.problems) == 1
    (aside,) = tmp_path.glob(f"{SETTINGS_FILE_NAME}.broken-*")
    assert aside.read_text() == "[scan"
    again = Settings(tmp_path)
    assert (again.get(SCAN_PACE), again.get(THEME)) == ("fast", "dark")


def test_unknown_keys_stay_in_file(tmp_path: Path) -> None:
    path = tmp_path / SETTINGS_FILE_NAME
    path.write_text('future = 1\n[scan]\npace = "fast"\nwarp = true\n[other]\nx = [1, 2]\n')
    settings = Settings(tmp_path)
    settings.set(THEME, "dark")
    settings.set(SCAN_PACE, "normal")
    assert tomllib.loads(path.read_text()) == {
        "future": 1, "scan": {"warp": True}, "other": {"x": [1, 2]}, "window": {"theme": "dark"},
    }  # fmt: skip


@pytest.mark.parametrize(
    "content",
    ['[games]\nshown = ["ns2"]\n\n[play_now]\ngames = ["xonotic"]\n', '[play_now]\ngames = ["ns2"]\n'],
    ids=["listed", "played"],
)
def test_former_key_counts_until_changed(tmp_path: Path, content: str) -> None:
    path = tmp_path / SETTINGS_FILE_NAME
    path.write_text(content)
    settings = Settings(tmp_path)
    assert settings.get(PLAYED_GAMES) == ("ns2",)
    assert settings.problems == settings.notices == []
    settings.set(PLAYED_GAMES, ())
    assert Settings(tmp_path).get(PLAYED_GAMES) == ()


def test_problem_names_former_key(tmp_path: Path) -> None:
    path = tmp_path / SETTINGS_FILE_NAME
    path.write_text('[games]\nshown = "ns2"\n')
    settings = Settings(tmp_path)
    (problem,) = settings.problems
    assert problem.startswith(f"{path}:2: games.shown: ")
    settings.set(PLAYED_GAMES, ("nope",))
    assert settings.format_problem(PLAYED_GAMES.key, "unknown").startswith(f"{path}:2: games.played: ")


def test_key_counts_before_former_keys(tmp_path: Path) -> None:
    path = tmp_path / SETTINGS_FILE_NAME
    path.write_text('[games]\nplayed = ["tf2"]\nshown = ["ns2"]\n')
    assert Settings(tmp_path).get(PLAYED_GAMES) == ("tf2",)


def test_temporary_value_is_not_written(tmp_path: Path) -> None:
    Settings(tmp_path).set(PLAYED_GAMES, ("tf2",))
    settings = Settings(tmp_path)
    settings.use_temporarily(PLAYED_GAMES, ())
    assert settings.get(PLAYED_GAMES) == ()
    settings.set(PLAYED_GAMES, ("ns2",))
    assert settings.get(PLAYED_GAMES) == ("ns2",)
    assert Settings(tmp_path).get(PLAYED_GAMES) == ("tf2",)


def test_notices_are_limited(tmp_path: Path) -> None:
    (tmp_path / SETTINGS_FILE_NAME).write_text("".join(f"key{number} = 1\n" for number in range(3000)))
    notices = Settings(tmp_path).notices
    assert len(notices) == 20
    assert notices[-1].startswith(f"{tmp_path / SETTINGS_FILE_NAME}:20: key19: ")


def test_unknown_keys_are_reported(tmp_path: Path) -> None:
    path = tmp_path / SETTINGS_FILE_NAME
    path.write_text('future = 1\n[scan]\nspace = "fast"\n[other.deeper]\nx = [1, 2]\n[ranking.my_skill]\nns2 = 7\n')
    settings = Settings(tmp_path)
    unknown, similar, table = settings.notices
    assert unknown.startswith(f"{path}:1: future: ")
    assert similar.startswith(f"{path}:3: scan.space: ")
    assert "scan.pace" in similar
    assert table.startswith(f"{path}:4: other: ")
    assert settings.problems == []


@pytest.mark.parametrize(
    ("content", "location"),
    [
        ('[scan]\npace = "warp"\n', "2: scan.pace"),
        ("[play_now]\ncountdown = -1\n", "2: play_now.countdown"),
        ("[play_now]\ncountdown = nan\n", "2: play_now.countdown"),
        ("[play_now]\ncountdown = true\n", "2: play_now.countdown"),
        ('[play_now]\nfilter = "ping<"\n', "2: play_now.filter"),
        ('play_now = "now"\n', "1: play_now"),
        ('[scan]\nat_start = "yes"\n', "2: scan.at_start"),
        ("[games]\nplayed = [1]\n", "2: games.played"),
        ('[games]\ncode_pages = ["192.0.2.7:7777 latin"]\n', "2: games.code_pages"),
        ("[ranking.my_skill]\nns2 = inf", "1: ranking.my_skill"),
        (f"[ranking.my_skill]\nns2 = {10**400}", "1: ranking.my_skill"),
    ],
)
def test_bad_value_names_location(tmp_path: Path, content: str, location: str) -> None:
    (tmp_path / SETTINGS_FILE_NAME).write_text(content)
    settings = Settings(tmp_path)
    (problem,) = settings.problems
    assert problem.startswith(f"{tmp_path / SETTINGS_FILE_NAME}:{location}: ")
    assert all(settings.get(setting) == setting.default for setting in SETTINGS)


@pytest.mark.parametrize(
    ("content", "place"),
    [(b"[scan\n", ":1"), (b"\n\n\xff\xfe\x00", ":3"), (b"a = " + b"[" * 100_000, ""), (b"a = 0x" + b"f" * 5000, ":1")],
)
def test_broken_file_is_renamed(tmp_path: Path, content: bytes, place: str) -> None:
    path = tmp_path / SETTINGS_FILE_NAME
    path.write_bytes(content)
    settings = Settings(tmp_path)
    (problem,) = settings.problems
    assert problem.startswith(f"{path}{place}: not valid TOML: ")
    assert [each.name for each in tmp_path.iterdir()] == [SETTINGS_FILE_NAME]
    assert path.read_bytes() == content
    settings.set(SCAN_PACE, "fast")
    (aside,) = tmp_path.glob(f"{SETTINGS_FILE_NAME}.broken-*")
    assert aside.read_bytes() == content
    assert aside.name in settings.problems[-1]
    assert Settings(tmp_path).get(SCAN_PACE) == "fast"


def test_unreadable_file_is_kept(tmp_path: Path) -> None:
    (tmp_path / SETTINGS_FILE_NAME).mkdir()
    settings = Settings(tmp_path)
    assert len(settings.problems) == 1
    with pytest.raises(StorageError, match="left unchanged"):
        settings.set(SCAN_PACE, "fast")
    assert settings.get(SCAN_PACE) == "fast"


def test_no_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    settings = Settings(tmp_path / "file")
    with pytest.raises(StorageError, match=SETTINGS_FILE_NAME):
        settings.set(SCAN_PACE, "fast")


def test_bad_value_changes_nothing(tmp_path: Path) -> None:
    settings = Settings(tmp_path)
    with pytest.raises(ValueError, match="one of"):
        settings.set(SCAN_PACE, "warp")
    with pytest.raises(ValueError, match="nowhere"):
        settings.set(PLAY_NOW_SCOPE, "nowhere:1")
    assert settings.get(SCAN_PACE) == "normal"
    assert list(tmp_path.iterdir()) == []


def test_settings_of_group_are_adjacent() -> None:
    groups = [setting.group for setting in SETTINGS]
    assert list(dict.fromkeys(groups)) == [group for group, _settings in groupby(groups)]


def test_declarations_are_complete() -> None:
    assert len({setting.key for setting in SETTINGS}) == len(SETTINGS)
    for setting in SETTINGS:
        assert setting.label
        assert setting.description.endswith(".")
        assert setting.check(setting.default) == setting.default


_OTHER_WRITER = """
import sys
from pathlib import Path
from browser_app.games.toml_reader import MAX_KEY_PARTS, MAX_TOML_BYTES
from browser_app.storage import safe_files
from browser_app.storage.setting_declarations import PLAY_NOW_COUNTDOWN_S
from browser_app.storage.settings_store import Settings
safe_files.LOCK_TIMEOUT_S = 60.0
settings = Settings(Path(sys.argv[1]))
for number in range(1, 200):
    settings.set(PLAY_NOW_COUNTDOWN_S, number / 100)
"""


@pytest.mark.slow
def test_writers_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process writes its own key.

    A write without a fresh read would undo the other's change.
    """
    monkeypatch.setattr(safe_files, "LOCK_TIMEOUT_S", 60.0)
    settings = Settings(tmp_path)
    with subprocess.Popen([sys.executable, "-c", _OTHER_WRITER, str(tmp_path)]) as process:
        number = 0
        while process.poll() is None:
            number += 1
            settings.set(EXTRA_MASTERS, (f"master {number}",))
            assert Settings(tmp_path).get(EXTRA_MASTERS) == (f"master {number}",)
    assert process.returncode == 0
    assert Settings(tmp_path).get(PLAY_NOW_COUNTDOWN_S) == 1.99


def test_lock_timeout_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_files, "LOCK_TIMEOUT_S", 0.05)
    settings = Settings(tmp_path)
    with (
        safe_files.file_lock(tmp_path / f"{SETTINGS_FILE_NAME}.lock"),
        pytest.raises(StorageError, match="in use by another program"),
    ):
        settings.set(SCAN_PACE, "fast")
    assert settings.get(SCAN_PACE) == "fast"
    settings.set(THEME, "dark")
    assert Settings(tmp_path).get(THEME) == "dark"


def test_repaired_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / SETTINGS_FILE_NAME
    path.write_text("[scan")
    settings = Settings(tmp_path)
    path.write_text('[scan]\npace = "fast"\n')
    settings.set(THEME, "dark")
    assert list(tmp_path.glob("*.broken-*")) == []
    again = Settings(tmp_path)
    assert (again.get(SCAN_PACE), again.get(THEME)) == ("fast", "dark")


_WRITER = """
import sys
from pathlib import Path
from browser_app.storage.setting_declarations import EXTRA_MASTERS
from browser_app.storage.settings_store import Settings
settings = Settings(Path(sys.argv[1]))
number = 0
while True:
    number += 1
    settings.set(EXTRA_MASTERS, tuple(f"master {number} {each}" for each in range(500)))
    print(number, flush=True)
"""


@pytest.mark.slow
@pytest.mark.posix
def test_kill_9_leaves_whole_file(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        for line in process.stdout:
            if line == "20\n":
                break
        process.kill()
    settings = Settings(tmp_path)
    assert settings.problems == []
    masters = settings.get(EXTRA_MASTERS)
    assert len(masters) == 500
    assert len({master.split()[1] for master in masters}) == 1
    assert int(masters[0].split()[1]) >= 20


def test_link_is_written_through(tmp_path: Path) -> None:
    target = tmp_path / "dotfiles" / "ready-room.toml"
    target.parent.mkdir()
    target.write_text('future = 1\n[scan]\npace = "fast"\n')
    target.chmod(0o640)
    link = tmp_path / SETTINGS_FILE_NAME
    link.symlink_to("dotfiles/ready-room.toml")
    settings = Settings(tmp_path)
    settings.set(THEME, "dark")
    assert link.is_symlink()
    assert tomllib.loads(target.read_text()) == {"future": 1, "scan": {"pace": "fast"}, "window": {"theme": "dark"}}
    assert target.stat().st_mode & 0o777 == 0o640
    assert list(target.parent.iterdir()) == [target]
    target.unlink()
    settings.set(THEME, "light")
    assert link.is_symlink()
    assert 'theme = "light"' in target.read_text()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("#" * (MAX_TOML_BYTES + 1), ": larger than 256 KiB"),
        ("a = 1\n" + "a." * 100_000 + "a = 1", f":2: a key has more than {MAX_KEY_PARTS} parts"),
        ('a = {"x"' + " . 'x'" * 40_000 + " = 1}", f":1: a key has more than {MAX_KEY_PARTS} parts"),
    ],
)
def test_oversized_file_is_reported(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / SETTINGS_FILE_NAME
    path.write_text(text)
    settings = Settings(tmp_path)
    assert settings.problems == [f"{path}{problem}; using the default settings"]
    assert path.read_text() == text


def test_lines_of_many_keys_take_one_pass_each(tmp_path: Path) -> None:
    """Parsing the file up to each line that might set a key takes minutes."""
    path = tmp_path / SETTINGS_FILE_NAME
    lines = [f'x{number} = "pace = 1"' for number in range(10_000)]
    path.write_text("\n".join(["[scan]", *lines, "pace = 3"]))
    assert Settings(tmp_path).problems[0].startswith(f"{path}:10002: scan.pace: must be")
