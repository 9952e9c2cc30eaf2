"""Steam's Web API and XonStat on loopback, with the real ones' errors."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

KEY = "0123456789ABCDEF0123456789ABCDEF"
ACCOUNT = "76561197960287930"
PRIVATE, NOT_OWNING, FAILING, RATE_LIMITED = (str(int(ACCOUNT) + place) for place in (1, 2, 3, 4))
VANITY = "gabelogannewell"
FINGERPRINT = "x+Zk2Sm/Q0l9H7t1vYbN4cWfE6aJrUoPdLgTi8eBqXA="
STATS: Mapping[str, float] = {
    "skill": 1771, "skill_offset": 214, "skill_offset_sign": 0,
    "comm_skill": 1931, "comm_skill_offset": 200, "comm_skill_offset_sign": 1,
    "adagrad": 0.25, "td_skill": 900,
}  # fmt: skip
SKILLS: Mapping[str, tuple[float, float]] = {"ctf": (1712.5, 96.0), "duel": (1404.25, 210.5)}
GAMES = [
    {
        "game_id": 1000 - number, "game_type_cd": mode, "game_type_descr": mode.upper(), "server_id": 1,
        "server_name": "^1Red^7 Arena", "map_id": 2, "map_name": name, "winning_team": 5, "winning_player_id": -1,
        "nick": "moth", "create_dt": f"2026-11-{20 - number}T21:00:00Z",
    }
    for number, (mode, name) in enumerate([("ctf", "catharsis"), ("duel", "bloodrage"), ("ctf", "implosion")])
]  # fmt: skip
FORBIDDEN = (
    b"<html><head><title>Forbidden</title></head><body><h1>Forbidden</h1>Access is denied. Retrying will not help. "
    b"Please verify your <pre>key=</pre> parameter.</body></html>"
)


class Reply(NamedTuple):
    """HTTP reply of a service."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = {"Content-Type": "application/json"}


Service = Callable[[str, Mapping[str, str], Mapping[str, str]], Reply]
"""Returns the reply to path, query and headers (lower case)."""


def steam(path: str, query: Mapping[str, str], headers: Mapping[str, str]) -> Reply:
    """Reply to the two methods in use."""
    if "key" not in query:
        return Reply(401, b"<html><body><h1>Unauthorized</h1></body></html>", {"Content-Type": "text/html"})
    if query["key"] != KEY:
        return Reply(403, FORBIDDEN, {"Content-Type": "text/html"})
    if path == "/ISteamUser/ResolveVanityURL/v1/":
        if query.get("vanityurl") != VANITY:
            return Reply(200, b'{"response":{"success":42,"message":"No match"}}')
        return Reply(200, json.dumps({"response": {"steamid": ACCOUNT, "success": 1}}).encode())
    if path != "/ISteamUserStats/GetUserStatsForGame/v2/":
        return Reply(404, b"Not Found", {"Content-Type": "text/html"})
    match query.get("steamid"):
        case account if account == PRIVATE:
            return Reply(403, b'{"playerstats":{"error":"Profile is not public","success":false}}')
        case account if account == NOT_OWNING or query.get("appid") != "4920":
            return Reply(400, b"{}")
        case account if account == FAILING:
            return Reply(500, b"{}")
        case account if account == RATE_LIMITED:
            return Reply(429, b"<html><body><h1>Too Many Requests</h1></body></html>", {"Content-Type": "text/html"})
        case account:
            stats = [{"name": name, "value": value} for name, value in STATS.items()]
            player_stats = {"steamID": account, "gameName": "Natural Selection 2", "stats": stats}
            return Reply(200, json.dumps({"playerstats": player_stats}).encode())


def xonstat(path: str, query: Mapping[str, str], headers: Mapping[str, str]) -> Reply:
    """Redirect a key to its player; reply with a web page unless JSON is accepted."""
    if path == "/skill" and query.get("hashkey") == FINGERPRINT:
        return Reply(302, b"", {"Location": "/player/4711/skill?game_type_cd="})
    if headers.get("accept") != "application/json":
        return Reply(200, b"<!DOCTYPE html><html><body>Player</body></html>", {"Content-Type": "text/html"})
    if path == "/games" and query.get("player_id") == "4711":
        return Reply(200, json.dumps(GAMES).encode())
    if path != "/player/4711/skill":
        return Reply(404)
    moment = {"active_ind": True, "create_dt": "2026-01-02T03:04:05Z", "update_dt": "2026-11-20T21:00:00Z"}
    entries = [
        {"player_id": 4711, "game_type_cd": mode, "mu": mu, "sigma": sigma} | moment
        for mode, (mu, sigma) in SKILLS.items()
    ]
    return Reply(200, json.dumps(entries).encode())


@dataclass
class FakeService:
    """A running service."""

    base: str
    requests: list[str] = field(default_factory=list)
    """Paths with their queries."""


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = False  # joined when it closes

    def handle_error(self, *_: object) -> None:
        """Ignore clients that disconnect."""


@contextmanager
def run_service(service: Service) -> Iterator[FakeService]:
    """Run the service on a free port of loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            fake_service.requests.append(self.path)
            url = urlsplit(self.path)
            query = {name: values[-1] for name, values in parse_qs(url.query).items()}
            reply = service(url.path, query, {name.lower(): value for name, value in self.headers.items()})
            self.send_response(reply.status)
            for name, value in {**reply.headers, "Content-Length": str(len(reply.body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = _QuietServer(("127.0.0.1", 0), Handler)
    fake_service = FakeService(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=lambda: server.serve_forever(0.01))
    thread.start()
    try:
        yield fake_service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
