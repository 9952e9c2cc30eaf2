"""My skill from the record to what the window shows: calculated beside it, kept, made anew when something changed."""

import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from round_serializer import object_from_round
from skill_record import GAMES, Rig, a_panel, fill, match, name_of

from browser_app.app import run_program
from browser_app.application.own_skill_resolver import OwnSkillResolver
from browser_app.application.skill_preferences import SkillPreferences
from browser_app.application.skill_state import OwnSkill
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.rating_worker.rating_jobs import OwnPoints
from browser_app.storage.database import Database, open_database
from browser_app.storage.database_schema import migrate
from browser_app.storage.ui_state import UiState


def answer(rig: Rig, ask: Any, *args: Any, **keys: Any) -> Any:
    """What a request of the panel answers, which must come on this thread."""
    got: list[tuple[object, threading.Thread]] = []
    getattr(rig.panel, ask)(*args, lambda result: got.append((result, threading.current_thread())), **keys)
    rig.bot.waitUntil(lambda: bool(got))
    assert got[0][1] is threading.main_thread()
    return got[0][0]


def test_an_empty_record_shows_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    with a_panel(qtbot, tmp_path) as rig, qtbot.waitSignal(rig.panel.changed):
        rig.panel.open()
    assert (rig.panel.games, rig.panel.game, rig.panel.state) == ((), "", None)


def doubted(rig: Rig) -> bool:
    """Whether the doubt is no estimate any more."""
    return rig.panel.state is not None and rig.panel.state.now.sd_from == "full history"


