"""The page Fair games and the balance: a person's hands on them."""

import threading
from collections.abc import Iterator, Mapping

import pytest
from fair_rig import FakeLive, services_of, unteamed
from patience import LIMIT_S
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from rounds_page_rig import ME, Panel, played

from browser_app.ui.skill.fair.balance_dialog import BalanceDialog
from browser_app.ui.skill.fair.expected_change import ExpectedChange
from browser_app.ui.skill.fair.expected_control import ExpectedControl
from browser_app.ui.skill.fair.fair_page import FairPage
from browser_app.ui.skill.fair.outlook import Asked, Outlook, outlook
from browser_app.ui.skill.fair.outlooks import Outlooks
from browser_app.ui.skill.fair.paste_dialog import PasteDialog
from browser_app.ui.skill.fair.roster import Roster
from browser_app.ui.skill.fair.team_model import MIME
from browser_app.ui.skill.services import SkillServices
from browser_app.ui.theme import Theme

RECORD = played(60)
PASTED = "Marines\nmoth, harrow, ninepin\nsable\nAliens\npim, tin kettle, you, stranger"


@pytest.fixture
def panel(qapp: QApplication) -> Panel:
    return Panel(RECORD)


@pytest.fixture
def live(qapp: QApplication) -> FakeLive:
    return FakeLive()


@pytest.fixture
def services(panel: Panel, live: FakeLive) -> Iterator[SkillServices]:
    services = services_of(panel, live)
    yield services
    services.outlooks.close()
    for thread in threading.enumerate():
        if thread.name == "background":
            thread.join(LIMIT_S)


@pytest.fixture
def page(qtbot: QtBot, qapp: QApplication, panel: Panel, services: SkillServices) -> Iterator[FairPage]:
    page = FairPage(Theme(qapp, "light"), services)
    qtbot.addWidget(page)
    page.resize(1000, 600)
    page.show_data(panel.shown)
    page.show()
    qtbot.waitUntil(lambda: services.outlooks.roster is not None)
    yield page
    page.hide()


@pytest.fixture
def dialog(qtbot: QtBot, page: FairPage) -> Iterator[BalanceDialog]:
    QTest.mouseClick(page.balance, Qt.MouseButton.LeftButton)
    dialog = page.findChild(BalanceDialog)
    assert dialog is not None
    dialog.take(PASTED)
    balanced(qtbot, dialog, 8)
    yield dialog
    dialog.reject()


def balanced(bot: QtBot, dialog: BalanceDialog, players: int) -> None:
    """Wait for the teams of what was asked last."""
    bot.waitUntil(
        lambda: (
            dialog.result_shown is not None
            and dialog.result_shown.line_up == dialog._line_up
            and len(dialog.result_shown.line_up.seats) == players
        )
    )


def team_of(dialog: BalanceDialog, player: str) -> int:
    return next(team for team, players in enumerate(dialog.lists) if players.players.place_of(player) >= 0)


def press(bot: QtBot, dialog: BalanceDialog, player: str, key: Qt.Key, players: int = 8) -> None:
    shown = dialog.lists[team_of(dialog, player)]
    assert shown.choose(player)
    QTest.keyClick(shown, key)
    balanced(bot, dialog, players)


def test_a_page_that_is_made_when_all_is_known_can_be_used_at_once(
    page: FairPage, services: SkillServices, qtbot: QtBot
) -> None:
    """Others ask for the same calculation before the page is first opened."""
    assert services.outlooks.roster is not None
    later = FairPage(page._theme, services)
    qtbot.addWidget(later)
    later.show_data(None)
    assert later.balance.isEnabled()
    assert later.paste.isEnabled()


def test_the_selected_servers_game_is_told_for_either_side(
    page: FairPage, live: FakeLive, services: SkillServices, qtbot: QtBot
) -> None:
    told = live.tell(1, "Veil EU", [("moth", 1), ("harrow", 1), ("ninepin", 2), ("stranger", 2)])
    services.outlooks.select(told)
    qtbot.waitUntil(page.expected.isVisible)
    assert page.words.text() == "Veil EU: 3 of 4 players known from your record."
    said = page.expected.accessibleName()
    assert said.count("win +") == said.count("lose −") == 2
    assert "Marines" in said
    assert "Aliens" in said


