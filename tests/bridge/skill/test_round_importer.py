"""Import of round files in a thread: single files, folders, and watched folders."""

import gzip
import json
import os
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from browser_app.application.round_imports import folder_scan, round_files, round_import
from browser_app.application.round_imports.folder_scan import FolderScan, scan_folders
from browser_app.application.round_imports.round_files import find_round_files, is_round_file, suggested_folders
from browser_app.application.round_imports.round_import import ImportProgress, RoundImportResult, import_summary_text
from browser_app.bridge.skill import folder_watcher, round_importer
from browser_app.bridge.skill.folder_watcher import FolderWatcher
from browser_app.bridge.skill.round_importer import RoundImporter
from browser_app.diagnostics import internal_errors
from browser_app.paths import user_paths
from browser_app.rounds.round_source import RoundFileSource
from browser_app.storage.own_skill.round_insertion import RoundInsertCounts
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.user_storage import UserStorage

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
OLD = 60
"""Age of the test files, s."""


def round_line(number: int) -> str:
    players = [
        {"id": name, "stays": [{"team": team, "enter": 0, "leave": 600}]} for name, team in (("a", "x"), ("b", "y"))
    ]
    started = BEGAN + timedelta(hours=number)
    each = {
        "id": f"round {number}", "game": "ns2", "started": started.isoformat(), "duration": 600,
        "teams": ["x", "y"], "winner": "x", "players": players,
    }  # fmt: skip
    return json.dumps(each)


def write(path: Path, numbers: Sequence[int], tail: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(round_line(number) + "\n" for number in numbers) + tail)
    set_age(path)
    return path


def set_age(path: Path, seconds: float = OLD) -> None:
    os.utime(path, (time.time() - seconds, time.time() - seconds))


@pytest.fixture
def storage() -> Iterator[UserStorage]:
    with UserStorage(user_paths()) as storage:
        yield storage


@pytest.fixture
def importer(qtbot: QtBot, storage: UserStorage) -> Iterator[RoundImporter]:
    importer = RoundImporter(storage.round_store)
    yield importer
    importer.close()


def import_paths(bot: QtBot, importer: RoundImporter, *paths: Path) -> list[RoundImportResult]:
    with bot.waitSignal(importer.import_finished) as finished:
        importer.import_paths(paths)
    assert finished.args is not None
    results: list[RoundImportResult] = finished.args[0]
    return results


@pytest.mark.parametrize("content", ["just a letter\n", '{\n "format": "ready-room lists"\n}', '{"a": 1}', "[1, 2]"])
def test_foreign_file_is_named_as_such(qtbot: QtBot, importer: RoundImporter, tmp_path: Path, content: str) -> None:
    path = tmp_path / "letter.json"
    path.write_text(content)
    (result,) = import_paths(qtbot, importer, path)
    assert result.problem.startswith(f"{path}: not a round file.")
    assert "JSON" not in result.problem


def test_damaged_round_file_has_its_line(qtbot: QtBot, importer: RoundImporter, tmp_path: Path) -> None:
    path = write(tmp_path / "rounds.jsonl", [1], tail='{"teams": 3}\n')
    (result,) = import_paths(qtbot, importer, path)
    assert result.problem.startswith(f"{path}:2: ")


