"""Every recorded A2S reply, driven through a session and compared with its source."""

import math
import re
from pathlib import Path
from typing import Any

import pytest
from recorded_data import expected_recordings
from recorded_packets import Record, a2s_records, receive_all, session_at

from browser_app.protocols.a2s.a2s import A2SInfo, A2SReply
from browser_app.protocols.a2s.a2s_session import A2SSession
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, QueryParts

RENAMED = {
    "sourcetv_port": "spectator_port",
    "sourcetv_name": "spectator_name",
    "steamid": "steam_id",
    "gameid": "game_id",
}
SKIPPED = re.compile(r"edf|address|is_mod|mod_.*")


def replay(record: Record) -> A2SReply:
    session = session_at(record.query, the_ship="the-ship" in record.kinds)
    steps = receive_all(session, record.datagrams)
    assert steps == [PARTIAL] * (len(steps) - 1) + [DONE]
    assert session.reply is not None
    assert not session.has_more
    return session.reply


def field_of(info: A2SInfo, key: str) -> Any:
    if key.startswith("ship_"):
        return getattr(info.the_ship, key.removeprefix("ship_"))
    return getattr(info, RENAMED.get(key, key))


def wanted_appid(expected: dict[str, Any]) -> Any:
    """Return the expected app id.

    The 64-bit game id has more bits than the 16-bit field in the sources.
    """
    return expected.get("gameid", 0) & 0xFFFFFF or expected["appid"] or None


def info_differences(record: Record) -> list[str]:
    info = replay(record).info
    wanted = {key: value for key, value in record.expected.items() if not SKIPPED.fullmatch(key)}
    if "appid" in wanted:
        wanted["appid"] = wanted_appid(record.expected)
    return [
        f"{record.id}: {key} {field_of(info, key)!r}" for key, value in wanted.items() if field_of(info, key) != value
    ]


def player_differences(record: Record) -> list[str]:
    players = replay(record).players
    wanted = record.expected.get("players", [])
    if players is None:
        return [f"{record.id}: no players"] if wanted else []
    if record.expected.get("count", len(players)) != len(players):
        return [f"{record.id}: {len(players)} players"]
    found = []
    for player, row in zip(players, wanted or (), strict=bool(wanted)):
        same = all(getattr(player, key) == row[key] for key in ("name", "score", "deaths", "money") if key in row)
        duration = row.get("duration", player.duration_s)
        if not same or not math.isclose(player.duration_s, duration, rel_tol=1e-6, abs_tol=1.0):
            found.append(f"{record.id}: {player} for {row}")
    return found


def rule_differences(record: Record) -> list[str]:
    rules = replay(record).rules
    assert rules is not None
    shown = {key.decode("utf-8", "replace"): value.decode("utf-8", "replace") for key, value in rules.items()}
    found = [
        f"{record.id}: {key!r} {shown.get(key)!r}"
        for key, value in record.expected.get("rules", {}).items()
        if shown.get(key) != value
    ]
    if record.expected.get("count", len(rules)) != len(rules):
        found.append(f"{record.id}: {len(rules)} rules")
    return found


@pytest.mark.parametrize(
    ("query", "compare"), [("info", info_differences), ("players", player_differences), ("rules", rule_differences)]
)
def test_replies_match_their_source(data_dir: Path, query: str, compare: Any) -> None:
    records = [record for record in a2s_records(data_dir) if record.query == query]
    assert len(records) >= expected_recordings(data_dir).a2s_replies[query]
    assert [difference for record in records for difference in compare(record)] == []


def test_splits_in_any_order(data_dir: Path) -> None:
    for record in a2s_records(data_dir):
        if len(record.datagrams) > 1:
            backwards = session_at(record.query)
            receive_all(backwards, record.datagrams[::-1])
            assert backwards.reply == replay(record), record.id


def test_both_engines_reply(data_dir: Path) -> None:
    """Some GoldSource servers answer one info request twice.

    The second reply does not answer the next request.
    """
    recorded = {record.id: record for record in a2s_records(data_dir)}
    twins = [name for name in recorded if f"{name}-2" in recorded and recorded[name].query == "info"]
    assert twins
    for name in twins:
        pair = [recorded[name].datagrams[0], recorded[f"{name}-2"].datagrams[0]]
        assert {datagram[4:5] for datagram in pair} == {b"m", b"I"}
        players = recorded[name.replace("/info", "/players")].datagrams[0]
        for first, second in (pair, reversed(pair)):
            session = A2SSession(QueryParts.PLAYERS)
            assert isinstance(session.receive(first), bytes)
            with pytest.raises(PacketError, match="unexpected kind"):
                session.receive(second)
            assert session.receive(players) is DONE
