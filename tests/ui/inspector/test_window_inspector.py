"""The inspector in the window: selection, queries, pages and keys."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from window_helpers import AppDriver, OpenApp

from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_server import DemoServer
from browser_app.ui.inspector.factor_row import factor_color_role
from browser_app.ui.inspector.inspector_pages import INSPECTOR_PAGES
from browser_app.ui.inspector.score_page import ScorePage


def server_of(network: DemoNetwork, app: AppDriver, server: int) -> DemoServer:
    return next(each for each in network.servers if each.address == app.catalogue.targets[server].address)


def shown_texts(page: QWidget) -> set[str]:
    return {label.text() for label in page.findChildren(QLabel) if not label.isHidden()}


def test_queries_only_when_selection_rests(app: AppDriver, network: DemoNetwork) -> None:
    app.table.setFocus()
    app.table.select_server(app.servers()[0])
    app.settle()
    passed, rested = app.servers()[1:4], app.servers()[4]
    before = {server: server_of(network, app, server).request_count for server in (*passed, rested)}
    for _ in range(4):
        app.press(Qt.Key.Key_Down)
    assert app.window.servers_view.inspector_controller.server == rested
    app.wait(lambda: app.catalogue.server_info(rested).player_list is not None)  # type: ignore[union-attr]
    app.settle()
    assert server_of(network, app, rested).request_count > before[rested]
    assert all(server_of(network, app, server).request_count == before[server] for server in passed)


def test_players_and_rules(app: AppDriver) -> None:
    busy = max(app.servers(), key=lambda server: app.catalogue.players[server])
    app.table.select_server(busy)
    app.wait(lambda: app.catalogue.server_info(busy).player_list is not None)  # type: ignore[union-attr]
    app.settle()
    info = app.catalogue.server_info(busy)
    assert info is not None
    assert info.player_list
    lines = app.window.servers_view.inspector.players_page.line_texts()
    assert lines[0].startswith(f"{info.players} playing")
    assert all(any(player.name in line for line in lines) for player in info.player_list)
    rules = app.window.servers_view.inspector.rules_page.line_texts()
    assert info.rules
    assert all(any(line.startswith(f"{key}: ") for line in rules) for key in info.rules)


class EventRecorder(QObject):
    """Records which widgets are repainted, laid out or get another tooltip."""

    TYPES = (QEvent.Type.Paint, QEvent.Type.LayoutRequest, QEvent.Type.ToolTipChange)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.changed: set[QObject] = set()
        for widget in (parent, *parent.findChildren(QWidget)):
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in self.TYPES:
            self.changed.add(watched)
        return False

    def is_quiet_during(self, action: Callable[[], None]) -> bool:
        """Return whether three calls of an action change nothing."""
        self.changed.clear()
        for _ in range(3):
            action()
            QApplication.processEvents()
        return not self.changed


def test_unchanged_values_touch_no_widget(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    app.settle()
    inspector, controller = app.window.servers_view.inspector, app.window.servers_view.inspector_controller
    row = inspector._page(ScorePage).factor_rows["players"]
    row.curve_button.setChecked(True)
    plot = row._curve_view.plot  # type: ignore[union-attr]
    plot.setFocus()
    controller.refresh()
    renamed: list[QWidget] = []
    monkeypatch.setattr(QWidget, "setAccessibleName", lambda widget, _name: renamed.append(widget))
    monkeypatch.setattr(QWidget, "setAccessibleDescription", lambda widget, _text: renamed.append(widget))
    described: list[str] = []
    plot.point_text_changed.connect(described.append)
    recorder = EventRecorder(inspector)
    app.wait(lambda: recorder.is_quiet_during(controller.refresh))  # at first, Qt still paints the opened curve
    assert not described
    assert not any(inspector.isAncestorOf(widget) for widget in renamed)
    app.catalogue.ping_ms[controller.server] += 40.0
    controller.refresh()
    QApplication.processEvents()
    assert inspector._page(ScorePage).factor_rows["ping"] in recorder.changed


def test_score_page_shows_last_pings(app: AppDriver) -> None:
    server, page = app.servers()[0], app.window.servers_view.inspector._page(ScorePage)
    app.catalogue.ping_samples[server] = [30, 30, 30, 30, 30, 30, 30, 38]
    app.table.select_server(server)
    app.window.servers_view.inspector_controller.refresh()
    assert {"Last pings", "Median 30 ms, ±1.0 over 8 answers"} <= shown_texts(page)
    app.catalogue.ping_samples[server, :6] = np.nan
    app.window.servers_view.inspector_controller.refresh()
    assert "Last pings" not in shown_texts(page)


def test_score_page_shows_row_score(app: AppDriver) -> None:
    app.live.rescore()  # the selected server may have answered since the last scoring
    for server in app.servers()[:3]:
        app.table.select_server(server)
        explanation = app.window.servers_view.inspector_controller.explanation()
        assert explanation.score is not None
        assert abs(explanation.score - app.catalogue.score[server]) < 1e-9
        product = 1.0
        for row in explanation.factors:
            product *= 1.0 if row.value is None else row.value
        assert abs(product - explanation.score) < 1e-9


def test_keys_switch_pages(app: AppDriver) -> None:
    tabs = app.window.servers_view.inspector.tabs
    tabs.setFocus()
    keys = [page.key for page in INSPECTOR_PAGES]
    for wanted in (*keys[1:], keys[-1]):
        app.press(Qt.Key.Key_Right)
        assert app.window.servers_view.inspector.current_page == wanted
    app.press(Qt.Key.Key_Left)
    assert app.window.servers_view.inspector.current_page == keys[-2]


def test_escape_returns_to_list(app: AppDriver) -> None:
    app.table.setFocus()
    app.press(Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert app.window.servers_view.inspector.notes_page.note_field.hasFocus()
    app.press(Qt.Key.Key_Escape)
    assert app.table.hasFocus()


def test_empty_list_empties_inspector(app: AppDriver) -> None:
    app.filter("players>=250")
    assert app.window.servers_view.inspector_controller.server == -1
    assert app.window.servers_view.inspector._empty_label.isVisible()
    app.press(Qt.Key.Key_Escape)
    app.wait(lambda: len(app.servers()) == 24)


def test_stays_collapsed_while_resizing(open_app: OpenApp) -> None:
    app = open_app()
    app.press(Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert not app.window.servers_view.inspector.isVisible()
    app.window.resize(1300, 800)
    QApplication.processEvents()
    assert not app.window.servers_view.inspector.isVisible()
    app.window.resize(900, 560)
    QApplication.processEvents()
    app.press(Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert app.window.servers_view.inspector.isVisible()
    app.window.resize(910, 560)
    QApplication.processEvents()
    assert app.window.servers_view.inspector.isVisible()


def test_ctrl_c_copies_join_address(app: AppDriver) -> None:
    app.table.setFocus()
    app.press(Qt.Key.Key_Down)
    app.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    info = app.catalogue.server_info(app.table.selected_server())
    assert info is not None
    assert QApplication.clipboard().text() == str(info.connect)


def test_red_means_a_bad_factor() -> None:
    """Not the dearest of several good ones."""
    assert {factor_color_role(value) for value in (0.0, 0.1, 0.39)} == {"ping_bad"}
    assert {factor_color_role(value) for value in (0.4, 0.75, 0.99)} == {"score_mid"}
    assert {factor_color_role(value) for value in (None, 1.0, 2.0)} == {"border"}