def pause_until_cancelled(importer: RoundImporter, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pause in the middle of each large file until its import is cancelled."""
    report = importer._report_progress

    def report_and_wait(importing: ImportProgress) -> None:
        report(importing)
        while 0 < importing.share < 1 and any(not token.is_cancelled for token in importer._active_imports):
            time.sleep(0.01)

    monkeypatch.setattr(round_import, "_REPORT_INTERVAL_S", 0.0)
    monkeypatch.setattr(importer, "_report_progress", report_and_wait)


def test_files_import_completely_or_not(
    qtbot: QtBot, importer: RoundImporter, storage: UserStorage, tmp_path: Path
) -> None:
    good, same = write(tmp_path / "good.jsonl", range(3)), write(tmp_path / "same.jsonl", range(2, 5))
    bad = write(tmp_path / "bad.jsonl", range(5, 9), '{"id": "half"')
    missing, folder = tmp_path / "missing.jsonl", tmp_path / "folder"
    folder.mkdir()
    results = import_paths(qtbot, importer, good, bad, same, missing, folder)
    by_name = {each.path.name: each for each in results}
    assert by_name["good.jsonl"] == RoundImportResult(good, "rounds", 3, 3)
    assert by_name["same.jsonl"] == RoundImportResult(same, "rounds", 3, 2)
    assert by_name["bad.jsonl"][1:4] == ("rounds", 0, 0)
    assert by_name["bad.jsonl"].problem.startswith(f"{bad}:5: ")
    assert str(missing) in by_name["missing.jsonl"].problem
    assert str(folder) in by_name["folder"].problem
    assert storage.round_store.count_rounds() == {"ns2": 5}
    assert import_paths(qtbot, importer, good) == [RoundImportResult(good, "rounds", 3, 0)]


def test_folder_imports_its_round_files(qtbot: QtBot, importer: RoundImporter, tmp_path: Path) -> None:
    write(tmp_path / "b/two.jsonl", [2])
    write(tmp_path / "one.jsonl", [1])
    (tmp_path / "three.jsonl.gz").write_bytes(gzip.compress(round_line(3).encode()))
    write(tmp_path / ".hidden.jsonl", [4])
    write(tmp_path / "b/.hidden/five.jsonl", [5])
    write(tmp_path / "picture.png", [6])
    (tmp_path / "readme.txt").write_text("nothing of that kind")
    (tmp_path / "settings.json").write_text('{"volume": 1}')
    results = import_paths(qtbot, importer, tmp_path, tmp_path / "one.jsonl")
    assert [each.path.name for each in results] == ["two.jsonl", "one.jsonl", "three.jsonl.gz"]
    assert not any(each.problem for each in results)


@pytest.mark.posix
def test_pipe_is_rejected(qtbot: QtBot, importer: RoundImporter, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (result,) = import_paths(qtbot, importer, tmp_path / "pipe.jsonl")
    assert str(tmp_path / "pipe.jsonl") in result.problem


def test_progress_ends_with_none(qtbot: QtBot, importer: RoundImporter, tmp_path: Path) -> None:
    received: list[ImportProgress | None] = []
    importer.progress_changed.connect(received.append)
    write(tmp_path / "one.jsonl", range(2))
    import_paths(qtbot, importer, tmp_path / "one.jsonl")
    assert received[0] == ImportProgress(tmp_path / "one.jsonl", 1, 1, 0.0)
    assert received[-1] is None
    assert not importer.is_running


def test_cancelled_file_is_not_imported(
    qtbot: QtBot, importer: RoundImporter, storage: UserStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause_until_cancelled(importer, monkeypatch)
    first, second = write(tmp_path / "first.jsonl", [1]), write(tmp_path / "second.jsonl", range(2, 20_000))
    results: list[RoundImportResult] = []
    importer.import_finished.connect(results.extend)

    def cancel(importing: ImportProgress | None) -> None:
        if importing is not None and importing.path == second and importing.share:
            importer.cancel()

    importer.progress_changed.connect(cancel)
    importer.import_paths([first, second])
    qtbot.waitUntil(lambda: not importer.is_running)
    assert results == [RoundImportResult(first, "rounds", 1, 1)]
    assert storage.round_store.count_rounds() == {"ns2": 1}
    (result,) = import_paths(qtbot, importer, write(tmp_path / "third.jsonl", [3]))  # later imports are not cancelled
    assert result.new == 1


def test_close_cancels_import(
    qtbot: QtBot, importer: RoundImporter, storage: UserStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause_until_cancelled(importer, monkeypatch)
    importer.import_paths([write(tmp_path / "many.jsonl", range(20_000))])
    importer.close()
    assert "imports" not in [thread.name for thread in threading.enumerate()]
    assert storage.round_store.count_rounds() == {}


def test_is_round_file(tmp_path: Path) -> None:
    assert is_round_file(write(tmp_path / "a.json", [1]))
    (tmp_path / "b.json").write_text('{"RoundInfo": {}}')
    assert is_round_file(tmp_path / "b.json")
    (tmp_path / "c.json").write_text("{}")
    assert not is_round_file(tmp_path / "c.json")
    assert not is_round_file(tmp_path / "missing.json")


@pytest.mark.posix
def test_links_and_pipes_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "one.jsonl", [1])
    (tmp_path / "circle").symlink_to(tmp_path)
    (tmp_path / "itself.json").symlink_to("itself.json")
    (tmp_path / "device.json").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.json")
    files, is_complete = find_round_files(tmp_path)
    assert [each.name for each in files] == ["one.jsonl"]
    assert is_complete


def test_files_of_folder_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, importer: RoundImporter, qtbot: QtBot, storage: UserStorage
) -> None:
    for number in range(4):
        write(tmp_path / f"{number % 2}/{number}.jsonl", [number])
    text = f"{tmp_path}: too many files; not all of them are read"
    monkeypatch.setattr(round_files, "MAX_FILES", 3)
    assert (len(find_round_files(tmp_path).files), find_round_files(tmp_path).is_complete) == (3, False)
    (result,) = [each for each in import_paths(qtbot, importer, tmp_path) if each.problem]
    assert result.problem == text
    (state,) = scan_folders([tmp_path], storage.watched_folders, [], lambda _path: False).folders
    assert (state.files, state.problem) == (3, text)
    monkeypatch.setattr(round_files, "MAX_FILES", 9)
    assert find_round_files(tmp_path).is_complete
    monkeypatch.setattr(round_files, "MAX_ENTRIES", 5)
    assert not find_round_files(tmp_path).is_complete


def test_growing_file_is_not_watched_closely(watcher: FolderWatcher) -> None:
    """It would have all files listed again every two seconds for as long as it grows."""
    watcher._import_new_files(FolderScan(has_unsettled=True))
    assert watcher._settle_timer.isActive()
    watcher._settle_timer.stop()
    watcher._import_new_files(FolderScan(has_unsettled=True))
    assert not watcher._settle_timer.isActive()
    watcher._import_new_files(FolderScan())
    watcher._import_new_files(FolderScan(has_unsettled=True))
    assert watcher._settle_timer.isActive()


@pytest.mark.parametrize(
    ("platform", "place"),
    [
        ("linux", ".config/Natural Selection 2"),
        ("win32", "AppData/Roaming/Natural Selection 2"),
        (
            "linux",
            ".local/share/Steam/steamapps/compatdata/4920/pfx/drive_c/users/steamuser/AppData/Roaming/"
            "Natural Selection 2",
        ),
    ],
)
def test_suggests_ns2_plus_folder(tmp_path: Path, platform: str, place: str) -> None:
    assert suggested_folders(platform, tmp_path, {}) == ()
    stats = tmp_path / place / "NS2Plus/Stats"
    stats.mkdir(parents=True)
    assert suggested_folders(platform, tmp_path, {}) == (stats,)


# Watched folders


@pytest.fixture
def watcher(storage: UserStorage, importer: RoundImporter) -> Iterator[FolderWatcher]:
    watcher = FolderWatcher(storage.watched_folders, importer)
    yield watcher
    watcher.close()


def wait_until_scanned(bot: QtBot, watcher: FolderWatcher) -> None:
    bot.waitUntil(lambda: not watcher._busy and not watcher._scan_again and watcher.scanned_at is not None)


def scan(bot: QtBot, watcher: FolderWatcher) -> None:
    watcher.scan()
    wait_until_scanned(bot, watcher)


def test_watched_folder_imports_new_files(
    qtbot: QtBot, watcher: FolderWatcher, importer: RoundImporter, storage: UserStorage, tmp_path: Path
) -> None:
    folder = tmp_path / "rounds"
    write(folder / "one.jsonl", [1])
    results: list[RoundImportResult] = []
    importer.import_finished.connect(results.extend)
    watcher.start()
    assert not watcher._timer.isActive()  # no timer runs without a watched folder
    watcher.add(folder)
    wait_until_scanned(qtbot, watcher)
    assert storage.round_store.count_rounds() == {"ns2": 1}
    assert [(state.path, state.files, state.problem) for state in watcher.folders] == [(folder, 1, "")]
    scan(qtbot, watcher)
    assert len(results) == 1  # not imported again
    write(folder / "two.jsonl", [2, 3])
    scan(qtbot, watcher)
    assert storage.round_store.count_rounds() == {"ns2": 3}
    set_age(write(folder / "two.jsonl", [2, 3, 4]), OLD - 1)
    scan(qtbot, watcher)
    assert storage.round_store.count_rounds() == {"ns2": 4}
    assert [(each.path.name, each.rounds, each.new) for each in results] == [
        ("one.jsonl", 1, 1),
        ("two.jsonl", 2, 2),
        ("two.jsonl", 3, 1),
    ]
    watcher.remove(folder)
    assert watcher.folders == ()
    watcher.scan()
    assert not watcher._timer.isActive()
    assert storage.round_store.count_rounds() == {"ns2": 4}


@pytest.mark.linux
def test_undecodable_file_names(
    qtbot: QtBot, watcher: FolderWatcher, importer: RoundImporter, storage: UserStorage, tmp_path: Path
) -> None:
    write(tmp_path / "a\udcfe.jsonl", [1])
    write(tmp_path / "a\udcff.jsonl", [2])
    write(tmp_path / "b\udcff.jsonl", [3], "{")
    results: list[RoundImportResult] = []
    importer.import_finished.connect(results.extend)
    watcher.add(tmp_path)
    wait_until_scanned(qtbot, watcher)
    assert storage.round_store.count_rounds() == {"ns2": 2}
    assert len(results) == 3
    assert [each.partition(":")[0] for each in watcher.folders[0].rejected] == [f"{tmp_path}/b\\xff.jsonl"]
    scan(qtbot, watcher)
    assert len(results) == 3  # not imported again


@pytest.mark.expects_log
def test_internal_errors_lose_one_file_each(
    qtbot: QtBot,
    watcher: FolderWatcher,
    importer: RoundImporter,
    storage: UserStorage,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _good, unread, unseen = (write(tmp_path / f"{number}.jsonl", [number]) for number in range(3))
    add_file, scan_file = round_import.add_round_file, folder_scan._scan_file

    def add_or_fail(store: RoundStore, source: RoundFileSource, *args: Any, **options: Any) -> RoundInsertCounts:
        if source.path == str(unread):
            raise RuntimeError
        return add_file(store, source, *args, **options)

    def scan_or_fail(file: os.DirEntry[str], *args: Any) -> str | None:
        if file.path == str(unseen):
            raise RuntimeError
        return scan_file(file, *args)

    monkeypatch.setattr(round_importer, "add_round_file", add_or_fail)
    monkeypatch.setattr(folder_scan, "_scan_file", scan_or_fail)
    watcher.add(tmp_path)
    wait_until_scanned(qtbot, watcher)
    assert storage.round_store.count_rounds() == {"ns2": 1}
    assert [state.rejected for state in watcher.folders] == [
        tuple(f"{path}: not read because of an internal error" for path in (unread, unseen))
    ]
    assert set(internal_errors.counts()) == {
        "RuntimeError while importing a round file",
        "RuntimeError while scanning a watched file",
    }
    monkeypatch.setattr(folder_scan, "find_round_files", lambda _folder: 1 // 0)
    scan(qtbot, watcher)
    assert watcher.folders[0].problem == f"{tmp_path}: not read because of an internal error"


def test_restart_imports_nothing_again(
    qtbot: QtBot, watcher: FolderWatcher, importer: RoundImporter, storage: UserStorage, tmp_path: Path
) -> None:
    write(tmp_path / "rounds/one.jsonl", [1])
    watcher.add(tmp_path / "rounds")
    wait_until_scanned(qtbot, watcher)
    scan(qtbot, watcher)
    watcher.close()
    results: list[RoundImportResult] = []
    importer.import_finished.connect(results.extend)
    again = FolderWatcher(storage.watched_folders, importer)
    again.start()
    wait_until_scanned(qtbot, again)
    again.close()
    assert results == []
    assert again.folders[0].files == 1


def test_bad_file_retried_after_change(
    qtbot: QtBot, watcher: FolderWatcher, importer: RoundImporter, storage: UserStorage, tmp_path: Path
) -> None:
    bad = write(tmp_path / "rounds/bad.jsonl", [1], "{}\n")
    results: list[RoundImportResult] = []
    importer.import_finished.connect(results.extend)
    watcher.add(tmp_path / "rounds")
    qtbot.waitUntil(lambda: bool(watcher.folders[0].rejected))
    wait_until_scanned(qtbot, watcher)
    assert watcher.folders[0].rejected[0].startswith(f"{bad}:2: ")
    scan(qtbot, watcher)
    assert len(results) == 1
    write(tmp_path / "rounds/bad.jsonl", [1])
    scan(qtbot, watcher)
    assert storage.round_store.count_rounds() == {"ns2": 1}
    scan(qtbot, watcher)
    assert watcher.folders[0].rejected == ()


def test_file_being_written_waits(
    qtbot: QtBot, watcher: FolderWatcher, storage: UserStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "rounds/one.jsonl", [1])
    set_age(path, 0)
    monkeypatch.setattr(folder_scan, "SETTLED_S", OLD / 2)
    watcher._settle_timer.setInterval(100)
    watcher.add(tmp_path / "rounds")
    qtbot.waitUntil(watcher._settle_timer.isActive)
    assert storage.round_store.count_rounds() == {}
    set_age(path)
    qtbot.waitUntil(lambda: storage.round_store.count_rounds() == {"ns2": 1})


def test_missing_folder_is_reported(qtbot: QtBot, watcher: FolderWatcher, tmp_path: Path) -> None:
    watcher.add(tmp_path / "nowhere")
    wait_until_scanned(qtbot, watcher)
    assert watcher.folders[0].problem == "No such file or directory"
    assert watcher.folders[0].files is None


def test_cancelled_files_are_not_retried(
    qtbot: QtBot,
    watcher: FolderWatcher,
    importer: RoundImporter,
    storage: UserStorage,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pause_until_cancelled(importer, monkeypatch)
    write(tmp_path / "rounds/many.jsonl", range(20_000))
    importer.progress_changed.connect(lambda _: importer.cancel())
    watcher.add(tmp_path / "rounds")
    wait_until_scanned(qtbot, watcher)
    scan(qtbot, watcher)
    assert storage.round_store.count_rounds() == {}
    assert watcher.folders[0].rejected == ()


def test_file_is_imported_after_full_disk(
    qtbot: QtBot, watcher: FolderWatcher, storage: UserStorage, tmp_path: Path
) -> None:
    write(tmp_path / "rounds/one.jsonl", range(200))

    def limit(pages: str) -> None:
        storage.database.write(lambda connection: connection.execute(f"PRAGMA max_page_count = {pages}").fetchone())

    limit("1")  # as many as there are
    watcher.add(tmp_path / "rounds")
    wait_until_scanned(qtbot, watcher)
    assert storage.round_store.count_rounds() == {}
    limit("1000000")
    scan(qtbot, watcher)  # nor at each scan, since the failure would be reported each time
    assert storage.round_store.count_rounds() == {}
    watcher._on_application_state(Qt.ApplicationState.ApplicationActive)
    wait_until_scanned(qtbot, watcher)
    assert storage.round_store.count_rounds() == {"ns2": 200}
    assert watcher.folders[0].rejected == ()


def test_scans_periodically(
    qtbot: QtBot, watcher: FolderWatcher, storage: UserStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert folder_watcher.FOLDER_SCAN_INTERVAL_MS == watcher._timer.interval() == 30_000
    watcher._timer.setInterval(50)
    (tmp_path / "rounds").mkdir()
    watcher.add(tmp_path / "rounds")
    wait_until_scanned(qtbot, watcher)
    write(tmp_path / "rounds/one.jsonl", [1])
    qtbot.waitUntil(lambda: storage.round_store.count_rounds() == {"ns2": 1})


def test_import_summary_text() -> None:
    results = [RoundImportResult(Path("a"), "rounds", 3, 2), RoundImportResult(Path("b"), "rounds", 1, 0)]
    bad = [RoundImportResult(Path("c"), "", 0, 0, "c:1: wrong"), RoundImportResult(Path("d"), "", 0, 0, "d: wrong")]
    assert import_summary_text(results + bad) == "4 rounds read, 2 new"
    improved = RoundImportResult(Path("e"), "rounds", 3, 1, improved=2, new_details=frozenset({"date", "times"}))
    assert import_summary_text([improved]).startswith("3 rounds read, 1 new; 2 ")
    assert import_summary_text(bad) == ""
