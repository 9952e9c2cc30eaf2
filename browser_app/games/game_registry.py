"""All game profiles, and which game a server plays."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from browser_app.games.game_profile import GameProfile
from browser_app.games.profile_reader import read_profile
from browser_app.games.toml_reader import ProfileError, toml_line_number

_KeyTests = tuple[tuple[int, re.Pattern[str]], ...]
"""For each key of one match: its place among the matcher's keys, and what the value must match."""

_MAX_VALUE_LENGTH = 64
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
        self._matches = [(self._compile_tests(match), profile) for match, profile in matches]
        self._cached_find = lru_cache(maxsize=4096)(self._find)

    def __call__(self, info: Mapping[str, str]) -> GameProfile | None:
        """The game, None where no match fits."""
        values = map(info.get, self._keys)
        return self._cached_find(tuple(value if value is None else value[:_MAX_VALUE_LENGTH] for value in values))

    def _compile_tests(self, match: Mapping[str, str]) -> _KeyTests:
        return tuple((self._keys.index(key), re.compile(pattern, re.IGNORECASE)) for key, pattern in match.items())

    def _find(self, values: tuple[str | None, ...]) -> GameProfile | None:
        for tests, profile in self._matches:
            if all((value := values[place]) is not None and pattern.match(value) for place, pattern in tests):
                return profile
        return None


class GameRegistry(Mapping[str, GameProfile]):
    """Profiles by id, in the order of their ids."""

    def __init__(self, profiles: Iterable[GameProfile]) -> None:
        """Take profiles whose ids, app ids and folders are each claimed once, as `load_games` sees to."""
        self._profiles = {profile.id: profile for profile in sorted(profiles, key=lambda profile: profile.id)}
        self._by_appid = {appid: profile for profile in self.values() for appid in profile.appids}
        self._by_folder = {folder.lower(): profile for profile in self.values() for folder in profile.folders}
        self._info_matcher = InfoMatcher(self.values())

    def __getitem__(self, key: str) -> GameProfile:
        return self._profiles[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._profiles)

    def __len__(self) -> int:
        return len(self._profiles)

    def identify(
        self,
        protocol: str,
        *,
        appid: int | None = None,
        folder: str | None = None,
        info: Mapping[str, str] | None = None,
    ) -> GameProfile | None:
        """The game of a server that answered; None where no profile claims it.

        Args:
            protocol: Name of the query protocol that was answered.
            appid: Steam's app id (A2S); 0 is unknown. A server that tells one is known by nothing else.
            folder: The game folder (A2S), without regard to case.
            info: The infostring (Quake III family). The match with most keys wins, then the first id.
        """
        if protocol == "a2s":
            return self._by_appid.get(appid) if appid else self._by_folder.get((folder or "").lower())
        return self._info_matcher(info) if info else None


_UNIQUE_CLAIMS: Mapping[str, Callable[[GameProfile], Iterable[object]]] = {
    "short": lambda profile: (profile.short,),
    "appids": lambda profile: profile.appids,
    "folders": lambda profile: (folder.lower() for folder in profile.folders),
}
"""What no two games may share: key in the file → the values that a profile claims."""


def load_games(*folders: Path) -> GameRegistry:
    """The games in all `*.toml` files of the folders. A later folder's profile replaces an earlier one with its id.

    Nothing is half read: either all files are good, or there is an error. A folder that is missing holds nothing.

    Raises:
        ProfileError: a file is malformed, two games claim the same, or there is no game at all.
    """
    files = {file.stem: file for folder in folders for file in sorted(folder.glob("*.toml"))}
    if not files:
        raise ProfileError(Path(*folders[:1]), "folder", "holds no game profiles")
    profiles = {file: read_profile(file) for file in files.values()}
    for key, claimed in _UNIQUE_CLAIMS.items():
        _check_unique_claims(key, claimed, profiles)
    return GameRegistry(profiles.values())


def _check_unique_claims(
    key: str, claimed_values: Callable[[GameProfile], Iterable[object]], profiles: Mapping[Path, GameProfile]
) -> None:
    owners: dict[object, str] = {}
    for file, profile in profiles.items():
        for value in claimed_values(profile):
            owner = owners.setdefault(value, profile.id)
            if owner != profile.id:
                line = toml_line_number(file.read_text(encoding="utf-8"), key)
                raise ProfileError(file, key, f"{value} belongs to {owner} already", line)
