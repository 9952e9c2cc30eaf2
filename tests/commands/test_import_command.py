"""`import`: files of any format go into the record, each whole or not at all, each round once."""

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from program_runner import Program, run_process
from round_samples import a_history, printed, refusal, round_file

from browser_app.paths import user_paths
from browser_app.storage.user_session import UserSession


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


def kept() -> dict[str, int]:
    """How many rounds the record has of each game."""
    with UserSession(user_paths()) as session:
        return session.round_store.round_counts()


def test_files_are_told_one_by_one_and_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rounds = a_history(6)
    first = round_file(tmp_path, "first.jsonl", rounds[:4])
    both = tmp_path / "both.jsonl.gz"
    both.write_bytes(gzip.compress(Path(round_file(tmp_path, "plain", rounds)).read_bytes()))
    told = printed(capsys, "import", first, str(both))
    assert told == {
        "files": [
            {"file": first, "format": "rounds", "rounds": 4, "new": 4, "error": None},
            {"file": str(both), "format": "rounds", "rounds": 6, "new": 2, "error": None},
        ],
        "rounds": 10,
        "new": 6,
    }
    assert printed(capsys, "import", first, str(both))["new"] == 0
    assert kept() == {"": 6}


def test_a_bad_file_is_refused_whole_and_the_others_go_in(tmp_path: Path, program: Program) -> None:
    rounds = a_history(6)
    good = round_file(tmp_path, "good.jsonl", rounds[:2])
    bad = round_file(tmp_path, "bad.jsonl", [*rounds[2:4], rounds[4] | {"duration": -1}])
    missing = str(tmp_path / "missing.jsonl")
    ran = program("import", bad, missing, good)
    assert ran.status == 2
    assert [each["error"] for each in ran.json["files"]] == [
        f"{bad}:3: duration: must be above 0",
        f"{missing}: cannot be read: No such file or directory",
        None,
    ]
    assert [each["format"] for each in ran.json["files"]] == ["rounds", None, "rounds"]
    assert (ran.json["rounds"], ran.json["new"]) == (2, 2)
    assert ran.err.splitlines() == [f"ready-room: {each['error']}" for each in ran.json["files"][:2]]
    assert kept() == {"": 2}


def test_all_recorded_files_come_in_once(tmp_path: Path, data_dir: Path, program: Program) -> None:
    shutil.copytree(data_dir / "ns2plus", tmp_path / "ns2plus")
    broken = tmp_path / "ns2plus" / "1630089535.json"
    broken.chmod(0o644)
    broken.write_bytes(broken.read_bytes()[:-40])
    words = ("import", str(tmp_path / "ns2plus"), str(data_dir / "xonstat"))
    told = []
    for _ in range(2):
        ran = program(*words)
        assert ran.status == 2
        files = {Path(each["file"]).name: each for each in ran.json["files"]}
        assert [name for name, each in files.items() if each["error"]] == [broken.name]
        assert files[broken.name]["error"].startswith(f"{broken}:")
        assert {each["format"] for each in files.values()} == {"ns2plus", "xonstat", "xonotic-log"}
        told.append((ran.json["rounds"], ran.json["new"]))
        assert kept() == {"ns2": 39, "xonotic": 8}
    assert told == [(47, 47), (47, 0)]
    assert program("import", str(data_dir / "ns2plus")).json["new"] == 1


def test_a_copied_file_brings_nothing_new(tmp_path: Path, data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed(capsys, "import", str(data_dir / "xonstat"))
    for original in (data_dir / "xonstat").iterdir():
        (tmp_path / original.name).write_bytes(original.read_bytes())
    assert printed(capsys, "import", *map(str, tmp_path.glob("*.*")))["new"] == 0


def test_columns_of_a_table_may_have_other_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "league.txt"
    path.write_text(
        "match;who;team;started;duration;winner\n1;ann;red;2021-01-01;600;red\n1;bob;blue;2021-01-01;600;red\n"
    )
    words = ("import", str(path), "--as", "csv", "--column", "id=match", "--column", "player=who")
    (told,) = printed(capsys, *words)["files"]
    assert told == {"file": str(path), "format": "csv", "rounds": 1, "new": 1, "error": None}


def test_what_was_said_of_a_table_in_the_window_holds_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "league.csv"
    path.write_text("match,who,team\n1,ann,red\n1,bob,blue\n")
    with UserSession(user_paths()) as session:
        session.column_maps.save(("match", "who", "team"), {"id": "match", "player": "who"}, "other.csv")
    (told,) = printed(capsys, "import", str(path))["files"]
    assert (told["new"], told["error"]) == (1, None)


def test_a_round_of_which_more_is_known_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (played,) = a_history(1)
    plan = {key: value for key, value in played.items() if key not in ("winner", "ranks")}
    printed(capsys, "import", round_file(tmp_path, "plan.jsonl", [plan]))
    (told,) = printed(capsys, "import", round_file(tmp_path, "played.jsonl", [played]))["files"]
    assert (told["new"], told["richer"]) == (0, 1)
    assert sum(kept().values()) == 1


@pytest.mark.parametrize("column", ["id", "=match", "id=", "colour=red"])
def test_a_column_that_cannot_be_meant_is_refused(column: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"--column: {column}: must be KEY=NAME" in refusal(capsys, "import", "any", "--column", column)


def test_where_no_round_is_nothing_was_found(tmp_path: Path, program: Program) -> None:
    empty = round_file(tmp_path, "empty.jsonl", [])
    ran = program("import", empty)
    assert (ran.status, ran.json["rounds"]) == (1, 0)
    (tmp_path / "folder").mkdir()
    ran = program("import", str(tmp_path / "folder"))
    assert (ran.status, ran.json) == (1, {"files": [], "rounds": 0, "new": 0})


def test_a_record_that_cannot_be_kept_is_no_success(home: Path, tmp_path: Path, program: Program) -> None:
    home.mkdir()
    (home / "data").write_text("in the way")
    ran = program("import", round_file(tmp_path, "good.jsonl", a_history(2)))
    assert (ran.status, ran.out) == (2, "")
    assert "nothing will be kept" in ran.err


@pytest.mark.linux
def test_a_name_that_is_no_text_is_printed_as_well_as_can_be(tmp_path: Path) -> None:
    rounds = "".join(json.dumps(each) + "\n" for each in a_history(2))
    path = tmp_path / "r\udcff.jsonl"
    path.write_text(rounds)
    bad = tmp_path / "s\udcff.jsonl"
    bad.write_text("{")
    ran = run_process("import", str(path), str(bad))
    assert ran.status == 2
    assert [Path(each["file"]).name for each in ran.json["files"]] == ["r\\xff.jsonl", "s\\xff.jsonl"]
    assert "s\\xff.jsonl:1" in ran.json["files"][1]["error"]


def test_what_the_record_keeps_is_what_was_in_the_file(tmp_path: Path, program: Program) -> None:
    rounds: list[dict[str, Any]] = [each | {"game": "g"} for each in a_history(3)]
    program("import", round_file(tmp_path, "rounds.jsonl", rounds))
    with UserSession(user_paths()) as session:
        ((file, form, count, _),) = session.round_store.files()
        record = session.round_store.load_rounds("g").record
    assert (file, form, count) == (str(tmp_path / "rounds.jsonl"), "rounds", 3)
    assert record.ids == [each["id"] for each in rounds]
