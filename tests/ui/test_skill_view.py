"""My skill as its user meets it: pages, keys, steps, nothing to show, and what the list says of it."""

import time
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAccessible, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from skill_view_rig import FakePanel, Steps, shown, states

from browser_app.application.skill_state import GameRecord, OwnSkill, WorkProgress
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.player.win_patterns import WinPattern
from browser_app.protocols.address import Address
from browser_app.ui.skill.habits.habit_columns import verdict_reason
from browser_app.ui.skill.habits.habits_page import HabitsPage
from browser_app.ui.skill.now.now_page import NowPage
from browser_app.ui.skill.skill_pages import HABITS, NOW, ROUNDS, SKILL_PAGES
from browser_app.ui.skill.view.empty_skill_page import EmptyReason
from browser_app.ui.skill.view.skill_view import SkillView
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import THIN_SPACE

CTRL = Qt.KeyboardModifier.ControlModifier
XONOTIC = GameRecord("xonotic", "Xonotic", 301, 87)


class Rig:
    """A view over a panel."""

    def __init__(self, bot: QtBot, theme: Theme, panel: FakePanel) -> None:
        self.panel, self.steps = panel, Steps(panel)
        self.view = SkillView(theme, self.steps.services)
        bot.addWidget(self.view)
        self.view.resize(1280, 714)
        self.view.show()
        self.view.activateWindow()

    @property
    def now(self) -> NowPage:
        page = self.view.stack.currentWidget()
        assert isinstance(page, NowPage)
        return page

    @property
    def habits(self) -> HabitsPage:
        self.view.show_page(HABITS)
        page = self.view.stack.currentWidget()
        assert isinstance(page, HabitsPage)
        return page


Open = Callable[..., Rig]


@pytest.fixture
def open_view(qtbot: QtBot, theme: Theme) -> Open:
    return lambda *panel: Rig(qtbot, theme, FakePanel(*panel))


@pytest.fixture
def rig(open_view: Open) -> Rig:
    first = shown()
    return open_view(first, [first.game, XONOTIC])


def plain(text: str) -> str:
    return text.replace(THIN_SPACE, " ")


def test_now_shows_the_rating_its_standing_and_its_doubt(rig: Rig) -> None:
    now = shown().now
    assert now.value is not None
    head = rig.now.summary
    assert plain(head.rating_label.text()) == plain(f"{now.value:,.0f}".replace(",", " "))
    assert head.tier_label.text() == "Veteran"
    assert "90 %" in head.uncertainty_label.text()
    assert head.basis_label.text()
    assert head.rating_scale.isVisible()
    assert "Veteran" in head.rating_scale.accessibleDescription()
    assert rig.now.plot.point_count() == 20
    assert [line[0] for line in rig.now.sources_section.row_texts] == [
        "Round files",
        "Steam user stats",
        "Manual entry",
    ]


def test_a_system_without_tiers_is_shown_on_quarters(rig: Rig) -> None:
    rig.panel.show(shown("trueskill2"))
    assert rig.now.summary.tier_label.text() in ("Bottom quarter", "Second quarter", "Third quarter", "Top quarter")
    assert rig.now.summary.basis_label.isHidden()
    assert rig.view.header.system_menu.text() == "TrueSkill 2"


def test_the_list_is_said_to_follow_while_it_does(rig: Rig) -> None:
    catalogue = rig.steps.live.catalogue
    for number, skill in enumerate((1500.0, None, 1800.0)):
        address = Address("198.51.100.1", 27015 + number)
        told = ServerInfo(game="ns2", name="x", map="", connect=address, players=3, bots=0, spectators=None, max_players=20,
                     mode="ns2", mode_name="", version="", password=False, server_skill=skill)  # fmt: skip
        catalogue.merge(
            [QueryResult(QueryTarget(address, "a2s", "ns2"), QueryStatus.OK, told, None, 40.0, False, 1, time.time())]
        )
    assert "not available" in rig.now.usage_section.texts()[0]
    assert rig.now.usage_section.list_link.isHidden()
    rig.panel.listed = {"ns2": OwnSkill(1640.0, "record")}
    rig.panel.points_changed.emit()
    assert plain(rig.now.usage_section.texts()[0]) == "1 640 is used to score 2 NS2 servers now."
    catalogue.blocked[0] = True
    rig.steps.live.rescored.emit()
    assert plain(rig.now.usage_section.texts()[0]) == "1 640 is used to score 1 NS2 server now."
    wanted: list[str] = []
    rig.view.server_list_requested.connect(wanted.append)
    rig.now.usage_section.list_link.click()
    assert wanted == ["ns2"]