def test_servers_stand_by_how_even_they_are_and_a_line_selects_its_server(
    page: FairPage, live: FakeLive, services: SkillServices, qtbot: QtBot
) -> None:
    names = live.tell(1, "Names only", unteamed("moth", "harrow", "sable"))
    live.tell(2, "Strangers", unteamed("a", "b"))
    uneven = live.tell(3, "Uneven", [("moth", 1), ("sable", 1), ("krill", 1), ("dunlin", 2)])
    page.show_data(None)
    qtbot.waitUntil(lambda: [line.server for line in page.list.servers.lines] == [names, uneven])
    page.list.setCurrentIndex(page.list.servers.index(0))
    assert services.outlooks.server == names
    qtbot.waitUntil(lambda: page.words.text().startswith("Names only tells names only: 3 of 3"))


def test_it_is_said_when_nobody_is_known_and_asking_asks_the_fullest(
    page: FairPage, live: FakeLive, services: SkillServices, qtbot: QtBot
) -> None:
    strangers = live.tell(1, "Strangers", unteamed("a", "b"))
    fuller = live.tell(2, "Fuller", unteamed("a", "b", "c"))
    live.tell(3, "Empty", [])
    services.outlooks.select(strangers)
    qtbot.waitUntil(lambda: "0 of 2 players known" in page.words.text())
    assert page.none.isVisible()
    assert page.words.geometry().bottom() < 60  # what there is to say stands together, at the top
    assert page.none.geometry().bottom() < page.height() / 2
    assert not page.expected.isVisible()
    told: list[str] = []
    page.told.connect(told.append)
    QTest.mouseClick(page.ask_first, Qt.MouseButton.LeftButton)
    assert live.asked == [fuller, strangers]
    assert told == ["Asking 2 servers who plays there."]


def test_the_balance_begins_with_the_servers_players(
    page: FairPage, live: FakeLive, services: SkillServices, qtbot: QtBot
) -> None:
    services.outlooks.select(live.tell(1, "Veil EU", [("moth", 1), ("harrow", 1), ("ninepin", 2)]))
    qtbot.waitUntil(page.expected.isVisible)
    QTest.mouseClick(page.balance, Qt.MouseButton.LeftButton)
    dialog = page.findChild(BalanceDialog)
    assert dialog is not None
    balanced(qtbot, dialog, 4)
    assert {line.id for players in dialog.lists for line in players.players.lines} == {"p1", "p2", "p3", ME}
    dialog.reject()


def test_the_dialog_says_before_and_after_swaps_and_what_it_is_for_me(dialog: BalanceDialog) -> None:
    result = dialog.result_shown
    assert result is not None
    assert " → " in dialog.chances.text()
    assert dialog.about.text().startswith("chance of the Marines")
    assert dialog.count.text() == "8 players, 7 known from your record, 1 not"
    assert "a win would give +" in dialog.end.text()
    assert dialog.scale.accessibleName().startswith("before ")
    assert [players.players.rowCount() for players in dialog.lists] == [4, 4]


def test_keys_lock_move_seat_wish_and_take_out(dialog: BalanceDialog, qtbot: QtBot) -> None:
    for key, word in ((Qt.Key.Key_L, "locked"), (Qt.Key.Key_C, "commands"), (Qt.Key.Key_W, "wants this side")):
        player = {"locked": "p1", "commands": "p2", "wants this side": "p3"}[word]
        press(qtbot, dialog, player, key)
        lines = [line for players in dialog.lists for line in players.players.lines if line.id == player]
        assert word in lines[0].note
    team = team_of(dialog, "p4")
    press(qtbot, dialog, "p4", Qt.Key.Key_M)
    assert team_of(dialog, "p4") == 1 - team
    assert dialog.lists[1 - team].chosen() == "p4"
    press(qtbot, dialog, "stranger", Qt.Key.Key_Delete, players=7)
    assert all(players.players.place_of("stranger") < 0 for players in dialog.lists)


def test_a_dropped_player_is_on_that_team_and_stays(dialog: BalanceDialog, qtbot: QtBot) -> None:
    goes_to = 1 - team_of(dialog, "p4")
    data = QMimeData()
    data.setData(MIME, b"p4")
    where = QPointF(QPoint(20, 20))
    action, button, no_key = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    dialog.lists[goes_to].dropEvent(QDropEvent(where, action, data, button, no_key))
    balanced(qtbot, dialog, 8)
    assert team_of(dialog, "p4") == goes_to
    assert next(seat for seat in dialog._line_up.seats if seat.id == "p4").locked


