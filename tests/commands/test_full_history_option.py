"""The option `--full-history` of the commands that predict and show ratings."""

import math
from pathlib import Path
from typing import Any

import pytest
from round_samples import make_history, make_round, run_json, run_refused, write_rounds

TEAM_OF_PLAYER = {"a": "marines", "b": "marines", "g": "aliens", "h": "aliens"}


@pytest.fixture
def history(tmp_path: Path) -> str:
    return write_rounds(tmp_path, "history.jsonl", make_history())


def solved_players(capsys: pytest.CaptureFixture[str], history: str, system: str) -> dict[str, Any]:
    players: dict[str, Any] = run_json(capsys, "rate", history, "--system", system, "--full-history")["players"]
    return players


def test_ns2_uses_solved_skills(tmp_path: Path, capsys: pytest.CaptureFixture[str], history: str) -> None:
    upcoming = write_rounds(tmp_path, "next.jsonl", [make_round("next", TEAM_OF_PLAYER)])
    skill = {name: fields["skill"] for name, fields in solved_players(capsys, history, "ns2").items()}
    log_odds = sum(skill[name] * (1.0 if team == "marines" else -1.0) / 4.0 for name, team in TEAM_OF_PLAYER.items())
    options = ("--rounds", history, "--system", "ns2")
    predicted, online = (
        run_json(capsys, "predict", upcoming, *options, *more)["predictions"][0]["probabilities"]["marines"]
        for more in (("--full-history",), ())
    )
    assert predicted == pytest.approx(1.0 / (1.0 + math.exp(-log_odds)), abs=1e-12)
    assert abs(predicted - online) > 0.01


def test_trueskill_smooths_skills(tmp_path: Path, capsys: pytest.CaptureFixture[str], history: str) -> None:
    """Without drift (τ² = 0): P(difference > margin) of the last skills, β² each."""
    upcoming = write_rounds(tmp_path, "next.jsonl", [make_round("next", TEAM_OF_PLAYER)])
    options = ("--system", "trueskill2", "--param", "tau2=0", "--full-history")
    players = run_json(capsys, "rate", history, *options)["players"]
    mean = sum(players[name]["mean"] * (1.0 if team == "marines" else -1.0) for name, team in TEAM_OF_PLAYER.items())
    spread = math.sqrt(sum(players[name]["sd"] ** 2 + 1.0 for name in TEAM_OF_PLAYER))
    win, lose = (0.5 * math.erfc((1e-3 - sign * mean) / spread / math.sqrt(2.0)) for sign in (1.0, -1.0))
    predicted = run_json(capsys, "predict", upcoming, "--rounds", history, *options)["predictions"][0]
    assert predicted["probabilities"] == {
        "marines": pytest.approx(win, abs=1e-9),
        "aliens": pytest.approx(lose, abs=1e-9),
    }


@pytest.mark.parametrize("system", ["ns2", "trueskill2"])
def test_balance_equals_predict(tmp_path: Path, capsys: pytest.CaptureFixture[str], history: str, system: str) -> None:
    uneven = dict(zip("abcdefgh", ["marines"] * 4 + ["aliens"] * 4, strict=True))
    options = ("--rounds", history, "--system", system, "--full-history")
    balanced = run_json(capsys, "balance", write_rounds(tmp_path, "now.jsonl", [make_round("now", uneven)]), *options)
    after = {player: team for team, players in balanced["teams"].items() for player in players}
    assert after != uneven
    rounds = [make_round("now", uneven), make_round("after", {name: after[name] for name in uneven})]
    predicted = run_json(capsys, "predict", write_rounds(tmp_path, "both.jsonl", rounds), *options)["predictions"]
    chances = [each["probabilities"]["marines"] / (1.0 - each["draw"]) for each in predicted]
    assert [balanced["before"], balanced["after"]] == [pytest.approx(each, abs=1e-9) for each in chances]


@pytest.mark.parametrize("command", ["predict", "balance"])
def test_other_systems_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], history: str, command: str
) -> None:
    upcoming = write_rounds(tmp_path, "next.jsonl", [make_round("next", TEAM_OF_PLAYER)])
    options = ("--rounds", history, "--system", "elo-blog", "--full-history")
    assert "elo-blog supports rating round by round only" in run_refused(capsys, command, upcoming, *options)
