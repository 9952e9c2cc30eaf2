"""The `rate`, `fit` and `evaluate` commands."""

import json
import math
import os
import pty
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from program_runner import PROGRAM_COMMAND, Program, changed_environment
from recorded_data import expected_recordings
from round_samples import write_rounds
from timeouts import LIMIT_S

DAY = "2018-01-0{}T12:00:00Z"


def make_team_round(
    number: int, teams: Mapping[str, Sequence[str]], winner: str | None = "A", **more: Any
) -> dict[str, Any]:
    players = [
        {"id": name, "stays": [{"team": team, "enter": 0, "leave": 600}]}
        for team, members in teams.items()
        for name in members
    ]
    entry: dict[str, Any] = {"id": f"r{number}", "mode": "ctf", "started": DAY.format(number), "duration": 600}
    entry |= {"teams": list(teams), "players": players, "winner": winner, **more}
    return {key: value for key, value in entry.items() if value is not ...}


TWO = {"A": ["a", "b"], "B": ["c", "d"]}
SEASON = [
    make_team_round(1, TWO),
    make_team_round(2, {"A": ["a"], "B": []}),
    make_team_round(3, TWO, None),
    make_team_round(4, {"A": ["c", "e"], "B": ["a", "b"]}, "B", mode="tdm"),
    make_team_round(5, TWO, ...),  # type: ignore[arg-type] # ... leaves the key out: no outcome yet
    make_team_round(6, TWO, "B"),
]


@pytest.fixture
def season(tmp_path: Path) -> str:
    return write_rounds(tmp_path, "season.jsonl", SEASON)


