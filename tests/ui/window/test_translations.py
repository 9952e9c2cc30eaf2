"""Translations: complete and consistent; the window in German and mirrored."""

import gettext
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from devtools.translations import DOMAIN, KEYWORDS, LANGUAGES
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from window_helpers import AppDriver, OpenApp

from browser_app import language
from browser_app.paths import resource_folder
from browser_app.storage.setting_declarations import LANGUAGE
from browser_app.storage.settings_store import Settings
from browser_app.ui.filters.filter_chip_bar import FilterChipBar
from browser_app.ui.settings.keyboard_shortcuts import text_with_shortcut
from browser_app.window_app.qt_application import SYSTEM_LANGUAGE, install_language

ROOT = Path(__file__).resolve().parents[3]
FILES = sorted((ROOT / LANGUAGES).glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def catalogue(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def messages(path: Path) -> list[Message]:
    return [message for message in catalogue(path) if message.id]


def forms(text: object) -> list[str]:
    return list(text) if isinstance(text, tuple | list) else [str(text)]


@pytest.fixture(scope="module")
def in_the_code() -> set[str]:
    """Every marked text of the code, by its singular."""
    keywords = {**DEFAULT_KEYWORDS, **dict.fromkeys(KEYWORDS)}
    found = extract_from_dir(ROOT / "browser_app", [("**.py", "python")], keywords=keywords)
    return {forms(message)[0] for _file, _line, message, _comments, _context in found}


def test_every_language_can_be_chosen() -> None:
    assert {path.parts[-3] for path in FILES} == {*LANGUAGE.choices} - {SYSTEM_LANGUAGE, language.ENGLISH}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parts[-3])
def test_catalogue_matches_code(path: Path, in_the_code: set[str]) -> None:
    translated = {forms(message.id)[0] for message in messages(path)}
    assert sorted(in_the_code - translated) == [], "run: python3 packaging/dev.py texts"
    assert sorted(translated - in_the_code) == []
    assert [message.id for message in messages(path) if message.fuzzy or not all(forms(message.string))] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parts[-3])
def test_placeholders_and_edges_match(path: Path) -> None:
    def places(text: str) -> set[tuple[str | None, str | None, str | None]]:
        return {(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(text) if name is not None}

    for message in messages(path):
        english, others = forms(message.id), forms(message.string)
        for form in others:
            assert places(form) <= set().union(*map(places, english)), form
            assert places(english[-1]) <= places(form) or len(english) == 2, form
            assert re.findall(r"^\s*|\s*$", form) == re.findall(r"^\s*|\s*$", english[0]), repr(form)
            assert form.endswith("…") == english[0].endswith("…"), form


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parts[-3])
def test_compiled_file_is_current(path: Path, tmp_path: Path) -> None:
    with (tmp_path / "made.mo").open("wb") as file:
        write_mo(file, catalogue(path))
    assert path.with_suffix(".mo").read_bytes() == (tmp_path / "made.mo").read_bytes()


def test_german_is_informal() -> None:
    (path,) = (each for each in FILES if each.parts[-3] == "de")
    for message in messages(path):
        for form in forms(message.string):
            assert not re.search(r"\b(Ihnen|Ihre[mnrs]? (?:Server|Spiel)|Bitte|bitte)\b|!$", form), form


# Window


@pytest.fixture
def german(open_app: OpenApp, home: Path) -> Iterator[AppDriver]:
    settings = Settings(home / "settings")
    settings.set(LANGUAGE, "de")
    yield open_app()
    language.set_language(resource_folder() / "languages", language.ENGLISH)


def test_window_is_german(german: AppDriver) -> None:
    window = german.window
    assert window.play_now_bar.button.accessibleName() == "Jetzt spielen"
    assert "Live-Sortierung" in window.status_bar.shown_texts()
    assert isinstance(language._translations, gettext.GNUTranslations)


def test_keys_in_tooltips_follow_language(qapp: QApplication) -> None:
    folder, tooltips = resource_folder() / "languages", []
    for code in ("de", language.ENGLISH):
        install_language(qapp, folder, code)
        tooltips.append(text_with_shortcut("…", "servers"))
    assert tooltips == ["… (Strg+1)", "… (Ctrl+1)"]


def test_setting_problems_are_german(open_app: OpenApp, home: Path) -> None:
    folder = home / "settings"
    folder.mkdir(parents=True)
    (folder / "settings.toml").write_text('[window]\nlanguage = "de"\nscale = "large"\nthem = "dark"\n')
    try:
        wrong, unknown = open_app().program.problems()
        assert "muss eine Zahl von" in wrong
        assert wrong.endswith("nicht „large“")
        assert "unbekannte Einstellung" in unknown
    finally:
        language.set_language(resource_folder() / "languages", language.ENGLISH)


def test_right_to_left_layout(app: AppDriver, qapp: QApplication) -> None:
    window = app.window
    play, more = window.play_now_bar.button, window.overflow_button
    ping = app.cell(0, "ping").x(), app.cell(0, "name").x()
    assert play.mapTo(window, play.rect().center()).x() < more.mapTo(window, more.rect().center()).x()
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        app.wait(lambda: play.mapTo(window, play.rect().center()).x() > window.width() // 2)
        assert more.mapTo(window, more.rect().center()).x() < window.width() // 2
        assert (
            window.servers_view.sidebar.mapTo(window, window.servers_view.sidebar.rect().center()).x()
            > window.width() // 2
        )
        mirrored = app.cell(0, "ping").x(), app.cell(0, "name").x()
        assert (ping[0] < ping[1]) != (mirrored[0] < mirrored[1])
        assert re.search(r", (<1|\d+) ms\b", window.play_now_bar.shown_texts()[2])
        chips = window.findChild(FilterChipBar)
        assert chips is not None
        assert more.mapTo(window, more.rect().topLeft()).x() == 12
        strip = window.join_controller.prompts.notification_bar
        strip.show_message("A headline", "A sentence")
        app.wait(lambda: strip._headline.geometry().right() < strip.width() - 32)
        strip.hide_message()
        assert window.grab().width() == window.width()
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
