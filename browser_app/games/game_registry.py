"""Registry of game profiles, and identification of a server's game."""

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import lru_cache
from pathlib import Path

from browser_app.games.game_profile import GameProfile
from browser_app.games.profile_reader import read_profile
from browser_app.games.steam_games import MAX_STEAM_GAMES, build_steam_game, steam_game_id, unnamed_steam_game
from browser_app.games.toml_lines import toml_line_number
from browser_app.games.toml_reader import ProfileError
from browser_app.protocols.query_protocols import protocol_family

_KeyTests = tuple[tuple[int, re.Pattern[str]], ...]
"""For each key of one match: its index in `InfoMatcher._keys`, and the pattern of its value."""

_APPID = re.compile("[0-9]{1,10}")
_MAX_VALUE_LENGTH = 64
"""Characters of a value that are matched: enough for any game's name, and it bounds the cache."""


class InfoMatcher:
    """Finds the game of an infostring; thread-safe.

    Servers of one game send equal values, so results are cached.
    """

    def __init__(self, profiles: Iterable[GameProfile]) -> None:
        """Prepare the matches of `profiles`, those with most keys first."""
        matches = [(match, profile) for profile in profiles for match in profile.info_matches]
        matches.sort(key=lambda row: -len(row[0]))
        self._keys = tuple(dict.fromkeys(key for match, _ in matches for key in match))
        self._matches = [(self._compile_tests(match), profile) for match, profile in matches]
        self._cached_find = lru_cache(maxsize=4096)(self._find)

    def __call__(self, info: Mapping[str, str]) -> GameProfile | None:
        """Return the game, None if no match fits."""
        values = map(info.get, self._keys)
        return self._cached_find(tuple(value if value is None else value[:_MAX_VALUE_LENGTH] for value in values))

    def _compile_tests(self, match: Mapping[str, str]) -> _KeyTests:
        return tuple((self._keys.index(key), re.compile(pattern, re.IGNORECASE)) for key, pattern in match.items())

    def _find(self, values: tuple[str | None, ...]) -> GameProfile | None:
        for tests, profile in self._matches:
            if all((value := values[index]) is not None and pattern.match(value) for index, pattern in tests):
                return profile
        return None


class GameRegistry(Mapping[str, GameProfile]):
    """Profiles by id, sorted by id.

    Those made from Steam app ids may be added later, in any thread; iterators in use still see the old profiles.
    """

    def __init__(self, profiles: Iterable[GameProfile]) -> None:
        """Index profiles.

        Their ids, app ids and folders are unique, as `load_games` ensures.
        """
        self._lock = threading.Lock()
        self._set_profiles(profiles)
        self._by_folder = {folder.lower(): profile for profile in self.values() for folder in profile.folders}
        self._info_matchers: dict[str, InfoMatcher] = {}
        """By protocol family, created when first needed: compiling the patterns would delay the start."""

    def __getitem__(self, key: str) -> GameProfile:
        return self._profiles[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._profiles)

    def __len__(self) -> int:
        return len(self._profiles)

    def _set_profiles(self, profiles: Iterable[GameProfile]) -> None:
        by_id = {profile.id: profile for profile in sorted(profiles, key=lambda profile: profile.id)}
        self._profiles = by_id
        self._by_appid = {appid: profile for profile in by_id.values() for appid in profile.appids}

    @property
    def named_appids(self) -> Set[int]:
        """Steam app ids of all games whose names are known."""
        return frozenset(appid for appid, game in self._by_appid.items() if game.name != unnamed_steam_game(appid))

    def find(self, name: str) -> GameProfile | None:
        """Return the game with this id or Steam app id; None if there is none."""
        return self.get(name) or (self._by_appid.get(int(name)) if _APPID.fullmatch(name) else None)

    def add_steam_games(self, names: Mapping[int, str]) -> None:
        """Add games made from Steam app ids.

        Args:
            names: app id → name, empty if unknown. Those that a profile claims are left out, and new ones beyond
                `MAX_STEAM_GAMES` in all. A game without a name gets it.
        """
        with self._lock:
            named, games = self.named_appids, dict(self)
            remaining = MAX_STEAM_GAMES - sum(game.is_made_from_appid for game in games.values())
            for appid in sorted(names.keys() - named):
                game_id = steam_game_id(appid)
                is_new = game_id not in games
                if (is_new and remaining > 0) or (not is_new and names[appid]):
                    remaining -= is_new
                    shorts = {game.short for game in games.values() if game.id != game_id}
                    games[game_id] = build_steam_game(appid, names[appid], shorts)
            self._set_profiles(games.values())

    def identify(self, *, appid: int | None = None, folder: str | None = None) -> GameProfile | None:
        """Return the game of a server that replied by A2S; None if no profile matches.

        Args:
            appid: Steam's app id; 0 is unknown. A server that sends one is identified by nothing else.
            folder: game folder, compared without case.
        """
        return self._by_appid.get(appid) if appid else self._by_folder.get((folder or "").lower())

    def identify_info(self, protocol: str, info: Mapping[str, str]) -> GameProfile | None:
        """Return the game whose `info_matches` fit a reply; None if there is none.

        Only games with a protocol of the same family are considered. The match with most keys wins, then the first id.
        """
        family = protocol_family(protocol)
        matcher = self._info_matchers.get(family)
        if matcher is None:
            matcher = InfoMatcher(each for each in self.values() if protocol_family(each.protocol) == family)
            self._info_matchers[family] = matcher
        return matcher(info) if info else None


_UNIQUE_CLAIMS: Mapping[str, Callable[[GameProfile], Iterable[object]]] = {
    "short": lambda profile: (profile.short,),
    "appids": lambda profile: profile.appids,
    "folders": lambda profile: (folder.lower() for folder in profile.folders),
}
"""Values that must be unique among the games: key in the file → the values of a profile."""


def load_games(*folders: Path) -> GameRegistry:
    """Load the games in all `*.toml` files of the folders.

    A profile replaces one of the same id in an earlier folder. A missing folder counts as empty.

    Raises:
        ProfileError: a file is invalid, two games claim one value, or there is no game at all.
    """
    files = {file.stem: file for folder in folders for file in sorted(folder.glob("*.toml"))}
    if not files:
        raise ProfileError(Path(*folders[:1]), "folder", "contains no game profiles")
    profiles = {file: read_profile(file) for file in files.values()}
    check_claims(profiles)
    return GameRegistry(profiles.values())


def check_claims(profiles: Mapping[Path, GameProfile]) -> None:
    """Check that no two of the profiles, by file, claim one value.

    Raises:
        ProfileError: two do; it names the later file.
    """
    for key, claimed in _UNIQUE_CLAIMS.items():
        _check_unique_claims(key, claimed, profiles)


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