def make_duels(rounds: int) -> list[dict[str, Any]]:
    names = [f"p{index}" for index in range(8)]
    duels = []
    for number in range(rounds):
        pair = [names[(number * step + number // 8) % 8] for step in (1, 3)]
        if pair[0] != pair[1]:
            winner = "A" if pair[0] < pair[1] else "B"
            started = f"2018-01-01T{number // 60:02}:{number % 60:02}:00Z"
            duels.append(make_team_round(number, {"A": pair[:1], "B": pair[1:]}, winner, started=started))
    return duels


def test_rate_json(program: Program, season: str) -> None:
    result = program("rate", season, "--system=ns2", "--preset=basic")
    assert result.status == 0
    output = result.json
    assert (output["system"], output["rounds"]) == ("ns2", 6)
    assert (output["params"]["c"], output["params"]["per_team"]) == (1.0, "no")
    assert [(each["line"], each["why"]) for each in output["skipped"]] == [(2, "one side empty"), (5, "no outcome yet")]
    assert {name: fields["rounds"] for name, fields in output["players"].items()} == {
        **dict.fromkeys("ab", 4),
        "c": 4,
        "d": 3,
        "e": 1,
    }
    assert "trace" not in output


def test_trace_of_basic_model(program: Program, season: str) -> None:
    trace = program("rate", season, "--system=ns2", "--preset=basic", "--param=start=0", "--trace").json["trace"]
    assert [each["id"] for each in trace] == ["r1", "r3", "r4", "r6"]
    first, draw, third, last = trace
    assert (first["probability"], first["forecast"], first["outcome"]) == (0.5, 0.5, 1.0)
    step = 0.5 / 4
    assert first["changes"]["a"] == {"before": 0.0, "after": pytest.approx(step), "sd": None}
    assert first["changes"]["d"]["after"] == pytest.approx(-step)
    assert draw["outcome"] == 0.5
    assert draw["probability"] == pytest.approx(1 / (1 + math.exp(-step)))
    assert [third["outcome"], last["outcome"]] == [0.0, 0.0]
    assert last["changes"]["a"]["before"] == third["changes"]["a"]["after"]


def test_trace_of_three_teams(program: Program, tmp_path: Path) -> None:
    three = {"A": ["a"], "B": ["b"], "C": ["c"]}
    file = write_rounds(tmp_path, "three.jsonl", [make_team_round(1, three, ..., ranks={"A": 1, "B": 2, "C": 2})])  # type: ignore[arg-type]
    (entry,) = program("rate", file, "--system=elo-blog", "--trace").json["trace"]
    assert (entry["probability"], entry["outcome"]) == (None, None)
    assert entry["probabilities"] == pytest.approx(dict.fromkeys("ABC", 1 / 3))


def test_empty_trace(program: Program, tmp_path: Path) -> None:
    file = write_rounds(tmp_path, "future.jsonl", [make_team_round(1, TWO, ...)])  # type: ignore[arg-type]
    result = program("rate", file, "--system=ns2", "--trace")
    assert (result.status, result.json["trace"], result.json["players"]) == (0, [], {})


def test_ranks_of_day_start(program: Program, season: str) -> None:
    ranks = {
        day: program("rate", season, "--system=elo-blog", f"--ranks=2018-01-0{day}").json["ranks"] for day in (1, 4, 5)
    }
    assert ranks[1] == {}
    assert list(ranks[4]) == ["ctf"]
    values = dict(ranks[4]["ctf"])
    assert [name for name, _ in ranks[4]["ctf"]] == ["a", "b", "c", "d"]
    assert values["a"] > 100.0 > values["c"]
    assert {name for name, _ in ranks[5]["tdm"]} == {"a", "b", "c", "e"}
    assert ranks[5]["ctf"] == ranks[4]["ctf"]
    assert [value for _, value in ranks[5]["tdm"]] == sorted((value for _, value in ranks[5]["tdm"]), reverse=True)


def test_full_history(program: Program, season: str) -> None:
    output = program("rate", season, "--system=ns2", "--full-history", "--ranks=2018-01-04").json
    assert output["gradient_norm"] < 1e-6
    assert output["players"]["a"]["sd"] > 0.0
    values = [value for _, value in output["ranks"]["ctf"]]
    assert values[0] == values[1] > values[2] == values[3]
    result = program("rate", season, "--system=elo-blog", "--full-history")
    assert (result.status, result.out) == (2, "")
    assert "--full-history: elo-blog" in result.err


@pytest.mark.parametrize("command", ["rate", "fit", "evaluate"])
def test_exit_status_of_bad_files(program: Program, tmp_path: Path, command: str) -> None:
    empty, bad = tmp_path / "empty.jsonl", tmp_path / "bad.jsonl"
    empty.write_text("", encoding="utf-8")
    write_rounds(tmp_path, bad.name, [SEASON[0], {**SEASON[3], "duration": -1}])
    assert program(command, str(empty), "--system=ns2").status == 1
    result = program(command, str(bad), "--system=ns2")
    assert (result.status, result.out) == (2, "")
    assert f"{bad}:2: duration: " in result.err
    assert program(command, str(tmp_path / "none.jsonl"), "--system=ns2").status == 2


@pytest.mark.parametrize(
    "words",
    [
        ("rate", "FILE"),
        ("rate", "FILE", "--system=glicko"),
        ("rate", "FILE", "--system=ns2", "--param=c"),
        ("rate", "FILE", "--system=ns2", "--ranks=yesterday"),
        ("evaluate", "FILE", "--from=1.5"),
        ("evaluate", "FILE", "--from=half"),
        ("fit", "FILE", "--system=ns2", "--until=-0.1"),
    ],
)
def test_bad_usage_exits_2(program: Program, season: str, words: tuple[str, ...]) -> None:
    result = program(*(season if word == "FILE" else word for word in words))
    assert (result.status, result.out) == (2, "")
    assert result.err


def test_evaluate_adds_baselines(program: Program, season: str) -> None:
    output = program("evaluate", season, "--system=ns2", "--system=elo-blog").json
    assert (output["rounds"], output["from"], list(output["systems"])) == (
        6,
        0.0,
        ["ns2", "elo-blog", "constant", "size", "best"],
    )
    for scores in output["systems"].values():
        assert scores["rounds"] == 3
        assert sum(each["n"] for each in scores["calibration"]) == 3
        assert list(scores["calibration"][0]) == ["from", "to", "n", "predicted", "actual"]
    assert output["systems"]["size"]["log_loss"] == pytest.approx(math.log(2))
    assert output["systems"]["size"]["accuracy"] == 0.5


def test_evaluate_adds_full_history_skills(program: Program, season: str) -> None:
    systems = program("evaluate", season, "--system=ns2", "--system=elo-blog", "--full-history").json["systems"]
    assert list(systems) == ["ns2", "elo-blog", "ns2-full-history", "constant", "size", "best"]
    assert systems["best"]["weights"].keys() == systems.keys() - {"best"}


def test_evaluate_scores_forecasts_of_rate(program: Program, tmp_path: Path) -> None:
    file = write_rounds(tmp_path, "many.jsonl", make_duels(200))
    trace = program("rate", file, "--system=trueskill2", "--trace").json["trace"]
    rest = trace[len(trace) * 29 // 100 :]
    loss = [-math.log(each["forecast"] if each["outcome"] else 1.0 - each["forecast"]) for each in rest]
    scores = program("evaluate", file, "--system=trueskill2", "--from=0.29").json["systems"]["trueskill2"]
    assert scores["rounds"] == len(rest)
    assert scores["log_loss"] == pytest.approx(sum(loss) / len(loss), rel=1e-12)


def test_evaluate_fit_equals_fit(program: Program, tmp_path: Path) -> None:
    file, params = write_rounds(tmp_path, "many.jsonl", make_duels(160)), tmp_path / "params.json"
    fitted = program("fit", file, "--system=elo-blog", "--until=1/2")
    params.write_text(fitted.out, encoding="utf-8")
    assert (fitted.json["system"], fitted.json["modes"]) == ("elo-blog", {})
    assert fitted.json["default"]["k_start"] != 200.0
    step = fitted.json["steps"][0]
    assert step["kept"]
    assert step["tried"]["k_start"] != 200.0
    assert f"log loss {step['log_loss_before']:.4f} to {step['log_loss_after']:.4f}" in fitted.err
    fitted_here = program("evaluate", file, "--system=elo-blog", "--fit").json
    fitted_before = program("evaluate", file, "--system=elo-blog", "--from=0.5", f"--params={params}").json
    assert fitted_here == fitted_before
    plain = program("evaluate", file, "--system=elo-blog", "--from=0.5").json
    assert fitted_here["systems"]["elo-blog"]["params"] != plain["systems"]["elo-blog"]["params"]


def test_fit_ends_at_until(program: Program, tmp_path: Path) -> None:
    rounds = make_duels(100)
    reversed_rounds = [
        {**each, "winner": "AB"[each["winner"] == "A"]} if index >= 50 else each for index, each in enumerate(rounds)
    ]
    file, reversed_file = (
        write_rounds(tmp_path, f"{index}.jsonl", each) for index, each in enumerate((rounds, reversed_rounds))
    )
    words = ("--system=elo-blog", f"--until={50}/{len(rounds)}")
    assert program("fit", file, *words).out == program("fit", reversed_file, *words).out


def test_fit_reports_too_few_rounds(program: Program, tmp_path: Path) -> None:
    file = write_rounds(tmp_path, "duels.jsonl", make_duels(2))
    assert "start: too few later rounds to judge by, not kept" in program("fit", file, "--system=elo-blog").err


def test_evaluate_tables(program: Program, season: str) -> None:
    output = program("evaluate", season, "--system=ns2", "--tables").json
    tables = output["systems"]["ns2"]["tables"]
    assert [each["group"] for each in tables["squad_size"]] == ["1"]
    assert set(tables) == {"squad_size", "experience", "previous_kill_rate", "previous_outcome", "lapse_days"}
    table = program("evaluate", season, "--system=ns2", "--format=table")
    assert table.status == 0
    assert {row.split()[0] for row in table.out.splitlines()} == {"System", "ns2", "constant", "size"}


def test_evaluate_ablates_and_shuffles_counts(program: Program, tmp_path: Path) -> None:
    duels = make_duels(60)
    for each in duels:
        for player in each["players"]:
            player["kills"] = "76543210".index(player["id"][1])
    file = write_rounds(tmp_path, "many.jsonl", duels)
    words = ("--system=trueskill2", "--system=elo-blog", "--from=0.5", "--param=kill_wp=1", "--param=kill_v=0.1")
    systems = program("evaluate", file, *words, "--ablate", "--shuffle-counts").json["systems"]
    ablations = systems["trueskill2"]["ablations"]
    assert list(ablations) == ["counts", "drift", "idle_drift", "shuffled_counts"]
    assert list(ablations["counts"]) == ["title", "log_loss", "difference", "low", "high"]
    for name in ("counts", "shuffled_counts"):
        gain = ablations[name]["log_loss"] - systems["trueskill2"]["log_loss"]
        assert gain == pytest.approx(ablations[name]["difference"])
    assert list(systems["elo-blog"]["ablations"]) == ["newcomers"]
    assert "ablations" not in program("evaluate", file, *words).json["systems"]["trueskill2"]
    table = program("evaluate", file, *words, "--ablate", "--format=table").out
    assert "Player statistics trueskill2" in " ".join(table.split())


def test_season_beats_baseline(program: Program, data_dir: Path) -> None:
    expected = expected_recordings(data_dir)
    file = str(data_dir / "rounds" / expected.season)
    systems = program("evaluate", file, "--system=ns2", "--system=trueskill", "--from=0.5").json["systems"]
    assert systems["constant"]["rounds"] == expected.season_tested
    for name in ("ns2", "trueskill"):
        assert systems[name]["log_loss"] < systems["constant"]["log_loss"] - 0.02


def test_progress_bar_and_ctrl_c(tmp_path: Path) -> None:
    """Ctrl-C ends a fit; what was found so far is printed."""
    file = write_rounds(tmp_path, "many.jsonl", make_duels(600))
    terminal, program_end = pty.openpty()
    words = (*PROGRAM_COMMAND, "fit", file, "--system=trueskill2", "--param=m0=0.9")
    with subprocess.Popen(words, env=changed_environment(), stdout=subprocess.PIPE, stderr=program_end) as process:
        os.close(program_end)
        terminal_text = b""
        started_s = time.monotonic()
        while b"start: log loss" not in terminal_text and time.monotonic() < started_s + LIMIT_S:
            terminal_text += os.read(terminal, 4096)
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        out = process.stdout.read()
        status = process.wait(LIMIT_S)
    try:
        while part := os.read(terminal, 4096):
            terminal_text += part
    except OSError:  # Linux's error when the other end is closed
        pass
    os.close(terminal)
    assert status == 130
    printed = json.loads(out)
    assert printed["steps"][0]["name"] == "start"
    assert set(printed) == {"system", "default", "modes", "steps"}
    assert b"Fitting trueskill2" in terminal_text
    assert b"interrupted" in terminal_text
    assert b"Traceback" not in terminal_text
