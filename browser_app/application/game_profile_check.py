"""Checks of the user's own game profiles that tests make for the shipped ones."""

from pathlib import Path

from browser_app.engine.masters.master_kinds import master_url_problem
from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry, check_claims
from browser_app.games.profile_reader import read_profile
from browser_app.games.toml_lines import toml_line_number
from browser_app.games.toml_reader import ProfileError
from browser_app.rating.system_registry import RATING_SYSTEMS


def check_profile_names(file: Path, profile: GameProfile) -> None:
    """Check that the master servers and the rating system that a profile names exist.

    Raises:
        ProfileError: There is no such master server or system.
    """
    problems = {f"masters[{index}]": master_url_problem(url) for index, url in enumerate(profile.masters)}
    if profile.rating_system not in RATING_SYSTEMS:
        problems["rating_system"] = f"{profile.rating_system!r} is not one of {', '.join(RATING_SYSTEMS)}"
    for key, problem in problems.items():
        if problem is not None:
            raise ProfileError(file, key, problem, toml_line_number(file.read_text(encoding="utf-8"), key))


def check_profile_file(file: Path, games: GameRegistry) -> GameProfile:
    """Return the profile in a file that may be added to the games, or replace one.

    Raises:
        ProfileError: The file cannot be read, is invalid or claims what belongs to another game.
    """
    profile = read_profile(file)
    check_profile_names(file, profile)
    others = {Path(game.id): game for game in games.values() if game.id != profile.id}
    check_claims(others | {file: profile})
    return profile
