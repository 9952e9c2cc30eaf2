"""The window as its user arranged it: columns, panels, views; and what it says when there is little to show."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from window_rig import PLACE, OpenRoom, Room

from browser_app.bridge.lan_search import LanSearch
from browser_app.engine.masters import MasterPoll
from browser_app.storage.declared import INSPECTOR, SCAN_AT_START
from browser_app.ui.chip import ChipState
from browser_app.ui.column_layout import NAME_ROOM
from browser_app.ui.columns import COLUMNS
from browser_app.ui.controls import ElidedText
from browser_app.ui.list_words import ADDRESS, CLEAR, KEY, LOOK, REFRESH, ListFacts, line_of, page_of
from browser_app.ui.lists import ALL, FAVOURITES, GAME, LAN
from browser_app.ui.masters_popup import MastersPopup
from browser_app.ui.side_list import NARROW_WIDTH, WIDTH

CTRL = Qt.KeyboardModifier.ControlModifier


def order_of_columns(room: Room) -> list[str]:
    header = room.table.header
    return [COLUMNS[header.logicalIndex(place)].key for place in range(len(COLUMNS))]


def test_columns_are_moved_sized_chosen_and_kept_with_the_sort(open_room: OpenRoom) -> None:
    room = open_room()
    header, columns = room.table.header, room.window.servers.columns
    assert header.isSectionHidden(PLACE["gain"])
    menu = columns.menu()
    next(action for action in menu.actions() if action.text() == "Where I matter").trigger()
    menu.deleteLater()
    assert not header.isSectionHidden(PLACE["gain"])
    columns.choose("map", False)
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
    assert again.window.servers.order.column == "-ping"
    again.window.servers.columns.reset()
    assert order_of_columns(again) == [column.key for column in COLUMNS]
    assert again.table.columnWidth(PLACE["ping"]) == COLUMNS[PLACE["ping"]].width


def test_names_have_what_the_maps_can_give_unless_the_user_sized_them(room: Room) -> None:
    header, (map_place, name_place) = room.table.header, (PLACE["map"], PLACE["name"])
    wished, column = header.text_width(COLUMNS[name_place].wished), COLUMNS[map_place]
    room.window.resize(2200, 800)
    assert header.sectionSize(name_place) >= wished
    assert header.sectionSize(map_place) == column.width
    room.window.resize(1280, 800)
    given = column.width - header.sectionSize(map_place)
    assert given == column.width - column.least or header.sectionSize(name_place) == wished
    assert given > 0
    header.resizeSection(map_place, 130)
    room.window.resize(1300, 800)
    assert header.sectionSize(map_place) == 130


def test_a_column_that_is_drawn_too_wide_leaves_the_names_their_room(room: Room) -> None:
    header, (score, name) = room.table.header, (PLACE["score"], PLACE["name"])
    header.resizeSection(score, 1500)
    room.wait(lambda: header.sectionSize(score) < 600)
    assert header.sectionSize(name) >= NAME_ROOM
    assert not header.isSectionHidden(PLACE["players"])
    room.window.resize(2600, 800)
    assert header.sectionSize(score) == 600


def test_columns_are_the_same_with_few_rows_and_with_many(room: Room) -> None:
    header = room.table.header
    room.window.resize(1280, 400)
    assert room.table.verticalScrollBar().isVisible()
    for width in range(1100, 1300, 4):
        room.window.resize(width, 400)
        with_bar = [header.isSectionHidden(place) for place in range(len(COLUMNS))]
        room.window.servers.filters.put("text", "name:zzzz")
        assert [header.isSectionHidden(place) for place in range(len(COLUMNS))] == with_bar
        room.window.servers.filters.clear()


def test_the_title_that_sorts_is_whole(room: Room) -> None:
    columns, header = room.window.servers.columns, room.table.header
    columns.choose("gain", True)
    before = header.sectionSize(PLACE["gain"])
    room.window.servers.order.sort_by("gain")
    assert header.sectionSize(PLACE["gain"]) >= header.title_width(PLACE["gain"]) > before - 12
    room.window.servers.order.sort_by("score")
    assert header.sectionSize(PLACE["gain"]) == before


def test_what_was_kept_by_another_version_is_taken_as_far_as_it_is_known(open_room: OpenRoom) -> None:
    room = open_room()
    kept = room.program.session.kept
    kept.put("columns", {"order": ["name", "unheard", 7, "score"], "widths": {"ping": "wide", "map": -4}, "chosen": 3})
    kept.put("filters", {ALL: {"text": "players>=", "full": "-full", "ping": 5}, "x": []})
    kept.put("sort", "unheard")
    room.program.session.database.flush()
    room.program.session.kept.put("window", "no geometry")
    again = open_room(shown=False)
    assert sorted(order_of_columns(again)) == sorted(PLACE)
    assert order_of_columns(again)[0] == "favourite"
    assert dict(again.window.servers.filters.terms) == {"full": "-full"}
    assert again.window.servers.order.column == "score"


def test_where_i_matter_orders_by_what_one_more_changes(room: Room) -> None:
    room.window.servers.order.sort_by("gain")
    gains = room.catalogue.gain[room.servers()]
    known = gains[gains == gains]
    assert (known[:-1] >= known[1:]).all()
    assert known[0] > 0
    room.table.select_server(room.servers()[0])
    assert "Your joining takes it from" in room.window.servers.inspector.why._join.text()


def test_narrow_windows_fold_the_panels_and_the_user_opens_them_again(open_room: OpenRoom) -> None:
    room = open_room(size=(900, 560))
    view = room.window.servers
    assert not view.inspector.isVisible()
    assert view.side.width() == NARROW_WIDTH
    score = f"{room.catalogue.score[room.table.selected_server()]:.2f}"
    assert view.edge.text().endswith(score)
    room.bot.mouseClick(view.edge, Qt.MouseButton.LeftButton)
    assert view.inspector.isVisible()
    room.press(Qt.Key.Key_L, CTRL)
    assert view.side.width() == WIDTH
    room.window.resize(1280, 800)
    QApplication.processEvents()
    room.bot.mouseClick(view.side.fold, Qt.MouseButton.LeftButton)
    assert view.side.width() == NARROW_WIDTH
    room.end()
    assert open_room().window.servers.side.narrow


def test_ctrl_1_and_2_turn_the_views(room: Room) -> None:
    room.press(Qt.Key.Key_2, CTRL)
    assert room.window.views.currentIndex() == 1
    assert room.window.switch.currentIndex() == 1
    room.press(Qt.Key.Key_1, CTRL)
    assert room.table.isVisible()
    room.press(Qt.Key.Key_2, CTRL)
    room.press(Qt.Key.Key_F, CTRL)
    assert room.window.filter_field.hasFocus() or room.window.focusWidget().accessibleName() == "Filter"


def test_the_masters_are_told_one_by_one_as_they_are_now(
    open_room: OpenRoom, network_masters: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = open_room(*network_masters, "--master=json+http://127.0.0.1:1/")
    room.bot.mouseClick(room.window.status.masters, Qt.MouseButton.LeftButton)
    room.wait(lambda: isinstance(QApplication.activePopupWidget(), MastersPopup))
    popup = QApplication.activePopupWidget()
    assert popup is not None

    def says(words: str) -> bool:
        return any(words in text.text() for text in popup.findChildren(ElidedText))

    assert says("server")
    poll = room.live.poll
    assert poll is not None
    before = poll.masters
    asked = [replace(state, error=None, servers=0, done=False) for state in before]
    monkeypatch.setattr(type(poll), "masters", property(lambda _: asked))
    room.live.progressed.emit()
    assert says("being asked…")
    monkeypatch.setattr(type(poll), "masters", property(lambda _: before))
    room.live.progressed.emit()
    assert not says("being asked…")
    popup.close()
    assert "1 failed" in room.window.status.texts()


@pytest.fixture
def network_masters(network: object) -> list[str]:
    sources = network.sources  # type: ignore[attr-defined]
    return [f"--master={url}" for url in sources.masters if url.startswith("dpmaster")]


def test_the_inspector_lies_below_the_list_when_one_wants_that(room: Room) -> None:
    view, settings = room.window.servers, room.program.settings
    inspector = view.inspector
    width = view.table.width()
    settings.set(INSPECTOR, "below")
    room.wait(lambda: view.table.width() > width + 200)
    room.wait(lambda: inspector.mapTo(view, QPoint(0, 0)).y() > view.table.geometry().bottom())
    assert inspector.width() == view.table.width()
    room.window.resize(1280, 500)
    room.wait(lambda: not inspector.isVisible())
    assert view.edge.isVisible()
    room.window.resize(900, 800)  # beside the list it would be folded here
    room.wait(inspector.isVisible)
    settings.set(INSPECTOR, "right")
    room.wait(lambda: not inspector.isVisible())
    room.window.resize(1280, 800)
    room.wait(lambda: inspector.isVisible() and view.table.width() == width)


def test_choosing_lan_looks_there_and_who_answers_stands_in_it(
    open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    room.window.servers.side.choose(LAN)
    assert room.window.servers.page.texts()[0] == "Looking on the local network…"
    room.wait(lambda: len(room.servers()) == 2)
    assert {room.catalogue.targets[server] for server in room.servers()} == set(nearby)
    room.program.lan.ended.emit([nearby[0]])  # the next search, in which one was not heard
    assert {room.catalogue.targets[server] for server in room.servers()} == set(nearby)


def test_nothing_nearby_offers_to_look_again(open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[int] = []

    def nobody(search: LanSearch) -> None:
        searches.append(1)
        search.ended.emit([])

    monkeypatch.setattr(LanSearch, "start", nobody)
    room = open_room()
    room.window.servers.side.choose(LAN)
    assert room.window.servers.page.texts()[0] == "No server nearby."
    room.bot.mouseClick(room.window.servers.page.step, Qt.MouseButton.LeftButton)
    assert len(searches) == 2


def test_the_first_start_says_what_can_wait_until_a_server_is_looked_at(open_room: OpenRoom) -> None:
    room = open_room(shown=False)
    room.program.session.settings.set(SCAN_AT_START, False)
    view = room.window.servers
    view.live.catalogue.add([])
    view.panels.welcome()
    room.window.show()
    room.live.refresh()
    room.scanned()
    assert view.first_run.isVisible()
    assert not view.inspector.isVisible()
    brought: list[bool] = []
    view.first_run.show_found([("Xonotic", 9), ("NS2", 5)], lambda: brought.append(True))
    room.bot.mouseClick(view.first_run.favourites.button, Qt.MouseButton.LeftButton)
    assert brought == [True]
    assert not view.first_run.favourites.isVisible()
    room.table.setFocus()
    room.press(Qt.Key.Key_Down)
    assert view.inspector.isVisible()
    assert not view.first_run.isVisible()
    view.panels.welcome()
    assert not view.first_run.isVisible()


def test_header_and_rows_keep_their_place_under_the_pointer_while_sized(room: Room) -> None:
    header = room.table.header
    before = header.sectionSize(PLACE["map"])
    edge = header.sectionViewportPosition(PLACE["map"]) + before - 1
    room.bot.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(edge, 12))
    room.bot.mouseMove(header.viewport(), pos=QPoint(edge + 20, 12))
    room.bot.mouseRelease(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(edge + 20, 12))
    assert header.sectionSize(PLACE["map"]) == before + 20


FACTS = ListFacts(
    known=310, shown=41, in_list=310, favourites=9, listed=ALL, running=False, remembering=False, asked=True,
    network_down=False, remembered=0, age_s=None,
)  # fmt: skip


def with_(**changes: object) -> ListFacts:
    return replace(FACTS, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("facts", "what", "step"),
    [
        (with_(shown=0, filters=[ChipState("full", "Not full", True, 3)]), "No server passes the filter", CLEAR),
        (with_(shown=0, known=0, in_list=0, asked=False), "No servers yet.", REFRESH),
        (with_(shown=0, known=0, in_list=0, network_down=True), "No network.", REFRESH),
        (with_(shown=0, listed=LAN, in_list=0), "No server nearby.", LOOK),
        (with_(shown=0, listed=FAVOURITES, in_list=0), "No favourites yet.", "all"),
        (with_(shown=0, listed=f"{GAME}ns2", in_list=0, lacking_key=["NS2"]), "NS2 needs a Steam Web API key", KEY),
        (with_(shown=0, in_list=0, known=0, lacking_key=["A", "B"]), "2 games need a Steam Web API key", KEY),
    ],
)
def test_where_no_rows_are_there_is_one_next_step(facts: ListFacts, what: str, step: str) -> None:
    assert line_of(facts) is None
    page = page_of(facts)
    assert page is not None
    assert (page.what, page.step and page.step[1]) == (what, step)


def test_rows_stay_and_a_line_above_says_why_they_are_old() -> None:
    offline = line_of(with_(network_down=True, remembered=300, age_s=7200.0))
    assert offline is not None
    assert (offline.what, offline.why) == ("No network.", "These rows are 2 h old. Scanning goes on by itself.")
    remembered = line_of(with_(running=True, remembered=306, age_s=9 * 3600.0))
    assert remembered is not None
    assert remembered.what == "Remembered from last time, 9 h ago."
    assert remembered.why == "Fresh: 4 of 310."
    assert remembered.share == pytest.approx(4 / 310)
    assert line_of(FACTS) is None
    assert page_of(FACTS) is None
    more = page_of(with_(running=True, done=10, targets=158))
    assert more is not None
    assert more.what == "148 more servers are being asked"


def test_without_a_key_there_are_two_other_ways() -> None:
    page = page_of(with_(shown=0, in_list=0, known=0, lacking_key=["NS2"]))
    assert page is not None
    assert [does for _words, does in page.others] == [ADDRESS, LOOK]
