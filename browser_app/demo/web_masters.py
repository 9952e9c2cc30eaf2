"""Masters over HTTP: one like Steam's Web API, and a community's own list."""

import json
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Any, Final

from browser_app.demo.a2s_answers import steam_id
from browser_app.demo.faults import Faults, MasterFault
from browser_app.demo.ns2_report import keywords
from browser_app.demo.server import DemoServer
from browser_app.demo.web_server import Response

STEAM_KEY: Final = "D3M0D3M0D3M0D3M0D3M0D3M0D3M0D3M0"
"""The key that the demo's Web API accepts."""
LIST_PATH: Final = "/servers.json"
_SERVER_LIST: Final = "/IGameServersService/GetServerList/v1"
_AT_ADDRESS: Final = "/ISteamApps/GetServersAtAddress/v1"
_DEFAULT_LIMIT = 100
_PRIVATE = ("10.0.0.1:27015", "192.168.1.10:27016", "169.254.17.4:27015", "224.0.0.9:27015", "240.1.2.3:27015")
"""Addresses that no master should name."""


class WebMasters:
    r"""The HTTP side of the network.

    `GetServerList` understands `key`, `limit` (100 if absent) and of the filters `\appid\N`; others have no effect.
    """

    def __init__(self, steam: Sequence[DemoServer], community: Sequence[DemoServer], faults: Faults) -> None:
        self._steam = steam
        self._community = community
        self._slow_s = faults.slow_s
        steam_fault = faults.masters.get("steam")
        self._faults = {
            _SERVER_LIST: steam_fault,
            _AT_ADDRESS: steam_fault,
            LIST_PATH: faults.masters.get("list"),
        }
        self._rows: dict[DemoServer, tuple[int, str]] = {}
        self._pages: dict[str, Callable[[dict[str, str], bool], Response]] = {
            _SERVER_LIST: self._server_list,
            _AT_ADDRESS: self._at_address,
            LIST_PATH: self._list,
        }

    def handle(self, path: str, query: dict[str, str]) -> Response | None:
        """Answer one request, with the faults of the master that it is meant for."""
        path = path.rstrip("/")
        page = self._pages.get(path)
        if page is None:
            return Response(HTTPStatus.NOT_FOUND, b"{}")
        fault = self._faults[path]
        if fault is MasterFault.DEAD:
            return None
        if fault is MasterFault.GARBAGE:
            return Response(HTTPStatus.OK, b"<html>Service unavailable</html>\xff")
        response = page(query, fault is MasterFault.PRIVATE)
        if fault is MasterFault.EMPTY:
            return response._replace(body=b'{"response":{},"servers":[]}')
        if fault is MasterFault.SLOW:
            return response._replace(delay_s=self._slow_s)
        if fault is MasterFault.INCOMPLETE:
            return response._replace(sent_share=0.5)
        return response

    def _server_list(self, query: dict[str, str], with_private: bool) -> Response:
        if query.get("key") != STEAM_KEY:
            return Response(HTTPStatus.FORBIDDEN, b"<html><head><title>Forbidden</title></head></html>")
        appid = _filters(query.get("filter", "")).get("appid")
        limit = int(query["limit"]) if query.get("limit", "").isdecimal() else _DEFAULT_LIMIT
        servers = [server for server in self._steam if appid in (None, str(server.population.sheet.appid))][:limit]
        rows = [self._row(server) for server in servers]
        if with_private:
            rows += [json.dumps({"addr": address, "gameport": 27015, "appid": 440}) for address in _PRIVATE]
        body = f'{{"response":{{"servers":[{",".join(rows)}]}}}}'
        return Response(HTTPStatus.OK, body.encode())

    def _at_address(self, query: dict[str, str], with_private: bool) -> Response:
        wanted = query.get("addr", "")
        rows = [
            {
                "addr": str(server.address), "gmsindex": -1, "steamid": str(steam_id(server.population)),
                "appid": server.population.sheet.appid, "gamedir": server.population.sheet.folder, "region": -1,
                "secure": True, "lan": False, "gameport": game_port(server), "specport": 0,
            }
            for server in self._steam if wanted in (server.address.host, str(server.address))
        ]  # fmt: skip
        if with_private:
            rows += [{"addr": address, "appid": 440, "gameport": 27015} for address in _PRIVATE]
        return _json({"response": {"success": True, "servers": rows}})

    def _list(self, query: dict[str, str], with_private: bool) -> Response:  # noqa: ARG002 (a page like the others)
        urls = [server.url for server in self._community]
        return _json({"servers": urls + [f"a2s://{address}" for address in _PRIVATE if with_private]})

    def _row(self, server: DemoServer) -> str:
        """The server's row as JSON, made anew only after a change."""
        revision, row = self._rows.get(server, (-1, ""))
        if revision != server.population.revision:
            revision, row = server.population.revision, json.dumps(_describe(server))
            self._rows[server] = revision, row
        return row


def game_port(server: DemoServer) -> int:
    """The port to connect to."""
    return server.address.port - server.population.sheet.query_offset


def _describe(server: DemoServer) -> dict[str, Any]:
    state = server.population
    return {
        "addr": str(server.address), "gameport": game_port(server), "steamid": str(steam_id(server.population)),
        "name": state.name, "appid": state.sheet.appid, "gamedir": state.sheet.folder, "version": state.sheet.version,
        "product": state.sheet.folder, "region": 3, "players": state.humans, "max_players": state.max_players,
        "bots": state.bots, "map": state.map, "secure": True, "dedicated": True, "os": "l",
        "gametype": keywords(state) if state.sheet.id == "ns2" else state.played.reported,
    }  # fmt: skip


def _filters(text: str) -> dict[str, str]:
    r"""`\key\value\key\value` as a mapping."""
    parts: Iterable[str] = iter(text.split("\\")[1:])
    return dict(zip(parts, parts, strict=False))


def _json(value: object) -> Response:
    return Response(HTTPStatus.OK, json.dumps(value).encode())
