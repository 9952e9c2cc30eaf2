"""Tables whose columns the user has to map.

Asked for once, then known, also in watched folders.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from skill_fixtures import open_skill_model

from browser_app.application.round_imports.round_import import RoundImportResult, UnmappedTable
from browser_app.bridge.skill.folder_watcher import FolderWatcher
from browser_app.bridge.skill.round_importer import RoundImporter
from browser_app.paths import user_paths
from browser_app.rounds.csv_rounds import TablePreview
from browser_app.storage.user_storage import UserStorage

HEAD = "match,who,side,won by,when,secs\n"
COLUMNS = {"id": "match", "player": "who", "team": "side", "winner": "won by", "started": "when", "duration": "secs"}


def start_and_length(match: int) -> str:
    """Return start and length, which distinguish two rounds of the same players."""
    return f"2024-05-0{match}T20:00:00Z,600"


def write(path: Path, match: int, head: str = HEAD) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{head}{match},ann,x,x,{start_and_length(match)}\n{match},bob,y,x,{start_and_length(match)}\n")
    os.utime(path, (time.time() - 60, time.time() - 60))
    return path


@pytest.fixture
def storage() -> Iterator[UserStorage]:
    with UserStorage(user_paths()) as storage:
        yield storage


@pytest.fixture
def importer(qtbot: QtBot, storage: UserStorage) -> Iterator[RoundImporter]:
    importer = RoundImporter(storage.round_store, storage.column_maps)
    yield importer
    importer.close()


def import_paths(
    bot: QtBot, importer: RoundImporter, *paths: Path, ask_columns: bool = True
) -> list[RoundImportResult]:
    received: list[list[RoundImportResult]] = []
    importer.import_paths(paths, lambda results: received.append(list(results)), ask_columns=ask_columns)
    bot.waitUntil(lambda: bool(received))
    return received[0]


def import_table(
    bot: QtBot, importer: RoundImporter, result: RoundImportResult, columns: dict[str, str]
) -> RoundImportResult:
    assert result.table is not None
    received: list[RoundImportResult] = []
    importer.import_table(UnmappedTable(result.path, result.problem, result.table), columns, received.extend)
    bot.waitUntil(lambda: bool(received))
    return received[0]


def test_column_map_is_asked_for_once(
    qtbot: QtBot, importer: RoundImporter, storage: UserStorage, tmp_path: Path
) -> None:
    (rejected,) = import_paths(qtbot, importer, write(tmp_path / "one.csv", 1))
    assert rejected.problem.endswith("one.csv:1: id: there is no such column")
    assert rejected.table == TablePreview(
        ("match", "who", "side", "won by", "when", "secs"),
        (
            ("1", "ann", "x", "x", *start_and_length(1).split(",")),
            ("1", "bob", "y", "x", *start_and_length(1).split(",")),
        ),
    )
    assert import_table(qtbot, importer, rejected, COLUMNS).new == 1
    other = tmp_path / "other order.csv"
    other.write_text(
        f"who,match,won by,side,when,secs\nann,2,x,x,{start_and_length(2)}\nbob,2,x,y,{start_and_length(2)}\n"
    )
    assert [each.new for each in import_paths(qtbot, importer, write(tmp_path / "two.csv", 3), other)] == [1, 1]
    (unlike,) = import_paths(qtbot, importer, write(tmp_path / "unlike.csv", 4, HEAD.replace("who", "whom")))
    assert unlike.table is not None
    storage.database.flush()
    assert sum(storage.round_store.count_rounds().values()) == 3


def test_column_map_survives_restart(
    qtbot: QtBot, importer: RoundImporter, storage: UserStorage, tmp_path: Path
) -> None:
    (rejected,) = import_paths(qtbot, importer, write(tmp_path / "one.csv", 1))
    import_table(qtbot, importer, rejected, COLUMNS)
    storage.database.flush()
    with UserStorage(user_paths()) as again:
        assert again.column_maps.find_column_map(["side", "who", "when", "won by", "secs", "match"]) == COLUMNS
        assert again.column_maps.find_column_map(["side", "who", "won by"]) == {}


def test_wrong_column_map_is_not_saved(
    qtbot: QtBot, importer: RoundImporter, storage: UserStorage, tmp_path: Path
) -> None:
    (rejected,) = import_paths(qtbot, importer, write(tmp_path / "one.csv", 1))
    wrong = import_table(qtbot, importer, rejected, COLUMNS | {"started": "who"})
    assert wrong.problem.startswith(f"{tmp_path}/one.csv:3: started: ")
    assert import_paths(qtbot, importer, tmp_path / "one.csv")[0].table is not None
    assert not storage.round_store.count_rounds()


def test_bad_line_rejects_table(qtbot: QtBot, importer: RoundImporter, storage: UserStorage, tmp_path: Path) -> None:
    (rejected,) = import_paths(qtbot, importer, write(tmp_path / "one.csv", 1))
    import_table(qtbot, importer, rejected, COLUMNS)
    bad = write(tmp_path / "bad.csv", 2)
    bad.write_text(bad.read_text() + f"3,,x,x,{start_and_length(3)}\n")
    (result,) = import_paths(qtbot, importer, bad)
    assert (result.problem, result.table) == (f"{bad}:4: who: is missing", None)
    assert sum(storage.round_store.count_rounds().values()) == 1


def test_other_errors_ask_for_no_map(qtbot: QtBot, importer: RoundImporter, tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_bytes(b"match,who\n\xff,a\n")
    (result,) = import_paths(qtbot, importer, bad)
    assert (result.problem, result.table) == (f"{bad}: is not UTF-8 at byte 11", None)
    (quiet,) = import_paths(qtbot, importer, write(tmp_path / "one.csv", 1), ask_columns=False)
    assert quiet.awaits_column_map
    assert quiet.table is None


def test_watched_folder_uses_saved_map(
    qtbot: QtBot, importer: RoundImporter, storage: UserStorage, tmp_path: Path
) -> None:
    watcher = FolderWatcher(storage.watched_folders, importer)
    try:
        waiting = write(tmp_path / "rounds/waiting.csv", 1)
        watcher.add(tmp_path / "rounds")
        qtbot.waitUntil(lambda: watcher.folders[0].unmapped_tables == (waiting,))
        assert watcher.folders[0].rejected == ()
        (rejected,) = import_paths(qtbot, importer, write(tmp_path / "by hand.csv", 2))
        import_table(qtbot, importer, rejected, COLUMNS)
        qtbot.waitUntil(lambda: sum(storage.round_store.count_rounds().values()) == 2)
        qtbot.waitUntil(lambda: not watcher._busy and not watcher._scan_again)
        watcher.scan()
        qtbot.waitUntil(lambda: watcher.folders[0].unmapped_tables == ())
        write(tmp_path / "rounds/next.csv", 3)
        watcher.scan()
        qtbot.waitUntil(lambda: sum(storage.round_store.count_rounds().values()) == 3)
    finally:
        watcher.close()


def test_changed_map_reimports_tables(
    qtbot: QtBot, importer: RoundImporter, storage: UserStorage, tmp_path: Path
) -> None:
    (rejected,) = import_paths(qtbot, importer, write(tmp_path / "one.csv", 1))
    import_table(qtbot, importer, rejected, {key: name for key, name in COLUMNS.items() if key != "winner"})
    import_paths(qtbot, importer, write(tmp_path / "two.csv", 2))
    assert storage.round_store.load_rounds("").record.team_rank.tolist() == [0] * 4
    (stored,) = storage.column_maps.all()
    assert (stored.file, stored.columns) == ("one.csv", tuple(HEAD.strip().split(",")))
    with qtbot.waitSignal(importer.import_finished) as finished:
        storage.column_maps.save(stored.columns, COLUMNS, stored.file)
        importer.reimport_tables(stored.columns)
    assert [each.problem for each in finished.args[0]] == ["", ""]
    assert storage.round_store.count_rounds() == {"": 2}
    assert storage.round_store.load_rounds("").record.team_rank.tolist() == [1, 2] * 2
    with qtbot.waitSignal(importer.import_finished) as finished:
        storage.column_maps.save(stored.columns, COLUMNS | {"duration": "when"}, stored.file)
        importer.reimport_tables(stored.columns)
    assert all(each.problem for each in finished.args[0])
    assert storage.round_store.count_rounds() == {"": 2}, "what cannot be read like this stays as it was"
    storage.column_maps.remove(stored.columns)
    assert storage.column_maps.all() == []
    assert import_paths(qtbot, importer, tmp_path / "one.csv")[0].table is not None


def test_model_requests_columns(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path / "data") as env:
        requested: list[UnmappedTable] = []
        env.model.columns_requested.connect(requested.extend)
        bad = tmp_path / "bad.jsonl"
        bad.write_text("{}\n")
        env.model.import_paths([write(tmp_path / "one.csv", 1), bad])
        qtbot.waitUntil(lambda: bool(requested))
        assert [each.path.name for each in requested] == ["one.csv"]
        assert [text.partition(":")[0] for text in env.errors] == [str(bad)]
        received: list[RoundImportResult] = []
        env.model.import_table(requested[0], COLUMNS, received.extend)
        qtbot.waitUntil(lambda: bool(received))
        assert received[0].new == 1


def test_model_reports_imports(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path / "data") as env:
        importer = env.model._importer
        (waiting,) = import_paths(qtbot, importer, write(tmp_path / "one.csv", 1), ask_columns=False)
        assert (waiting.awaits_column_map, env.errors, env.model._load_count) == (True, [], 0)
        improved = RoundImportResult(
            tmp_path / "end.json", "ns2-match-end", 1, 0, improved=1, new_details=frozenset(["times"])
        )
        importer.import_finished.emit([improved])
        assert env.model._load_count == 1
        importer.import_finished.emit([RoundImportResult(tmp_path / "bad.json", "", 0, 0, "bad.json:1: wrong")])
        assert env.errors == ["bad.json:1: wrong"]
