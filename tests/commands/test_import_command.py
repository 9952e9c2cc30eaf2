"""The `import` command: each file as a whole or not at all, each round once."""

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from program_runner import Program, run_process
from recorded_data import expected_recordings
from round_samples import make_history, run_json, run_refused, write_rounds

from browser_app.app import run_program
from browser_app.commands import import_command
from browser_app.diagnostics import internal_errors
from browser_app.paths import user_paths
from browser_app.rounds.round_formats import recognise_format
from browser_app.rounds.round_source import RoundFileSource
from browser_app.storage.database import DATABASE_FILE_NAME
from browser_app.storage.storage_errors import StorageError
from browser_app.storage.user_storage import UserStorage


def stored_rounds() -> dict[str, int]:
    """Return the number of rounds in the record by game."""
    with UserStorage(user_paths()) as storage:
        return storage.round_store.count_rounds()


def test_counts_by_file_and_total(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rounds = make_history(6)
    first = write_rounds(tmp_path, "first.jsonl", rounds[:4])
    both = tmp_path / "both.jsonl.gz"
    both.write_bytes(gzip.compress(Path(write_rounds(tmp_path, "plain", rounds)).read_bytes()))
    report = run_json(capsys, "import", first, str(both))
    assert report == {
        "files": [
            {"file": first, "format": "rounds", "rounds": 4, "new": 4, "error": None},
            {"file": str(both), "format": "rounds", "rounds": 6, "new": 2, "error": None},
        ],
        "rounds": 10,
        "new": 6,
    }
    assert run_json(capsys, "import", first, str(both))["new"] == 0
    assert stored_rounds() == {"": 6}


@pytest.mark.posix
def test_file_name_does_not_control_terminal(tmp_path: Path, program: Program) -> None:
    (tmp_path / "\x1b[31mred\u202e.json").write_text("{")
    result = program("import", str(tmp_path))
    assert result.status == 2
    assert "/\ufffd[31mred\ufffd.json:1:" in result.err
    assert "\x1b" not in result.out


def test_bad_file_stops_no_other(tmp_path: Path, program: Program) -> None:
    rounds = make_history(6)
    good = write_rounds(tmp_path, "good.jsonl", rounds[:2])
    bad = write_rounds(tmp_path, "bad.jsonl", [*rounds[2:4], rounds[4] | {"duration": -1}])
    missing = str(tmp_path / "missing.jsonl")
    result = program("import", bad, missing, good)
    assert result.status == 2
    assert [each["error"] for each in result.json["files"]] == [
        f"{bad}:3: duration: must be above 0",
        f"{missing}: cannot be read: No such file or directory",
        None,
    ]
    assert [each["format"] for each in result.json["files"]] == ["rounds", None, "rounds"]
    assert (result.json["rounds"], result.json["new"]) == (2, 2)
    assert result.err.splitlines() == [f"ready-room: {each['error']}" for each in result.json["files"][:2]]
    assert stored_rounds() == {"": 2}


@pytest.mark.expects_log
def test_internal_error_stops_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = (write_rounds(tmp_path, f"{name}.jsonl", make_history(2)) for name in ("bad", "good"))

    def recognise_or_fail(source: RoundFileSource) -> str:
        if source.path == bad:
            raise RuntimeError
        return recognise_format(source)

    monkeypatch.setattr(import_command, "recognise_format", recognise_or_fail)
    assert run_program(["import", bad, good]) == 2
    out, err = capsys.readouterr()
    assert [each["error"] for each in json.loads(out)["files"]] == [
        f"{bad}: not read because of an internal error",
        None,
    ]
    assert f"{bad}: not read because of an internal error" in err
    assert stored_rounds() == {"": 2}
    assert internal_errors.counts() == {"RuntimeError while importing a round file": 1}


def test_all_bad_lines_are_named(tmp_path: Path, program: Program) -> None:
    bad = write_rounds(tmp_path, "bad.jsonl", [each | {"duration": -1} for each in make_history(2)])
    result, problem = program("import", bad), "duration: must be above 0"
    assert result.err.splitlines() == [f"ready-room: {bad}:{line}: {problem}" for line in (1, 2)]
    assert result.json["files"][0]["errors"] == [f"{bad}:1: {problem}", f"{bad}:2: {problem}"]
    rated = program("rate", bad, "--system=ns2")
    assert (rated.status, rated.err) == (2, f"ready-room: {bad}:1: {problem}\n{bad}:2: {problem}\n")


def test_recorded_files_are_imported_once(tmp_path: Path, data_dir: Path, program: Program) -> None:
    expected = expected_recordings(data_dir)
    shutil.copytree(data_dir / "ns2plus", tmp_path / "ns2plus")
    broken = tmp_path / "ns2plus" / expected.ns2plus_broken
    broken.chmod(0o644)
    broken.write_bytes(broken.read_bytes()[:-40])
    words = ("import", str(tmp_path / "ns2plus"), str(data_dir / "xonstat"))
    totals = []
    for _ in range(2):
        result = program(*words)
        assert result.status == 2
        files = {Path(each["file"]).name: each for each in result.json["files"]}
        assert [name for name, each in files.items() if each["error"]] == [broken.name]
        assert files[broken.name]["error"].startswith(f"{broken}:")
        assert {each["format"] for each in files.values()} == {"ns2plus", "xonstat", "xonotic-log"}
        totals.append((result.json["rounds"], result.json["new"]))
        assert stored_rounds() == {"ns2": expected.ns2plus_files - 1, "xonotic": expected.xonotic_rounds}
    whole = expected.ns2plus_files - 1 + expected.xonotic_rounds
    assert totals == [(whole, whole), (whole, 0)]
    assert program("import", str(data_dir / "ns2plus")).json["new"] == 1


def test_copy_has_no_new_rounds(tmp_path: Path, data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_json(capsys, "import", str(data_dir / "xonstat"))
    for original in (data_dir / "xonstat").iterdir():
        (tmp_path / original.name).write_bytes(original.read_bytes())
    assert run_json(capsys, "import", *map(str, tmp_path.glob("*.*")))["new"] == 0


def test_column_option_maps_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "league.txt"
    path.write_text(
        "match;who;team;started;duration;winner\n1;ann;red;2021-01-01;600;red\n1;bob;blue;2021-01-01;600;red\n"
    )
    words = ("import", str(path), "--as", "csv", "--column", "id=match", "--column", "player=who")
    (report,) = run_json(capsys, *words)["files"]
    assert report == {"file": str(path), "format": "csv", "rounds": 1, "new": 1, "error": None}


def test_saved_column_map_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "league.csv"
    path.write_text("match,who,team\n1,ann,red\n1,bob,blue\n")
    with UserStorage(user_paths()) as storage:
        storage.column_maps.save(("match", "who", "team"), {"id": "match", "player": "who"}, "other.csv")
    (report,) = run_json(capsys, "import", str(path))["files"]
    assert (report["new"], report["error"]) == (1, None)


def test_completed_round_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (played,) = make_history(1)
    plan = {key: value for key, value in played.items() if key not in ("winner", "ranks")}
    run_json(capsys, "import", write_rounds(tmp_path, "plan.jsonl", [plan]))
    (report,) = run_json(capsys, "import", write_rounds(tmp_path, "played.jsonl", [played]))["files"]
    assert (report["new"], report["richer"]) == (0, 1)
    assert sum(stored_rounds().values()) == 1


@pytest.mark.parametrize("column", ["id", "=match", "id=", "colour=red"])
def test_bad_column_is_refused(column: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"--column: {column}: must be KEY=NAME" in run_refused(capsys, "import", "any", "--column", column)


def test_no_rounds_exit_1(tmp_path: Path, program: Program) -> None:
    empty = write_rounds(tmp_path, "empty.jsonl", [])
    result = program("import", empty)
    assert (result.status, result.json["rounds"]) == (1, 0)
    (tmp_path / "folder").mkdir()
    result = program("import", str(tmp_path / "folder"))
    assert (result.status, result.json) == (1, {"files": [], "rounds": 0, "new": 0})


def test_unusable_database_is_reported_in_json(home: Path, tmp_path: Path, program: Program) -> None:
    files = [write_rounds(tmp_path, name, make_history(1)) for name in ("one", "two")]
    home.mkdir()
    (home / "data").write_text("in the way")
    result = program("import", *files)
    notice = f"{home / 'data' / DATABASE_FILE_NAME}: File exists; nothing is saved until this is fixed"
    assert (result.status, result.err) == (2, f"ready-room: {notice}\n")
    assert [(each["file"], each["error"]) for each in result.json["files"]] == [(file, notice) for file in files]
    assert (result.json["rounds"], result.json["new"]) == (0, 0)


@pytest.mark.linux
def test_file_name_is_escaped(tmp_path: Path) -> None:
    rounds = "".join(json.dumps(each) + "\n" for each in make_history(2))
    path = tmp_path / "r\udcff.jsonl"
    path.write_text(rounds)
    bad = tmp_path / "s\udcff.jsonl"
    bad.write_text("{")
    result = run_process("import", str(path), str(bad))
    assert result.status == 2
    assert [Path(each["file"]).name for each in result.json["files"]] == ["r\\xff.jsonl", "s\\xff.jsonl"]
    assert "s\\xff.jsonl:1" in result.json["files"][1]["error"]


def test_record_holds_rounds(tmp_path: Path, program: Program) -> None:
    rounds: list[dict[str, Any]] = [each | {"game": "g"} for each in make_history(3)]
    program("import", write_rounds(tmp_path, "rounds.jsonl", rounds))
    with UserStorage(user_paths()) as storage:
        ((file, file_format, count, _),) = storage.round_store.load_files()
        record = storage.round_store.load_rounds("g").record
    assert (file, file_format, count) == (str(tmp_path / "rounds.jsonl"), "rounds", 3)
    assert record.ids == [each["id"] for each in rounds]


def test_full_disk_is_reported_in_json(tmp_path: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_values: object, **_options: object) -> None:
        raise StorageError("database: the disk is full", "free some space")

    file = write_rounds(tmp_path, "rounds", make_history(1))
    monkeypatch.setattr("browser_app.storage.own_skill.round_store.RoundStore.add_file", refuse)
    result = program("import", file)
    assert (result.status, result.err) == (2, f"ready-room: {file}: database: the disk is full\n")
    assert result.json["files"] == [
        {"file": file, "format": "rounds", "rounds": 0, "new": 0, "error": f"{file}: database: the disk is full"}
    ]