def test_pages_are_made_when_they_are_first_shown_and_kept(rig: Rig) -> None:
    assert set(rig.view._pages) == {NOW}
    rig.view.sidebar.page_list.choose(HABITS)
    assert set(rig.view._pages) == {NOW, HABITS}
    assert rig.view.header.title_label.text() == "Habits"
    assert rig.steps.kept.get("skill_page") == HABITS
    asked = rig.panel.asked.count(("habits",))
    rig.view.show_page(NOW)
    rig.view.show_page(HABITS)
    assert rig.panel.asked.count(("habits",)) == asked == 1
    rig.panel.show(shown("trueskill2"))
    assert rig.panel.asked.count(("habits",)) == 2


def test_keys_go_through_all_pages_and_round(rig: Rig) -> None:
    rig.view.sidebar.page_list.setFocus()
    seen = []
    for _ in SKILL_PAGES:
        seen.append(rig.view.current_page)
        rig.view.step_page(1)
    assert seen == [kind.key for kind in SKILL_PAGES]
    assert rig.view.current_page == NOW
    rig.view.step_page(-1)
    assert rig.view.current_page == SKILL_PAGES[-1].key
    QTest.keyClick(rig.view.sidebar.page_list, Qt.Key.Key_Home)
    QTest.keyClick(rig.view.sidebar.page_list, Qt.Key.Key_Down)
    assert rig.view.current_page == SKILL_PAGES[1].key


def test_the_side_says_what_it_counts(rig: Rig) -> None:
    mine = len(shown().history)
    spoken = {line.key: line.accessible_text for line in rig.view.sidebar.page_list.items()}
    assert spoken[ROUNDS] == f"Rounds, {mine}"
    assert [line.accessible_text for line in rig.view.sidebar.game_list.items()] == [
        f"Natural Selection 2, {mine} rounds of yours",
        "Xonotic, 87 rounds of yours",
    ]
    found = QAccessible.queryAccessibleInterface(rig.view.sidebar.page_list)
    assert found is not None
    assert found.role() == QAccessible.Role.List
    assert found.child(0).text(QAccessible.Text.Name) == "Now"


def test_games_and_systems_are_chosen_here(rig: Rig) -> None:
    rig.view.sidebar.game_list.choose("xonotic")
    menu = rig.view.header.system_menu.menu()
    titles = [action.text() for action in menu.actions()]
    assert titles == ["NS2 logistic", "TrueSkill 2", "XonStat Elo"]
    assert [action.text() for action in menu.actions() if action.isChecked()] == ["NS2 logistic"]
    menu.actions()[1].trigger()
    menu.deleteLater()
    assert ("game", "xonotic") in rig.panel.asked
    assert ("system", "trueskill2") in rig.panel.asked


def test_where_room_is_short_the_side_is_icons_and_the_head_offers_the_games(rig: Rig) -> None:
    rig.view.resize(900, 474)
    assert rig.view.sidebar.is_collapsed
    assert rig.view.header.game_menu.isVisible()
    assert rig.view.sidebar.identity_button.isVisible()
    assert not rig.view.sidebar.game_list.isVisible()
    rig.view.resize(1280, 714)
    assert not rig.view.header.game_menu.isVisible()
    assert rig.view.sidebar.game_list.isVisible()
    rig.view.sidebar.fold_button.click()
    assert rig.view.sidebar.is_collapsed


def test_what_does_not_fit_is_scrolled_to_by_keys(rig: Rig) -> None:
    assert rig.now.focusPolicy() == Qt.FocusPolicy.NoFocus
    rig.view.resize(900, 474)
    page = rig.now
    assert page.focusPolicy() == Qt.FocusPolicy.StrongFocus
    without = page.grab().toImage()
    page.setFocus()
    assert page.grab().toImage() != without
    QTest.keyClick(page, Qt.Key.Key_PageDown)
    assert page.verticalScrollBar().value() > 0


def test_without_rounds_it_says_what_to_do(open_view: Open) -> None:
    rig = open_view()
    empty = rig.view.empty_page
    assert rig.view.stack.currentWidget() is empty
    assert empty.reason is EmptyReason.NO_ROUNDS
    assert empty.action_button.text() == "Import files…"
    for block in (empty.folder_block, empty.typed_skill_block, empty.identity_block):
        block.button.click()
    rig.view.sidebar.change_link.click()
    assert rig.steps.done == [("folders", ""), ("sources", ""), ("who", ""), ("who", "")]
    assert not rig.view.header.system_menu.isVisible()


def test_rounds_of_others_ask_who_the_user_is(open_view: Open) -> None:
    rig = open_view(None, [GameRecord("ns2", "Natural Selection 2", 642, 0)])
    empty = rig.view.empty_page
    assert empty.reason is EmptyReason.NO_OWN_ROUNDS
    assert empty.title_label.text() == "642 rounds imported"
    empty.action_button.click()
    assert rig.steps.done == [("who", "ns2")]


