"""Installation of the user interface language and its text direction."""

from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from browser_app import language

SYSTEM_LANGUAGE = "system"


def install_language(app: QApplication, folder: Path, language_code: str) -> None:
    """Use a language, or with `system` the first of the system's that there is; English where there is none."""
    code = _system_language(folder) if language_code == SYSTEM_LANGUAGE else language_code
    language.set_language(folder, code)
    locale = QLocale(code)
    translator = QTranslator(app)
    if translator.load(locale, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(translator)
    app.setLayoutDirection(locale.textDirection())


def _system_language(folder: Path) -> str:
    there = language.available_languages(folder)
    spoken = (name.replace("_", "-").partition("-")[0] for name in QLocale.system().uiLanguages())
    return next((name for name in spoken if name in there), language.ENGLISH)
