"""Files of rounds taken in beside the window: by hand, whole or not at all, and from watched folders."""

import gzip
import json
import os
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from browser_app.application import folder_scan, round_import
from browser_app.application.round_files import find_round_files, is_round_file, suggested_folders
from browser_app.application.round_import import ImportProgress, RoundImportResult, import_summary_text
from browser_app.bridge.skill import folder_watcher
from browser_app.bridge.skill.folder_watcher import FolderWatcher
from browser_app.bridge.skill.round_importer import RoundImporter
from browser_app.paths import user_paths
from browser_app.storage.user_session import UserSession

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
OLD = 60
"""Seconds: so long ago a test's files were written."""


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
    age(path)
    return path


def age(path: Path, seconds: float = OLD) -> None:
    os.utime(path, (time.time() - seconds, time.time() - seconds))


@pytest.fixture
def session() -> Iterator[UserSession]:
    with UserSession(user_paths()) as session:
        yield session


@pytest.fixture
def imports(qtbot: QtBot, session: UserSession) -> Iterator[RoundImporter]:
    imports = RoundImporter(session.round_store)
    yield imports
    imports.close()


def take(bot: QtBot, imports: RoundImporter, *paths: Path) -> list[RoundImportResult]:
    with bot.waitSignal(imports.import_finished) as finished:
        imports.import_paths(paths)
    assert finished.args is not None
    results: list[RoundImportResult] = finished.args[0]
    return results


