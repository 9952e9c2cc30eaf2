"""The language that the window speaks: its own texts, Qt's, and the direction in which they run."""

from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from browser_app import language

SYSTEM = "system"


def speak(app: QApplication, folder: Path, wanted: str) -> None:
    """Use a language, or with `system` the first of the system's that there is; English where there is none."""
    code = _of_system(folder) if wanted == SYSTEM else wanted
    language.use(folder, code)
    locale = QLocale(code)
    translator = QTranslator(app)
    if translator.load(locale, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(translator)
    app.setLayoutDirection(locale.textDirection())


def _of_system(folder: Path) -> str:
    there = language.languages(folder)
    spoken = (name.replace("_", "-").partition("-")[0] for name in QLocale.system().uiLanguages())
    return next((name for name in spoken if name in there), language.ENGLISH)
