"""My Skill with full-history ratings.

The same numbers as `rate --full-history`, stored beside the usual ones.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from round_serializer import object_from_round
from skill_fixtures import SkillModelFixture, make_round, open_skill_model

from browser_app.app import run_program
from browser_app.application.own_skill.skill_preferences import SkillPreferences
from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.matchmaking.what_if import compute_what_if
from browser_app.storage.ui_state import UiState

ROUNDS = 40


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rounds.jsonl"
    lines = (json.dumps(object_from_round(make_round(i, won=i % 3 > 0))) + "\n" for i in range(ROUNDS))
    path.write_text("".join(lines), encoding="utf-8")
    return path


def open_rated(env: SkillModelFixture, file: Path, system: str) -> None:
    env.model.open()
    env.model.import_paths([file])
    env.wait_until_rated()
    if env.model.system != system:
        env.model.choose_system(system)
        env.wait_until_rated()


def solved_players(capsys: pytest.CaptureFixture[str], file: Path, system: str) -> dict[str, Any]:
    assert run_program(["rate", "--system", system, "--full-history", str(file)]) == 0
    players: dict[str, Any] = json.loads(capsys.readouterr().out)["players"]
    return players


@pytest.mark.parametrize(("system", "value"), [("ns2", "points"), ("trueskill2", "mean")])
def test_hindsight_equals_rate_command(
    qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str], file: Path, system: str, value: str
) -> None:
    mine = solved_players(capsys, file, system)["me"]
    with open_skill_model(qtbot, tmp_path) as env:
        open_rated(env, file, system)
        assert env.model.full_history is False
        assert env.model.state is not None
        online = env.model.state
        points = env.model.own_skill("ns2")
        env.model.choose_full_history(True)
        env.wait_until_rated()
        state = env.model.state
        assert state is not None
        assert (env.model.full_history, state.full_history, online.full_history) == (True, True, False)
        assert state.now.value == pytest.approx(mine[value])
        assert state.history.after[-1] == pytest.approx(mine[value])
        assert state.now.sd == pytest.approx(mine["sd"] * (50.0 if system == "ns2" else 1.0))
        assert (state.history.before == state.history.after).all()
        assert state.now.value != online.now.value
        assert (state.now.tier, state.now.confident_points) == (None, None)
        assert (online.now.tier is not None) == (system == "ns2")
        assert env.model.own_skill("ns2") == points
        env.model.choose_full_history(False)
        qtbot.waitUntil(lambda: env.model.state is not None)
        assert env.model.state is not None
        assert env.model.state.now.value == online.now.value


def test_games_are_predicted_by_solved_skills(
    qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    skill = {name: fields["skill"] for name, fields in solved_players(capsys, file, "ns2").items()}
    rival = next(name for name in skill if name != "me")
    with open_skill_model(qtbot, tmp_path) as env:
        open_rated(env, file, "ns2")
        env.model.choose_full_history(True)
        env.wait_until_rated()
        runs: list[Any] = []
        env.model.request_final_run(runs.append)
        qtbot.waitUntil(lambda: bool(runs))
    players = [Player(name, [Stint(team, 0.0, 600.0)]) for name, team in (("me", "marines"), (rival, "aliens"))]
    what_if = compute_what_if(runs[0], Round("", ["marines", "aliens"], players, None), "me")
    assert what_if.chance == pytest.approx(1.0 / (1.0 + 2.718281828459045 ** ((skill[rival] - skill["me"]) / 2.0)))


def test_choice_is_kept_for_game(qtbot: QtBot, tmp_path: Path, file: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        open_rated(env, file, "ns2")
        env.model.choose_full_history(True)
        env.wait_until_rated()
    with open_skill_model(qtbot, tmp_path) as env:
        env.model.open()
        env.wait_until_rated()
        assert env.model.state is not None
        assert env.model.state.full_history
        preferences = SkillPreferences(UiState(env.database), {})
        assert preferences.config("ns2", "ns2").full_history
        assert not preferences.config("ns2", "elo-blog").full_history
        assert not preferences.config("xonotic", "ns2").full_history
        env.model.choose_system("elo-blog")
        assert env.model.full_history is None
