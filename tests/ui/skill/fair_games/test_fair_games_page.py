"""The page Fair games and the balance dialog."""

import threading
from collections.abc import Iterator, Mapping

import pytest
from fair_games_helpers import FakeServerList, create_services, without_teams
from PySide6.QtCore import QMimeData, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from rounds_helpers import ME, FakeRoundsModel, simulated_record
from timeouts import LIMIT_S

from browser_app.player.game_prediction import GamePrediction, GamePredictionRequest, predict_game
from browser_app.player.team_lineup import KnownPlayers
from browser_app.ui.skill.fair_games.balance_dialog import BalanceDialog
from browser_app.ui.skill.fair_games.balance_team_view import PLAYER_MIME_TYPE
from browser_app.ui.skill.fair_games.expected_change_panel import ExpectedChangeController, ExpectedChangePanel
from browser_app.ui.skill.fair_games.fair_games_page import FairGamesPage
from browser_app.ui.skill.fair_games.game_predictor import GamePredictor
from browser_app.ui.skill.fair_games.paste_players_dialog import PastePlayersDialog
from browser_app.ui.skill.skill_pages import SkillServices
from browser_app.ui.widgets.theme import Theme

RECORD = simulated_record(60)
PASTED = "Marines\nmoth, harrow, ninepin\nsable\nAliens\npim, tin kettle, you, stranger"


@pytest.fixture
def skill_model(qapp: QApplication) -> FakeRoundsModel:
    return FakeRoundsModel(RECORD)


@pytest.fixture
def server_list(qapp: QApplication) -> FakeServerList:
    return FakeServerList()


@pytest.fixture
def services(skill_model: FakeRoundsModel, server_list: FakeServerList) -> Iterator[SkillServices]:
    services = create_services(skill_model, server_list)
    yield services
    services.game_predictor.close()
    for thread in threading.enumerate():
        if thread.name == "background":
            thread.join(LIMIT_S)


@pytest.fixture
def page(
    qtbot: QtBot, qapp: QApplication, skill_model: FakeRoundsModel, services: SkillServices
) -> Iterator[FairGamesPage]:
    page = FairGamesPage(Theme(qapp, "light"), services)
    qtbot.addWidget(page)
    page.resize(1000, 600)
    page.show_data(skill_model.state)
    page.show()
    qtbot.waitUntil(lambda: services.game_predictor.known_players is not None)
    yield page
    page.hide()


