"""Games whose profile says that replies were recorded: there are such recordings."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from recorded_data import ADDED, data_folders
from recorded_packets import load_records, session_at

from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import QueryTarget
from browser_app.games import load_games
from browser_app.games.game_registry import GameRegistry
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.query_session import PacketError, QuerySession

ADDRESS = Address("192.0.2.7", 27015)
FILES = {"quake3": "quake3", "gamespy1": "other_gamespy1", "unreal2": "other_unreal2"}
"""Protocols whose replies are read without a token, and files of recordings."""


def recorded_games(folder: Path, games: GameRegistry) -> Iterator[str | None]:
    for record in load_records(folder / "packets" / "a2s.jsonl"):
        if record.query == "info":
            yield identify("a2s", session_at("info"), record.datagrams, games)
    for protocol, name in FILES.items():
        for record in load_records(folder / "packets" / f"{name}.jsonl"):
            session = QUERY_PROTOCOLS[protocol].new_session(QUERY_PROTOCOLS[protocol].default_parts, ADDRESS)
            session.build_request(b"token000")
            yield identify(protocol, session, record.datagrams, games)


def identify(protocol: str, session: QuerySession, datagrams: tuple[bytes, ...], games: GameRegistry) -> str | None:
    for datagram in datagrams:
        with suppress(PacketError):
            session.receive(datagram)
    if session.reply is None:
        return None
    with suppress(LookupError, ValueError):  # some records are of other replies than the first
        return read_reply(session.reply, QueryTarget(ADDRESS, protocol, None), games).game
    return None


@pytest.mark.further_recordings
def test_recorded_games_have_recordings() -> None:
    folder = data_folders()[ADDED]
    games = load_games(resource_folder() / "games")
    found = set(recorded_games(folder, games))
    claimed = {game.id for game in games.values() if game.proof == "recording" and game.protocol in ("a2s", *FILES)}
    assert claimed - found == set()
    unclaimed = {game for game in found if game is not None and games[game].proof == "document"}
    assert unclaimed == set()
