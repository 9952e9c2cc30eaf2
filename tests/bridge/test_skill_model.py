"""My skill from the record to what the window shows: calculated beside it, ui_state, made anew when something changed."""

import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from round_serializer import object_from_round
from skill_fixtures import GAMES, SkillModelFixture, add_rounds, make_round, name_identity, open_skill_model

from browser_app.app import run_program
from browser_app.application.own_skill_resolver import OwnSkillResolver
from browser_app.application.skill_preferences import SkillPreferences
from browser_app.application.skill_state import OwnSkill
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.rating_worker.rating_jobs import OwnPoints
from browser_app.storage.database import Database, open_database
from browser_app.storage.database_schema import create_tables
from browser_app.storage.ui_state import UiState


def query(env: SkillModelFixture, method: Any, *args: Any, **keys: Any) -> Any:
    """What a request of the panel answers, which must come on this thread."""
    results: list[tuple[object, threading.Thread]] = []
    getattr(env.model, method)(*args, lambda result: results.append((result, threading.current_thread())), **keys)
    env.bot.waitUntil(lambda: bool(results))
    assert results[0][1] is threading.main_thread()
    return results[0][0]


def test_an_empty_record_shows_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env, qtbot.waitSignal(env.model.changed):
        env.model.open()
    assert (env.model.games, env.model.game, env.model.state) == ((), "", None)


def has_full_uncertainty(env: SkillModelFixture) -> bool:
    """Whether the doubt is no estimate any more."""
    return env.model.state is not None and env.model.state.now.sd_from == "full history"


