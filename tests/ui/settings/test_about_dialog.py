"""The dialog about the program: parts, network use and licences."""

import sys
import tomllib
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from window_helpers import AppDriver

from browser_app import __version__
from browser_app.storage.setting_declarations import QUERY_XONSTAT_SKILL, UPDATE_CHECK_URL
from browser_app.ui.settings import about_dialog
from browser_app.ui.settings.about_dialog import AboutDialog
from browser_app.ui.settings.keyboard_shortcuts import ShortcutsDialog
from browser_app.ui.widgets.basic_widgets import Label

ROOT = Path(__file__).resolve().parents[3]


def test_all_dependencies_are_listed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {line.partition(";")[0].partition(">")[0].strip() for line in project["dependencies"]}
    assert needed == set(about_dialog.THIRD_PARTY_PACKAGES)


def test_opens_from_shortcuts_dialog(app: AppDriver) -> None:
    app.press(Qt.Key.Key_F1)
    keys = app.window.findChild(ShortcutsDialog)
    assert keys is not None
    about = next(each for each in keys.findChildren(QAbstractButton) if each.text() == "About Ready Room…")
    app.bot.mouseClick(about, Qt.MouseButton.LeftButton)
    dialog = app.window.findChild(AboutDialog)
    assert dialog is not None
    assert not keys.isVisible()
    assert any(__version__ in each.text() for each in dialog.findChildren(Label))
    QTest.keyClick(dialog.close_button, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_network_use_follows_settings(app: AppDriver) -> None:
    settings = app.program.settings
    rows = dict(about_dialog.network_use_rows(settings))
    assert [rows[each] for each in ("Steam", "stats.xonotic.org", "New versions")] == ["nothing (turned off)"] * 3
    settings.set(QUERY_XONSTAT_SKILL, True)
    settings.set(UPDATE_CHECK_URL, "https://localhost/releases")
    rows = dict(about_dialog.network_use_rows(settings))
    assert rows["stats.xonotic.org"].startswith("your public key’s fingerprint")
    assert rows["New versions"].startswith("one request a day")


def test_licence_texts_are_offered_if_present(app: AppDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "ready-room"))
    assert about_dialog.licences_file() is None
    (tmp_path / "THIRD_PARTY.txt").write_text("texts")
    app.window.settings_controller.open_about()
    dialog = app.window.findChild(AboutDialog)
    assert dialog is not None
    assert "All licences" in [each.text() for each in dialog.findChildren(QAbstractButton)]


def test_licence_texts_of_flatpak_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python3"))
    monkeypatch.setattr(about_dialog, "_FLATPAK_LICENCES", tmp_path / "licenses")
    monkeypatch.setenv("FLATPAK_ID", "org.example.App")
    file = tmp_path / "licenses" / "org.example.App" / "THIRD_PARTY.txt"
    assert about_dialog.licences_file() is None
    file.parent.mkdir(parents=True)
    file.write_text("texts")
    assert about_dialog.licences_file() == file
