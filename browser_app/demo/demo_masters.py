"""Demo master servers: dpmaster, Steam Web API and a community list."""

import json
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Any, Final

from browser_app.demo.demo_event_loop import DemoEventLoop
from browser_app.demo.demo_http_server import HttpResponse
from browser_app.demo.demo_server import DemoServer, PeerAddress
from browser_app.demo.games.game_spec import GameSpec
from browser_app.demo.loopback_sockets import receive_datagram
from browser_app.demo.network_faults import MasterFault, NetworkFaults
from browser_app.demo.responders.a2s_responder import ns2_keywords, server_steam_id
from browser_app.protocols.address import Address
from browser_app.protocols.quake.dpmaster_server import encode_servers_response, parse_master_request
from browser_app.protocols.query_session import PacketError

DEMO_STEAM_KEY: Final = "D3M0D3M0D3M0D3M0D3M0D3M0D3M0D3M0"
"""The key that the demo's Steam Web API accepts."""
COMMUNITY_LIST_PATH: Final = "/servers.json"
_SERVER_LIST_PATH: Final = "/IGameServersService/GetServerList/v1"
_SERVERS_AT_ADDRESS_PATH: Final = "/ISteamApps/GetServersAtAddress/v1"
_DEFAULT_LIMIT = 100
_FORBIDDEN_ADDRESSES: Final = tuple(
    Address(host, port)
    for host, port in (
        ("10.0.0.1", 27960), ("172.16.3.4", 27960), ("192.168.1.10", 26000), ("169.254.17.4", 27015),
        ("224.0.0.9", 27960), ("240.1.2.3", 27960), ("0.1.2.3", 27960), ("127.0.0.1", 0),
    )
)  # fmt: skip
"""Addresses that no master server should list."""


class DemoWebMasters:
    r"""HTTP master servers of the demo network.

    `GetServerList` understands `key`, `limit` (default 100) and the filter `\appid\N`; other filters have no effect.
    """

    def __init__(self, steam: Sequence[DemoServer], community: Sequence[DemoServer], faults: NetworkFaults) -> None:
        self._steam_servers = steam
        self._community_servers = community
        self._slow_s = faults.slow_s
        steam_fault = faults.masters.get("steam")
        self._rows: dict[DemoServer, tuple[int, str]] = {}
        self._pages: dict[str, tuple[Callable[[dict[str, str], bool], HttpResponse], MasterFault | None]] = {
            _SERVER_LIST_PATH: (self._server_list_page, steam_fault),
            _SERVERS_AT_ADDRESS_PATH: (self._servers_at_address_page, steam_fault),
            COMMUNITY_LIST_PATH: (self._community_list_page, faults.masters.get("list")),
        }

    def handle(self, path: str, query: dict[str, str]) -> HttpResponse | None:
        """Answer one request, with the faults of the master server it is for."""
        page, fault = self._pages.get(path.rstrip("/"), (None, None))
        if page is None:
            return HttpResponse(HTTPStatus.NOT_FOUND, b"{}")
        if fault is MasterFault.DEAD:
            return None
        if fault is MasterFault.GARBAGE:
            return HttpResponse(HTTPStatus.OK, b"<html>Service unavailable</html>\xff")
        response = page(query, fault is MasterFault.PRIVATE)
        if fault is MasterFault.EMPTY:
            return response._replace(body=b'{"response":{},"servers":[]}')
        if fault is MasterFault.SLOW:
            return response._replace(delay_s=self._slow_s)
        if fault is MasterFault.INCOMPLETE:
            return response._replace(sent_share=0.5)
        return response

    def _server_list_page(self, query: dict[str, str], with_private: bool) -> HttpResponse:
        if query.get("key") != DEMO_STEAM_KEY:
            return HttpResponse(HTTPStatus.FORBIDDEN, b"<html><head><title>Forbidden</title></head></html>")
        appid = _parse_filters(query.get("filter", "")).get("appid")
        limit = int(query["limit"]) if query.get("limit", "").isdecimal() else _DEFAULT_LIMIT
        servers = [server for server in self._steam_servers if appid in (None, str(server.state.game.appid))][:limit]
        rows = [self._server_json(server) for server in servers]
        if with_private:
            forbidden = [{"addr": str(each), "gameport": 27015, "appid": 440} for each in _FORBIDDEN_ADDRESSES]
            rows += map(json.dumps, forbidden)
        body = f'{{"response":{{"servers":[{",".join(rows)}]}}}}'
        return HttpResponse(HTTPStatus.OK, body.encode())

    def _servers_at_address_page(self, query: dict[str, str], with_private: bool) -> HttpResponse:
        wanted = query.get("addr", "")
        rows = [
            {
                "addr": str(server.address), "gmsindex": -1, "steamid": str(server_steam_id(server.state)),
                "appid": server.state.game.appid, "gamedir": server.state.game.folder, "region": -1,
                "secure": True, "lan": False, "gameport": game_port(server), "specport": 0,
            }
            for server in self._steam_servers if wanted in (server.address.host, str(server.address))
        ]  # fmt: skip
        if with_private:
            rows += [{"addr": str(address), "appid": 440, "gameport": 27015} for address in _FORBIDDEN_ADDRESSES]
        return _json_response({"response": {"success": True, "servers": rows}})

    def _community_list_page(self, query: dict[str, str], with_private: bool) -> HttpResponse:  # noqa: ARG002 (same signature as the other pages)
        urls = [server.url for server in self._community_servers]
        private = _FORBIDDEN_ADDRESSES if with_private else ()
        return _json_response({"servers": urls + [f"a2s://{address}" for address in private]})

    def _server_json(self, server: DemoServer) -> str:
        """Return the server's row as JSON, cached until the server changes."""
        revision, row = self._rows.get(server, (-1, ""))
        if revision != server.state.revision:
            revision, row = server.state.revision, json.dumps(_server_object(server))
            self._rows[server] = revision, row
        return row


