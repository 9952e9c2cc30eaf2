"""Every recorded reply, sent over loopback to the real scanner.

Compared with what its source says.
"""

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from a2s_samples import PLAIN_INFO
from loopback_servers import Handler, always, serving
from recorded_data import expected_recordings
from timeouts import LIMIT_S

from browser_app.catalogue.reply_readers.server_info_text import clean_text
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.engine.query.query_timing import PACES, QueryTiming
from browser_app.engine.query.scanner import Scanner
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.a2s.a2s import TheShipInfo
from browser_app.protocols.a2s.a2s_server import encode_info, encode_players, encode_rules, parse_a2s_request
from browser_app.protocols.coloured_text import plain_text
from browser_app.protocols.quake.quake3_server import parse_quake3_request as read_quake_request
from browser_app.protocols.query_session import QueryParts

pytestmark = pytest.mark.linux  # addresses of 127/8

Record = dict[str, Any]

QUICK = QueryTiming(waits_s=(0.3, 0.3, 1.0), late_reply_wait_s=0.3)
DARKPLACES = ("Xonotic", "Nexuiz")
PARTS = {"info": QueryParts.INFO, "players": QueryParts.PLAYERS, "rules": QueryParts.RULES}
SHIP_INFO = replace(PLAIN_INFO, appid=2400, folder="ship", the_ship=TheShipInfo(0, 0, 0))


def records(data_dir: Path, name: str) -> list[Record]:
    return [json.loads(text) for text in (data_dir / "packets" / f"{name}.jsonl").read_text("utf-8").splitlines()]


def datagrams(record: Record) -> list[bytes]:
    return [bytes.fromhex(text) for text in record["datagrams"]]


@contextmanager
def on_hosts(handlers: Sequence[Handler], protocols: Sequence[str]) -> Iterator[list[QueryTarget]]:
    """Each server on an address of its own: packets to one address are spaced out."""
    hosts = [f"127.77.{number // 250}.{number % 250 + 1}" for number in range(len(handlers))]
    with serving(*handlers, hosts=hosts) as addresses:
        yield [QueryTarget(address, protocol, None) for address, protocol in zip(addresses, protocols, strict=True)]


def scanned(targets: Iterable[QueryTarget], games: GameRegistry) -> list[QueryResult]:
    """What the scanner makes of each, in their order."""
    targets = list(targets)
    with Scanner(games) as scanner:
        scan = scanner.scan(targets, pace=PACES["fast"], parts=QueryParts.ALL, timing=QUICK)
        scan.seal()
        assert scan.wait(LIMIT_S)
        found = {answer.target: answer for answer in scan.results}
    return [found[target] for target in targets]


# Steam's protocol


