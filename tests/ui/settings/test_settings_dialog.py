"""The dialogs for settings, master servers and keyboard shortcuts."""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QTableWidget,
    QWidget,
)
from window_helpers import GAMES, AppDriver, OpenApp

from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.paths import user_paths
from browser_app.storage import setting_declarations
from browser_app.storage.keyring_store import STEAM_KEY_VARIABLE, Secrets
from browser_app.storage.setting_declarations import (
    CODE_PAGES,
    DISABLED_MASTERS,
    EXTRA_MASTERS,
    GAME_PROGRAMS,
    OWN_COUNTRY,
    OWN_SKILL,
    OWN_VERSIONS,
    PLAY_NOW_COUNTDOWN_S,
    PLAY_NOW_SCOPE,
    PLAYED_GAMES,
    ROW_HEIGHT,
    SCAN_AT_START,
    SETTING_GROUPS,
    SETTINGS,
    THEME,
    UI_SCALE,
)
from browser_app.storage.setting_types import Setting
from browser_app.storage.settings_store import Settings
from browser_app.ui.settings.keyboard_shortcuts import (
    DESCRIPTION_COLUMN,
    KEY_COLUMN,
    SHORTCUT_ACTIONS,
    SHORTCUT_GROUPS,
    ShortcutsDialog,
)
from browser_app.ui.settings.masters_dialog import (
    ADDRESS_COLUMN,
    GAME_COLUMN,
    SERVERS_COLUMN,
    STATE_COLUMN,
    MastersDialog,
)
from browser_app.ui.settings.setting_rows import STEAM_KEY_ROW, SettingRow
from browser_app.ui.settings.settings_dialog import KEY_GROUP, SettingsDialog
from browser_app.ui.widgets.palette import DARK, HIGH_CONTRAST, LIGHT
from browser_app.window_app.qt_application import scale_from_settings

_W = TypeVar("_W", bound=QWidget)
_D = TypeVar("_D", bound=QDialog)
CONTROL = Qt.KeyboardModifier.ControlModifier


def shown_keys(dialog: SettingsDialog) -> list[str]:
    return [row.setting_key for rows in dialog.rows.values() for row in rows if not row.isHidden()]


@pytest.fixture(autouse=True)
def no_secret_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the system's secret store from the tests."""
    monkeypatch.delenv(STEAM_KEY_VARIABLE, raising=False)
    monkeypatch.setattr("browser_app.storage.keyring_store._system_secret_store", lambda: None)


def wait_for_dialog(app: AppDriver, kind: type[_D]) -> _D:
    """Wait for a dialog of this class and return it."""
    app.wait(lambda: app.window.findChild(kind) is not None)
    dialog = app.window.findChild(kind)
    assert dialog is not None
    return dialog


@pytest.fixture
def dialog(app: AppDriver) -> Iterator[SettingsDialog]:
    app.press(Qt.Key.Key_Comma, CONTROL)
    dialog = wait_for_dialog(app, SettingsDialog)
    yield dialog
    for left in app.window.findChildren(SettingsDialog):
        left.close()


def row_of(dialog: SettingsDialog, setting: Setting[object]) -> SettingRow:
    rows = [row for rows in dialog.rows.values() for row in rows if isinstance(row, SettingRow)]
    return next(row for row in rows if row.setting is setting)


def editor_of(dialog: SettingsDialog, setting: object, kind: type[_W]) -> _W:
    found = row_of(dialog, setting).editor_widget  # type: ignore[arg-type] # any setting will do
    assert isinstance(found, kind)
    return found


def test_every_setting_is_shown(dialog: SettingsDialog) -> None:
    everything = {value.key for value in vars(setting_declarations).values() if isinstance(value, Setting)}
    assert everything == {setting.key for setting in SETTINGS}
    assert set(shown_keys(dialog)) == {setting.key for setting in SETTINGS} | {STEAM_KEY_ROW}
    assert {setting.group for setting in SETTINGS} == set(SETTING_GROUPS)
    for setting in SETTINGS:
        widget = row_of(dialog, setting).editor_widget
        assert widget.accessibleName() == setting.label
        assert widget.accessibleDescription() == setting.description


def test_search_needs_all_words(dialog: SettingsDialog) -> None:
    QTest.keyClicks(dialog.search_field, "high contrast")
    assert shown_keys(dialog) == [THEME.key]
    assert dialog.group_list.count() == 1
    dialog.search_field.clear()
    QTest.keyClicks(dialog.search_field, "valve")
    assert shown_keys(dialog) == [STEAM_KEY_ROW]
    QTest.keyClicks(dialog.search_field, " xyzzy")
    assert shown_keys(dialog) == []
    assert not dialog.nothing_found_label.isHidden()


