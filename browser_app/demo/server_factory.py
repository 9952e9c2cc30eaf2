"""Construction of demo servers from their specs."""

import socket
from collections.abc import Callable, Mapping
from typing import Final

from browser_app.demo.demo_server import DemoServer, NetworkStatistics, ServerParts, ServerResponder
from browser_app.demo.faults.faulty_responder import FaultyResponder
from browser_app.demo.faults.faulty_server import FAULTY_SERVERS
from browser_app.demo.faults.state_responders import STATE_RESPONDERS
from browser_app.demo.responders import free_game_responders
from browser_app.demo.responders.a2s_responder import A2SResponder
from browser_app.demo.responders.ase_responder import AseResponder
from browser_app.demo.responders.cube2_responder import Cube2Responder
from browser_app.demo.responders.doom_responder import ChocolateDoomResponder, OdamexResponder, ZandronumResponder
from browser_app.demo.responders.game_responder import ResponderContext
from browser_app.demo.responders.gamespy_responder import (
    GameSpy1Responder,
    GameSpy2Responder,
    GameSpy3Responder,
    Unreal2Responder,
)
from browser_app.demo.responders.listed_responder import ListedResponder
from browser_app.demo.responders.minecraft_responder import BedrockResponder, JavaResponder, split_java_request
from browser_app.demo.responders.quake_responder import DarkPlacesResponder, FiveMResponder, QuakeResponder
from browser_app.demo.responders.quakeworld_responder import Quake2Responder, QuakeWorldResponder
from browser_app.demo.responders.samp_responder import SampResponder
from browser_app.demo.responders.space_station_responder import SpaceStationResponder, split_http_request
from browser_app.demo.responders.srb2_responder import Srb2Responder
from browser_app.demo.responders.teeworlds_responder import Teeworlds06Responder, Teeworlds07Responder
from browser_app.demo.scenario import ServerSpec
from browser_app.demo.sockets.demo_event_loop import DemoEventLoop
from browser_app.demo.sockets.simulated_link import SimulatedLink
from browser_app.demo.sockets.stream_server import SplitRequest, StreamServer
from browser_app.protocols import query_protocols
from browser_app.protocols.cube2 import cube2_session as cube2
from browser_app.protocols.san_andreas import samp


class DemoServerFactory:
    """Makes the servers of one demo network."""

    def __init__(
        self, loop: DemoEventLoop, statistics: NetworkStatistics, now_s: Callable[[], float], *, flood_guard: bool
    ) -> None:
        """`now_s` returns seconds since the network's start; `flood_guard` is DarkPlaces'."""
        self._loop = loop
        self._statistics = statistics
        self._now_s = now_s
        self._flood_guard = flood_guard

    def make_server(self, spec: ServerSpec, sock: socket.socket, link: SimulatedLink) -> DemoServer:
        """Return the server of a spec at a bound socket, served by the loop."""
        responder = self._make_responder(spec, sock.getsockname()[1])
        parts = ServerParts(sock, spec.server, responder, link, self._loop, self._statistics, spec.fault)
        split_request = _STREAM_REQUESTS.get(spec.server.game.protocol)
        server_class = DemoServer if spec.fault is None else FAULTY_SERVERS.get(spec.fault, DemoServer)
        server = server_class(parts) if split_request is None else StreamServer(parts, split_request)
        self._loop.watch(sock, server.on_readable)
        return server

    def _make_responder(self, spec: ServerSpec, query_port: int) -> ServerResponder | None:
        """Return the responder of a server at `query_port`; None for a dead server."""
        if not spec.is_alive:
            return None
        game_port = query_port - spec.server.game.profile.query_port_offset
        context = ResponderContext(spec, game_port, self._now_s, self._flood_guard, self._statistics)
        responder = _RESPONDERS[spec.server.game.protocol](context)
        if spec.state is not None and spec.state in STATE_RESPONDERS:
            return STATE_RESPONDERS[spec.state](responder)
        if spec.fault is None or spec.fault in FAULTY_SERVERS:
            return responder
        return FaultyResponder(responder, spec.server.game.protocol, spec.fault, spec.server.number)


_RESPONDERS: Final[Mapping[str, Callable[[ResponderContext], ServerResponder]]] = {
    query_protocols.A2S: A2SResponder,
    query_protocols.QUAKE3: QuakeResponder,
    query_protocols.DARKPLACES: DarkPlacesResponder,
    query_protocols.FIVEM: FiveMResponder,
    query_protocols.TEEWORLDS06: Teeworlds06Responder,
    query_protocols.TEEWORLDS07: Teeworlds07Responder,
    query_protocols.MINECRAFT: JavaResponder,
    query_protocols.BEDROCK: BedrockResponder,
    query_protocols.LUANTI: free_game_responders.LuantiResponder,
    query_protocols.SAMP: lambda context: SampResponder(context, samp.SAMP),
    query_protocols.VCMP: lambda context: SampResponder(context, samp.VCMP),
    query_protocols.QUAKEWORLD: QuakeWorldResponder,
    query_protocols.HEXENWORLD: QuakeWorldResponder,
    query_protocols.QUAKE2: Quake2Responder,
    query_protocols.ZANDRONUM: ZandronumResponder,
    query_protocols.ODAMEX: OdamexResponder,
    query_protocols.CHOCOLATE_DOOM: ChocolateDoomResponder,
    query_protocols.ASE: AseResponder,
    query_protocols.SAUERBRATEN: lambda context: Cube2Responder(context, cube2.SAUERBRATEN),
    query_protocols.RED_ECLIPSE: lambda context: Cube2Responder(context, cube2.RED_ECLIPSE),
    query_protocols.ASSAULT_CUBE: lambda context: Cube2Responder(context, cube2.ASSAULT_CUBE),
    query_protocols.TESSERACT: lambda context: Cube2Responder(context, cube2.TESSERACT),
    query_protocols.OPENTTD: free_game_responders.OpenTTDResponder,
    query_protocols.BZFLAG: free_game_responders.BzflagResponder,
    query_protocols.ARMAGETRON: free_game_responders.ArmagetronResponder,
    query_protocols.SUPERTUXKART: free_game_responders.SuperTuxKartResponder,
    query_protocols.MUMBLE: free_game_responders.MumbleResponder,
    query_protocols.SPACE_STATION: SpaceStationResponder,
    query_protocols.LISTED: ListedResponder,
    query_protocols.MINDUSTRY: free_game_responders.MindustryResponder,
    query_protocols.GAMESPY1: GameSpy1Responder,
    query_protocols.GAMESPY2: GameSpy2Responder,
    query_protocols.GAMESPY3: GameSpy3Responder,
    query_protocols.UNREAL2: Unreal2Responder,
    query_protocols.SRB2: Srb2Responder,
}
"""The responder of each protocol."""
_STREAM_REQUESTS: Final[Mapping[str, SplitRequest]] = {
    query_protocols.MINECRAFT: split_java_request,
    query_protocols.OPENTTD: free_game_responders.split_openttd_request,
    query_protocols.SPACE_STATION: split_http_request,
}
"""How a stream is split into requests, by protocol."""