def steam_servers(found: Iterable[Record]) -> list[dict[str, Record]]:
    """Return records of one server by what was requested.

    A server whose info was recorded twice counts as two.
    """
    by_server: dict[str, dict[str, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for record in found:
        by_server[record["server"]][record["query"]].append(record)
    return [
        {query: record for query, record in zip(queries, row, strict=True) if record}
        for queries in by_server.values()
        for row in zip_longest(*queries.values())
    ]


def replayed(server: dict[str, Record]) -> Handler:
    """Answers what was recorded; what was not, plainly."""
    ship = any("the-ship" in record["kinds"] for record in server.values())
    plain = {
        "info": encode_info(SHIP_INFO if ship else PLAIN_INFO),
        "players": encode_players([]),
        "rules": encode_rules({}),
    }
    replies = {part: datagrams(server[query]) if query in server else [plain[query]] for query, part in PARTS.items()}
    return lambda request: replies[parse_a2s_request(request).requested_part]


def steam_differences(server: dict[str, Record], answer: QueryResult, games: GameRegistry) -> list[str]:
    facts = answer.info
    if facts is None:
        return [f"{answer.status.text}: {answer.error}"]
    return [
        *_info_differences(server["info"]["expected"] if "info" in server else {}, answer, facts, games),
        *_player_differences(server["players"]["expected"] if "players" in server else {}, facts),
        *_rule_differences(server.get("rules"), facts),
    ]


def _info_differences(expected: Record, answer: QueryResult, facts: ServerInfo, games: GameRegistry) -> list[str]:
    dialect = games[facts.game].colours if facts.game else "none"
    pairs: dict[str, tuple[object, object]] = {}
    if "name" in expected:
        pairs["name"] = (facts.name, clean_text(expected["name"], dialect))
    if "map" in expected:
        pairs["map"] = (facts.map, clean_text(expected["map"]))
    if "players" in expected and "bots" in expected and facts.game != "rust":
        pairs["players"] = (facts.players, max(0, expected["players"] - expected["bots"]))
        pairs["max_players"] = (facts.max_players, expected["max_players"] or None)
    if "bots" in expected:
        pairs["bots"] = (facts.bots, expected["bots"])
    if "password" in expected:
        pairs["password"] = (facts.password, bool(expected["password"]))
    if "version" in expected and facts.game != "ns2":
        pairs["version"] = (facts.version, clean_text(expected["version"]) or None)
    if expected.get("port"):
        pairs["connect"] = (facts.connect, (answer.target.address.host, expected["port"]))
    return [f"{key}: {ours!r}, not {theirs!r}" for key, (ours, theirs) in pairs.items() if ours != theirs]


def _player_differences(expected: Record, facts: ServerInfo) -> list[str]:
    rows = facts.player_list or ()
    if expected.get("count", len(rows)) != len(rows):
        return [f"{len(rows)} players, not {expected['count']}"]
    return [
        f"player {row} is not {wanted}"
        for row, wanted in zip(rows, expected.get("players") or (), strict=False)
        if row.name != clean_text(wanted["name"])
        or row.score != wanted["score"]
        or not _same_duration(row.time_on_server_s, wanted.get("duration"))
    ]


def _same_duration(ours: float | None, theirs: float | None) -> bool:
    """Some sources state whole seconds.

    Nobody has been there for less than no time: that is unknown.
    """
    if theirs is None or theirs < 0:
        return theirs is None or ours is None
    return ours is not None and math.isclose(ours, theirs, rel_tol=1e-6, abs_tol=1)


def _rule_differences(record: Record | None, facts: ServerInfo) -> list[str]:
    if record is None or "rules-binary" in record["kinds"]:
        return []
    expected: dict[str, str] = record["expected"].get("rules") or {}
    rules = facts.rules or {}
    wrong = [
        key for key, value in expected.items() if key.isascii() and rules.get(plain_text(key)) != plain_text(value)
    ]
    return [f"rule {key!r}: {rules.get(key)!r}, not {expected[key]!r}" for key in wrong]


def test_every_recorded_steam_server(data_dir: Path, games: GameRegistry) -> None:
    servers = steam_servers(records(data_dir, "a2s"))
    assert len(servers) >= expected_recordings(data_dir).a2s_servers
    with on_hosts([replayed(server) for server in servers], ["a2s"] * len(servers)) as targets:
        answers = scanned(targets, games)
    wrong = {
        next(iter(server.values()))["id"]: found
        for server, answer in zip(servers, answers, strict=True)
        if (found := steam_differences(server, answer, games))
    }
    assert wrong == {}


# Quake III family


def echoed(record: Record, protocol: str) -> Handler:
    """Return what was recorded, with our token in place of the recorded one.

    DarkPlaces always has one.
    """
    (datagram,) = datagrams(record)
    has_token = record["expected"]["info"].get("challenge")
    without = re.sub(rb"\\challenge\\[^\\\n]*", b"", datagram)
    head, newline, rest = without.partition(b"\n")

    def answer(request: bytes) -> Iterable[bytes]:
        token = read_quake_request(request).challenge.encode()
        return (head + newline + b"\\challenge\\" + token + rest,)

    return answer if has_token or protocol == "darkplaces" else always(datagram)


def quake_differences(record: Record, answer: QueryResult) -> list[str]:
    facts, expected = answer.info, record["expected"]
    if facts is None:
        return [f"{answer.status.text}: {answer.error}"]
    info, lines = expected["info"], expected.get("players") or []
    rows = facts.player_list or ()
    found = [] if len(rows) == len(lines) else [f"{len(rows)} players, not {len(lines)}"]
    for row, wanted in zip(rows, lines, strict=False):
        if row.ping_ms != (wanted["ping"] if wanted["ping"] > 0 else None):
            found.append(f"{row} is not {wanted}")
        if row.spectator is not True and row.score != wanted["score"]:
            found.append(f"{row} is not {wanted}")
    if answer.target.protocol == "quake3" and "players" in expected:
        humans = sum(row["ping"] != 0 and row["score"] != -9999 for row in lines)
        bots = sum(row["ping"] == 0 for row in lines)
        if (facts.players, facts.bots) != (humans, bots):
            found.append(f"{facts.players} and {facts.bots} bots, not {humans} and {bots}")
    slots = info.get("sv_maxclients")
    if slots is not None and facts.max_players != int(slots):
        found.append(f"{facts.max_players} slots, not {slots}")
    name = info.get("sv_hostname") or info.get("hostname") or ""
    if "^" not in name and name.isascii() and facts.name != " ".join(name.split()):
        found.append(f"name {facts.name!r}, not {name!r}")
    return found


def test_every_recorded_quake_server(data_dir: Path, games: GameRegistry) -> None:
    found = [record for record in records(data_dir, "quake3") if record["query"] in ("status", "info")]
    assert len(found) >= expected_recordings(data_dir).quake3_replies
    protocols = ["darkplaces" if record["game"].startswith(DARKPLACES) else "quake3" for record in found]
    handlers = [echoed(record, protocol) for record, protocol in zip(found, protocols, strict=True)]
    with on_hosts(handlers, protocols) as targets:
        answers = scanned(targets, games)
    wrong = {
        record["id"]: differences
        for record, answer in zip(found, answers, strict=True)
        if (differences := quake_differences(record, answer))
    }
    assert wrong == {}


def test_other_protocols_are_never_row(data_dir: Path, games: GameRegistry) -> None:
    names = [file.stem for file in sorted((data_dir / "packets").glob("other_*.jsonl"))]
    found = [record for name in names for record in records(data_dir, name)]
    assert len(found) >= expected_recordings(data_dir).other_replies
    protocols = [protocol for protocol in ("a2s", "quake3", "darkplaces") for _ in found]
    with on_hosts([always(*datagrams(record)) for record in found * 3], protocols) as targets:
        answers = scanned(targets, games)
    assert [answer for answer in answers if answer.status is QueryStatus.OK or answer.info is not None] == []
    assert {answer.status for answer in answers} <= {QueryStatus.MALFORMED, QueryStatus.NO_ANSWER}