def test_what_is_being_rated_for_the_first_time_shows_how_far_it_is(open_view: Open) -> None:
    rig = open_view(None, [GameRecord("ns2", "Natural Selection 2", 642, None)])
    empty = rig.view.empty_page
    assert empty.reason is EmptyReason.RATING_IN_PROGRESS
    rig.panel.progress_changed.emit(WorkProgress("rate", 321, 642))
    assert empty.progress_bar.isVisible()
    assert empty.progress_bar.accessibleDescription() == "50%"
    rig.view.status_widget.cancel_link.click()
    assert ("cancel",) in rig.panel.asked
    assert empty.action_button.text() == "Rate now"
    empty.action_button.click()
    assert ("refresh",) in rig.panel.asked
    assert empty.reason is EmptyReason.RATING_IN_PROGRESS
    rig.panel.show(shown())
    assert isinstance(rig.view.stack.currentWidget(), NowPage)


def test_the_status_line_tells_the_record_and_what_is_done(rig: Rig) -> None:
    known, work = rig.view.status_widget.texts()
    assert known.startswith("Round files: 642 rounds, 214 yours, read 2 min ago")
    assert "Steam user stats: 40 min ago" in known
    assert work == ""
    assert rig.view.requests_widget.text() == "No other services contacted"
    rig.panel.progress_changed.emit(WorkProgress("rate", 31, 100))
    assert rig.view.status_widget.texts()[1] == "Rating 31 %"
    rig.view.status_widget.cancel_link.click()
    assert ("cancel",) in rig.panel.asked
    rig.panel.progress_changed.emit(None)
    assert rig.view.status_widget.texts()[1] == ""
    rig.view.requests_widget.log_link.click()
    assert rig.steps.done == [("log", "ns2")]


def test_files_dropped_anywhere_are_taken_in(rig: Rig, tmp_path: object) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/rounds/a.jsonl"), QUrl("https://example.net/b.json"), QUrl.fromLocalFile("/b")])
    actions, buttons, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPointF(9, 9).toPoint(), actions, data, buttons, none)
    QApplication.sendEvent(rig.view, enter)
    assert enter.isAccepted()
    assert rig.view.drop_overlay.isVisible()
    QApplication.sendEvent(rig.view, QDropEvent(QPointF(9, 9), actions, data, buttons, none))
    assert not rig.view.drop_overlay.isVisible()
    imported = next(each for each in rig.panel.asked if each[0] == "import")
    assert [path.as_posix() for path in imported[1:]] == ["/rounds/a.jsonl", "/b"]
    words = QMimeData()
    words.setText("moth")
    refused = QDragEnterEvent(QPointF(9, 9).toPoint(), actions, words, buttons, none)
    refused.ignore()
    QApplication.sendEvent(rig.view, refused)
    assert not refused.isAccepted()


def test_what_went_wrong_stands_there_until_it_is_read(rig: Rig) -> None:
    strip = rig.view.problem_bar
    assert not strip.isVisible()
    for number in range(7):
        rig.panel.error_message.emit(f"{number}.json: line 1: no <b>rounds</b>")
    rig.panel.status_message.emit("30 rounds read, 30 of them new.")
    lines = strip.text().split("\n")
    assert strip.isVisible()
    assert lines[0] == "0.json: line 1: no <b>rounds</b>"
    assert len(lines) == 6
    assert lines[-1] == "and 2 more"
    strip.close_button.click()
    assert not strip.isVisible()


def rows(page: HabitsPage) -> list[str]:
    return [page.model.cell_text(place, 0) for place in range(page.model.rowCount())]


def test_a_round_of_another_page_is_shown_taken_apart(rig: Rig) -> None:
    round_id = shown().history.ids[-3]
    rig.view.show_round(round_id)
    assert rig.view.current_page == ROUNDS
    assert rig.panel.asked[-1] == ("explain_round",)


def test_sources_are_said_anew_without_touching_the_pages(rig: Rig) -> None:
    before = rig.now.sources_section.row_texts
    rig.steps.states = states()[:1]
    rig.view.show_sources()
    assert len(rig.now.sources_section.row_texts) == 1 < len(before)
    assert rig.view.requests_widget.text() == "No online services in use"


def test_habits_stand_in_groups_the_clearest_first(rig: Rig) -> None:
    page = rig.habits
    assert rows(page) == [
        "Maps", "ns2_veil", "ns2_summit", "ns2_tram", "ns2_biodome",
        "Teams", "Marines", "Aliens",
        "Time of day", "20:00 to 21:00", "9:00 to 10:00",
        "Teammates", "moth", "LowTide",
        "Opponents", "harrow",
    ]  # fmt: skip
    verdict = page.model.columnCount() - 1
    assert page.model.cell_text(1, verdict) == "clearly good"
    assert verdict_reason("good") in page.model.cell_accessible_text(1, verdict)
    assert "15.2 to 25.7 of 41" in page.model.cell_accessible_text(1, verdict - 1)


