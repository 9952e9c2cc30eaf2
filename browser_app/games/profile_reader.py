"""Reader for game profiles, launch methods and ranking presets."""

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from browser_app.games import game_profile
from browser_app.games.toml_reader import ProfileError, TextForm, TomlTable, read_toml_table
from browser_app.protocols.coloured_text import COLOUR_DIALECTS
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS

_BOOLEAN_CONSTANTS = frozenset(
    spec.name for spec in fields(game_profile.RankingConstants) if spec.type in (bool, "bool")
)
_CONSTANT_NAMES = frozenset(spec.name for spec in fields(game_profile.RankingConstants))
_CONSTANT_RANGES: Mapping[str, tuple[float, float]] = {
    "viability_midpoint": (1, 1000),
    "viability_steepness": (0.001, 100),
    "viability_weight": (0, 1),
    "seeding_weight": (0, 1),
    "slot_cap": (1, float("inf")),
    "ping_centre_ms": (0, 10_000),
    "ping_width_ms": (1, 10_000),
    "performance_steepness": (0, 10),
    "skill_weight": (0, 10),
    "skill_deviation": (1, 100_000),
}
"""Lowest and highest value of a constant; of the others, which are factors themselves, `_FACTOR_RANGE`."""
_FACTOR_RANGE = (0.0, 100.0)
_REASONS_BY_MIDPOINT: Mapping[str, str] = {
    "viability_steepness": "NS2's own curve, stretched to that midpoint",
    "slot_cap": "seeding counts twice the midpoint at most, as in NS2's in-game formula, so that it weighs alike "
    "in every game",
}
"""Sources of the constants that `RankingConstants.with_midpoint` sets."""


def read_constants(table: TomlTable, base: game_profile.RankingConstants) -> game_profile.RankingConstants:
    """Return `base` with the constants that the table sets; other keys stay unread.

    A midpoint without steepness and slot cap sets these, too.

    Raises:
        ProfileError: a value has the wrong type or is out of range.
    """
    changes = {
        name: table.flag(name)
        if name in _BOOLEAN_CONSTANTS
        else table.number(name, *_CONSTANT_RANGES.get(name, _FACTOR_RANGE))
        for name in table.unread_keys()
        if name in _CONSTANT_NAMES
    }
    if "viability_midpoint" in changes:
        base = base.with_midpoint(changes["viability_midpoint"])
    return replace(base, **changes)  # type: ignore[arg-type]  # the name decides between flag and number


def find_set_constants(table: TomlTable) -> frozenset[str]:
    """Return the constants that the table sets, before `read_constants` reads them."""
    return _CONSTANT_NAMES.intersection(table.unread_keys())


def load_presets(folder: Path) -> Mapping[str, game_profile.RankingConstants]:
    """Load the presets in a folder by file name without `.toml`.

    Constants that a file does not set keep their defaults.

    Raises:
        ProfileError: a file is invalid.
    """
    presets = {}
    for file in sorted(folder.glob("*.toml")):
        table = read_toml_table(file)
        presets[file.stem] = read_constants(table, game_profile.RankingConstants())
        table.close()
    return presets


_COMMAND_PATTERN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_FLATPAK = TextForm(
    re.compile(r"[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*){2,}", re.ASCII), "an application ID such as org.example.Game"
)
_PACKAGE = TextForm(re.compile(r"[a-z0-9][a-z0-9.+-]+"), "the name of a package")
_WEB_URL = TextForm(re.compile(r"https?://[!-~]+"), "an address that begins with https:// or http://")
_OWN_URL = TextForm(
    re.compile(r"(?!(?:https?|file|steam):)[a-z][a-z0-9+.-]{1,31}://[!-~]*"),
    "an address with the game's own scheme, such as game://{connect}",
)
_OPTION = TextForm(re.compile(r"[-+][A-Za-z]+"), "an option such as -iwad")
_FOLDER_PATTERN = re.compile(r"(~/|/|[A-Za-z]:[/\\])[^\0]*")
_NOT_A_FOLDER = "must be a full path, or begin with ~/"
_BRACES = re.compile(r"\{[^{}]*\}?|\}")
_PLACEHOLDERS = frozenset({"{connect}", "{host}", "{port}"})
_CODE_PLACEHOLDER = "{code}"
_PASSWORD_PLACEHOLDER = "{password}"  # noqa: S105 - a placeholder, not a password


