"""Which game an infostring of the Quake III family belongs to."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from browser_app.games.profile import GameProfile

_Tests = tuple[tuple[int, re.Pattern[str]], ...]
"""For each key of one match: its place among the matcher's keys, and what the value must match."""

_MAX_VALUE = 64
"""Characters of a value that are looked at: enough for any name of a game, and it bounds what is remembered."""


class InfoMatcher:
    """Finds the game of an infostring. Servers of one game say the same, so answers are remembered.

    It may be called from several threads.
    """

    def __init__(self, profiles: Iterable[GameProfile]) -> None:
        """Take the profiles in order of precedence; a match with more keys goes before one with fewer all the same."""
        matches = [(match, profile) for profile in profiles for match in profile.info_matches]
        matches.sort(key=lambda row: -len(row[0]))
        self._keys = tuple(dict.fromkeys(key for match, _ in matches for key in match))
        self._rows = [(self._tests(match), profile) for match, profile in matches]
        self._remembered = lru_cache(maxsize=4096)(self._find)

    def __call__(self, info: Mapping[str, str]) -> GameProfile | None:
        """The game, None where no match fits."""
        values = map(info.get, self._keys)
        return self._remembered(tuple(value if value is None else value[:_MAX_VALUE] for value in values))

    def _tests(self, match: Mapping[str, str]) -> _Tests:
        return tuple((self._keys.index(key), re.compile(pattern, re.IGNORECASE)) for key, pattern in match.items())

    def _find(self, values: tuple[str | None, ...]) -> GameProfile | None:
        for tests, profile in self._rows:
            if all((value := values[place]) is not None and pattern.match(value) for place, pattern in tests):
                return profile
        return None
