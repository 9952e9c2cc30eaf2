"""Announcements to screen readers, and the roles of plain widgets."""

from collections.abc import Callable

import pytest
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver

from browser_app.storage.user_lists.server_list_store import BlockKind
from browser_app.ui.lists.server_list_membership import ALL_LIST
from browser_app.ui.play.play_now_bar import PlayNowBar
from browser_app.ui.widgets import accessibility
from browser_app.ui.widgets.notification_bar import NotificationBar
from browser_app.ui.widgets.theme import Theme

POLITE, URGENT = QAccessible.AnnouncementPoliteness.Polite, QAccessible.AnnouncementPoliteness.Assertive
Announced = list[tuple[str, QAccessible.AnnouncementPoliteness]]


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> Announced:
    """What is announced from now on, instead of being announced."""
    found: Announced = []

    class Recorder(QAccessible):
        @staticmethod
        def updateAccessibility(event: QAccessibleAnnouncementEvent) -> None:  # type: ignore[override]  # noqa: N802
            found.append((event.message(), event.politeness()))

    monkeypatch.setattr(accessibility, "QAccessible", Recorder)
    return found


def test_refresh_of_the_user_is_announced(app: AppDriver, announced: Announced) -> None:
    app.refresh()
    assert announced == []
    app.rest()
    app.window.refresh_controller.refresh()
    app.scanned()
    assert announced == [("List refreshed: 24 servers.", POLITE)]


def test_refresh_counts_the_servers_of_the_sidebar(app: AppDriver, announced: Announced) -> None:
    app.refresh()
    blocked = app.catalogue.targets[0].address
    app.window.user_lists_controller.block_controller._add_block(BlockKind.ADDRESS, str(blocked))
    app.rest()
    announced.clear()
    app.window.refresh_controller.refresh()
    app.scanned()
    everything = next(item for item in app.window.servers_view.sidebar.items() if item.key == ALL_LIST)
    assert everything.server_count == 23
    assert announced == [("List refreshed: 23 servers.", POLITE)]


def test_filter_result_and_error_are_announced(app: AppDriver, announced: Announced) -> None:
    app.filter("players>=many")
    assert "needs a number" in announced.pop()[0]
    app.window.filter_field.set_text("players>=0")
    app.wait(lambda: announced)
    assert announced[-1] == ("24 servers shown.", POLITE)
    app.window.servers_view.filter_controller.set_filter("text", "players>=999")
    app.wait(lambda: "No server" in announced[-1][0])


@pytest.mark.parametrize(
    ("show", "text", "politeness"),
    [
        (lambda bar: bar.show_busy("Checking 3 servers again…", "Wait."), "Checking 3 servers again… Wait.", POLITE),
        (lambda bar: bar.start_countdown("Joining “A”", "Best.", 60.0), "Joining “A”. Best. Starts in 60.0 s.", URGENT),
        (lambda bar: bar.show_notice("“A” is full", "Not joined.", can_play=True), "“A” is full. Not joined.", POLITE),
    ],
)
def test_play_now_is_announced(
    qtbot: QtBot,
    theme: Theme,
    announced: Announced,
    show: Callable[[PlayNowBar], None],
    text: str,
    politeness: QAccessible.AnnouncementPoliteness,
) -> None:
    bar = PlayNowBar(theme)
    qtbot.addWidget(bar)
    bar.show()
    bar.show_choice("A", ["OpenArena"], ["Best of 3."])
    assert announced == []
    show(bar)
    bar.stop_countdown()
    assert announced == [(text, politeness)]


def test_message_bar_is_announced_once(qtbot: QtBot, theme: Theme, announced: Announced) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    bar = NotificationBar(theme)
    QVBoxLayout(window).addWidget(bar)
    window.show()
    bar.show_message("“A” is full", "8 of 8")
    bar.show_message("“A” is full", "8 of 8, waited 5 s")
    assert announced == [("“A” is full. 8 of 8.", POLITE)]
    found = QAccessible.queryAccessibleInterface(bar)
    assert found is not None
    assert found.role() == QAccessible.Role.AlertMessage


def test_plain_widgets_have_roles(qtbot: QtBot, qapp: object) -> None:
    window, group, picture = QWidget(), QWidget(), QWidget()
    qtbot.addWidget(window)
    window.setWindowTitle("Window")
    group.setAccessibleName("Group")
    picture.setAccessibleName("Picture")
    QVBoxLayout(window).addWidget(group)
    QVBoxLayout(group).addWidget(picture)
    window.show()
    roles = []
    for widget in (window, group, picture):
        found = QAccessible.queryAccessibleInterface(widget)
        assert found is not None
        roles.append(found.role())
    assert roles == [QAccessible.Role.Window, QAccessible.Role.Grouping, QAccessible.Role.Graphic]