def read_launch(table: TomlTable) -> game_profile.LaunchMethods:
    """Read the launch methods of a table, which may be empty.

    Raises:
        ProfileError: a key is unknown, a type is wrong, a placeholder is unknown, or arguments lack the server's
            address.
    """
    methods = game_profile.LaunchMethods(
        commands=table.texts(
            "commands", lambda text: None if _COMMAND_PATTERN.fullmatch(text) else f"{text!r} is not a command name"
        ),
        arguments=table.texts("arguments"),
        password_arguments=table.texts("password_arguments"),
        flatpak=table.text("flatpak", "", allowed=_FLATPAK),
        snap=table.text("snap", "", allowed=_PACKAGE),
        steam_appid=table.integer("steam_appid", 1, game_profile.MAX_APPID, 0),
        steam_arguments=table.text("steam_arguments", ""),
        steam_password_arguments=table.text("steam_password_arguments", ""),
        url=table.text("url", "", allowed=_OWN_URL),
        code_arguments=table.texts("code_arguments"),
        code_url=table.text("code_url", "", allowed=_OWN_URL),
        install_url=table.text("install_url", "", allowed=_WEB_URL),
        debian_package=table.text("debian_package", "", allowed=_PACKAGE),
        free=table.flag("free", False),
        files=_read_file_options(table.table("files")) if "files" in table.unread_keys() else None,
    )
    table.close()
    started = bool(methods.commands or methods.flatpak or methods.snap)
    _check_arguments(table, "arguments", " ".join(methods.arguments), needed=started)
    _check_arguments(table, "steam_arguments", methods.steam_arguments, needed=bool(methods.steam_appid))
    _check_arguments(table, "url", methods.url, needed=bool(methods.url))
    _check_code(table, "code_arguments", " ".join(methods.code_arguments))
    _check_code(table, "code_url", methods.code_url)
    _check_password_arguments(table, "password_arguments", " ".join(methods.password_arguments))
    _check_password_arguments(table, "steam_password_arguments", methods.steam_password_arguments)
    return methods


def _read_file_options(table: TomlTable) -> game_profile.FileOptions:
    options = game_profile.FileOptions(
        main_wad=table.text("main_wad", allowed=_OPTION),
        wads=table.text("wads", "", allowed=_OPTION),
        patches=table.text("patches", "", allowed=_OPTION),
        folders=table.texts("folders", lambda text: None if _FOLDER_PATTERN.fullmatch(text) else _NOT_A_FOLDER),
    )
    table.close()
    return options


def _check_arguments(table: TomlTable, key: str, text: str, *, needed: bool) -> None:
    placeholders = _find_placeholders(table, key, text, _PLACEHOLDERS)
    if needed and "{connect}" not in placeholders and not placeholders >= {"{host}", "{port}"}:
        raise table.error(key, "must contain {connect}, or {host} and {port}")


def _check_code(table: TomlTable, key: str, text: str) -> None:
    if text and not _find_placeholders(table, key, text, frozenset({_CODE_PLACEHOLDER})):
        raise table.error(key, f"must contain {_CODE_PLACEHOLDER}")


def _check_password_arguments(table: TomlTable, key: str, text: str) -> None:
    if text and _PASSWORD_PLACEHOLDER not in _find_placeholders(
        table, key, text, _PLACEHOLDERS | {_PASSWORD_PLACEHOLDER}
    ):
        raise table.error(key, "must contain {password}")


def _find_placeholders(table: TomlTable, key: str, text: str, known: frozenset[str]) -> set[str]:
    placeholders = set(_BRACES.findall(text))
    for placeholder in sorted(placeholders - known):
        raise table.error(key, f"{placeholder!r} is not one of {', '.join(sorted(known))}")
    return placeholders


_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_NAME = TextForm(re.compile(r"\S.*"), "a name")
_DAY = TextForm(re.compile(r"20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])", re.ASCII), "a day such as 2026-11-22")
_RATING_SYSTEM = TextForm(re.compile(r"[a-z0-9]+(-[a-z0-9]+)*"), "the name of a rating system")
_SHORT = TextForm(re.compile(r"[A-Z0-9]{2,4}"), "two to four capital letters or digits")


def read_profile(file: Path) -> game_profile.GameProfile:
    """Read the profile in a file; its id is the file's name.

    Raises:
        ProfileError: a key, name or form is unknown, a type is wrong, or values contradict each other.
    """
    if not _ID.fullmatch(file.stem):
        raise ProfileError(file, "file", "its name must be small letters, digits and '-'")
    table = read_toml_table(file)
    profile = game_profile.GameProfile(
        id=file.stem,
        **_read_identity(table),
        **_read_modes(table),
        **_read_ranking(table),
        launch=read_launch(table.table("launch")),
    )
    table.close()
    _check_ranked_modes(table, profile)
    return profile


