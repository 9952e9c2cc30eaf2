"""One game's profile, read from its file and checked in itself."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from browser_app.games import master_url
from browser_app.games.profile import (
    ANY_GAMES_SYSTEM,
    COLOURS,
    MAX_APPID,
    PROTOCOLS,
    RATING_SYSTEMS,
    TAGS,
    GameProfile,
    RankingConstants,
)
from browser_app.games.ranking_constants import read_constants, set_constants
from browser_app.games.read_launch import read_launch
from browser_app.games.toml_table import ProfileError, Table, read_table

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_NAME = re.compile(r"\S.*")
_SHORT = re.compile(r"[A-Z0-9]{2,4}")


def read_profile(file: Path) -> GameProfile:
    """The profile in a file; its id is the file's name.

    Raises:
        ProfileError: an unknown key, a wrong type, a name or form that is not known, or a contradiction.
    """
    if not _ID.fullmatch(file.stem):
        raise ProfileError(file, "file", "its name must be small letters, digits and '-'")
    table = read_table(file)
    profile = GameProfile(
        id=file.stem, **_identity(table), **_modes(table), **_ranking(table), launch=read_launch(table.table("launch"))
    )
    table.close()
    _check_ranked_modes(table, profile)
    return profile


def _identity(table: Table) -> dict[str, Any]:
    return {
        "name": table.text("name", allowed=_NAME),
        "short": table.text("short", allowed=_SHORT),
        "protocol": table.text("protocol", allowed=PROTOCOLS),
        "default_port": table.integer("default_port", 1, 65535),
        "query_port_offset": table.integer("query_port_offset", -65534, 65534, 0),
        "masters": table.texts("masters", master_url.what_is_wrong),
        "appids": table.integers("appids", 1, MAX_APPID),
        "info_matches": tuple(_info_match(match) for match in table.tables("info_matches")),
        "folders": table.texts("folders"),
        "version_key": table.text("version_key", ""),
        "colours": table.text("colours", "none", allowed=COLOURS),
        "tags": table.text("tags", "", allowed=TAGS),
        "reports_performance": table.flag("reports_performance", False),
        "reports_skill": table.flag("reports_skill", False),
        "wants_rules": table.flag("wants_rules", False),
        "rating_system": table.text("rating_system", ANY_GAMES_SYSTEM, allowed=frozenset(RATING_SYSTEMS)),
    }


def _info_match(table: Table) -> Mapping[str, str]:
    match = {}
    for key in table.left():
        match[key] = table.text(key)
        try:
            re.compile(match[key])
        except re.error as error:
            raise table.refused(key, f"no regular expression: {error}") from None
    if not match:
        raise table.refused("", "must name at least one key")
    return match


def _modes(table: Table) -> dict[str, Any]:
    modes, codes = table.text_map("modes"), table.text_map("mode_codes")
    for value, code in codes.items():
        if code not in modes:
            raise table.refused(f"mode_codes.{value}", f"{code!r} has no title in modes")
    return {"mode_key": table.text("mode_key", ""), "modes": modes, "mode_codes": codes}


def _ranking(table: Table) -> dict[str, Any]:
    ranking = table.table("ranking")
    modes = ranking.table("modes")
    constants, reasons = _constants_and_reasons(ranking, RankingConstants())
    of_modes = {mode: _constants_and_reasons(modes.table(mode), constants) for mode in modes.left()}
    return {
        "ranking": constants,
        "ranking_reasons": reasons,
        "mode_ranking": {mode: values for mode, (values, _) in of_modes.items()},
        "mode_ranking_reasons": {mode: why for mode, (_, why) in of_modes.items()},
    }


def _constants_and_reasons(table: Table, base: RankingConstants) -> tuple[RankingConstants, dict[str, str]]:
    names = set_constants(table)
    reasons = table.text_map("reasons")
    constants = read_constants(table, base)
    table.close()
    for name in sorted(names ^ reasons.keys()):
        wrong = "has no entry in reasons" if name in names else "a reason for what is not set"
        raise table.refused(name if name in names else f"reasons.{name}", wrong)
    return constants, reasons


def _check_ranked_modes(table: Table, profile: GameProfile) -> None:
    for mode in profile.mode_ranking:
        if mode not in profile.modes:
            raise table.refused(f"ranking.modes.{mode}", "has no title in modes")
