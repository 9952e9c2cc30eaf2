"""`rate`, `fit` and `evaluate` through the command line: the contract's keys, exit statuses and refusals."""

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
from program_runner import COMMAND, Program, environment
from timeouts import LIMIT_S

DAY = "2018-01-0{}T12:00:00Z"


def line(number: int, teams: Mapping[str, Sequence[str]], winner: str | None = "A", **more: Any) -> dict[str, Any]:
    players = [
        {"id": name, "stays": [{"team": team, "enter": 0, "leave": 600}]}
        for team, members in teams.items()
        for name in members
    ]
    told: dict[str, Any] = {"id": f"r{number}", "mode": "ctf", "started": DAY.format(number), "duration": 600}
    told |= {"teams": list(teams), "players": players, "winner": winner, **more}
    return {key: value for key, value in told.items() if value is not ...}


TWO = {"A": ["a", "b"], "B": ["c", "d"]}
SEASON = [
    line(1, TWO),
    line(2, {"A": ["a"], "B": []}),
    line(3, TWO, None),
    line(4, {"A": ["c", "e"], "B": ["a", "b"]}, "B", mode="tdm"),
    line(5, TWO, ...),  # type: ignore[arg-type] # ... leaves the key out: no outcome yet
    line(6, TWO, "B"),
]


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


@pytest.fixture
def season(tmp_path: Path) -> str:
    return write(tmp_path / "season.jsonl", SEASON)


def write(path: Path, rounds: Sequence[Mapping[str, Any]]) -> str:
    path.write_text("".join(json.dumps(each) + "\n" for each in rounds), encoding="utf-8")
    return str(path)