def test_habits_are_sorted_inside_their_groups_and_filtered(rig: Rig) -> None:
    page = rig.habits
    page.table.header.sectionClicked.emit(0)
    assert rows(page)[:5] == ["Maps", "ns2_biodome", "ns2_summit", "ns2_tram", "ns2_veil"]
    assert rows(page)[8:11] == ["Time of day", "9:00 to 10:00", "20:00 to 21:00"]
    page.table.header.sectionClicked.emit(0)
    assert rows(page)[1] == "ns2_veil"
    page.min_rounds_menu.value_chosen.emit("1")
    assert "ns2_origin" in rows(page)
    page.min_rounds_menu.value_chosen.emit("50")
    assert rows(page) == ["Teams", "Marines", "Aliens", "Teammates", "moth", "Opponents", "harrow"]
    page.group_menu.value_chosen.emit("map")
    assert rows(page) == []
    assert page.note_label.text() == "No entries with that many rounds yet."
    page.min_rounds_menu.value_chosen.emit("5")
    assert rows(page)[0] == "Maps"
    assert len(rows(page)) == 5


def test_habits_are_reached_and_copied_by_keys(rig: Rig) -> None:
    page = rig.habits
    page.table.setFocus()
    assert page.table.currentIndex().row() == 1  # the first row is a title
    QTest.keyClick(page.table, Qt.Key.Key_C, CTRL)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0].split("\t")[:3] == ["Name", "Rounds", "Expected"]
    assert lines[2].split("\t")[:4] == ["ns2_veil", "41", "20.4", "30"]


def test_names_of_players_are_never_markup(rig: Rig) -> None:
    page = rig.habits
    page._show_habits([WinPattern("mate", "p1", "<b>moth</b>", 30, 15.0, 15.0, 11.0, 19.0, 1.0, "as expected")])
    index = page.model.index(1, 0)
    assert index.data() == "<b>moth</b>"
    assert "&lt;b&gt;" in index.data(Qt.ItemDataRole.ToolTipRole)


@pytest.mark.parametrize("palette", ["light", "dark", "contrast"])
@pytest.mark.parametrize("key", [NOW, HABITS])
def test_pages_are_drawn_in_every_palette(rig: Rig, theme: Theme, palette: str, key: str) -> None:
    rig.view.show_page(key)
    before = rig.view.grab().toImage()
    theme.set_theme(palette)
    after = rig.view.grab().toImage()
    assert after.pixelColor(600, 5) == theme.palette.color("surface")
    assert after.pixelColor(20, 600) == theme.palette.color("window")
    assert (after == before) == (palette == "light")


@pytest.fixture
def mirrored(qapp: QApplication) -> Iterator[None]:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_the_view_is_mirrored_but_its_numbers_are_not(mirrored: None, open_view: Open) -> None:
    rig = open_view(shown())
    rig.view.grab()
    assert rig.view.sidebar.x() == rig.view.width() - rig.view.sidebar.width()
    scale = rig.now.summary.rating_scale.grab().toImage()
    accent = [x for x in range(scale.width()) if scale.pixelColor(x, 48).name() == "#0a6664"]
    assert accent  # the band of Veteran, 1400 to 2100 of 4600: right of the middle where it is mirrored
    assert scale.width() / 2 < (accent[0] + accent[-1]) / 2
    assert plain(rig.now.summary.rating_label.text()).startswith("1 ")


def test_every_control_has_a_name(rig: Rig) -> None:
    for key in (NOW, HABITS):
        rig.view.show_page(key)
        for widget in rig.view.findChildren(QWidget):
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible():
                found = QAccessible.queryAccessibleInterface(widget)
                assert found is not None
                assert found.text(QAccessible.Text.Name), widget


def test_tab_goes_from_the_side_over_the_head_into_the_page(rig: Rig) -> None:
    rig.view.sidebar.page_list.setFocus()
    seen = []
    for _ in range(8):
        seen.append(rig.view.focusWidget().accessibleName() or rig.view.focusWidget().text())  # type: ignore[attr-defined]
        QTest.keyClick(rig.view.focusWidget(), Qt.Key.Key_Tab)
    assert seen[:5] == [
        "My Skill pages",
        "Games",
        "Change identity",
        "Collapse the sidebar to icons",
        "System: NS2 logistic",
    ]
    assert seen[5:7] == ["Last 20 rounds", "Change skill sources"]
