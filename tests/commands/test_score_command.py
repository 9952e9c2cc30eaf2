"""The `score` command, with the check values of the specification."""

import json
import math

import pytest

from browser_app.app import run_program


def run_score(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert run_program(["score", *words]) == 0
    output: dict[str, object] = json.loads(capsys.readouterr().out)
    return output


def server_options(players: int, slots: int = 24, ping: int = 50, performance: int = 50) -> list[str]:
    return [f"--players={players}", f"--max-players={slots}", f"--ping={ping}", f"--performance={performance}"]


@pytest.mark.parametrize(
    ("players", "expected"), [(0, 0.00863), (6, 0.12407), (12, 0.61533), (20, 0.51572), (24, 0.02584)]
)
def test_check_values(capsys: pytest.CaptureFixture[str], players: int, expected: float) -> None:
    assert run_score(capsys, *server_options(players))["score"] == pytest.approx(expected, abs=5e-6)


def test_skilled_example_and_favourite(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*server_options(14, 24, 80, 20), "--server-skill=2000", "--player-skill=1200"]
    assert run_score(capsys, *words)["score"] == pytest.approx(0.207958, abs=1e-6)
    for spelling in ("--favourite", "--favorite"):
        assert run_score(capsys, *words, spelling)["score"] == pytest.approx(0.415915, abs=1e-6)


def test_factors_multiply_to_score(capsys: pytest.CaptureFixture[str]) -> None:
    output = run_score(
        capsys, *server_options(17, 24, 47, 62), "--server-skill=2080", "--player-skill=1640", "--preset=in-game"
    )
    factors, shares = output["factors"], output["loss_share"]
    assert isinstance(factors, dict)
    assert isinstance(shares, dict)
    assert math.prod(factors.values()) == pytest.approx(output["score"], rel=1e-12)
    assert sum(shares.values()) == pytest.approx(1, rel=1e-12)
    assert {"players", "ping", "performance", "skill", "joinable", "favorite"} <= set(factors)
    assert output["preset"] == "in-game"


def test_underflow_has_no_shares(capsys: pytest.CaptureFixture[str]) -> None:
    output = run_score(capsys, *server_options(12, 24, 100_000))
    assert output["score"] == 0
    assert isinstance(output["loss_share"], dict)
    assert set(output["loss_share"].values()) == {None}


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (["--players=12", "--max-players=24"], "--ping"),
        ([*server_options(12), "--skill=1"], "--skill"),
        (["--players=-1", "--max-players=24", "--ping=5"], "--players"),
        (["--players=nan", "--max-players=24", "--ping=5"], "--players"),
        (["--players=1_2", "--max-players=24", "--ping=5"], "--players"),
        (["--players=１２", "--max-players=24", "--ping=5"], "--players"),
        (
            ["--players=1e10", "--max-players=24", "--ping=5"],
            "--players: must be 0 to 1000000000: 1e10",
        ),
        (server_options(12, performance=101), "--performance: must be -99 to 100: 101"),
        ([*server_options(12), "--quality=-1"], "--quality: must be 0 to 100: -1"),
        (
            [*server_options(12), "--player-skill=1e300"],
            "--player-skill: must be -1000000 to 1000000: 1e300",
        ),
        ([*server_options(12), "--preset=best"], "--preset"),
        ([*server_options(12), "--reserved=30"], "--reserved"),
    ],
)
def test_bad_usage_names_option(capsys: pytest.CaptureFixture[str], words: list[str], place: str) -> None:
    status = run_program(["score", *words])
    output = capsys.readouterr()
    assert status == 2
    assert place in output.err
    assert output.out == ""
