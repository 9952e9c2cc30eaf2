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

from browser_app.player.identities import Identity, IdentityError, IdentityKind
from browser_app.storage.declared import ASK_STEAM
from browser_app.storage.identities import KeptIdentity
from browser_app.ui.skill.identity_words import likely_kind, read_identity
from browser_app.ui.skill.who_dialog import WhoDialog

SEEN = [("22202", "moth", 214), ("99", "LowTide", 180), ("7", "krill", 90), ("8", "x", 3), ("9", "y", 2)]


@pytest.fixture
def rig(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[SkillRig]:
    with skill_rig(qtbot, qapp) as rig:
        rig.home = tmp_path
        rig.seen = SEEN
        yield rig


def open_dialog(rig: SkillRig, game: str = "ns2") -> WhoDialog:
    rig.who.open(rig.window, game)
    assert rig.who.dialog is not None
    rig.who.dialog.activateWindow()
    rig.bot.waitUntil(rig.who.dialog.isActiveWindow)
    return rig.who.dialog


def kept(rig: SkillRig) -> list[tuple[str, str, str]]:
    return [(each.game, each.kind, each.value) for each in rig.session.identities]


def offered(dialog: WhoDialog) -> list[str]:
    return [button.accessibleName().removeprefix("This is me: ") for button in dialog.offers.buttons]


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
    assert likely_kind(text) is kind


@given(st.text(max_size=50), st.sampled_from(IdentityKind))
def test_a_canonical_value_is_read_as_itself(text: str, kind: IdentityKind) -> None:
    try:
        identity = read_identity("x", kind, text)
    except IdentityError:
        return
    assert read_identity("x", kind, identity.value) == identity


def test_keys_add_choose_and_remove(rig: SkillRig) -> None:
    dialog = open_dialog(rig)
    assert QApplication.focusWidget() is dialog.field.text
    with rig.bot.waitSignal(rig.who.changed):
        QTest.keyClicks(dialog.field.text, "STEAM_0:0:11101")
        QTest.keyClick(dialog.field.text, Qt.Key.Key_Return)
    QTest.keyClicks(dialog.field.text, "m?th*")
    QTest.keyClick(dialog.field.text, Qt.Key.Key_Return)
    dialog.field.game.setCurrentIndex(dialog.field.game.findData("xonotic"))
    QTest.keyClicks(dialog.field.text, FINGERPRINT)
    QTest.keyClick(dialog.field.text, Qt.Key.Key_Return)
    expected = [("ns2", "steam", ACCOUNT), ("ns2", "name", "m?th*"), ("xonotic", "xonotic", FINGERPRINT)]
    assert kept(rig) == expected
    assert dialog.isVisible()
    first = dialog.tree.topLevelItem(0)
    assert first is not None
    second = first.child(1)
    assert second is not None
    assert [first.text(0), second.text(0), second.text(1)] == ["Natural Selection 2 (2)", "m?th*", "Name or pattern"]
    assert not dialog.remove.isEnabled()
    dialog.tree.setCurrentItem(second)
    dialog.tree.setFocus()
    QTest.keyClick(dialog.tree, Qt.Key.Key_Delete)
    del expected[1]
    assert kept(rig) == expected
    assert rig.who.identities() == tuple(Identity(game, IdentityKind(kind), value) for game, kind, value in expected)


def test_what_names_nobody_is_said_and_not_added(rig: SkillRig) -> None:
    dialog = open_dialog(rig)
    for text, words in (("https://example.org/x", "No Steam id"), ("*", "at least one letter")):
        dialog.field.text.setText(text)
        assert words in dialog.field.message.text() == dialog.field.text.accessibleDescription()
        assert not dialog.field.add.isEnabled()
        QTest.keyClick(dialog.field.text, Qt.Key.Key_Return)
    dialog.field.text.setText("22202")
    QTest.keyClick(dialog.field.text, Qt.Key.Key_Return)
    dialog.field.text.setText(f"https://steamcommunity.com/profiles/{ACCOUNT}")
    assert dialog.field.message.text() == "That is known already."
    assert not dialog.field.add.isEnabled()
    dialog.field.kind.setCurrentIndex(dialog.field.kind.findData(IdentityKind.NAME))
    assert dialog.field.add.isEnabled()  # somebody may be called so
    assert kept(rig) == [("ns2", "steam", ACCOUNT)]


def test_who_is_most_in_the_record_is_offered_until_the_user_is_found_in_it(rig: SkillRig) -> None:
    dialog = open_dialog(rig)
    rig.bot.waitUntil(lambda: bool(offered(dialog)))
    assert offered(dialog) == ["moth", "LowTide", "krill", "x"]
    dialog.field.game.setCurrentIndex(dialog.field.game.findData("tremulous"))
    assert offered(dialog) == []
    dialog.field.game.setCurrentIndex(dialog.field.game.findData("ns2"))
    rig.bot.mouseClick(dialog.offers.buttons[0], Qt.MouseButton.LeftButton)
    assert kept(rig) == [("ns2", "steam", ACCOUNT)]
    assert offered(dialog) == []
    assert dialog.offers.isHidden()


def test_a_key_of_this_machine_is_offered_with_one_click(rig: SkillRig) -> None:
    folder = rig.home / ".xonotic"
    folder.mkdir()
    (folder / "key_0-public-fp.txt").write_text(f"ID-Fingerprint: {FINGERPRINT}\n")
    dialog = open_dialog(rig, "xonotic")
    rig.bot.waitUntil(lambda: bool(offered(dialog)))
    assert offered(dialog) == ["Xonotic key x+Zk2Sm/…"]
    QTest.keyClick(dialog.offers.buttons[0], Qt.Key.Key_Space)
    assert kept(rig) == [("xonotic", "xonotic", FINGERPRINT)]
    assert offered(dialog) == []


def test_steam_is_asked_for_a_chosen_address_only_when_the_user_wants_it(rig: SkillRig) -> None:
    dialog = open_dialog(rig)
    dialog.field.text.setText(f"https://steamcommunity.com/id/{VANITY}")
    assert "Only Steam knows" in dialog.field.message.text()
    assert dialog.field.look_up.isVisible()
    assert not dialog.field.add.isEnabled()
    rig.bot.mouseClick(dialog.field.look_up, Qt.MouseButton.LeftButton)
    rig.bot.waitUntil(lambda: "unless it is switched on" in dialog.field.message.text())
    rig.settings.set(ASK_STEAM, True)
    rig.session.database.flush()
    assert rig.session.asked.newest() == []
    rig.bot.mouseClick(dialog.field.look_up, Qt.MouseButton.LeftButton)
    rig.bot.waitUntil(lambda: dialog.field.text.text() == ACCOUNT)
    rig.session.database.flush()
    assert len(rig.session.asked.newest()) == 1
    assert "is the account" in dialog.field.message.text()
    rig.bot.mouseClick(dialog.field.add, Qt.MouseButton.LeftButton)
    assert kept(rig) == [("ns2", "steam", ACCOUNT)]


def test_why_steam_does_not_tell_is_said(rig: SkillRig) -> None:
    rig.settings.set(ASK_STEAM, True)
    dialog = open_dialog(rig)
    dialog.field.text.setText("steamcommunity.com/id/nobody")
    QTest.keyClick(dialog.field.text, Qt.Key.Key_Return)
    rig.bot.waitUntil(lambda: "No profile on Steam" in dialog.field.message.text())
    rig.key = None
    rig.bot.mouseClick(dialog.field.look_up, Qt.MouseButton.LeftButton)
    rig.bot.waitUntil(lambda: "Web API key" in dialog.field.message.text())


def test_identities_of_a_newer_program_are_left_alone(rig: SkillRig) -> None:
    rig.session.identities.add(KeptIdentity("ns2", "epic", "moth"))
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
        dialog.field.game,
        dialog.field.kind,
        dialog.field.text,
        dialog.tree,
        *dialog.offers.buttons,
        dialog.close_button,
    ):
        assert widget in reached
    for each in (dialog.field.game, dialog.field.kind, dialog.field.text, dialog.tree, *dialog.offers.buttons):
        assert each.accessibleName()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert rig.who.dialog is None
