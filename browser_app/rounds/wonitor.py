"""Rounds from the HTTP POST requests of the NS2 server mod Wonitor.

Source: the readme of eBrute/wonitor and its `dbUtil.php`. `MatchEnd` contains no players; `NS2PlusStats` is the file of
NS2+ with a player's statistics as lists. Each line of a file is the body of one request.
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs

import msgspec

from browser_app.language import gettext as _
from browser_app.rounds.iso_time import parse_iso_time
from browser_app.rounds.json_document import JsonDocument
from browser_app.rounds.ns2_savestats import SaveStatsPlayer, build_savestats_round
from browser_app.rounds.ns2_teams import (
    NS2_GAME,
    Count,
    NonNegativeSeconds,
    RoundLength,
    build_round_fields,
)
from browser_app.rounds.round_errors import RoundFieldError, RoundFileError
from browser_app.rounds.round_source import RoundFileSource


class WonitorTeamStats(msgspec.Struct, array_like=True):
    """A player's statistics on one team, sent as a list in this order."""

    time_played: NonNegativeSeconds = 0.0
    time_building: float = 0.0
    commander_time: NonNegativeSeconds = 0.0
    kills: Count = 0.0
    assists: Count = 0.0
    deaths: Count = 0.0
    killstreak: float = 0.0
    hits: float = 0.0
    onos_hits: float = 0.0
    misses: float = 0.0
    player_damage: float = 0.0
    structure_damage: float = 0.0
    score: float = 0.0


class WonitorPlayerStats(SaveStatsPlayer):
    """One player, with the statistics on each team as a list."""

    marine: WonitorTeamStats = msgspec.field(name="1", default_factory=WonitorTeamStats)  # type: ignore[assignment]
    alien: WonitorTeamStats = msgspec.field(name="2", default_factory=WonitorTeamStats)  # type: ignore[assignment]


class WonitorMatchEnd(msgspec.Struct):
    """A round without players: it is stored but does not affect ratings."""

    map: str
    length: RoundLength
    winner: int
    time: float | str
    server_name: str = msgspec.field(name="serverName", default="")


def read_wonitor_posts(source: RoundFileSource) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rounds of a file with their lines; posts of other types are skipped.

    Raises:
        RoundFileError: a line is not form data, or a value is missing or has the wrong type.
    """
    for number, line in source.read_lines():
        try:
            round_object = _parse_post(source, number, line.strip())
        except RoundFileError as error:
            source.report(error)
            continue
        if round_object is not None:
            yield number, round_object


def _parse_post(source: RoundFileSource, number: int, line: bytes) -> dict[str, Any] | None:
    """Return the round of a post, None for a post of another type and a blank line."""
    if not line:
        return None
    try:
        form = {key: values[-1] for key, values in parse_qs(line.decode(), max_num_fields=64).items()}
    except ValueError as error:
        raise source.error(number, None, _("is not form data: {problem}").format(problem=error)) from None
    for key in ("messageType", "data"):
        if key not in form:
            raise source.error(number, key, _("is missing"))
    document = JsonDocument(source, form["data"].encode("utf-8", "surrogateescape"), number)
    if form["messageType"] == "NS2PlusStats":
        return build_savestats_round(document, WonitorPlayerStats)
    if form["messageType"] == "MatchEnd":
        return _build_round_without_players(document, form.get("serverId", ""))
    return None


def _build_round_without_players(document: JsonDocument, server_id: str) -> dict[str, Any]:
    post = document.decode(WonitorMatchEnd)
    try:
        ended_at = parse_iso_time(post.time) if isinstance(post.time, str) else post.time
    except ValueError as error:
        raise document.error(RoundFieldError("time", str(error))) from None
    fields = build_round_fields(
        document, post.map, NS2_GAME, post.length, winner=("winner", post.winner), end=("time", ended_at)
    )
    return {
        "id": f"{NS2_GAME} wonitor {server_id} {ended_at:.0f}",
        **fields,
        "server": post.server_name,
        "players": [],
    }
