"""The table's columns: which are shown, how wide, in which order."""

from PySide6.QtCore import QPoint, Qt
from window_helpers import COLUMN_INDEX, AppDriver, OpenApp

from browser_app.ui.inspector.score_page import ScorePage
from browser_app.ui.lists.server_list_membership import (
    ALL_LIST,
    GAME_LIST_PREFIX,
)
from browser_app.ui.servers.column_layout import MIN_NAME_WIDTH
from browser_app.ui.servers.server_columns import SERVER_COLUMNS


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


def test_map_column_shares_space_with_names(app: AppDriver) -> None:
    header, (map_place, name_place) = app.table.header, (COLUMN_INDEX["map"], COLUMN_INDEX["name"])
    wished, column = header.text_width(SERVER_COLUMNS[name_place].long_sample), SERVER_COLUMNS[map_place]
    app.window.resize(2200, 800)
    assert header.sectionSize(name_place) >= wished
    assert header.sectionSize(map_place) == header.text_width(column.long_sample) > column.width
    app.window.resize(1280, 800)
    given = column.width - header.sectionSize(map_place)
    assert given == column.width - column.min_width or header.sectionSize(name_place) == wished
    assert given > 0
    header.resizeSection(map_place, 130)
    app.window.resize(1300, 800)
    assert header.sectionSize(map_place) == 130


def test_redundant_columns_leave_space_for_names(app: AppDriver) -> None:
    header, sidebar = app.table.header, app.window.servers_view.sidebar

    def width_of_names() -> int:
        """Return the width of the columns of names: servers, maps and modes."""
        return sum(header.sectionSize(COLUMN_INDEX[key]) for key in ("name", "map", "mode"))

    hidden = {key for key, place in COLUMN_INDEX.items() if header.isSectionHidden(place)}
    assert "country" in hidden  # addresses of this machine have none
    assert "game" not in hidden
    names = width_of_names()
    sidebar.select_list(GAME_LIST_PREFIX + "openarena")
    assert header.isSectionHidden(COLUMN_INDEX["game"])
    assert width_of_names() > names
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
        with_bar = [header.sectionViewportPosition(place) for place in range(len(SERVER_COLUMNS))]
        app.window.servers_view.filter_controller.set_filter("text", "name:zzzz")
        assert [header.sectionViewportPosition(place) for place in range(len(SERVER_COLUMNS))] == with_bar
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
    saved = app.program.storage.ui_state
    columns = {"order": ["name", "unheard", 7, [], "score"], "widths": {"ping": "wide", "map": -4}, "chosen": 3}
    saved.set("columns", columns | {"wanted": ["unheard", [], 7]})
    saved.set("filters", {ALL_LIST: {"text": "players>=", "full": "-full", "ping": 5}, "x": []})
    saved.set("sort", "address")
    app.program.storage.database.flush()
    app.program.storage.ui_state.set("window", "no geometry")
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
    assert "Joining raises the score from" in app.window.servers_view.inspector._page(ScorePage)._join_label.text()


def test_header_and_rows_resize_together(app: AppDriver) -> None:
    header = app.table.header
    before = header.sectionSize(COLUMN_INDEX["map"])
    edge = header.sectionViewportPosition(COLUMN_INDEX["map"]) + before - 1
    app.bot.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(edge, 12))
    app.bot.mouseMove(header.viewport(), pos=QPoint(edge + 20, 12))
    app.bot.mouseRelease(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(edge + 20, 12))
    assert header.sectionSize(COLUMN_INDEX["map"]) == before + 20
