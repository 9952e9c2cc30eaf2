"""All games, read from folders of profiles and checked against each other."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from browser_app.games.games import Games
from browser_app.games.profile import GameProfile
from browser_app.games.read_profile import read_profile
from browser_app.games.toml_lines import line_of
from browser_app.games.toml_table import ProfileError

_CLAIMS: Mapping[str, Callable[[GameProfile], Iterable[object]]] = {
    "short": lambda profile: (profile.short,),
    "appids": lambda profile: profile.appids,
    "folders": lambda profile: (folder.lower() for folder in profile.folders),
}
"""What no two games may share: key in the file → the values that a profile claims."""


def load_games(*folders: Path) -> Games:
    """The games in all `*.toml` files of the folders. A later folder's profile replaces an earlier one with its id.

    Nothing is half read: either all files are good, or there is an error. A folder that is missing holds nothing.

    Raises:
        ProfileError: a file is malformed, two games claim the same, or there is no game at all.
    """
    files = {file.stem: file for folder in folders for file in sorted(folder.glob("*.toml"))}
    if not files:
        raise ProfileError(Path(*folders[:1]), "folder", "holds no game profiles")
    profiles = {file: read_profile(file) for file in files.values()}
    for key, claimed in _CLAIMS.items():
        _check_single_claims(key, claimed, profiles)
    return Games(profiles.values())


def _check_single_claims(
    key: str, claimed: Callable[[GameProfile], Iterable[object]], profiles: Mapping[Path, GameProfile]
) -> None:
    owners: dict[object, str] = {}
    for file, profile in profiles.items():
        for value in claimed(profile):
            owner = owners.setdefault(value, profile.id)
            if owner != profile.id:
                line = line_of(file.read_text(encoding="utf-8"), key)
                raise ProfileError(file, key, f"{value} belongs to {owner} already", line)