def many(rounds: int) -> list[dict[str, Any]]:
    names = [f"p{i}" for i in range(8)]
    found = []
    for number in range(rounds):
        there = [names[(number * step + number // 8) % 8] for step in (1, 3)]
        if there[0] != there[1]:
            winner = "A" if there[0] < there[1] else "B"
            started = f"2018-01-01T{number // 60:02}:{number % 60:02}:00Z"
            found.append(line(number, {"A": there[:1], "B": there[1:]}, winner, started=started))
    return found


def test_rate_tells_system_parameters_rounds_skipped_and_players(program: Program, season: str) -> None:
    ran = program("rate", season, "--system=ns2", "--preset=basic")
    assert ran.status == 0
    found = ran.json
    assert (found["system"], found["rounds"]) == ("ns2", 6)
    assert (found["params"]["c"], found["params"]["per_team"]) == (1.0, "no")
    assert [(each["line"], each["why"]) for each in found["skipped"]] == [(2, "one side empty"), (5, "no result yet")]
    assert {name: fields["rounds"] for name, fields in found["players"].items()} == {
        **dict.fromkeys("ab", 4),
        "c": 4,
        "d": 3,
        "e": 1,
    }
    assert "trace" not in found


def test_the_basic_model_is_computed_as_by_hand(program: Program, season: str) -> None:
    trace = program("rate", season, "--system=ns2", "--preset=basic", "--trace").json["trace"]
    assert [each["id"] for each in trace] == ["r1", "r3", "r4", "r6"]
    first, draw, turned, last = trace
    assert (first["probability"], first["forecast"], first["outcome"]) == (0.5, 0.5, 1.0)
    step = 0.5 / 4
    assert first["changes"]["a"] == {"before": 0.0, "after": pytest.approx(step), "sd": None}
    assert first["changes"]["d"]["after"] == pytest.approx(-step)
    assert draw["outcome"] == 0.5
    assert draw["probability"] == pytest.approx(1 / (1 + math.exp(-step)))
    assert [turned["outcome"], last["outcome"]] == [0.0, 0.0]
    assert last["changes"]["a"]["before"] == turned["changes"]["a"]["after"]


def test_more_than_two_teams_have_chances_of_first_place(program: Program, tmp_path: Path) -> None:
    three = {"A": ["a"], "B": ["b"], "C": ["c"]}
    file = write(tmp_path / "three.jsonl", [line(1, three, ..., ranks={"A": 1, "B": 2, "C": 2})])  # type: ignore[arg-type]
    (entry,) = program("rate", file, "--system=elo-blog", "--trace").json["trace"]
    assert (entry["probability"], entry["outcome"]) == (None, None)
    assert entry["probabilities"] == pytest.approx(dict.fromkeys("ABC", 1 / 3))


def test_a_trace_of_nothing_is_empty(program: Program, tmp_path: Path) -> None:
    file = write(tmp_path / "future.jsonl", [line(1, TWO, ...)])  # type: ignore[arg-type]
    ran = program("rate", file, "--system=ns2", "--trace")
    assert (ran.status, ran.json["trace"], ran.json["players"]) == (0, [], {})


def test_ranks_are_as_of_the_start_of_a_day(program: Program, season: str) -> None:
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


def test_full_history_tells_how_near_it_came_and_where_there_is_none_says_so(program: Program, season: str) -> None:
    found = program("rate", season, "--system=ns2", "--full-history", "--ranks=2018-01-04").json
    assert found["gradient_norm"] < 1e-6
    assert found["players"]["a"]["sd"] > 0.0
    values = [value for _, value in found["ranks"]["ctf"]]
    assert values[0] == values[1] > values[2] == values[3]
    ran = program("rate", season, "--system=elo-blog", "--full-history")
    assert (ran.status, ran.out) == (2, "")
    assert "--full-history: elo-blog" in ran.err


@pytest.mark.parametrize("command", ["rate", "fit", "evaluate"])
def test_files_without_rounds_exit_1_and_bad_ones_2(program: Program, tmp_path: Path, command: str) -> None:
    empty, bad = tmp_path / "empty.jsonl", tmp_path / "bad.jsonl"
    empty.write_text("", encoding="utf-8")
    write(bad, [SEASON[0], {**SEASON[3], "duration": -1}])
    assert program(command, str(empty), "--system=ns2").status == 1
    ran = program(command, str(bad), "--system=ns2")
    assert (ran.status, ran.out) == (2, "")
    assert f"{bad}:2: duration: " in ran.err
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
def test_bad_usage_exits_2_with_a_word_on_it(program: Program, season: str, words: tuple[str, ...]) -> None:
    ran = program(*(season if word == "FILE" else word for word in words))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err


def test_evaluate_tells_every_system_beside_the_baselines(program: Program, season: str) -> None:
    found = program("evaluate", season, "--system=ns2", "--system=elo-blog").json
    assert (found["rounds"], found["from"], list(found["systems"])) == (6, 0.0, ["ns2", "elo-blog", "constant", "size"])
    for scores in found["systems"].values():
        assert scores["rounds"] == 3
        assert sum(each["n"] for each in scores["calibration"]) == 3
        assert list(scores["calibration"][0]) == ["from", "to", "n", "predicted", "actual"]
    assert found["systems"]["size"]["log_loss"] == pytest.approx(math.log(2))
    assert found["systems"]["size"]["accuracy"] == 0.5


def test_evaluate_scores_the_forecasts_of_the_trace(program: Program, tmp_path: Path) -> None:
    file = write(tmp_path / "many.jsonl", many(200))
    trace = program("rate", file, "--system=trueskill2", "--trace").json["trace"]
    rest = trace[len(trace) * 29 // 100 :]
    loss = [-math.log(each["forecast"] if each["outcome"] else 1.0 - each["forecast"]) for each in rest]
    scores = program("evaluate", file, "--system=trueskill2", "--from=0.29").json["systems"]["trueskill2"]
    assert scores["rounds"] == len(rest)
    assert scores["log_loss"] == pytest.approx(sum(loss) / len(loss), rel=1e-12)


def test_evaluate_with_fit_is_fit_and_then_params(program: Program, tmp_path: Path) -> None:
    file, params = write(tmp_path / "many.jsonl", many(160)), tmp_path / "params.json"
    fitted = program("fit", file, "--system=elo-blog", "--until=1/2")
    params.write_text(fitted.out, encoding="utf-8")
    assert (fitted.json["system"], fitted.json["modes"]) == ("elo-blog", {})
    assert fitted.json["default"]["k_start"] != 200.0
    at_once = program("evaluate", file, "--system=elo-blog", "--fit").json
    by_hand = program("evaluate", file, "--system=elo-blog", "--from=0.5", f"--params={params}").json
    assert at_once == by_hand
    plain = program("evaluate", file, "--system=elo-blog", "--from=0.5").json
    assert at_once["systems"]["elo-blog"]["params"] != plain["systems"]["elo-blog"]["params"]


def test_later_rounds_do_not_change_a_fit(program: Program, tmp_path: Path) -> None:
    rounds = many(100)
    turned = [{**each, "winner": "AB"[each["winner"] == "A"]} if i >= 50 else each for i, each in enumerate(rounds)]
    one, other = (write(tmp_path / f"{i}.jsonl", each) for i, each in enumerate((rounds, turned)))
    words = ("--system=elo-blog", f"--until={50}/{len(rounds)}")
    assert program("fit", one, *words).out == program("fit", other, *words).out


def test_tables_and_the_table_for_people(program: Program, season: str) -> None:
    found = program("evaluate", season, "--system=ns2", "--tables").json
    tables = found["systems"]["ns2"]["tables"]
    assert [each["group"] for each in tables["squad_size"]] == ["1"]
    assert set(tables) == {"squad_size", "experience", "previous_kill_rate", "previous_outcome", "lapse_days"}
    shown = program("evaluate", season, "--system=ns2", "--format=table")
    assert shown.status == 0
    assert {row.split()[0] for row in shown.out.splitlines()} == {"System", "ns2", "constant", "size"}


def test_the_season_of_the_data_is_foretold_better_than_by_the_baselines(program: Program, data_dir: Path) -> None:
    file = str(data_dir / "rounds" / "cwl_2018.jsonl.gz")
    systems = program("evaluate", file, "--system=ns2", "--system=trueskill", "--from=0.5").json["systems"]
    assert systems["constant"]["rounds"] == 1439
    for name in ("ns2", "trueskill"):
        assert systems[name]["log_loss"] < systems["constant"]["log_loss"] - 0.02


def test_a_bar_is_shown_on_a_terminal_and_ctrl_c_ends_cleanly(tmp_path: Path) -> None:
    file = write(tmp_path / "many.jsonl", many(600))
    ours, theirs = pty.openpty()
    words = (*COMMAND, "fit", file, "--system=trueskill2", "--param=m0=0.9")
    with subprocess.Popen(words, env=environment(), stdout=subprocess.PIPE, stderr=theirs) as child:
        os.close(theirs)
        seen = b""
        began = time.monotonic()
        while b"Fitting trueskill2" not in seen and time.monotonic() < began + LIMIT_S:
            seen += os.read(ours, 4096)
        child.send_signal(signal.SIGINT)
        assert child.stdout is not None
        out = child.stdout.read()
        status = child.wait(LIMIT_S)
    try:
        while part := os.read(ours, 4096):
            seen += part
    except OSError:  # Linux's word for the other end having closed
        pass
    os.close(ours)
    assert (status, out) == (130, b"")
    assert b"interrupted" in seen
    assert b"Traceback" not in seen