def stand_still_until_cancelled(imports: RoundImporter, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of each large file: no cancellation comes too late."""
    tell = imports._report_progress

    def tell_and_wait(importing: ImportProgress) -> None:
        tell(importing)
        while 0 < importing.share < 1 and any(wanted.is_set() for wanted in imports._active_imports):
            time.sleep(0.01)

    monkeypatch.setattr(round_import, "_REPORT_INTERVAL_S", 0.0)
    monkeypatch.setattr(imports, "_report_progress", tell_and_wait)


def test_each_file_is_whole_or_not_at_all(
    qtbot: QtBot, imports: RoundImporter, session: UserSession, tmp_path: Path
) -> None:
    good, same = write(tmp_path / "good.jsonl", range(3)), write(tmp_path / "same.jsonl", range(2, 5))
    bad = write(tmp_path / "bad.jsonl", range(5, 9), '{"id": "half"')
    missing, folder = tmp_path / "missing.jsonl", tmp_path / "folder"
    folder.mkdir()
    results = take(qtbot, imports, good, bad, same, missing, folder)
    by_name = {each.path.name: each for each in results}
    assert by_name["good.jsonl"] == RoundImportResult(good, "rounds", 3, 3)
    assert by_name["same.jsonl"] == RoundImportResult(same, "rounds", 3, 2)
    assert by_name["bad.jsonl"][1:4] == ("rounds", 0, 0)
    assert by_name["bad.jsonl"].problem.startswith(f"{bad}:5: ")
    assert "cannot be read" in by_name["missing.jsonl"].problem
    assert "no file of rounds in it" in by_name["folder"].problem
    assert session.round_store.round_counts() == {"ns2": 5}
    assert take(qtbot, imports, good) == [RoundImportResult(good, "rounds", 3, 0)]


def test_a_folder_stands_for_the_files_of_rounds_in_it(qtbot: QtBot, imports: RoundImporter, tmp_path: Path) -> None:
    write(tmp_path / "b/two.jsonl", [2])
    write(tmp_path / "one.jsonl", [1])
    (tmp_path / "three.jsonl.gz").write_bytes(gzip.compress(round_line(3).encode()))
    write(tmp_path / ".hidden.jsonl", [4])
    write(tmp_path / "b/.hidden/five.jsonl", [5])
    write(tmp_path / "picture.png", [6])
    (tmp_path / "readme.txt").write_text("nothing of that kind")
    (tmp_path / "settings.json").write_text('{"volume": 1}')
    results = take(qtbot, imports, tmp_path, tmp_path / "one.jsonl")
    assert [each.path.name for each in results] == ["two.jsonl", "one.jsonl", "three.jsonl.gz"]
    assert not any(each.problem for each in results)


@pytest.mark.posix
def test_what_is_no_file_is_refused(qtbot: QtBot, imports: RoundImporter, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (result,) = take(qtbot, imports, tmp_path / "pipe.jsonl")
    assert result.problem.endswith("no file")


def test_progress_is_told_and_ends(qtbot: QtBot, imports: RoundImporter, tmp_path: Path) -> None:
    told: list[ImportProgress | None] = []
    imports.progress_changed.connect(told.append)
    write(tmp_path / "one.jsonl", range(2))
    take(qtbot, imports, tmp_path / "one.jsonl")
    assert told[0] == ImportProgress(tmp_path / "one.jsonl", 1, 1, 0.0)
    assert told[-1] is None
    assert not imports.is_running


def test_a_cancelled_import_takes_no_half_file(
    qtbot: QtBot, imports: RoundImporter, session: UserSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_still_until_cancelled(imports, monkeypatch)
    first, second = write(tmp_path / "first.jsonl", [1]), write(tmp_path / "second.jsonl", range(2, 20_000))
    results: list[RoundImportResult] = []
    imports.import_finished.connect(results.extend)

    def cancel(importing: ImportProgress | None) -> None:
        if importing is not None and importing.path == second and importing.share:
            imports.cancel()

    imports.progress_changed.connect(cancel)
    imports.import_paths([first, second])
    qtbot.waitUntil(lambda: not imports.is_running)
    assert results == [RoundImportResult(first, "rounds", 1, 1)]
    assert session.round_store.round_counts() == {"ns2": 1}
    (result,) = take(qtbot, imports, write(tmp_path / "third.jsonl", [3]))  # a later one is not cancelled
    assert result.new == 1


def test_closing_ends_it(
    qtbot: QtBot, imports: RoundImporter, session: UserSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_still_until_cancelled(imports, monkeypatch)
    imports.import_paths([write(tmp_path / "many.jsonl", range(20_000))])
    imports.close()
    assert "imports" not in [thread.name for thread in threading.enumerate()]
    assert session.round_store.round_counts() == {}


def test_what_looks_like_rounds(tmp_path: Path) -> None:
    assert is_round_file(write(tmp_path / "a.json", [1]))
    (tmp_path / "b.json").write_text('{"RoundInfo": {}}')
    assert is_round_file(tmp_path / "b.json")
    (tmp_path / "c.json").write_text("{}")
    assert not is_round_file(tmp_path / "c.json")
    assert not is_round_file(tmp_path / "missing.json")


@pytest.mark.posix
def test_a_link_in_a_circle_is_followed_once_at_most(tmp_path: Path) -> None:
    write(tmp_path / "one.jsonl", [1])
    (tmp_path / "circle").symlink_to(tmp_path)
    (tmp_path / "itself.json").symlink_to("itself.json")
    assert [each.name for each in find_round_files(tmp_path)] == ["one.jsonl"]


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
def test_the_folder_of_ns2_plus_is_proposed_where_it_exists(tmp_path: Path, platform: str, place: str) -> None:
    assert suggested_folders(platform, tmp_path, {}) == ()
    stats = tmp_path / place / "NS2Plus/Stats"
    stats.mkdir(parents=True)
    assert suggested_folders(platform, tmp_path, {}) == (stats,)


# Watched folders


@pytest.fixture
def watch(session: UserSession, imports: RoundImporter) -> Iterator[FolderWatcher]:
    watch = FolderWatcher(session.watched_folders, imports)
    yield watch
    watch.close()


def settle(bot: QtBot, watch: FolderWatcher) -> None:
    bot.waitUntil(lambda: not watch._busy and not watch._scan_again and watch.scanned_at is not None)


def look(bot: QtBot, watch: FolderWatcher) -> None:
    watch.scan()
    settle(bot, watch)


def test_new_files_of_a_watched_folder_are_taken_in(
    qtbot: QtBot, watch: FolderWatcher, imports: RoundImporter, session: UserSession, tmp_path: Path
) -> None:
    folder = tmp_path / "rounds"
    write(folder / "one.jsonl", [1])
    taken: list[RoundImportResult] = []
    imports.import_finished.connect(taken.extend)
    watch.start()
    assert not watch._timer.isActive()  # nothing is watched: nobody wakes up
    watch.add(folder)
    settle(qtbot, watch)
    assert session.round_store.round_counts() == {"ns2": 1}
    assert [(state.path, state.files, state.problem) for state in watch.folders] == [(folder, 1, "")]
    look(qtbot, watch)
    assert len(taken) == 1  # not taken again
    write(folder / "two.jsonl", [2, 3])
    look(qtbot, watch)
    assert session.round_store.round_counts() == {"ns2": 3}
    age(write(folder / "two.jsonl", [2, 3, 4]), OLD - 1)
    look(qtbot, watch)
    assert session.round_store.round_counts() == {"ns2": 4}
    assert [(each.path.name, each.rounds, each.new) for each in taken] == [
        ("one.jsonl", 1, 1),
        ("two.jsonl", 2, 2),
        ("two.jsonl", 3, 1),
    ]
    watch.remove(folder)
    assert watch.folders == ()
    watch.scan()
    assert not watch._timer.isActive()
    assert session.round_store.round_counts() == {"ns2": 4}


@pytest.mark.linux
def test_names_that_are_no_text_are_as_good_as_others(
    qtbot: QtBot, watch: FolderWatcher, imports: RoundImporter, session: UserSession, tmp_path: Path
) -> None:
    write(tmp_path / "a\udcfe.jsonl", [1])
    write(tmp_path / "a\udcff.jsonl", [2])
    write(tmp_path / "b\udcff.jsonl", [3], "{")
    taken: list[RoundImportResult] = []
    imports.import_finished.connect(taken.extend)
    watch.add(tmp_path)
    settle(qtbot, watch)
    assert session.round_store.round_counts() == {"ns2": 2}
    assert len(taken) == 3
    assert [each.partition(":")[0] for each in watch.folders[0].refused] == [f"{tmp_path}/b\\xff.jsonl"]
    look(qtbot, watch)
    assert len(taken) == 3  # not taken again


def test_what_was_taken_is_known_after_the_next_start(
    qtbot: QtBot, watch: FolderWatcher, imports: RoundImporter, session: UserSession, tmp_path: Path
) -> None:
    write(tmp_path / "rounds/one.jsonl", [1])
    watch.add(tmp_path / "rounds")
    settle(qtbot, watch)
    look(qtbot, watch)
    watch.close()
    taken: list[RoundImportResult] = []
    imports.import_finished.connect(taken.extend)
    again = FolderWatcher(session.watched_folders, imports)
    again.start()
    settle(qtbot, again)
    again.close()
    assert taken == []
    assert again.folders[0].files == 1


def test_a_bad_file_is_told_and_not_tried_again_until_it_changes(
    qtbot: QtBot, watch: FolderWatcher, imports: RoundImporter, session: UserSession, tmp_path: Path
) -> None:
    bad = write(tmp_path / "rounds/bad.jsonl", [1], "{}\n")
    taken: list[RoundImportResult] = []
    imports.import_finished.connect(taken.extend)
    watch.add(tmp_path / "rounds")
    qtbot.waitUntil(lambda: bool(watch.folders[0].refused))
    settle(qtbot, watch)
    assert watch.folders[0].refused[0].startswith(f"{bad}:2: ")
    look(qtbot, watch)
    assert len(taken) == 1
    write(tmp_path / "rounds/bad.jsonl", [1])
    look(qtbot, watch)
    assert session.round_store.round_counts() == {"ns2": 1}
    look(qtbot, watch)
    assert watch.folders[0].refused == ()


def test_a_file_that_is_being_written_waits(
    qtbot: QtBot, watch: FolderWatcher, session: UserSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "rounds/one.jsonl", [1])
    age(path, 0)
    monkeypatch.setattr(folder_scan, "MIN_COMMON_TIME_S", OLD / 2)
    watch._settle_timer.setInterval(100)
    watch.add(tmp_path / "rounds")
    qtbot.waitUntil(watch._settle_timer.isActive)
    assert session.round_store.round_counts() == {}
    age(path)
    qtbot.waitUntil(lambda: session.round_store.round_counts() == {"ns2": 1})


def test_a_folder_that_has_gone_is_told(qtbot: QtBot, watch: FolderWatcher, tmp_path: Path) -> None:
    watch.add(tmp_path / "nowhere")
    settle(qtbot, watch)
    assert watch.folders[0].problem == "No such file or directory"
    assert watch.folders[0].files is None


def test_files_of_a_cancelled_import_are_left_alone(
    qtbot: QtBot,
    watch: FolderWatcher,
    imports: RoundImporter,
    session: UserSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stand_still_until_cancelled(imports, monkeypatch)
    write(tmp_path / "rounds/many.jsonl", range(20_000))
    imports.progress_changed.connect(lambda _: imports.cancel())
    watch.add(tmp_path / "rounds")
    settle(qtbot, watch)
    look(qtbot, watch)
    assert session.round_store.round_counts() == {}
    assert watch.folders[0].refused == ()


def test_it_looks_by_itself(
    qtbot: QtBot, watch: FolderWatcher, session: UserSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert folder_watcher.FOLDER_SCAN_INTERVAL_MS == watch._timer.interval() == 30_000
    watch._timer.setInterval(50)
    (tmp_path / "rounds").mkdir()
    watch.add(tmp_path / "rounds")
    settle(qtbot, watch)
    write(tmp_path / "rounds/one.jsonl", [1])
    qtbot.waitUntil(lambda: session.round_store.round_counts() == {"ns2": 1})


def test_what_an_import_did_in_words() -> None:
    taken = [RoundImportResult(Path("a"), "rounds", 3, 2), RoundImportResult(Path("b"), "rounds", 1, 0)]
    bad = [RoundImportResult(Path("c"), "", 0, 0, "c:1: wrong"), RoundImportResult(Path("d"), "", 0, 0, "d: wrong")]
    assert import_summary_text(taken + bad) == "4 rounds read, 2 new"
    richer = RoundImportResult(Path("e"), "rounds", 3, 1, completed=2, gains=frozenset({"date", "times"}))
    known = "2 already known, now with the times of joining and leaving, the date"
    assert import_summary_text([richer]) == f"3 rounds read, 1 new; {known}"
    assert import_summary_text(bad) == ""