def _read_identity(table: TomlTable) -> dict[str, Any]:
    return {
        "name": table.text("name", allowed=_NAME),
        "short": table.text("short", allowed=_SHORT),
        "protocol": table.text("protocol", allowed=frozenset(QUERY_PROTOCOLS)),
        "default_port": table.integer("default_port", 1, 65535),
        "proof": table.text("proof", "", allowed=frozenset(game_profile.PROOFS)),
        "checked": table.text("checked", "", allowed=_DAY),
        "query_port_offset": table.integer("query_port_offset", -65534, 65534, 0),
        "masters": table.texts("masters"),
        "no_master": table.text("no_master", ""),
        "not_listed": table.text("not_listed", ""),
        "appids": table.integers("appids", 1, game_profile.MAX_APPID),
        "info_matches": tuple(_read_info_match(match) for match in table.tables("info_matches")),
        "folders": table.texts("folders"),
        "version_key": table.text("version_key", ""),
        "colours": table.text("colours", "none", allowed=COLOUR_DIALECTS),
        "tags": table.text("tags", "", allowed=game_profile.PROFILE_TAG_READERS),
        "reports_performance": table.flag("reports_performance", False),
        "reports_skill": table.flag("reports_skill", False),
        "wants_rules": table.flag("wants_rules", False),
        "rating_system": table.text("rating_system", game_profile.DEFAULT_RATING_SYSTEM, allowed=_RATING_SYSTEM),
    }


def _read_info_match(table: TomlTable) -> Mapping[str, str]:
    match = {key: table.text(key) for key in table.unread_keys()}
    if not match:
        raise table.error("", "must name at least one key")
    return match


def _read_modes(table: TomlTable) -> dict[str, Any]:
    modes = table.text_map("modes")
    codes = {key: table.text_map(key) for key in ("mode_codes", "map_modes")}
    for key, code_by_value in codes.items():
        for value, code in code_by_value.items():
            if code not in modes:
                raise table.error(f"{key}.{value}", f"{code!r} has no title in modes")
    if "" in codes["map_modes"]:
        raise table.error("map_modes", "a prefix must not be empty")
    return {"mode_key": table.text("mode_key", ""), "modes": modes, **codes}


def _read_ranking(table: TomlTable) -> dict[str, Any]:
    ranking = table.table("ranking")
    modes = ranking.table("modes")
    constants, reasons = _read_constants_and_reasons(ranking, game_profile.RankingConstants())
    tables = {mode: modes.table(mode) for mode in modes.unread_keys()}
    patterns = {mode: _read_pattern(each) for mode, each in tables.items()}
    by_mode = {mode: _read_constants_and_reasons(each, constants) for mode, each in tables.items()}
    return {
        "ranking": constants,
        "ranking_reasons": reasons,
        "mode_ranking": {mode: values for mode, (values, _) in by_mode.items()},
        "mode_ranking_reasons": {mode: why for mode, (_, why) in by_mode.items()},
        "mode_patterns": {mode: pattern for mode, pattern in patterns.items() if pattern is not None},
    }


def _read_pattern(table: TomlTable) -> re.Pattern[str] | None:
    text = table.text("pattern", "")
    try:
        return re.compile(text, re.IGNORECASE) if text else None
    except re.error:
        raise table.error("pattern", "is not a regular expression") from None


def _read_constants_and_reasons(
    table: TomlTable, base: game_profile.RankingConstants
) -> tuple[game_profile.RankingConstants, dict[str, str]]:
    names = find_set_constants(table)
    reasons = table.text_map("reasons")
    constants = read_constants(table, base)
    table.close()
    for name in sorted(names ^ reasons.keys()):
        wrong = "has no entry in reasons" if name in names else "a reason for a constant that is not set"
        raise table.error(name if name in names else f"reasons.{name}", wrong)
    return constants, {**_REASONS_BY_MIDPOINT, **reasons} if "viability_midpoint" in names else reasons


def _check_ranked_modes(table: TomlTable, profile: game_profile.GameProfile) -> None:
    for mode in profile.mode_ranking:
        if mode not in profile.modes and mode not in profile.mode_patterns:
            raise table.error(f"ranking.modes.{mode}", "has no title in modes")
