"""Translation of user-visible texts with gettext.

Texts are English in the code and translated when they are shown. A text that is declared before the language is known
(a column's title, a setting's label) is marked with `N_` there and passed through `gettext` where it is shown.
"""

import gettext as _gettext_library
import re
from collections.abc import Mapping
from pathlib import Path

DOMAIN = "ready-room"
ENGLISH = "en"

_translations: _gettext_library.NullTranslations = _gettext_library.NullTranslations()


def available_languages(folder: Path) -> tuple[str, ...]:
    """Return English and the languages that have a folder with compiled translations."""
    return (ENGLISH, *sorted(path.parts[-3] for path in folder.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")))


def set_language(folder: Path, language: str | None = None) -> None:
    """Translate into a language from now on; None for that of the environment.

    Untranslated texts stay English.
    """
    global _translations  # noqa: PLW0603 (gettext is process-wide by nature)
    languages = [language] if language else None
    _translations = _gettext_library.translation(DOMAIN, folder, languages, fallback=True)


def locale_country(environ: Mapping[str, str]) -> str:
    """Return the country (two letters) of the environment's locale.

    The text is empty if there is none, as on Windows.
    """
    locales = (environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))  # in Qt's order
    match = re.match(r"[a-z]{2,3}_([A-Z]{2})\b", next(filter(None, locales), ""))
    return match[1] if match else ""


def gettext(text: str) -> str:
    """Return the text in the current language."""
    return _translations.gettext(text) if text else ""


def pgettext(context: str, text: str) -> str:
    """Return the translation of a text whose meaning depends on the context.

    The context is a note to the translators.
    """
    return _translations.pgettext(context, text)


def ngettext(singular: str, plural: str, number: int) -> str:
    """Return the singular or plural form for a number in the current language."""
    return _translations.ngettext(singular, plural, number)


def N_(text: str) -> str:  # noqa: N802 (gettext tools know this name)
    """Mark a text for the translators and return it untranslated."""
    return text
