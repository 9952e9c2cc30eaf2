"""The view My Skill: pages, sidebar, status, import and accessibility."""

import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAccessible, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from skill_view_helpers import XONOTIC, FakeSkillModel, Open, SkillViewFixture, example_state, source_states

from browser_app import language
from browser_app.application.own_skill.skill_state import GameRecord, OwnSkill, WorkProgress
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.number_text import GROUP_SEPARATOR
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.ui.skill.now.now_page import NowPage
from browser_app.ui.skill.rounds.rounds_page import RoundsPage
from browser_app.ui.skill.skill_pages import HABITS, NOW, ROUNDS, SKILL_PAGES
from browser_app.ui.skill.view.empty_skill_page import EmptyReason
from browser_app.ui.skill.view.skill_header import SkillHeader
from browser_app.ui.skill.view.skill_view import SkillView
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.tables.row_table import TableHeader
from browser_app.ui.widgets.theme import Theme

CTRL = Qt.KeyboardModifier.ControlModifier


def plain(text: str) -> str:
    return text.replace(GROUP_SEPARATOR, " ")


def test_now_shows_rating_tier_and_uncertainty(skill: SkillViewFixture) -> None:
    now = example_state().now
    assert now.value is not None
    head = skill.now.summary
    assert plain(head.rating_label.text()) == plain(f"{now.value:,.0f}".replace(",", " "))
    assert head.tier_label.text() == "Veteran"
    assert "90 %" in head.uncertainty_label.text()
    assert head.basis_label.text()
    assert head.rating_scale.isVisible()
    assert "Veteran" in head.rating_scale.accessibleDescription()
    assert skill.now.plot.point_count() == 20
    assert [line[0] for line in skill.now.sources_section.row_texts] == [
        "Round files",
        "Steam user stats",
        "Number you entered",
    ]


def test_system_without_tiers_uses_quarters(skill: SkillViewFixture) -> None:
    skill.model.show(example_state("trueskill2"))
    assert skill.now.summary.tier_label.text() in ("Bottom quarter", "Second quarter", "Third quarter", "Top quarter")
    assert skill.now.summary.basis_label.isHidden()
    assert skill.view.header.system_menu.text() == "TrueSkill 2"


def test_usage_text_follows_server_list(skill: SkillViewFixture) -> None:
    catalogue = skill.services.server_list.catalogue
    for number, server_skill in enumerate((1500.0, None, 1800.0)):
        address = Address("198.51.100.1", 27015 + number)
        info = ServerInfo("ns2", "x", "", address, 3, 0, None, 20, mode="ns2", server_skill=server_skill)
        target = QueryTarget(address, "a2s", "ns2")
        catalogue.merge([QueryResult(target, QueryStatus.OK, info, None, 40.0, False, 1, time.time())])
    assert "not available" in skill.now.usage_section.texts()[0]
    assert skill.now.usage_section.list_link.isHidden()
    skill.model.own_skills = {"ns2": OwnSkill(1640.0, "record")}
    skill.model.own_skill_changed.emit()
    assert plain(skill.now.usage_section.texts()[0]) == "1 640 is used to score 2 servers of Natural Selection 2 now."
    catalogue.blocked[0] = True
    skill.services.server_list.rescored.emit()
    assert plain(skill.now.usage_section.texts()[0]) == "1 640 is used to score 1 server of Natural Selection 2 now."
    wanted: list[str] = []
    skill.view.server_list_requested.connect(wanted.append)
    skill.now.usage_section.list_link.click()
    assert wanted == ["ns2"]


def test_pages_are_created_lazily(skill: SkillViewFixture) -> None:
    assert set(skill.view._pages) == {NOW}
    skill.view.sidebar.page_list.choose(HABITS)
    assert set(skill.view._pages) == {NOW, HABITS}
    assert skill.view.header.title_label.text() == "Habits"
    assert skill.services.ui_state.get("skill_page") == HABITS
    asked = skill.model.calls.count(("habits",))
    skill.view.show_page(NOW)
    skill.view.show_page(HABITS)
    assert skill.model.calls.count(("habits",)) == asked == 1
    skill.model.show(example_state("trueskill2"))
    assert skill.model.calls.count(("habits",)) == 2


def test_page_keys_wrap_around(skill: SkillViewFixture) -> None:
    skill.view.sidebar.page_list.setFocus()
    seen = []
    for _ in SKILL_PAGES:
        seen.append(skill.view.current_page)
        skill.view.step_page(1)
    assert seen == [kind.key for kind in SKILL_PAGES]
    assert skill.view.current_page == NOW
    skill.view.step_page(-1)
    assert skill.view.current_page == SKILL_PAGES[-1].key
    QTest.keyClick(skill.view.sidebar.page_list, Qt.Key.Key_Home)
    QTest.keyClick(skill.view.sidebar.page_list, Qt.Key.Key_Down)
    assert skill.view.current_page == SKILL_PAGES[1].key


