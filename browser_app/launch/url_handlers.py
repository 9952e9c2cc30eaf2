"""Programs that are registered for the URLs of a scheme on this system."""

import os
import sys
from collections.abc import Iterator, Set
from pathlib import Path

from browser_app.input_files import read_regular_file

_MAX_FILE_BYTES = 4 << 20
_DEFAULT_DATA_FOLDERS = "/usr/local/share:/usr/share"
_HANDLER_KEY = "x-scheme-handler/"


def find_url_handlers(schemes: Set[str]) -> frozenset[str]:
    """Return those of the schemes for which a program is registered.

    Reads files. Empty on macOS, where no file lists them.
    """
    if not schemes:
        return frozenset()
    if sys.platform == "win32":
        return _find_schemes_in_registry(schemes)
    return frozenset(scheme for file in _iterate_association_files() for scheme in _read_schemes(file)) & schemes


if sys.platform == "win32":
    import winreg

    def _find_schemes_in_registry(schemes: Set[str]) -> frozenset[str]:
        return frozenset(scheme for scheme in schemes if _is_in_registry(scheme))

    def _is_in_registry(scheme: str) -> bool:
        try:
            with winreg.OpenKey(winreg.HKEY_CLASSES_ROOT, scheme) as key:
                winreg.QueryValueEx(key, "URL Protocol")
        except OSError:
            return False
        return True


def _iterate_association_files() -> Iterator[Path]:
    """Yield the files that name the programs for each MIME type and URL scheme."""
    yield Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config", "mimeapps.list")
    own = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    shared = (os.environ.get("XDG_DATA_DIRS") or _DEFAULT_DATA_FOLDERS).split(":")
    yield from (Path(folder, "applications/mimeinfo.cache") for folder in (own, *shared) if folder)


def _read_schemes(file: Path) -> Iterator[str]:
    try:
        text = read_regular_file(file, _MAX_FILE_BYTES).decode("utf-8", "replace")
    except OSError:
        return
    for line in text.splitlines():
        key, equals, programs = line.partition("=")
        if key.startswith(_HANDLER_KEY) and equals and programs:
            yield key.removeprefix(_HANDLER_KEY)
