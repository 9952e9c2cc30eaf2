"""The identity dialog: entries, suggestions, lookups and storage."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fake_skill_services import ACCOUNT, FINGERPRINT, VANITY
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from skill_dialog_helpers import SkillDialogs, open_skill_dialogs

from browser_app.player.player_identities import Identity, IdentityError, IdentityKind
from browser_app.storage.own_skill.skill_sample_store import StoredIdentity
from browser_app.storage.setting_declarations import QUERY_STEAM_SKILL
from browser_app.ui.skill.identity.identity_dialog import IdentityDialog
from browser_app.ui.skill.identity.identity_field import guess_identity_kind, parse_identity

SEEN = [("22202", "moth", 214), ("99", "LowTide", 180), ("7", "krill", 90), ("8", "x", 3), ("9", "y", 2)]


@pytest.fixture
def dialogs(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[SkillDialogs]:
    with open_skill_dialogs(qtbot, qapp) as dialogs:
        dialogs.home_folder = tmp_path
        dialogs.record_players = SEEN
        yield dialogs


def open_dialog(dialogs: SkillDialogs, game: str = "ns2") -> IdentityDialog:
    dialogs.identity_controller.open(dialogs.window, game)
    assert dialogs.identity_controller.dialog is not None
    dialogs.identity_controller.dialog.activateWindow()
    dialogs.bot.waitUntil(dialogs.identity_controller.dialog.isActiveWindow)
    return dialogs.identity_controller.dialog


def kept(dialogs: SkillDialogs) -> list[tuple[str, str, str]]:
    return [(each.game, each.kind, each.value) for each in dialogs.storage.identities]


def offered(dialog: IdentityDialog) -> list[str]:
    return [button.accessibleName().removeprefix("This is me: ") for button in dialog.suggestion_list.buttons]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", IdentityKind.NAME),
        ("moth*", IdentityKind.NAME),
        ("22202", IdentityKind.STEAM),
        ("[U:1:22202]", IdentityKind.STEAM),
        (" STEAM_0:0:11101", IdentityKind.STEAM),
        ("https://steamcommunity.com/id/gabe", IdentityKind.STEAM),
        ("steamcommunity.com/what", IdentityKind.STEAM),
        (FINGERPRINT, IdentityKind.XONOTIC),
        (f"ID-Fingerprint: {FINGERPRINT}", IdentityKind.XONOTIC),
        ("ID-Fingerprint: x", IdentityKind.XONOTIC),
    ],
)
def test_guess_identity_kind(text: str, kind: IdentityKind) -> None:
    assert guess_identity_kind(text) is kind


@given(st.text(max_size=50), st.sampled_from(IdentityKind))
def test_canonical_value_parses_to_itself(text: str, kind: IdentityKind) -> None:
    try:
        identity = parse_identity("x", kind, text)
    except IdentityError:
        return
    assert parse_identity("x", kind, identity.value) == identity


def test_game_without_profile_can_have_identity(dialogs: SkillDialogs) -> None:
    dialog = open_dialog(dialogs, "cod-ww2")
    QTest.keyClicks(dialog.identity_field.text_edit, "Blazt")
    dialog.identity_field.add_button.click()
    assert kept(dialogs) == [("cod-ww2", "name", "Blazt")]


def test_keyboard_control(dialogs: SkillDialogs) -> None:
    dialog = open_dialog(dialogs)
    assert QApplication.focusWidget() is dialog.identity_field.text_edit
    with dialogs.bot.waitSignal(dialogs.identity_controller.identities_changed):
        QTest.keyClicks(dialog.identity_field.text_edit, "STEAM_0:0:11101")
        QTest.keyClick(dialog.identity_field.text_edit, Qt.Key.Key_Return)
    QTest.keyClicks(dialog.identity_field.text_edit, "m?th*")
    QTest.keyClick(dialog.identity_field.text_edit, Qt.Key.Key_Return)
    dialog.identity_field.game_box.setCurrentIndex(dialog.identity_field.game_box.findData("xonotic"))
    QTest.keyClicks(dialog.identity_field.text_edit, FINGERPRINT)
    QTest.keyClick(dialog.identity_field.text_edit, Qt.Key.Key_Return)
    expected = [("ns2", "steam", ACCOUNT), ("ns2", "name", "m?th*"), ("xonotic", "xonotic", FINGERPRINT)]
    assert kept(dialogs) == expected
    assert dialog.isVisible()
    first = dialog.tree.topLevelItem(0)
    assert first is not None
    second = first.child(1)
    assert second is not None
    assert [first.text(0), second.text(0), second.text(1)] == ["Natural Selection 2 (2)", "m?th*", "Name or pattern"]
    assert not dialog.remove_button.isEnabled()
    dialog.tree.setCurrentItem(second)
    dialog.tree.setFocus()
    QTest.keyClick(dialog.tree, Qt.Key.Key_Delete)
    del expected[1]
    assert kept(dialogs) == expected
    assert dialogs.identity_controller.identities() == tuple(
        Identity(game, IdentityKind(kind), value) for game, kind, value in expected
    )


def test_invalid_identity_is_rejected(dialogs: SkillDialogs) -> None:
    dialog = open_dialog(dialogs)
    for text, words in (("https://example.org/x", "Not a Steam ID"), ("*", "*")):
        dialog.identity_field.text_edit.setText(text)
        assert (
            words
            in dialog.identity_field.message_label.text()
            == dialog.identity_field.text_edit.accessibleDescription()
        )
        assert not dialog.identity_field.add_button.isEnabled()
        QTest.keyClick(dialog.identity_field.text_edit, Qt.Key.Key_Return)
    dialog.identity_field.text_edit.setText("22202")
    QTest.keyClick(dialog.identity_field.text_edit, Qt.Key.Key_Return)
    dialog.identity_field.text_edit.setText(f"https://steamcommunity.com/profiles/{ACCOUNT}")
    assert dialog.identity_field.message_label.text() == "Already added."
    assert not dialog.identity_field.add_button.isEnabled()
    dialog.identity_field.kind_box.setCurrentIndex(dialog.identity_field.kind_box.findData(IdentityKind.NAME))
    assert dialog.identity_field.add_button.isEnabled()  # it is a valid player name
    assert kept(dialogs) == [("ns2", "steam", ACCOUNT)]


def test_frequent_players_are_suggested(dialogs: SkillDialogs) -> None:
    dialog = open_dialog(dialogs)
    dialogs.bot.waitUntil(lambda: bool(offered(dialog)))
    assert offered(dialog) == ["moth", "LowTide", "krill", "x"]
    dialog.identity_field.game_box.setCurrentIndex(dialog.identity_field.game_box.findData("tremulous"))
    assert offered(dialog) == []
    dialog.identity_field.game_box.setCurrentIndex(dialog.identity_field.game_box.findData("ns2"))
    dialogs.bot.mouseClick(dialog.suggestion_list.buttons[0], Qt.MouseButton.LeftButton)
    assert kept(dialogs) == [("ns2", "steam", ACCOUNT)]
    assert offered(dialog) == []
    assert dialog.suggestion_list.isHidden()


def test_local_xonotic_key_is_suggested(dialogs: SkillDialogs) -> None:
    folder = dialogs.home_folder / ".xonotic"
    folder.mkdir()
    (folder / "key_0-public-fp.txt").write_text(f"ID-Fingerprint: {FINGERPRINT}\n")
    dialog = open_dialog(dialogs, "xonotic")
    dialogs.bot.waitUntil(lambda: bool(offered(dialog)))
    assert offered(dialog) == ["Xonotic key x+Zk2Sm/…"]
    QTest.keyClick(dialog.suggestion_list.buttons[0], Qt.Key.Key_Space)
    assert kept(dialogs) == [("xonotic", "xonotic", FINGERPRINT)]
    assert offered(dialog) == []


def test_custom_url_lookup_needs_consent(dialogs: SkillDialogs) -> None:
    dialog = open_dialog(dialogs)
    dialog.identity_field.text_edit.setText(f"https://steamcommunity.com/id/{VANITY}")
    assert "looked up on Steam" in dialog.identity_field.message_label.text()
    assert dialog.identity_field.lookup_button.isVisible()
    assert not dialog.identity_field.add_button.isEnabled()
    dialogs.bot.mouseClick(dialog.identity_field.lookup_button, Qt.MouseButton.LeftButton)
    dialogs.bot.waitUntil(lambda: "are off" in dialog.identity_field.message_label.text())
    dialogs.settings.set(QUERY_STEAM_SKILL, True)
    dialogs.storage.database.flush()
    assert dialogs.storage.request_log.load_newest() == []
    dialogs.bot.mouseClick(dialog.identity_field.lookup_button, Qt.MouseButton.LeftButton)
    dialogs.bot.waitUntil(lambda: dialog.identity_field.text_edit.text() == ACCOUNT)
    dialogs.storage.database.flush()
    assert len(dialogs.storage.request_log.load_newest()) == 1
    assert ACCOUNT in dialog.identity_field.message_label.text()
    dialogs.bot.mouseClick(dialog.identity_field.add_button, Qt.MouseButton.LeftButton)
    assert kept(dialogs) == [("ns2", "steam", ACCOUNT)]


def test_lookup_errors_are_shown(dialogs: SkillDialogs) -> None:
    dialogs.settings.set(QUERY_STEAM_SKILL, True)
    dialog = open_dialog(dialogs)
    dialog.identity_field.text_edit.setText("steamcommunity.com/id/nobody")
    QTest.keyClick(dialog.identity_field.text_edit, Qt.Key.Key_Return)
    dialogs.bot.waitUntil(lambda: "No Steam profile" in dialog.identity_field.message_label.text())
    dialogs.steam_key = None
    dialogs.bot.mouseClick(dialog.identity_field.lookup_button, Qt.MouseButton.LeftButton)
    dialogs.bot.waitUntil(lambda: "Web API key" in dialog.identity_field.message_label.text())


def test_unknown_identity_kinds_are_kept(dialogs: SkillDialogs) -> None:
    dialogs.storage.identities.add(StoredIdentity("ns2", "epic", "moth"))
    assert dialogs.identity_controller.identities() == ()
    open_dialog(dialogs)
    assert kept(dialogs) == [("ns2", "epic", "moth")]


def test_accessible_names_and_tab_order(dialogs: SkillDialogs) -> None:
    dialog = open_dialog(dialogs)
    dialogs.bot.waitUntil(lambda: bool(offered(dialog)))
    reached = []
    for _ in range(20):
        widget = QApplication.focusWidget()
        assert widget is not None
        reached.append(widget)
        QTest.keyClick(widget, Qt.Key.Key_Tab)
    for widget in (
        dialog.identity_field.game_box,
        dialog.identity_field.kind_box,
        dialog.identity_field.text_edit,
        dialog.tree,
        *dialog.suggestion_list.buttons,
        dialog.close_button,
    ):
        assert widget in reached
    for each in (
        dialog.identity_field.game_box,
        dialog.identity_field.kind_box,
        dialog.identity_field.text_edit,
        dialog.tree,
        *dialog.suggestion_list.buttons,
    ):
        assert each.accessibleName()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialogs.identity_controller.dialog is None


def test_removed_identity_can_be_restored(dialogs: SkillDialogs) -> None:
    undos: list[Callable[[], object]] = []
    controller = dialogs.identity_controller
    controller.change_reported.connect(lambda _text, undo: undos.append(undo))
    identity = Identity("ns2", IdentityKind.NAME, "Ann")
    controller.add(identity)
    controller.remove(identity)
    assert not controller.identities()
    undos.pop()()
    assert controller.identities() == (identity,)
