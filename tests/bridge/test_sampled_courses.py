"""What services said, from the file to courses on the window's thread."""

import math
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pytestqt.qtbot import QtBot
from skill_record import a_panel, fill

from browser_app.application.skill_record_loader import service_histories
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


def say(database: Database, source: str, who: Identity, time: float, told: dict[str, Any]) -> None:
    SkillSampleStore(database).add(source, who.game, who.value, time, told).result()


def test_values_are_in_order_and_only_of_oneself(database: Database) -> None:
    for time, points in ((100.0, 1600.0), (200.0, 1600.0), (300.0, 1610.0)):
        say(database, "steam", ME, time, {"points": points})
    say(database, "steam", Identity("ns2", IdentityKind.STEAM, "7"), 150.0, {"points": 9.0})
    (course,) = service_histories(SkillSampleStore(database), "ns2", [ME, XONOTIC])
    assert (course.source, course.identity, course.mode) == ("steam", "42", "")
    assert course.points.tolist() == [1600.0, 1610.0]
    assert (course.first_read.tolist(), course.last_read.tolist()) == ([100.0, 300.0], [200.0, 300.0])
    assert all(map(math.isnan, course.sd.tolist()))
    assert service_histories(SkillSampleStore(database), "xonotic", [ME, XONOTIC]) == ()


def test_what_changed_beside_a_number_does_not_cut_it(database: Database) -> None:
    for time, offset in ((100.0, 1.0), (200.0, 2.0)):
        say(database, "steam", ME, time, {"points": 1600.0, "offset": offset})
    (course,) = service_histories(SkillSampleStore(database), "ns2", [ME])
    assert (course.first_read.tolist(), course.last_read.tolist()) == ([100.0], [200.0])


def test_each_mode_has_a_course_and_what_is_not_understood_has_none(database: Database) -> None:
    say(database, "xonstat", XONOTIC, 50.0, {"modes": "?"})
    say(database, "xonstat", XONOTIC, 100.0, {"modes": {"duel": [1700.0, 160.0], "ctf": [1796.0, 88.0]}, "games": []})
    say(database, "xonstat", XONOTIC, 200.0, {"modes": {"ctf": [1800.0, 87.0]}, "games": []})
    ctf, duel = service_histories(SkillSampleStore(database), "xonotic", [XONOTIC])
    assert (ctf.mode, ctf.points.tolist(), ctf.sd.tolist()) == ("ctf", [1796.0, 1800.0], [88.0, 87.0])
    assert (duel.mode, duel.points.tolist()) == ("duel", [1700.0])


def test_the_panel_reads_them_beside_the_window(qtbot: QtBot, tmp_path: Path, database: Database) -> None:
    say(database, "steam", ME, 100.0, {"points": 1600.0})
    with a_panel(qtbot, tmp_path, [ME], database) as rig:
        fill(rig.store, 1)
        fill(rig.store, 1, "xonotic")
        rig.panel.choose_game("ns2")
        got: list[tuple[Sequence[SkillSampleSeries], threading.Thread]] = []
        rig.panel.load_service_histories(lambda courses: got.append((courses, threading.current_thread())))
        assert got == []
        qtbot.waitUntil(lambda: bool(got))
        ((courses, thread),) = got
        assert [course.points.tolist() for course in courses] == [[1600.0]]
        assert thread is threading.main_thread()
        rig.panel.load_service_histories(lambda courses: got.append((courses, threading.current_thread())))
        rig.panel.choose_game("xonotic")
        rig.panel.load_service_histories(lambda courses: got.append((courses, threading.current_thread())))
        qtbot.waitUntil(lambda: len(got) == 2)
        assert got[1][0] == ()  # what was asked of the game before is not told any more
