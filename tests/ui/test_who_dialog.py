"""Who I am: added by hand or by one click, removed, looked up at Steam, and kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from skill_rig import SkillRig, skill_rig
from skill_services import ACCOUNT, FINGERPRINT, VANITY

from browser_app.player.player_identities import Identity, IdentityError, IdentityKind
from browser_app.storage.own_skill.skill_sample_store import StoredIdentity
from browser_app.storage.setting_declarations import QUERY_STEAM_SKILL
from browser_app.ui.skill.identity.identity_dialog import IdentityDialog
from browser_app.ui.skill.identity.identity_field import guess_identity_kind, parse_identity

SEEN = [("22202", "moth", 214), ("99", "LowTide", 180), ("7", "krill", 90), ("8", "x", 3), ("9", "y", 2)]


@pytest.fixture
def rig(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[SkillRig]:
    with skill_rig(qtbot, qapp) as rig:
        rig.home = tmp_path
        rig.seen = SEEN
        yield rig


def open_dialog(rig: SkillRig, game: str = "ns2") -> IdentityDialog:
    rig.who.open(rig.window, game)
    assert rig.who.dialog is not None
    rig.who.dialog.activateWindow()
    rig.bot.waitUntil(rig.who.dialog.isActiveWindow)
    return rig.who.dialog


def kept(rig: SkillRig) -> list[tuple[str, str, str]]:
    return [(each.game, each.kind, each.value) for each in rig.session.identities]


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
def test_what_a_text_is_taken_for(text: str, kind: IdentityKind) -> None:
    assert guess_identity_kind(text) is kind


@given(st.text(max_size=50), st.sampled_from(IdentityKind))
def test_a_canonical_value_is_read_as_itself(text: str, kind: IdentityKind) -> None:
    try:
        identity = parse_identity("x", kind, text)
    except IdentityError:
        return
    assert parse_identity("x", kind, identity.value) == identity


def test_keys_add_choose_and_remove(rig: SkillRig) -> None:
    dialog = open_dialog(rig)
    assert QApplication.focusWidget() is dialog.identity_field.text_edit
    with rig.bot.waitSignal(rig.who.changed):
        QTest.keyClicks(dialog.identity_field.text_edit, "STEAM_0:0:11101")
        QTest.keyClick(dialog.identity_field.text_edit, Qt.Key.Key_Return)
    QTest.keyClicks(dialog.identity_field.text_edit, "m?th*")
    QTest.keyClick(dialog.identity_field.text_edit, Qt.Key.Key_Return)
    dialog.identity_field.game_box.setCurrentIndex(dialog.identity_field.game_box.findData("xonotic"))
    QTest.keyClicks(dialog.identity_field.text_edit, FINGERPRINT)
    QTest.keyClick(dialog.identity_field.text_edit, Qt.Key.Key_Return)
    expected = [("ns2", "steam", ACCOUNT), ("ns2", "name", "m?th*"), ("xonotic", "xonotic", FINGERPRINT)]
    assert kept(rig) == expected
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
    assert kept(rig) == expected
    assert rig.who.identities() == tuple(Identity(game, IdentityKind(kind), value) for game, kind, value in expected)


def test_what_names_nobody_is_said_and_not_added(rig: SkillRig) -> None:
    dialog = open_dialog(rig)
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
    assert dialog.identity_field.add_button.isEnabled()  # somebody may be called so
    assert kept(rig) == [("ns2", "steam", ACCOUNT)]


def test_who_is_most_in_the_record_is_offered_until_the_user_is_found_in_it(rig: SkillRig) -> None:
    dialog = open_dialog(rig)
    rig.bot.waitUntil(lambda: bool(offered(dialog)))
    assert offered(dialog) == ["moth", "LowTide", "krill", "x"]
    dialog.identity_field.game_box.setCurrentIndex(dialog.identity_field.game_box.findData("tremulous"))
    assert offered(dialog) == []
    dialog.identity_field.game_box.setCurrentIndex(dialog.identity_field.game_box.findData("ns2"))
    rig.bot.mouseClick(dialog.suggestion_list.buttons[0], Qt.MouseButton.LeftButton)
    assert kept(rig) == [("ns2", "steam", ACCOUNT)]
    assert offered(dialog) == []
    assert dialog.suggestion_list.isHidden()


def test_a_key_of_this_machine_is_offered_with_one_click(rig: SkillRig) -> None:
    folder = rig.home / ".xonotic"
    folder.mkdir()
    (folder / "key_0-public-fp.txt").write_text(f"ID-Fingerprint: {FINGERPRINT}\n")
    dialog = open_dialog(rig, "xonotic")
    rig.bot.waitUntil(lambda: bool(offered(dialog)))
    assert offered(dialog) == ["Xonotic key x+Zk2Sm/…"]
    QTest.keyClick(dialog.suggestion_list.buttons[0], Qt.Key.Key_Space)
    assert kept(rig) == [("xonotic", "xonotic", FINGERPRINT)]
    assert offered(dialog) == []


def test_steam_is_asked_for_a_chosen_address_only_when_the_user_wants_it(rig: SkillRig) -> None:
    dialog = open_dialog(rig)
    dialog.identity_field.text_edit.setText(f"https://steamcommunity.com/id/{VANITY}")
    assert "looked up on Steam" in dialog.identity_field.message_label.text()
    assert dialog.identity_field.lookup_button.isVisible()
    assert not dialog.identity_field.add_button.isEnabled()
    rig.bot.mouseClick(dialog.identity_field.lookup_button, Qt.MouseButton.LeftButton)
    rig.bot.waitUntil(lambda: "unless it is switched on" in dialog.identity_field.message_label.text())
    rig.settings.set(QUERY_STEAM_SKILL, True)
    rig.session.database.flush()
    assert rig.session.query_log.newest() == []
    rig.bot.mouseClick(dialog.identity_field.lookup_button, Qt.MouseButton.LeftButton)
    rig.bot.waitUntil(lambda: dialog.identity_field.text_edit.text() == ACCOUNT)
    rig.session.database.flush()
    assert len(rig.session.query_log.newest()) == 1
    assert "is the account" in dialog.identity_field.message_label.text()
    rig.bot.mouseClick(dialog.identity_field.add_button, Qt.MouseButton.LeftButton)
    assert kept(rig) == [("ns2", "steam", ACCOUNT)]


def test_why_steam_does_not_tell_is_said(rig: SkillRig) -> None:
    rig.settings.set(QUERY_STEAM_SKILL, True)
    dialog = open_dialog(rig)
    dialog.identity_field.text_edit.setText("steamcommunity.com/id/nobody")
    QTest.keyClick(dialog.identity_field.text_edit, Qt.Key.Key_Return)
    rig.bot.waitUntil(lambda: "No profile on Steam" in dialog.identity_field.message_label.text())
    rig.key = None
    rig.bot.mouseClick(dialog.identity_field.lookup_button, Qt.MouseButton.LeftButton)
    rig.bot.waitUntil(lambda: "Web API key" in dialog.identity_field.message_label.text())


def test_identities_of_a_newer_program_are_left_alone(rig: SkillRig) -> None:
    rig.session.identities.add(StoredIdentity("ns2", "epic", "moth"))
    assert rig.who.identities() == ()
    open_dialog(rig)
    assert kept(rig) == [("ns2", "epic", "moth")]


def test_everything_has_a_name_and_is_reached_by_tab(rig: SkillRig) -> None:
    dialog = open_dialog(rig)
    rig.bot.waitUntil(lambda: bool(offered(dialog)))
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
    assert rig.who.dialog is None
