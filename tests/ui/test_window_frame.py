"""Columns, panels and views of the window, and its texts when there is little to show."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from window_rig import PLACE, OpenRoom, Room

from browser_app.bridge.server_search import LanSearch
from browser_app.engine.masters.master_poll import MasterPoll
from browser_app.storage.setting_declarations import INSPECTOR_PLACE, SCAN_AT_START
from browser_app.ui.filters.filter_chip_bar import FilterChipState
from browser_app.ui.lists.server_list_membership import ALL_LIST, FAVOURITES_LIST, GAME_LIST_PREFIX, LAN_LIST
from browser_app.ui.lists.server_list_sidebar import SIDEBAR_WIDTH
from browser_app.ui.servers.column_layout import MIN_NAME_WIDTH
from browser_app.ui.servers.list_status_text import (
    ADD_ADDRESS_ACTION,
    ADD_KEY_ACTION,
    CLEAR_FILTERS_ACTION,
    REFRESH_ACTION,
    SEARCH_LAN_ACTION,
    ListSituation,
    empty_page_text,
    list_banner_text,
)
from browser_app.ui.servers.server_columns import SERVER_COLUMNS
from browser_app.ui.status_bar import MastersPopup
from browser_app.ui.widgets.basic_widgets import ElidedLabel
from browser_app.ui.widgets.sidebar_parts import COLLAPSED_SIDEBAR_WIDTH

CTRL = Qt.KeyboardModifier.ControlModifier


def order_of_columns(room: Room) -> list[str]:
    header = room.table.header
    return [SERVER_COLUMNS[header.logicalIndex(place)].key for place in range(len(SERVER_COLUMNS))]


def test_column_layout_is_saved(open_room: OpenRoom) -> None:
    room = open_room()
    header, columns = room.table.header, room.window.servers_view.column_layout
    assert header.isSectionHidden(PLACE["gain"])
    menu = columns.menu()
    next(action for action in menu.actions() if action.text() == "Seeding value").trigger()
    menu.deleteLater()
    assert not header.isSectionHidden(PLACE["gain"])
    columns.set_column_visible("map", False)
    header.moveSection(header.visualIndex(PLACE["players"]), 1)
    header.resizeSection(PLACE["ping"], 90)
    room.click_header("ping")
    room.click_header("ping")
    order = order_of_columns(room)
    room.end()
    again = open_room()
    assert order_of_columns(again) == order
    assert order[:2] == ["favourite", "players"]
    assert again.table.columnWidth(PLACE["ping"]) == 90
    assert again.table.header.isSectionHidden(PLACE["map"])
    assert not again.table.header.isSectionHidden(PLACE["gain"])
    assert again.window.servers_view.server_order.sort_column == "-ping"
    again.window.servers_view.column_layout.reset()
    assert order_of_columns(again) == [column.key for column in SERVER_COLUMNS]
    assert again.table.columnWidth(PLACE["ping"]) == SERVER_COLUMNS[PLACE["ping"]].width


def test_map_column_gives_space_to_names(room: Room) -> None:
    header, (map_place, name_place) = room.table.header, (PLACE["map"], PLACE["name"])
    wished, column = header.text_width(SERVER_COLUMNS[name_place].long_sample), SERVER_COLUMNS[map_place]
    room.window.resize(2200, 800)
    assert header.sectionSize(name_place) >= wished
    assert header.sectionSize(map_place) == column.width
    room.window.resize(1280, 800)
    given = column.width - header.sectionSize(map_place)
    assert given == column.width - column.min_width or header.sectionSize(name_place) == wished
    assert given > 0
    header.resizeSection(map_place, 130)
    room.window.resize(1300, 800)
    assert header.sectionSize(map_place) == 130


def test_wide_column_is_limited(room: Room) -> None:
    header, (score, name) = room.table.header, (PLACE["score"], PLACE["name"])
    header.resizeSection(score, 1500)
    room.wait(lambda: header.sectionSize(score) < 600)
    assert header.sectionSize(name) >= MIN_NAME_WIDTH
    assert not header.isSectionHidden(PLACE["players"])
    room.window.resize(2600, 800)
    assert header.sectionSize(score) == 600


def test_columns_do_not_depend_on_scroll_bar(room: Room) -> None:
    header = room.table.header
    room.window.resize(1280, 400)
    assert room.table.verticalScrollBar().isVisible()
    for width in range(1100, 1300, 4):
        room.window.resize(width, 400)
        with_bar = [header.isSectionHidden(place) for place in range(len(SERVER_COLUMNS))]
        room.window.servers_view.filter_controller.set_filter("text", "name:zzzz")
        assert [header.isSectionHidden(place) for place in range(len(SERVER_COLUMNS))] == with_bar
        room.window.servers_view.filter_controller.clear_filters()


def test_sort_title_is_not_cut(room: Room) -> None:
    columns, header = room.window.servers_view.column_layout, room.table.header
    columns.set_column_visible("gain", True)
    before = header.sectionSize(PLACE["gain"])
    room.window.servers_view.server_order.sort_by("gain")
    assert header.sectionSize(PLACE["gain"]) >= header.title_width(PLACE["gain"]) > before - 12
    room.window.servers_view.server_order.sort_by("score")
    assert header.sectionSize(PLACE["gain"]) == before


def test_invalid_saved_state_is_ignored(open_room: OpenRoom) -> None:
    room = open_room()
    kept = room.program.session.ui_state
    kept.set("columns", {"order": ["name", "unheard", 7, "score"], "widths": {"ping": "wide", "map": -4}, "chosen": 3})
    kept.set("filters", {ALL_LIST: {"text": "players>=", "full": "-full", "ping": 5}, "x": []})
    kept.set("sort", "unheard")
    room.program.session.database.flush()
    room.program.session.ui_state.set("window", "no geometry")
    again = open_room(shown=False)
    assert sorted(order_of_columns(again)) == sorted(PLACE)
    assert order_of_columns(again)[0] == "favourite"
    assert dict(again.window.servers_view.filter_controller.terms) == {"full": "-full"}
    assert again.window.servers_view.server_order.sort_column == "score"


def test_sorts_by_seeding_value(room: Room) -> None:
    room.window.servers_view.server_order.sort_by("gain")
    gains = room.catalogue.gain[room.servers()]
    known = gains[gains == gains]
    assert (known[:-1] >= known[1:]).all()
    assert known[0] > 0
    room.table.select_server(room.servers()[0])
    assert "%" in room.window.servers_view.inspector.score_page._join_label.text()


def test_narrow_window_collapses_panels(open_room: OpenRoom) -> None:
    room = open_room(size=(900, 560))
    view = room.window.servers_view
    assert not view.inspector.isVisible()
    assert view.sidebar.width() == COLLAPSED_SIDEBAR_WIDTH
    score = f"{room.catalogue.score[room.table.selected_server()]:.2f}"
    assert view.inspector_handle.text().endswith(score)
    room.bot.mouseClick(view.inspector_handle, Qt.MouseButton.LeftButton)
    assert view.inspector.isVisible()
    room.press(Qt.Key.Key_L, CTRL)
    assert view.sidebar.width() == SIDEBAR_WIDTH
    room.window.resize(1280, 800)
    QApplication.processEvents()
    room.bot.mouseClick(view.sidebar.collapse_button, Qt.MouseButton.LeftButton)
    assert view.sidebar.width() == COLLAPSED_SIDEBAR_WIDTH
    room.end()
    assert open_room().window.servers_view.sidebar.is_collapsed


def test_ctrl_1_and_2_switch_views(room: Room) -> None:
    room.press(Qt.Key.Key_2, CTRL)
    assert room.window.views.currentIndex() == 1
    assert room.window.view_switch.currentIndex() == 1
    room.press(Qt.Key.Key_1, CTRL)
    assert room.table.isVisible()
    room.press(Qt.Key.Key_2, CTRL)
    room.press(Qt.Key.Key_F, CTRL)
    assert room.window.filter_field.hasFocus() or room.window.focusWidget().accessibleName() == "Filter"


def test_masters_popup_updates(
    open_room: OpenRoom, network_masters: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = open_room(*network_masters, "--master=json+http://127.0.0.1:1/")
    room.bot.mouseClick(room.window.status_bar.masters_button, Qt.MouseButton.LeftButton)
    room.wait(lambda: isinstance(QApplication.activePopupWidget(), MastersPopup))
    popup = QApplication.activePopupWidget()
    assert popup is not None

    def says(words: str) -> bool:
        return any(words in text.text() for text in popup.findChildren(ElidedLabel))

    assert says("server")
    poll = room.live.poll
    assert poll is not None
    before = poll.master_states
    asked = [replace(state, error=None, servers=0, is_done=False) for state in before]
    monkeypatch.setattr(type(poll), "master_states", property(lambda _: asked))
    room.live.progress_changed.emit()
    assert says("querying…")
    monkeypatch.setattr(type(poll), "master_states", property(lambda _: before))
    room.live.progress_changed.emit()
    assert not says("querying…")
    popup.close()
    assert "1 failed" in room.window.status_bar.shown_texts()


@pytest.fixture
def network_masters(network: object) -> list[str]:
    sources = network.sources  # type: ignore[attr-defined]
    return [f"--master={url}" for url in sources.masters if url.startswith("dpmaster")]


def test_inspector_below_table(room: Room) -> None:
    view, settings = room.window.servers_view, room.program.settings
    inspector = view.inspector
    width = view.table.width()
    settings.set(INSPECTOR_PLACE, "below")
    room.wait(lambda: view.table.width() > width + 200)
    room.wait(lambda: inspector.mapTo(view, QPoint(0, 0)).y() > view.table.geometry().bottom())
    assert inspector.width() == view.table.width()
    room.window.resize(1280, 500)
    room.wait(lambda: not inspector.isVisible())
    assert view.inspector_handle.isVisible()
    room.window.resize(900, 800)  # beside the table it would be collapsed
    room.wait(inspector.isVisible)
    settings.set(INSPECTOR_PLACE, "right")
    room.wait(lambda: not inspector.isVisible())
    room.window.resize(1280, 800)
    room.wait(lambda: inspector.isVisible() and view.table.width() == width)


def test_lan_list_searches(open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    room = open_room()
    nearby = [room.catalogue.targets[server] for server in room.servers()[:2]]
    real = MasterPoll.__init__

    def answered(
        self: MasterPoll, _masters: object, on_targets: Callable[..., None], *, on_done: Callable[[], object]
    ) -> None:
        def done() -> None:
            on_targets(None, nearby)
            on_done()

        real(self, (), on_targets, on_done=done)

    monkeypatch.setattr(MasterPoll, "__init__", answered)
    room.window.servers_view.sidebar.select_list(LAN_LIST)
    assert room.window.servers_view.empty_page.shown_texts()[0] == "Searching the local network…"
    room.wait(lambda: len(room.servers()) == 2)
    assert {room.catalogue.targets[server] for server in room.servers()} == set(nearby)
    room.program.backend.lan_search.search_finished.emit([nearby[0]])  # the next search misses one
    assert {room.catalogue.targets[server] for server in room.servers()} == set(nearby)


def test_empty_lan_list_searches_again(open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[int] = []

    def nobody(search: LanSearch) -> None:
        searches.append(1)
        search.search_finished.emit([])

    monkeypatch.setattr(LanSearch, "start", nobody)
    room = open_room()
    room.window.servers_view.sidebar.select_list(LAN_LIST)
    assert room.window.servers_view.empty_page.shown_texts()[0] == "No servers nearby."
    room.bot.mouseClick(room.window.servers_view.empty_page.action_button, Qt.MouseButton.LeftButton)
    assert len(searches) == 2


def test_first_run_panel(open_room: OpenRoom) -> None:
    room = open_room(shown=False)
    room.program.session.settings.set(SCAN_AT_START, False)
    view = room.window.servers_view
    view.server_list.catalogue.add([])
    view.servers_layout.show_first_run()
    room.window.show()
    room.live.refresh()
    room.scanned()
    assert view.first_run_panel.isVisible()
    assert not view.inspector.isVisible()
    brought: list[bool] = []
    view.first_run_panel.show_found_favourites([("Xonotic", 9), ("NS2", 5)], lambda: brought.append(True))
    room.bot.mouseClick(view.first_run_panel.favourites_block.button, Qt.MouseButton.LeftButton)
    assert brought == [True]
    assert not view.first_run_panel.favourites_block.isVisible()
    room.table.setFocus()
    room.press(Qt.Key.Key_Down)
    assert view.inspector.isVisible()
    assert not view.first_run_panel.isVisible()
    view.servers_layout.show_first_run()
    assert not view.first_run_panel.isVisible()


def test_header_and_rows_resize_together(room: Room) -> None:
    header = room.table.header
    before = header.sectionSize(PLACE["map"])
    edge = header.sectionViewportPosition(PLACE["map"]) + before - 1
    room.bot.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(edge, 12))
    room.bot.mouseMove(header.viewport(), pos=QPoint(edge + 20, 12))
    room.bot.mouseRelease(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(edge + 20, 12))
    assert header.sectionSize(PLACE["map"]) == before + 20


FACTS = ListSituation(
    known_count=310, shown_count=41, list_count=310, favourite_count=9, current_list=ALL_LIST, is_polling=False, is_loading_saved=False, has_polled=True,
    is_network_down=False, remembered_count=0, saved_age_s=None,
)  # fmt: skip


def with_(**changes: object) -> ListSituation:
    return replace(FACTS, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("facts", "what", "step"),
    [
        (
            with_(shown_count=0, filters=[FilterChipState("full", "Not full", True, 3)]),
            "No servers match the filter",
            CLEAR_FILTERS_ACTION,
        ),
        (with_(shown_count=0, known_count=0, list_count=0, has_polled=False), "No servers yet.", REFRESH_ACTION),
        (
            with_(shown_count=0, known_count=0, list_count=0, is_network_down=True),
            "No network connection.",
            REFRESH_ACTION,
        ),
        (with_(shown_count=0, current_list=LAN_LIST, list_count=0), "No servers nearby.", SEARCH_LAN_ACTION),
        (with_(shown_count=0, current_list=FAVOURITES_LIST, list_count=0), "No favourites yet.", "all"),
        (
            with_(shown_count=0, current_list=f"{GAME_LIST_PREFIX}ns2", list_count=0, games_without_key=["NS2"]),
            "NS2 needs a Steam Web API key",
            ADD_KEY_ACTION,
        ),
        (
            with_(shown_count=0, list_count=0, known_count=0, games_without_key=["A", "B"]),
            "2 games need a Steam Web API key",
            ADD_KEY_ACTION,
        ),
    ],
)
def test_empty_page_offers_one_action(facts: ListSituation, what: str, step: str) -> None:
    assert list_banner_text(facts) is None
    page = empty_page_text(facts)
    assert page is not None
    assert (page.headline, page.action and page.action[1]) == (what, step)


def test_banner_explains_old_rows() -> None:
    offline = list_banner_text(with_(is_network_down=True, remembered_count=300, saved_age_s=7200.0))
    assert offline is not None
    assert (offline.headline, offline.reason) == (
        "No network connection.",
        "Showing servers from 2 h ago. Scanning resumes automatically.",
    )
    remembered = list_banner_text(with_(is_polling=True, remembered_count=306, saved_age_s=9 * 3600.0))
    assert remembered is not None
    assert remembered.headline == "Saved servers from 9 h ago."
    assert remembered.reason == "Updated: 4 of 310."
    assert remembered.progress == pytest.approx(4 / 310)
    assert list_banner_text(FACTS) is None
    assert empty_page_text(FACTS) is None
    more = empty_page_text(with_(is_polling=True, polled_count=10, poll_target_count=158))
    assert more is not None
    assert more.headline == "Waiting for 148 more servers"


def test_missing_key_has_other_actions() -> None:
    page = empty_page_text(with_(shown_count=0, list_count=0, known_count=0, games_without_key=["NS2"]))
    assert page is not None
    assert [does for _words, does in page.other_actions] == [ADD_ADDRESS_ACTION, SEARCH_LAN_ACTION]
