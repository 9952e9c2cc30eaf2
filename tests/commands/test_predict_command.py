"""The `predict` command."""

from pathlib import Path

import pytest
from round_samples import make_history, make_round, make_stay, run_json, run_refused, write_rounds

from browser_app.rating.system_registry import RATING_SYSTEMS

TEAM_OF_PLAYER = {"a": "marines", "b": "marines", "g": "aliens", "h": "aliens"}


@pytest.mark.parametrize("system", RATING_SYSTEMS)
def test_probabilities_sum_to_one(tmp_path: Path, capsys: pytest.CaptureFixture[str], system: str) -> None:
    history = write_rounds(tmp_path, "history.jsonl", make_history())
    strong = make_round("strong", TEAM_OF_PLAYER, started="2021-02-01T00:00:00Z")
    weak = make_round("weak", dict(zip(TEAM_OF_PLAYER, reversed(TEAM_OF_PLAYER.values()), strict=True)), duration=1200)
    upcoming = write_rounds(tmp_path, "to come.jsonl", [strong, weak])
    output = run_json(capsys, "predict", upcoming, "--system", system, "--rounds", history)
    assert output["system"] == system
    assert [row["id"] for row in output["predictions"]] == ["strong", "weak"]
    for row in output["predictions"]:
        assert set(row["probabilities"]) == {"marines", "aliens"}
        assert sum(row["probabilities"].values()) + row["draw"] == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("system", ["ns2", "elo-blog", "trueskill2", "trueskill"])
def test_stronger_team_is_favoured(tmp_path: Path, capsys: pytest.CaptureFixture[str], system: str) -> None:
    history = write_rounds(tmp_path, "history.jsonl", make_history())
    upcoming = write_rounds(tmp_path, "to come.jsonl", [make_round("next", TEAM_OF_PLAYER)])
    output = run_json(capsys, "predict", upcoming, "--system", system, "--rounds", history)
    assert output["predictions"][0]["probabilities"]["marines"] > 0.55


def test_equals_forecast_of_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Predict the last round from all before it, in several files."""
    rounds = make_history()
    rounds[-1]["players"][0]["stays"] = [make_stay("aliens", 0, 400), make_stay("marines", 400, 900)]
    whole = write_rounds(tmp_path, "whole.jsonl", rounds)
    parts = [write_rounds(tmp_path, f"{n}.jsonl", part) for n, part in enumerate((rounds[9:-1], rounds[:9]))]
    del rounds[-1]["winner"]
    last = write_rounds(tmp_path, "last.jsonl", rounds[-1:])
    options = ("--system", "ns2", "--param", "c=2.5", "--param", "bias=record")
    trace = run_json(capsys, "rate", whole, *options, "--trace")["trace"]
    prediction = run_json(capsys, "predict", last, "--rounds", *parts, *options)["predictions"][0]
    assert prediction["probabilities"]["marines"] == trace[-1]["forecast"]
    assert trace[-1]["forecast"] != trace[-1]["probability"]
    assert prediction["draw"] == 0.0


def test_dates_do_not_matter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = write_rounds(tmp_path, "history.jsonl", make_history())
    early, late = (make_round("next", TEAM_OF_PLAYER, started=f"{year}-01-01T00:00:00Z") for year in (1999, 2022))
    outputs = [
        run_json(
            capsys, "predict", write_rounds(tmp_path, "next.jsonl", [each]), "--rounds", history, "--system", "ns2"
        )
        for each in (early, late, {**early, "started": None})
    ]
    assert outputs[0] == outputs[1] == outputs[2]


def test_predicted_is_not_learned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Their outcomes in the file are ignored, too."""
    history = write_rounds(tmp_path, "history.jsonl", make_history())
    upcoming = [make_round(f"next {n}", TEAM_OF_PLAYER, duration=900, winner="aliens") for n in range(5)]
    output = run_json(
        capsys, "predict", write_rounds(tmp_path, "next.jsonl", upcoming), "--rounds", history, "--system", "ns2"
    )
    assert len({row["probabilities"]["marines"] for row in output["predictions"]}) == 1


