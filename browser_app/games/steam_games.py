"""Profiles of Steam games that no file describes, made from their app ids."""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from itertools import count, islice

from browser_app.games.game_profile import MAX_APPID, GameProfile, LaunchMethods
from browser_app.protocols.coloured_text import plain_text
from browser_app.protocols.query_protocols import A2S

_APPID = r"([1-9]\d{0,9})\b"
_NAMED_APPS = re.compile(rf"\bappid={_APPID}|\bsteam-{_APPID}|^--game[=\n]{_APPID}$", re.MULTILINE | re.ASCII)
_WHOLE_APPID = re.compile(_APPID, re.ASCII)
_WORD = re.compile("[A-Za-z0-9]+")
_STEAM_PORT = 27015
"""Of most dedicated servers; Steam's lists name the port of each."""
_MAX_NAME_LENGTH = 64
_MAX_NAMED_APPS = 100
"""More than any user is expected to name."""
MAX_STEAM_GAMES = 500
"""Games made from app ids; there are 999 short names for those whose initials do not serve."""


def steam_game_id(appid: int) -> str:
    """Return the id of the profile that is made from an app id."""
    return f"steam-{appid}"


def unnamed_steam_game(appid: int) -> str:
    """Return the name of the game with an app id whose own name is unknown."""
    return f"Steam game {appid}"


def parse_appid(text: str) -> int | None:
    """Return a Steam app id, None if the text is no app id."""
    return int(text) if _WHOLE_APPID.fullmatch(text) and int(text) <= MAX_APPID else None


def find_named_steam_apps(texts: Iterable[str]) -> frozenset[int]:
    """Return the app ids that command-line arguments or a settings file name.

    They occur in URLs of master servers (`appid=730`), in ids of games (`steam-730`) and after `--game`.
    """
    found = (int(next(filter(None, match.groups()))) for match in _NAMED_APPS.finditer("\n".join(texts)))
    return frozenset(islice((appid for appid in found if appid <= MAX_APPID), _MAX_NAMED_APPS))


def build_steam_game(appid: int, name: str, taken_shorts: Collection[str]) -> GameProfile:
    """Return the profile of a game with A2S queries and default ranking constants.

    Args:
        appid: its app id.
        name: its name from whatever source; empty if unknown.
        taken_shorts: short names of other games.
    """
    words = "".join(filter(str.isprintable, plain_text(name))).split()
    shown = " ".join(words)[:_MAX_NAME_LENGTH].strip() or unnamed_steam_game(appid)
    return GameProfile(
        id=steam_game_id(appid),
        name=shown,
        short=_find_short_name(shown, taken_shorts),
        protocol=A2S,
        default_port=_STEAM_PORT,
        is_made_from_appid=True,
        masters=(f"steam-web+https://api.steampowered.com/?appid={appid}",),
        appids=(appid,),
        launch=LaunchMethods(
            steam_appid=appid,
            steam_arguments="+connect {connect}",  # as the server browser of Steam's client starts games
            steam_password_arguments="+password {password}",  # noqa: S106 - a placeholder, not a password
            install_url=f"https://store.steampowered.com/app/{appid}",
        ),
    )


def format_steam_game(game: GameProfile) -> str:
    """Return the profile of `build_steam_game` as the text of a file."""
    launch = game.launch
    values = {
        "name": game.name,
        "short": game.short,
        "protocol": game.protocol,
        "default_port": game.default_port,
        "masters": list(game.masters),
        "appids": list(game.appids),
    }
    launch_values = {
        "steam_appid": launch.steam_appid,
        "steam_arguments": launch.steam_arguments,
        "steam_password_arguments": launch.steam_password_arguments,
        "install_url": launch.install_url,
    }
    return f"{_format_values(values)}\n[launch]\n{_format_values(launch_values)}"


def _format_values(values: Mapping[str, object]) -> str:
    return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items())


def _find_short_name(name: str, taken: Collection[str]) -> str:
    """Return the initials of a name, or S and a number if they are too short or taken."""
    initials = "".join(word[0] for word in _WORD.findall(name))[:4].upper()
    if len(initials) >= 2 and initials not in taken:
        return initials
    return next(short for number in count(1) if (short := f"S{number}") not in taken)
