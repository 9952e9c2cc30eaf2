"""`predict`: unplayed rounds through the command line."""

from pathlib import Path

import pytest
from round_samples import a_history, a_round, printed, refusal, round_file, stay

from browser_app.rating.system_registry import RATING_SYSTEMS

LINE_UP = {"a": "marines", "b": "marines", "g": "aliens", "h": "aliens"}


@pytest.mark.parametrize("system", RATING_SYSTEMS)
def test_chances_of_all_outcomes_sum_to_one(tmp_path: Path, capsys: pytest.CaptureFixture[str], system: str) -> None:
    history = round_file(tmp_path, "history.jsonl", a_history())
    strong = a_round("strong", LINE_UP, started="2021-02-01T00:00:00Z")
    weak = a_round("weak", dict(zip(LINE_UP, reversed(LINE_UP.values()), strict=True)), duration=1200)
    to_come = round_file(tmp_path, "to come.jsonl", [strong, weak])
    answer = printed(capsys, "predict", to_come, "--system", system, "--rounds", history)
    assert answer["system"] == system
    assert [row["id"] for row in answer["predictions"]] == ["strong", "weak"]
    for row in answer["predictions"]:
        assert set(row["probabilities"]) == {"marines", "aliens"}
        assert sum(row["probabilities"].values()) + row["draw"] == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("system", ["ns2", "elo-blog", "trueskill2", "trueskill"])
def test_who_won_more_is_expected_to_win(tmp_path: Path, capsys: pytest.CaptureFixture[str], system: str) -> None:
    history = round_file(tmp_path, "history.jsonl", a_history())
    to_come = round_file(tmp_path, "to come.jsonl", [a_round("next", LINE_UP)])
    answer = printed(capsys, "predict", to_come, "--system", system, "--rounds", history)
    assert answer["predictions"][0]["probabilities"]["marines"] > 0.55


def test_it_is_the_forecast_of_the_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last round, said from all before it, from several files and by changed parameters."""
    rounds = a_history()
    rounds[-1]["players"][0]["stays"] = [stay("aliens", 0, 400), stay("marines", 400, 900)]
    whole = round_file(tmp_path, "whole.jsonl", rounds)
    parts = [round_file(tmp_path, f"{n}.jsonl", part) for n, part in enumerate((rounds[9:-1], rounds[:9]))]
    del rounds[-1]["winner"]
    last = round_file(tmp_path, "last.jsonl", rounds[-1:])
    options = ("--system", "ns2", "--param", "c=2.5", "--param", "bias=record")
    trace = printed(capsys, "rate", whole, *options, "--trace")["trace"]
    told = printed(capsys, "predict", last, "--rounds", *parts, *options)["predictions"][0]
    assert told["probabilities"]["marines"] == trace[-1]["forecast"]
    assert trace[-1]["forecast"] != trace[-1]["probability"]
    assert told["draw"] == 0.0


def test_all_rounds_are_history_whenever_they_were(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = round_file(tmp_path, "history.jsonl", a_history())
    early, late = (a_round("next", LINE_UP, started=f"{year}-01-01T00:00:00Z") for year in (1999, 2022))
    answers = [
        printed(capsys, "predict", round_file(tmp_path, "next.jsonl", [each]), "--rounds", history, "--system", "ns2")
        for each in (early, late, {**early, "started": None})
    ]
    assert answers[0] == answers[1] == answers[2]


def test_rounds_to_come_teach_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not even those that have an outcome in their file."""
    history = round_file(tmp_path, "history.jsonl", a_history())
    to_come = [a_round(f"next {n}", LINE_UP, duration=900, winner="aliens") for n in range(5)]
    answer = printed(
        capsys, "predict", round_file(tmp_path, "next.jsonl", to_come), "--rounds", history, "--system", "ns2"
    )
    assert len({row["probabilities"]["marines"] for row in answer["predictions"]}) == 1


def test_what_the_history_has_is_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    season = a_history()
    del season[7]["winner"]
    file = round_file(tmp_path, "season.jsonl", season)
    answer = printed(capsys, "predict", file, "--rounds", file, "--system", "ns2")
    assert [row["id"] for row in answer["predictions"]] == ["r7"]
    played = round_file(tmp_path, "played.jsonl", season[:3])
    assert printed(capsys, "predict", played, "--rounds", file, "--system", "ns2", status=1)["predictions"] == []


def test_nothing_can_be_said_of_an_empty_side_or_of_three_teams_where_two_are_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history = round_file(tmp_path, "history.jsonl", a_history())
    three = a_round("three", {"a": "marines", "b": "aliens", "c": "bots"}, teams=["marines", "aliens", "bots"])
    alone = a_round("alone", {"a": "marines", "b": None})
    to_come = round_file(tmp_path, "next.jsonl", [three, alone])
    ns2 = printed(capsys, "predict", to_come, "--rounds", history, "--system", "ns2")["predictions"]
    assert ns2[0] == {"id": "three", "probabilities": {"marines": None, "aliens": None, "bots": None}, "draw": None}
    assert ns2[1] == {"id": "alone", "probabilities": {"marines": None, "aliens": None}, "draw": None}
    trueskill = printed(capsys, "predict", to_come, "--rounds", history, "--system", "trueskill")["predictions"]
    assert sum(trueskill[0]["probabilities"].values()) + trueskill[0]["draw"] == pytest.approx(1.0, abs=1e-9)


def test_a_file_without_rounds_ends_with_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty, history = round_file(tmp_path, "empty.jsonl", []), round_file(tmp_path, "history.jsonl", a_history())
    assert printed(capsys, "predict", empty, "--rounds", history, "--system", "ns2", status=1)["predictions"] == []


@pytest.mark.parametrize("broken", ["history.jsonl", "next.jsonl"])
def test_bad_input_is_told_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str], broken: str) -> None:
    rounds = {"history.jsonl": a_history(3), "next.jsonl": [a_round("next", LINE_UP), a_round("other", LINE_UP)]}
    rounds[broken][1]["players"][2]["stays"] = [stay("aliens", 5.0, 1.0)]
    files = [round_file(tmp_path, name, content) for name, content in rounds.items()]
    said = refusal(capsys, "predict", files[1], "--rounds", files[0], "--system", "ns2")
    assert f"{tmp_path / broken}:2: players[2].stays[0].leave: " in said


@pytest.mark.parametrize("left_out", ["--system", "--rounds"])
def test_system_and_history_are_needed(tmp_path: Path, capsys: pytest.CaptureFixture[str], left_out: str) -> None:
    file = round_file(tmp_path, "next.jsonl", [a_round("next", LINE_UP)])
    options = {"--system": "ns2", "--rounds": file}
    del options[left_out]
    assert left_out in refusal(capsys, "predict", file, *(word for option in options.items() for word in option))
