"""Stored answers of skill services as series of values."""

import math
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pytestqt.qtbot import QtBot
from skill_fixtures import add_rounds, open_skill_model

from browser_app.application.own_skill.skill_record_loader import service_histories
from browser_app.player.player_identities import Identity, IdentityKind
from browser_app.storage.database import Database, open_database
from browser_app.storage.own_skill.skill_sample_store import SkillSampleStore

if TYPE_CHECKING:
    from browser_app.player.skill_sources import SkillSampleSeries

ME = Identity("ns2", IdentityKind.STEAM, "42")
XONOTIC = Identity("xonotic", IdentityKind.XONOTIC, "a" * 43 + "=")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = open_database(tmp_path)
    yield database
    database.close()


def add_sample(database: Database, source: str, identity: Identity, time: float, values: dict[str, Any]) -> None:
    SkillSampleStore(database).add(source, identity.game, identity.value, time, values).result()


def test_series_of_own_identity(database: Database) -> None:
    for time, points in ((100.0, 1600.0), (200.0, 1600.0), (300.0, 1610.0)):
        add_sample(database, "steam", ME, time, {"points": points})
    add_sample(database, "steam", Identity("ns2", IdentityKind.STEAM, "7"), 150.0, {"points": 9.0})
    (series,) = service_histories(SkillSampleStore(database), "ns2", [ME, XONOTIC])
    assert (series.source, series.identity, series.mode) == ("steam", "42", "")
    assert series.points.tolist() == [1600.0, 1610.0]
    assert (series.first_read.tolist(), series.last_read.tolist()) == ([100.0, 300.0], [200.0, 300.0])
    assert all(map(math.isnan, series.sd.tolist()))
    assert service_histories(SkillSampleStore(database), "xonotic", [ME, XONOTIC]) == ()


def test_other_fields_do_not_split_series(database: Database) -> None:
    for time, offset in ((100.0, 1.0), (200.0, 2.0)):
        add_sample(database, "steam", ME, time, {"points": 1600.0, "offset": offset})
    (series,) = service_histories(SkillSampleStore(database), "ns2", [ME])
    assert (series.first_read.tolist(), series.last_read.tolist()) == ([100.0], [200.0])


def test_series_per_mode(database: Database) -> None:
    add_sample(database, "xonstat", XONOTIC, 50.0, {"modes": "?"})
    add_sample(
        database, "xonstat", XONOTIC, 100.0, {"modes": {"duel": [1700.0, 160.0], "ctf": [1796.0, 88.0]}, "games": []}
    )
    add_sample(database, "xonstat", XONOTIC, 200.0, {"modes": {"ctf": [1800.0, 87.0]}, "games": []})
    ctf, duel = service_histories(SkillSampleStore(database), "xonotic", [XONOTIC])
    assert (ctf.mode, ctf.points.tolist(), ctf.sd.tolist()) == ("ctf", [1796.0, 1800.0], [88.0, 87.0])
    assert (duel.mode, duel.points.tolist()) == ("duel", [1700.0])


def test_model_loads_in_background(qtbot: QtBot, tmp_path: Path, database: Database) -> None:
    add_sample(database, "steam", ME, 100.0, {"points": 1600.0})
    with open_skill_model(qtbot, tmp_path, [ME], database) as env:
        add_rounds(env.store, 1)
        add_rounds(env.store, 1, "xonotic")
        env.model.choose_game("ns2")
        results: list[tuple[Sequence[SkillSampleSeries], threading.Thread]] = []
        env.model.load_service_histories(lambda histories: results.append((histories, threading.current_thread())))
        assert results == []
        qtbot.waitUntil(lambda: bool(results))
        ((histories, thread),) = results
        assert [series.points.tolist() for series in histories] == [[1600.0]]
        assert thread is threading.main_thread()
        env.model.load_service_histories(lambda histories: results.append((histories, threading.current_thread())))
        env.model.choose_game("xonotic")
        env.model.load_service_histories(lambda histories: results.append((histories, threading.current_thread())))
        qtbot.waitUntil(lambda: len(results) == 2)
        assert results[1][0] == ()  # results for the game chosen before are dropped
