"""Servers as JSON objects, and these as rows of CSV."""

import csv
import sys
import time
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import PlayerInfo, QueryStatus, ServerInfo
from browser_app.commands.output.terminal_output import format_json
from browser_app.protocols.server_code import address_text
from browser_app.ranking.score_factors import SCORE_FACTORS
from browser_app.untrusted_text import escape_formulas

ServerJson = dict[str, object]
DETAIL_KEYS = ("player_list", "rules")
"""Keys that only `info` prints."""


def server_to_json(catalogue: Catalogue, row: int) -> ServerJson:
    """Return what `list` prints of a server; unknown values are None.

    The catalogue must be scored.
    """
    target, info = catalogue.targets[row], catalogue.server_info(row)
    status = QueryStatus(int(catalogue.status[row]))
    score = _none_if_nan(float(catalogue.score[row])) if status is QueryStatus.OK else None
    listed_age_s = max(0.0, time.time() - float(catalogue.described_at[row])) if catalogue.described[row] else None
    pings = catalogue.ping_spreads(np.array([row]))
    samples = [float(ping) for ping in catalogue.ping_samples[row] if ping == ping]
    return {
        "address": address_text(target.address),
        "host_name": target.host_name or None,
        "connect": address_text(info.connect) if info else None,
        "protocol": target.protocol,
        "game": info.game if info else target.game,
        "status": status.text,
        "listed_age_s": listed_age_s,
        "error": catalogue.query_error(row),
        **_info_to_json(info),
        "map_mode": catalogue.map_mode(row),
        "country": catalogue.country[row] or None,
        "country_by_user": catalogue.rows.is_country_corrected(row),
        "region": catalogue.region[row] or None,
        "language": catalogue.language[row] or None,
        "ping_ms": _none_if_nan(float(catalogue.ping_ms[row])),
        "ping_estimated": bool(catalogue.ping_estimated[row]),
        "ping_samples": samples if status is QueryStatus.OK else [],
        "ping_spread_ms": _none_if_nan(float(pings.spread_ms[0])),
        "attempts": int(catalogue.attempts[row]),
        "score": score,
        "gain": None if score is None else _none_if_nan(float(catalogue.gain[row])),
        "installed": catalogue.game[row] in (catalogue.installed_games or ()) if catalogue.game[row] else None,
        "factors": {name: _none_if_nan(value) for name, value in catalogue.factors_of(row).items()},
    }


def details_to_json(info: ServerInfo | None) -> ServerJson:
    """Return the players and rules that `info` adds; None if they are not reported."""
    players, rules = (info.player_list, info.rules) if info else (None, None)
    return {
        "player_list": None if players is None else [_player_to_json(player) for player in players],
        "rules": None if rules is None else dict(rules),
    }


_INFO_KEYS = (
    "name", "map", "mode", "mode_name", "players", "bots", "spectators", "max_players", "reserved", "password",
    "version", "performance", "quality", "server_skill", "rookie_only",
)  # fmt: skip


def _info_to_json(info: ServerInfo | None) -> ServerJson:
    values = {key: getattr(info, key) if info else None for key in _INFO_KEYS}
    return values | {"map": (info.map or None) if info else None, "tags": list(info.tags) if info else []}


def _player_to_json(player: PlayerInfo) -> ServerJson:
    return {
        "name": player.name,
        "score": player.score,
        "duration_s": player.time_on_server_s,
        "ping_ms": player.ping_ms,
        "team": player.team,
        "bot": player.bot,
        "spectator": player.spectator,
    }


def _none_if_nan(value: float) -> float | None:
    return None if value != value else value


_SERVER_COLUMNS = (
    "address", "host_name", "connect", "protocol", "game", "status", "listed_age_s", "error", *_INFO_KEYS,
    "tags", "map_mode", "country", "country_by_user", "region", "language",
    "ping_ms", "ping_estimated", "ping_samples", "ping_spread_ms", "attempts", "score", "gain", "installed",
)  # fmt: skip
CSV_COLUMNS = (*_SERVER_COLUMNS, *(f"factors.{name}" for name in SCORE_FACTORS))
"""Columns of every list, whatever it contains."""


def print_csv(server_objects: Iterable[ServerJson], extra_keys: Sequence[str] = ()) -> None:
    """Print a header and a line for each server; values of extra keys as JSON."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow((*CSV_COLUMNS, *extra_keys))
    writer.writerows(_csv_row(server_object, extra_keys) for server_object in server_objects)


def _csv_row(server_object: ServerJson, extra_keys: Sequence[str]) -> list[str]:
    factors = server_object["factors"]
    assert isinstance(factors, Mapping)  # noqa: S101 (narrows the type)
    values = [server_object[name] for name in _SERVER_COLUMNS] + [factors.get(name) for name in SCORE_FACTORS]
    nested = [None if server_object[name] is None else format_json(server_object[name]) for name in extra_keys]
    return [_format_csv_cell(value) for value in values + nested]


def _format_csv_cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            return escape_formulas(value)
        case Sequence():
            return _format_csv_cell(
                ";".join(each if isinstance(each, str) else _format_csv_cell(each) for each in value)
            )
        case _:
            return str(value)
