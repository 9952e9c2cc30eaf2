"""The `launch` table of a game's file: how the game is started."""

import re

from browser_app.games.profile import MAX_APPID, LaunchForms
from browser_app.games.toml_table import Table

_COMMAND = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_FLATPAK = re.compile(r"[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*){2,}", re.ASCII)
_WEB = re.compile(r"https?://[!-~]+")
_BRACES = re.compile(r"\{[^{}]*\}?|\}")
_PLACES = frozenset({"{connect}", "{host}", "{port}"})
_PASSWORD = "{password}"  # noqa: S105 - the place of one


def read_launch(table: Table) -> LaunchForms:
    """The forms in the table, which may be empty.

    Raises:
        ProfileError: an unknown key, a wrong type, a place that nothing fills, or arguments that do not say where to.
    """
    forms = LaunchForms(
        commands=table.texts("commands", lambda text: None if _COMMAND.fullmatch(text) else f"{text!r} is no command"),
        arguments=table.texts("arguments"),
        password_arguments=table.texts("password_arguments"),
        flatpak=table.text("flatpak", "", allowed=_FLATPAK),
        steam_appid=table.integer("steam_appid", 1, MAX_APPID, 0),
        steam_arguments=table.text("steam_arguments", ""),
        steam_password_arguments=table.text("steam_password_arguments", ""),
        install_url=table.text("install_url", "", allowed=_WEB),
    )
    table.close()
    started = bool(forms.commands or forms.flatpak)
    _check_arguments(table, "arguments", " ".join(forms.arguments), needed=started)
    _check_arguments(table, "steam_arguments", forms.steam_arguments, needed=bool(forms.steam_appid))
    _check_password_arguments(table, "password_arguments", " ".join(forms.password_arguments))
    _check_password_arguments(table, "steam_password_arguments", forms.steam_password_arguments)
    return forms


def _check_arguments(table: Table, key: str, text: str, *, needed: bool) -> None:
    places = _places(table, key, text, _PLACES)
    if needed and "{connect}" not in places and not places >= {"{host}", "{port}"}:
        raise table.refused(key, "must hold {connect}, or {host} and {port}")


def _check_password_arguments(table: Table, key: str, text: str) -> None:
    if text and _PASSWORD not in _places(table, key, text, _PLACES | {_PASSWORD}):
        raise table.refused(key, "must hold {password}")


def _places(table: Table, key: str, text: str, known: frozenset[str]) -> set[str]:
    places = set(_BRACES.findall(text))
    for place in sorted(places - known):
        raise table.refused(key, f"{place!r} is none of {', '.join(sorted(known))}")
    return places