def test_numbers_are_those_of_rate(qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
        qtbot.waitUntil(lambda: has_full_uncertainty(env))
        assert env.model.state is not None
        assert env.model.state.history.sd[-1] == env.model.state.now.sd
        qtbot.waitUntil(lambda: env.progress[-1] is None)
        assert {work.kind for work in env.progress if work is not None} == {"import", "rate", "doubt"}


def test_it_is_told_while_the_doubt_is_worked_out_and_no_longer(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        received: list[tuple[str, bool]] = []

        def record_state() -> None:
            if env.model.state is not None:
                received.append((env.model.state.now.sd_from, env.model.state.is_computing_uncertainty))

        env.model.changed.connect(record_state)
        add_rounds(env.store, 30)
        env.model.open()
        qtbot.waitUntil(lambda: has_full_uncertainty(env))
        assert list(dict.fromkeys(received)) == [("gradients", True), ("full history", False)]


def test_nothing_is_being_worked_out_after_a_cancellation(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:

        def cancel() -> None:
            if env.model.state is not None and env.model.state.is_computing_uncertainty:
                env.model.cancel()

        env.model.changed.connect(cancel)
        add_rounds(env.store, 30)
        env.model.open()
        env.wait_until_rated()
        assert env.model.state is not None
        assert (env.model.state.now.sd_from, env.model.state.is_computing_uncertainty) == ("gradients", False)


def test_the_next_start_shows_what_is_kept_without_calculating(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        add_rounds(env.store, 30)
        env.model.open()
        qtbot.waitUntil(lambda: has_full_uncertainty(env))
        before = env.model.state
        assert before is not None
    with open_skill_model(qtbot, tmp_path) as env:
        with qtbot.waitSignal(env.model.changed):
            env.model.open()
        state = env.model.state
        assert state is not None
        assert (state.now, state.rated_at, state.is_stale) == (before.now, before.rated_at, False)
        np.testing.assert_array_equal(state.history.after, before.history.after)
        assert env.progress == []


def test_new_rounds_are_taken_in_while_the_old_ones_are_shown(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        add_rounds(env.store, 30)
        env.model.open()
        env.wait_until_rated()
        add_rounds(env.store, 5, first=30)
        with qtbot.waitSignal(env.model.changed):
            env.model.refresh()
        assert env.model.state is not None
        assert env.model.state.is_stale
        assert len(env.model.state.history) == 30
        env.wait_until_rated()
        assert len(env.model.state.history) == 35


def test_another_identity_is_another_player(qtbot: QtBot, tmp_path: Path) -> None:
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


def test_systems_and_parameters_are_kept_by_game(qtbot: QtBot, tmp_path: Path) -> None:
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
        assert env.model.state is not None
        assert env.model.state.is_stale
        env.wait_until_rated()
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


def test_the_pages_questions_are_answered(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        add_rounds(env.store, 60)
        env.model.open()
        env.wait_until_rated()
        assert env.model.state is not None
        history = env.model.state.history
        explanation = query(env, "explain_round", history.ids[20])
        assert explanation.change == pytest.approx(history.after[20] - history.before[20])
        assert {each.kind for each in query(env, "load_habits")} == {"map", "team", "hour", "mate", "rival"}
        company = query(env, "load_company")
        assert company.rounds_with(lambda name: name == "the mate0", teammates=True).sum() == 20
        assert query(env, "load_players")[0] == ("me", "The me", 60)
        assert query(env, "load_other_history", player="rival1").player == "rival1"
        assert query(env, "load_other_history", system="xonstat-go").system == "xonstat-go"
        run = query(env, "load_final_run")
        me = run.record.player_ids.index("me")
        assert 50.0 * run.rating(me, 0).value == pytest.approx(history.after[-1])
        assert len(run.record) == 1
        assert env.model.state.run is run
        comparison = query(env, "compare_systems")
        assert {row.name for row in comparison.rows} == {*RATING_SYSTEMS, "size", "constant"}
        assert query(env, "compare_systems", own_rounds_only=True).own_rounds_only
        fitted = query(env, "fit_parameters")
        assert fitted.parameters.default.keys() == env.model.parameters.default.keys()
        assert env.errors == []


def test_a_round_without_an_explanation_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        add_rounds(env.store, 10)
        env.model.open()
        env.wait_until_rated()
        env.model.explain_round("no such round", lambda _found: pytest.fail("there is none"))
        qtbot.waitUntil(lambda: bool(env.errors))
        assert env.errors == ["Calculation failed: this round is no longer in your record"]


def test_a_record_speaks_for_the_list_before_the_game_unless_it_is_a_guess(tmp_path: Path) -> None:
    typed, in_game = dict[str, float](), {"ns2": 1652.0}
    database = open_database(tmp_path)
    ui_state = UiState(database)
    preferences = SkillPreferences(ui_state, GAMES)
    resolver = OwnSkillResolver(preferences, GAMES, lambda: typed, in_game.get)
    preferences.set_own_points("ns2", OwnPoints(1500.0, 10, is_estimate=True))
    assert resolver.points("ns2") == OwnSkill(1652.0, "game")
    preferences.set_own_points("ns2", OwnPoints(1500.0, 10, is_estimate=False))
    assert resolver.points("ns2") == OwnSkill(1500.0, "record")
    preferences.set_own_points("ns2", OwnPoints(1500.0, 9, is_estimate=False))
    assert resolver.points("ns2") == OwnSkill(1652.0, "game")
    in_game.clear()
    assert resolver.points("ns2") is None
    preferences.set_own_points("ns2", OwnPoints(1500.0, 10, is_estimate=True))
    assert resolver.points("ns2") == OwnSkill(1500.0, "guess")
    ui_state.set("skill.points", {"ns2": [1400.0, 10]})  # of another version
    assert resolver.points("ns2") == OwnSkill(1400.0, "record")
    typed["ns2"] = 1000.0
    assert resolver.points("ns2") == OwnSkill(1000.0, "typed")
    database.close()


def test_the_list_goes_by_what_was_typed_then_the_record_then_the_game(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path, [name_identity("ns2"), name_identity("xonotic")]) as env:
        received: list[object] = []
        env.model.points_changed.connect(lambda: received.append(env.model.own_skill_by_game()))
        assert env.model.own_skill_by_game() == {}
        env.in_game.update(ns2=1652.0, xonotic=9000.0)
        env.model.update_points()
        assert env.model.own_skill("ns2") == OwnSkill(1652.0, "game")
        add_rounds(env.store, 9)
        add_rounds(env.store, 30, "xonotic")
        env.model.choose_game("ns2")
        env.wait_until_rated()
        assert env.model.own_skill("ns2") == OwnSkill(1652.0, "game")  # nine rounds are too few
        add_rounds(env.store, 1, first=9)
        env.model.refresh()
        qtbot.waitUntil(lambda: len(received) == 2)
        assert env.model.state is not None
        assert env.model.own_skill("ns2") == OwnSkill(env.model.state.history.after[-1], "record")
        env.model.choose_system("trueskill2")
        env.wait_until_rated()
        assert env.model.own_skill("ns2") == OwnSkill(received[1]["ns2"], "record")  # type: ignore[index] # still on their scale
        add_rounds(env.store, 5, first=10)
        env.model.refresh()
        qtbot.waitUntil(lambda: len(received) == 3)  # also of rounds that are state under another system
        env.wait_until_rated()
        env.model.choose_system("ns2")
        env.wait_until_rated()
        assert env.model.own_skill("ns2") == OwnSkill(env.model.state.history.after[-1], "record")
        env.model.choose_game("xonotic")
        env.wait_until_rated()
        assert env.model.own_skill("xonotic") is None  # its servers report no skill
        env.typed["ns2"] = 1000.0
        env.model.update_points()
        assert received[-1] == {"ns2": 1000.0}
        assert env.model.own_skill("ns2") == OwnSkill(1000.0, "typed")


def test_a_record_without_a_file_is_rated_too(qtbot: QtBot, tmp_path: Path) -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    create_tables(connection)
    with open_skill_model(qtbot, tmp_path, database=Database(connection, None)) as env:
        add_rounds(env.store, 15)
        env.model.open()
        env.wait_until_rated()
        assert env.model.state is not None
        assert len(env.model.state.history) == 15


def test_what_another_version_kept_is_made_anew(qtbot: QtBot, tmp_path: Path) -> None:
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


def test_nothing_is_told_after_the_end(qtbot: QtBot, tmp_path: Path) -> None:
    with open_skill_model(qtbot, tmp_path) as env:
        add_rounds(env.store, 15)
        env.model.open()
        env.model.close()
        with (
            qtbot.assertNotEmitted(env.model.changed, wait=100),
            qtbot.assertNotEmitted(env.model.error_message, wait=100),
        ):
            env.model.refresh()
            env.model.load_habits(lambda _found: pytest.fail("nothing is calculated any more"))


def test_rounds_whose_game_nobody_told_do_not_come_first_unless_they_are_chosen(qtbot: QtBot, tmp_path: Path) -> None:
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
