"""The own record in place of files: `--record` and `export rounds`."""

import json
from pathlib import Path
from typing import Any

import pytest
from program_runner import Program
from round_samples import make_history, make_round, make_stay, run_refused, write_rounds

from browser_app.app import run_program
from browser_app.application.own_skill.skill_preferences import SkillPreferences
from browser_app.paths import user_paths
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.storage.own_skill.skill_sample_store import StoredIdentity
from browser_app.storage.user_storage import UserStorage


def ns2_rounds(rounds: int = 24) -> list[dict[str, Any]]:
    """Return NS2 rounds with all that a round can tell, and unknown keys."""
    rounds_with_details = [
        each | {"game": "ns2", "map": "veil", "weather": {"rain": True}} for each in make_history(rounds)
    ]
    for each in rounds_with_details:
        commander, gunner = each["players"][:2]
        commander["commanding"] = [make_stay(commander["stays"][0]["team"], 10.5, 600)]
        gunner |= {"kills": 7, "deaths": 3, "squad": "s1", "quit": True, "name": "Jörg \u2028", "clan": None}
    return rounds_with_details


def import_rounds(program: Program, folder: Path, rounds: list[dict[str, Any]]) -> str:
    path = write_rounds(folder, "rounds.jsonl", rounds)
    assert program("import", path).status == 0
    return path


def test_commands_accept_own_record(tmp_path: Path, program: Program) -> None:
    path = import_rounds(program, tmp_path, ns2_rounds())
    upcoming = write_rounds(tmp_path, "next.jsonl", [make_round("next", {"a": "marines", "h": "aliens"}, game="ns2")])
    for command in ("rate {} --system ns2 --trace", "fit {} --system elo-blog", "evaluate {} --system ns2"):
        from_file, from_record = (program(*command.format(source).split()) for source in (path, "--record"))
        assert from_record.status == 0, from_record.err
        assert from_record.json == from_file.json
    for command in ("predict", "balance"):
        from_file = program(command, upcoming, "--system=ns2", "--rounds", path)
        from_record = program(command, upcoming, "--system=ns2", "--record", "--game=ns2")
        assert from_record.status == 0, from_record.err
        assert from_record.json == from_file.json


def test_skipped_round_has_no_line(tmp_path: Path, program: Program) -> None:
    import_rounds(
        program, tmp_path, [*ns2_rounds(2), make_round("planned", {"a": "marines", "b": "aliens"}, game="ns2")]
    )
    (skipped,) = program("rate", "--record", "--system=ns2").json["skipped"]
    assert skipped == {"line": None, "why": "no outcome yet", "id": "planned", "file": None}


def test_record_excludes_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_rounds(tmp_path, "rounds.jsonl", ns2_rounds(1))
    for words in (("rate", path, "--record"), ("rate",), ("predict", path, "--rounds", path, "--record")):
        assert run_program((*words, "--system=ns2")) == 2
    capsys.readouterr()
    assert "--game: only with --record" in run_refused(capsys, "rate", path, "--system=ns2", "--game=ns2")


def test_record_without_rounds(tmp_path: Path, program: Program) -> None:
    empty = program("rate", "--record", "--system=ns2")
    assert (empty.status, empty.json["players"]) == (1, {})
    assert "your record is empty" in empty.err
    nothing_to_score = program("evaluate", "--record", "--system=ns2")
    assert (nothing_to_score.status, nothing_to_score.out) == (1, "")
    assert nothing_to_score.err == "ready-room: your record is empty; import rounds with 'ready-room import FILE…'\n"
    import_rounds(program, tmp_path, ns2_rounds(2))
    wrong_game = program("rate", "--record", "--game=xonotic", "--system=ns2")
    assert wrong_game.status == 1
    assert "no round of 'xonotic', only of 'ns2'" in wrong_game.err


def test_default_is_most_played(tmp_path: Path, program: Program) -> None:
    own_rounds = [each | {"id": f"x{number}", "game": "xonotic"} for number, each in enumerate(make_history(3))]
    others_rounds = [
        make_round(f"n{n}", {"y": "marines", "z": "aliens"}, game="ns2", duration=900 + n, winner=None)
        for n in range(5)
    ]
    import_rounds(program, tmp_path, [*own_rounds, *others_rounds])
    of_ns2 = program("rate", "--record", "--system=ns2")
    assert of_ns2.json["rounds"] == 5
    assert "of 'ns2'; --game selects another game: 'xonotic'" in of_ns2.err
    with UserStorage(user_paths()) as storage:
        storage.identities.add(StoredIdentity("xonotic", "name", "a"))
    assert program("rate", "--record", "--system=ns2").json["rounds"] == 3
    assert program("rate", "--record", "--game=ns2", "--system=ns2").json["rounds"] == 5


def test_record_uses_parameters_of_window(tmp_path: Path, program: Program) -> None:
    path = import_rounds(program, tmp_path, ns2_rounds())
    declared = RATING_SYSTEMS["ns2"].declared_parameters
    with UserStorage(user_paths()) as storage:
        preferences = SkillPreferences(storage.ui_state, {})
        preferences.set_parameters("ns2", "ns2", resolve_parameters(declared, explicit={"c": 5.0}))
    shipped = program("rate", path, "--system=ns2").json
    chosen = program("rate", path, "--system=ns2", "--param=c=5").json
    assert program("rate", "--record", "--system=ns2").json == chosen
    assert program("rate", "--record", "--system=ns2", "--params=default").json == shipped
    both = program("rate", "--record", "--system=ns2", "--param=start=7").json["params"]
    assert (both["c"], both["start"]) == (5, 7)
    assert program("history", "--player=a", "--system=ns2").status == 0
    now = program("history", "--player=a", "--system=ns2", "--format=json").json["now"]
    assert now == chosen["players"]["a"]


def test_export_keeps_every_key(tmp_path: Path, program: Program) -> None:
    rounds = ns2_rounds()
    import_rounds(program, tmp_path, rounds)
    exported = program("export", "rounds")
    assert exported.status == 0
    assert [json.loads(line) for line in exported.out.split("\n")[:-1]] == rounds


def test_export_gives_same_ratings(tmp_path: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    import_rounds(program, tmp_path, ns2_rounds())
    exported = tmp_path / "exported.jsonl"
    exported.write_text(program("export", "rounds", "--game=ns2").out, "utf-8")
    commands = [("rate", "--record", f"--system={name}", "--trace") for name in RATING_SYSTEMS]
    before = [program(*command).json for command in commands]
    monkeypatch.setenv("READY_ROOM_HOME", str(tmp_path / "empty home"))
    assert program("import", str(exported)).json["new"] == 24
    assert [program(*command).json for command in commands] == before


def test_export_of_nothing(tmp_path: Path, program: Program) -> None:
    result = program("export", "rounds", "--game=ns2")
    assert (result.status, result.out) == (1, "")
    assert "your record is empty" in result.err
    import_rounds(program, tmp_path, ns2_rounds(2))
    result = program("export", "rounds", "--game=xonotic")
    assert (result.status, result.out) == (1, "")
    assert "no round of 'xonotic', only of 'ns2'" in result.err