def test_sidebar_counts_are_accessible(skill: SkillViewFixture) -> None:
    mine = len(example_state().history)
    spoken = {line.key: line.accessible_text for line in skill.view.sidebar.page_list.items()}
    assert spoken[ROUNDS] == f"Rounds, {mine}"
    assert [line.accessible_text for line in skill.view.sidebar.game_list.items()] == [
        f"Natural Selection 2, {mine} rounds of yours",
        "Xonotic, 87 rounds of yours",
    ]
    found = QAccessible.queryAccessibleInterface(skill.view.sidebar.page_list)
    assert found is not None
    assert found.role() == QAccessible.Role.List
    assert found.child(0).text(QAccessible.Text.Name) == "Now"


def test_game_and_system_can_be_chosen(skill: SkillViewFixture) -> None:
    skill.view.sidebar.game_list.choose("xonotic")
    menu = skill.view.header.system_menu.menu()
    titles = [action.text() for action in menu.actions()]
    assert titles == ["NS2 logistic", "TrueSkill 2", "XonStat Elo"]
    assert [action.text() for action in menu.actions() if action.isChecked()] == ["NS2 logistic"]
    menu.actions()[1].trigger()
    menu.deleteLater()
    assert ("game", "xonotic") in skill.model.calls
    assert ("system", "trueskill2") in skill.model.calls


@pytest.mark.parametrize(
    ("chosen", "width", "text"),
    [(False, 800, "As known then"), (False, 40, "Then"), (True, 800, "With hindsight"), (True, 40, "Hindsight")],
)
def test_narrow_header_shortens_choice(qtbot: QtBot, theme: Theme, chosen: bool, width: int, text: str) -> None:
    window = QWidget()
    header = SkillHeader(theme)
    fill_box(QHBoxLayout(window), header)
    qtbot.addWidget(window)
    header.show_full_history(chosen)
    window.resize(800, 60)
    window.show()
    window.resize(width, 60)
    qtbot.waitUntil(lambda: header.history_menu.text() == text)


@pytest.mark.parametrize("chosen_language", [language.ENGLISH, "de"])
def test_header_texts_fit_in_narrow_view(qtbot: QtBot, theme: Theme, chosen_language: str) -> None:
    language.set_language(resource_folder() / "languages", chosen_language)
    try:
        skill = SkillViewFixture(qtbot, theme, FakeSkillModel(example_state(), [example_state().game, XONOTIC]))
        skill.model.full_history = False
        skill.view.refresh()
        skill.view.resize(640, 360)
        for page in (each.key for each in SKILL_PAGES):
            skill.view.show_page(page)
            QApplication.processEvents()
            QApplication.processEvents()
            assert cut_texts(skill.view) == [], page
    finally:
        language.set_language(resource_folder() / "languages", language.ENGLISH)


def cut_texts(view: SkillView) -> list[str]:
    """Return the texts of the header and titles of table columns that do not fit."""
    parts: list[Label | Button] = [*view.header.findChildren(Label), *view.header.findChildren(Button)]
    cut = [each.text() for each in parts if each.isVisible() and each.width() < each.sizeHint().width()]
    for header in view.findChildren(TableHeader):
        sections = [place for place in range(header.count()) if not header.isSectionHidden(place)]
        if header.isVisible():
            assert sum(map(header.sectionSize, sections)) <= header.viewport().width()
            narrow = [place for place in sections if header.sectionSize(place) < header.title_width(place)]
            cut += [str(header.model().headerData(place, Qt.Orientation.Horizontal)) for place in narrow]
    return cut


def test_hindsight_can_be_chosen(skill: SkillViewFixture) -> None:
    menu = skill.view.header.history_menu
    assert not menu.isVisible()
    skill.model.full_history = False
    skill.view.refresh()
    assert (menu.isVisible(), menu.text()) == (True, "As known then")
    assert [title for _, title in menu.choices] == ["As known then", "With hindsight"]
    menu.value_chosen.emit("hindsight")
    assert skill.model.calls[-1] == ("full history", True)
    skill.model.full_history = True
    skill.view.refresh()
    assert menu.text() == "With hindsight"


