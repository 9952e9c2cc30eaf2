"""A made-up protocol and game, from bytes to the list: what adding one takes.

It has what a real one has: a session, a reader, a row in each of the two registries, and a profile. Everything else
finds it there.
"""

import sys
from dataclasses import dataclass
from types import MappingProxyType

import pytest
from loopback_servers import serving, silent
from program_runner import Program

from browser_app.catalogue.reply_readers import server_info_readers
from browser_app.catalogue.reply_readers.reply_fields import find_profile
from browser_app.catalogue.reply_readers.server_info_text import clean_text
from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.paths import user_paths
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS, QueryProtocol
from browser_app.protocols.query_session import PacketError, QueryParts, TokenSession

pytestmark = pytest.mark.usefixtures("quick_timing", "toy_protocol")

PROFILE = """\
name = "Toy game"
short = "TOY"
protocol = "toy"
default_port = 4711
info_matches = [{ kind = "toy" }]

[modes]
dm = "Deathmatch"

[launch]
url = "toy://{connect}"
install_url = "https://example.org"
"""


@dataclass(slots=True)
class ToyReply:
    """A server's reply."""

    name: str
    players: int


def parse_toy_reply(data: bytes) -> tuple[bytes, ToyReply]:
    """Parse a reply; return the token that it echoes, and its content."""
    kind, _space, rest = data.partition(b" ")
    token, _space, rest = rest.partition(b" ")
    players, _space, name = rest.partition(b" ")
    if kind != b"TOY" or not players.isdigit():
        raise PacketError("not this protocol")
    return token, ToyReply(name.decode("utf-8", "replace"), int(players))


class ToySession(TokenSession[ToyReply, bytes]):
    """`QuerySession` of one request."""

    def __init__(self) -> None:
        super().__init__(bytes, lambda token: b"toy? " + token, parse_toy_reply)


def read_toy_reply(reply: ToyReply, target: QueryTarget, games: GameRegistry, _parts: QueryParts) -> ServerInfo:
    """Read a reply."""
    profile = find_profile(games, target, {"kind": "toy"})
    game, name = None if profile is None else profile.id, clean_text(reply.name)
    return ServerInfo(game, name, "", target.address, reply.players, None, None, 8, mode="dm")


TOY = QueryProtocol("toy", QueryParts.INFO, lambda _parts, _server: ToySession(), lan_ports=(4711,))


@pytest.fixture
def toy_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the protocol to both registries, and a profile to the user's folder."""
    protocols = MappingProxyType({**QUERY_PROTOCOLS, TOY.name: TOY})
    for name, module in list(sys.modules.items()):
        if name.startswith("browser_app.") and vars(module).get("QUERY_PROTOCOLS") is QUERY_PROTOCOLS:
            monkeypatch.setattr(module, "QUERY_PROTOCOLS", protocols)
    readers = {**server_info_readers._READERS, ToyReply: read_toy_reply}
    monkeypatch.setattr(server_info_readers, "_READERS", readers)
    folder = user_paths().settings / "games"
    folder.mkdir(parents=True)
    (folder / "toygame.toml").write_text(PROFILE)


def answer(request: bytes) -> list[bytes]:
    """Answer as a server of four players does."""
    kind, _space, token = request.partition(b" ")
    assert kind == b"toy?"
    return [b"TOY wrongtok 9 Forged", b"nonsense", b"TOY " + token + b" 4 A \xc3\xbc\x1b server"]


def test_new_protocol_is_listed_filtered_and_ranked(program: Program) -> None:
    with serving(answer, silent) as (address, dead):
        servers = [f"--server=toy://{each}" for each in (address, dead)]
        options = ("--pace=unlimited", "--format=json", "--filter=game:toygame players>=4 mode:dm")
        result = program("list", *servers, *options)
        info = program("info", f"toy://{address}")
    (server,) = result.servers
    assert (server["game"], server["protocol"], server["status"]) == ("toygame", "toy", "ok")
    assert (server["name"], server["players"], server["max_players"], server["mode"]) == ("A ü server", 4, 8, "dm")
    assert server["ping_ms"] > 0
    assert server["score"] > 0
    assert server["password"] is None
    assert "A ü server" in info.out
    assert "toygame" in program("games", "list").out
