"""Skill model: ratings by worker processes, stored, updated on changes."""

import json
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from round_serializer import object_from_round
from skill_fixtures import (
    GAMES,
    SkillModelFixture,
    add_rounds,
    in_game_state,
    make_round,
    name_identity,
    open_skill_model,
)
from timeouts import LIMIT_MS

from browser_app.app import run_program
from browser_app.application.own_skill.own_skill_resolver import OwnSkillResolver
from browser_app.application.own_skill.skill_preferences import SkillPreferences
from browser_app.application.own_skill.skill_state import OwnSkill
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.rating_worker.rating_jobs import RecordSkill
from browser_app.storage.database import DATABASE_FILE_NAME, Database, open_database
from browser_app.storage.ui_state import UiState


def query(env: SkillModelFixture, method: Callable[..., None], *args: Any, **keys: Any) -> Any:
    """Return the result of a query, which must arrive in this thread."""
    results: list[tuple[object, threading.Thread]] = []
    method(*args, lambda result: results.append((result, threading.current_thread())), **keys)
    env.bot.waitUntil(lambda: bool(results), timeout=4 * LIMIT_MS)  # a fit takes seconds alone
    assert results[0][1] is threading.main_thread()
    return results[0][0]


def test_empty_record_has_no_state(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env, qtbot.waitSignal(env.model.changed):
        env.model.open()
    assert (env.model.games, env.model.game, env.model.state) == ((), "", None)


def test_values_equal_rate_command(qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text(
        "".join(json.dumps(object_from_round(make_round(i, won=i % 3 > 0))) + "\n" for i in range(40)), encoding="utf-8"
    )
    assert run_program(["rate", "--system", "ns2", str(file)]) == 0
    printed = json.loads(capsys.readouterr().out)["players"]["me"]
    with open_skill_model(qtbot, tmp_path) as env:
        env.model.open()
        env.model.import_paths([file])
        env.wait_until_rated()
        state = env.model.state
        assert state is not None
        assert state.now.value == printed["points"]
        assert state.history.after[-1] == printed["points"]
        assert (env.model.game, env.model.system) == ("ns2", "ns2")
        assert [(each.id, each.title, each.rounds, each.own_rounds) for each in env.model.games] == [
            ("ns2", "Natural Selection 2", 40, 40)
        ]
        assert state.history.sd[-1] == state.now.sd
        qtbot.waitUntil(lambda: env.progress[-1] is None)
        assert {work.kind for work in env.progress if work is not None} == {"import", "rate"}


def test_restart_shows_stored_ratings(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        add_rounds(env.store, 30)
        env.model.open()
        env.wait_until_rated()
        before = env.model.state
        assert before is not None
    with open_skill_model(qtbot, tmp_path) as env:
        with qtbot.waitSignal(env.model.changed):
            env.model.open()
        state = env.model.state
        assert state is not None
        assert (state.now, state.rated_at) == (before.now, before.rated_at)
        np.testing.assert_array_equal(state.history.after, before.history.after)
        assert env.progress == []
        add_rounds(env.store, 5, first=30)  # as another process may do
        env.model.open()
        qtbot.waitUntil(lambda: env.model.state is not None and len(env.model.state.history) == 35)


def test_state_stays_while_rating(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        add_rounds(env.store, 30)
        env.model.open()
        env.wait_until_rated()
        add_rounds(env.store, 5, first=30)
        with qtbot.waitSignal(env.model.changed):
            env.model.refresh()
        assert env.model.state is not None
        assert len(env.model.state.history) == 30
        env.wait_until_rated()
        assert len(env.model.state.history) == 35


def test_identity_change_shows_other_player(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        add_rounds(env.store, 30)
        env.model.open()
        env.wait_until_rated()
        env.identities[:] = [name_identity("ns2", "The rival1")]
        env.model.refresh()
        qtbot.waitUntil(lambda: env.model.state is not None and env.model.state.history.player == "rival1")
        env.identities[:] = [name_identity("ns2", "Nobody of that name")]
        env.model.refresh()
        qtbot.waitUntil(lambda: env.model.state is None and env.model.games[0].own_rounds == 0)
        assert env.model.own_skill("ns2") is None


def test_choices_are_stored_per_game(qtbot: QtBot, tmp_path: Path) -> None:
    halved = resolve_parameters(RATING_SYSTEMS["trueskill2"].declared_parameters, explicit={"gamma2": 0.5})
    with open_skill_model(qtbot, tmp_path, [name_identity("ns2"), name_identity("xonotic")]) as env:
        add_rounds(env.store, 30)
        add_rounds(env.store, 12, "xonotic")
        env.model.open()
        env.wait_until_rated()
        qtbot.waitUntil(lambda: [each.own_rounds for each in env.model.games] == [30, 12])
        env.model.choose_system("trueskill2")
        env.wait_until_rated()
        assert env.model.state is not None
        value = env.model.state.now.value
        env.model.set_parameters(halved)
        env.wait_until_rated()
        assert env.model.state is not None
        assert env.model.state.now.value != value
        env.model.choose_game("xonotic")
        env.wait_until_rated()
        assert env.model.system == "elo-xonstat"
    with open_skill_model(qtbot, tmp_path, [name_identity("ns2"), name_identity("xonotic")]) as env:
        env.model.open()
        env.wait_until_rated()
        assert env.model.game == "xonotic"
        env.model.choose_game("ns2")
        env.wait_until_rated()
        assert env.model.system == "trueskill2"
        assert env.model.parameters == halved
        env.model.set_parameters(None)
        env.wait_until_rated()
        assert env.model.state is not None
        assert env.model.state.now.value == value


def test_queries_are_answered_by_worker(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        add_rounds(env.store, 60)
        env.model.open()
        env.wait_until_rated()
        assert env.model.state is not None
        history = env.model.state.history
        explanation = query(env, env.model.queries.explain_round, history.ids[20])
        assert explanation.change == pytest.approx(history.after[20] - history.before[20])
        assert {each.kind for each in query(env, env.model.queries.request_habits)} == {
            "map",
            "team",
            "hour",
            "teammate",
            "opponent",
        }
        co_players = query(env, env.model.queries.request_co_players)
        assert co_players.find_rounds_with(lambda name: name == "the mate0", teammates=True).sum() == 20
        assert query(env, env.model.queries.request_players)[0] == ("me", "The me", 60)
        (board,) = query(env, env.model.queries.request_leaderboards, before=None).boards
        assert board.names[board.own_row] == "The me"
        assert board.rating[board.own_row] == pytest.approx(history.after[-1])
        earlier = query(env, env.model.queries.request_leaderboards, before=float(history.started[20]))
        assert earlier.rounds == 20
        assert earlier.boards[0].rating[earlier.boards[0].own_row] == pytest.approx(history.after[19])
        assert query(env, env.model.queries.request_other_history, player="rival1").player == "rival1"
        assert query(env, env.model.queries.request_other_history, system="xonstat-go").system == "xonstat-go"
        run = query(env, env.model.request_final_run)
        me = run.record.player_ids.index("me")
        assert 50.0 * run.rating(me, 0).value == pytest.approx(history.after[-1])
        assert len(run.record) == 1
        assert env.model.state.run is run
        comparison = query(env, env.model.queries.compare_systems)
        assert {each.name for each in comparison.systems} == {*RATING_SYSTEMS, "size", "constant", "best"}
        assert query(env, env.model.queries.compare_systems, own_rounds_only=True).own_rounds_only
        fitted = query(env, env.model.queries.fit_parameters)
        assert fitted.parameters.default.keys() == env.model.parameters.default.keys()
        assert env.errors == []


def test_missing_round_is_error(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        add_rounds(env.store, 10)
        env.model.open()
        env.wait_until_rated()
        env.model.queries.explain_round("no such round", lambda _found: pytest.fail("there is none"))
        qtbot.waitUntil(lambda: bool(env.errors))
        assert "no longer" in env.errors[0]


def record_skill(rounds: int = 10, *, anchored: bool = False) -> RecordSkill:
    return RecordSkill(1500.0, rounds, anchored, 80.0, 5000.0)


def test_own_skill_source_order(tmp_path: Path) -> None:
    """The order: game's number, anchored record, entered number, record alone."""
    entered, in_game = {"ns2": 1000.0}, {"ns2": in_game_state(1652.0)}
    with closing(open_database(tmp_path)) as database:
        preferences = SkillPreferences(UiState(database), GAMES)
        resolver = OwnSkillResolver(preferences, GAMES, lambda: entered, in_game.get)
        preferences.set_record_skill("ns2", record_skill(anchored=True))
        assert resolver.own_skill("ns2") == OwnSkill(1652.0, "game", 40.0, 7000.0)
        in_game.clear()
        assert resolver.own_skill("ns2") == OwnSkill(1500.0, "anchored", 80.0, 5000.0)
        preferences.set_record_skill("ns2", record_skill())
        assert resolver.own_skill("ns2") == OwnSkill(1000.0, "entered")
        entered.clear()
        assert resolver.own_skill("ns2") == OwnSkill(1500.0, "record", 80.0, 5000.0)


def test_few_rounds_count_only_if_anchored(tmp_path: Path) -> None:
    with closing(open_database(tmp_path)) as database:
        preferences = SkillPreferences(UiState(database), GAMES)
        resolver = OwnSkillResolver(preferences, GAMES, dict, lambda _game: None)
        preferences.set_record_skill("ns2", record_skill(9))
        assert resolver.own_skill("ns2") is None
        preferences.set_record_skill("ns2", record_skill(1, anchored=True))
        assert resolver.own_skill("ns2") == OwnSkill(1500.0, "anchored", 80.0, 5000.0)


def own_skill(env: SkillModelFixture, game: str = "ns2") -> tuple[float, str] | None:
    skill = env.model.own_skill(game)
    return None if skill is None else (skill.value, skill.source)


def last_rating(env: SkillModelFixture) -> float:
    assert env.model.state is not None
    return float(env.model.state.history.after[-1])


def test_own_skill_changes_with_sources(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path, [name_identity("ns2"), name_identity("xonotic")]) as env:
        received: list[dict[str, float]] = []
        env.model.own_skill_changed.connect(lambda: received.append(dict(env.model.own_skill_by_game())))
        assert env.model.own_skill_by_game() == {}
        add_rounds(env.store, 9)
        add_rounds(env.store, 30, "xonotic")
        env.model.choose_game("ns2")
        env.wait_until_rated()
        assert own_skill(env) is None  # nine rounds are too few
        add_rounds(env.store, 1, first=9)
        env.model.refresh()
        qtbot.waitUntil(lambda: len(received) == 1)
        assert own_skill(env) == (last_rating(env), "record")
        env.model.choose_system("trueskill2")
        env.wait_until_rated()
        assert own_skill(env) == (received[0]["ns2"], "record")  # still on their scale
        add_rounds(env.store, 5, first=10)
        env.model.refresh()
        qtbot.waitUntil(lambda: len(received) == 2)  # also for rounds that are shown under another system
        env.wait_until_rated()
        env.model.choose_system("ns2")
        env.wait_until_rated()
        assert own_skill(env) == (last_rating(env), "record")
        env.model.choose_game("xonotic")
        env.wait_until_rated()
        assert own_skill(env, "xonotic") is None  # its servers report no skill
        env.entered["ns2"] = 1000.0
        env.model.check_own_skill()
        assert own_skill(env) == (1000.0, "entered")
        env.in_game |= {game: in_game_state(1652.0, game) for game in ("ns2", "xonotic")}
        env.model.check_own_skill()
        assert received[-1] == {"ns2": 1652.0}
        assert own_skill(env) == (1652.0, "game")


def test_in_memory_database_is_rated(qtbot: QtBot, tmp_path: Path) -> None:
    open_database(tmp_path).close()
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE_NAME)) as file:
        file.backup(connection)  # as where the file cannot be written
    with open_skill_model(qtbot, tmp_path, database=Database(connection, None)) as env:
        add_rounds(env.store, 15)
        env.model.open()
        env.wait_until_rated()
        assert env.model.state is not None
        assert len(env.model.state.history) == 15


def test_unreadable_ratings_are_replaced(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        add_rounds(env.store, 15)
        env.model.open()
        env.wait_until_rated()
    database = open_database(tmp_path)
    database.write(lambda connection: connection.execute("UPDATE ratings_cache SET value = x'c0ffee'")).result()
    database.close()
    with open_skill_model(qtbot, tmp_path) as env:
        env.model.open()
        env.wait_until_rated()
        assert env.model.state is not None
        assert len(env.model.state.history) == 15
        assert env.errors == []


def test_no_signal_after_close(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        add_rounds(env.store, 15)
        env.model.open()
        env.model.close()
        with (
            qtbot.assertNotEmitted(env.model.changed, wait=100),
            qtbot.assertNotEmitted(env.model.error_reported, wait=100),
        ):
            env.model.refresh()
            env.model.queries.request_habits(lambda _found: pytest.fail("nothing is calculated any more"))


def test_failed_import_replaces_its_message(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("no rounds here")
    said: list[str] = []
    with open_skill_model(qtbot, tmp_path) as env:
        env.model.status_reported.connect(said.append)
        with qtbot.waitSignal(env.model.rounds_imported) as imported:
            env.model.import_paths([tmp_path / "letter.txt"])
        assert imported.args == [""]
        assert said == ["Nothing imported"]
        (problem,) = env.errors
        assert "letter.txt: not a round file" in problem


def test_unknown_game_is_not_default(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        add_rounds(env.store, 40)
        add_rounds(env.store, 3, game="")
        env.model.open()
        env.wait_until_rated()
        assert env.model.game == "ns2"
        assert [each.id for each in env.model.games] == ["ns2", ""]
        env.model.choose_game("")
        qtbot.waitUntil(lambda: env.model.game == "" and env.model.state is None)
        env.model.refresh()
    with open_skill_model(qtbot, tmp_path) as env:
        env.model.open()
        qtbot.waitUntil(lambda: bool(env.model.games))
        assert env.model.game == ""
