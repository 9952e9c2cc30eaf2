"""One server as the contract's JSON object, made from the catalogue."""

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.facts import Facts, PlayerRow, Status

Record = dict[str, object]
DETAILS = ("player_list", "rules")
"""The keys that `info` adds."""


def server_record(catalogue: Catalogue, row: int) -> Record:
    """What `list` prints of a server; unknown is None. The catalogue must be scored."""
    target, facts = catalogue.targets[row], catalogue.facts(row)
    status = Status(int(catalogue.status[row]))
    score = _known(float(catalogue.score[row])) if status is Status.OK else None
    samples = [float(ping) for ping in catalogue.ping_samples[row] if ping == ping]
    return {
        "address": str(target.address),
        "connect": str(facts.connect) if facts else None,
        "protocol": target.protocol,
        "game": facts.game if facts else target.game,
        "status": status.text,
        "error": catalogue.error(row),
        **_facts_record(facts),
        "country": catalogue.country[row] or None,
        "ping_ms": _known(float(catalogue.ping_ms[row])),
        "ping_estimated": bool(catalogue.ping_estimated[row]),
        "ping_samples": samples if status is Status.OK else [],
        "attempts": int(catalogue.attempts[row]),
        "score": score,
        "factors": {name: _known(value) for name, value in catalogue.factors(row).items()},
    }


def details_record(facts: Facts | None) -> Record:
    """What `info` adds: players and rules, None where the server did not tell."""
    players, rules = (facts.player_list, facts.rules) if facts else (None, None)
    return {
        "player_list": None if players is None else [_player_record(player) for player in players],
        "rules": None if rules is None else dict(rules),
    }


_FACT_KEYS = (
    "name",
    "map",
    "mode",
    "mode_name",
    "players",
    "bots",
    "spectators",
    "max_players",
    "reserved",
    "password",
    "version",
    "performance",
    "quality",
    "server_skill",
    "rookie_only",
    "ranked",
)


def _facts_record(facts: Facts | None) -> Record:
    return {key: getattr(facts, key) if facts else None for key in _FACT_KEYS} | {
        "tags": list(facts.tags) if facts else []
    }


def _player_record(player: PlayerRow) -> Record:
    return {
        "name": player.name,
        "score": player.score,
        "duration_s": player.stay_s,
        "ping_ms": player.ping_ms,
        "team": player.team,
        "bot": player.bot,
        "spectator": player.spectator,
    }


def _known(value: float) -> float | None:
    return None if value != value else value
