"""Columns, panels and views of the window.

And its texts when there is little to show.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from window_helpers import COLUMN_INDEX, AppDriver, OpenApp

from browser_app.bridge.server_search import LanSearch
from browser_app.engine.masters.master_poll import MasterPoll
from browser_app.engine.masters.outage import Outage
from browser_app.storage.setting_declarations import INSPECTOR_PLACE
from browser_app.ui.filters.filter_chip_bar import FilterChipState
from browser_app.ui.lists.server_list_membership import (
    ALL_LIST,
    FAVOURITES_LIST,
    FRIENDS_LIST,
    GAME_LIST_PREFIX,
    LAN_LIST,
)
from browser_app.ui.lists.server_list_sidebar import SIDEBAR_WIDTH
from browser_app.ui.servers.column_layout import MIN_NAME_WIDTH
from browser_app.ui.servers.list_status_text import (
    ADD_ADDRESS_ACTION,
    ADD_KEY_ACTION,
    CLEAR_FILTERS_ACTION,
    FRIENDS_ACTION,
    MASTERS_ACTION,
    REFRESH_ACTION,
    SEARCH_LAN_ACTION,
    ListSituation,
    ListStatusText,
    empty_page_text,
    list_banner_text,
    outage_headline,
)
from browser_app.ui.servers.server_columns import SERVER_COLUMNS
from browser_app.ui.widgets.sidebar_parts import COLLAPSED_SIDEBAR_WIDTH

CTRL = Qt.KeyboardModifier.ControlModifier


def order_of_columns(app: AppDriver) -> list[str]:
    header = app.table.header
    return [SERVER_COLUMNS[header.logicalIndex(place)].key for place in range(len(SERVER_COLUMNS))]


def test_column_layout_is_saved(open_app: OpenApp) -> None:
    app = open_app()
    header, columns = app.table.header, app.window.servers_view.column_layout
    assert header.isSectionHidden(COLUMN_INDEX["gain"])
    menu = columns.menu()
    actions = {action.text(): action for action in menu.actions()}
    assert not actions["Country"].isChecked()  # addresses of this machine have none
    for title in ("Seeding value", "Country"):
        actions[title].trigger()
    menu.deleteLater()
    assert not header.isSectionHidden(COLUMN_INDEX["gain"])
    columns.set_column_visible("map", False)
    header.moveSection(header.visualIndex(COLUMN_INDEX["players"]), 1)
    header.resizeSection(COLUMN_INDEX["ping"], 90)
    app.click_header("ping")
    app.click_header("ping")
    order = order_of_columns(app)
    app.end()
    again = open_app()
    assert order_of_columns(again) == order
    assert order[:2] == ["favourite", "players"]
    assert again.table.columnWidth(COLUMN_INDEX["ping"]) == 90
    assert again.table.header.isSectionHidden(COLUMN_INDEX["map"])
    assert not again.table.header.isSectionHidden(COLUMN_INDEX["gain"])
    assert not again.table.header.isSectionHidden(COLUMN_INDEX["country"])
    assert again.window.servers_view.server_order.sort_column == "-ping"
    again.window.servers_view.column_layout.reset()
    assert order_of_columns(again) == [column.key for column in SERVER_COLUMNS]
    assert again.table.columnWidth(COLUMN_INDEX["ping"]) == SERVER_COLUMNS[COLUMN_INDEX["ping"]].width


def test_sidebar_fits_game_names(app: AppDriver) -> None:
    titles = [item.title for item in app.window.servers_view.sidebar.items()] + ["Natural Selection 2"]
    count, title = (QFontMetrics(app.program.theme.font(size)) for size in (12, 13))
    free_width = app.window.servers_view.sidebar.view.viewport().width() - 12 - 16 - count.horizontalAdvance("999")
    assert max(map(title.horizontalAdvance, titles)) <= free_width
    assert not app.table.header.isSectionHidden(COLUMN_INDEX["mode"])


def test_map_column_gives_space_to_names(app: AppDriver) -> None:
    header, (map_place, name_place) = app.table.header, (COLUMN_INDEX["map"], COLUMN_INDEX["name"])
    wished, column = header.text_width(SERVER_COLUMNS[name_place].long_sample), SERVER_COLUMNS[map_place]
    app.window.resize(2200, 800)
    assert header.sectionSize(name_place) >= wished
    assert header.sectionSize(map_place) == column.width
    app.window.resize(1280, 800)
    given = column.width - header.sectionSize(map_place)
    assert given == column.width - column.min_width or header.sectionSize(name_place) == wished
    assert given > 0
    header.resizeSection(map_place, 130)
    app.window.resize(1300, 800)
    assert header.sectionSize(map_place) == 130


def test_banner_moves_no_row_under_the_pointer(app: AppDriver) -> None:
    app.window.resize(1280, 460)
    QApplication.processEvents()
    banner, row = app.window.servers_view.list_banner, 5
    app.point_at(row)
    before = app.table.viewport().mapToGlobal(app.cell(row, "name"))
    for status in (ListStatusText("clock", "No network", "Showing saved servers"), None):
        banner.show_status(status)
        QApplication.processEvents()
        assert banner.isVisible() is (status is not None)
        assert app.table.viewport().mapToGlobal(app.cell(row, "name")) == before


def test_redundant_columns_leave_space_for_names(app: AppDriver) -> None:
    header, sidebar = app.table.header, app.window.servers_view.sidebar
    hidden = {key for key, place in COLUMN_INDEX.items() if header.isSectionHidden(place)}
    assert "country" in hidden  # addresses of this machine have none
    assert "game" not in hidden
    name = header.sectionSize(COLUMN_INDEX["name"])
    sidebar.select_list(GAME_LIST_PREFIX + "openarena")
    assert header.isSectionHidden(COLUMN_INDEX["game"])
    assert header.sectionSize(COLUMN_INDEX["name"]) > name
    sidebar.select_list(ALL_LIST)
    assert not header.isSectionHidden(COLUMN_INDEX["game"])
    sidebar.select_list(GAME_LIST_PREFIX + "openarena")
    app.window.servers_view.column_layout.set_column_visible("game", True)
    assert not header.isSectionHidden(COLUMN_INDEX["game"])


def test_sparse_column_leaves_space_for_names(app: AppDriver) -> None:
    header, servers, skill = app.table.header, app.servers(), COLUMN_INDEX["skill"]
    name = header.text_width(SERVER_COLUMNS[COLUMN_INDEX["name"]].long_sample)
    assert header.isSectionHidden(skill)  # these games report none
    app.catalogue.server_skill[servers[-1]] = 1500
    app.live.rescore()
    assert header.isSectionHidden(skill)
    assert header.sectionSize(COLUMN_INDEX["name"]) >= name
    app.window.resize(2200, 800)
    assert not header.isSectionHidden(skill)
    app.window.resize(1280, 800)
    assert header.isSectionHidden(skill)
    app.window.servers_view.server_order.set_sort_column("skill")
    assert not header.isSectionHidden(skill)


def test_sparse_column_is_shown_by_one_click(app: AppDriver) -> None:
    header, skill = app.table.header, COLUMN_INDEX["skill"]
    app.catalogue.server_skill[app.servers()[-1]] = 1500
    app.live.rescore()
    assert header.isSectionHidden(skill)
    menu = app.window.servers_view.column_layout.menu()
    (entry,) = (action for action in menu.actions() if action.text() == SERVER_COLUMNS[skill].name)
    assert not entry.isChecked()
    entry.trigger()
    assert not header.isSectionHidden(skill)
    menu.deleteLater()


def test_shown_column_stays_while_its_list_is_shown(app: AppDriver) -> None:
    header, skill, sidebar = app.table.header, COLUMN_INDEX["skill"], app.window.servers_view.sidebar
    rated = app.servers()[-6:]
    app.catalogue.server_skill[rated] = 1500
    app.live.rescore()
    assert not header.isSectionHidden(skill)
    app.catalogue.server_skill[rated] = float("nan")
    app.live.rescore()
    assert not header.isSectionHidden(skill)
    sidebar.select_list(GAME_LIST_PREFIX + "openarena")
    sidebar.select_list(ALL_LIST)
    assert header.isSectionHidden(skill)


def test_window_fits_the_screen(open_app: OpenApp) -> None:
    app = open_app(shown=False)
    app.window.resize(4000, 3000)
    app.program.show()
    screen = app.window.screen().availableSize()
    assert app.window.width() <= screen.width()
    assert app.window.height() <= screen.height()


def test_message_moves_no_row(app: AppDriver) -> None:
    bar = app.window.help_controller.notification_bar
    before = app.table.viewport().mapToGlobal(app.cell(0, "name"))
    bar.show_message("Something went wrong.", "It goes on.")
    app.wait(lambda: bar.height() > 0 and app.window.rect().contains(bar.geometry()))
    QApplication.processEvents()
    assert app.table.viewport().mapToGlobal(app.cell(0, "name")) == before


def test_wide_column_is_limited(app: AppDriver) -> None:
    header, (score, name) = app.table.header, (COLUMN_INDEX["score"], COLUMN_INDEX["name"])
    header.resizeSection(score, 1500)
    app.wait(lambda: header.sectionSize(score) < 600)
    assert header.sectionSize(name) >= MIN_NAME_WIDTH
    assert not header.isSectionHidden(COLUMN_INDEX["players"])
    app.window.resize(2600, 800)
    assert header.sectionSize(score) == 600


def test_columns_do_not_depend_on_scroll_bar(app: AppDriver) -> None:
    header = app.table.header
    app.window.resize(1280, 400)
    assert app.table.verticalScrollBar().isVisible()
    for width in range(1100, 1300, 4):
        app.window.resize(width, 400)
        with_bar = [header.isSectionHidden(place) for place in range(len(SERVER_COLUMNS))]
        app.window.servers_view.filter_controller.set_filter("text", "name:zzzz")
        assert [header.isSectionHidden(place) for place in range(len(SERVER_COLUMNS))] == with_bar
        app.window.servers_view.filter_controller.clear_filters()


def test_sort_title_is_not_cut(app: AppDriver) -> None:
    columns, header = app.window.servers_view.column_layout, app.table.header
    columns.set_column_visible("gain", True)
    before = header.sectionSize(COLUMN_INDEX["gain"])
    app.window.servers_view.server_order.sort_by("gain")
    assert header.sectionSize(COLUMN_INDEX["gain"]) >= header.title_width(COLUMN_INDEX["gain"]) > before - 12
    app.window.servers_view.server_order.sort_by("score")
    assert header.sectionSize(COLUMN_INDEX["gain"]) == before


def test_invalid_saved_state_is_ignored(open_app: OpenApp) -> None:
    app = open_app()
    saved = app.program.session.ui_state
    columns = {"order": ["name", "unheard", 7, [], "score"], "widths": {"ping": "wide", "map": -4}, "chosen": 3}
    saved.set("columns", columns | {"wanted": ["unheard", [], 7]})
    saved.set("filters", {ALL_LIST: {"text": "players>=", "full": "-full", "ping": 5}, "x": []})
    saved.set("sort", "address")
    app.program.session.database.flush()
    app.program.session.ui_state.set("window", "no geometry")
    again = open_app(shown=False)
    assert sorted(order_of_columns(again)) == sorted(COLUMN_INDEX)
    assert order_of_columns(again)[0] == "favourite"
    assert dict(again.window.servers_view.filter_controller.expressions) == {"full": "-full"}
    assert again.window.servers_view.server_order.sort_column == "score"


def test_sorts_by_seeding_value(app: AppDriver) -> None:
    app.window.servers_view.server_order.sort_by("gain")
    gains = app.catalogue.gain[app.servers()]
    known = gains[gains == gains]
    assert (known[:-1] >= known[1:]).all()
    assert known[0] > 0
    app.table.select_server(app.servers()[0])
    assert "Joining raises the score from" in app.window.servers_view.inspector.score_page._join_label.text()


def test_narrow_window_collapses_panels(open_app: OpenApp) -> None:
    app = open_app(size=(900, 560))
    view = app.window.servers_view
    assert not view.inspector.isVisible()
    assert view.sidebar.width() == COLLAPSED_SIDEBAR_WIDTH
    score = f"{app.catalogue.score[app.table.selected_server()]:.2f}"
    assert view.inspector_handle.text().endswith(score)
    app.bot.mouseClick(view.inspector_handle, Qt.MouseButton.LeftButton)
    assert view.inspector.isVisible()
    app.press(Qt.Key.Key_L, CTRL)
    assert view.sidebar.width() == SIDEBAR_WIDTH
    app.window.resize(1280, 800)
    QApplication.processEvents()
    app.bot.mouseClick(view.sidebar.collapse_button, Qt.MouseButton.LeftButton)
    assert view.sidebar.width() == COLLAPSED_SIDEBAR_WIDTH
    app.end()
    assert open_app().window.servers_view.sidebar.is_collapsed


def test_map_comes_before_explanation(open_app: OpenApp) -> None:
    app = open_app(size=(1099, 640))
    view = app.window.servers_view
    assert view.inspector_handle.isVisible()
    assert not app.table.isColumnHidden(COLUMN_INDEX["map"])
    app.window.resize(1100, 640)
    QApplication.processEvents()
    assert view.inspector.isVisible()


def test_collapsed_sidebar_keeps_games_and_filters(open_app: OpenApp) -> None:
    app = open_app(size=(900, 560))
    sidebar = app.window.servers_view.sidebar
    app.program.session.saved_filters.save("CTF near me", "ping<80")
    items = sidebar.items()
    shown = {item.key for place, item in enumerate(items) if not sidebar.view.isRowHidden(place)}
    assert sidebar.is_collapsed
    assert shown == {item.key for item in items if item.key}
    assert {"game:openarena", "saved:CTF near me"} <= shown
    openarena = next(item for item in items if item.key == "game:openarena")
    assert openarena.short_title == "OA"


def test_ctrl_1_and_2_switch_views(app: AppDriver) -> None:
    app.press(Qt.Key.Key_2, CTRL)
    assert app.window.views.currentIndex() == 1
    assert app.window.view_switch.currentIndex() == 1
    app.press(Qt.Key.Key_1, CTRL)
    assert app.table.isVisible()
    app.press(Qt.Key.Key_2, CTRL)
    app.press(Qt.Key.Key_F, CTRL)
    assert app.window.filter_field.hasFocus() or app.window.focusWidget().accessibleName() == "Filter"


def test_inspector_below_table(app: AppDriver) -> None:
    view, settings = app.window.servers_view, app.program.settings
    inspector = view.inspector
    width = view.table.width()
    settings.set(INSPECTOR_PLACE, "below")
    app.wait(lambda: view.table.width() > width + 200)
    app.wait(lambda: inspector.mapTo(view, QPoint(0, 0)).y() > view.empty_page.pane.geometry().bottom())
    assert inspector.width() == view.table.width()
    app.window.resize(1280, 500)
    app.wait(lambda: not inspector.isVisible())
    assert view.inspector_handle.isVisible()
    app.window.resize(900, 800)  # beside the table it would be collapsed
    app.wait(inspector.isVisible)
    settings.set(INSPECTOR_PLACE, "right")
    app.wait(lambda: not inspector.isVisible())
    app.window.resize(1280, 800)
    app.wait(lambda: inspector.isVisible() and view.table.width() == width)


def test_lan_list_searches(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app()
    nearby = [app.catalogue.targets[server] for server in app.servers()[:2]]
    real = MasterPoll.__init__

    def answered(
        self: MasterPoll, _masters: object, on_targets: Callable[..., None], *, on_done: Callable[[], object]
    ) -> None:
        def done() -> None:
            on_targets(nearby)
            on_done()

        real(self, (), on_targets, on_done=done)

    monkeypatch.setattr(MasterPoll, "__init__", answered)
    app.window.servers_view.sidebar.select_list(LAN_LIST)
    assert app.window.servers_view.empty_page.shown_texts()[0] == "Searching the local network…"
    app.wait(lambda: len(app.servers()) == 2)
    assert {app.catalogue.targets[server] for server in app.servers()} == set(nearby)
    app.program.backend.lan_search.search_finished.emit([nearby[0]])  # the next search misses one
    assert {app.catalogue.targets[server] for server in app.servers()} == set(nearby)


def test_empty_lan_list_searches_again(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[int] = []

    def nobody(search: LanSearch) -> None:
        searches.append(1)
        search.search_finished.emit([])

    monkeypatch.setattr(LanSearch, "start", nobody)
    app = open_app()
    app.window.servers_view.sidebar.select_list(LAN_LIST)
    assert app.window.servers_view.empty_page.shown_texts()[0] == "No servers nearby"
    app.bot.mouseClick(app.window.servers_view.empty_page.action_button, Qt.MouseButton.LeftButton)
    assert len(searches) == 2


def test_header_and_rows_resize_together(app: AppDriver) -> None:
    header = app.table.header
    before = header.sectionSize(COLUMN_INDEX["map"])
    edge = header.sectionViewportPosition(COLUMN_INDEX["map"]) + before - 1
    app.bot.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(edge, 12))
    app.bot.mouseMove(header.viewport(), pos=QPoint(edge + 20, 12))
    app.bot.mouseRelease(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(edge + 20, 12))
    assert header.sectionSize(COLUMN_INDEX["map"]) == before + 20


SITUATION = ListSituation(
    known_count=310,
    shown_count=41,
    list_count=310,
    favourite_count=9,
    current_list=ALL_LIST,
    is_polling=False,
    is_loading_saved=False,
    has_polled=True,
    outage=None,
    remembered_count=0,
    saved_age_s=None,
)


def situation_with(**changes: object) -> ListSituation:
    return replace(SITUATION, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("situation", "headline", "action"),
    [
        (
            situation_with(shown_count=0, filters=[FilterChipState("full", "Not full", True, 3)]),
            "No server matches the filter",
            CLEAR_FILTERS_ACTION,
        ),
        (
            situation_with(shown_count=0, known_count=0, list_count=0, has_polled=False),
            "No servers yet",
            REFRESH_ACTION,
        ),
        (
            situation_with(shown_count=0, known_count=0, list_count=0, has_masters=False),
            "All master servers are switched off",
            MASTERS_ACTION,
        ),
        (
            situation_with(shown_count=0, current_list=f"{GAME_LIST_PREFIX}xonotic", list_count=0, game_name="Xonotic"),
            "No master server of Xonotic answered",
            REFRESH_ACTION,
        ),
        (situation_with(shown_count=0, current_list=LAN_LIST, list_count=0), "No servers nearby", SEARCH_LAN_ACTION),
        (situation_with(shown_count=0, current_list=FAVOURITES_LIST, list_count=0), "No favourites yet", "all"),
        (situation_with(shown_count=0, current_list=FRIENDS_LIST, list_count=0), "No friends found", FRIENDS_ACTION),
        (
            situation_with(
                shown_count=0, current_list=f"{GAME_LIST_PREFIX}ns2", list_count=0, games_without_key=["NS2"]
            ),
            "NS2 needs a Steam Web API key",
            ADD_KEY_ACTION,
        ),
        (
            situation_with(shown_count=0, list_count=0, known_count=0, games_without_key=["A", "B"]),
            "2 games need a Steam Web API key",
            ADD_KEY_ACTION,
        ),
    ],
)
def test_empty_page_offers_one_action(situation: ListSituation, headline: str, action: str) -> None:
    assert list_banner_text(situation) is None
    page = empty_page_text(situation)
    assert page is not None
    assert (page.headline, page.action and page.action[1]) == (headline, action)


@pytest.mark.parametrize("outage", Outage)
def test_outage_comes_before_missing_key(outage: Outage) -> None:
    situation = situation_with(shown_count=0, known_count=0, list_count=0, games_without_key=["A", "B"], outage=outage)
    page = empty_page_text(situation)
    assert page is not None
    assert page.headline == outage_headline(outage)
    assert page.action == ("Try again", REFRESH_ACTION)
    assert "automatically" in page.reason
    trying = empty_page_text(replace(situation, is_polling=True))
    assert trying is not None
    assert (trying.headline, trying.action) == (page.headline, None)
    banner = list_banner_text(replace(situation, shown_count=3, known_count=3))
    assert banner is not None
    assert banner.headline == page.headline


@pytest.mark.parametrize(
    ("changes", "headline"),
    [
        ({"current_list": FAVOURITES_LIST}, "No favourites yet"),
        ({"current_list": LAN_LIST}, "No servers nearby"),
        ({"list_count": 5, "filters": [FilterChipState("full", "Not full", True, 3)]}, "No server matches the filter"),
    ],
)
def test_outage_leaves_other_reasons(changes: dict[str, object], headline: str) -> None:
    page = empty_page_text(situation_with(**{"shown_count": 0, "list_count": 0, "outage": Outage.NO_MASTER} | changes))
    assert page is not None
    assert page.headline == headline


def test_causes_of_outages_differ() -> None:
    pages = [empty_page_text(situation_with(shown_count=0, list_count=0, outage=outage)) for outage in Outage]
    assert len({page.headline for page in pages if page}) == len({page.reason for page in pages if page}) == len(Outage)


def test_banner_explains_old_rows() -> None:
    offline = list_banner_text(situation_with(outage=Outage.NO_NETWORK, remembered_count=300, saved_age_s=7200.0))
    assert offline is not None
    assert offline.reason.startswith("Showing servers from 2 h ago.")
    updating = situation_with(is_polling=True, remembered_count=306, unqueried_saved_count=200, saved_age_s=9 * 3600.0)
    remembered = list_banner_text(updating)
    assert remembered is not None
    assert remembered.headline == "Saved servers from 9 h ago."
    assert remembered.reason == "Updated: 4 of 310."
    assert remembered.progress == pytest.approx(4 / 310)
    assert list_banner_text(replace(updating, unqueried_saved_count=0)) is None
    assert list_banner_text(SITUATION) is None
    assert empty_page_text(SITUATION) is None
    more = empty_page_text(situation_with(is_polling=True, polled_count=10, poll_target_count=158))
    assert more is not None
    assert more.headline == "Waiting for 148 more servers"
    assert empty_page_text(situation_with(is_polling=True, poll_target_count=1, unanswered_count=1)) is None
    first = empty_page_text(
        situation_with(is_polling=True, poll_target_count=1, known_count=0, shown_count=0, list_count=0)
    )
    assert first is not None
    assert first.headline == "Waiting for 1 server…"


def test_missing_key_has_other_actions() -> None:
    page = empty_page_text(situation_with(shown_count=0, list_count=0, known_count=0, games_without_key=["NS2"]))
    assert page is not None
    assert [action for _text, action in page.other_actions] == [ADD_ADDRESS_ACTION, SEARCH_LAN_ACTION]