def test_list_marks_the_group_in_sight(dialog: SettingsDialog) -> None:
    groups, bar = dialog.group_list, dialog.scroll_area.verticalScrollBar()
    assert groups.currentRow() == 0
    bar.setValue(bar.maximum())
    assert groups.currentRow() == groups.count() - 1
    bar.setValue(0)
    assert groups.currentRow() == 0
    groups.setCurrentRow(groups.count() - 2)  # too near to the end to be at the top
    assert bar.value() > 0
    assert groups.currentRow() == groups.count() - 2
    dialog.search_field.setText("countdown")
    assert (groups.currentRow(), groups.count()) == (0, 1)


def test_shown_row_is_below_its_group(app: AppDriver, dialog: SettingsDialog) -> None:
    title = dialog._titles[KEY_GROUP]
    dialog.show_row(STEAM_KEY_ROW)
    app.wait(lambda: dialog.scroll_area.verticalScrollBar().value() == title.y() - 4)
    assert dialog.group_list.currentItem().text() == title.text()
    assert (
        dialog.scroll_area.viewport()
        .rect()
        .contains(dialog.key_row.mapTo(dialog.scroll_area.viewport(), dialog.key_row.rect().center()))
    )


def test_theme_applies_at_once_and_resets(app: AppDriver, dialog: SettingsDialog) -> None:
    row, box = row_of(dialog, THEME), editor_of(dialog, THEME, QComboBox)  # type: ignore[arg-type]
    assert row.reset_button.isHidden()
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_End)
    assert app.program.theme.name == "contrast"
    assert QApplication.palette().window().color() == QColor("#000000")
    assert not row.reset_button.isHidden()
    QTest.mouseClick(row.reset_button, Qt.MouseButton.LeftButton)
    assert app.program.theme.name == "system"
    assert row.reset_button.isHidden()
    assert box.currentIndex() == 0


def test_system_theme_is_followed(app: AppDriver) -> None:
    hints = QApplication.styleHints()
    app.program.theme.set_theme("system")
    seen = []
    app.program.theme.changed.connect(lambda: seen.append(app.program.theme.palette.window))
    for scheme in (Qt.ColorScheme.Dark, Qt.ColorScheme.Light):
        hints.colorSchemeChanged.emit(scheme)
    assert seen == [DARK.window, LIGHT.window]
    if hasattr(hints, "accessibility"):
        for level, palette in (
            (Qt.ContrastPreference.HighContrast, HIGH_CONTRAST),
            (Qt.ContrastPreference(0), LIGHT),
        ):
            hints.accessibility().contrastPreferenceChanged.emit(level)
            assert app.program.theme.palette is palette
    app.program.theme.set_theme("contrast")
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert app.program.theme.palette is HIGH_CONTRAST


def test_row_height_country_and_skill_apply_at_once(app: AppDriver, dialog: SettingsDialog) -> None:
    rows = editor_of(dialog, ROW_HEIGHT, QComboBox)
    rows.setCurrentIndex(2)
    assert app.table.verticalHeader().defaultSectionSize() == 22
    rows.setCurrentIndex(1)
    assert app.table.verticalHeader().defaultSectionSize() == 28
    country = editor_of(dialog, OWN_COUNTRY, QLineEdit)
    QTest.keyClicks(country, "br")
    QTest.keyClick(country, Qt.Key.Key_Return)
    assert app.program.backend.catalogue.own_country == "BR"
    skill = editor_of(dialog, OWN_SKILL, QTableWidget)
    names = [item.text() for row in range(skill.rowCount()) if (item := skill.item(row, 0)) is not None]
    cell = skill.item(names.index("Natural Selection 2"), 1)
    assert cell is not None
    cell.setText("1640")
    dialog.accept()
    assert app.program.settings.get(OWN_SKILL) == {"ns2": 1640.0}
    assert app.program.backend.scoring.own_skill == {"ns2": 1640.0}