def test_a_tick_taken_off_balances_anew(dialog: BalanceDialog, qtbot: QtBot) -> None:
    press(qtbot, dialog, "p4", Qt.Key.Key_C)
    before = dialog.result_shown
    dialog.boxes[2].click()
    qtbot.waitUntil(lambda: dialog.result_shown is not before)


def test_copied_text_can_be_pasted(dialog: BalanceDialog, qtbot: QtBot) -> None:
    QTest.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Marines (mean ")
    QTest.mouseClick(dialog.paste, Qt.MouseButton.LeftButton)
    paste = dialog.findChild(PasteDialog)
    assert paste is not None
    assert not paste.use.isEnabled()
    paste.field.setPlainText(copied)
    assert paste.words.text() == "8 players, 7 known from your record, 1 not"
    QTest.mouseClick(paste.use, Qt.MouseButton.LeftButton)
    balanced(qtbot, dialog, 8)
    assert dialog.result_shown is not None
    assert dialog.result_shown.moves == 0


def test_the_word_for_oneself_is_the_user(dialog: BalanceDialog, qtbot: QtBot) -> None:
    dialog._roster._named = {name: player for name, player in dialog._roster._named.items() if player != ME}
    dialog.take("moth, harrow, You")
    balanced(qtbot, dialog, 3)
    assert {seat.id for seat in dialog._line_up.seats} == {"p1", "p2", ME}


def test_the_inspector_follows_the_selection_and_the_players(
    qtbot: QtBot, qapp: QApplication, live: FakeLive, services: SkillServices
) -> None:
    widget = ExpectedChange(Theme(qapp, "light"))
    qtbot.addWidget(widget)
    control = ExpectedControl(widget, live, services.outlooks)  # type: ignore[arg-type]
    server = live.tell(1, "Veil EU", unteamed("moth", "harrow"))
    services.outlooks.select(server)
    qtbot.waitUntil(widget.isVisible)
    assert widget.accessibleName().endswith("2 of 2 players known")
    live.tell(1, "Veil EU", unteamed("moth", "harrow", "sable"))
    qtbot.waitUntil(lambda: widget.accessibleName().endswith("3 of 3 players known"))
    services.outlooks.select(-1)
    assert not widget.isVisible()
    control.close()


def test_who_is_known_by_a_pattern_is_not_taken_for_one_more_player(panel: Panel, live: FakeLive, qtbot: QtBot) -> None:
    outlooks = Outlooks(panel, live, lambda _game: ["*wren|*"])  # type: ignore[arg-type]
    outlooks.prepare()
    qtbot.waitUntil(lambda: outlooks.roster is not None)
    server = live.tell(1, "Veil EU", unteamed("moth", "harrow", "Wren|afk", "wren"))
    found: list[Mapping[int, Outlook]] = []
    outlooks.ask([server], found.append)
    qtbot.waitUntil(lambda: bool(found))
    assert (found[0][server].known, found[0][server].players) == (2, 3)
    outlooks.close()


def test_a_game_whose_players_stay_is_worked_out_once(
    live: FakeLive, services: SkillServices, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[int] = []

    def counted(roster: Roster, asked: Asked) -> Outlook:
        worked.append(asked.server)
        return outlook(roster, asked)

    monkeypatch.setattr("browser_app.ui.skill.fair.outlooks.outlook", counted)
    services.outlooks.prepare()
    qtbot.waitUntil(lambda: services.outlooks.roster is not None)
    server = live.tell(1, "Veil EU", unteamed("moth", "harrow"))
    found: list[Mapping[int, Outlook]] = []
    for _again in range(3):
        services.outlooks.ask([server], found.append)
        qtbot.waitUntil(lambda: bool(found))
        assert found.pop()[server].known == 2
    assert worked == [server]
    live.tell(1, "Veil EU", unteamed("moth", "harrow", "pim"))
    services.outlooks.ask([server], found.append)
    qtbot.waitUntil(lambda: bool(found))
    assert found.pop()[server].known == 3
    assert worked == [server, server]
