"""Tables whose columns the user has to name: asked for once, understood from then on, also in watched folders."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from skill_record import a_panel

from browser_app.application.round_import import RoundImportResult, UnmappedTable
from browser_app.bridge.skill.folder_watcher import FolderWatcher
from browser_app.bridge.skill.round_importer import ImportReporter, RoundImporter
from browser_app.paths import user_paths
from browser_app.rounds.csv_rounds import TablePreview
from browser_app.storage.user_session import UserSession

HEAD = "match,who,side,won by,when,secs\n"
COLUMNS = {"id": "match", "player": "who", "team": "side", "winner": "won by", "started": "when", "duration": "secs"}


def when(match: int) -> str:
    """Start and length; two rounds of the same people are told apart by them."""
    return f"2024-05-0{match}T20:00:00Z,600"


def write(path: Path, match: int, head: str = HEAD) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{head}{match},ann,x,x,{when(match)}\n{match},bob,y,x,{when(match)}\n")
    os.utime(path, (time.time() - 60, time.time() - 60))
    return path


@pytest.fixture
def session() -> Iterator[UserSession]:
    with UserSession(user_paths()) as session:
        yield session


@pytest.fixture
def imports(qtbot: QtBot, session: UserSession) -> Iterator[RoundImporter]:
    imports = RoundImporter(session.round_store, session.column_maps)
    yield imports
    imports.close()


def take(bot: QtBot, imports: RoundImporter, *paths: Path, asking: bool = True) -> list[RoundImportResult]:
    told: list[list[RoundImportResult]] = []
    imports.import_paths(paths, lambda results: told.append(list(results)), ask_columns=asking)
    bot.waitUntil(lambda: bool(told))
    return told[0]


def take_table(
    bot: QtBot, imports: RoundImporter, result: RoundImportResult, columns: dict[str, str]
) -> RoundImportResult:
    assert result.table is not None
    told: list[RoundImportResult] = []
    imports.import_table(UnmappedTable(result.path, result.problem, result.table), columns, told.extend)
    bot.waitUntil(lambda: bool(told))
    return told[0]


def test_a_table_is_asked_about_once(
    qtbot: QtBot, imports: RoundImporter, session: UserSession, tmp_path: Path
) -> None:
    (refused,) = take(qtbot, imports, write(tmp_path / "one.csv", 1))
    assert refused.problem.endswith("one.csv:1: id: there is no such column")
    assert refused.table == TablePreview(
        ("match", "who", "side", "won by", "when", "secs"),
        (("1", "ann", "x", "x", *when(1).split(",")), ("1", "bob", "y", "x", *when(1).split(","))),
    )
    assert take_table(qtbot, imports, refused, COLUMNS).new == 1
    other = tmp_path / "other order.csv"
    other.write_text(f"who,match,won by,side,when,secs\nann,2,x,x,{when(2)}\nbob,2,x,y,{when(2)}\n")
    assert [each.new for each in take(qtbot, imports, write(tmp_path / "two.csv", 3), other)] == [1, 1]
    (unlike,) = take(qtbot, imports, write(tmp_path / "unlike.csv", 4, HEAD.replace("who", "whom")))
    assert unlike.table is not None
    session.database.flush()
    assert sum(session.round_store.round_counts().values()) == 3


def test_the_map_is_known_after_the_next_start(
    qtbot: QtBot, imports: RoundImporter, session: UserSession, tmp_path: Path
) -> None:
    (refused,) = take(qtbot, imports, write(tmp_path / "one.csv", 1))
    take_table(qtbot, imports, refused, COLUMNS)
    session.database.flush()
    with UserSession(user_paths()) as again:
        assert again.column_maps.map_for(["side", "who", "when", "won by", "secs", "match"]) == COLUMNS
        assert again.column_maps.map_for(["side", "who", "won by"]) == {}


def test_a_map_that_does_not_fit_is_not_kept(
    qtbot: QtBot, imports: RoundImporter, session: UserSession, tmp_path: Path
) -> None:
    (refused,) = take(qtbot, imports, write(tmp_path / "one.csv", 1))
    wrong = take_table(qtbot, imports, refused, COLUMNS | {"started": "who"})
    assert wrong.problem.startswith(f"{tmp_path}/one.csv:3: started: ")
    assert take(qtbot, imports, tmp_path / "one.csv")[0].table is not None
    assert not session.round_store.round_counts()


def test_a_bad_line_is_told_and_nothing_of_the_table_taken(
    qtbot: QtBot, imports: RoundImporter, session: UserSession, tmp_path: Path
) -> None:
    (refused,) = take(qtbot, imports, write(tmp_path / "one.csv", 1))
    take_table(qtbot, imports, refused, COLUMNS)
    bad = write(tmp_path / "bad.csv", 2)
    bad.write_text(bad.read_text() + f"3,,x,x,{when(3)}\n")
    (result,) = take(qtbot, imports, bad)
    assert (result.problem, result.table) == (f"{bad}:4: who: is missing", None)
    assert sum(session.round_store.round_counts().values()) == 1


def test_nobody_is_asked_where_another_thing_is_wrong(qtbot: QtBot, imports: RoundImporter, tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_bytes(b"match,who\n\xff,a\n")
    (result,) = take(qtbot, imports, bad)
    assert (result.problem, result.table) == (f"{bad}: is not UTF-8 at byte 11", None)
    (quiet,) = take(qtbot, imports, write(tmp_path / "one.csv", 1), asking=False)
    assert "which of its columns is which" in quiet.problem
    assert quiet.table is None


def test_a_watched_folder_understands_what_was_said_elsewhere(
    qtbot: QtBot, imports: RoundImporter, session: UserSession, tmp_path: Path
) -> None:
    watch = FolderWatcher(session.watched_folders, imports)
    try:
        waiting = write(tmp_path / "rounds/waiting.csv", 1)
        watch.add(tmp_path / "rounds")
        qtbot.waitUntil(lambda: watch.folders[0].unmapped_tables == (waiting,))
        assert watch.folders[0].refused == ()
        (refused,) = take(qtbot, imports, write(tmp_path / "by hand.csv", 2))
        take_table(qtbot, imports, refused, COLUMNS)
        qtbot.waitUntil(lambda: sum(session.round_store.round_counts().values()) == 2)
        qtbot.waitUntil(lambda: not watch._busy and not watch._scan_again)
        watch.scan()
        qtbot.waitUntil(lambda: watch.folders[0].unmapped_tables == ())
        write(tmp_path / "rounds/next.csv", 3)
        watch.scan()
        qtbot.waitUntil(lambda: sum(session.round_store.round_counts().values()) == 3)
    finally:
        watch.close()


def test_a_map_that_is_changed_mends_what_was_read_by_it(
    qtbot: QtBot, imports: RoundImporter, session: UserSession, tmp_path: Path
) -> None:
    (refused,) = take(qtbot, imports, write(tmp_path / "one.csv", 1))
    take_table(qtbot, imports, refused, {key: name for key, name in COLUMNS.items() if key != "winner"})
    take(qtbot, imports, write(tmp_path / "two.csv", 2))
    assert session.round_store.load_rounds("").record.team_rank.tolist() == [0] * 4
    (kept,) = session.column_maps.all()
    assert (kept.file, kept.columns) == ("one.csv", tuple(HEAD.strip().split(",")))
    with qtbot.waitSignal(imports.import_finished) as finished:
        session.column_maps.save(kept.columns, COLUMNS, kept.file)
        imports.reimport_tables(kept.columns)
    assert [each.problem for each in finished.args[0]] == ["", ""]
    assert session.round_store.round_counts() == {"": 2}
    assert session.round_store.load_rounds("").record.team_rank.tolist() == [1, 2] * 2
    with qtbot.waitSignal(imports.import_finished) as finished:
        session.column_maps.save(kept.columns, COLUMNS | {"duration": "when"}, kept.file)
        imports.reimport_tables(kept.columns)
    assert all(each.problem for each in finished.args[0])
    assert session.round_store.round_counts() == {"": 2}, "what cannot be read like this stays as it was"
    session.column_maps.remove(kept.columns)
    assert session.column_maps.all() == []
    assert take(qtbot, imports, tmp_path / "one.csv")[0].table is not None


def test_the_panel_asks_instead_of_failing(qtbot: QtBot, tmp_path: Path) -> None:
    with a_panel(qtbot, tmp_path / "data") as rig:
        asked: list[UnmappedTable] = []
        rig.panel.columns_requested.connect(asked.extend)
        bad = tmp_path / "bad.jsonl"
        bad.write_text("{}\n")
        rig.panel.import_paths([write(tmp_path / "one.csv", 1), bad])
        qtbot.waitUntil(lambda: bool(asked))
        assert [each.path.name for each in asked] == ["one.csv"]
        assert [words.partition(":")[0] for words in rig.failures] == [str(bad)]
        told: list[RoundImportResult] = []
        rig.panel.import_table(asked[0], COLUMNS, told.extend)
        qtbot.waitUntil(lambda: bool(told))
        assert told[0].new == 1


def test_a_table_that_waits_is_no_failure_and_a_richer_telling_is_news(
    qtbot: QtBot, imports: RoundImporter, tmp_path: Path
) -> None:
    news = ImportReporter(imports, imports)
    failed, came = list[str](), list[None]()
    news.error_message.connect(failed.append)
    news.rounds_added.connect(lambda: came.append(None))
    (waiting,) = take(qtbot, imports, write(tmp_path / "one.csv", 1), asking=False)
    assert (waiting.awaits_column_map, failed, came) == (True, [], [])
    richer = RoundImportResult(tmp_path / "end.json", "ns2-match-end", 1, 0, completed=1, gains=frozenset({"times"}))
    imports.import_finished.emit([richer])
    assert len(came) == 1
    imports.import_finished.emit([RoundImportResult(tmp_path / "bad.json", "", 0, 0, "bad.json:1: wrong")])
    assert failed == ["bad.json:1: wrong"]
    news.close()