def test_numbers_are_those_of_rate(qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text(
        "".join(json.dumps(object_from_round(match(i, won=i % 3 > 0))) + "\n" for i in range(40)), encoding="utf-8"
    )
    assert run_program(["rate", "--system", "ns2", str(file)]) == 0
    said = json.loads(capsys.readouterr().out)["players"]["me"]
    with a_panel(qtbot, tmp_path) as rig:
        rig.panel.open()
        rig.panel.import_paths([file])
        rig.settled()
        shown = rig.panel.state
        assert shown is not None
        assert shown.now.value == said["points"]
        assert shown.history.after[-1] == said["points"]
        assert (rig.panel.game, rig.panel.system) == ("ns2", "ns2")
        assert [(each.id, each.title, each.rounds, each.own_rounds) for each in rig.panel.games] == [
            ("ns2", "Natural Selection 2", 40, 40)
        ]
        qtbot.waitUntil(lambda: doubted(rig))
        assert rig.panel.state is not None
        assert rig.panel.state.history.sd[-1] == rig.panel.state.now.sd
        qtbot.waitUntil(lambda: rig.works[-1] is None)
        assert {work.kind for work in rig.works if work is not None} == {"import", "rate", "doubt"}


def test_it_is_told_while_the_doubt_is_worked_out_and_no_longer(qtbot: QtBot, tmp_path: Path) -> None:
    with a_panel(qtbot, tmp_path) as rig:
        told: list[tuple[str, bool]] = []

        def note() -> None:
            if rig.panel.state is not None:
                told.append((rig.panel.state.now.sd_from, rig.panel.state.is_computing_uncertainty))

        rig.panel.changed.connect(note)
        fill(rig.store, 30)
        rig.panel.open()
        qtbot.waitUntil(lambda: doubted(rig))
        assert list(dict.fromkeys(told)) == [("gradients", True), ("full history", False)]


def test_nothing_is_being_worked_out_after_a_cancellation(qtbot: QtBot, tmp_path: Path) -> None:
    with a_panel(qtbot, tmp_path) as rig:

        def cancel() -> None:
            if rig.panel.state is not None and rig.panel.state.is_computing_uncertainty:
                rig.panel.cancel()

        rig.panel.changed.connect(cancel)
        fill(rig.store, 30)
        rig.panel.open()
        rig.settled()
        assert rig.panel.state is not None
        assert (rig.panel.state.now.sd_from, rig.panel.state.is_computing_uncertainty) == ("gradients", False)


def test_the_next_start_shows_what_is_kept_without_calculating(qtbot: QtBot, tmp_path: Path) -> None:
    with a_panel(qtbot, tmp_path) as rig:
        fill(rig.store, 30)
        rig.panel.open()
        qtbot.waitUntil(lambda: doubted(rig))
        before = rig.panel.state
        assert before is not None
    with a_panel(qtbot, tmp_path) as rig:
        with qtbot.waitSignal(rig.panel.changed):
            rig.panel.open()
        shown = rig.panel.state
        assert shown is not None
        assert (shown.now, shown.rated_at, shown.is_stale) == (before.now, before.rated_at, False)
        np.testing.assert_array_equal(shown.history.after, before.history.after)
        assert rig.works == []


def test_new_rounds_are_taken_in_while_the_old_ones_are_shown(qtbot: QtBot, tmp_path: Path) -> None:
    with a_panel(qtbot, tmp_path) as rig:
        fill(rig.store, 30)
        rig.panel.open()
        rig.settled()
        fill(rig.store, 5, first=30)
        with qtbot.waitSignal(rig.panel.changed):
            rig.panel.refresh()
        assert rig.panel.state is not None
        assert rig.panel.state.is_stale
        assert len(rig.panel.state.history) == 30
        rig.settled()
        assert len(rig.panel.state.history) == 35


def test_another_identity_is_another_player(qtbot: QtBot, tmp_path: Path) -> None:
    with a_panel(qtbot, tmp_path) as rig:
        fill(rig.store, 30)
        rig.panel.open()
        rig.settled()
        rig.identities[:] = [name_of("ns2", "The rival1")]
        rig.panel.refresh()
        qtbot.waitUntil(lambda: rig.panel.state is not None and rig.panel.state.history.player == "rival1")
        rig.identities[:] = [name_of("ns2", "Nobody of that name")]
        rig.panel.refresh()
        qtbot.waitUntil(lambda: rig.panel.state is None and rig.panel.games[0].own_rounds == 0)
        assert rig.panel.own_skill("ns2") is None


def test_systems_and_parameters_are_kept_by_game(qtbot: QtBot, tmp_path: Path) -> None:
    halved = resolve_parameters(RATING_SYSTEMS["trueskill2"].declared_parameters, explicit={"gamma2": 0.5})
    with a_panel(qtbot, tmp_path, [name_of("ns2"), name_of("xonotic")]) as rig:
        fill(rig.store, 30)
        fill(rig.store, 12, "xonotic")
        rig.panel.open()
        rig.settled()
        qtbot.waitUntil(lambda: [each.own_rounds for each in rig.panel.games] == [30, 12])
        rig.panel.choose_system("trueskill2")
        rig.settled()
        assert rig.panel.state is not None
        value = rig.panel.state.now.value
        rig.panel.set_parameters(halved)
        assert rig.panel.state is not None
        assert rig.panel.state.is_stale
        rig.settled()
        assert rig.panel.state.now.value != value
        rig.panel.choose_game("xonotic")
        rig.settled()
        assert rig.panel.system == "elo-xonstat"
    with a_panel(qtbot, tmp_path, [name_of("ns2"), name_of("xonotic")]) as rig:
        rig.panel.open()
        rig.settled()
        assert rig.panel.game == "xonotic"
        rig.panel.choose_game("ns2")
        rig.settled()
        assert rig.panel.system == "trueskill2"
        assert rig.panel.parameters == halved
        rig.panel.set_parameters(None)
        rig.settled()
        assert rig.panel.state is not None
        assert rig.panel.state.now.value == value


def test_the_pages_questions_are_answered(qtbot: QtBot, tmp_path: Path) -> None:
    with a_panel(qtbot, tmp_path) as rig:
        fill(rig.store, 60)
        rig.panel.open()
        rig.settled()
        assert rig.panel.state is not None
        history = rig.panel.state.history
        explanation = answer(rig, "explain", history.ids[20])
        assert explanation.change == pytest.approx(history.after[20] - history.before[20])
        assert {each.kind for each in answer(rig, "habits")} == {"map", "team", "hour", "mate", "rival"}
        company = answer(rig, "company")
        assert company.where(lambda name: name == "the mate0", mine=True).sum() == 20
        assert answer(rig, "players")[0] == ("me", "The me", 60)
        assert answer(rig, "other_history", player="rival1").player == "rival1"
        assert answer(rig, "other_history", system="xonstat-go").system == "xonstat-go"
        seated = answer(rig, "want_run")
        me = seated.record.player_ids.index("me")
        assert 50.0 * seated.rating(me, 0).value == pytest.approx(history.after[-1])
        assert len(seated.record) == 1
        assert rig.panel.state.run is seated
        comparison = answer(rig, "compare")
        assert {row.name for row in comparison.rows} == {*RATING_SYSTEMS, "size", "constant"}
        assert answer(rig, "compare", mine=True).mine
        fitted = answer(rig, "fit")
        assert fitted.parameters.default.keys() == rig.panel.parameters.default.keys()
        assert rig.failures == []


def test_a_round_without_an_explanation_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    with a_panel(qtbot, tmp_path) as rig:
        fill(rig.store, 10)
        rig.panel.open()
        rig.settled()
        rig.panel.explain_round("no such round", lambda _found: pytest.fail("there is none"))
        qtbot.waitUntil(lambda: bool(rig.failures))
        assert rig.failures == ["Calculation failed: this round is no longer in your record"]


def test_a_record_speaks_for_the_list_before_the_game_unless_it_is_a_guess(tmp_path: Path) -> None:
    typed, own = dict[str, float](), {"ns2": 1652.0}
    database = open_database(tmp_path)
    kept = UiState(database)
    preferences = SkillPreferences(kept, GAMES)
    points = OwnSkillResolver(preferences, GAMES, lambda: typed, own.get)
    preferences.set_own_points("ns2", OwnPoints(1500.0, 10, is_estimate=True))
    assert points.points("ns2") == OwnSkill(1652.0, "game")
    preferences.set_own_points("ns2", OwnPoints(1500.0, 10, is_estimate=False))
    assert points.points("ns2") == OwnSkill(1500.0, "record")
    preferences.set_own_points("ns2", OwnPoints(1500.0, 9, is_estimate=False))
    assert points.points("ns2") == OwnSkill(1652.0, "game")
    own.clear()
    assert points.points("ns2") is None
    preferences.set_own_points("ns2", OwnPoints(1500.0, 10, is_estimate=True))
    assert points.points("ns2") == OwnSkill(1500.0, "guess")
    kept.set("skill.points", {"ns2": [1400.0, 10]})  # of another version
    assert points.points("ns2") == OwnSkill(1400.0, "record")
    typed["ns2"] = 1000.0
    assert points.points("ns2") == OwnSkill(1000.0, "typed")
    database.close()


def test_the_list_goes_by_what_was_typed_then_the_record_then_the_game(qtbot: QtBot, tmp_path: Path) -> None:
    with a_panel(qtbot, tmp_path, [name_of("ns2"), name_of("xonotic")]) as rig:
        told: list[object] = []
        rig.panel.points_changed.connect(lambda: told.append(rig.panel.own_skill_by_game()))
        assert rig.panel.own_skill_by_game() == {}
        rig.own.update(ns2=1652.0, xonotic=9000.0)
        rig.panel.update_points()
        assert rig.panel.own_skill("ns2") == OwnSkill(1652.0, "game")
        fill(rig.store, 9)
        fill(rig.store, 30, "xonotic")
        rig.panel.choose_game("ns2")
        rig.settled()
        assert rig.panel.own_skill("ns2") == OwnSkill(1652.0, "game")  # nine rounds are too few
        fill(rig.store, 1, first=9)
        rig.panel.refresh()
        qtbot.waitUntil(lambda: len(told) == 2)
        assert rig.panel.state is not None
        assert rig.panel.own_skill("ns2") == OwnSkill(rig.panel.state.history.after[-1], "record")
        rig.panel.choose_system("trueskill2")
        rig.settled()
        assert rig.panel.own_skill("ns2") == OwnSkill(told[1]["ns2"], "record")  # type: ignore[index] # still on their scale
        fill(rig.store, 5, first=10)
        rig.panel.refresh()
        qtbot.waitUntil(lambda: len(told) == 3)  # also of rounds that are shown under another system
        rig.settled()
        rig.panel.choose_system("ns2")
        rig.settled()
        assert rig.panel.own_skill("ns2") == OwnSkill(rig.panel.state.history.after[-1], "record")
        rig.panel.choose_game("xonotic")
        rig.settled()
        assert rig.panel.own_skill("xonotic") is None  # its servers report no skill
        rig.typed["ns2"] = 1000.0
        rig.panel.update_points()
        assert told[-1] == {"ns2": 1000.0}
        assert rig.panel.own_skill("ns2") == OwnSkill(1000.0, "typed")


def test_a_record_without_a_file_is_rated_too(qtbot: QtBot, tmp_path: Path) -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    migrate(connection)
    with a_panel(qtbot, tmp_path, database=Database(connection, None)) as rig:
        fill(rig.store, 15)
        rig.panel.open()
        rig.settled()
        assert rig.panel.state is not None
        assert len(rig.panel.state.history) == 15


def test_what_another_version_kept_is_made_anew(qtbot: QtBot, tmp_path: Path) -> None:
    with a_panel(qtbot, tmp_path) as rig:
        fill(rig.store, 15)
        rig.panel.open()
        rig.settled()
    database = open_database(tmp_path)
    database.write(lambda connection: connection.execute("UPDATE ratings_cache SET value = x'c0ffee'")).result()
    database.close()
    with a_panel(qtbot, tmp_path) as rig:
        rig.panel.open()
        rig.settled()
        assert rig.panel.state is not None
        assert len(rig.panel.state.history) == 15
        assert rig.failures == []


def test_nothing_is_told_after_the_end(qtbot: QtBot, tmp_path: Path) -> None:
    with a_panel(qtbot, tmp_path) as rig:
        fill(rig.store, 15)
        rig.panel.open()
        rig.panel.close()
        with (
            qtbot.assertNotEmitted(rig.panel.changed, wait=100),
            qtbot.assertNotEmitted(rig.panel.error_message, wait=100),
        ):
            rig.panel.refresh()
            rig.panel.load_habits(lambda _found: pytest.fail("nothing is calculated any more"))