def test_play_now_choice_follows_settings(app: AppDriver) -> None:
    settings, chosen = app.program.settings, app.window.play_now_controller.current_choice
    assert chosen >= 0
    settings.set(PLAY_NOW_SCOPE, f'-name:"{app.catalogue.name[chosen]}"')
    app.wait(lambda: app.window.play_now_controller.current_choice not in (-1, chosen))
    settings.set(PLAY_NOW_SCOPE, "players>=200")
    app.wait(lambda: app.play_now_bar.shown_texts()[0] == "No server matches “players>=200”")
    settings.set(PLAY_NOW_SCOPE, "")
    app.wait(lambda: app.window.play_now_controller.current_choice == chosen)
    settings.set(OWN_VERSIONS, dict.fromkeys(("openarena", "quake3"), "0.0.0"))
    app.wait(lambda: "version" in app.play_now_bar.shown_texts()[2])


def test_new_country_rescores_at_once(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[str] = []
    monkeypatch.setattr(app.live, "rescore", lambda: scored.append(app.catalogue.own_country))
    app.program.settings.set(OWN_COUNTRY, "BR")
    assert scored == ["BR"]


def test_invalid_value_changes_nothing(app: AppDriver, dialog: SettingsDialog) -> None:
    text = editor_of(dialog, OWN_COUNTRY, QLineEdit)
    QTest.keyClicks(text, "D")
    QTest.keyClick(text, Qt.Key.Key_Return)
    row = row_of(dialog, OWN_COUNTRY)  # type: ignore[arg-type]
    assert row.problem_label.text() == "Two letters, such as DE"
    assert not row.problem_label.isHidden()
    assert app.program.settings.get(OWN_COUNTRY) == ""
    QTest.keyClick(text, Qt.Key.Key_End)
    QTest.keyClicks(text, "E")
    QTest.keyClick(text, Qt.Key.Key_Return)
    assert row.problem_label.isHidden()
    assert app.program.settings.get(OWN_COUNTRY) == "DE"


def test_code_page_applies_at_once(app: AppDriver, dialog: SettingsDialog, monkeypatch: pytest.MonkeyPatch) -> None:
    queried: list[int] = []
    monkeypatch.setattr(app.live, "query_stale", lambda rows, **_options: queried.extend(rows))
    text, row = editor_of(dialog, CODE_PAGES, QPlainTextEdit), row_of(dialog, CODE_PAGES)  # type: ignore[arg-type]
    first, second = (str(app.catalogue.targets[server].address) for server in (0, 1))
    text.setPlainText(f"{first} rot13")
    app.wait(lambda: row.problem_label.text() == "no code page “rot13”; there is 1251, for example")
    assert queried == []
    text.setPlainText(f"{first} 1251\n{second} 1250")
    app.wait(lambda: sorted(queried) == [0, 1])
    text.setPlainText(f"{second} 1250\n192.0.2.9:1 1250")
    app.wait(lambda: queried[2:] == [0])
    assert row.problem_label.isHidden()


def test_missing_game_program_is_reported(app: AppDriver) -> None:
    app.program.settings.set(GAME_PROGRAMS, {"openarena": "/no/such/openarena"})
    app.press(Qt.Key.Key_Comma, CONTROL)
    dialog = wait_for_dialog(app, SettingsDialog)
    problem = row_of(dialog, GAME_PROGRAMS).problem_label  # type: ignore[arg-type] # any setting will do
    assert (problem.text(), problem.isHidden()) == ("openarena: /no/such/openarena was not found", False)
    table = editor_of(dialog, GAME_PROGRAMS, QTableWidget)
    (cell,) = table.findItems("/no/such/openarena", Qt.MatchFlag.MatchExactly)
    cell.setText("no-such-program +set r_mode 4")
    assert problem.text() == "openarena: no-such-program was not found"
    cell.setText("openarena +set r_mode 4")
    assert problem.isHidden()
    assert app.program.settings.get(GAME_PROGRAMS) == {"openarena": "openarena +set r_mode 4"}
    dialog.close()


def test_scope_offers_list_and_saved_filters(app: AppDriver) -> None:
    settings = app.program.settings
    app.program.storage.saved_filters.save("Nearby", "ping<80")
    settings.set(PLAY_NOW_SCOPE, "players>=2")  # typed into the settings file
    app.press(Qt.Key.Key_Comma, CONTROL)
    dialog = wait_for_dialog(app, SettingsDialog)
    box = editor_of(dialog, PLAY_NOW_SCOPE, QComboBox)
    assert [box.itemText(place) for place in range(box.count())] == ["The list on screen", "Nearby", "players>=2"]
    assert box.currentText() == "players>=2"
    box.setCurrentIndex(1)
    assert settings.get(PLAY_NOW_SCOPE) == "saved:Nearby"
    assert app.program.backend.scoring.play_options().scope == parse_filter("ping<80")
    dialog.close()


def test_numbers_and_switches(app: AppDriver, dialog: SettingsDialog) -> None:
    number, switch = (
        editor_of(dialog, PLAY_NOW_COUNTDOWN_S, QDoubleSpinBox),
        editor_of(dialog, SCAN_AT_START, QCheckBox),
    )
    QTest.keyClick(number, Qt.Key.Key_Up)
    assert app.program.settings.get(PLAY_NOW_COUNTDOWN_S) == pytest.approx(1.3)
    number.selectAll()
    QTest.keyClicks(number, "2,5")
    assert app.program.settings.get(PLAY_NOW_COUNTDOWN_S) == pytest.approx(2.5)
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert app.program.settings.get(SCAN_AT_START) is False
    games = editor_of(dialog, PLAYED_GAMES, QListWidget)
    games.item(0).setCheckState(Qt.CheckState.Checked)
    assert app.program.settings.get(PLAYED_GAMES) == ("7dtd",)
    app.wait(lambda: Settings(app.program.storage.settings.path.parent).get(SCAN_AT_START) is False)


def test_steam_key_without_keyring(app: AppDriver, dialog: SettingsDialog) -> None:
    row = dialog.key_row
    app.wait(lambda: row.place_label.text() == "No key saved.")
    QTest.keyClicks(row.editor_widget, "xyz")
    assert not row.save_button.isEnabled()
    row.editor_widget.clear()
    QTest.keyClicks(row.editor_widget, "0123456789ABCDEF0123456789abcdef")
    QTest.keyClick(row.editor_widget, Qt.Key.Key_Return)
    app.wait(lambda: "until" in row.place_label.text())
    secrets: Secrets = app.program.storage.secrets
    assert secrets.steam_key() == "0123456789ABCDEF0123456789abcdef"
    assert row.editor_widget.text() == ""
    settings = app.program.storage.settings.path
    assert not settings.exists() or "0123456789ABCDEF" not in settings.read_text()
    QTest.mouseClick(row.forget_button, Qt.MouseButton.LeftButton)
    app.wait(lambda: row.place_label.text() == "No key saved.")


def test_only_one_field_shows_a_cursor(app: AppDriver, qapp: QApplication) -> None:
    focused: list[QLineEdit] = []

    class FocusRecorder(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if isinstance(watched, QLineEdit) and event.type() == QEvent.Type.FocusIn:
                focused.append(watched)
            return False

    recorder = FocusRecorder()
    qapp.installEventFilter(recorder)
    app.window.settings_controller.open_key()
    dialog = app.window.findChild(SettingsDialog)
    assert dialog is not None
    app.wait(lambda: isinstance(qapp.focusWidget(), QLineEdit))
    qapp.removeEventFilter(recorder)
    assert set(focused) == {dialog.focusWidget()}
    assert dialog.search_field not in focused


def test_dialog_size_is_saved(app: AppDriver, dialog: SettingsDialog) -> None:
    dialog.resize(770, 540)
    dialog.close()
    assert app.window.settings_controller.open_settings().size().toTuple() == (770, 540)


def test_environment_overrides_ui_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_SCALE_FACTOR", "2")
    Settings(user_paths().settings).set(UI_SCALE, 150.0)
    with scale_from_settings():
        assert os.environ["QT_SCALE_FACTOR"] == "2"
    monkeypatch.delenv("QT_SCALE_FACTOR")
    with scale_from_settings():
        assert os.environ["QT_SCALE_FACTOR"] == "1.5"
    assert "QT_SCALE_FACTOR" not in os.environ  # started games would inherit it


def test_narrow_dialog_truncates_nothing(app: AppDriver, dialog: SettingsDialog) -> None:
    assert dialog.group_list.isVisible()
    dialog.resize(dialog.minimumSize())
    page, viewport = dialog.scroll_area.widget(), dialog.scroll_area.viewport()
    assert page is not None
    app.wait(lambda: not dialog.group_list.isVisible() and page.width() <= viewport.width())


# Master servers


def test_masters_are_added_disabled_and_removed(open_app: OpenApp) -> None:
    app = open_app()
    app.window.settings_controller.open_masters()
    dialog = wait_for_dialog(app, MastersDialog)
    before = dialog.table.rowCount()
    assert before > 20
    QTest.keyClicks(dialog.url_field, "http://127.0.0.1/list")
    assert not dialog.add_button.isEnabled()
    assert "http://127.0.0.1/list" in dialog.message_label.text()
    dialog.url_field.clear()
    url = "json+http://127.0.0.1:9/servers.json"
    QTest.keyClicks(dialog.url_field, url)
    QTest.keyClick(dialog.url_field, Qt.Key.Key_Return)
    assert dialog.table.rowCount() == before + 1
    assert dialog.current_url() == url
    app.wait(lambda: dialog.message_label.text().startswith(f"{url}: "))
    row_index = dialog.table.currentRow()
    error, name = dialog.table.item(row_index, STATE_COLUMN), dialog.table.item(row_index, GAME_COLUMN)
    assert error is not None
    assert error.text()
    assert name is not None
    name.setCheckState(Qt.CheckState.Unchecked)
    assert app.program.settings.get(DISABLED_MASTERS) == (url,)
    dialog.failed_box.setChecked(True)
    assert shown_masters(dialog) == []
    dialog.failed_box.setChecked(False)
    dialog._select_url(url)
    QTest.mouseClick(dialog.remove_button, Qt.MouseButton.LeftButton)
    assert app.program.settings.get(EXTRA_MASTERS) == ()
    assert dialog.table.rowCount() == before
    QTest.keyClicks(dialog.url_field, url)
    QTest.keyClick(dialog.url_field, Qt.Key.Key_Return)
    assert app.program.settings.get(DISABLED_MASTERS) == ()
    again = dialog.table.item(dialog.table.currentRow(), GAME_COLUMN)
    assert again is not None
    assert again.checkState() == Qt.CheckState.Checked
    dialog.close()


def test_unpolled_master_can_be_chosen(open_app: OpenApp) -> None:
    app = open_app()
    queries, (url,) = app.program.backend.query_service, GAMES["tf2"].masters
    queries.selected = replace(queries.selected, unpolled_masters=frozenset((url,)))
    app.window.settings_controller.open_masters()
    dialog = wait_for_dialog(app, MastersDialog)
    row = dialog.table.rowCount() - 1
    game, state = dialog.table.item(row, GAME_COLUMN), dialog.table.item(row, STATE_COLUMN)
    assert game is not None
    assert state is not None
    assert (game.text(), game.checkState()) == ("Team Fortress 2", Qt.CheckState.Unchecked)
    assert "neither installed nor chosen" in state.text()
    game.setCheckState(Qt.CheckState.Checked)
    assert app.program.settings.get(EXTRA_MASTERS) == (url,)
    dialog.close()


def test_shown_masters_are_checked_together(open_app: OpenApp) -> None:
    app = open_app()
    queries, (unpolled,) = app.program.backend.query_service, GAMES["tf2"].masters
    queries.selected = replace(queries.selected, unpolled_masters=frozenset((unpolled,)))
    app.window.settings_controller.open_masters()
    dialog, settings = wait_for_dialog(app, MastersDialog), app.program.settings
    everything = {url for game in GAMES.values() for url in game.masters}
    dialog.search_field.setText("xonotic")
    dialog.uncheck_button.click()
    assert {*settings.get(DISABLED_MASTERS)} == {*GAMES["xonotic"].masters}
    assert not dialog.uncheck_button.isEnabled()
    dialog.search_field.clear()
    dialog.uncheck_button.click()
    assert {*settings.get(DISABLED_MASTERS)} == everything - {unpolled}
    dialog.check_button.click()
    assert settings.get(DISABLED_MASTERS) == ()
    assert settings.get(EXTRA_MASTERS) == (unpolled,)
    assert (dialog.check_button.isEnabled(), dialog.uncheck_button.isEnabled()) == (False, True)
    dialog.close()


def test_unchanged_masters_are_not_filled_in_again(app: AppDriver) -> None:
    app.window.settings_controller.open_masters()
    dialog = wait_for_dialog(app, MastersDialog)
    changed_rows: set[int] = set()
    dialog.table.model().dataChanged.connect(lambda first, _last: changed_rows.add(first.row()))
    dialog.refresh_rows()
    assert changed_rows == set()
    dialog.search_field.setText("xonotic")
    dialog.uncheck_button.click()
    assert {dialog._rows[place].url for place in changed_rows} == {*GAMES["xonotic"].masters}
    dialog.close()


def test_tested_master_shows_its_server_count(open_app: OpenApp, network) -> None:  # type: ignore[no-untyped-def]
    app = open_app()
    url = next(url for url in network.sources.masters if url.startswith("dpmaster"))
    app.program.settings.set(EXTRA_MASTERS, (url,))
    app.window.settings_controller.open_masters()
    dialog = wait_for_dialog(app, MastersDialog)
    QTest.mouseClick(dialog.retry_button, Qt.MouseButton.LeftButton)
    app.wait(lambda: re.search(r" \d+ servers", dialog.message_label.text()))
    number = dialog.table.item(0, SERVERS_COLUMN)
    assert number is not None
    assert int(number.text()) > 0
    dialog.close()


def test_game_start_ends_query_of_master(open_app: OpenApp, network) -> None:  # type: ignore[no-untyped-def]
    url = next(url for url in network.sources.masters if url.startswith("dpmaster"))
    app = open_app(f"--master={url}")
    health = app.program.backend.master_health
    health.poll_master(url)
    assert health.is_polling(url)
    app.live.pause()
    assert not health.is_polling(url)


def test_masters_of_command_line_are_shown(open_app: OpenApp, network) -> None:  # type: ignore[no-untyped-def]
    url = next(url for url in network.sources.masters if url.startswith("dpmaster"))
    app = open_app(f"--master={url}")
    app.window.settings_controller.open_masters()
    dialog = wait_for_dialog(app, MastersDialog)
    name, number = dialog.table.item(0, GAME_COLUMN), dialog.table.item(0, SERVERS_COLUMN)
    address = dialog.table.item(0, ADDRESS_COLUMN)
    assert name is not None
    assert number is not None
    assert address is not None
    assert name.text() in {GAMES["openarena"].name, GAMES["quake3"].name}  # whose servers it lists
    assert f"dpmaster://{address.text()}" == url
    assert int(number.text()) > 0
    assert not name.flags() & Qt.ItemFlag.ItemIsUserCheckable
    dialog.close()


def shown_masters(dialog: MastersDialog) -> list[str]:
    table = dialog.table
    items = (table.item(row, GAME_COLUMN) for row in range(table.rowCount()) if not table.isRowHidden(row))
    return [item.text() for item in items if item is not None]


def test_masters_are_sorted_and_found(open_app: OpenApp) -> None:
    app = open_app("--master=json+http://127.0.0.1:9/")
    QTest.mouseClick(app.window.status_bar.masters_button, Qt.MouseButton.LeftButton)
    dialog = wait_for_dialog(app, MastersDialog)
    everything = shown_masters(dialog)
    assert everything[1:] == sorted(everything[1:], key=str.casefold)
    QTest.keyClicks(dialog.search_field, "XONOTIC 27950")
    found = shown_masters(dialog)
    assert found
    assert all("Xonotic" in game for game in found)
    assert "27950" in dialog.current_url()
    dialog.search_field.clear()
    dialog.failed_box.setChecked(True)
    assert len(shown_masters(dialog)) == 1
    state = dialog.table.item(dialog.table.currentRow(), STATE_COLUMN)
    assert state is not None
    assert state.text().endswith("just now")  # the error and when it came
    dialog.close()


# Keys


def shortcut_texts(dialog: ShortcutsDialog) -> list[tuple[str, str]]:
    rows = [row for row in range(dialog.table.rowCount()) if not dialog.table.isRowHidden(row)]
    return [(dialog._cell_text(row, KEY_COLUMN), dialog._cell_text(row, DESCRIPTION_COLUMN)) for row in rows]


def test_f1_lists_all_shortcuts(app: AppDriver) -> None:
    app.press(Qt.Key.Key_F1)
    dialog = wait_for_dialog(app, ShortcutsDialog)
    shown = shortcut_texts(dialog)
    assert [line for line in shown if not line[1]] == [(group, "") for group in SHORTCUT_GROUPS]
    assert [line[1] for line in shown if line[1]] == [action.description for action in SHORTCUT_ACTIONS]
    assert ("F5", "Refresh the list") in shown
    assert ("F1", "Show keyboard shortcuts") in shown
    heading = dialog.table.model().index(0, DESCRIPTION_COLUMN)
    assert dialog.table.columnSpan(0, KEY_COLUMN) == 2
    assert heading.flags() == Qt.ItemFlag.NoItemFlags  # a screen reader would meet an empty cell
    QTest.keyClicks(dialog.search_field, "favour")
    assert shortcut_texts(dialog) == [("Selected server", ""), ("Ctrl+D", "Toggle favourite")]
    QTest.keyClick(dialog.search_field, Qt.Key.Key_Escape)
    app.wait(lambda: app.window.findChild(ShortcutsDialog) is None)
