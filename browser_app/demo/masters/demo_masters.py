"""Demo master servers on the web: Steam Web API, community list, lists of games."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from browser_app.demo.demo_server import DemoServer
from browser_app.demo.faults.network_faults import FORBIDDEN_ADDRESSES, MasterFault, NetworkFaults
from browser_app.demo.games.game_spec import GameSpec
from browser_app.demo.masters.game_lists import GAME_LISTS, DemoGameList
from browser_app.demo.masters.single_request_masters import UDP_MASTERS
from browser_app.demo.masters.tcp_masters import TCP_LISTS
from browser_app.demo.responders.a2s_responder import ns2_keywords, server_steam_id
from browser_app.demo.sockets.demo_http_server import HttpResponse

DEMO_STEAM_KEY: Final = "D3M0D3M0D3M0D3M0D3M0D3M0D3M0D3M0"
"""The key that the demo's Steam Web API accepts."""
COMMUNITY_LIST_PATH: Final = "/servers.json"
_SERVER_LIST_PATH: Final = "/IGameServersService/GetServerList/v1"
_SERVERS_AT_ADDRESS_PATH: Final = "/ISteamApps/GetServersAtAddress/v1"
_DEFAULT_LIMIT = 100
_COMMUNITY_LIST_INTERVAL = 20
"""The community's list has every 20th server, and all those of games without a master server."""


_EMPTY_JSON = b'{"response":{},"servers":[]}'


class _Page(NamedTuple):
    """What is at a path."""

    build: Callable[[dict[str, str], bool], HttpResponse]
    """Returns the response to a query, on demand with addresses that must not be queried."""
    fault: MasterFault | None
    empty: bytes = _EMPTY_JSON
    """The same without servers."""


class DemoWebMasters:
    r"""HTTP master servers of the demo network.

    `GetServerList` understands `key`, `limit` (default 100) and the filter `\appid\N`; other filters have no effect.
    """

    def __init__(self, servers: Sequence[DemoServer], faults: NetworkFaults, now_s: Callable[[], float]) -> None:
        """`now_s` returns seconds since the network's start."""
        self._steam_servers = [server for server in servers if server.state.game.appid]
        unlisted = {server for server in servers if not _has_master(server.state.game)}
        self._community_servers = [
            server
            for number, server in enumerate(servers)
            if number % _COMMUNITY_LIST_INTERVAL == 0 or server in unlisted
        ]
        self._slow_s = faults.slow_s
        steam_fault = faults.masters.get("steam")
        self._rows: dict[DemoServer, tuple[int, str]] = {}
        self._list_schemes: list[tuple[str, str]] = []
        """Scheme and path of the lists of single games."""
        self._pages = {
            _SERVER_LIST_PATH: _Page(self._server_list_page, steam_fault),
            _SERVERS_AT_ADDRESS_PATH: _Page(self._servers_at_address_page, steam_fault),
            COMMUNITY_LIST_PATH: _Page(self._community_list_page, faults.masters.get("list")),
        }
        for game, game_list in GAME_LISTS.items():
            of_game = [server for server in servers if server.state.game.id == game]
            if of_game:
                self._list_schemes.append((game_list.scheme, game_list.path))
                page = partial(_game_list_page, DemoGameList(game_list, of_game, now_s))
                self._pages[game_list.path] = _Page(page, faults.masters.get(game), game_list.encode_list([]))

    def urls(self, base: str) -> list[str]:
        """Return the URLs of all master servers, which are at the URL `base`."""
        appids = dict.fromkeys(server.state.game.appid for server in self._steam_servers)
        return [
            *(f"steam-web+{base}/?appid={appid}" for appid in appids),
            f"json+{base}{COMMUNITY_LIST_PATH}",
            *(f"{scheme}+{base}{path}" for scheme, path in self._list_schemes),
        ]

    def handle(self, path: str, query: dict[str, str]) -> HttpResponse | None:
        """Answer one request, with the faults of the master server it is for."""
        page = self._pages.get(path.rstrip("/"))
        if page is None:
            return HttpResponse(HTTPStatus.NOT_FOUND, b"{}")
        if page.fault is MasterFault.DEAD:
            return None
        if page.fault is MasterFault.GARBAGE:
            return HttpResponse(HTTPStatus.OK, b"<html>Service unavailable</html>\xff")
        response = page.build(query, page.fault is MasterFault.PRIVATE)
        if page.fault is MasterFault.EMPTY:
            return response._replace(body=page.empty)
        if page.fault is MasterFault.SLOW:
            return response._replace(delay_s=self._slow_s)
        if page.fault is MasterFault.INCOMPLETE:
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
            forbidden = [{"addr": str(each), "gameport": 27015, "appid": 440} for each in FORBIDDEN_ADDRESSES]
            rows += map(json.dumps, forbidden)
        body = f'{{"response":{{"servers":[{",".join(rows)}]}}}}'
        return HttpResponse(HTTPStatus.OK, body.encode())

    def _servers_at_address_page(self, query: dict[str, str], with_private: bool) -> HttpResponse:
        wanted = query.get("addr", "")
        rows = [
            {
                "addr": str(server.address), "gmsindex": -1, "steamid": str(server_steam_id(server.state)),
                "appid": server.state.game.appid, "gamedir": server.state.game.folder, "region": -1,
                "secure": True, "lan": False, "gameport": server.game_address.port, "specport": 0,
            }
            for server in self._steam_servers if wanted in (server.address.host, str(server.address))
        ]  # fmt: skip
        if with_private:
            rows += [{"addr": str(address), "appid": 440, "gameport": 27015} for address in FORBIDDEN_ADDRESSES]
        return _json_response({"response": {"success": True, "servers": rows}})

    def _community_list_page(self, query: dict[str, str], with_private: bool) -> HttpResponse:  # noqa: ARG002 (same signature as the other pages)
        urls = [server.url for server in self._community_servers]
        private = FORBIDDEN_ADDRESSES if with_private else ()
        return _json_response({"servers": urls + [f"a2s://{address}" for address in private]})

    def _server_json(self, server: DemoServer) -> str:
        """Return the server's row as JSON, cached until the server changes."""
        revision, row = self._rows.get(server, (-1, ""))
        if revision != server.state.revision:
            revision, row = server.state.revision, json.dumps(_server_object(server))
            self._rows[server] = revision, row
        return row


def _has_master(game: GameSpec) -> bool:
    """Return whether more than the community's list has the game's servers."""
    has_list = game.id in GAME_LISTS or game.id in TCP_LISTS
    return bool(game.appid or game.master_protocol) or has_list or game.protocol in UDP_MASTERS


def _game_list_page(game_list: DemoGameList, _query: dict[str, str], with_private: bool) -> HttpResponse:
    return HttpResponse(HTTPStatus.OK, game_list.encode(with_private=with_private))


def _server_object(server: DemoServer) -> dict[str, Any]:
    state = server.state
    return {
        "addr": str(server.address), "gameport": server.game_address.port, "steamid": str(server_steam_id(state)),
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
