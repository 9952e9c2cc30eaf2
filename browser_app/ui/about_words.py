"""What the program says of itself: what it sends to whom, and what others made that it works with."""

import platform
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from browser_app.bridge.live_settings import LiveSettings
from browser_app.language import gettext as _
from browser_app.storage.declared import ASK_STEAM, ASK_XONSTAT, RELEASES

OTHERS: Mapping[str, tuple[str, str]] = {
    "PySide6-Essentials": ("Qt, PySide6, Shiboken", "LGPL-3.0"),
    "numpy": ("NumPy", "BSD-3-Clause"),
    "pyqtgraph": ("PyQtGraph", "MIT"),
    "msgspec": ("msgspec", "BSD-3-Clause"),
    "requests": ("Requests", "Apache-2.0"),
    "keyring": ("keyring", "MIT"),
    "jeepney": ("jeepney", "MIT"),
    "iptocc": ("iptocc", "MIT OR Apache-2.0"),
    "platformdirs": ("platformdirs", "MIT"),
    "rich": ("Rich", "MIT"),
    "tomli-w": ("tomli-w", "MIT"),
}
"""By the package's name: what it is called, and its licence."""
_WHOLE_TEXT = "THIRD_PARTY.txt"


class Line(NamedTuple):
    """Two columns of a small table."""

    what: str
    words: str


def sent(settings: LiveSettings) -> list[Line]:
    """Who is asked, and what they are sent; what is off says so."""

    def if_on(on: object, words: str) -> str:
        return words if on else _("nothing: it is off")

    return [
        Line(_("Master servers"), _("the game whose servers are wanted; Valve’s list gets your Web API key too")),
        Line(_("Game servers"), _("questions for state, players and rules, never who you are")),
        Line("Steam", if_on(settings.get(ASK_STEAM), _("your Steam id and Web API key, once an hour"))),
        Line("stats.xonotic.org", if_on(settings.get(ASK_XONSTAT), _("your public key’s fingerprint, once an hour"))),
        Line(_("New versions"), if_on(settings.get(RELEASES), _("one request a day to the page you named"))),
        Line(_("Anybody else"), _("nothing")),
    ]


def made_with() -> list[Line]:
    """What others made, each with its version and licence."""
    python = Line(f"Python {platform.python_version()}", "PSF-2.0")
    return [python, *(Line(f"{title} {_version(name)}".strip(), licence) for name, (title, licence) in OTHERS.items())]


def whole_text() -> Path | None:
    """The file with all licences that packages for those without Python bring along."""
    beside = Path(sys.executable).parent / _WHOLE_TEXT
    return beside if beside.is_file() else None


def _version(name: str) -> str:
    """Empty where it is not told, or the package is not here."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
