"""The sorted table model under Qt's model tester, and the texts of the columns."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QItemSelectionModel, QPersistentModelIndex
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from browser_app.ui.servers.server_columns import SERVER_COLUMNS, TEXT_FIELDS
from browser_app.ui.servers.server_row import ServerRow
from browser_app.ui.servers.server_sentence import server_sentence
from browser_app.ui.servers.server_table import ServerTableModel
from browser_app.ui.widgets.tables.sorted_table_model import ROW_NUMBER_ROLE
from browser_app.ui.widgets.value_text import ping_spread_text

ROW = QItemSelectionModel.SelectionFlag.SelectCurrent | QItemSelectionModel.SelectionFlag.Rows


def row(server: int) -> ServerRow:
    return ServerRow(
        id=server,
        name=f"server {server}",
        game="NS2",
        game_name="Natural Selection 2",
        texts={**dict.fromkeys(TEXT_FIELDS, "–"), "map": "ns2_veil", "gain": "+0.11"},
        is_mode_from_map=False,
        score=0.5,
        rank=2,
        ranked_count=9,
        boost=1.0,
        ping_ms=40.0,
        ping_factor=0.8,
        ping_spread_text="",
        ping_estimated=False,
        ping_under_load=False,
        players=8,
        bots=2,
        spectators=0,
        usable_slots=20,
        is_full=False,
        is_closed=False,
        is_locked=False,
        is_favourite=False,
        skill=1720.0,
        skill_distance=80.0,
        is_unresponsive=False,
        is_unconfirmed=False,
        described_at=None,
        friends=0,
        suspicions=(),
        ping_suspicious=False,
        last_played=None,
        trend=(),
        trend_change=None,
        is_new=True,
        forecast=None,
        forecast_low=None,
        forecast_high=None,
    )


def rows_of(servers: Sequence[int]) -> list[ServerRow]:
    return [row(server) for server in servers]


orders = st.lists(st.permutations(range(12)).flatmap(lambda p: st.integers(0, 12).map(lambda n: p[:n])), max_size=8)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(orders=orders)
def test_orders_keep_persistent_indexes(qtbot: QtBot, orders: list[list[int]]) -> None:
    model = ServerTableModel(rows_of)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for old, new in pairwise([[], *orders]):
        saved = {
            model.data(model.index(r, 0), ROW_NUMBER_ROLE): QPersistentModelIndex(model.index(r, 0))
            for r in range(len(old))
        }
        model.set_order(np.array(new, dtype=np.int64))
        assert [model.data(model.index(r, 0), ROW_NUMBER_ROLE) for r in range(model.rowCount())] == new
        for server, index in saved.items():
            assert index.isValid() == (server in new)
            if index.isValid():
                assert model.data(index, ROW_NUMBER_ROLE) == server
    del tester


def test_selection_follows_its_server(qtbot: QtBot) -> None:
    model = ServerTableModel(rows_of)
    model.set_order(np.arange(20))
    selection = QItemSelectionModel(model)
    selection.setCurrentIndex(model.index(7, 0), ROW)
    model.set_order(np.array([19, 3, 7, 1]))
    assert model.data(selection.currentIndex(), ROW_NUMBER_ROLE) == 7
    assert selection.isRowSelected(2)


@pytest.mark.parametrize(
    ("how", "written", "spoken"),
    [
        ({}, "40", "ping 40 milliseconds, good"),
        ({"ping_estimated": True}, "~40", "ping about 40 milliseconds, good"),
        ({"ping_under_load": True}, "40*", "ping at most 40 milliseconds, measured while this computer was busy, good"),
        ({"ping_suspicious": True}, "40?", "ping of 40 milliseconds, implausible"),
        ({"ping_ms": 0.4}, "<1", "ping <1 milliseconds, good"),
        ({"is_unresponsive": True}, "–", "ping unknown"),
    ],
)
def test_ping_texts(how: dict[str, Any], written: str, spoken: str) -> None:
    column = next(each for each in SERVER_COLUMNS if each.key == "ping")
    shown = row(1)._replace(**how)
    assert (column.text(shown), column.accessible_text(shown)) == (written, spoken)


def test_ping_tool_tip_shows_spread() -> None:
    steady = row(1)._replace(ping_spread_text=ping_spread_text(34.2, 2.61, 8))
    model = ServerTableModel(lambda servers: [steady for _server in servers])
    model.set_order(np.array([1]))
    column = [each.key for each in SERVER_COLUMNS].index("ping")
    assert model.cell_tool_tip(0, column) == "ping 40 milliseconds, good\nMedian 34 ms, ±2.6 over 8 answers"


@pytest.mark.usefixtures("german_language")
def test_german_score_has_decimal_comma() -> None:
    column = next(each for each in SERVER_COLUMNS if each.key == "score")
    assert column.text(row(1)) == "0,50"
    assert column.accessible_text(row(1)) == "Wertung 0,50, Rang 2 von 9"


@pytest.mark.parametrize("column", range(len(SERVER_COLUMNS)))
def test_every_cell_has_accessible_text(column: int) -> None:
    text, spoken = SERVER_COLUMNS[column].text(row(1)), SERVER_COLUMNS[column].accessible_text(row(1))
    assert (text == "") == (spoken == "")
    silent = row(1)._replace(
        is_unresponsive=True,
        ping_ms=None,
        score=None,
        skill=None,
        skill_distance=None,
        players=None,
        bots=None,
        texts={**row(1).texts, "gain": "–"},
    )
    assert "0" not in SERVER_COLUMNS[column].text(silent).replace("20", "")


@pytest.mark.parametrize(
    ("locked", "written", "spoken"),
    [(True, "yes", "needs a password"), (False, "no", "no password"), (None, "–", "Password: unknown")],
)
def test_password_may_be_unknown(locked: bool | None, written: str, spoken: str) -> None:
    column = next(each for each in SERVER_COLUMNS if each.key == "locked")
    shown = row(1)._replace(is_locked=locked)
    assert (column.text(shown), column.accessible_text(shown)) == (written, spoken)


def test_name_includes_marks() -> None:
    name, ping = (next(column for column in SERVER_COLUMNS if column.key == key) for key in ("name", "ping"))
    suspicious = row(1)._replace(
        is_locked=True, friends=2, ping_ms=3.0, ping_suspicious=True, suspicions=("Ping of 3 ms to BR cannot be.",)
    )
    assert (
        name.accessible_text(suspicious)
        == "server 1, needs a password, 2 friends online. Ping of 3 ms to BR cannot be."
    )
    assert ping.text(suspicious) == "3?"
    assert ping.accessible_text(suspicious) == "ping of 3 milliseconds, implausible"


def test_mode_of_map_is_marked() -> None:
    mode = next(column for column in SERVER_COLUMNS if column.key == "mode")
    reported = row(0)._replace(texts={"mode": "koth"})
    assert mode.accessible_text(reported) == "Mode: koth"
    assert "map" in mode.accessible_text(reported._replace(is_mode_from_map=True))


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({}, "server 3, Natural Selection 2, 8 of 20 players, 2 bots, 40 milliseconds, score 0.50"),
        ({"is_favourite": True, "is_locked": True, "friends": 2}, "favourite, needs a password, 2 friends online"),
        ({"players": None, "ping_ms": None, "score": None}, "players unknown, ping unknown, not ranked"),
        (
            {"usable_slots": None, "players": 1, "bots": 0, "ping_estimated": True},
            "1 player, about 40 milliseconds, score 0.50",
        ),
        ({"is_unresponsive": True, "is_full": True}, "2 bots, full, no answer"),
        ({"is_closed": True}, "2 bots, closed, 40 milliseconds, score 0.50"),
        ({"is_unconfirmed": True, "suspicions": ("Ping too low.",)}, "0.50, not updated yet. Ping too low."),
    ],
)
def test_sentences(how: dict[str, Any], sentence: str) -> None:
    assert server_sentence(row(3)._replace(**how)).endswith(sentence)
