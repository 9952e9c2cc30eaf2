"""The settings as they hold: declared ones from the settings file, else their defaults.

Kept true: a key that this program does not know is told and stays in the file; a value that does not fit is reported
and its default holds.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from browser_app.language import gettext as _
from browser_app.storage.declared import FORMER, SETTINGS
from browser_app.storage.setting import Setting
from browser_app.storage.settings_file import SettingsFile

FILE_NAME = "settings.toml"
_T = TypeVar("_T")
_LIKE = 0.75
"""How much alike two keys are, of 1, that one may be meant for the other."""


class Settings:
    """The user's settings; a setting that was never changed is not in the file and follows its default.

    Attributes:
        problems: what is wrong in the file, as `FILE:LINE: key: reason`; empty if all is well.
        notices: what is odd in it and does no harm, in the same form.
    """

    def __init__(self, folder: Path) -> None:
        """Read the file in `folder`, which need not exist. Never fails: see `problems`."""
        self._file = SettingsFile(folder / FILE_NAME)
        self.path = self._file.path
        self.problems = self._file.problems
        self._values: dict[str, Any] = {}
        for setting in (*SETTINGS, *FORMER):
            value = self._file.find(setting.key)
            if value is not None:
                self._take(setting, value)
        unknown = islice(self._unknown_keys(self._file.tables, ""), _MOST_NOTICES)
        self.notices = [self.refused(key, _unknown(key)) for key in unknown]

    def get(self, setting: Setting[_T]) -> _T:
        """The value that holds."""
        value: _T = self._values.get(setting.key, setting.default)
        return value

    def set(self, setting: Setting[_T], value: _T) -> None:
        """Change a setting in the file as it is now; setting the default takes the key out.

        What else another program changed in the file stays there, but holds in this one only from its next start.

        Raises:
            ValueError: the value does not fit; nothing is changed.
            StorageError: the file cannot be written; the value holds until the program ends.
        """
        self.hold(setting, value)
        self.write(setting)

    def hold(self, setting: Setting[_T], value: _T) -> None:
        """Let a value hold from now on, and until the program ends if it is not written.

        Raises:
            ValueError: it does not fit; nothing is changed.
        """
        value = setting.check(value)
        if value == setting.default:
            self._values.pop(setting.key, None)
        else:
            self._values[setting.key] = value

    def write(self, setting: Setting[Any]) -> None:
        """Put the value that holds into the file, or take the default out. Waits for the disk and for other programs.

        Raises:
            StorageError: the file cannot be written.
        """
        self._file.change(setting.key, self._values.get(setting.key))

    def refused(self, key: str, reason: str) -> str:
        """The message about a key of the file: where it is, and what is wrong."""
        return f"{self._file.where(key)}: {reason}"

    def _take(self, setting: Setting[Any], value: object) -> None:
        try:
            self._values[setting.key] = setting.check(value)
        except ValueError as error:
            self.problems.append(self.refused(setting.key, str(error)))

    def _unknown_keys(self, table: Mapping[str, Any], path: str) -> Iterator[str]:
        for name, value in table.items():
            key = f"{path}{name}"
            if key in _KNOWN:
                continue
            if not any(known.startswith(f"{key}.") for known in _KNOWN):
                yield key
            elif isinstance(value, Mapping):
                yield from self._unknown_keys(value, f"{key}.")
            else:
                self.problems.append(self.refused(key, _("must be a table")))


_MOST_NOTICES = 20
"""So many unknown keys are told; finding the line of each reads the file once more."""
_KNOWN = [setting.key for setting in (*SETTINGS, *FORMER)]


def _unknown(key: str) -> str:
    like = get_close_matches(key, _KNOWN, 1, _LIKE)
    return _("no such setting; did you mean {key}?").format(key=like[0]) if like else _("no such setting")
