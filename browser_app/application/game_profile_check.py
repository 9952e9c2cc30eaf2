"""Checks of the user's own game profiles that tests make for the shipped ones."""

import re
from pathlib import Path

from browser_app.engine.masters.master_kinds import master_url_problem
from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry, check_claims
from browser_app.games.profile_reader import read_profile
from browser_app.games.toml_lines import toml_line_number
from browser_app.games.toml_reader import ProfileError
from browser_app.protocols.query_protocols import A2S
from browser_app.rating.system_registry import RATING_SYSTEMS


def check_profile_values(file: Path, profile: GameProfile) -> None:
    """Check what `load_games` leaves out to be quick.

    That is whether masters, patterns and the rating system are valid.

    Raises:
        ProfileError: there is no such master server or system, or a pattern is no regular expression.
    """
    problems = {f"masters[{index}]": master_url_problem(url) for index, url in enumerate(profile.masters)}
    for index, match in enumerate(profile.info_matches):
        problems |= {f"info_matches[{index}].{key}": _pattern_problem(match[key]) for key in match}
    if profile.rating_system not in RATING_SYSTEMS:
        problems["rating_system"] = f"{profile.rating_system!r} is not one of {', '.join(RATING_SYSTEMS)}"
    for key, problem in problems.items():
        if problem is not None:
            raise ProfileError(file, key, problem, toml_line_number(file.read_text(encoding="utf-8"), key))


def _pattern_problem(pattern: str) -> str | None:
    try:
        re.compile(pattern)
    except re.error as error:
        return f"not a regular expression: {error}"
    return None


def is_recognisable(profile: GameProfile) -> bool:
    """Return whether servers can be recognised as those of a game.

    Servers that speak A2S report their game, and may be on any list; others may also be those on the game's own lists.
    """
    if profile.protocol == A2S:
        return bool(profile.appids or profile.folders)
    return bool(profile.info_matches or profile.masters)


def check_profile_file(file: Path, games: GameRegistry) -> GameProfile:
    """Return the profile in a file that may be added to the games, or replace one.

    Raises:
        ProfileError: the file cannot be read, is invalid, claims what belongs to another game or would fit no server.
    """
    profile = read_profile(file)
    check_profile_values(file, profile)
    if not is_recognisable(profile):
        key = "appids" if profile.protocol == A2S else "info_matches"
        raise ProfileError(file, key, "missing: no server would be recognised as one of this game")
    others = {Path(game.id): game for game in games.values() if game.id != profile.id}
    check_claims(others | {file: profile})
    return profile