@pytest.fixture
def dialog(qtbot: QtBot, page: FairGamesPage) -> Iterator[BalanceDialog]:
    QTest.mouseClick(page.balance_button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(BalanceDialog)
    assert dialog is not None
    dialog.set_pasted_players(PASTED)
    balanced(qtbot, dialog, 8)
    yield dialog
    dialog.reject()


def balanced(bot: QtBot, dialog: BalanceDialog, players: int) -> None:
    """Wait until the teams of the latest request are shown."""
    bot.waitUntil(
        lambda: (
            dialog.shown_result is not None
            and dialog.shown_result.lineup == dialog._lineup
            and len(dialog.shown_result.lineup.players) == players
        )
    )


def team_of(dialog: BalanceDialog, player: str) -> int:
    return next(team for team, players in enumerate(dialog.team_lists) if players.list_model.row_of(player) >= 0)


def press(bot: QtBot, dialog: BalanceDialog, player: str, key: Qt.Key, players: int = 8) -> None:
    shown = dialog.team_lists[team_of(dialog, player)]
    assert shown.select_player(player)
    QTest.keyClick(shown, key)
    balanced(bot, dialog, players)


def test_page_waits_for_ratings(qtbot: QtBot, theme: Theme, services: SkillServices) -> None:
    page = FairGamesPage(theme, services)
    qtbot.addWidget(page)
    page._update_predictions()
    assert not page.paste_button.isEnabled()
    assert page.message_label.text() == ""
    assert page.empty_label.text() == "Players are known once your rounds are rated."


def test_page_created_late_is_enabled(page: FairGamesPage, services: SkillServices, qtbot: QtBot) -> None:
    """Other parts may load the known players before the page is created."""
    assert services.game_predictor.known_players is not None
    later = FairGamesPage(page._theme, services)
    qtbot.addWidget(later)
    later.show_data(None)
    assert later.balance_button.isEnabled()
    assert later.paste_button.isEnabled()


def test_selected_server_shows_both_sides(
    page: FairGamesPage, server_list: FakeServerList, services: SkillServices, qtbot: QtBot
) -> None:
    server = server_list.add_server(1, "Veil EU", [("moth", 1), ("harrow", 1), ("ninepin", 2), ("stranger", 2)])
    services.game_predictor.select_server(server)
    qtbot.waitUntil(page.sides_table.isVisible)
    assert page.message_label.text().startswith("Veil EU: 3 of 4")
    description = page.sides_table.accessibleName()
    assert description.count("win +") == description.count("loss −") == 2
    assert "Marines" in description
    assert "Aliens" in description


def test_servers_are_ordered_by_fairness(
    page: FairGamesPage, server_list: FakeServerList, services: SkillServices, qtbot: QtBot
) -> None:
    names = server_list.add_server(1, "Names only", without_teams("moth", "harrow", "sable"))
    server_list.add_server(2, "Strangers", without_teams("a", "b"))
    uneven = server_list.add_server(3, "Uneven", [("moth", 1), ("sable", 1), ("krill", 1), ("dunlin", 2)])
    page.show_data(None)
    qtbot.waitUntil(lambda: [line.server for line in page.server_view.list_model.items] == [names, uneven])
    page.server_view.setCurrentIndex(page.server_view.list_model.index(0))
    assert services.game_predictor.selected_server == names
    qtbot.waitUntil(lambda: page.message_label.text().startswith("Names only: 3 of 3"))


def test_button_joins_selected_server(
    page: FairGamesPage, server_list: FakeServerList, services: SkillServices, qtbot: QtBot
) -> None:
    assert not page.join_button.isEnabled()
    server = server_list.add_server(1, "Veil EU", [("moth", 1), ("harrow", 2)])
    services.game_predictor.select_server(server)
    qtbot.waitUntil(page.join_button.isEnabled)
    with qtbot.waitSignal(page.join_requested) as requested:
        QTest.mouseClick(page.join_button, Qt.MouseButton.LeftButton)
    assert requested.args == [server]


def test_page_queries_players_once(page: FairGamesPage, server_list: FakeServerList) -> None:
    assert server_list.queried == []
    server = server_list.add_server(1, "Veil EU", without_teams("moth", "harrow"), listed=False)
    for _again in range(2):
        page.hide()
        page.show()
        assert server_list.queried == [server]


def test_players_are_queried_after_scan(page: FairGamesPage, server_list: FakeServerList, qtbot: QtBot) -> None:
    server_list.is_running = True
    server = server_list.add_server(1, "Veil EU", without_teams("moth", "harrow"), listed=False)
    page.hide()
    page.show()
    assert server_list.queried == []
    server_list.is_running = False
    server_list.running_changed.emit(False)
    qtbot.waitUntil(lambda: server_list.queried == [server])


def test_known_player_lists_are_not_queried(page: FairGamesPage, server_list: FakeServerList) -> None:
    server_list.add_server(1, "Veil EU", without_teams("moth", "harrow"))
    other = server_list.add_server(2, "Tram EU", without_teams("sable"), listed=False)
    page.hide()
    page.show()
    assert server_list.queried == [other]


def test_fairest_server_is_named(page: FairGamesPage, server_list: FakeServerList, qtbot: QtBot) -> None:
    server_list.add_server(1, "Names only", without_teams("moth", "harrow", "sable"))
    page.show_data(None)
    qtbot.waitUntil(lambda: page.message_label.text().startswith("Best choice now: “Names only”."))
    (item,) = page.server_view.list_model.items
    assert item.state_text == "3/24, 30 ms"
    assert item.accessible_text.startswith("Names only, 3/24, 30 ms, 3 of 3 players known, ")


def test_full_servers_come_last(page: FairGamesPage, server_list: FakeServerList, qtbot: QtBot) -> None:
    full = server_list.add_server(1, "Full", without_teams("moth", "harrow", "sable"), slots=3)
    free = server_list.add_server(2, "Free", [("moth", 1), ("sable", 1), ("krill", 1), ("dunlin", 2)])
    page.show_data(None)
    qtbot.waitUntil(lambda: [line.server for line in page.server_view.list_model.items] == [free, full])


def test_unjoinable_server_comes_last(page: FairGamesPage, server_list: FakeServerList, qtbot: QtBot) -> None:
    closed = server_list.add_server(1, "Closed", without_teams("moth", "harrow", "sable"))
    server_list.catalogue.joinable[closed] = 0
    free = server_list.add_server(2, "Free", [("moth", 1), ("sable", 1), ("krill", 1), ("dunlin", 2)])
    page.show_data(None)
    qtbot.waitUntil(lambda: [line.server for line in page.server_view.list_model.items] == [free, closed])


def test_busiest_servers_are_queried(
    page: FairGamesPage, server_list: FakeServerList, services: SkillServices, qtbot: QtBot
) -> None:
    strangers = server_list.add_server(1, "Strangers", without_teams("a", "b"))
    fuller = server_list.add_server(2, "Fuller", without_teams("a", "b", "c"))
    server_list.add_server(3, "Empty", [])
    services.game_predictor.select_server(strangers)
    qtbot.waitUntil(lambda: "0 of 2 players known" in page.message_label.text())
    assert page.empty_label.isVisible()
    assert page.message_label.geometry().bottom() < 60  # the messages are together at the top
    assert page.empty_label.geometry().bottom() < page.height() / 2
    assert not page.sides_table.isVisible()
    messages: list[str] = []
    page.status_reported.connect(messages.append)
    QTest.mouseClick(page.first_query_button, Qt.MouseButton.LeftButton)
    assert server_list.queried == [fuller, strangers]
    assert messages == ["Querying players on 2 servers."]


def test_balance_dialog_starts_with_server_players(
    page: FairGamesPage, server_list: FakeServerList, services: SkillServices, qtbot: QtBot
) -> None:
    services.game_predictor.select_server(
        server_list.add_server(1, "Veil EU", [("moth", 1), ("harrow", 1), ("ninepin", 2)])
    )
    qtbot.waitUntil(page.sides_table.isVisible)
    QTest.mouseClick(page.balance_button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(BalanceDialog)
    assert dialog is not None
    balanced(qtbot, dialog, 4)
    assert {line.id for players in dialog.team_lists for line in players.list_model.items} == {"p1", "p2", "p3", ME}
    assert "1 assigned" in dialog.swaps_label.text()
    dialog.reject()


def test_balance_dialog_texts(dialog: BalanceDialog) -> None:
    result = dialog.shown_result
    assert result is not None
    assert " → " in dialog.chance_label.text()
    assert dialog.swaps_label.text().startswith("win chance for Marines")
    assert dialog.count_label.text() == "8 players, 7 known from your rounds"
    assert "win +" in dialog.note_label.text()
    assert dialog.chance_scale.accessibleName().startswith("before ")
    assert [players.list_model.rowCount() for players in dialog.team_lists] == [4, 4]


def test_empty_balance_dialog_offers_pasting(page: FairGamesPage, qtbot: QtBot) -> None:
    page.balance_button.click()
    dialog = page.findChild(BalanceDialog)
    assert dialog is not None
    assert dialog.empty_lineup.isVisible()
    assert not dialog.chance_scale.isVisible()
    assert dialog.focusWidget() is dialog.empty_lineup.paste_button
    QTest.keyClick(dialog.empty_lineup.paste_button, Qt.Key.Key_Space)
    paste = dialog.findChild(PastePlayersDialog)
    assert paste is not None
    paste.reject()
    dialog.set_pasted_players(PASTED)
    balanced(qtbot, dialog, 8)
    assert not dialog.empty_lineup.isVisible()
    assert dialog.focusWidget() is dialog.team_lists[0]
    dialog.reject()


def test_focus_is_visible_in_teams(dialog: BalanceDialog, qtbot: QtBot) -> None:
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    team = dialog.team_lists[0]
    dialog.copy_button.setFocus()
    team.setCurrentIndex(QModelIndex())
    for players in (8, 0):
        if not players:
            team.list_model.set_items(())
        dialog.copy_button.setFocus()
        without = team.grab().toImage()
        team.setFocus()
        assert team.grab().toImage() != without


def test_keys_change_players(dialog: BalanceDialog, qtbot: QtBot) -> None:
    for key, word in ((Qt.Key.Key_L, "locked"), (Qt.Key.Key_C, "commander"), (Qt.Key.Key_W, "wants this side")):
        player = {"locked": "p1", "commander": "p2", "wants this side": "p3"}[word]
        press(qtbot, dialog, player, key)
        lines = [line for players in dialog.team_lists for line in players.list_model.items if line.id == player]
        assert word in lines[0].note
    team = team_of(dialog, "p4")
    press(qtbot, dialog, "p4", Qt.Key.Key_M)
    assert team_of(dialog, "p4") == 1 - team
    assert dialog.team_lists[1 - team].selected_player() == "p4"
    press(qtbot, dialog, "stranger", Qt.Key.Key_Delete, players=7)
    assert all(players.list_model.row_of("stranger") < 0 for players in dialog.team_lists)


def test_dropped_player_is_locked_to_team(dialog: BalanceDialog, qtbot: QtBot) -> None:
    goes_to = 1 - team_of(dialog, "p4")
    data = QMimeData()
    data.setData(PLAYER_MIME_TYPE, b"p4")
    where = QPointF(QPoint(20, 20))
    action, button, no_key = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    dialog.team_lists[goes_to].dropEvent(QDropEvent(where, action, data, button, no_key))
    balanced(qtbot, dialog, 8)
    assert team_of(dialog, "p4") == goes_to
    assert next(seat for seat in dialog._lineup.players if seat.id == "p4").is_locked


def test_unchecking_option_rebalances(dialog: BalanceDialog, qtbot: QtBot) -> None:
    press(qtbot, dialog, "p4", Qt.Key.Key_C)
    before = dialog.shown_result
    dialog.option_boxes[2].click()
    qtbot.waitUntil(lambda: dialog.shown_result is not before)


def test_copied_teams_can_be_pasted(dialog: BalanceDialog, qtbot: QtBot) -> None:
    QTest.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Marines (mean ")
    QTest.mouseClick(dialog.paste_button, Qt.MouseButton.LeftButton)
    paste = dialog.findChild(PastePlayersDialog)
    assert paste is not None
    assert not paste.use_button.isEnabled()
    paste.text_edit.setPlainText(copied)
    assert paste.count_label.text() == "8 players, 7 known from your rounds"
    QTest.mouseClick(paste.use_button, Qt.MouseButton.LeftButton)
    balanced(qtbot, dialog, 8)
    assert dialog.shown_result is not None
    assert dialog.shown_result.moved_count == 0


def test_you_means_user(dialog: BalanceDialog, qtbot: QtBot) -> None:
    dialog._known_players._id_by_name = {
        name: player for name, player in dialog._known_players._id_by_name.items() if player != ME
    }
    dialog.set_pasted_players("moth, harrow, You")
    balanced(qtbot, dialog, 3)
    assert {seat.id for seat in dialog._lineup.players} == {"p1", "p2", ME}


def test_expected_change_follows_selection(
    qtbot: QtBot, qapp: QApplication, server_list: FakeServerList, services: SkillServices
) -> None:
    widget = ExpectedChangePanel(Theme(qapp, "light"))
    qtbot.addWidget(widget)
    control = ExpectedChangeController(widget, server_list, services.game_predictor)  # type: ignore[arg-type]
    server = server_list.add_server(1, "Veil EU", without_teams("moth", "harrow"))
    control.show_server(server)
    qtbot.waitUntil(widget.isVisible)
    assert widget.accessibleName().endswith("2 of 2 players known")
    server_list.add_server(1, "Veil EU", without_teams("moth", "harrow", "sable"))
    qtbot.waitUntil(lambda: widget.accessibleName().endswith("3 of 3 players known"))
    control.show_server(-1)
    assert not widget.isVisible()
    control.close()


def test_inspector_ignores_selection_on_page(
    qtbot: QtBot, qapp: QApplication, page: FairGamesPage, server_list: FakeServerList, services: SkillServices
) -> None:
    """The inspector shows another server than the one selected on the page."""
    widget = ExpectedChangePanel(Theme(qapp, "light"))
    qtbot.addWidget(widget)
    control = ExpectedChangeController(widget, server_list, services.game_predictor)  # type: ignore[arg-type]
    inspected = server_list.add_server(1, "Silent", ())
    control.show_server(inspected)
    on_page = server_list.add_server(2, "Veil EU", without_teams("moth", "harrow"))
    services.game_predictor.select_server(on_page)
    qtbot.waitUntil(lambda: "Veil EU" in page.message_label.text() and not control._delay_timer.isActive())
    assert not widget.isVisible()
    control.close()


def test_pattern_identity_is_not_counted_twice(
    skill_model: FakeRoundsModel, server_list: FakeServerList, qtbot: QtBot
) -> None:
    predictor = GamePredictor(skill_model, server_list, lambda _game: ["*wren|*"])  # type: ignore[arg-type]
    predictor.prepare()
    qtbot.waitUntil(lambda: predictor.known_players is not None)
    server = server_list.add_server(1, "Veil EU", without_teams("moth", "harrow", "Wren|afk", "wren"))
    found: list[Mapping[int, GamePrediction]] = []
    predictor.predict([server], found.append)
    qtbot.waitUntil(lambda: bool(found))
    assert (found[0][server].known_count, found[0][server].player_count) == (2, 3)
    predictor.close()


def test_predictions_are_cached(
    server_list: FakeServerList, services: SkillServices, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[int] = []

    def counted(known_players: KnownPlayers, asked: GamePredictionRequest) -> GamePrediction:
        worked.append(asked.server)
        return predict_game(known_players, asked)

    monkeypatch.setattr("browser_app.ui.skill.fair_games.game_predictor.predict_game", counted)
    services.game_predictor.prepare()
    qtbot.waitUntil(lambda: services.game_predictor.known_players is not None)
    server = server_list.add_server(1, "Veil EU", without_teams("moth", "harrow"))
    found: list[Mapping[int, GamePrediction]] = []
    for _again in range(3):
        services.game_predictor.predict([server], found.append)
        qtbot.waitUntil(lambda: bool(found))
        assert found.pop()[server].known_count == 2
    assert worked == [server]
    server_list.add_server(1, "Veil EU", without_teams("moth", "harrow", "pim"))
    services.game_predictor.predict([server], found.append)
    qtbot.waitUntil(lambda: bool(found))
    assert found.pop()[server].known_count == 3
    assert worked == [server, server]
