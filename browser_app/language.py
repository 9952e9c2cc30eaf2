"""Translation of user-visible texts with gettext.

Texts are English in the code and looked up when they are shown. A text that is declared before the language is known
(a column's title, a setting's label) is marked with `later` where it stands and passed through `gettext` where it is
shown.
"""

import gettext as _library
from pathlib import Path

DOMAIN = "ready-room"
ENGLISH = "en"

_translations: _library.NullTranslations = _library.NullTranslations()


def available_languages(folder: Path) -> tuple[str, ...]:
    """The languages there are: English and the folders with a catalogue."""
    return (ENGLISH, *sorted(path.parts[-3] for path in folder.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")))


def set_language(folder: Path, language: str | None = None) -> None:
    """Speak a language from now on; None is the one of the environment. What is not translated stays English."""
    global _translations  # noqa: PLW0603 (gettext is process-wide by nature)
    wanted = [language] if language else None
    _translations = _library.translation(DOMAIN, folder, wanted, fallback=True)


def gettext(text: str) -> str:
    """The text in the language in use."""
    return _translations.gettext(text) if text else ""


def pgettext(context: str, text: str) -> str:
    """The same of a text that means something else elsewhere; the context is for the translators."""
    return _translations.pgettext(context, text)


def ngettext(one: str, many: str, number: int) -> str:
    """The form for a number, in the language in use."""
    return _translations.ngettext(one, many, number)


def N_(text: str) -> str:  # noqa: N802 (gettext tools know this name)
    """The text itself: marked to be found by the translators, looked up where it is shown."""
    return text