def test_narrow_view_collapses_sidebar(skill: SkillViewFixture) -> None:
    skill.view.resize(900, 474)
    assert skill.view.sidebar.is_collapsed
    assert skill.view.header.game_menu.isVisible()
    assert skill.view.sidebar.identity_button.isVisible()
    assert not skill.view.sidebar.game_list.isVisible()
    skill.view.resize(1280, 714)
    assert not skill.view.header.game_menu.isVisible()
    assert skill.view.sidebar.game_list.isVisible()
    skill.view.sidebar.collapse_button.click()
    assert skill.view.sidebar.is_collapsed


def test_keys_scroll_page(skill: SkillViewFixture) -> None:
    assert skill.now.focusPolicy() == Qt.FocusPolicy.NoFocus
    skill.view.resize(900, 474)
    page = skill.now
    assert page.focusPolicy() == Qt.FocusPolicy.StrongFocus
    without = page.grab().toImage()
    page.setFocus()
    assert page.grab().toImage() != without
    QTest.keyClick(page, Qt.Key.Key_PageDown)
    assert page.verticalScrollBar().value() > 0


def test_empty_page_without_rounds(open_view: Open) -> None:
    skill = open_view()
    empty = skill.view.empty_page
    assert skill.view.stack.currentWidget() is empty
    assert empty.reason is EmptyReason.NO_ROUNDS
    assert empty.action_button.text() == "Import files…"
    for block in (empty.folder_block, empty.entered_skill_block, empty.identity_block):
        block.button.click()
    skill.view.sidebar.change_link.click()
    assert skill.services.opened == [("FOLDERS", ""), ("SOURCES", ""), ("who", ""), ("who", "")]
    assert not skill.view.header.system_menu.isVisible()


def test_empty_page_without_own_rounds(open_view: Open, qtbot: QtBot) -> None:
    skill = open_view(None, [GameRecord("ns2", "Natural Selection 2", 642, 0)])
    empty = skill.view.empty_page
    assert empty.reason is EmptyReason.NO_OWN_ROUNDS
    assert empty.title_label.text() == "642 rounds imported"
    empty.action_button.click()
    assert skill.services.opened == [("who", "ns2")]
    with qtbot.waitSignal(empty.import_requested):
        empty.import_button.click()


def test_empty_page_shows_rating_progress(open_view: Open) -> None:
    skill = open_view(None, [GameRecord("ns2", "Natural Selection 2", 642, None)])
    empty = skill.view.empty_page
    assert empty.reason is EmptyReason.RATING_IN_PROGRESS
    skill.model.progress_changed.emit(WorkProgress("rate", 321, 642))
    assert empty.progress_bar.isVisible()
    assert empty.progress_bar.value() == 50
    skill.view.status_widget.cancel_link.click()
    assert ("cancel",) in skill.model.calls
    assert empty.action_button.text() == "Rate now"
    empty.action_button.click()
    assert ("refresh",) in skill.model.calls
    assert empty.reason is EmptyReason.RATING_IN_PROGRESS
    skill.model.show(example_state())
    assert isinstance(skill.view.stack.currentWidget(), NowPage)


def test_status_shows_sources_and_task(skill: SkillViewFixture) -> None:
    known, work = skill.view.status_widget.texts()
    assert known.startswith("Round files: 642 rounds, 214 yours, read 2 min ago")
    assert "Steam user stats: 40 min ago" in known
    assert work == ""
    assert skill.view.requests_widget.text() == "No other services contacted"
    skill.model.progress_changed.emit(WorkProgress("rate", 31, 100))
    assert skill.view.status_widget.texts()[1] == "Rating 31\u00a0%"
    skill.view.status_widget.cancel_link.click()
    assert ("cancel",) in skill.model.calls
    skill.model.progress_changed.emit(None)
    assert skill.view.status_widget.texts()[1] == ""
    skill.view.requests_widget.log_link.click()
    assert skill.services.opened == [("REQUEST_LOG", "ns2")]


def test_dropped_files_are_imported(skill: SkillViewFixture, tmp_path: object) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/rounds/a.jsonl"), QUrl("https://example.net/b.json"), QUrl.fromLocalFile("/b")])
    actions, buttons, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPointF(9, 9).toPoint(), actions, data, buttons, none)
    QApplication.sendEvent(skill.view, enter)
    assert enter.isAccepted()
    assert skill.view.drop_overlay.isVisible()
    QApplication.sendEvent(skill.view, QDropEvent(QPointF(9, 9), actions, data, buttons, none))
    assert not skill.view.drop_overlay.isVisible()
    imported = next(each for each in skill.model.calls if each[0] == "import")
    assert [path.as_posix() for path in imported[1:]] == ["/rounds/a.jsonl", "/b"]
    words = QMimeData()
    words.setText("moth")
    refused = QDragEnterEvent(QPointF(9, 9).toPoint(), actions, words, buttons, none)
    refused.ignore()
    QApplication.sendEvent(skill.view, refused)
    assert not refused.isAccepted()


