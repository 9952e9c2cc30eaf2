"""The README's table of protocols is complete, with requests per server."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from family_servers import (
    assault_cube,
    bedrock,
    chocolate_doom,
    ddnet,
    exchanges,
    fivem,
    gamespy1,
    gamespy2,
    gamespy3,
    hexenworld,
    java_server,
    luanti,
    mindustry,
    multi_theft_auto,
    mumble,
    odamex,
    open_mp,
    openttd_server,
    quake2,
    quakeworld,
    red_eclipse,
    repeating,
    sauerbraten,
    space_station_server,
    srb2,
    supertuxkart,
    teeworlds_07,
    tesseract,
    unreal2,
    vcmp,
    zandronum,
)
from loopback_servers import Handler, a2s, quake3, serving
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.engine.query.query_timing import PACES, QueryTiming
from browser_app.engine.query.scanner import Scanner
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.a2s.a2s_server import encode_challenge, parse_a2s_request
from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.query_session import QueryParts

PATIENT = QueryTiming(waits_s=(LIMIT_S,), stream_wait_s=LIMIT_S, max_probe_wait_s=LIMIT_S)
CHALLENGE = b"\x01\x02\x03\x04"
ROW = re.compile(r"\| `([\w-]+)` \|.*\| (\d+), (\d+) \|")


def steam(request: bytes) -> Iterable[bytes]:
    """Answer as Valve's servers do, which send a challenge first."""
    return a2s()(request) if parse_a2s_request(request).challenge == CHALLENGE else (encode_challenge(CHALLENGE),)


@contextmanager
def serve_one(handler: Handler) -> Iterator[Address]:
    with serving(handler) as (address,):
        yield address


SERVERS: dict[str, Callable[[], AbstractContextManager[Address]]] = {
    "a2s": lambda: serve_one(steam),
    "quake3": lambda: serve_one(quake3()),
    "darkplaces": lambda: serve_one(quake3()),
    "fivem": lambda: serve_one(fivem),
    "teeworlds06": lambda: serve_one(ddnet(45)),
    "teeworlds07": lambda: serve_one(teeworlds_07()),
    "luanti": lambda: serve_one(luanti),
    "minecraft": lambda: java_server(exchanges("minecraft-java")[0].replies[0]),
    "bedrock": lambda: serve_one(bedrock()),
    "samp": lambda: serve_one(open_mp()),
    "vcmp": lambda: serve_one(vcmp),
    "ss14": space_station_server,
    "gamespy1": lambda: serve_one(gamespy1),
    "gamespy2": lambda: serve_one(gamespy2),
    "gamespy3": lambda: serve_one(gamespy3),
    "unreal2": lambda: serve_one(unreal2),
    "mindustry": lambda: serve_one(mindustry),
    "ase": lambda: serve_one(multi_theft_auto),
    "cube2": lambda: serve_one(sauerbraten),
    "redeclipse": lambda: serve_one(red_eclipse),
    "assaultcube": lambda: serve_one(assault_cube),
    "tesseract": lambda: serve_one(tesseract),
    "openttd": openttd_server,
    "bzflag": lambda: serve_one(repeating("bzflag")),
    "armagetron": lambda: serve_one(repeating("armagetron")),
    "stk": lambda: serve_one(supertuxkart),
    "mumble": lambda: serve_one(mumble),
    "quakeworld": lambda: serve_one(quakeworld),
    "hexenworld": lambda: serve_one(hexenworld),
    "quake2": lambda: serve_one(quake2),
    "zandronum": lambda: serve_one(zandronum),
    "odamex": lambda: serve_one(odamex),
    "chocolate-doom": lambda: serve_one(chocolate_doom),
    "srb2": lambda: serve_one(srb2),
}


def sent_requests(protocol: str, parts: QueryParts) -> int:
    with SERVERS[protocol]() as address, Scanner(GameRegistry([])) as scanner:
        target = QueryTarget(address, protocol, None)
        scan = scanner.scan([target], pace=PACES["unlimited"], parts=parts, timing=PATIENT)
        scan.seal()
        assert scan.wait(LIMIT_S)
    assert [result.status for result in scan.results] == [QueryStatus.OK]
    return scan.progress.sent


def table() -> dict[str, tuple[int, int]]:
    lines = (Path(__file__).parent / "README.md").read_text("utf-8").splitlines()
    rows = filter(None, map(ROW.fullmatch, lines))
    return {row[1]: (int(row[2]), int(row[3])) for row in rows}


def test_table_has_every_protocol() -> None:
    assert table().keys() == {name for name, protocol in QUERY_PROTOCOLS.items() if not protocol.is_listed_only}


@pytest.mark.parametrize("protocol", SERVERS)
def test_servers_get_few_requests(protocol: str) -> None:
    assert table()[protocol] == tuple(sent_requests(protocol, parts) for parts in (QueryParts.INFO, QueryParts.ALL))