def test_played_rounds_are_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    season = make_history()
    del season[7]["winner"]
    file = write_rounds(tmp_path, "season.jsonl", season)
    output = run_json(capsys, "predict", file, "--rounds", file, "--system", "ns2")
    assert [row["id"] for row in output["predictions"]] == ["r7"]
    played = write_rounds(tmp_path, "played.jsonl", season[:3])
    assert run_json(capsys, "predict", played, "--rounds", file, "--system", "ns2", status=1)["predictions"] == []


def test_impossible_is_null(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = write_rounds(tmp_path, "history.jsonl", make_history())
    three = make_round("three", {"a": "marines", "b": "aliens", "c": "bots"}, teams=["marines", "aliens", "bots"])
    alone = make_round("alone", {"a": "marines", "b": None})
    upcoming = write_rounds(tmp_path, "next.jsonl", [three, alone])
    ns2 = run_json(capsys, "predict", upcoming, "--rounds", history, "--system", "ns2")["predictions"]
    assert ns2[0] == {"id": "three", "probabilities": {"marines": None, "aliens": None, "bots": None}, "draw": None}
    assert ns2[1] == {"id": "alone", "probabilities": {"marines": None, "aliens": None}, "draw": None}
    trueskill = run_json(capsys, "predict", upcoming, "--rounds", history, "--system", "trueskill")["predictions"]
    assert sum(trueskill[0]["probabilities"].values()) + trueskill[0]["draw"] == pytest.approx(1.0, abs=1e-9)


def test_no_rounds_exit_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty, history = write_rounds(tmp_path, "empty.jsonl", []), write_rounds(tmp_path, "history.jsonl", make_history())
    assert run_json(capsys, "predict", empty, "--rounds", history, "--system", "ns2", status=1)["predictions"] == []


@pytest.mark.parametrize("broken", ["history.jsonl", "next.jsonl"])
def test_bad_input_names_field(tmp_path: Path, capsys: pytest.CaptureFixture[str], broken: str) -> None:
    rounds = {
        "history.jsonl": make_history(3),
        "next.jsonl": [make_round("next", TEAM_OF_PLAYER), make_round("other", TEAM_OF_PLAYER)],
    }
    rounds[broken][1]["players"][2]["stays"] = [make_stay("aliens", 5.0, 1.0)]
    files = [write_rounds(tmp_path, name, content) for name, content in rounds.items()]
    message = run_refused(capsys, "predict", files[1], "--rounds", files[0], "--system", "ns2")
    assert f"{tmp_path / broken}:2: players[2].stays[0].leave: " in message


@pytest.mark.parametrize("left_out", ["--system", "--rounds"])
def test_system_is_required(tmp_path: Path, capsys: pytest.CaptureFixture[str], left_out: str) -> None:
    file = write_rounds(tmp_path, "next.jsonl", [make_round("next", TEAM_OF_PLAYER)])
    options = {"--system": "ns2", "--rounds": file}
    del options[left_out]
    assert left_out in run_refused(capsys, "predict", file, *(word for option in options.items() for word in option))


def test_blend_predicts_from_all_systems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = write_rounds(tmp_path, "history.jsonl", make_history())
    upcoming = write_rounds(tmp_path, "next.jsonl", [make_round("next", TEAM_OF_PLAYER, duration=900)])

    def predict(system: str, *options: str) -> float:
        output = run_json(capsys, "predict", upcoming, "--rounds", history, "--system", system, *options)
        (row,) = output["predictions"]
        assert output["system"] == system
        assert sum(row["probabilities"].values()) + row["draw"] == pytest.approx(1.0)
        return float(row["probabilities"]["marines"])

    single, blend = [predict(system) for system in RATING_SYSTEMS], predict("best")
    solved = [predict(system, "--full-history") for system in ("ns2", "trueskill2")]
    assert min(single) < blend < max(single)
    assert min(*single, *solved) < predict("best", "--full-history") < max(*single, *solved)
    assert predict("best", "--full-history") != blend