def game_port(server: DemoServer) -> int:
    """Return the port that the game connects to."""
    return server.address.port - server.state.game.query_offset


def _server_object(server: DemoServer) -> dict[str, Any]:
    state = server.state
    return {
        "addr": str(server.address), "gameport": game_port(server), "steamid": str(server_steam_id(server.state)),
        "name": state.name, "appid": state.game.appid, "gamedir": state.game.folder, "version": state.game.version,
        "product": state.game.folder, "region": 3, "players": state.human_count, "max_players": state.max_players,
        "bots": state.bot_count, "map": state.map, "secure": True, "dedicated": True, "os": "l",
        "gametype": ns2_keywords(state) if state.game.id == "ns2" else state.current_mode.reported_value,
    }  # fmt: skip


def _parse_filters(text: str) -> dict[str, str]:
    r"""Parse `\key\value\key\value`."""
    parts: Iterable[str] = iter(text.split("\\")[1:])
    return dict(zip(parts, parts, strict=False))


def _json_response(value: object) -> HttpResponse:
    return HttpResponse(HTTPStatus.OK, json.dumps(value).encode())


_ENDLESS_REPEATS = 100


class DemoDpMaster:
    """A dpmaster of one game and protocol.

    It answers `getservers` and `getserversExt` for others with an empty list.
    """

    def __init__(
        self,
        sock: socket.socket,
        game: GameSpec,
        servers: Sequence[Address],
        loop: DemoEventLoop,
        fault: MasterFault | None,
        slow_s: float,
    ) -> None:
        self.sock = sock
        self._game = game
        self._servers = () if fault is MasterFault.EMPTY else servers
        self._loop = loop
        self._fault = fault
        self._delay_ns = round(slow_s * 1e9) if fault is MasterFault.SLOW else 0

    @property
    def url(self) -> str:
        """The master URL."""
        address = Address(*self.sock.getsockname())
        return f"dpmaster://{address}/{self._game.master_gamename}/{self._game.master_protocol}"

    def on_readable(self) -> None:
        """Read and answer the next request."""
        try:
            data, peer, _ = receive_datagram(self.sock)
            request = parse_master_request(data)
        except (OSError, PacketError):
            return
        if self._fault is MasterFault.DEAD:
            return
        ours = (request.gamename, request.protocol) == (self._game.master_gamename, self._game.master_protocol)
        packets = self._build_packets(self._servers if ours else (), request.is_extended)
        self._loop.call_at(time.time_ns() + self._delay_ns, self._send, packets, peer)

    def _build_packets(self, servers: Sequence[Address], extended: bool) -> list[bytes]:
        match self._fault:
            case MasterFault.GARBAGE:
                return [b"\xff\xff\xff\xffprint\nno such command\n"]
            case MasterFault.PRIVATE:
                return encode_servers_response((*servers, *_FORBIDDEN_ADDRESSES), extended=extended)
            case MasterFault.NO_END:
                return encode_servers_response(servers, extended=extended, end=False)
            case MasterFault.ENDLESS:
                return encode_servers_response(servers, extended=extended, end=False) * _ENDLESS_REPEATS
            case MasterFault.INCOMPLETE:
                return encode_servers_response(servers, extended=extended)[1:]
            case _:
                return encode_servers_response(servers, extended=extended)

    def _send(self, packets: Sequence[bytes], peer: PeerAddress) -> None:
        for packet in packets:
            try:
                self.sock.sendto(packet, peer)
            except OSError:  # like a lost packet on a real network
                return