def test_rounds_page_imports_chosen_files(skill: SkillViewFixture) -> None:
    skill.view.show_page(ROUNDS)
    page = skill.view.stack.currentWidget()
    assert isinstance(page, RoundsPage)
    page.import_button.click()
    dialog = skill.view.findChild(QFileDialog)
    assert dialog is not None
    dialog.filesSelected.emit(["/a/rounds.jsonl"])
    dialog.reject()
    assert [path.as_posix() for path in skill.model.calls[-1][1:]] == ["/a/rounds.jsonl"]


def test_problems_stay_until_closed(skill: SkillViewFixture) -> None:
    strip = skill.view.problem_bar
    assert not strip.isVisible()
    for number in range(7):
        skill.model.error_reported.emit(f"{number}.json: line 1: no <b>rounds</b>")
    skill.model.status_reported.emit("30 rounds read, 30 of them new.")
    lines = strip.text().split("\n")
    assert strip.isVisible()
    assert lines[0] == "0.json: line 1: no <b>rounds</b>"
    assert len(lines) == 6
    assert lines[-1] == "and 2 more"
    strip.close_button.click()
    assert not strip.isVisible()


def test_show_round_requests_its_explanation(skill: SkillViewFixture) -> None:
    round_id = example_state().history.ids[-3]
    skill.view.show_round(round_id)
    assert skill.view.current_page == ROUNDS
    assert skill.model.calls[-1] == ("explain_round",)


def test_show_sources_updates_texts(skill: SkillViewFixture) -> None:
    before = skill.now.sources_section.row_texts
    skill.services.states = source_states()[:1]
    skill.view.show_sources()
    assert len(skill.now.sources_section.row_texts) == 1 < len(before)
    assert skill.view.requests_widget.text() == "No online services in use"


@pytest.mark.parametrize("palette", ["light", "dark", "contrast"])
@pytest.mark.parametrize("key", [NOW, HABITS])
def test_pages_paint_in_every_palette(skill: SkillViewFixture, theme: Theme, palette: str, key: str) -> None:
    skill.view.show_page(key)
    before = skill.view.grab().toImage()
    theme.set_theme(palette)
    after = skill.view.grab().toImage()
    assert after.pixelColor(600, 5) == theme.palette.color("surface")
    assert after.pixelColor(20, 600) == theme.palette.color("window")
    assert (after == before) == (palette == "light")


@pytest.fixture
def mirrored(qapp: QApplication) -> Iterator[None]:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_mirrored_view_keeps_number_order(mirrored: None, open_view: Open) -> None:
    skill = open_view(example_state())
    skill.view.grab()
    assert skill.view.sidebar.x() == skill.view.width() - skill.view.sidebar.width()
    scale = skill.now.summary.rating_scale.grab().toImage()
    accent = [x for x in range(scale.width()) if scale.pixelColor(x, 48).name() == "#0a6664"]
    assert accent  # Veteran's band, 1400 to 2100 of 4600, is in the right half when mirrored
    assert scale.width() / 2 < (accent[0] + accent[-1]) / 2
    assert plain(skill.now.summary.rating_label.text()).startswith("1 ")


def test_controls_have_accessible_names(skill: SkillViewFixture) -> None:
    for key in (NOW, HABITS):
        skill.view.show_page(key)
        for widget in skill.view.findChildren(QWidget):
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible():
                found = QAccessible.queryAccessibleInterface(widget)
                assert found is not None
                assert found.text(QAccessible.Text.Name), widget


def test_tab_order(skill: SkillViewFixture) -> None:
    skill.view.sidebar.page_list.setFocus()
    seen = []
    for _ in range(9):
        seen.append(skill.view.focusWidget().accessibleName() or skill.view.focusWidget().text())  # type: ignore[attr-defined]
        QTest.keyClick(skill.view.focusWidget(), Qt.Key.Key_Tab)
    assert seen[:6] == [
        "My Skill pages",
        "Games",
        "Change identity",
        "Collapse the sidebar to icons",
        "Import…",
        "System: NS2 logistic",
    ]
    assert seen[6:8] == ["Last 20 rounds", "Change skill sources"]


def test_now_offers_import(skill: SkillViewFixture) -> None:
    assert skill.now.import_button.isVisible()
    skill.now.import_button.click()
    dialog = skill.view.findChild(QFileDialog)
    assert dialog is not None
    dialog.close()
